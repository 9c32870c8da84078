"""A block while its page is being read: mutable, without the fields that only its table knows."""

from __future__ import annotations

import re

from kb.page.page import Block

BREAK = "\x00"
"""Stands for a forced line break in collected text; no page contains it (it is removed before reading)."""

_ODD = re.compile("[\u00a0\u2007\u202f\u2009\u00ad\u200b\u2060\ufeff\u2000-\u2006\u2008\u200a\u200e\u200f]")
_GROUP = re.compile("(?<=\\d)[\u00a0\u202f\u2009\u2007](?=\\d{3}(?!\\d))")
_SPACES = re.compile("[\u00a0\u2000-\u200a\u202f]")
_NOTHING = re.compile("[\u00ad\u200b\u2060\ufeff\u200e\u200f]")


def fold(text: str) -> str:
    """The words as a person sees them.

    White space becomes one space, a forced break a newline; soft hyphens and zero-width characters go.
    A no-break or thin space stays only between groups of digits (`24 000`), where it means something.
    """
    if BREAK in text:
        return "\n".join(line for line in map(fold, text.split(BREAK)) if line)
    if not text.isascii() and _ODD.search(text):
        text = _NOTHING.sub("", text)
        kept = _GROUP.sub("\ue000", text) if "\ue000" not in text else text
        if kept is not text and "\ue000" in kept:
            folded = " ".join(_SPACES.sub(" ", kept).split())
            return folded.replace("\ue000", "\u00a0")
        text = _SPACES.sub(" ", text)
    return " ".join(text.split())


class Part:
    """See `Block`, whose fields these are."""

    __slots__ = ("headings", "kind", "level", "role", "row", "text")

    def __init__(
        self,
        kind: str,
        text: str,
        role: str = "content",
        level: int = 0,
        headings: tuple[str, ...] = (),
        row: tuple[str, ...] = (),
    ) -> None:
        self.kind = kind
        self.text = text
        self.role = role
        self.level = level
        self.headings = headings
        self.row = row

    def block(self) -> Block:
        """The finished block."""
        return Block(self.kind, self.text, self.role, self.level, self.headings, self.row)


class Cell:
    """A table's cell while its table is being read."""

    __slots__ = (
        "colspan",
        "head",
        "headings",
        "id",
        "mark",
        "names",
        "parts",
        "role",
        "rowspan",
        "scope",
        "text",
    )

    def __init__(self, head: bool = False, role: str = "content", headings: tuple[str, ...] = ()) -> None:
        self.parts: list[Part | Block] = []
        self.head = head
        self.role = role
        self.headings = headings
        self.rowspan = 1
        self.colspan = 1
        self.scope = ""
        self.id = ""
        self.names: tuple[str, ...] = ()
        self.text = ""
        self.mark = False
        """Whether all of its text is bold."""


class Table:
    """A table while it is being read: rows of cells, and what else stands in it."""

    __slots__ = ("caption", "headings", "layout", "number", "role", "rows", "sections")

    def __init__(self, number: int, role: str, headings: tuple[str, ...], layout: bool = False) -> None:
        self.rows: list[list[Cell]] = []
        self.sections: list[str] = []
        """For each row: head, body or foot."""
        self.caption = ""
        self.number = number
        self.role = role
        self.headings = headings
        self.layout = layout
