"""Verdicts taken back: a page that is mostly new, and labels in a language that the claim does not speak."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kb.claims.claim import Claim
from kb.judging import thresholds as t
from kb.judging.candidate import Candidate
from kb.judging.fit import KIN_SAME
from kb.judging.language import language_of
from kb.judging.reading import PageReading
from kb.judging.verdict import Verdict
from kb.judging.words import keys
from kb.reasons import Outcome, Reason


def doubted(
    claim: Claim,
    reading: PageReading,
    base: PageReading | None,
    candidates: Sequence[Candidate],
    verdict: Verdict,
) -> Verdict:
    """The verdict, or the doubt that the page as a whole casts on it (design, sections 4 and 9)."""
    if claim.kind == "figure" and verdict.outcome is not Outcome.UNCLEAR and _foreign(claim, reading):
        verdict = _in_other_words(candidates, verdict)
    sure = {
        Outcome.UNCLEAR: t.RESTRUCTURED_SURE,
        Outcome.DRIFTED: _sure_change(reading, candidates, verdict),
        Outcome.GONE: t.RESTRUCTURED_GONE,
    }.get(verdict.outcome, 0.0)
    doubtful = verdict.reason not in (Reason.BASIS_DIFFERS, Reason.TWO_READINGS)
    if base is not None and candidates and doubtful and verdict.score < sure and rewritten(base, reading):
        found = verdict.found or candidates[0].mention.text
        return replace(
            verdict,
            outcome=Outcome.UNCLEAR,
            reason=Reason.RESTRUCTURED,
            found=found,
            detail=f"most of the page is new, and {found} is the best match",
        )
    return verdict


def _sure_change(reading: PageReading, candidates: Sequence[Candidate], verdict: Verdict) -> float:
    """The score from which on a change stands on a rewritten page.

    Words that name the claim say what a value is in any edition, and so do rows and labels.
    """
    if not candidates:
        return t.RESTRUCTURED_DRIFTED
    said = verdict.found or ""
    new = next((c for c in candidates if not c.fit.answer.holds and c.mention.text in said), candidates[0])
    if min(new.signs[t.SUBJECT_SIGN], new.signs[t.ATTRIBUTE_SIGN]) >= t.RESTRUCTURED_NAMED:
        return 0.0
    labelled = bool(reading.blocks[candidates[0].mention.block].row)
    return t.RESTRUCTURED_LABELLED if labelled else t.RESTRUCTURED_DRIFTED


def rewritten(base: PageReading, reading: PageReading) -> bool:
    """Whether most of the page's longer texts stood on the earlier one in no edition, digits aside."""
    long = [
        masked
        for b, masked in zip(reading.blocks, reading.masked(), strict=True)
        if b.role == "content" and len(b.text) >= t.TEXT_LEAST
    ]
    before = frozenset(base.masked())
    kept = sum(text in before for text in long)
    return bool(long) and kept <= (1 - t.RESTRUCTURED_NEW) * len(long)


def _foreign(claim: Claim, reading: PageReading) -> bool:
    """Whether the page speaks another language than the claim, and none of its attribute's words."""
    if reading.lang is None or not claim.attribute:
        return False
    spoken = language_of([claim.subject, claim.attribute, claim.quote or "", claim.context or ""]) or "en"
    return reading.lang != spoken and not any(reading.often(key) for key in keys(claim.attribute))


def _in_other_words(candidates: Sequence[Candidate], verdict: Verdict) -> Verdict:
    """Only the one quantity of its dimension under the subject may answer labels that we cannot read."""
    named = max((c.named for c in candidates), default=0.0)
    same = {
        (c.mention.quantity.value, c.mention.quantity.high, c.mention.quantity.unit)
        for c in candidates
        if c.mention.quantity is not None and c.fit.kin >= KIN_SAME and c.named >= named - t.SAME_SUBJECT
    }
    if verdict.outcome is Outcome.HOLDS and len(same) <= 1:
        said = "the page's labels are in another language"
        detail = f"{verdict.detail}; {said}" if verdict.detail else said
        return replace(verdict, score=round(verdict.score * t.OTHER_LANGUAGE, 4), detail=detail)
    if verdict.outcome is Outcome.GONE and (not same or named < t.APPEARED):
        return verdict
    found = verdict.found or next(c.mention.text for c in candidates if c.fit.kin >= KIN_SAME)
    return replace(
        verdict,
        found=found,
        outcome=Outcome.UNCLEAR,
        reason=Reason.SEVERAL_VALUES if len(same) > 1 else Reason.WEAK_MATCH,
        detail=f"{found}: the page's labels are in another language",
        score=round(verdict.score * t.OTHER_LANGUAGE, 4),
    )
