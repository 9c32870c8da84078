"""From candidates to a verdict: what leads, by how much, and what that allows us to say."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import exp

from kb.judging import thresholds as t
from kb.judging.candidate import Anchor, Candidate
from kb.judging.direction import OPEN, differ, direction_at
from kb.judging.evidence import evidence_at
from kb.judging.fit import Answer, squeezed
from kb.judging.reading import PageReading
from kb.judging.spelling import verbatim, whole_span
from kb.judging.unrivalled import better_named, in_our_place, ours_unrivalled
from kb.judging.verdict import Evidence, Other, Verdict
from kb.quantity import same_basis
from kb.reasons import Outcome, Reason

_UNCLEAR = {
    Answer.BOUND_UNCLEAR: Reason.SEVERAL_VALUES,
    Answer.BASIS: Reason.BASIS_DIFFERS,
    Answer.READINGS: Reason.TWO_READINGS,
    Answer.COARSER: Reason.WEAK_MATCH,
    Answer.RESTRICTED: Reason.WEAK_MATCH,
}
_HOLDS = {
    Answer.VERBATIM: Reason.VERBATIM,
    Answer.SAME: Reason.RESPELLED,
    Answer.WITHIN: Reason.WITHIN,
}

OTHERS = 3
_BASIS = re.compile(r"\s(?:(?:for|on|in|to)\s)?(?:per|each)\s(?!.*\s(?:per|each)\s)[^()]*$")


@dataclass(frozen=True, slots=True)
class Claimed:
    """What the claim states, in words; `directed`: such a value may have a direction."""

    value: str
    per: str | None
    direction: str | None = None
    directed: bool = False


@dataclass(frozen=True, slots=True)
class Odds:
    """How likely each answer is: our value, each other value, and none; together one."""

    ours: float
    others: tuple[tuple[float, Candidate], ...]
    none: float


def odds(candidates: Sequence[Candidate]) -> Odds:
    """The candidates' totals as probabilities; mentions of one value stand by each other.

    Each other value comes with its best candidate, the likeliest first.
    """
    racing = candidates[: t.RACING]
    top = max((c.total for c in racing), default=0.0)
    shift = max(0.0, top)
    none = exp(-shift)
    ours = 0.0
    others: dict[str, float] = {}
    first: dict[str, Candidate] = {}
    for c in racing:
        mass = exp(c.total - shift)
        if c.fit.answer.holds:
            ours += mass
        else:
            key = _value_key(c)
            others[key] = others.get(key, 0.0) + mass
            first.setdefault(key, c)
    whole = none + ours + sum(others.values())
    ranked = sorted(
        others, key=lambda key: (-others[key], first[key].mention.block, first[key].mention.start)
    )
    return Odds(ours / whole, tuple((others[k] / whole, first[k]) for k in ranked), none / whole)


def _value_key(c: Candidate) -> str:
    q = c.mention.quantity
    if c.fit.size is not None:
        return str(c.fit.size)
    if q is not None:
        return f"{q.value} {q.high} {q.unit} {q.per}"
    return c.mention.date.value if c.mention.date is not None else squeezed(c.mention.text)


def decide(
    reading: PageReading,
    candidates: Sequence[Candidate],
    anchor: Anchor | None,
    *,
    seen: bool,
    stated: str = "",
    claimed: Claimed,
) -> Verdict:
    """Say what became of a claim whose candidates are given, best first.

    Args:
        reading: the page.
        candidates: all mentions in the race.
        anchor: where the claim stood, None if that is not known.
        seen: whether an earlier capture or the quote had our value.
        stated: the passage that had it, for the verdict's detail.
        claimed: what the claim states, for the detail; its basis `found` need not repeat.
    """
    said = odds(candidates)
    ours = next((c for c in candidates if c.fit.answer.holds), None)
    p_other, other = said.others[0] if said.others else (0.0, None)
    other = _before_gloss(reading, other, candidates) if other is not None else None
    second = said.others[1][0] if len(said.others) > 1 else 0.0
    if ours is not None and said.ours >= p_other and _sure(said, p_other, ours, placed=anchor is not None):
        return _verdict(reading, _HOLDS[ours.fit.answer], ours, candidates, said.ours, claimed)
    if other is not None and p_other >= max(said.none, said.ours):
        if other.fit.answer in _UNCLEAR:
            return _verdict(reading, _UNCLEAR[other.fit.answer], other, candidates, p_other, claimed)
        if p_other >= max(t.LEAD_DRIFTED * second, t.LEAD_OURS * said.ours):
            reason = Reason.CHANGED if seen else Reason.DIFFERS
            return _verdict(reading, reason, other, candidates, p_other, claimed)
    if said.none >= max(t.LEAD_GONE * p_other, t.LEAD_LOST * said.ours):
        alone = _alone(ours, other) if anchor is not None else None
        if alone is not None and ours is not None:
            reason = _HOLDS[ours.fit.answer] if alone is Outcome.HOLDS else Reason.WEAK_MATCH
            score = t.ALONE_SCORE if alone is Outcome.HOLDS else said.none
            return _verdict(reading, reason, ours, candidates, score, claimed)
        return gone(reading, candidates, seen=seen, stated=stated, score=said.none)
    lead = ours if other is None or (ours is not None and said.ours >= p_other) else other
    if lead is None:
        return gone(reading, candidates, seen=seen, stated=stated, score=said.none)
    weak = said.none >= max(said.ours, p_other)
    reason = Reason.WEAK_MATCH if weak else Reason.SEVERAL_VALUES
    return _verdict(reading, reason, lead, candidates, max(said.ours, p_other), claimed)


def settle(
    reading: PageReading, candidates: Sequence[Candidate], *, placed: bool, seen: bool, claimed: Claimed
) -> Verdict | None:
    """What a race that is too close by its odds comes to, by how the values are named; None: it stays so."""
    said = odds(candidates)
    if (ours := ours_unrivalled(candidates, placed=placed)) is not None:
        score = max(said.ours, t.ALONE_SCORE)
        return _verdict(reading, _HOLDS[ours.fit.answer], ours, candidates, score, claimed)
    (p_other, other), (second, _) = (*said.others, (0.0, None), (0.0, None))[:2]
    better = better_named(candidates, other, placed=placed)
    if better is None and placed and said.ours + p_other >= t.BETWEEN_TWO:
        better = in_our_place(candidates, other)
    if better is not None and p_other >= max(t.LEAD_DRIFTED * second, said.none):
        reason = Reason.CHANGED if seen else Reason.DIFFERS
        return _verdict(reading, reason, better, candidates, p_other, claimed)
    return None


def _before_gloss(reading: PageReading, chosen: Candidate, candidates: Sequence[Candidate]) -> Candidate:
    """The value that one in a bracket spells anew, right before it: the 300s of `300s (5 mins)`."""
    at = chosen.mention
    text = reading.blocks[at.block].text
    if text[at.start - 1 : at.start] != "(" or text[at.end : at.end + 1] != ")":
        return chosen
    key, end = _value_key(chosen), len(text[: at.start - 1].rstrip())
    same = (c for c in candidates if (c.mention.block, c.mention.end) == (at.block, end))
    return next((c for c in same if _value_key(c) == key), chosen)


def _sure(said: Odds, other: float, ours: Candidate, *, placed: bool) -> bool:
    """Whether our value stands, if it leads: a number that the page had before is seldom there by chance."""
    if not placed or ours.mention.textual:
        return said.ours >= t.SURE_HOLDS
    unrivalled = said.ours >= said.none and other <= t.UNRIVALLED * said.ours
    return unrivalled or said.ours >= t.SURE_HOLDS_PLACED


def _alone(ours: Candidate | None, other: Candidate | None) -> Outcome | None:
    """What our value says where the claim stood that no other comes near; None: nothing.

    A page that lost a statement seldom keeps its value in the likeliest place.
    """
    if ours is None or ours.total <= t.ALONE_LEAST:
        return None
    lead = ours.total - other.total if other is not None else t.NO_RIVAL
    return Outcome.HOLDS if lead > t.ALONE_BY else Outcome.UNCLEAR if lead > 0 else None


def found_text(reading: PageReading, candidate: Candidate, per: str | None = None) -> str:
    """The value as the page writes it: with its words or sign of bound, and a gloss that follows at once.

    A basis that the claim states apart, in `per`, is left out where the page has the same.
    """
    mention = candidate.mention
    text = reading.blocks[mention.block].text
    start, end = whole_span(text, mention)
    found = text[start:end]
    q = mention.quantity
    if per and q is not None and q.per and same_basis(per, q.per):
        found = _BASIS.sub("", found) or found
    return found


def _evidence(reading: PageReading, candidate: Candidate) -> Evidence:
    mention = candidate.mention
    return evidence_at(reading, mention.block, mention.start, mention.end)


def _others(
    reading: PageReading, chosen: Candidate | None, candidates: Sequence[Candidate]
) -> tuple[Other, ...]:
    out: list[Other] = []
    said = {chosen.mention.text} if chosen else set()
    best = candidates[0].total if candidates else 0.0
    for c in candidates:
        if c is chosen or c.mention.text in said:
            continue
        if c.total < best - t.IN_THE_RACE:
            break
        said.add(c.mention.text)
        chance = exp(c.total) / (1 + exp(c.total)) if c.total < 30 else 1.0
        out.append(Other(found_text(reading, c), round(chance, 4), _evidence(reading, c)))
        if len(out) == OTHERS:
            break
    return tuple(out)


def _verdict(
    reading: PageReading,
    reason: Reason,
    chosen: Candidate,
    candidates: Sequence[Candidate],
    score: float,
    claimed: Claimed,
) -> Verdict:
    found = found_text(reading, chosen, claimed.per)
    if reason is Reason.RESPELLED and verbatim(claimed.value, found):
        reason = Reason.VERBATIM
    direction = direction_at(reading, chosen.mention) if claimed.directed else None
    silent = _silent(chosen, claimed, direction)
    return Verdict(
        outcome=reason.outcome,
        reason=reason,
        detail="; ".join(
            filter(None, (_detail(reason, found, chosen, candidates, claimed, direction), silent))
        ),
        found=found,
        score=round(score * (t.SILENT if silent else 1.0), 4),
        evidence=_evidence(reading, chosen),
        others=_others(reading, chosen, candidates),
    )


def _silent(chosen: Candidate, claimed: Claimed, direction: str | None) -> str:
    """What only one side states of basis and direction, in words."""
    q = chosen.mention.quantity
    if not chosen.fit.answer.holds or q is None:
        return ""
    out = []
    if claimed.per and claimed.per != OPEN and not q.per:
        out.append("the page states no basis beside it")
    if claimed.direction and claimed.direction != OPEN and direction is None:
        out.append("the page states no direction beside it")
    elif direction is not None and claimed.direction in (None, OPEN):
        out.append(f"the page says {direction}, the claim states no direction")
    return "; ".join(out)


def _detail(
    reason: Reason,
    found: str,
    chosen: Candidate,
    candidates: Sequence[Candidate],
    claimed: Claimed,
    direction: str | None,
) -> str:
    """Why, in words, with both values."""
    q = chosen.mention.quantity
    basis = f"per {q.per}" if q is not None and q.per else "no basis"
    rival = next((c.mention.text for c in candidates if c.mention.text != chosen.mention.text), "")
    words = {
        Reason.VERBATIM: "",
        Reason.RESPELLED: f"{found} is {claimed.value} in another spelling",
        Reason.WITHIN: f"{found} lies within {claimed.value}",
        Reason.CHANGED: f"{claimed.value} before, {found} now",
        Reason.DIFFERS: f"{claimed.value} claimed, {found} found",
        Reason.SEVERAL_VALUES: f"{found} or {rival}: neither leads"
        if rival
        else f"{found} against {claimed.value}",
        Reason.WEAK_MATCH: f"{found} is the best match, and no good one",
        Reason.BASIS_DIFFERS: f"the page gives {found} ({basis}), the claim is per {claimed.per}",
        Reason.TWO_READINGS: f"{found} can be read in two ways",
    }
    said = words.get(reason, "")
    if chosen.fit.answer is Answer.RESTRICTED:
        said = f"a footnote restricts {found}"
    if reason is Reason.BASIS_DIFFERS and differ(claimed.direction, direction):
        said = f"the page gives {found} ({direction}), the claim is {claimed.direction}"
    return said


def gone(
    reading: PageReading, candidates: Sequence[Candidate], *, seen: bool, stated: str, score: float
) -> Verdict:
    """Nothing on the page answers: the nearest passage is shown, and where the value stood."""
    near = candidates[0] if candidates else None
    reason = Reason.REMOVED if seen else Reason.NEVER_FOUND
    return Verdict(
        outcome=reason.outcome,
        reason=reason,
        detail=f"it stood in: {stated}" if stated else "",
        score=round(score, 4),
        evidence=_evidence(reading, near) if near else None,
        others=_others(reading, None, candidates[:OTHERS]),
    )
