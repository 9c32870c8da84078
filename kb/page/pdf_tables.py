"""Ruled tables of a PDF: boxes on a page to rows of cells with their spans."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from itertools import pairwise
from typing import NamedTuple

from kb.page.part import Cell, Part, Table, fold

Box = list[float]
"""Left, bottom, right, top; upwards."""

Tables = list[list[Box]]
"""The cells' boxes of each table of a page."""

_SAME = 2.0
"""Edges closer than this are one rule."""

_MAX_PLACES = 50_000
"""Places in the grid of one table: more are a drawing."""


class Slot(NamedTuple):
    """A cell's words, and how many rows and columns it covers."""

    text: str
    rowspan: int
    colspan: int


class Ruled(NamedTuple):
    """A table by its rules, each cell in the row that it begins in."""

    rows: tuple[tuple[Slot, ...], ...]


def ruled_table(cells: list[tuple[Box, str]]) -> Ruled | None:
    """The table that the cells make; None where they frame text or a picture and are no table."""
    xs = _edges([x for box, _ in cells for x in (box[0], box[2])])
    ys = _edges([-y for box, _ in cells for y in (box[1], box[3])])
    if len(xs) < 3 or len(ys) < 3 or len(xs) * len(ys) > _MAX_PLACES:
        return None
    placed: dict[tuple[int, int], Slot] = {}
    for (left, bottom, right, top), text in cells:
        row, column = _index(ys, -top), _index(xs, left)
        below, after = _index(ys, -bottom), _index(xs, right)
        if (row, column) in placed:
            return None
        placed[row, column] = Slot(text, max(1, below - row), max(1, after - column))
    filled = [row for (row, _), slot in placed.items() if slot.text]
    many = sum(1 for count in Counter(filled).values() if count > 1)
    area = sum(slot.rowspan * slot.colspan for slot in placed.values())
    if many < 2 or len(filled) * 3 < len(placed) or area > _MAX_PLACES:
        return None
    rows = _rows(placed, len(ys) - 1, len(xs) - 1)
    return Ruled(rows) if _told(rows) == len(filled) else None


def _told(rows: tuple[tuple[Slot, ...], ...]) -> int:
    """How many cells with words are in the rows: cells that lie over others would be lost."""
    return sum(1 for row in rows for slot in row if slot.text)


def _rows(placed: dict[tuple[int, int], Slot], height: int, width: int) -> tuple[tuple[Slot, ...], ...]:
    """Rows in order; a place that no cell covers is empty, so that those after it keep their column."""
    covered: set[tuple[int, int]] = set()
    rows: list[tuple[Slot, ...]] = []
    for row in range(height):
        line: list[Slot] = []
        for column in range(width):
            if (row, column) in covered:
                continue
            slot = placed.get((row, column), Slot("", 1, 1))
            covered |= {(row + r, column + c) for r in range(slot.rowspan) for c in range(slot.colspan)}
            line.append(slot)
        rows.append(tuple(line))
    return tuple(rows)


def _edges(values: list[float]) -> list[float]:
    """Each rule once."""
    values = sorted(values)
    return values[:1] + [b for a, b in pairwise(values) if b - a > _SAME]


def _index(edges: list[float], value: float) -> int:
    """The last edge that is not after the value: those within reach of one are counted as it."""
    return max(0, bisect_right(edges, value + 0.01) - 1)


def laid_out(ruled: Ruled, number: int, headings: tuple[str, ...]) -> Table:
    """The table as others are read: its headers told from its words."""
    table = Table(number)
    for slots in ruled.rows:
        row = table.add_row()
        for slot in slots:
            cell = Cell(headings=headings)
            cell.rowspan, cell.colspan = slot.rowspan, slot.colspan
            text = fold(slot.text)
            if text:
                cell.parts.append(Part("paragraph", text))
            row.append(cell)
    return table
