"""What a text states as a number: `Quantity` and `Date`."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

Number = Decimal | Fraction

BOUNDS = ("exact", "at-least", "at-most", "more-than", "less-than", "about")
"""What a number may be said to be: itself, a bound, or near it."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """One quantity, with the words that state it.

    Equality of two of these is equality of their fields; whether they state the
    same value is a question for `kb.quantity.compare`.

    Attributes:
        value: as written, exact (a Fraction only where no decimal is exact: a ninth).
        high: upper value, for a range only.
        unit: canonical name, such as `gigabit/second`, `usd/hour`, `count:GPU`, `number`.
        bound: one of `BOUNDS`.
        per: the basis in the page's words, singular; None where none is stated.
        times: the multiplier of `8x400G`, or None.
        text: the words, `source[start:end]`.
        start: offset of the first character of `text`.
        end: offset after the last one.
        readings: other readings of an ambiguous spelling, this one left out.
        settled: what decided between several readings, in words; empty where there was one,
            or nothing decided.
    """

    value: Number
    high: Number | None
    unit: str
    bound: str = "exact"
    per: str | None = None
    times: Number | None = None
    text: str = ""
    start: int = 0
    end: int = 0
    readings: tuple[Quantity, ...] = ()
    settled: str = ""


@dataclass(frozen=True, slots=True)
class Date:
    """One date at its precision, with the words that state it.

    `value` is ISO 8601: `1999`, `2015-08`, `2024-03-18`, `2024-Q3`, `FY2025`,
    `--12-28` (no year). `readings` holds the other values of an ambiguous order.
    """

    value: str
    text: str = ""
    start: int = 0
    end: int = 0
    readings: tuple[str, ...] = ()
