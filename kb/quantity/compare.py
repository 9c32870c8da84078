"""Whether two quantities state the same value: design, sections 4, 8 and 9, on numbers alone."""

from __future__ import annotations

import re
from dataclasses import replace
from enum import StrEnum
from fractions import Fraction
from functools import cache, lru_cache

from kb.quantity.basis import noun_of, same_basis, same_noun
from kb.quantity.quantity import Number, Quantity
from kb.quantity.units import PERIODS, convert, registry, split_unit, unit_dimension

ABOUT_AT_MOST = Fraction(5, 100)
"""The widest that `about` ever reaches, as a part of the value (design, section 4)."""

BY_PERIOD = ("money ", "count", "fraction")
"""Dimensions in which another period is another unit, not a matter of conversion."""

_LOWER = ("at-least", "more-than")
_UPPER = ("at-most", "less-than")


class Comparison(StrEnum):
    """What comparing a claimed quantity with a found one says."""

    SAME = "same"
    WITHIN = "within"
    DIFFERS = "differs"
    BOUND_UNCLEAR = "bound-unclear"
    BASIS_DIFFERS = "basis-differs"
    OTHER_PERIOD = "other-period"
    OTHER_DIMENSION = "other-dimension"
    TWO_READINGS = "two-readings"

    @property
    def holds(self) -> bool:
        """Whether the claim stands."""
        return self in (Comparison.SAME, Comparison.WITHIN)


def compare(claimed: Quantity, found: Quantity) -> Comparison:
    """Say how `found` answers `claimed`.

    Value, unit, dimension and basis count, never the digits alone: 900 GB/s is
    not 900 Gb/s, and 112.5 GB/s is. Equality is exact at the precision written
    (3.2 Tbps is 3,200 Gbps and not 3,204), except where the claim says `about`.
    Where a spelling has several readings that nothing settled, all pairs are
    tried, and `TWO_READINGS` says that the answer hangs on the choice.
    """
    if _plainly_other(claimed, found):
        return Comparison.DIFFERS
    first = _compare_one(claimed, found)
    ours, theirs = _open_readings(claimed), _open_readings(found)
    if not ours and not theirs:
        return first
    if _numerals(claimed) == _numerals(found):  # one spelling: whatever it means, it is the same
        alike = [_compare_one(a, b) for a in (claimed, *ours) for b in (found, *theirs) if a.value == b.value]
        return next((c for c in alike if c.holds), first)
    answers = {_compare_one(a, b) for a in (claimed, *ours) for b in (found, *theirs)}
    return first if len(answers) == 1 else Comparison.TWO_READINGS


def _plainly_other(claimed: Quantity, found: Quantity) -> bool:
    """Whether two plain numbers of one unit differ, which most pairs on a page do: the answer at once."""
    return (
        claimed.unit == found.unit
        and claimed.value != found.value
        and claimed.bound in ("exact", *_UPPER)
        and claimed.high is None
        and found.high is None
        and claimed.per is None
        and found.per is None
        and claimed.times is None
        and found.times is None
        and not claimed.readings
        and not found.readings
    )


def _numerals(q: Quantity) -> list[str]:
    """The numbers of a quantity as they are written."""
    return re.findall(r"\d[\d.,']*", q.text)


def _open_readings(q: Quantity) -> tuple[Quantity, ...]:
    return () if q.settled else q.readings


@cache
def _prefixed_rates() -> dict[str, tuple[str, int]]:
    """Rates of counts with a prefix, to the rate without it and its factor: kiloquery/second."""
    known = registry().units
    return {
        name: (name.removeprefix(prefix), factor)
        for name, unit in known.items()
        if unit.dimension == "count rate"
        for prefix, factor in (("kilo", 10**3), ("mega", 10**6), ("giga", 10**9))
        if name.removeprefix(prefix) in known and name.startswith(prefix)
    }


def _one_by_one(q: Quantity) -> Quantity:
    """120 kQPS as 120,000 queries per second."""
    found = _prefixed_rates().get(q.unit)
    if found is None:
        return q
    unit, factor = found
    return replace(
        q, unit=unit, value=Fraction(q.value) * factor, high=None if q.high is None else q.high * factor
    )


def _compare_one(claimed: Quantity, found: Quantity) -> Comparison:
    if claimed.unit != found.unit:
        claimed, found = _one_by_one(claimed), _one_by_one(found)
    ours, theirs = _in_one_period(claimed, found)
    if not _comparable(ours.unit, theirs.unit):
        return Comparison.OTHER_DIMENSION
    if same_basis(ours.per, theirs.per) is False:
        if _is_period(ours.per) and _is_period(theirs.per):
            return Comparison.OTHER_PERIOD
        return Comparison.BASIS_DIFFERS
    if _other_period(ours.unit, theirs.unit):
        return Comparison.OTHER_PERIOD
    answers = [_bounds(ours, other) for other in _multiplied(ours, theirs)]
    for best in (Comparison.SAME, Comparison.WITHIN, Comparison.BOUND_UNCLEAR):
        if best in answers:
            return best
    return Comparison.DIFFERS


@lru_cache(maxsize=4096)
def _comparable(ours: str, theirs: str) -> bool:
    a, b = unit_dimension(ours), unit_dimension(theirs)
    if a.startswith("count") and b.startswith("count"):
        return same_noun(noun_of(ours), noun_of(theirs)) is not False
    plain = {a, b}
    if "number" in plain:  # a figure without a unit is legal, and counts nothing in particular
        return bool(plain <= {"number", "count", "ratio", "fraction"})
    # hard reading 11: percentage points for percent are another value, not another dimension
    return a == b


@lru_cache(maxsize=4096)
def _is_period(per: str | None) -> bool:
    return per is not None and registry().words.get(per.rpartition(" ")[2].lower(), "") in PERIODS


def _in_one_period(claimed: Quantity, found: Quantity) -> tuple[Quantity, Quantity]:
    """A period in `per` ("10 minute") against one in the unit: both into `per`, to compare them."""
    if _is_period(claimed.per) == _is_period(found.per):
        return claimed, found
    return _period_into_per(claimed), _period_into_per(found)


def _period_into_per(q: Quantity) -> Quantity:
    above, below = split_unit(q.unit)
    dated = unit_dimension(q.unit).startswith(BY_PERIOD) or unit_dimension(above) == "time"
    if q.per is None and below in PERIODS and dated:
        return replace(q, unit=above, per=below)
    return q


def _other_period(ours: str, theirs: str) -> bool:
    if not unit_dimension(ours).startswith(BY_PERIOD):
        return False
    a, b = split_unit(ours)[1], split_unit(theirs)[1]
    return bool(a and b and a != b)


def _multiplied(ours: Quantity, theirs: Quantity) -> list[Quantity]:
    """What of `theirs` may answer `ours`, a multiplier on either side multiplied out."""
    if ours.times is None and theirs.times is None:
        if ours.unit == "number" and theirs.unit == "percent":  # 0.5 or 50 against 50%
            return [theirs, _total(replace(theirs, unit="fraction"), Fraction(100))]
        return [theirs]
    if ours.times == theirs.times:
        return [replace(theirs, times=ours.times)]
    out = [_total(theirs, Fraction(ours.times or 1))]
    if ours.times is None:
        out.append(replace(theirs, times=None))  # "400G" against "8x400G": the value of each
    return out


def _total(q: Quantity, divisor: Fraction) -> Quantity:
    factor = Fraction(q.times or 1) / divisor
    high = None if q.high is None else Fraction(q.high) * factor
    return replace(q, value=Fraction(q.value) * factor, high=high, times=None)


_THOUSANDS = {"byte": 0, "kilobyte": 1, "megabyte": 2, "gigabyte": 3, "terabyte": 4, "petabyte": 5}
"""Sizes by their prefix, which many pages mean as a power of 1,024 (decision 0100)."""


def _bounds(ours: Quantity, theirs: Quantity) -> Comparison:
    low, high = _converted(theirs.value, theirs, ours), _converted(theirs.high, theirs, ours)
    if low is None:
        return Comparison.DIFFERS
    answer = _against(ours, theirs, low, high)
    a, b = _THOUSANDS.get(theirs.unit), _THOUSANDS.get(ours.unit)
    if answer is Comparison.SAME or a is None or b is None or a == b:
        return answer
    step = Fraction(1024) ** (a - b)  # 4096 KB and 4 MB, which are one size by thousands of 1,024 alone
    by_1024 = _against(
        ours,
        theirs,
        Fraction(theirs.value) * step,
        None if theirs.high is None else Fraction(theirs.high) * step,
    )
    return by_1024 if by_1024 is Comparison.SAME else answer


def _against(ours: Quantity, theirs: Quantity, low: Fraction, high: Fraction | None) -> Comparison:
    """How our value answers theirs, whose ends are given in our unit."""
    ours_low = Fraction(ours.value)
    ours_high = None if ours.high is None else Fraction(ours.high)
    if ours_high is None and high is None and _equal(ours_low, low, ours):
        return _same_number(ours, theirs)
    if ours_high is not None and high is not None:
        same = _equal(ours_low, low, ours) and _equal(ours_high, high, ours, ours.high)
        return Comparison.SAME if same else Comparison.DIFFERS
    if ours_high is None and ours.bound in _LOWER:
        return _inside(ours_low, low, high, ours.bound, theirs.bound)
    return Comparison.DIFFERS


def _same_number(ours: Quantity, theirs: Quantity) -> Comparison:
    """Hard reading 2, and "the same number under any bound holds"."""
    pair = (ours.bound, theirs.bound)
    if pair in (("at-least", "at-most"), ("at-most", "at-least")):
        return Comparison.BOUND_UNCLEAR
    if pair in (("more-than", "exact"), ("less-than", "exact")):
        return Comparison.DIFFERS
    if pair in (("more-than", "at-most"), ("less-than", "at-least")):
        return Comparison.DIFFERS
    if pair in (
        ("more-than", "less-than"),
        ("less-than", "more-than"),
        ("at-least", "less-than"),
        ("at-most", "more-than"),
    ):
        return Comparison.DIFFERS
    return Comparison.SAME


def _inside(ours: Fraction, low: Fraction, high: Fraction | None, our_bound: str, bound: str) -> Comparison:
    """A lower bound against another number, or a range: another bound is another statement."""
    above = low > ours or (low == ours and high is not None and our_bound == "at-least")
    if above and bound in ("exact", "about"):
        return Comparison.WITHIN
    if above and bound in _UPPER:
        return Comparison.BOUND_UNCLEAR  # up to 60 may be less than our at least 50
    return Comparison.DIFFERS


def _converted(value: Number | None, theirs: Quantity, ours: Quantity) -> Fraction | None:
    if value is None:
        return None
    a, b = theirs.unit, ours.unit
    if a == b or "number" in (a, b) or (unit_dimension(a).startswith("count")):
        return Fraction(value)
    above, below = split_unit(a)
    wanted, period = split_unit(b)
    if bool(below) != bool(period) and unit_dimension(a).startswith(BY_PERIOD):
        a, b = above, wanted  # one side states no period: they compare without it
    return convert(value, a, b)


def _equal(ours: Fraction, theirs: Fraction, claimed: Quantity, written: Number | None = None) -> bool:
    if ours == theirs:
        return True
    if claimed.bound != "about":
        return False
    return abs(ours - theirs) <= min(half_of_last_digit(ours), abs(ours) * ABOUT_AT_MOST)


def half_of_last_digit(value: Number) -> Fraction:
    """Half a unit of the last digit that is not a trailing zero: 0.05 for 3.2, 50 for 3,200.

    A value that is no decimal (1/9) has no last digit, and gives zero.
    """
    exact = Fraction(value)
    if exact == 0:
        return Fraction(0)
    divisor, scale = exact.denominator, 0
    while divisor != 1 and scale < 30:
        scale += 1
        divisor = (exact * 10**scale).denominator
    if divisor != 1:
        return Fraction(0)
    digits = abs(int(exact * 10**scale))
    while digits % 10 == 0:
        digits //= 10
        scale -= 1
    return Fraction(1, 2) * Fraction(10) ** -scale
