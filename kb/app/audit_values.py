"""Whether a value in an article is a claim's value, and how much that says."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction

from kb.claims import Claim
from kb.quantity import Comparison, FigureError, Quantity, compare, parse_figure, same_basis, unit_dimension

_ORDINALS = ["second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"]
_ORDINALS += ["eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth"]
_ORDINALS += ["eighteenth", "nineteenth", "twentieth"]
_TIMES = {"doubl": "2", "tripl": "3", "quadrupl": "4", "twice": "2", "thrice": "3"}

WORDED = re.compile(
    rf"\b(?:(?P<times>doubl|tripl|quadrupl)(?:e|es|ed|ing)|(?P<adverb>twice|thrice)"
    rf"|(?P<nth>{'|'.join(_ORDINALS)})(?=[- ]generation\b)|(?:a|an)\s(?P<part>{'|'.join(_ORDINALS)}))\b",
    re.IGNORECASE,
)
"""Numbers in words that no unit follows: doubled, fourth-generation, an eighteenth (of 18x)."""


def worded_number(found: re.Match[str]) -> str:
    """The number that a match of `WORDED` states, in digits."""
    word = (found["times"] or found["adverb"] or found["nth"] or found["part"]).lower()
    return _TIMES.get(word) or str(_ORDINALS.index(word) + 2)


_RATIOS = ("multiple", "ratio", "fraction", "number")


def calculable(q: Quantity) -> bool:
    """Whether a match by calculation means anything: small counts follow from everything."""
    return q.unit == "ratio" or coarse(q.unit) != "plain"


def telling(q: Quantity) -> bool:
    """Whether a value is rare enough to be known by itself: small whole numbers are not."""
    return q.value > 12 or q.value != int(q.value)


def coarse(unit: str) -> str:
    """The dimension, with all that counts as one: eight GPUs, 8 and 8x may answer each other."""
    dimension = unit_dimension(unit)
    plain = ("count", "number", "ratio", "fraction")
    return "plain" if dimension.startswith(plain) else dimension


def either_way(claimed: Quantity, found: Quantity) -> Comparison:
    """An article may leave out a bound, or turn a ratio round ("a ninth" of 9x): neither contradicts it."""
    answer = compare(claimed, found)
    if answer.holds or answer is Comparison.TWO_READINGS:  # the claim tells which reading is meant
        alike = any(compare(claimed, r).holds for r in (replace(found, readings=()), *found.readings))
        return answer if answer.holds else Comparison.WITHIN if alike else answer
    plain = replace(claimed, bound="exact"), replace(found, bound="exact")
    if answer in (Comparison.DIFFERS, Comparison.BOUND_UNCLEAR) and compare(*plain).holds:
        return Comparison.WITHIN
    if claimed.unit in _RATIOS and found.unit in _RATIOS and 0 < found.value < 1 and found.high is None:
        turned = replace(found, value=1 / Fraction(found.value), unit=claimed.unit)
        if compare(claimed, turned).holds:
            return Comparison.WITHIN
    return answer


def closeness(claimed: Quantity, found: Quantity) -> float:
    """What speaks for a claim beside its words: the unit, the basis and the noun as written."""
    score = 2.0 if same_basis(claimed.per, found.per) else 0.0
    score += 2.0 if claimed.unit == found.unit else 0.0
    return score + (0.5 if claimed.text.split()[-1:] == found.text.split()[-1:] else 0.0)


def stated_before(claim: Claim, q: Quantity) -> bool:
    """Whether it is a value that we took back: the article was not changed with the claim."""
    for was in claim.was:
        if isinstance(was.value, str) and (was.kind or "figure") == "figure":
            try:
                before = parse_figure(was.value, claim.attribute, claim.per)
            except FigureError:
                continue
            if compare(before, q).holds:
                return True
    return False
