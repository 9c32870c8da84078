"""A block while its page is being read: mutable, without the fields that only its table knows."""

from __future__ import annotations

import re

from kb.page.page import Block

BREAK = "\x00"
"""Stands for a forced line break in collected text; no page contains it (it is replaced before reading)."""

_ODD = re.compile("[\u00a0\u00ad\u2000-\u200b\u200e\u200f\u202f\u2060\ufeff]")
_GROUP = re.compile("(?<=\\d)[\u00a0\u202f\u2007-\u2009](?=\\d{3}(?!\\d))")
_SPACES = re.compile("[\u00a0\u2000-\u200a\u202f]")
_NOTHING = re.compile("[\u00ad\u200b\u200e\u200f\u2060\ufeff]")


def fold(text: str) -> str:
    """The words as a person sees them.

    White space becomes one space, a forced break a newline; soft hyphens and zero-width characters go.
    A no-break or thin space inside a number (`24 000`) means something, and stays as a no-break space.
    """
    if BREAK in text:
        return "\n".join(line for line in map(fold, text.split(BREAK)) if line)
    if not text.isascii() and _ODD.search(text):
        text = _NOTHING.sub("", text.replace("\ue000", " "))
        text = _SPACES.sub(" ", _GROUP.sub("\ue000", text))
        return " ".join(text.split()).replace("\ue000", "\u00a0")
    return " ".join(text.split())


_NOTE_MARK = re.compile(
    r"(?<=[^\W\d_]{3})\s{0,2}[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,2}$|(?<=\S)\s{0,2}(?:\[(?:[nN]ote )?\d{1,2}\]|[*†‡§]{1,3})$"
)


def as_name(text: str) -> str:
    """A header's or label's words, without the mark of a footnote at their end."""
    return _NOTE_MARK.sub("", text)


class Part:
    """See `Block`, whose fields these are."""

    __slots__ = ("bold", "coded", "headings", "kind", "lead", "level", "linked", "role", "row", "text")

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
        self.bold = False
        """Whether all of its text is bold."""
        self.coded = False
        """Whether all of its text is code."""
        self.lead = ""
        """Its bold or code beginning, where that is not all of it."""
        self.linked = ""
        """Whether all of it is links: `page` where they lead to places on this page, else `away`."""

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
        "name",
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
        self.name = ""
        """Its text as a header of other cells."""
        self.mark = False
        """Whether all of its text is bold."""


class Table:
    """A table while it is being read: rows of cells, and what else stands in it."""

    __slots__ = ("caption", "cell", "headings", "layout", "number", "role", "rows", "sections", "sink")

    def __init__(self, number: int, role: str = "content", sink: list[Part | Block] | None = None) -> None:
        self.rows: list[list[Cell]] = []
        self.sections: list[str] = []
        """For each row: head, body or foot."""
        self.caption = ""
        self.number = number
        self.role = role
        self.headings: tuple[str, ...] | None = None
        """The headings above it, which its cells stand under; None where each cell knows its own."""
        self.layout = False
        """Whether it says that it only arranges the page."""
        self.cell: Cell | None = None
        """The cell that is being read."""
        self.sink: list[Part | Block] = [] if sink is None else sink
        """Where its blocks go when it ends."""

    def add_row(self, section: str = "body") -> list[Cell]:
        """Begin a row."""
        row: list[Cell] = []
        self.rows.append(row)
        self.sections.append(section)
        return row


def plain_table(rows: list[list[str]], heads: int, number: int, headings: tuple[str, ...] = ()) -> Table:
    """A table of texts, the first `heads` rows of which name the columns."""
    table = Table(number)
    for index, words in enumerate(rows):
        row = table.add_row("head" if index < heads else "body")
        for text in words:
            cell = Cell(index < heads, headings=headings)
            if text:
                cell.parts.append(Part("paragraph", text))
            row.append(cell)
    return table
