"""Whether a value in an article is a claim's value, and how much that says."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache

from kb.app.audit_words import words_of
from kb.claims import Claim
from kb.quantity import (
    Comparison,
    FigureError,
    Number,
    Quantity,
    basis_key,
    compare,
    half_of_last_digit,
    noun_of,
    parse_figure,
    same_basis,
    unit_dimension,
    unit_vector,
)

ROUNDED = Fraction(2, 100)
"""How far an article's rounding of a calculated value may lie from it, as a part of the value."""

MOST = 10
"""How many times a claim's value another may be that contradicts it: one digit too many, or a unit's part."""

_RATIOS = ("multiple", "ratio", "fraction", "number")


def telling(q: Quantity) -> bool:
    """Whether a value is rare enough to be known by itself: a range is, and a number of two digits.

    Small whole numbers are not, nor are round percentages.
    """
    if q.high is not None or q.value != int(q.value) or q.value < 0:
        return True
    return q.value > 12 and not (q.unit == "percent" and q.value % 5 == 0)


@lru_cache(1024)
def coarse(unit: str) -> str:
    """The dimension, with all that counts as one: eight GPUs, 8 and 8x may answer each other."""
    dimension = unit_dimension(unit)
    plain = ("count", "number", "ratio", "fraction")
    return "plain" if dimension.startswith(plain) else dimension


def base(value: object, unit: str) -> Fraction:
    """A value in the base of its unit's dimension."""
    return Fraction(value) * unit_vector(unit)[0]  # type: ignore[call-overload,no-any-return]


def value_keys(q: Quantity) -> set[tuple[str, Fraction]]:
    """Under what a quantity is found: its value in its own unit and in base units, multiplied out or not."""
    dimension = coarse(q.unit)
    out: set[tuple[str, Fraction]] = set()
    for one in (q, *q.readings):
        for value in (one.value, one.high):
            if value is None:
                continue
            for times in {Fraction(1), Fraction(one.times or 1)}:
                whole = Fraction(value) * times
                out |= {(dimension, whole), (dimension, base(whole, one.unit))}
                if one.unit in _RATIOS and 0 < whole < 1:
                    out.add((dimension, 1 / whole))
    return out


def either_way(claimed: Quantity, found: Quantity) -> Comparison:
    """An article may leave out a bound, or turn a ratio round ("a ninth" of 9x): neither contradicts it."""
    answer = compare(claimed, found)
    if answer.holds or answer is Comparison.TWO_READINGS:  # the claim tells which reading is meant
        alike = any(compare(claimed, r).holds for r in (replace(found, readings=()), *found.readings))
        return answer if answer.holds else Comparison.WITHIN if alike else answer
    if answer is Comparison.BASIS_DIFFERS and _shared_basis(claimed, found):
        return either_way(replace(claimed, per=None), replace(found, per=None))
    if answer is Comparison.OTHER_DIMENSION and "number" in (claimed.unit, found.unit):
        # a bare number answers "34 charges a day"
        alike = claimed.high is None and found.high is None and coarse(claimed.unit) == coarse(found.unit)
        return Comparison.WITHIN if alike and claimed.value == found.value else answer
    plain = replace(claimed, bound="exact"), replace(found, bound="exact")
    if answer in (Comparison.DIFFERS, Comparison.BOUND_UNCLEAR) and compare(*plain).holds:
        return Comparison.WITHIN
    if answer is Comparison.DIFFERS and found.bound == "about" and compare(found, plain[0]).holds:
        return Comparison.WITHIN
    if claimed.unit in _RATIOS and found.unit in _RATIOS and 0 < found.value < 1 and found.high is None:
        turned = replace(found, value=1 / Fraction(found.value), unit=claimed.unit)
        if compare(claimed, turned).holds:
            return Comparison.WITHIN
    return answer


def _shared_basis(claimed: Quantity, found: Quantity) -> bool:
    """Whether two bases name one thing, as "TB and month" and "TB" do: an article seldom names all of it."""
    ours, theirs = basis_key(claimed.per or ""), basis_key(found.per or "")
    return bool(set(ours) & set(theirs))


def other_noun(claimed: Quantity, found: Quantity, words: Collection[str]) -> bool:
    """Whether an article counts the same by another noun of the claim's: writes for write requests."""
    same = claimed.high is None and found.high is None and claimed.value == found.value
    noun = noun_of(found.unit)
    return same and bool(noun) and set(words_of(noun)) <= set(words)


def near_enough(claimed: Quantity, found: Quantity) -> bool:
    """Whether a value may be another state of a claim's: 800 of 400, and not 3,411 of 5.99."""
    if (claimed.per is None) != (found.per is None) and unit_dimension(claimed.unit).startswith("money"):
        return False  # a sum, and a price for each
    ours, theirs = base(claimed.value, claimed.unit), base(found.value, found.unit)
    return bool(ours and theirs) and 1 / MOST <= abs(theirs / ours) <= MOST


def rounds_to(exact: Quantity, written: Quantity) -> bool:
    """Whether an article's value is a calculated one, rounded: 130 TB/s of 129.6."""
    if exact.high is not None or written.high is not None or coarse(exact.unit) != coarse(written.unit):
        return False
    if coarse(exact.unit) == "plain" and exact.unit != written.unit:
        return False
    ours = base(exact.value, exact.unit) / unit_vector(written.unit)[0]
    gap = abs(ours - Fraction(written.value))
    return gap <= half_of_last_digit(written.value) and gap <= abs(ours) * ROUNDED


def closeness(claimed: Quantity, found: Quantity) -> float:
    """What speaks for a claim beside its words: the unit, the basis and the noun as written."""
    score = 2.0 if same_basis(claimed.per, found.per) else 0.0
    score += 2.0 if claimed.unit == found.unit else 0.0
    return score + (0.5 if claimed.text.split()[-1:] == found.text.split()[-1:] else 0.0)


def before_values(claim: Claim) -> Iterator[Quantity]:
    """The figures that a claim stated before."""
    for was in claim.was:
        if isinstance(was.value, str) and (was.kind or "figure") == "figure":
            try:
                yield parse_figure(was.value, claim.attribute, claim.per)
            except FigureError:
                continue


class ValueIndex:
    """Claims with figures by dimension and value."""

    def __init__(self, stating: Iterable[tuple[Claim, Quantity]]) -> None:
        self._by_value: dict[tuple[str, Fraction], list[tuple[Claim, Quantity]]] = {}
        self._by_number: dict[Fraction, list[tuple[Claim, Quantity]]] = {}
        for claim, quantity in stating:
            if quantity.high is None:
                self._by_number.setdefault(Fraction(quantity.value), []).append((claim, quantity))
            for key in sorted(value_keys(quantity)):
                self._by_value.setdefault(key, []).append((claim, quantity))

    def like(self, q: Quantity) -> list[tuple[Claim, Quantity]]:
        """The claims that may have the value, each once."""
        found: dict[str, tuple[Claim, Quantity]] = {}
        for key in sorted(value_keys(q)):
            for claim, quantity in self._by_value.get(key, ()):
                found.setdefault(claim.id or "", (claim, quantity))
        return list(found.values())

    def alike(self, value: Number) -> list[tuple[Claim, Quantity]]:
        """The claims whose figure has the number, in any unit."""
        return self._by_number.get(Fraction(value), [])
