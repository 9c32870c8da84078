"""What of a summary a report shows: all of it, or what is new since a moment."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from kb.report.now import Contradiction
from kb.report.summary import Summary, last_told
from kb.store import ClaimNow, EventNow


@dataclass(frozen=True, slots=True)
class News:
    """The parts of a report, each in the order in which it is shown.

    `older` counts the claims that need a person and are left out, as nothing about them is new.
    """

    confirmed: list[ClaimNow]
    suspected: list[ClaimNow]
    unclear: list[ClaimNow]
    unread: list[ClaimNow]
    unseen: list[ClaimNow]
    stale: list[ClaimNow]
    accepted: list[ClaimNow]
    contradictions: list[Contradiction]
    closed: list[EventNow]
    older: int = 0

    @property
    def quiet(self) -> bool:
        """Whether there is nothing to tell."""
        return not any((
            self.confirmed, self.suspected, self.unclear, self.unread, self.unseen, self.stale, self.accepted,
            self.contradictions, self.closed,
        ))  # fmt: skip


def news(summary: Summary) -> News:
    """The parts of the report; with `since`, of each what is new.

    A doubt is new where the page came to say what it says since then, a stale claim
    where it became stale since.
    """
    if summary.since is None:
        return News(
            summary.confirmed, summary.suspected, summary.unclear, summary.unread, summary.unseen,
            summary.stale, summary.accepted, list(summary.contradictions), [],
        )  # fmt: skip
    told = {e.claim for e in summary.events}
    since = summary.since

    def new(claims: list[ClaimNow]) -> list[ClaimNow]:
        return [c for c in claims if _after(c.since, since)]

    confirmed = [c for c in summary.confirmed if c.id in told]
    suspected, unclear = new(summary.suspected), new(summary.unclear)
    unread = [c for c in summary.unread if c.unread and _after(c.unread["since"], since)]
    stale = [c for c in summary.stale if _after(c.stale_after, since)]
    shown = len(confirmed) + len(suspected) + len(unclear) + len(unread) + len(stale)
    everything = (summary.confirmed, summary.suspected, summary.unclear, summary.unread, summary.stale)
    return News(
        confirmed=confirmed,
        suspected=suspected,
        unclear=unclear,
        unread=unread,
        unseen=[],
        stale=stale,
        accepted=[
            c for c in summary.accepted if c.accepted and _after(f"{c.accepted['on']}T23:59:59Z", since)
        ],
        contradictions=[
            k for k in summary.contradictions if any(_after(c.since, since) and c.changed for c in k.claims)
        ],
        closed=[e for e in summary.events if e.closed and _is_after(last_told(e), since)],
        older=sum(len(claims) for claims in everything) - shown,
    )


def _after(time: str | None, since: datetime) -> bool:
    return time is not None and _is_after(datetime.fromisoformat(time), since)


def _is_after(time: datetime, since: datetime) -> bool:
    return (time if time.tzinfo else time.replace(tzinfo=UTC)) > since
