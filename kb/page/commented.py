"""Files of settings with comments: the comment above a setting and the setting are one entry of its name."""

from __future__ import annotations

import re
from collections.abc import Sequence

_MARK = re.compile(r"\s*(?:#+|//|;+)")
_SETTING = re.compile(r"\s*\[?([A-Za-z_][\w.-]*)\s*(?:=|:(?=\s|$))\s*(\S.*)?$", re.ASCII)
_PLAIN = re.compile(r"([A-Za-z]\w*(?:[-_.]\w+)+)((?: \S+){1,3})$", re.ASCII)
_FLAG = re.compile(r"\b(?:flag|option):\s+(--?[A-Za-z][\w.-]*)\s*$", re.IGNORECASE)
_TAG = re.compile(r"\s*[A-Z]{2,}:\s+([a-z]\w*_\w+(?:\s+[a-z]\w*_\w+)*)\s*(?:\(.*\))?$", re.ASCII)
_OFF = re.compile(
    r"\s?(?!defaults?\b|examples?\b|note\b|syntax\b|values?\b)"
    r"(?:([a-z][a-z\d]*(?:[-_.][a-z\d]+)+)\s*(?:=|:(?=\s))|([a-z]{3,})\s*(?:\s=|:(?=\s)))\s*"
    r"(\S+(?:\s+#.*)?|\"[^\"]*\")$",
    re.ASCII,
)
"""A setting that is commented out as its comment is, a blank before it: `# max-eggs: 5`."""
_MOST = 3  # settings below one comment that it may tell of
_LONG = 400  # lines of one entry


def commented(lines: Sequence[str]) -> tuple[str, ...]:
    """The names of what a comment and the setting below it tell of; none where lines are something else.

    `# How many.`, `max_eggs: 5` is of max_eggs; the setting may be commented out, be given by a flag that the
    comment names, or stand in a title (`#  TAG: max_eggs`).
    """
    if len(lines) < 2 or len(lines) > _LONG or _MARK.match(lines[0]) is None:
        return ()
    names: list[str] = []
    told = settings = 0
    for line in lines:
        mark = _MARK.match(line)
        rest = line[mark.end() :].strip() if mark else ""
        if mark is None:
            setting = _SETTING.match(line) or _PLAIN.match(line.strip())
            if setting is None:
                return ()
            settings += 1
            names.append(setting.group(1))
        elif found := _FLAG.search(rest):
            names.append(found.group(1))
        elif found := _TAG.match(rest):
            names += found.group(1).split()
        elif rest:
            told += 1
    if settings == 0 and (off_names := [name for name, _ in commented_out(lines)]):
        told -= len(off_names)
        names += off_names
    elif settings == 0:
        last = lines[-1][_MARK.match(lines[-1]).end() :]  # type: ignore[union-attr]
        off = _PLAIN.match(last.strip()) or (None if last[:1].isspace() else _SETTING.match(last))
        if off is not None:
            told -= 1
            names.append(off.group(1))
    names = list(dict.fromkeys(names))
    return tuple(names) if told > 0 and names and settings <= _MOST else ()


def commented_out(lines: Sequence[str]) -> list[tuple[str, str]]:
    """The settings at the end of a comment that are commented out, each by its name, with its line."""
    found: list[tuple[str, str]] = []
    for line in reversed(lines):
        mark = _MARK.match(line)
        off = _OFF.match(line, mark.end()) if mark else None
        if off is None:
            break
        found.append((off[1] or off[2], line[off.start() :].strip()))
    return found[::-1]


def commented_parts(code: str) -> list[tuple[str, tuple[str, ...]]] | None:
    """The paragraphs of a snippet, each with the names that it tells of; None where few tell of any."""
    pieces = [piece for piece in re.split(r"\n\s*\n", code) if piece.strip()]
    if len(pieces) < 2:
        return None
    found = [(piece, commented(piece.strip("\n").split("\n"))) for piece in pieces]
    return found if 2 * sum(1 for _, names in found if names) >= len(found) else None
