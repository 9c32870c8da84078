"""Tables: cells laid out on a grid, and each cell told the headers of its row and its column."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kb.page.page import Block
from kb.page.part import Cell, Part, Table

_MAX_SLOTS = 2_000_000
"""Grid places for one table; beyond, spans are not resolved, so that `colspan=1000` costs nothing."""

_NUMERIC = re.compile(r"\d")
_LETTER = re.compile(r"[^\W\d_]")


def table_blocks(table: Table) -> list[Block]:
    """The cells of a data table in reading order, each with its headers, then what else stood in it."""
    rows = table.rows
    for cells in rows:
        for cell in cells:
            cell.text = "\n".join(
                p.text for p in cell.parts if isinstance(p, Part) and p.role == cell.role and p.text
            )
    grid = _grid(rows)
    head_rows = _head_rows(table, grid)
    columns: list[tuple[str, ...]] = _column_headers(grid, head_rows)
    width = max((len(line) for line in grid), default=0)
    head_columns = _head_columns(grid, head_rows, width)
    by_id = {cell.id: cell for cells in rows for cell in cells if cell.id}
    blocks: list[Block] = []
    group: tuple[str, ...] = ()
    seen: set[int] = set()
    for r, line in enumerate(grid):
        row_names, spanning = _row_headers(line, r in head_rows, head_columns, width, rows[r])
        if spanning is not None:
            group = (spanning,) if spanning else ()
        for c, place in enumerate(line):
            if place is None or id(place) in seen:
                continue
            cell = place
            seen.add(id(cell))
            header = r in head_rows or cell.head or (c < head_columns) or spanning is not None
            if r in head_rows:
                row: tuple[str, ...] = ()
                column = tuple(n for n in _above(grid, head_rows, r, c) if n != cell.text)
            else:
                names = (
                    tuple(n for at, n in row_names if at < c)
                    if c < head_columns or cell.head
                    else tuple(n for _, n in row_names)
                )
                row = group + names if spanning is None else ()
                column = columns[c] if c < len(columns) and spanning is None else ()
            if cell.names:
                named = [by_id[n] for n in cell.names if n in by_id and by_id[n] is not cell]
                row, column = _named(named, row, column, grid)
            blocks.extend(_cell_blocks(table, cell, row, column, r, c, header))
    return blocks


def _cell_blocks(
    table: Table, cell: Cell, row: tuple[str, ...], column: tuple[str, ...], r: int, c: int, header: bool
) -> Iterator[Block]:
    if cell.text:
        yield Block(
            "cell",
            cell.text,
            cell.role,
            0,
            cell.headings,
            row,
            column,
            table.caption,
            table.number,
            r,
            c,
            header,
        )
    for part in cell.parts:
        if isinstance(part, Block):
            yield part
        elif part.role != cell.role and part.text:
            yield Block(
                "cell",
                part.text,
                part.role,
                0,
                part.headings,
                row,
                column,
                table.caption,
                table.number,
                r,
                c,
                header,
            )


def _grid(rows: list[list[Cell]]) -> list[list[Cell | None]]:
    """Rows of equal meaning: each place holds the cell that covers it."""
    slots = sum(cell.colspan * cell.rowspan for row in rows for cell in row)
    spans = slots <= _MAX_SLOTS
    grid: list[list[Cell | None]] = [[] for _ in rows]
    for r, row in enumerate(rows):
        line = grid[r]
        c = 0
        for cell in row:
            while c < len(line) and line[c] is not None:
                c += 1
            if not spans or (cell.rowspan == 1 and cell.colspan == 1):
                if c == len(line):
                    line.append(cell)
                else:
                    line[c] = cell
                c += 1
                continue
            for below in range(r, min(len(rows), r + cell.rowspan)):
                target = grid[below]
                if len(target) < c + cell.colspan:
                    target.extend([None] * (c + cell.colspan - len(target)))
                for at in range(c, c + cell.colspan):
                    if target[at] is None:
                        target[at] = cell
            c += cell.colspan
    return grid


def _head_rows(table: Table, grid: list[list[Cell | None]]) -> set[int]:
    """Rows that head columns: those of `thead`, those of header cells alone, else a first row of names."""
    heads: set[int] = set()
    for r, line in enumerate(grid):
        cells = _distinct(line)
        if not cells:
            continue
        if (
            table.sections[r] == "head"
            or (len(cells) > 1 and all(c.head or not c.text for c in cells) and any(c.head for c in cells))
            or (
                heads
                and r - 1 in heads
                and len(cells) > 1
                and all(c.head or c in _distinct(grid[r - 1]) for c in cells)
            )
        ):
            heads.add(r)
    if len(heads) == len(grid):
        heads = {r for r in heads if table.sections[r] == "head"} if len(grid) > 1 else set()
    if not heads and len(grid) > 1 and _first_row_names(grid):
        heads.add(0)
    return heads


def _first_row_names(grid: list[list[Cell | None]]) -> bool:
    """Whether a first row without header cells reads as column names."""
    first = _distinct(grid[0])
    if len(first) < 2 or any(cell.head for cell in first):
        return False
    texts = [cell.text for cell in first]
    named = [t for t in texts if t]
    if len(named) < 2 or any(len(t) > 80 for t in named):
        return False
    if all(cell.mark for cell in first if cell.text):
        return True
    if any(cell.head for line in grid[1:] for cell in line if cell is not None):
        return False
    if not texts[0]:
        return True
    below = [cell.text for line in grid[1:] for cell in line[1:] if cell is not None]
    figures = sum(1 for t in below if _NUMERIC.search(t))
    return all(not t[:1].isdigit() and _LETTER.search(t) for t in named) and (len(first) > 2 or figures > 0)


def _distinct(line: list[Cell | None]) -> list[Cell]:
    seen: list[Cell] = []
    for cell in line:
        if cell is not None and (not seen or seen[-1] is not cell):
            seen.append(cell)
    return seen


def _above(grid: list[list[Cell | None]], heads: set[int], r: int, c: int) -> Iterator[str]:
    last: Cell | None = None
    for above in range(r):
        if above in heads and c < len(grid[above]):
            cell = grid[above][c]
            if cell is not None and cell is not last and cell.text:
                yield cell.text
            last = cell


def _column_headers(grid: list[list[Cell | None]], heads: set[int]) -> list[tuple[str, ...]]:
    width = max((len(line) for line in grid), default=0)
    names: list[tuple[str, ...]] = []
    for c in range(width):
        column: list[str] = []
        last: Cell | None = None
        for r in sorted(heads):
            cell = grid[r][c] if c < len(grid[r]) else None
            if (
                cell is not None
                and cell is not last
                and cell.text
                and (not column or column[-1] != cell.text)
            ):
                column.append(cell.text)
            last = cell
        names.append(tuple(column))
    return names


def _head_columns(grid: list[list[Cell | None]], heads: set[int], width: int) -> int:
    """How many columns at the left name rows without being header cells: one, where it reads as names."""
    if width < 2:
        return 0
    body = [line for r, line in enumerate(grid) if r not in heads and line]
    if any(cell is not None and cell.head for line in body for cell in line):
        return 0
    first = [line[0].text for line in body if line[0] is not None and len(_distinct(line)) > 1]
    named = [t for t in first if t]
    if not named:
        return 0
    return 1


def _row_headers(
    line: list[Cell | None], head: bool, head_columns: int, width: int, cells: list[Cell]
) -> tuple[list[tuple[int, str]], str | None]:
    """Names of a row with their columns, and the text of a row that is one header over the whole width."""
    if head:
        return [], None
    distinct = _distinct(line)
    if (
        len(distinct) == 1
        and width > 1
        and (distinct[0].head or distinct[0].colspan >= width)
        and len(cells) == 1
    ):
        return [], distinct[0].text
    names: list[tuple[int, str]] = []
    last: Cell | None = None
    for c, cell in enumerate(line):
        if cell is None:
            continue
        if (cell.head and cell.scope not in ("col", "colgroup")) or c < head_columns:
            if cell is not last and cell.text:
                names.append((c, cell.text))
        elif names and c >= head_columns:
            break
        last = cell
    return names, None


def _named(
    cells: list[Cell], row: tuple[str, ...], column: tuple[str, ...], grid: list[list[Cell | None]]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Headers that a cell names itself (`headers="…"`), on top of those of its place."""
    rows = list(row)
    columns = list(column)
    for cell in cells:
        if not cell.text or cell.text in rows or cell.text in columns:
            continue
        (rows if cell.scope in ("row", "rowgroup") else columns).append(cell.text)
    return tuple(rows), tuple(columns)
