"""Lines that begin with a name: a setting in a snippet, an option in a list."""

from __future__ import annotations

import re
from collections.abc import Iterable

from kb.judging.entry import is_identifier, normal
from kb.page import Block

LINE = 400  # characters of a line before a value that may begin with a name

_SIGNS = r"\s*(?:[#;$>*•]+\s*)?[\"'`]?"
_OPTIONS = re.compile(
    rf"{_SIGNS}(-{{1,2}}\w[\w-]*(?:(?:\s*[,/|]\s*|\s+)-{{1,2}}\w[\w-]*)*)[\"'`]?(?=[\s=:<\[(,]|$)"
)
_SET_TO = re.compile(rf"{_SIGNS}([A-Za-z_][\w.-]*)[\"'`]?\s*(?:[=:]|\s)\s*[\"'`]?$")
"""A name alone before a value: `cache_size = 60`, `cache-size 60`."""
_LINE_SET = re.compile(rf"^{_SIGNS}([A-Za-z_][\w.-]*)[\"'`]?\s*(?:[=:]|\s)\s*[\"'`]?[-+]?\d", re.MULTILINE)
_LINE_OPTIONS = re.compile(f"^{_OPTIONS.pattern}", re.MULTILINE)


def line_names(blocks: Iterable[Block]) -> frozenset[str]:
    """The names that lines of a page begin with."""
    found: set[str] = set()
    for block in blocks:
        for match in _LINE_OPTIONS.finditer(block.text):
            found |= _options(match[1])
        found |= {normal(m[1]) for m in _LINE_SET.finditer(block.text) if _is_set(m[1])}
    return frozenset(found)


def names_before(text: str, start: int) -> frozenset[str]:
    """The names that the line before a value begins with, which stands at `start`; none without such."""
    first = max(text.rfind("\n", 0, start) + 1, start - LINE)
    line = text[first:start]
    if match := _OPTIONS.match(line):
        return _options(match[1])
    match = _SET_TO.fullmatch(line)
    return frozenset({normal(match[1])}) if match and _is_set(match[1]) else frozenset()


def _is_set(word: str) -> bool:
    """Whether a word is the name of a setting, of several pieces: no `mAP` before a score."""
    return is_identifier(word) and any(sign in word for sign in "-_.")


def _options(text: str) -> frozenset[str]:
    return frozenset(normal(option) for option in re.split(r"[\s,/|]+", text) if option.strip("-"))
