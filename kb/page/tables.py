"""Tables: cells laid out on a grid, and each cell told the headers of its row and its column."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice

from kb.page.page import Block
from kb.page.part import Cell, Part, Table, as_name

_MAX_SLOTS = 2_000_000
"""Grid places for one table; beyond, spans are not resolved, so that `colspan=1000` costs nothing."""

_MAX_UNION = 12
"""Rows or columns that a cell over several of them is told the headers of."""

_MAX_NAME = 80
_MAX_KEY = 40
_FIGURE = re.compile(r"[^\w\n]{0,3}\d")
_YEAR = re.compile(r"(?:FY|Q[1-4]|H[12])?\W?(?:19|20)\d\d\b")
_ORDINAL = re.compile(r"[#№]?\d{1,4}[.)]?$")
_NOTHING = frozenset(("", "-", "–", "—", "n/a", "N/A", "✓", "✗", "✔", "✘", "x", "X"))

Line = list[Cell | None]
Names = tuple[str, ...]


def table_blocks(table: Table) -> list[Block]:
    """The cells of a data table in reading order, each with its headers, then what else stood in it."""
    rows = table.rows
    for cells in rows:
        for each in cells:
            _settle(each)
            if table.headings is not None:
                each.headings = table.headings
    grid = _grid(rows)
    width = max(map(len, grid), default=0)
    first = _title_row(table, grid, width)
    heads = _head_rows(table, grid)
    depth = _name_columns(grid, heads, width)
    by_id = {cell.id: cell for cells in rows for cell in cells if cell.id}
    blocks: list[Block] = []
    columns: list[Names] = []
    group: Names = ()
    outer = ""
    placed: set[int] = set()
    for r, line in enumerate(grid):
        if r in heads:
            if r - 1 not in heads:
                columns = _column_names(grid, heads, r)
            names: list[Names] = []
            whole = False
        else:
            whole = r == first or _is_group(line, width, len(rows[r]))
            if whole:
                group = (
                    (line[0].name,) if line and line[0] is not None and line[0].text and r != first else ()
                )
                outer = ""
                names = []
            else:
                names, outer = _row_names(line, depth, outer, width)
        for c, place in enumerate(line):
            if place is None or id(place) in placed:
                continue
            cell = place
            placed.add(id(cell))
            if r in heads:
                row: Names = ()
                column = _above(grid, heads, r, c)
            elif whole:
                row, column = (), ()
            else:
                row = group + names[c]
                if cell.rowspan > 1 and c >= depth and not cell.head:
                    row = _joined(
                        row, (_row_names(below, depth, "", width)[0] for below in grid[r + 1 :]), cell, c
                    )
                column = columns[c] if c < len(columns) else ()
                if cell.colspan > 1:
                    column = _union(column, columns[c + 1 : c + min(cell.colspan, _MAX_UNION)])
            if cell.names:
                row, column = _named(cell, by_id, row, column)
            header = r in heads or cell.head or whole or (c < depth and not (c and _FIGURE.match(cell.text)))
            blocks.extend(_cell_blocks(table, cell, row, column, r, c, header))
    return blocks


def _union(names: Names, more: Iterable[Names]) -> Names:
    """All of the names, each once, as a cell over several rows or columns has them."""
    return tuple(dict.fromkeys((*names, *(name for each in more for name in each))))


def _joined(names: Names, below: Iterable[list[Names]], cell: Cell, c: int) -> Names:
    rows = islice(below, min(cell.rowspan, _MAX_UNION) - 1)
    return _union(names, (row[c] for row in rows if c < len(row)))


def _settle(cell: Cell) -> None:
    """The cell's words, out of the parts that have its own role."""
    _set_text(cell)
    cell.name = as_name(cell.text)


def _set_text(cell: Cell) -> None:
    parts = cell.parts
    if len(parts) == 1 and isinstance(parts[0], Part) and parts[0].role == cell.role:
        cell.text = parts[0].text
        cell.mark = parts[0].bold
        return
    own = [p for p in parts if isinstance(p, Part) and p.text and p.role == cell.role]
    cell.text = "\n".join(p.text for p in own)
    cell.mark = bool(own) and all(p.bold or p.kind == "heading" for p in own)


def _cell_blocks(
    table: Table, cell: Cell, row: Names, column: Names, r: int, c: int, header: bool
) -> Iterator[Block]:
    place = (row, column, table.caption, table.number, r, c, header)
    lines = cell.text.split("\n")
    if len(lines) > 1 and row and not header and _in_lines(row[-1], lines):
        # several lines beside as many names: one row of the page, several of the table
        for line, name in zip(lines, row[-1].split("\n"), strict=True):
            yield Block("cell", line, cell.role, 0, cell.headings, (*row[:-1], name), *place[1:])
    elif cell.text:
        yield Block("cell", cell.text, cell.role, 0, cell.headings, *place)
    if len(cell.parts) == 1 and cell.text:
        return
    for part in cell.parts:
        if isinstance(part, Block):
            yield part
        elif part.role != cell.role and part.text:
            yield Block("cell", part.text, part.role, 0, cell.headings, *place)


def _in_lines(name: str, values: list[str]) -> bool:
    """Whether a cell's lines are figures, one for each line of a name."""
    return name.count("\n") == len(values) - 1 and ":" not in name and all(map(_FIGURE.match, values))


def _grid(rows: list[list[Cell]]) -> list[Line]:
    """Rows in which each place holds the cell that covers it."""
    if all(cell.rowspan == 1 and cell.colspan == 1 for row in rows for cell in row):
        return [list(row) for row in rows]
    height = len(rows)
    slots = sum(cell.colspan * min(cell.rowspan, height - r) for r, row in enumerate(rows) for cell in row)
    if slots > _MAX_SLOTS:
        return [list(row) for row in rows]
    grid: list[Line] = [[] for _ in rows]
    for r, row in enumerate(rows):
        line = grid[r]
        c = 0
        for cell in row:
            while c < len(line) and line[c] is not None:
                c += 1
            for below in range(r, min(height, r + cell.rowspan)):
                target = grid[below]
                if len(target) < c + cell.colspan:
                    target.extend([None] * (c + cell.colspan - len(target)))
                for at in range(c, c + cell.colspan):
                    if target[at] is None:
                        target[at] = cell
            c += cell.colspan
    return grid


def _distinct(line: Line) -> list[Cell]:
    seen: list[Cell] = []
    for cell in line:
        if cell is not None and (not seen or seen[-1] is not cell):
            seen.append(cell)
    return seen


def _title_row(table: Table, grid: list[Line], width: int) -> int | None:
    """A first row that is one cell over a wider table is its title: the caption, where it has none."""
    if len(grid) < 3 or width < 2 or (table.sections[0] == "head" and table.sections[1] != "head"):
        return None
    cells = _distinct(grid[0])
    if len(cells) != 1 or cells[0].colspan < width or cells[0].rowspan > 1 or not cells[0].text:
        return None
    if not cells[0].head and not cells[0].mark and _is_group(grid[1], width, len(_distinct(grid[1]))):
        return None
    if not table.caption:
        table.caption = cells[0].text
    return 0


def _head_rows(table: Table, grid: list[Line]) -> set[int]:
    """Rows that head columns: those of `thead`, those of header cells alone, else a first row of names."""
    heads: set[int] = set()
    above: list[Cell] = []
    for r, line in enumerate(grid):
        cells = _distinct(line)
        if not cells:
            continue
        stated = table.sections[r] == "head"
        if stated or (
            len(cells) > 1
            and any(cell.head for cell in cells)
            and all((cell.head and cell.scope != "row") or not cell.text or cell in above for cell in cells)
        ):
            heads.add(r)
            above = cells
        else:
            above = []
    if heads and len(heads) == sum(1 for line in grid if line):
        stated_heads = {r for r in heads if table.sections[r] == "head"}
        heads = stated_heads if len(stated_heads) < len(heads) else set()
        if not heads and len(grid) > 1:
            heads = {next(r for r, line in enumerate(grid) if line)}
    if not heads:
        at = next((r for r, line in enumerate(grid) if len(_distinct(line)) > 1), None)
        if at is not None and at <= 1 and _reads_as_names(grid, at):
            heads.add(at)
            if _spans(grid[at]) and at + 1 < len(grid) - 1 and _all_names(grid[at + 1]):
                heads.add(at + 1)
    return heads


def _spans(line: Line) -> bool:
    return any(cell.colspan > 1 for cell in _distinct(line))


def _all_names(line: Line) -> bool:
    return all(len(c.text) <= _MAX_NAME and not _FIGURE.match(c.text) for c in _distinct(line))


def _reads_as_names(grid: list[Line], at: int) -> bool:
    """Whether a row without header cells names the columns below it."""
    first = _distinct(grid[at])
    body = [line for line in grid[at + 1 :] if len(_distinct(line)) > 1]
    named = [cell for cell in first if cell.text]
    if not body or len(named) < len(first) - 1 or not named or any(len(c.text) > _MAX_NAME for c in named):
        return False
    if all(cell.mark or cell.head for cell in named) and len(named) > 1:
        # bold names; but where each row begins bold, only a row that is bold throughout is a header
        return True
    if not first[0].text:
        return True
    if any(cell.head for line in body for cell in line if cell is not None) or len(body) < 2:
        return False
    told = against = 0
    for c, cell in enumerate(grid[at]):
        if c == 0 or cell is None:
            continue
        below = [line[c].text for line in body if c < len(line) and line[c] is not None]  # type: ignore[union-attr]
        below = [text for text in below if text not in _NOTHING]
        figures = sum(1 for text in below if _FIGURE.match(text))
        name = not _FIGURE.match(cell.text) or bool(_YEAR.match(cell.text))
        if below and figures * 2 > len(below):
            told, against = (told + 1, against) if name else (told, against + 1)
        elif not name:
            against += 1
    if len(first) == 2:
        below = [line[1].text for line in body if len(line) > 1 and line[1] is not None]
        return not against and told > 0 and all(_FIGURE.match(t) or t in _NOTHING for t in below)
    return not against and (told > 0 or len(first) > 2)


def _column_names(grid: list[Line], heads: set[int], r: int) -> list[Names]:
    """The headers of each column in the run of header rows that begins at `r`, outermost first."""
    end = r
    while end in heads:
        end += 1
    width = max(len(line) for line in grid[r:end])
    names: list[Names] = []
    for c in range(width):
        column: list[str] = []
        last: Cell | None = None
        for line in grid[r:end]:
            cell = line[c] if c < len(line) else None
            if cell is not None and cell is not last and cell.name and column[-1:] != [cell.name]:
                column.append(cell.name)
            last = cell
        names.append(tuple(column))
    return names


def _above(grid: list[Line], heads: set[int], r: int, c: int) -> Names:
    """The header cells above a header cell, in the same run of header rows."""
    found: list[str] = []
    last = grid[r][c]
    above = r - 1
    while above in heads:
        cell = grid[above][c] if c < len(grid[above]) else None
        if cell is not None and cell is not last and cell.text:
            found.append(cell.name)
        last = cell
        above -= 1
    return tuple(reversed(found))


def _is_group(line: Line, width: int, count: int) -> bool:
    """Whether a row is one header for the rows below it."""
    if width < 2 or not line or line[0] is None:
        return False
    first = line[0]
    if count == 1:
        return bool(first.text) and (first.colspan >= width or first.head)
    if not (first.mark or first.head) or not first.text:
        return False
    return count == width and all(cell is None or cell is first or not cell.text for cell in line)


def _name_columns(grid: list[Line], heads: set[int], width: int) -> int:
    """How many columns at the left name rows, whether they are header cells or not."""
    if width < 2:
        return 0
    body = [line for r, line in enumerate(grid) if r not in heads and len(_distinct(line)) > 1]
    if not body:
        return 0
    first = [line[0] for line in body if line[0] is not None]
    texts = [cell.text for cell in first if cell.text]
    if not texts:
        return 0
    if width > 2 and not any(cell is not None and cell.head for line in body for cell in line):
        second = [line[1].text for line in body if len(line) > 1 and line[1] is not None]
        if second and not any(map(_FIGURE.match, second)):
            if all(map(_ORDINAL.match, texts)) or any(c.rowspan > 1 for c in first):
                return 2
            if len(texts) < len(first) and all(second):
                return 2  # an empty first cell: the name above goes on
        pairs = [(a.name, b) for a, b in zip(first, second, strict=False)]
        if (
            len(set(texts)) < len(texts)
            and len(set(pairs)) == len(pairs) == len(body)
            and all(map(_is_short, second))
        ):
            return 2  # the first column repeats itself: the second one tells its rows apart
    return 1


def _is_short(text: str) -> bool:
    return 0 < len(text) <= _MAX_KEY


def _row_names(line: Line, depth: int, outer: str, width: int) -> tuple[list[Names], str]:
    """For each place of a row the headers to its left, and the name that an empty first cell goes on with."""
    names: list[Names] = []
    current: list[str] = []
    last: Cell | None = None
    after_value = False
    if depth and line and line[0] is not None:
        if line[0].text:
            outer = line[0].name
        elif depth > 1 and outer:
            current.append(outer)
    for c, cell in enumerate(line):
        names.append(tuple(current))
        if cell is None:
            continue
        if c < depth or (cell.head and cell.scope not in ("col", "colgroup")):
            if after_value and cell is not last:
                current = []  # a second pair of name and value in one row
                names[-1] = ()
                after_value = False
            if cell is not last and cell.text:
                current.append(cell.name)
            elif cell is last:
                names[-1] = names[-2]
        else:
            after_value = True
        last = cell
    return names, outer


def _named(cell: Cell, by_id: dict[str, Cell], row: Names, column: Names) -> tuple[Names, Names]:
    """Headers that a cell names itself (`headers="…"`), on top of those of its place."""
    rows, columns = list(row), list(column)
    for name in cell.names[:32]:
        other = by_id.get(name)
        if other is None or other is cell or not other.text or other.name in row or other.name in column:
            continue
        (rows if other.scope in ("row", "rowgroup") else columns).append(other.name)
    return tuple(rows), tuple(columns)


_MAX_LAYOUT_ROWS = 3
_LONG = 600


def is_layout(table: Table) -> bool:
    """Whether a table only arranges the page."""
    if table.layout:
        return True
    if table.caption or "head" in table.sections:
        return False
    width = max(map(len, table.rows), default=0)
    if any(cell.head for row in table.rows for cell in row):
        return False
    if width <= 1:
        return True
    filled = structured = 0
    long = False
    for row in table.rows:
        for cell in row:
            if not cell.parts:
                continue
            filled += 1
            kinds = [p.kind if isinstance(p, Part) else "table" for p in cell.parts]
            headed = "heading" in kinds and len(kinds) > 1
            if "table" in kinds or headed or kinds.count("paragraph") > 3:
                structured += 1
            elif len(table.rows) <= _MAX_LAYOUT_ROWS:
                long = long or sum(len(p.text) for p in cell.parts) > _LONG
    return structured * 3 >= max(1, filled) or long
