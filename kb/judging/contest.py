"""All that was in the race for one claim, with what spoke for and against each: for a person who asks why."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp

from kb.claims.claim import Claim
from kb.errors import ClaimsError
from kb.judging import thresholds as t
from kb.judging.absence import figures
from kb.judging.candidate import Candidate
from kb.judging.decide import found_text
from kb.judging.evidence import evidence_at
from kb.judging.judgement import race
from kb.judging.members import Region, differing, listed, members_of
from kb.judging.reading import PageReading, reading_of
from kb.judging.sought import Sought
from kb.judging.verdict import Evidence
from kb.page import Page

CERTAIN = 30.0  # log odds beyond which a chance is one, or none


@dataclass(frozen=True, slots=True)
class Explained:
    """One candidate.

    Attributes:
        found: the value as the page writes it; of a list what it lists, joined by commas.
        answer: how it answers the claimed one, in one of the words of `fit.Answer`; of a list its members
            there, missing and added; of an absence whether it ends it, and if not, why.
        score: how likely it states the claim, against the page's not stating it, 0 to 1.
        signs: what spoke for it (above nought) or against it, in log odds, the strongest first.
    """

    found: str
    answer: str
    score: float
    signs: tuple[tuple[str, float], ...]
    evidence: Evidence


def explained(claim: Claim, page: Page, baseline: Page | None = None) -> tuple[Explained, ...]:
    """The candidates for a claim, best first: values, parts of the page that may be its list, or figures that
    may end an absence.

    Raises:
        ClaimsError: `claim` is a formula, which no single page can answer.
    """
    reading, base = reading_of(page), reading_of(baseline) if baseline is not None else None
    if claim.kind == "formula":
        raise ClaimsError(
            "a formula follows from its inputs' verdicts; explain those, as no single page answers it"
        )
    if claim.kind == "list":
        return tuple(_part(reading, claim, r) for r in listed(claim, reading, base)[0])
    if claim.kind == "absent":
        return tuple(_figure(reading, c, why) for c, why in figures(claim, Sought.of(claim), reading, base))
    candidates, anchor = race(claim, reading, base)
    weights = t.WEIGHTS_PLACED if anchor is not None else t.WEIGHTS
    return tuple(_explained(reading, claim, c, weights) for c in candidates)


def _part(reading: PageReading, claim: Claim, region: Region) -> Explained:
    """A part of the page that may be the list."""
    members = members_of(claim)
    missing, added = differing(members, region)
    answer = f"{len(region.had)} of {len(members)} members"
    for word, which in (("missing", missing), ("added", added)):
        answer += f"; {word}: {', '.join(which)}" if which else ""
    evidence = evidence_at(reading, *region.spans[0])
    return Explained(", ".join(region.items), answer, round(min(1.0, region.score), 4), (), evidence)


def _figure(reading: PageReading, c: Candidate, why: str) -> Explained:
    """A figure of the kind that a claim says is absent."""
    mention = c.mention
    evidence = evidence_at(reading, mention.block, mention.start, mention.end)
    score = round(min(1.0, c.named), 4)
    return Explained(found_text(reading, c), why or "ends the absence", score, (), evidence)


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
