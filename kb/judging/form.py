"""Forms: values that are written in a way of their own, as addresses, paths and names in code are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

_PATTERNS: dict[str, re.Pattern[str]] = {
    "mail": re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"),
    "address": re.compile(r"(?:https?|git|ssh|s3|gs|ftp)://[^\s<>\"'`)\]]+(?<![.,;:])"),
    "path": re.compile(r"(?<![\w:/.])[\w.~-]*(?:/[\w.*<>{}$-]+)+/?"),
    "option": re.compile(r"(?<!\S)--?[A-Za-z][\w-]*"),
    "domain": re.compile(r"(?<![\w@/.-])(?:[a-z0-9-]+\.)+[a-z]{2,}(?![\w(])"),
    "snake": re.compile(r"(?<![\w-])\w*[^\W_]_+[^\W_]\w*(?![\w-])"),
    "kebab": re.compile(r"(?<![\w.-])[a-z0-9]+(?:-[a-z0-9]+)+(?![\w-])"),
    "dotted": re.compile(r"(?<![\w.-])[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+(?![\w-])"),
}
"""The forms, those that are told by more before those by less."""

CODE = ("snake", "dotted")
"""Forms of names in code, which a call writes its arguments behind."""


@lru_cache(maxsize=4096)
def form_of(value: str) -> str:
    """The form of a value as a whole; empty where it is written as any word is."""
    return next((name for name, pattern in _PATTERNS.items() if pattern.fullmatch(value)), "")


def tokens_of(form: str, text: str) -> Iterator[tuple[int, int]]:
    """Where a text has tokens of a form."""
    for match in _PATTERNS[form].finditer(text):
        yield match.span()
