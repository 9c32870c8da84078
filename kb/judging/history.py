"""What a claim's readings say together: present verdict, confirmed or suspected, events, freshness.

One rule for all of it (design, section 4), pure: the clock never enters, so a
knowledge base that is built again on another day says the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta

from kb.claims.claim import Claim, Was
from kb.judging.events import Confirm, Event, History, Reading, Tries
from kb.judging.stated import first_day, found_key, last_day
from kb.judging.verdict import Found
from kb.reasons import Outcome, Reason

REOPENS = timedelta(days=7)
"""An event that opens again so soon after it closed is the same event."""

_GRACE = timedelta(days=1)  # a capture may be so much older than `retrieved` and still speak of the present


def tell(
    claim: Claim,
    readings: Iterable[Reading],
    confirm: Confirm | None = None,
    every: timedelta = timedelta(days=7),
    key: Callable[[Claim, Found], str] = found_key,
) -> History:
    """Say what `readings` of `claim` mean together.

    Args:
        claim: with `retrieved`, `was` and `accepted` deciding what counts for what.
        readings: in any order; each judged against what was in force that day (`stated_on`).
        confirm: the rule of confirmation.
        every: the interval of the claim's source.
        key: how values compare; see `found_key`.

    Design, section 4.
    """
    ordered = sorted(readings, key=lambda r: (r.time, r.capture))
    story = _Story(claim, confirm or Confirm(), key)
    for reading in ordered:
        story.read(reading)
    story.end()
    return story.told(every)


@dataclass(slots=True)
class _Streak:
    token: tuple[Outcome, str]
    first: datetime
    last: datetime
    count: int = 1


@dataclass(slots=True)
class _Story:
    """Goes through the readings in order of time."""

    claim: Claim
    confirm: Confirm
    key: Callable[[Claim, Found], str]
    was: Sequence[Was] = ()
    keys: list[str] = field(default_factory=list)  # of each value ever in force, the present one last
    limit: datetime | None = None  # older captures are history
    accepted_on: date | None = None
    accepted_key: str = ""
    present: Reading | None = None
    accepted: bool = False
    trying: list[Reading] = field(default_factory=list)
    streak: _Streak | None = None
    period: int = 0  # of the readings in the streak and of the open event
    settled: int = 0  # periods before this one are known to be over
    closed_accepted: bool = False
    events: list[Event] = field(default_factory=list)
    run: tuple[str, str] | None = None  # what the page states, in consecutive readings
    since: datetime | None = None
    changed: tuple[datetime, datetime] | None = None
    last_read: datetime | None = None

    def __post_init__(self) -> None:
        self.was = sorted(self.claim.was, key=lambda w: last_day(w.until))
        self.keys = [self.key(self.claim, w.value) for w in self.was] + [
            self.key(self.claim, self.claim.value)
        ]
        if self.claim.retrieved:
            self.limit = _start(first_day(self.claim.retrieved)) - _GRACE
        if self.claim.accepted is not None:
            self.accepted_on = first_day(self.claim.accepted.on)
            self.accepted_key = self.key(self.claim, self.claim.accepted.found)

    # -- one reading ------------------------------------------------------------------

    def read(self, reading: Reading) -> None:
        old = self.limit is not None and reading.time < self.limit
        if reading.outcome is Outcome.UNREAD:
            if not old:
                self.trying.append(reading)
            return
        period = self._period(reading)
        history = old and period == len(self.was)  # judged against a later edit: makes no events
        if not history:
            period, reading = self._edited(period, reading)
        self._run(period, reading)
        if not old:
            self.present, self.trying = self._now(period, reading), []
        if not history:
            self._change(period, reading)

    def _period(self, reading: Reading) -> int:
        day = reading.time.astimezone(UTC).date()
        return sum(1 for w in self.was if last_day(w.until) < day)

    def _edited(self, period: int, reading: Reading) -> tuple[int, Reading]:
        """Close what an edit of the claim ended, and see that reading in the light of it.

        On the day of the edit itself readings stand before and after it. Those that
        follow an event to the very value that we then took over stand after it.
        """
        event = self._open()
        if period > self.period:
            if event is not None:
                self._close(self._edit_time(event), "edited")
            self.period, self.streak, self.closed_accepted = period, None, False
        elif (
            event is not None
            and period < len(self.was)
            and event.found is not None
            and self.key(self.claim, event.found) == self.keys[period + 1]
            and reading.time > (event.updated or event.opened)
            and reading.time.astimezone(UTC).date() == last_day(self.was[period].until)
        ):
            self._close(self._edit_time(event), "edited")
            self.period = self.settled = period + 1
            self.streak = None
        if period < self.settled:
            reading = self._against(self.settled, period, reading)
            period = self.settled
        return period, reading

    def _against(self, other: int, period: int, reading: Reading) -> Reading:
        """The reading of one period's value as a reading of another's, as far as values tell."""
        if reading.outcome not in (Outcome.HOLDS, Outcome.DRIFTED):
            return reading
        states = self.keys[period] if reading.outcome is Outcome.HOLDS else reading.key
        if states == self.keys[other]:
            return self._holding(reading, other)
        return replace(reading, outcome=Outcome.DRIFTED, reason=Reason.CHANGED, key=states)

    def _holding(self, reading: Reading, period: int) -> Reading:
        value = self.claim.value if period == len(self.was) else self.was[period].value
        reason = Reason.VERBATIM if reading.found == value else Reason.RESPELLED
        return replace(reading, outcome=Outcome.HOLDS, reason=reason)

    def _now(self, period: int, reading: Reading) -> Reading:
        """The reading as the present verdict: a change to the value that we now state holds."""
        if (
            period < len(self.was)
            and reading.outcome is Outcome.DRIFTED
            and reading.key == self.keys[-1]
            and reading.key
        ):
            return self._holding(reading, len(self.was))
        return reading

    def _run(self, period: int, reading: Reading) -> None:
        if reading.outcome is Outcome.HOLDS:
            states = ("value", self.keys[period])
        elif reading.outcome is Outcome.DRIFTED:
            states = ("value", reading.key)
        else:
            states = (str(reading.outcome), "")
        if states != self.run:
            if self.last_read is not None:
                self.changed = (self.last_read, reading.time)
            self.run, self.since = states, reading.time
        self.last_read = reading.time

    # -- events -----------------------------------------------------------------------

    def _change(self, period: int, reading: Reading) -> None:
        self._accept(reading)
        self.accepted = self._is_accepted(period, reading)
        if self.accepted or reading.outcome is Outcome.HOLDS:
            self.streak = None
            if self._open() is not None:
                self._close(reading.time, "accepted" if self.accepted else "held")
            return
        if reading.outcome is Outcome.UNCLEAR:
            self.streak = None
            return
        token = (reading.outcome, reading.key if reading.outcome is Outcome.DRIFTED else "")
        if self.streak is None or self.streak.token != token:
            self.streak = _Streak(token, reading.time, reading.time)
        elif reading.time - self.streak.last >= self.confirm.apart:
            self.streak.last = reading.time
            self.streak.count += 1
        if self._confirmed():
            self._tell(period, reading)

    def _accept(self, reading: Reading) -> None:
        """Close the event that `accepted` answers, at the first reading since."""
        event = self._open()
        if (
            event is not None
            and self.accepted_on is not None
            and self.period == len(self.was)
            and reading.time.astimezone(UTC).date() >= self.accepted_on
            and event.outcome is Outcome.DRIFTED
            and self.key(self.claim, event.found) == self.accepted_key
        ):
            self._close(max(event.opened, _start(self.accepted_on)), "accepted")
            self.closed_accepted = True

    def _is_accepted(self, period: int, reading: Reading) -> bool:
        return (
            self.accepted_on is not None
            and period == len(self.was)
            and reading.outcome is Outcome.DRIFTED
            and reading.key == self.accepted_key
            and (self.closed_accepted or reading.time.astimezone(UTC).date() > self.accepted_on)
        )

    def _confirmed(self) -> bool:
        return self.streak is not None and self.streak.count >= self.confirm.needed(self.streak.token[0])

    def _tell(self, period: int, reading: Reading) -> None:
        """Open, reopen or update the event; nothing where it says so already."""
        streak = self.streak
        if streak is None:
            return
        stated = self.claim.value if period == len(self.was) else self.was[period].value
        last = self.events[-1] if self.events else None
        if last is not None and last.closed is None:
            same = (last.outcome, self.key(self.claim, last.found)) == (reading.outcome, reading.key)
            if not same and (last.outcome is not reading.outcome or reading.outcome is Outcome.DRIFTED):
                self.events[-1] = _updated(last, reading, updated=reading.time)
        elif (
            last is not None
            and last.how == "held"
            and last.stated == stated
            and last.closed is not None
            and reading.time - last.closed <= REOPENS
        ):
            reopened = replace(last, closed=None, how=None, reopened=last.reopened + 1)
            self.events[-1] = _updated(reopened, reading, updated=last.updated)
        else:
            self.events.append(
                Event(
                    opened=reading.time,
                    stated=stated,
                    outcome=reading.outcome,
                    reason=reading.reason,
                    found=reading.found,
                    since=streak.first,
                    capture=reading.capture,
                )
            )

    def _open(self) -> Event | None:
        return self.events[-1] if self.events and self.events[-1].closed is None else None

    def _close(self, when: datetime, how: str) -> None:
        self.events[-1] = replace(self.events[-1], closed=when, how=how)

    def _edit_time(self, event: Event) -> datetime:
        return max(event.opened, _start(last_day(self.was[self.period].until)))

    # -- the end ----------------------------------------------------------------------

    def end(self) -> None:
        """Close what was edited or accepted after the last reading."""
        event = self._open()
        if event is None:
            return
        if self.period < len(self.was):
            self._close(self._edit_time(event), "edited")
        elif (
            self.accepted_on is not None
            and event.outcome is Outcome.DRIFTED
            and self.key(self.claim, event.found) == self.accepted_key
        ):
            self._close(max(event.opened, _start(self.accepted_on)), "accepted")

    def told(self, every: timedelta) -> History:
        unread = None
        if self.trying:
            unread = Tries(self.trying[-1].reason, self.trying[0].time, len(self.trying))
        events = tuple(self.events)
        now = self.present
        if now is None:
            return History(
                None,
                Outcome.UNREAD,
                unread.reason if unread else None,
                unread=unread,
                since=unread.since if unread else None,
                events=events,
            )
        change = now.outcome in (Outcome.DRIFTED, Outcome.GONE)
        # `accepted` may be younger than the last reading, which then speaks of an accepted value too.
        accepted = self.accepted or (
            self.accepted_on is not None
            and now.outcome is Outcome.DRIFTED
            and now.key == self.accepted_key
            and self.period == len(self.was)
        )
        confirmed: bool | None = True if now.outcome is Outcome.HOLDS else None
        if change:
            # After an edit the old value's readings say nothing sure of the new one.
            confirmed = accepted or (self._confirmed() and self.period == len(self.was))
        return History(
            present=now,
            outcome=now.outcome,
            reason=now.reason,
            confirmed=confirmed,
            suspected=change and not confirmed,
            accepted=accepted and change,
            unread=unread,
            since=self.since,
            changed=self.changed,
            stale_after=now.time + 2 * every,
            events=events,
        )


def _updated(event: Event, reading: Reading, updated: datetime | None) -> Event:
    return replace(
        event,
        outcome=reading.outcome,
        reason=reading.reason,
        found=reading.found,
        capture=reading.capture,
        updated=updated,
    )


def _start(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=UTC)
