"""One number with what belongs to it alone: the piece that quantities are made of."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal

from kb.quantity.quantity import Number


@dataclass(slots=True)
class Atom:
    """A number and its own words, from token `first` up to token `stop`.

    `unit` is empty where none stands beside it; `other` is the second reading
    of the number, `of_counts` one that it has where it counts; `lone` says that it is a
    bare number that may take a unit from elsewhere; `after` and `noun_at` are the tokens
    between which other quantities may stand before its noun; `scale` and `prefixed` tell
    which parts it may share in a range.
    """

    first: int
    stop: int
    number: int
    value: Number
    other: Number | None = None
    of_counts: Number | None = None
    settled: str = ""
    high: Number | None = None
    high_other: Number | None = None
    unit: str = ""
    below: str = ""
    per: str | None = None
    bound: str = ""
    times: Number | None = None
    scale: Decimal = Decimal(1)
    prefixed: bool = False
    in_digits: bool = True
    hyphen: bool = False
    signed: bool = False
    fraction_of: bool = False
    after: int = 0
    noun_at: int = 0
    marks: dict[str, bool] = field(default_factory=dict)

    @property
    def lone(self) -> bool:
        """Whether no unit, noun or currency is known yet."""
        return not self.unit
