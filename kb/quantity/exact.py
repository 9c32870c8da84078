"""Exact arithmetic on values: decimals where one is exact, fractions where not."""

from __future__ import annotations

from decimal import Context, Decimal
from fractions import Fraction

from kb.quantity.quantity import Number

_WIDE = Context(prec=80)
"""Wide enough for the longest number and the largest scale, so that nothing rounds."""


def plain_number(value: Fraction) -> Number:
    """A Decimal where one is exact, else the fraction itself."""
    rest = value.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    return value if rest != 1 else _WIDE.divide(Decimal(value.numerator), Decimal(value.denominator))


def scaled(value: Number, factor: Decimal) -> Number:
    """A value times a factor, without digits that nobody wrote: 6.9 billion has no tenths."""
    if factor == 1:
        return value
    if isinstance(value, Fraction):
        return plain_number(value * Fraction(factor))
    product = _WIDE.multiply(value, factor)
    if product == product.to_integral_value():
        return Decimal(int(product))
    return product.normalize(_WIDE)


def negated(value: Number) -> Number:
    """The value below zero (Decimal's own minus would round)."""
    return -value if isinstance(value, Fraction) else value.copy_negate()
