"""The process that opens a PDF: body on standard input, JSON on standard output.

It runs as a script of its own and imports nothing of kb, so that what a hostile
file does to the library (a crash, a loop, a flood of memory) ends with this process.
"""

from __future__ import annotations

import ctypes
import json
import sys
from typing import Any

MEMORY = 2 * 1024**3
SECONDS = 50
MAX_PAGES = 2_000
MAX_CHARS = 10_000_000

_GAP = 1.1
"""A gap of this many font sizes inside a line parts two columns."""


def main() -> None:
    """Read, answer, end."""
    _limit()
    import pypdfium2  # start-up time

    try:
        document = pypdfium2.PdfDocument(sys.stdin.buffer.read())
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


def _segments(words: Any, count: int) -> list[list[Any]]:
    """Runs of characters on one line without a wide gap: left, baseline, right, size, text; in file order."""
    import pypdfium2.raw as raw  # start-up time

    doubles = [ctypes.c_double() for _ in range(6)]
    left, right, bottom, top, x, y = doubles
    box = [ctypes.byref(value) for value in (left, right, bottom, top)]
    origin = [ctypes.byref(value) for value in (x, y)]
    found: list[list[Any]] = []
    current: list[Any] | None = None
    text: list[str] = []
    space = False
    for at in range(count):
        code = raw.FPDFText_GetUnicode(words, at)
        char = chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else ""
        if not char or char in "\r\n" or char.isspace():
            space = True
            continue
        raw.FPDFText_GetCharBox(words, at, *box)
        raw.FPDFText_GetCharOrigin(words, at, *origin)
        size = raw.FPDFText_GetFontSize(words, at) or 1.0
        if current is not None and (
            abs(y.value - current[1]) > 0.45 * max(size, current[3])
            or left.value - current[2] > _GAP * size
            or left.value < current[2] - size
        ):
            current[4] = "".join(text)
            found.append(current)
            current = None
        if current is None:
            current = [round(left.value, 1), round(y.value, 1), right.value, round(size, 1), ""]
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
    sys.stdout.write(json.dumps(data))
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
