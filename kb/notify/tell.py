"""What is to be told of an event on one channel, given what was told there before."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from kb.claims.claim import Claim
from kb.judging.stated import found_key
from kb.report import Summary
from kb.store import ClaimNow, EventNow

OPENED, UPDATED, REOPENED, CLOSED = "opened", "updated", "reopened", "closed"

Value = str | list[str] | None


@dataclass(frozen=True, slots=True)
class Tell:
    """One thing to tell, as it is remembered: an event's opening, update, reopening or close.

    `how` it closed is `held`, `accepted`, `edited`, or `withdrawn` where the event is no
    longer there (the claim was removed, or the archive is judged otherwise).
    """

    event: str
    claim: str
    action: str
    verdict: str
    stated: Value
    found: Value
    how: str | None = None

    def to_json(self) -> dict[str, Any]:
        """As a line of the log has it."""
        return asdict(self)


def tell_of(data: Mapping[str, Any]) -> Tell:
    """A tell read back from the log; keys that are missing are empty."""
    return Tell(
        event=str(data.get("event", "")),
        claim=str(data.get("claim", "")),
        action=str(data.get("action", "")),
        verdict=str(data.get("verdict", "")),
        stated=data.get("stated"),
        found=data.get("found"),
        how=data.get("how"),
    )


def due(
    summary: Summary, told: Mapping[str, Tell], failed: frozenset[str], whole: bool = True
) -> Iterator[Tell]:
    """What a channel is to be told now, oldest event first.

    What was told is compared by claim and value, so that a database built anew, whose
    events may bear other times, repeats nothing.

    Args:
        summary: of all claims.
        told: the last thing told of each claim, on this channel.
        failed: events of which the channel should have been told, and was not.
        whole: whether all claims files were read; else what is not there may only be left out.
    """
    newest: dict[str, EventNow] = {}
    by_id: dict[str, EventNow] = {}
    for event in reversed(summary.events):
        newest[event.claim] = event
        by_id[event.id] = event
    claims = {c.id: c for c in summary.claims}
    for claim_id, event in sorted(newest.items(), key=lambda pair: (pair[1].opened, pair[0])):
        last = told.get(claim_id)
        earlier = by_id.get(last.event) if last and last.action != CLOSED else None
        if last and earlier and earlier.id != event.id and not _same(claims[claim_id], last, event):
            yield _closing(last, earlier)
            last = None
        yield from _of_event(claims[claim_id], event, last, event.id in failed)
    if whole:
        for claim_id, last in sorted(told.items()):
            if claim_id not in newest and last.action != CLOSED:
                yield _closing(last, None)


def _of_event(claim: ClaimNow, event: EventNow, last: Tell | None, failed: bool) -> Iterator[Tell]:
    if last is None or last.action == CLOSED:
        if event.closed is None:
            again = last is not None and last.event == event.id
            yield _tell(event, REOPENED if again else OPENED)
        elif failed:
            yield _tell(event, CLOSED)  # it was to be told when it opened, and could not be
    elif event.closed is not None:
        yield _closing(last, event)
    elif not _same(claim, last, event):
        yield replace(_tell(event, UPDATED), event=last.event)  # it goes on being that event to them


def _same(claim: ClaimNow, last: Tell, event: EventNow) -> bool:
    """Whether what was told last is what the event says now."""
    if last.verdict != event.verdict:
        return False
    return event.verdict == "gone" or value_key(claim, last.found) == value_key(claim, event.found)


def value_key(claim: ClaimNow, value: Value) -> str:
    """A text that is equal for two spellings of one value."""
    probe = Claim(
        id=claim.id,
        subject=claim.subject,
        kind=claim.kind,
        value="",
        attribute=claim.attribute or "",
        per=claim.per,
    )
    return found_key(probe, tuple(value) if isinstance(value, list) else value)


def _tell(event: EventNow, action: str) -> Tell:
    return Tell(event.id, event.claim, action, event.verdict, event.stated, event.found, event.how)


def _closing(last: Tell, event: EventNow | None) -> Tell:
    how = (event.how if event else None) or "withdrawn"
    return Tell(last.event, last.claim, CLOSED, last.verdict, last.stated, last.found, how)
