"""PDF: paragraphs, headings and tables of each page, opened in a process of its own that can be killed."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from kb.page.page import Page, Unread
from kb.page.pdf_layout import Segment, pdf_blocks
from kb.page.pdf_tables import Tables
from kb.reasons import Reason

MAX_SECONDS = 60
"""For one document; then its process is killed."""


def read_pdf(body: bytes, url: str | None = None) -> Page | Unread:
    """The blocks of a PDF with their page numbers; a broken, locked or hostile file is a reason."""
    command = [sys.executable, "-P", str(Path(__file__).with_name("pdf_worker.py"))]
    try:
        done = subprocess.run(command, input=body, capture_output=True, timeout=MAX_SECONDS, check=False)
        output = done.stdout
    except subprocess.TimeoutExpired as late:
        output = late.stdout or b""  # the text may be whole, and only tables lack
        if b"\n" not in output:
            return Unread(Reason.TOO_LARGE, f"the PDF takes more than {MAX_SECONDS} seconds to read")
    except OSError as error:
        return Unread(Reason.UNDECODABLE, f"the PDF reader cannot be started: {error.strerror}")
    first, *more = output.splitlines() or [b""]
    answer = _answer(first)
    if "pages" not in answer:
        what = answer.get("error", "it is broken, or beyond the limits on memory and time")
        return Unread(Reason.UNDECODABLE, f"the PDF cannot be read: {what}")
    pages = [[Segment(*segment) for segment in page] for page in answer["pages"]]
    tables: dict[int, Tables] = {}
    for line in more:
        found = _answer(line)
        if "tables" in found:  # else the process ended within its last line
            pages[found["page"]] = [Segment(*segment) for segment in found["segments"]]
            tables[found["page"]] = found["tables"]
    blocks = pdf_blocks(pages, tables)
    if not blocks:
        return Unread(Reason.EMPTY, "the PDF has no text")
    date = re.match(r"D:(\d{4})(\d{2})(\d{2})", answer["date"])
    return Page(
        tuple(blocks),
        title=" ".join(answer["title"].split()),
        url=url,
        published="-".join(date.groups()) if date else None,
        content_type="application/pdf",
        pages=answer["count"],
    )


def _answer(output: bytes) -> dict[str, Any]:
    try:
        answer = json.loads(output)
    except ValueError:
        return {}
    return answer if isinstance(answer, dict) else {}
