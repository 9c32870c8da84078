"""Lines of text and how far they are indented."""

from __future__ import annotations

import re
from collections.abc import Callable


def width_of(line: str) -> int:
    """How many spaces a line begins with."""
    return len(line) - len(line.lstrip())


def indent_at(lines: list[str], at: int) -> int:
    """The indentation of a line; -1 where there is none, or it is blank."""
    return width_of(lines[at]) if at < len(lines) and lines[at].strip() else -1


def next_indent(lines: list[str], at: int) -> int:
    """The indentation of the next line that is not blank; -1 at the end."""
    while at < len(lines) and not lines[at].strip():
        at += 1
    return indent_at(lines, at)


def end_while(lines: list[str], at: int, holds: Callable[[str], bool]) -> int:
    """Where the run of lines for which `holds` is true ends."""
    while at < len(lines) and holds(lines[at]):
        at += 1
    return at


def end_hanging(lines: list[str], at: int, indent: int) -> int:
    """Where the lines that are indented at least so far end, trailing blank ones left out."""
    end = at
    while at < len(lines):
        if lines[at].strip():
            if width_of(lines[at]) < indent:
                break
            end = at + 1
        at += 1
    return end


def dedent(lines: list[str]) -> list[str]:
    """The lines without the indentation that all of them have."""
    margin = min((width_of(line) for line in lines if line.strip()), default=0)
    return [line[margin:] for line in lines]


def not_blank(line: str) -> bool:
    """Whether there is something in a line."""
    return bool(line.strip())


_ENUMERATED = re.compile(r"\s*\(?(\d{1,3})[.)]\s")
_TAG = re.compile(r"(\s*)(\S+(?: \S+){0,2}) {2,}(?=\S)")
MAX_TAG = 24


def goes_on(line: str) -> bool:
    """Whether a line in a paragraph that looks like an item goes on with it: `256.` begins no list."""
    number = _ENUMERATED.match(line)
    return number is not None and int(number.group(1)) != 1


def hanging_tag(lines: list[str], at: int) -> tuple[str, str] | None:
    """A short term with its text on the same line, which goes on right below itself, as in manuals."""
    match = _TAG.match(lines[at])
    if match is None or len(match.group(2)) > MAX_TAG or at + 1 >= len(lines) or not lines[at + 1].strip():
        return None
    if width_of(lines[at + 1]) != match.end() or len(lines[at][match.end() :].split()) < 3:
        return None
    return match.group(2), lines[at][match.end() :]
