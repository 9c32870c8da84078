"""Absences: whether a figure has appeared where we had found none."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from kb.claims.claim import Claim
from kb.judging import thresholds as t
from kb.judging.candidate import Candidate, gather
from kb.judging.decide import found_text
from kb.judging.entries import Siblings, anothers, siblings
from kb.judging.evidence import evidence_at
from kb.judging.fit import KIN_NOUN, KIN_SAME, Answer, Fit
from kb.judging.mention import Mention
from kb.judging.reading import PageReading
from kb.judging.score import brand_of, claim_terms
from kb.judging.slots import label_words, slots
from kb.judging.verdict import Other, Verdict
from kb.judging.words import keys, masked
from kb.quantity import dimension_named, unit_dimension
from kb.quantity.basis import noun_of, same_noun
from kb.reasons import Reason


def judge_absence(claim: Claim, reading: PageReading, base: PageReading | None) -> Verdict:
    """Say whether the page still states no such figure."""
    words = _words(claim)
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
PAST = "is past or planned"
ASIDE = "stands beside what the page is for"

_BESIDE = ("navigation", "footer", "cookie", "related", "changelog", "comment")
_NUMBER_OF = re.compile(
    r"\b(?:number|count)s? of (?:the )?(.+?)(?:\s(?:per|in|of|for|on|a|each)\s.*)?$", re.IGNORECASE
)
_GENERIC = keys(
    "number count total size amount limit maximum minimum default value rate length period time of"
)
"""Words that say how a figure is meant, and not of what it is."""


def figures(claim: Claim, reading: PageReading, base: PageReading | None) -> list[tuple[Candidate, str]]:
    """All figures of the kind, best first, each with why it ends no absence; "" where it does."""
    sought = _Sought.of(claim)
    beside = siblings(reading)
    found = [(c, _against(claim, sought, reading, c, beside)) for c in _figures(claim, sought, reading, base)]
    if base is not None and not all(why for _, why in found):
        known = {said for c in _figures(claim, sought, base, None) for said in _said(base, c)}
        found = [
            (c, why or (KNOWN if any(said in known for said in _said(reading, c)) else ""))
            for c, why in found
        ]
    found.sort(key=lambda pair: (bool(pair[1]), -_place(sought, reading, pair[0])))
    return found


@dataclass(frozen=True, slots=True)
class _Sought:
    """What is sought: a dimension (None: any), the noun that is counted, and the words of the thing."""

    dimension: str | None
    noun: str
    thing: frozenset[str]
    own: frozenset[str]

    @classmethod
    def of(cls, claim: Claim) -> _Sought:
        words = _words(claim)
        dimension = claim.dimension or _dimension(words) or _dimension(claim.attribute)
        match = _NUMBER_OF.search(words)
        thing = keys(words) - _GENERIC or keys(claim.attribute) - _GENERIC
        own = keys(f"{words} {claim.attribute}")
        return cls(dimension, match[1] if match else "", thing, own)

    def fit(self, reading: PageReading, mention: Mention) -> Fit | None:
        """How a figure may be the sought one; None where it is of another kind."""
        q = mention.quantity
        if q is None:
            return None
        if q.unit == "number":
            if self.counted(reading, mention):
                return Fit(Answer.OTHER, KIN_SAME)
            return Fit(Answer.OTHER, KIN_NOUN) if self.slot(reading, mention) else None
        if not _of(self.dimension, q.unit):
            return None
        if self.noun and q.unit.startswith("count:") and same_noun(self.noun, noun_of(q.unit)) is False:
            return None
        return Fit(Answer.OTHER, KIN_SAME)

    def counted(self, reading: PageReading, mention: Mention) -> bool:
        """Whether a value counts the noun that is sought."""
        q = mention.quantity
        if not self.noun or q is None:
            return False
        if q.unit != "number":
            return bool(same_noun(self.noun, noun_of(q.unit)))
        after = _NEXT.match(reading.blocks[mention.block].text, mention.end)
        return after is not None and bool(same_noun(self.noun, after[1]))

    def slot(self, reading: PageReading, mention: Mention) -> bool:
        """Whether a value stands where a label names the thing: the row `Tables`, a setting `table_size`."""
        for slot in slots(reading, mention.block, self.own):
            if (
                slot.start <= mention.start
                and mention.end <= slot.end
                and mention.start - slot.start <= _NEAR
            ):
                said = label_words(slot.label).union(*map(label_words, slot.beside))
                if 2 * len(self.thing & said) > len(self.thing):
                    return True
        return False


_NEXT = re.compile(r"\s([^\W\d_]+)")
_NEAR = 12  # characters before a number in its slot: "up to"


def _words(claim: Claim) -> str:
    return claim.value if isinstance(claim.value, str) else " ".join(claim.value)


def _figures(
    claim: Claim, sought: _Sought, reading: PageReading, base: PageReading | None
) -> list[Candidate]:
    terms = claim_terms(claim, reading, None, _words(claim))
    return gather(reading, terms, reading.figures, lambda m: sought.fit(reading, m), None)


def _place(sought: _Sought, reading: PageReading, c: Candidate) -> float:
    """How well a figure's place names the thing: a slot of its own first, then the noun that it counts."""
    return c.total + IN_SLOT * (sought.slot(reading, c.mention) or sought.counted(reading, c.mention))


IN_SLOT = 3.0  # log odds
_SEVERAL = 2  # words of a thing that are all said name it better than our words for its owner
APPEARED_NAMED = 0.35  # how well its owner must be named then


def _against(claim: Claim, sought: _Sought, reading: PageReading, c: Candidate, beside: Siblings) -> str:
    """Why a figure is not plainly the subject's: a figure in another row ends no absence."""
    block = reading.blocks[c.mention.block]
    if block.role in _BESIDE:
        return ASIDE
    if reading.lapsed(c.mention):
        return PAST
    own = keys(f"{claim.subject} {claim.attribute} {_words(claim)}")
    if block.row and not any(own & label_words(label) for label in block.row):
        return ANOTHERS
    subject = keys(claim.subject)
    if anothers(block, beside, subject) or anothers(block, beside, sought.thing):
        return ANOTHERS
    thing = sought.thing
    said = label_words(block.text).union(*map(label_words, (*block.row, *block.column, *block.headings[-1:])))
    its = subject - brand_of(claim.subject).keys() or subject
    if not (its | thing) & said:
        return UNNAMED
    least = t.APPEARED if len(thing) < _SEVERAL or not thing <= said else APPEARED_NAMED
    return "" if c.named >= least and c.total > 0 else UNNAMED


def _dimension(words: str) -> str | None:
    """What kind of figure words name: "price of extra GPU time" is a price, and no time."""
    return dimension_named(words.partition(" of ")[0]) or dimension_named(words)


def _of(dimension: str | None, unit: str) -> bool:
    if dimension is None:
        return unit != "number"  # a figure of any kind
    name = unit_dimension(unit)
    if dimension == "length" and name == "time":
        return True  # the length of a session
    return name == dimension or name.startswith(dimension + " ")


def _said(reading: PageReading, candidate: Candidate) -> Iterator[tuple[str, ...]]:
    """A figure by its nearest words and labels, to know it again on another edition, its digits aside."""
    m = candidate.mention
    block = reading.blocks[m.block]
    before, after = block.text[max(0, m.start - 20) : m.start], block.text[m.end : m.end + 20]
    yield m.text, before, *block.row
    yield masked(f"{before}#{after}"), *block.row, *block.column, *block.headings[-1:]
