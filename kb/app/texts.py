"""What a page says as plain text, for a knowledge base whose settings make all of it public."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from kb.app.base import KnowledgeBase
from kb.claims import ClaimSet
from kb.page import Page, Unread
from kb.snapshots import Capture
from kb.store import Seen

LONGEST = 300_000
"""Characters of a text that are kept; more than any article, and less than what stops a browser."""


def page_texts(
    kb: KnowledgeBase, claims: ClaimSet, seen: Mapping[str, Sequence[Seen]]
) -> Iterator[tuple[str, Capture, str]]:
    """The text of each source's newest capture that was read: URL, capture, text.

    Nothing where the settings show no more than quotes. A body that the archive cannot give
    is left out, which it has told of before.
    """
    from kb.page import read_body  # start-up time

    if kb.settings.captures != "full":
        return
    for url in sorted({s.url for s in claims.sources if s.fetched and s.url}):
        read = [s.capture for s in seen.get(url, ()) if s.read]
        if not read:
            continue
        newest = max(read, key=lambda c: (c.time, c.file, c.offset))
        body = kb.archive.read(newest)
        page = None if body is None else read_body(body, newest.url, newest.content_type)
        if page is not None and not isinstance(page, Unread):
            yield url, newest, readable(page)


def readable(page: Page) -> str:
    """What a person sees of the page, in its order: parts apart, the cells of a row on one line."""
    parts: list[str] = []
    last: tuple[int | None, int | None] = (None, None)
    for block in page.blocks:
        if not block.visible or not block.text or block.kind == "title":
            continue
        here = (block.table, block.row_index)
        if block.table is not None and here == last:
            parts.append(" | ")
        elif parts:
            close = block.table is not None and block.table == last[0]
            parts.append("\n" if close or block.kind == "item" else "\n\n")
        last = here
        parts.append(block.text)
    text = "".join(parts)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
