"""The process that opens a PDF: body on standard input, JSON on standard output.

It stands alone, so that what a hostile file does to the library (a crash, a
loop, a flood of memory) ends with this process.
"""

from __future__ import annotations

import json
import sys

MEMORY = 2 * 1024**3
SECONDS = 50
MAX_PAGES = 2_000
MAX_CHARS = 20_000_000


def main() -> None:
    """Read, answer, end; any failure ends without an answer."""
    _limit()
    import pypdfium2  # start-up time

    body = sys.stdin.buffer.read()
    document = pypdfium2.PdfDocument(body)
    pages: list[str] = []
    size = 0
    for number in range(min(len(document), MAX_PAGES)):
        page = document[number]
        words = page.get_textpage()
        text = words.get_text_range()
        words.close()
        page.close()
        size += len(text)
        pages.append(text)
        if size > MAX_CHARS:
            break
    title = str(document.get_metadata_value("Title") or "")
    answer = {"pages": pages, "count": len(document), "title": title}
    sys.stdout.write(json.dumps(answer))
    sys.stdout.flush()


def _limit() -> None:
    try:
        import resource
    except ImportError:  # not on this system: the parent's clock alone limits
        return
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 5))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
