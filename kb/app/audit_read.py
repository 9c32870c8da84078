"""An article's file as a page: Markdown, HTML, Word, PDF, and text as people paste it."""

from __future__ import annotations

import re
from pathlib import Path

from kb.errors import UnreadableError, UsageError
from kb.page import Page, Unread, read_body

PACKED = ("application/pdf", "application/vnd.openxmlformats-officedocument.wordprocessingml.document")
"""What has no lines to point at, and cannot be edited."""

LONG = 160
"""A line longer than this was not broken by hand, so each line of such a text is a paragraph."""

HEADING = 80
"""The longest line that may be a heading: one without punctuation at its end."""

_RULE = re.compile(r"\|(?:\s*:?-+:?\s*\|)+")
_MARK = re.compile(r"\s*(?:[-*+•]\s|\d+[.)]\s|#{1,6}\s|>|```|\|)")


def read_article(path: Path) -> tuple[Page, str]:
    """The article as kb reads it, and the text of its file (empty for PDF and Word).

    Raises:
        UsageError: the file cannot be opened.
        UnreadableError: it is nothing that kb reads.
    """
    try:
        body = path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path}: cannot be opened: {error.strerror}; name an article's file") from error
    page = read_body(body, url=path.name)
    if isinstance(page, Unread):
        detail = f" ({page.detail})" if page.detail else ""
        what = f"{path}: {page.reason.sentence}{detail}"
        remedy = "" if "pip install" in detail else "; name an article with text in it"
        raise UnreadableError(what + remedy, reason=page.reason)
    if page.content_type in PACKED:
        return page, ""
    text = body.decode(page.encoding or "utf-8", errors="replace")
    return (pasted(text) or page if path.suffix.lower() in (".txt", ".text", "") else page), text


def pasted(text: str) -> Page | None:
    """A text with a paragraph on each line, as copied from a browser; None for any other text.

    Its tables are rows of bars, and its headings are short lines without an end.
    """
    lines = text.splitlines()
    if not any(len(line) > LONG and not line.startswith("|") for line in lines):
        return None
    out: list[str] = []
    table = False
    for line in _with_corner(lines):
        row = line.lstrip().startswith("|")
        if not (row and table):
            out.append("")
        table = row
        out.append(f"## {line.strip().rstrip('#')}" if _heading(line) else line)
    page = read_body("\n".join(out).encode(), url="article.md", content_type="text/markdown")
    return None if isinstance(page, Unread) else page


def _with_corner(lines: list[str]) -> list[str]:
    """The lines, with each table's empty first header where it was: copying moves it to the end."""
    out = list(lines)
    for n, line in enumerate(lines[1:-1], 1):
        if not _RULE.fullmatch(line.strip()):
            continue
        head = _cells(lines[n - 1])
        body = []
        for row in lines[n + 1 :]:
            if not row.lstrip().startswith("|"):
                break
            body.append(_cells(row))
        moved = len(head) > 1 and not head[-1] and all(head[:-1])
        if moved and body and all(len(row) == len(head) and row[0] and row[-1] for row in body):
            out[n - 1] = "| | " + " | ".join(head[:-1]) + " |"
    return out


def _cells(row: str) -> list[str]:
    return [cell.strip() for cell in row.strip().removeprefix("|").removesuffix("|").split("|")]


def _heading(line: str) -> bool:
    words = line.strip()
    return bool(words) and len(words) <= HEADING and words[-1] not in ".:;,!?|)" and not _MARK.match(line)
