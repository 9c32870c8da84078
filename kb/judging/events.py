"""What is known of one claim over time: its readings, the events they open, and all of them together."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from kb.judging.verdict import Found
from kb.reasons import Outcome, Reason


@dataclass(frozen=True, slots=True)
class Confirm:
    """How many agreeing readings, each at least `apart` after the one before, confirm a change."""

    drifted: int = 2
    gone: int = 3
    apart: timedelta = timedelta(hours=1)

    def needed(self, outcome: Outcome) -> int:
        """Readings that confirm `outcome`; one for what is no change."""
        return {Outcome.DRIFTED: self.drifted, Outcome.GONE: self.gone}.get(outcome, 1)


@dataclass(frozen=True, slots=True)
class Reading:
    """One verdict on one capture, as far as history asks.

    `time` is aware. `key` is equal for equal values (see `found_key`), and
    matters for `drifted` alone. `capture` says which capture it was, and comes back untouched.
    """

    time: datetime
    outcome: Outcome
    reason: Reason
    found: Found = None
    key: str = ""
    capture: str = ""


@dataclass(frozen=True, slots=True)
class Event:
    """One confirmed change of a claim, from opening to close.

    Attributes:
        opened: when the change was confirmed.
        stated: what we stated then.
        outcome: `drifted` or `gone`, as last updated; `reason` likewise.
        found: what the page gives instead, as last updated; None for `gone`.
        since: when the change was first seen.
        capture: of the reading that confirmed it, or updated it last.
        closed: None while it is open.
        how: it closed: `held`, `accepted` or `edited`; None while it is open.
        updated: when another value replaced `found`, last; None if never.
        reopened: how often it opened again within seven days.
    """

    opened: datetime
    stated: Found
    outcome: Outcome
    reason: Reason
    found: Found
    since: datetime
    capture: str = ""
    closed: datetime | None = None
    how: str | None = None
    updated: datetime | None = None
    reopened: int = 0


@dataclass(frozen=True, slots=True)
class Tries:
    """The captures since the last one that was read: why the newest failed, since when, how many."""

    reason: Reason
    since: datetime
    tries: int


@dataclass(frozen=True, slots=True)
class History:
    """All that a claim's readings say together.

    Attributes:
        present: the reading that gives the present verdict; None where the claim was never read.
        outcome: the present verdict; `unread` where the claim was never read.
        reason: of the present verdict; None where nothing was ever tried.
        confirmed: whether enough readings agree; None where that is no question (unclear, unread).
        suspected: a change that is not confirmed yet: to be read again soon, and told to nobody.
        accepted: the page states what `accepted` says that we know of.
        unread: stands beside the verdict where the newest capture was not read.
        since: the first of the agreeing readings that lead to the present one.
        changed: the readings between which the page changed to what it states now.
        stale_after: twice the interval after the present reading.
        events: oldest first; only the last can be open.
    """

    present: Reading | None
    outcome: Outcome
    reason: Reason | None
    confirmed: bool | None = None
    suspected: bool = False
    accepted: bool = False
    unread: Tries | None = None
    since: datetime | None = None
    changed: tuple[datetime, datetime] | None = None
    stale_after: datetime | None = None
    events: tuple[Event, ...] = ()

    @property
    def event(self) -> Event | None:
        """The open event, if there is one."""
        return self.events[-1] if self.events and self.events[-1].closed is None else None
