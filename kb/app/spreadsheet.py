"""A spreadsheet's CSV as rows by column: any usual separator, a byte order mark, guarded cells."""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Iterator
from pathlib import Path

from kb.errors import UsageError
from kb.export.table import COLUMNS, unguarded

SEPARATORS = (",", ";", "\t")

_UTF_16 = (b"\xff\xfe", b"\xfe\xff")

Row = tuple[int, dict[str, str] | str]
"""The line where a row begins, and its cells by column (empty ones left out), or what is wrong with it."""


def read_rows(path: Path, known: Collection[str] = COLUMNS) -> Iterator[Row]:
    """The rows below the header of a CSV file.

    Args:
        path: UTF-8, or UTF-16 with a byte order mark; cells are separated by comma, semicolon or tab.
        known: columns that may be there. The separator is the one that finds most of them in the header.

    Raises:
        UsageError: the file cannot be opened, is in another encoding, or is no CSV.
    """
    try:
        body = path.read_bytes()
        text = body.decode("utf-16" if body.startswith(_UTF_16) else "utf-8-sig")
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}; name a table") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{path}: is not UTF-8; save it as CSV UTF-8") from error
    skipped = 0
    if text[:5].lower().startswith("sep=") and text[5:6] in ("\r", "\n"):  # a hint for spreadsheets
        text = text[5:].removeprefix("\r").removeprefix("\n")
        skipped = 1
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_separator(text, known))
    try:
        header = [name.strip().lower().replace(" ", "_") for name in next(reader, [])]
        line = reader.line_num + 1
        for cells in reader:
            if any(cells):
                yield line + skipped, _row(header, cells)
            line = reader.line_num + 1
    except csv.Error as error:
        where = f"{path}:{reader.line_num + skipped}"
        raise UsageError(f"{where}: is no CSV: {error}; save the table as CSV anew") from error


def _separator(text: str, known: Collection[str]) -> str:
    def found(separator: str) -> int:
        try:
            header = next(csv.reader(io.StringIO(text, newline=""), delimiter=separator), [])
        except csv.Error:
            return 0
        return sum(name.strip().lower().replace(" ", "_") in known for name in header)

    return max(SEPARATORS, key=found)


def _row(header: list[str], cells: list[str]) -> dict[str, str] | str:
    if len(cells) > len(header) and any(cells[len(header) :]):
        return "has more cells than the header"
    row: dict[str, str] = {}
    for name, cell in zip(header, cells, strict=False):
        if name and cell:
            row.setdefault(name, unguarded(cell))
    return row
