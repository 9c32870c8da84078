"""The last look at what goes out: text that other programs would take for more than text."""

from __future__ import annotations

import csv
import io
import re

# Overrides and isolates make a line read otherwise than it is written. Marks that right-to-left
# writing needs (U+200E, U+200F, U+061C) turn nothing round and stay.
_BIDI = re.compile(rb"\xe2(?:\x80[\xaa-\xae]|\x81[\xa6-\xa9])")
_NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")
csv.field_size_limit(2**31 - 1)  # a cell longer than the module's own limit must not end in an error
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


def harmless(media_type: str, body: bytes) -> bytes:
    """`body` as it may go out."""
    if media_type == "text/csv":
        return _table(_BIDI.sub(b"", body))
    if media_type in ("text/html", "image/svg+xml", "application/atom+xml"):
        return _BIDI.sub(b"", body)
    return body


def is_looked_at(media_type: str) -> bool:
    """Whether bodies of that type are changed, and so must be had whole."""
    return media_type in ("text/csv", "text/html", "image/svg+xml", "application/atom+xml")


def _table(body: bytes) -> bytes:
    """CSV whose cells no spreadsheet takes for formulas: an apostrophe says that they are text."""
    text = body.decode("utf-8", "replace")
    out = io.StringIO(newline="")
    write = csv.writer(out)
    for row in csv.reader(io.StringIO(text, newline="")):
        write.writerow([_text(cell) for cell in row])
    return out.getvalue().encode()


def _text(cell: str) -> str:
    bare = cell.lstrip(" \u00a0\ufeff")
    return f"'{cell}" if bare.startswith(_FORMULA) and not _NUMBER.fullmatch(cell) else cell
