"""The process that opens a PDF: body on standard input, lines of JSON on standard output.

The first line is the text of all pages. A line for each page with ruled tables follows, so
that the text is safe where the search for tables breaks or takes too long.

It runs as a script of its own and imports nothing of kb, so that what a hostile
file does to the library (a crash, a loop, a flood of memory) ends with this process.
"""

from __future__ import annotations

import ctypes
import io
import json
import sys
import time
from collections.abc import Callable
from typing import Any

MEMORY = 2 * 1024**3
SECONDS = 50
MAX_PAGES = 2_000
MAX_CHARS = 10_000_000

TABLE_SECONDS = 15
"""No page is searched for tables later than this after its text was read: positions of words serve there."""

MIN_POINTS = 12
MAX_POINTS = 20_000
"""Points in the lines drawn on a page with a ruled table: six rules at least; a map or chart has more."""

MAX_CELLS = 5_000
"""Of one page."""

_GAP = 1.1
"""A gap of this many font sizes inside a line parts two columns."""


def main() -> None:
    """Read, answer, end."""
    _limit()
    import pypdfium2  # start-up time

    body = sys.stdin.buffer.read()
    try:
        document = pypdfium2.PdfDocument(body)
    except pypdfium2.PdfiumError as error:
        _answer(
            {"error": "it is locked with a password" if "password" in str(error).lower() else "it is broken"}
        )
        return
    pages: list[list[list[Any]]] = []
    chars = 0
    for number in range(min(len(document), MAX_PAGES)):
        try:
            page = document[number]
        except pypdfium2.PdfiumError:
            pages.append([])
            continue
        words = page.get_textpage()
        count = words.count_chars()
        chars += count
        pages.append(_segments(words, count))
        words.close()
        page.close()
        if chars > MAX_CHARS:
            break
    title = str(document.get_metadata_value("Title") or "")
    date = str(document.get_metadata_value("CreationDate") or "")
    _answer({"pages": pages, "count": len(document), "title": title, "date": date})
    _tables(document, body, len(pages))


def _tables(document: Any, body: bytes, count: int) -> None:
    """A line for each page with ruled tables: the places of cells, and the words again, parted there."""
    start = time.process_time()
    drawn = []
    for number in range(count):
        if time.process_time() - start > TABLE_SECONDS:
            break
        if _is_ruled(document, number):
            drawn.append(number)
    if not drawn:
        return
    import pdfplumber  # start-up time

    with pdfplumber.open(io.BytesIO(body)) as plumber:
        for number in drawn:
            if time.process_time() - start > TABLE_SECONDS or number >= len(plumber.pages):
                break
            page = plumber.pages[number]
            tables = [] if page.rotation else [_boxes(page, table) for table in page.find_tables()]
            page.close()
            if not tables or sum(map(len, tables)) > MAX_CELLS:
                continue
            words = document[number].get_textpage()
            place = _Places([box for table in tables for box in table])
            _answer(
                {"page": number, "tables": tables, "segments": _segments(words, words.count_chars(), place)}
            )
            words.close()


def _is_ruled(document: Any, number: int) -> bool:
    """Whether enough lines are drawn on a page for a table, and not so many that it is a picture."""
    import pypdfium2  # start-up time
    import pypdfium2.raw as raw  # start-up time

    try:
        page = document[number]
    except pypdfium2.PdfiumError:
        return False
    points = 0
    for each in page.get_objects(filter=[raw.FPDF_PAGEOBJ_PATH]):
        points += raw.FPDFPath_CountSegments(each)
        if points > MAX_POINTS:
            break
    page.close()
    return MIN_POINTS <= points <= MAX_POINTS


def _boxes(page: Any, table: Any) -> list[list[float]]:
    """Left, bottom, right, top of a table's cells, as the document counts: upwards."""
    height = page.height
    return [
        [round(x0, 1), round(height - bottom, 1), round(x1, 1), round(height - top, 1)]
        for x0, top, x1, bottom in table.cells
    ]


class _Places:
    """The cell that a point lies in; a page's characters come cell by cell."""

    def __init__(self, boxes: list[list[float]]) -> None:
        self.boxes = boxes
        self.all = [
            f(column) for f, column in zip((min, min, max, max), zip(*boxes, strict=True), strict=True)
        ]
        self.last = 0

    def __call__(self, x: float, y: float) -> int:
        """Its number, -1 outside of all."""
        if not _holds(self.all, x, y):
            return -1
        if not _holds(self.boxes[self.last], x, y):
            found = next((n for n, box in enumerate(self.boxes) if _holds(box, x, y)), -1)
            if found < 0:
                return -1
            self.last = found
        return self.last


def _holds(box: list[float], x: float, y: float) -> bool:
    return box[0] <= x <= box[2] and box[1] <= y <= box[3]


def _segments(words: Any, count: int, place: Callable[[float, float], int] | None = None) -> list[list[Any]]:
    """Runs of characters on one line without a wide gap: left, baseline, right, size, text; in file order.

    With places: also parted where a cell ends, and each followed by its cell's number.
    """
    import pypdfium2.raw as raw  # start-up time

    doubles = [ctypes.c_double() for _ in range(6)]
    left, right, bottom, top, x, y = doubles
    box = [ctypes.byref(value) for value in (left, right, bottom, top)]
    origin = [ctypes.byref(value) for value in (x, y)]
    found: list[list[Any]] = []
    current: list[Any] | None = None
    text: list[str] = []
    space = False
    cell = -1
    for at in range(count):
        code = raw.FPDFText_GetUnicode(words, at)
        char = chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else ""
        if not char or char in "\r\n" or char.isspace():
            space = True
            continue
        raw.FPDFText_GetCharBox(words, at, *box)
        raw.FPDFText_GetCharOrigin(words, at, *origin)
        size = raw.FPDFText_GetFontSize(words, at) or 1.0
        before = cell
        if place is not None:
            cell = place((left.value + right.value) / 2, (bottom.value + top.value) / 2)
        if current is not None and (
            cell != before
            or abs(y.value - current[1]) > 0.45 * max(size, current[3])
            or left.value - current[2] > _GAP * size
            or left.value < current[2] - size
        ):
            current[4] = "".join(text)
            found.append(current)
            current = None
        if current is None:
            current = [round(left.value, 1), round(y.value, 1), right.value, round(size, 1), "", cell]
            text = [char]
        else:
            text.append(f" {char}" if space else char)
            current[2] = max(current[2], right.value)
        space = False
    if current is not None:
        current[4] = "".join(text)
        found.append(current)
    for segment in found:
        segment[2] = round(segment[2], 1)
    return found


def _answer(data: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(data) + "\n")
    sys.stdout.flush()


def _limit() -> None:
    try:
        import resource
    except ImportError:  # not on this system: the parent's clock alone limits
        return
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 5))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


if __name__ == "__main__":
    main()
