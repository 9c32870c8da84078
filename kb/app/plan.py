"""What is due: which URLs are to be fetched now, and why."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from kb.claims import Source
from kb.snapshots import Capture


def slack(interval: int) -> int:
    """Seconds by which a source may be due early.

    A daily run captures a little after the time at which it starts, so that the
    next one would come a moment too soon: a day would become two.
    """
    return min(3600, interval // 20)


@dataclass(frozen=True, slots=True)
class Due:
    """One URL to fetch once, for all its sources, and why."""

    url: str
    sources: tuple[Source, ...]
    why: str
    last: Capture | None = None

    @property
    def archived(self) -> bool:
        """Whether an archive is asked in place of the site: all its sources want that."""
        return all(source.check.archive for source in self.sources)


def plan(
    sources: Iterable[Source],
    captures: Mapping[str, Capture],
    now: datetime,
    every: int,
    *,
    suspected: Mapping[str, str] | None = None,
    unread: Iterable[str] = (),
    apart: int = 3600,
    everything: bool = False,
) -> list[Due]:
    """The URLs that are due at `now`, in the order of the sources.

    Args:
        sources: those selected.
        captures: the newest capture of each URL.
        now: aware, UTC.
        every: seconds between checks where a source says nothing.
        suspected: URLs with a change that wants confirming, with the words that say so;
            they are due again `apart` seconds after their last capture.
        unread: URLs whose newest capture could not be read; due again after `apart`.
        apart: see there.
        everything: take all, due or not.
    """
    by_url: dict[str, list[Source]] = {}
    for source in sources:
        if source.fetched and source.url:
            by_url.setdefault(source.url, []).append(source)
    due = []
    unread = set(unread)
    for url, its in by_url.items():
        last = captures.get(url)
        interval = min(s.check.every or every for s in its)
        why = _why(url, last, now, interval, suspected or {}, unread, apart)
        if everything and not why:
            why = "asked for"
        if why:
            due.append(Due(url, tuple(its), why, last))
    return due


def _why(
    url: str,
    last: Capture | None,
    now: datetime,
    interval: int,
    suspected: Mapping[str, str],
    unread: set[str],
    apart: int,
) -> str:
    if last is None:
        return "never read"
    age = now - last.time
    if age >= timedelta(seconds=interval - slack(interval)):
        return f"last asked {_age(age)} ago, every {_age(timedelta(seconds=interval))}"
    if age >= timedelta(seconds=apart):
        if url in suspected:
            return f"to confirm: {suspected[url]}"
        if url in unread or last.reason is not None:
            return "could not be read last time"
    return ""


def _age(span: timedelta) -> str:
    seconds = int(span.total_seconds())
    for unit, size in (("d", 86400), ("h", 3600), ("min", 60)):
        if seconds >= size:
            return f"{round(seconds / size)} {unit}"
    return f"{seconds} s"
