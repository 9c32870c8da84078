"""What kb.db says of the selected claims at one moment: groups, coverage, counts, exit code."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from kb.reasons import CHANGED, FINE, NOT_KNOWN, Outcome
from kb.report.now import Contradiction, WouldBe, contradictions, would_be
from kb.store import ClaimNow, EventNow, Rows, SourceNow

PROPOSED = "proposed"


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much of what we state is known now.

    A claim counts as checked, and a source as read, while its newest capture was read.
    """

    claims: int
    checked: int
    sources: int
    read: int

    def __str__(self) -> str:
        """As it is part of every answer."""
        return (
            f"checked {self.checked} of {self.claims} claim{'' if self.claims == 1 else 's'}, "
            f"{self.read} of {self.sources} source{'' if self.sources == 1 else 's'} read"
        )


@dataclass(frozen=True, slots=True)
class Summary:
    """What a report is made of.

    Attributes:
        kb: the knowledge base's name.
        now: when the report is made: what is stale depends on it.
        claims: those selected, by id; see `ClaimNow`.
        events: of those, newest first; with `since`, only those opened, updated or closed later.
        open: the open event of each claim that has one, `since` or not.
        sources: those of the selected claims that are fetched, by id.
        dependents: of each claim, the formulas that use it, directly or not.
        as_of: the day that the report looks back to, or None.
        since: see `events`.
        would_be: of each formula claim with a changed input, what it would give.
        contradictions: claims of several sources that cannot all be right.
        proposed: claims that nobody has reviewed yet: checked, and told apart from all others.
        not_yet: claims that were retrieved after `as_of`: not stated yet then, and left out of `claims`.
        undelivered: a line for each alert that could not be delivered yet.
    """

    kb: str
    now: datetime
    claims: tuple[ClaimNow, ...]
    events: tuple[EventNow, ...]
    open: Mapping[str, EventNow]
    sources: tuple[SourceNow, ...]
    dependents: Mapping[str, tuple[ClaimNow, ...]] = field(default_factory=dict)
    as_of: str | None = None
    since: datetime | None = None
    would_be: Mapping[str, WouldBe] = field(default_factory=dict)
    contradictions: tuple[Contradiction, ...] = ()
    undelivered: tuple[str, ...] = ()
    proposed: tuple[ClaimNow, ...] = ()
    not_yet: int = 0

    @property
    def checked(self) -> list[ClaimNow]:
        """Claims that something is fetched for."""
        return [c for c in self.claims if c.verdict is not None]

    @property
    def unchecked(self) -> list[ClaimNow]:
        """Claims for which nothing is fetched: outside coverage and exit codes."""
        return [c for c in self.claims if c.verdict is None]

    @property
    def confirmed(self) -> list[ClaimNow]:
        """Claims with an open event, newest first; of one time, formulas after what they follow from."""
        changed = sorted(
            (c for c in self.checked if c.id in self.open), key=lambda c: (c.kind == "formula", c.id)
        )
        return sorted(changed, key=lambda c: self.open[c.id].opened, reverse=True)

    @property
    def suspected(self) -> list[ClaimNow]:
        """Claims with a change that is not confirmed, and no open event."""
        return [c for c in self.checked if c.state == "suspected"]

    @property
    def unclear(self) -> list[ClaimNow]:
        """Claims that a person must look at, and no open event."""
        return [c for c in self.checked if c.state == "unclear"]

    @property
    def accepted(self) -> list[ClaimNow]:
        """Claims whose page states another value that we know of."""
        return [c for c in self.checked if c.state == "accepted"]

    @property
    def unread(self) -> list[ClaimNow]:
        """Claims whose newest capture was not read, whatever an older one said."""
        return [c for c in self.checked if c.unread]

    @property
    def unseen(self) -> list[ClaimNow]:
        """Claims that are stated, and were not checked here yet."""
        return [c for c in self.checked if c.verdict == Outcome.UNREAD and not c.unread]

    @property
    def stale(self) -> list[ClaimNow]:
        """Claims last read longer ago than twice their interval."""
        return [c for c in self.checked if self.is_stale(c)]

    def is_stale(self, claim: ClaimNow) -> bool:
        """Whether the claim was last read too long ago."""
        return claim.stale_after is not None and datetime.fromisoformat(claim.stale_after) < self.now

    @property
    def coverage(self) -> Coverage:
        """How much is known now."""
        checked = self.checked
        return Coverage(
            claims=len(checked),
            checked=len(checked) - len(self.unread) - len(self.unseen),
            sources=len(self.sources),
            read=sum(1 for s in self.sources if s.captured and not s.unread),
        )

    @property
    def counts(self) -> dict[str, int]:
        """Claims by present verdict, and how many are suspected and unchecked."""
        counts = {str(o): sum(1 for c in self.checked if c.verdict == o) for o in Outcome}
        return {
            **counts,
            "suspected": sum(1 for c in self.checked if c.suspected),
            "unchecked": len(self.unchecked),
        }


def summarise(
    rows: Rows,
    now: datetime,
    selected: Collection[str] | None = None,
    *,
    since: datetime | None = None,
    as_of: str | None = None,
    undelivered: Iterable[str] = (),
) -> Summary:
    """Read what kb.db says of the claims `selected` (None: all) at `now`, which is aware."""
    known = rows.claims()
    later = _later(known, as_of) if as_of else set()
    chosen = [c for c in known if selected is None or c.id in selected]
    everything = [c for c in known if c.id not in later]
    by_id = {c.id: c for c in everything}
    not_there = {c.source for c in known if c.id in later} - {c.source for c in everything}
    stated = [c for c in chosen if c.id not in later]
    claims = tuple(c for c in stated if c.status != PROPOSED)
    proposed = tuple(c for c in stated if c.status == PROPOSED)
    reviewed = [c for c in everything if c.status != PROPOSED]
    ids = {c.id for c in claims}
    events = [e for e in rows.events() if e.claim in ids]
    with_claims = {c.source for c in stated if c.verdict is not None and c.kind != "formula"}
    return Summary(
        kb=rows.about().name,
        now=now,
        claims=claims,
        events=tuple(e for e in events if since is None or last_told(e) > since),
        open={e.claim: e for e in events if e.closed is None},
        sources=tuple(
            s
            for s in rows.sources()
            if s.fetched and (s.id in with_claims or (selected is None and s.id not in not_there))
        ),
        dependents=_dependents(everything),
        as_of=as_of,
        since=since,
        would_be={
            c.id: other
            for c in everything
            if c.kind == "formula" and c.verdict == Outcome.DRIFTED and (other := would_be(c, by_id))
        },
        contradictions=tuple(k for k in contradictions(reviewed) if any(c.id in ids for c in k.claims)),
        undelivered=tuple(undelivered),
        proposed=proposed,
        not_yet=len(chosen) - len(stated),
    )


def exit_code(summary: Summary, strict: bool = False) -> int:
    """The exit code of design section 10: 1 a confirmed change, 3 anything not known to hold, else 0.

    What is only proposed changes nothing, but alone it is not known to hold.

    With `strict`, 3 becomes 1.
    """
    if summary.confirmed:
        return CHANGED
    doubts = (summary.suspected, summary.unclear, summary.unread, summary.unseen, summary.stale)
    if not summary.claims or any(doubts):
        return CHANGED if strict else NOT_KNOWN
    return FINE


def last_told(event: EventNow) -> datetime:
    """When the event opened, was updated or closed, last."""
    times = [t for t in (event.opened, event.updated, event.closed) if t]
    return max(datetime.fromisoformat(t) for t in times)


def _later(claims: Iterable[ClaimNow], day: str) -> set[str]:
    """The claims that were not stated on `day` yet: retrieved later, or calculated from such."""
    later = {c.id for c in claims if c.retrieved and c.retrieved > day}
    users = _dependents(claims)
    return later | {user.id for name in later for user in users.get(name, ())}


def _dependents(claims: Iterable[ClaimNow]) -> dict[str, tuple[ClaimNow, ...]]:
    users: dict[str, list[ClaimNow]] = {}
    for claim in claims:
        for name in claim.inputs:
            users.setdefault(name, []).append(claim)
    out: dict[str, tuple[ClaimNow, ...]] = {}
    for name in users:
        found: dict[str, ClaimNow] = {}
        waiting = list(users[name])
        while waiting:
            user = waiting.pop(0)
            if user.id not in found:
                found[user.id] = user
                waiting += users.get(user.id, [])
        out[name] = tuple(found.values())
    return out
