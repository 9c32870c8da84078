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
    separator = "\t" if tab else _separator(text[:20_000].split("\n")[:20])
    rows = delimited_rows(text, separator)
    start = next((n for n, row in enumerate(rows) if len(row) > 1), 0)
    table = plain_table(rows[start:], 1 if len(rows) - start > 1 else 0, 0)
    if start:
        table.caption = " ".join(word for row in rows[:start] for word in row if word)
    return table


def _separator(lines: list[str]) -> str:
    best, most = ",", 0
    for mark in ",;\t|":
        counts = [line.count(mark) for line in lines if line.strip()]
        if counts and min(counts[:2]) > 0:
            agreed = sum(1 for count in counts if count == counts[0]) * 100 + counts[0]
            if agreed > most:
                best, most = mark, agreed
    return best
