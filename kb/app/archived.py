"""Archived copies stand in for pages that cannot be read live, and say so."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from threading import Lock
from typing import TYPE_CHECKING

from kb.app.base import KnowledgeBase
from kb.claims import Source
from kb.snapshots import Capture, Exchange

if TYPE_CHECKING:
    from kb.fetch import FetchEvent, FetchSettings

Told = Callable[[Capture, int, int], None]
"""Hears of each capture as it is kept, with how many are done and of how many."""


@dataclass(frozen=True, slots=True)
class StandIns:
    """What an archive had.

    Attributes:
        captures: the copies that were kept.
        without: URLs for which none stands in, each with why.
    """

    captures: tuple[Capture, ...] = ()
    without: tuple[tuple[str, str], ...] = ()


def stand_in(
    kb: KnowledgeBase,
    sources: Iterable[Source],
    settings: FetchSettings,
    *,
    at: datetime | None,
    clock: Callable[[], datetime],
    told: Told | None = None,
    progress: Callable[[FetchEvent], object] | None = None,
) -> StandIns:
    """Ask an archive for those of `sources` whose newest capture was not read.

    Only what can be read is kept, so that the reason why the page itself was not read
    stands; and only a copy newer than the last reading, as an older one would bring back
    what has changed since, and the same one again is no second reading.

    Args:
        kb: the knowledge base, its database up to date.
        sources: those to look at.
        settings: manners and limits; a `max_time` that is over asks nothing.
        at: the copy nearest to this moment; None: to now.
        clock: gives the time of the run and of its captures.
        told: see `Told`.
        progress: hears what is asked.
    """
    wanted = _unread(kb, sources)
    if not wanted or (settings.max_time is not None and settings.max_time <= 0):
        return StandIns()
    from kb.fetch import FetchRequest, fetch_pages

    kept: list[Capture] = []
    without: list[tuple[str, str]] = []
    telling = Lock()  # copies are kept from several threads
    with kb.archive.begin(clock()) as run:

        def keep(exchange: Exchange) -> None:
            why = _why_not(exchange, wanted[exchange.requested])
            if why:
                with telling:
                    without.append((exchange.requested, why))
                return
            capture = run.keep(exchange)
            with telling:
                kept.append(capture)
                if told:
                    told(capture, len(kept) + len(without), len(wanted))

        requests = [FetchRequest(url, archive=True, at=at) for url in wanted]
        fetch_pages(requests, settings, keep, progress=progress, clock=clock)
    return StandIns(tuple(kept), tuple(sorted(without)))


def _unread(kb: KnowledgeBase, sources: Iterable[Source]) -> dict[str, datetime | None]:
    """URLs whose newest capture was not read, each with the moment that its last reading shows."""
    from kb.store import open_rows

    with open_rows(kb.database) as rows:
        now = {s.id: s for s in rows.sources() if s.unread}
    found: dict[str, datetime | None] = {}
    for source in sources:
        its = now.get(source.id)
        if its is None or not source.url or not source.fetched or source.check.archive:
            continue
        found[source.url] = _shows(kb, source.url, its.captured)
    return found


def _shows(kb: KnowledgeBase, url: str, captured: str | None) -> datetime | None:
    """The moment at which a page was as the capture shows it: for an archived copy, that of the copy."""
    from kb.fetch.memento import copied_at  # start-up time

    if captured is None:
        return None
    for capture in reversed(kb.archive.captures(url)):
        if capture.captured == captured:
            return copied_at(capture.memento) or capture.time
    return datetime.fromisoformat(captured)


def _why_not(exchange: Exchange, last: datetime | None) -> str:
    """Why a copy does not stand in; empty where it does."""
    from kb.fetch.memento import copied_at  # start-up time
    from kb.page import Unread, read_response

    made = copied_at(exchange.memento)
    if exchange.reason is not None or made is None:
        return exchange.detail or str(exchange.reason or "the archive gave no date")
    if last is not None and made <= last:
        return f"the nearest copy ({_day(made)}) is no newer than what was read last ({_day(last)})"
    seen = read_response(
        status=exchange.status if exchange.status is not None else 200,
        headers=dict(exchange.headers),
        requested=exchange.requested,
        url=exchange.url,
        body=exchange.body,
    )
    if isinstance(seen, Unread):
        return f"the copy of {_day(made)} cannot be read either: {seen.reason}"
    return ""


def _day(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y-%m-%d}"
