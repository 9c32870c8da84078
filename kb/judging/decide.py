"""From candidates to a verdict: what leads, by how much, and what that allows us to say."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kb.judging import thresholds as t
from kb.judging.candidate import Anchor, Candidate, trust_in_place
from kb.judging.evidence import evidence_at
from kb.judging.fit import Answer
from kb.judging.reading import PageReading
from kb.judging.verdict import Evidence, Other, Verdict
from kb.reasons import Reason

_UNCLEAR = {
    Answer.BOUND_UNCLEAR: Reason.SEVERAL_VALUES,
    Answer.BASIS: Reason.BASIS_DIFFERS,
    Answer.READINGS: Reason.TWO_READINGS,
    Answer.COARSER: Reason.WEAK_MATCH,
}
_HOLDS = {
    Answer.VERBATIM: Reason.VERBATIM,
    Answer.SAME: Reason.RESPELLED,
    Answer.WITHIN: Reason.WITHIN,
}

OTHERS = 3
_GLOSS = re.compile(r"\s?\([^()\n]{1,40}\)")


def decide(
    reading: PageReading,
    candidates: Sequence[Candidate],
    anchor: Anchor | None,
    *,
    seen: bool,
    stated: str = "",
) -> Verdict:
    """Say what became of a claim whose candidates are given, best first.

    Args:
        reading: the page.
        candidates: all mentions in the race.
        anchor: where the claim stood, None if that is not known.
        seen: whether an earlier capture or the quote had our value.
        stated: the passage that had it, for the verdict's detail.
    """
    trust = trust_in_place(candidates) if anchor is not None else None
    floor = _floor(trust, t.FLOOR_NAMED, t.FLOOR_LOST, t.FLOOR_PLACED)
    ours = next((c for c in candidates if c.fit.answer.holds), None)
    other = next((c for c in candidates if not c.fit.answer.holds), None)
    slack = slack_for(ours)
    lead = (ours.total if ours else 0.0) - (other.total if other else 0.0)
    if ours is not None and lead >= -slack and ours.total >= floor - t.OURS_LOWER:
        return _verdict(reading, _HOLDS[ours.fit.answer], ours, candidates, lead + slack)
    if other is None or other.total < floor:
        weak = other if other is not None and (ours is None or other.total > ours.total) else ours
        if weak is not None and weak.total >= floor - t.WEAK:
            return _verdict(reading, Reason.WEAK_MATCH, weak, candidates, 0.0)
        return _gone(reading, candidates, seen=seen, stated=stated, floor=floor)
    if other.fit.answer in _UNCLEAR:
        return _verdict(reading, _UNCLEAR[other.fit.answer], other, candidates, 0.0)
    if -lead >= slack + t.MARGIN:
        reason = Reason.CHANGED if seen else Reason.DIFFERS
        return _verdict(reading, reason, other, candidates, -lead)
    return _verdict(reading, Reason.SEVERAL_VALUES, other, candidates, 0.0)


def _floor(trust: float | None, named: float, lost: float, placed: float) -> float:
    """The least total: without an earlier place, where it is lost, and where it is sure."""
    return named if trust is None else lost + (placed - lost) * trust


def slack_for(ours: Candidate | None) -> float:
    """By how much our own value may be behind and still lead: a long number is there by chance less often."""
    if ours is None:
        return 0.0
    digits = re.sub(r"\D", "", ours.mention.text).strip("0")
    return min(t.SLACK_MOST, t.SLACK + t.SLACK_DIGIT * max(0, len(digits) - 1))


def found_text(reading: PageReading, candidate: Candidate) -> str:
    """The value as the page writes it, with a gloss in brackets that follows at once."""
    mention = candidate.mention
    text = reading.blocks[mention.block].text
    if gloss := _GLOSS.match(text, mention.end):
        return text[mention.start : gloss.end()]
    return text[mention.start : mention.end]


def _evidence(reading: PageReading, candidate: Candidate) -> Evidence:
    mention = candidate.mention
    return evidence_at(reading, mention.block, mention.start, mention.end)


def _others(
    reading: PageReading, chosen: Candidate | None, candidates: Sequence[Candidate]
) -> tuple[Other, ...]:
    out: list[Other] = []
    said = {chosen.mention.text} if chosen else set()
    for c in candidates:
        if c is chosen or c.mention.text in said:
            continue
        if chosen is not None and c.total < chosen.total - 0.3:
            break
        said.add(c.mention.text)
        out.append(Other(found_text(reading, c), round(min(1.0, c.total), 4), _evidence(reading, c)))
        if len(out) == OTHERS:
            break
    return tuple(out)


def _verdict(
    reading: PageReading, reason: Reason, chosen: Candidate, candidates: Sequence[Candidate], lead: float
) -> Verdict:
    sure = min(1.0, max(0.0, lead) / 0.4)
    return Verdict(
        outcome=reason.outcome,
        reason=reason,
        found=found_text(reading, chosen),
        score=round(min(1.0, chosen.total) * (0.6 + 0.4 * sure), 4),
        evidence=_evidence(reading, chosen),
        others=_others(reading, chosen, candidates),
    )


def _gone(
    reading: PageReading, candidates: Sequence[Candidate], *, seen: bool, stated: str, floor: float
) -> Verdict:
    near = candidates[0] if candidates else None
    total = near.total if near else 0.0
    reason = Reason.REMOVED if seen else Reason.NEVER_FOUND
    return Verdict(
        outcome=reason.outcome,
        reason=reason,
        detail=f"it stood in: {stated}" if stated else "",
        score=round(0.6 + 0.4 * min(1.0, (floor - total) / floor), 4),
        evidence=_evidence(reading, near) if near else None,
        others=_others(reading, None, candidates[:OTHERS]),
    )
