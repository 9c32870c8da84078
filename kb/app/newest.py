"""Which capture of a page was the newest that could be read, at any time."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from datetime import datetime

from kb.app.base import KnowledgeBase
from kb.engine.elsewhere import NewestRead
from kb.snapshots import Capture
from kb.store import Seen, open_rows


def newest_read(seen: Mapping[str, Sequence[Seen]], before: NewestRead | None = None) -> NewestRead:
    """Which capture of a URL was the newest that was read, up to a time: of `seen`, else of `before`."""
    sorted_once: dict[str, list[Capture]] = {}

    def newest(url: str, time: datetime) -> Capture | None:
        its = sorted_once.get(url)
        if its is None:
            read = (s.capture for s in seen.get(url, ()) if s.read)
            its = sorted_once[url] = sorted(read, key=lambda c: (c.time, c.file, c.offset))
        at = bisect_right(its, time, key=lambda c: c.time)
        if at:
            return its[at - 1]
        return before(url, time) if before else None

    return newest


def read_before(kb: KnowledgeBase) -> NewestRead:
    """The same of what kb.db has.

    Raises (when asked):
        StoreError: the database cannot be read.
    """

    def newest(url: str, time: datetime) -> Capture | None:
        with open_rows(kb.database) as rows:
            at = rows.read_before(url, time)
        return next((c for c in kb.archive.captures(url) if (c.file, c.offset) == at), None) if at else None

    return newest
