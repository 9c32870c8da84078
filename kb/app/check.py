"""Fetch what is due, archive it, judge it, store it, and say what became of the claims."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING, Any

from kb.app.archived import StandIns, stand_in
from kb.app.base import KnowledgeBase
from kb.app.build import Progress, build, claims_of
from kb.app.plan import Due, plan
from kb.app.select import Selection
from kb.claims import ClaimSet, Source
from kb.errors import Problem
from kb.snapshots import Capture, Exchange

if TYPE_CHECKING:
    from kb.fetch import FetchEvent

Clock = Callable[[], datetime]


def utc_now() -> datetime:
    """The time, aware, UTC."""
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Checked:
    """What a run did.

    Attributes:
        due: what was to be asked for.
        captures: what was kept of it.
        problems: of claims files that were left out.
        archive_problems: what the archive complained of.
        selected: the ids of the claims that the run is about.
        left: URLs that `max_time` left no time for; they are due again.
        stand_ins: the archived copies that stand in for what could not be read.
        moved: sources whose page was led elsewhere for good, and read there.
    """

    due: tuple[Due, ...]
    captures: tuple[Capture, ...]
    problems: tuple[Problem, ...]
    archive_problems: tuple[str, ...]
    selected: frozenset[str]
    left: tuple[str, ...] = ()
    stand_ins: StandIns = field(default_factory=StandIns)
    moved: tuple[Moved, ...] = ()


@dataclass(frozen=True, slots=True)
class Moved:
    """A source whose page redirects for good: its URL, and where it was read."""

    source: str
    url: str
    now: str


@dataclass(frozen=True, slots=True)
class CheckOptions:
    """How a run goes, beyond the settings.

    `clock` gives the time of the run and of its captures. `told` hears of each
    capture as it is kept, with how many are done and of how many; `progress` of what
    each host is doing. `archive` lets archived copies stand in for what cannot be read
    live; `at` is the moment that they are to be nearest to (None: now).
    """

    selection: Selection = field(default_factory=Selection)
    everything: bool = False
    offline: bool = False
    allow_private: bool = False
    keep_going: bool = False
    jobs: int | None = None
    max_time: float | None = None
    clock: Clock = utc_now
    told: Callable[[Capture, int, int], None] | None = None
    building: Progress | None = None
    progress: Callable[[FetchEvent], object] | None = None
    archive: bool = False
    at: datetime | None = None


def check(kb: KnowledgeBase, options: CheckOptions) -> Checked:
    """Run the main job once.

    Raises:
        ClaimsError: the claims files have errors; nothing was fetched, nothing is lost.
        LockedError: another run holds the archive.
        ArchiveError: the archive cannot be written; all before is kept.
    """
    claims, problems = claims_of(kb, options.keep_going)
    selected = options.selection.claim_ids(claims.sources)
    kept: list[Capture] = []
    due: list[Due] = []
    left: tuple[str, ...] = ()
    started = monotonic()
    if not options.offline:
        kb.archive.adopt()
        due = what_is_due(kb, claims, options)
        if due:
            kept, left = _fetch(kb, due, options)
    built = build(kb, jobs=options.jobs, progress=options.building, claims=claims, go_on=True)
    stood = StandIns()
    if options.archive and not options.offline:
        time_left = None if options.max_time is None else options.max_time - (monotonic() - started)
        stood = stand_in(
            kb,
            _selected(claims.sources, options.selection),
            kb.fetch_settings(allow_private=options.allow_private, max_time=time_left),
            at=options.at,
            clock=options.clock,
            told=options.told,
            progress=options.progress,
        )
        if stood.captures:
            built = build(kb, jobs=options.jobs, progress=options.building, claims=claims, go_on=True)
    return Checked(
        due=tuple(due),
        captures=tuple(kept),
        problems=problems,
        archive_problems=built.problems,
        selected=frozenset(selected),
        left=left,
        stand_ins=stood,
        moved=tuple(moved_for_good(kb, _selected(claims.sources, options.selection))),
    )


def what_is_due(kb: KnowledgeBase, claims: ClaimSet, options: CheckOptions) -> list[Due]:
    """The URLs to fetch now, by the settings and by what the last runs found."""
    newest = kb.archive.newest()
    suspected, unread = _wanted_again(kb, claims, newest)
    return plan(
        _selected(claims.sources, options.selection),
        newest,
        options.clock(),
        kb.settings.every,
        suspected=suspected,
        unread=unread,
        apart=kb.settings.confirm_apart,
        everything=options.everything,
    )


def moved_for_good(kb: KnowledgeBase, sources: Iterable[Source]) -> Iterator[Moved]:
    """The sources whose newest capture was led elsewhere by lasting redirects alone, and read there."""
    from kb.store import open_rows

    with open_rows(kb.database) as rows:
        unread = {s.id for s in rows.sources() if s.unread}
    newest = kb.archive.newest()
    for source in sources:
        last = newest.get(source.url or "")
        if last is None or not source.fetched or source.id in unread or last.via == "memento":
            continue
        lasting = bool(last.hops) and all(hop.status in (301, 308) for hop in last.hops)
        now = last.url.partition("#")[0]
        if lasting and last.reason is None and now != last.requested.partition("#")[0]:
            yield Moved(source.id, last.requested, now)


def _selected(sources: Iterable[Source], selection: Selection) -> list[Source]:
    if not selection.only and not selection.tags:
        return list(sources)
    return [s for s in sources if any(selection.takes(s, c) for c in s.claims)]


def _wanted_again(
    kb: KnowledgeBase, claims: ClaimSet, newest: dict[str, Capture]
) -> tuple[dict[str, str], set[str]]:
    """URLs with a change to confirm, and URLs whose newest capture was not the page."""
    if not newest:
        return {}, set()
    from kb.errors import StoreError
    from kb.store import open_rows

    try:
        rows = open_rows(kb.database)
    except StoreError:  # no database, or another version's: it is made anew from the two folders
        build(kb, claims=claims)
        rows = open_rows(kb.database)
    suspected: dict[str, str] = {}
    unread: set[str] = set()
    with rows:
        for id, url, verdict, changed in rows.wanted_again():
            if changed:
                suspected.setdefault(url, f"{id} seems to have {verdict}")
            else:
                unread.add(url)
    return suspected, unread


def _fetch(kb: KnowledgeBase, due: list[Due], options: CheckOptions) -> tuple[list[Capture], tuple[str, ...]]:
    from kb.fetch import FetchRequest, fetch_pages

    requests = [
        FetchRequest(
            d.url,
            browser=any(s.check.browser for s in d.sources),
            archive=d.archived,
            at=options.at if d.archived else None,
            **_validators(kb, d),
        )
        for d in due
    ]
    kept: list[Capture] = []
    settings = kb.fetch_settings(allow_private=options.allow_private, max_time=options.max_time)
    telling = Lock()  # pages are kept from several threads, which share a flush
    with kb.archive.begin(options.clock()) as run:

        def keep(exchange: Exchange) -> None:
            capture = run.keep(exchange)
            with telling:
                kept.append(capture)
                if options.told:
                    options.told(capture, len(kept), len(requests))

        left = fetch_pages(requests, settings, keep, progress=options.progress, clock=options.clock)
    return kept, tuple(request.url for request in left)


def _validators(kb: KnowledgeBase, due: Due) -> dict[str, Any]:
    """What makes a request conditional: the ETag and date of the newest whole answer."""
    for capture in _newest_first(kb, due):
        if capture.reason is None and capture.digest and capture.status in (200, 304):
            headers = {n.lower(): v for n, v in capture.headers}
            found = {"etag": headers.get("etag"), "last_modified": headers.get("last-modified")}
            given = {k: v for k, v in found.items() if v}
            if not given or capture.via != "live":
                return {}
            return {**given, "digest": capture.digest, "answered": capture.url}
    return {}


def _newest_first(kb: KnowledgeBase, due: Due) -> Iterator[Capture]:
    """The captures of a URL; the last one, which mostly does, without asking for all."""
    if due.last is not None:
        yield due.last
        yield from reversed(kb.archive.captures(due.url))
