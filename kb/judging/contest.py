"""All that was in the race for one claim, with what spoke for and against each: for a person who asks why."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp

from kb.claims.claim import Claim
from kb.judging import thresholds as t
from kb.judging.candidate import Candidate
from kb.judging.decide import found_text
from kb.judging.evidence import evidence_at
from kb.judging.judgement import race
from kb.judging.reading import PageReading, reading_of
from kb.judging.verdict import Evidence
from kb.page import Page

CERTAIN = 30.0  # log odds beyond which a chance is one, or none


@dataclass(frozen=True, slots=True)
class Explained:
    """One candidate.

    Attributes:
        found: the value as the page writes it.
        answer: how it answers the claimed one, in one of the words of `fit.Answer`.
        score: how likely it states the claim, against the page's not stating it, 0 to 1.
        signs: what spoke for it (above nought) or against it, in log odds, the strongest first.
    """

    found: str
    answer: str
    score: float
    signs: tuple[tuple[str, float], ...]
    evidence: Evidence


def explained(claim: Claim, page: Page, baseline: Page | None = None) -> tuple[Explained, ...]:
    """The candidates for a claim of kind figure, date or text, best first; none for other kinds.

    Lists are looked for as a whole, and an absence has no value to look for.
    """
    if claim.kind not in ("figure", "date", "text"):
        return ()
    reading = reading_of(page)
    candidates, anchor = race(claim, reading, reading_of(baseline) if baseline is not None else None)
    weights = t.WEIGHTS_PLACED if anchor is not None else t.WEIGHTS
    return tuple(_explained(reading, claim, c, weights) for c in candidates)


def _explained(reading: PageReading, claim: Claim, c: Candidate, weights: dict[str, float]) -> Explained:
    named = dict(zip(weights, c.signs, strict=True))
    signs = {name: round(weight * named[name], 2) for name, weight in weights.items()}
    signs["by rule"] = round(c.total - sum(weight * named[name] for name, weight in weights.items()), 2)
    told = sorted(((n, s) for n, s in signs.items() if s), key=lambda sign: (-abs(sign[1]), sign[0]))
    total = max(-CERTAIN, min(CERTAIN, c.total))
    mention = c.mention
    return Explained(
        found=found_text(reading, c, claim.per),
        answer=c.fit.answer.value,
        score=round(1 / (1 + exp(-total)), 4),
        signs=tuple(told),
        evidence=evidence_at(reading, mention.block, mention.start, mention.end),
    )
