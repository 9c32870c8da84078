"""Absences: whether a figure has appeared where we had found none."""

from __future__ import annotations

from kb.claims.claim import Claim
from kb.judging import thresholds as t
from kb.judging.candidate import Candidate, gather
from kb.judging.decide import found_text
from kb.judging.evidence import evidence_at
from kb.judging.fit import KIN_SAME, Answer, Fit
from kb.judging.mention import Mention
from kb.judging.reading import PageReading
from kb.judging.score import claim_terms
from kb.judging.verdict import Other, Verdict
from kb.judging.words import keys
from kb.quantity import dimension_named, unit_dimension
from kb.reasons import Reason


def judge_absence(claim: Claim, reading: PageReading, base: PageReading | None) -> Verdict:
    """Say whether the page still states no such figure."""
    words = claim.value if isinstance(claim.value, str) else " ".join(claim.value)
    found = [c for c, why in figures(claim, reading, base) if not why]
    if not found:
        return Verdict(
            Reason.VERBATIM.outcome, Reason.VERBATIM, detail=f"the page states no {words} for it", score=0.8
        )
    best = found[0]
    m = best.mention
    return Verdict(
        Reason.APPEARED.outcome,
        Reason.APPEARED,
        found=found_text(reading, best),
        score=round(min(1.0, best.named), 4),
        evidence=evidence_at(reading, m.block, m.start, m.end),
        others=tuple(
            Other(
                found_text(reading, c),
                round(min(1.0, c.named), 4),
                evidence_at(reading, c.mention.block, c.mention.start, c.mention.end),
            )
            for c in found[1:4]
        ),
    )


ANOTHERS = "stands in a row about something else"
UNNAMED = "is not named as the claim's"
KNOWN = "stood there before"


def figures(claim: Claim, reading: PageReading, base: PageReading | None) -> list[tuple[Candidate, str]]:
    """All figures of the kind, best first, each with why it ends no absence; "" where it does."""
    words = claim.value if isinstance(claim.value, str) else " ".join(claim.value)
    dimension = claim.dimension or _dimension(words) or _dimension(claim.attribute)
    found = [(c, _against(claim, reading, c)) for c in _figures(claim, reading, base, dimension, words)]
    if base is None or all(why for _, why in found):
        return found
    known = {_said(base, c) for c in _figures(claim, base, None, dimension, words)}
    return [(c, why or (KNOWN if _said(reading, c) in known else "")) for c, why in found]


def _figures(
    claim: Claim, reading: PageReading, base: PageReading | None, dimension: str | None, words: str
) -> list[Candidate]:
    terms = claim_terms(claim, reading, None, words)

    def fit(mention: Mention) -> Fit | None:
        if mention.quantity is None or not _of(dimension, mention.quantity.unit):
            return None
        return Fit(Answer.OTHER, KIN_SAME)

    return gather(reading, terms, reading.figures, fit, None)


def _against(claim: Claim, reading: PageReading, c: Candidate) -> str:
    """Why a figure is not plainly the subject's: a figure in another row ends no absence."""
    row = reading.blocks[c.mention.block].row
    value = claim.value if isinstance(claim.value, str) else " ".join(claim.value)
    own = keys(f"{claim.subject} {claim.attribute} {value}")
    if row and not any(own & keys(label) for label in row):
        return ANOTHERS
    return "" if c.named >= t.APPEARED and c.total > 0 else UNNAMED


def _dimension(words: str) -> str | None:
    """What kind of figure the words name: "price of extra GPU time" is a price, and no time."""
    return dimension_named(words.partition(" of ")[0]) or dimension_named(words)


def _of(dimension: str | None, unit: str) -> bool:
    if dimension is None:
        return unit != "number"  # a figure of any kind
    name = unit_dimension(unit)
    return name == dimension or name.startswith(dimension + " ")


def _said(reading: PageReading, candidate: Candidate) -> tuple[str, str, tuple[str, ...]]:
    """A figure with its nearest words and its row, to know it again on another edition."""
    m = candidate.mention
    block = reading.blocks[m.block]
    return m.text, block.text[max(0, m.start - 20) : m.start], block.row
