"""CSV and TSV: one table, whose first row names the columns."""

from __future__ import annotations

import csv

from kb.page.part import Table, fold, plain_table

_MAX_CELLS = 1_000_000


def delimited_rows(text: str, separator: str) -> list[list[str]]:
    """The rows that have anything in them, white space folded."""
    rows: list[list[str]] = []
    cells = 0
    try:
        for words in csv.reader(text.splitlines(keepends=True), delimiter=separator, skipinitialspace=True):
            row = [fold(word) for word in words]
            if any(row):
                rows.append(row)
            cells += len(row)
            if cells > _MAX_CELLS:
                break
    except csv.Error:
        pass  # a field beyond the limit: what was read up to there stands
    return rows


def read_delimited(text: str, tab: bool = False) -> Table:
    """The table; unless it is known to be a tab, the separator is what the first lines agree on."""
    text = text.replace("\x00", "\ufffd")
    separator, width = _separator(text[:20_000].split("\n")[:20], ("\t",) if tab else (",", ";", "\t", "|"))
    rows = delimited_rows(text, separator)
    start = next((n for n, row in enumerate(rows) if len(row) >= width), 0)
    table = plain_table(rows[start:], 1 if len(rows) - start > 1 else 0, 0)
    if start:
        table.caption = " ".join(word for row in rows[:start] for word in row if word)
    return table


def _separator(lines: list[str], marks: tuple[str, ...]) -> tuple[str, int]:
    """The mark that most lines have equally often, and how many cells that makes."""
    best = (0, 0, ",")
    for mark in marks:
        counts = [count for line in lines if (count := line.count(mark))]
        if counts:
            usual = max(set(counts), key=lambda count: (counts.count(count), count))
            best = max(best, (counts.count(usual), usual, mark))
    return best[2], best[1] + 1
