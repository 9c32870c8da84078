"""CSV and TSV: one table, whose first row names the columns."""

from __future__ import annotations

import csv

from kb.page.part import Cell, Part, Table

_MAX_CELLS = 1_000_000


def read_delimited(text: str, tab: bool = False) -> Table:
    """The table; the separator is looked for where it is not known to be a tab."""
    sample = text[:8192]
    separator = "\t"
    if not tab:
        first = sample.split("\n", 1)[0]
        separator = max(",;\t|", key=first.count)
    table = Table(0, "content", ())
    count = 0
    try:
        for row in csv.reader(text.splitlines(keepends=True), delimiter=separator):
            if not row:
                continue
            cells = []
            for words in row:
                cell = Cell(head=not table.rows)
                folded = " ".join(words.split())
                if folded:
                    cell.parts.append(Part("paragraph", folded))
                cells.append(cell)
            count += len(cells)
            table.rows.append(cells)
            table.sections.append("head" if len(table.rows) == 1 else "body")
            if count > _MAX_CELLS:
                break
    except csv.Error:
        pass  # a field beyond the limit: what was read up to there stands
    return table
