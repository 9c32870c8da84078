"""Values that are hardly the claim's where no earlier place is known: far from ours, or ours by chance."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from kb.claims.claim import Claim
from kb.judging import thresholds as t
from kb.judging.candidate import Candidate, best_first
from kb.judging.claimed import claimed_quantity
from kb.judging.other_name import other_names
from kb.judging.reading import PageReading
from kb.quantity import Quantity, convert

FAR = Fraction(1, 8)  # the share of each other from which on two values are far apart in size
VERY_FAR = Fraction(1, 100)
BARE = 0.3  # how well an attribute is said that a place hardly speaks of
NAMED = 0.8  # how well subject and attribute are said, multiplied, where even such a change is plain
HARDLY = 0.4  # how well subject and attribute are said beside a short number that is there by chance
LOST = 0.65  # what the most telling word that is lacking weighs
NO_OWNER = 0.2  # how well labels and headings name a subject that they do not
NEXT = 0.95  # how near in size two values are that are next to each other
LEFT = 1.0  # log odds of what is left to a person as it is
SHORT = 1  # as `digits of ours` counts them: up to two digits, end noughts aside


def likely_ones_first(reading: PageReading, claim: Claim, candidates: Sequence[Candidate]) -> list[Candidate]:
    """The candidates, best first, those behind that are far from ours in size, or ours by chance.

    A value changes by a part of itself more often than a hundredfold: running text with a value
    so far away speaks of something else, and with one eight times as large or as small where it
    says next to nothing of the attribute. And a short number without a unit stands on any page.
    """
    ours = claimed_quantity(claim, reading.lang)
    if ours is None or not candidates:
        return list(candidates)
    least, plain = candidates[0].total - t.NO_RIVAL, not other_names(claim.subject)
    behind = {
        id(c)
        for c in candidates
        if c.total >= least
        and (_is_chance(c) if c.fit.answer.holds else _is_far(ours, c) or (plain and _is_of_another(c)))
    }
    if not behind:
        return list(candidates)
    out = (c.with_total(c.total - t.OFF_THE_SUBJECT) if id(c) in behind else c for c in candidates)
    return best_first(out)


def _is_far(ours: Quantity, c: Candidate) -> bool:
    """Whether another value is too far from ours for what its place says of the claim."""
    q = c.mention.quantity
    if (
        q is None
        or c.signs[t.CELL_SIGN]
        or not (q.value and ours.value)
        or q.high is not None
        or ours.high is not None
    ):
        return False
    spoken = c.signs[t.ATTRIBUTE_SIGN] >= BARE
    if spoken and (c.signs[t.BOTH_SIGN] >= NAMED or c.signs[t.LABEL_SIGN]):
        return False  # however far: what takes long to find out is asked last
    theirs = convert(q.value, q.unit, ours.unit)
    if theirs is None:
        return False
    a, b = abs(Fraction(ours.value)), abs(theirs)
    share = min(a / b, b / a)
    return share < (VERY_FAR if spoken else FAR)


def _is_of_another(c: Candidate) -> bool:
    """Whether another value stands in text that lacks the subject's most telling word, which the page has.

    Nor do its labels and heading name the subject. One next to ours in size is rather ours.
    """
    if c.mention.textual or c.signs[t.CELL_SIGN] or c.fit.near > NEXT or c.signs[t.NOWHERE_SIGN] >= t.UNSAID:
        return False
    return c.signs[t.LOST_SIGN] > LOST and c.signs[t.OWNER_SIGN] < NO_OWNER


def _is_chance(c: Candidate) -> bool:
    """Whether our number is a short count that stands where little of the claim is said."""
    q = c.mention.quantity
    if q is None or not (q.unit == "number" or q.unit.startswith("count:")):
        return False
    if c.signs[t.DIGITS_SIGN] > SHORT or c.signs[t.LABEL_SIGN] or c.total <= LEFT:
        return False
    if c.signs[t.NOWHERE_SIGN] >= t.OWN_WORDS:
        return False  # the page has other words for it
    return c.named < HARDLY and c.signs[t.ATTRIBUTE_SIGN] < HARDLY
