"""Lines of text and how far they are indented."""

from __future__ import annotations

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
