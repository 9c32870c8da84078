"""PDF: the text of each page, read in a process of its own that can be killed."""

from __future__ import annotations

import json
import subprocess
import sys

from kb.page.page import Block, Page, Unread
from kb.reasons import Reason

MAX_SECONDS = 60
"""For one document; then its process is killed."""

MAX_PAGES = 2_000


def read_pdf(body: bytes, url: str | None = None) -> Page | Unread:
    """The paragraphs of a PDF with their page numbers; a broken, locked or hostile file is a reason."""
    command = [sys.executable, "-I", "-c", "from kb.page.pdf_worker import main; main()"]
    try:
        done = subprocess.run(command, input=body, capture_output=True, timeout=MAX_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return Unread(Reason.TOO_LARGE, f"the PDF takes more than {MAX_SECONDS} seconds to read")
    except OSError as error:
        return Unread(Reason.UNDECODABLE, f"the PDF reader cannot be started: {error.strerror}")
    try:
        answer = json.loads(done.stdout)
        pages: list[str] = answer["pages"]
    except (ValueError, KeyError, TypeError):
        return Unread(Reason.UNDECODABLE, "the PDF is broken, locked or beyond the limits on memory")
    blocks: list[Block] = []
    for number, text in enumerate(pages, 1):
        for paragraph in _paragraphs(text):
            blocks.append(Block("paragraph", paragraph, page=number))
    if not blocks:
        return Unread(Reason.EMPTY, "the PDF has no text")
    return Page(
        tuple(blocks),
        title=answer.get("title", ""),
        url=url,
        content_type="application/pdf",
        pages=answer.get("count", len(pages)),
    )


def _paragraphs(text: str) -> list[str]:
    found: list[str] = []
    current: list[str] = []
    for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        words = " ".join(line.split())
        if not words:
            if current:
                found.append(" ".join(current))
            current = []
            continue
        current.append(words)
    if current:
        found.append(" ".join(current))
    return found
