"""Figures as the claims files write them, and how precisely they are written."""

from __future__ import annotations

import difflib
import re
from decimal import Decimal
from fractions import Fraction

from kb.quantity import FigureError, Quantity, dimension_named, parse_figure
from kb.quantity.units import registry

_NUMBER = re.compile(r"\d[\d.,'’\u00a0\u202f ]*\d|\d")


_SIMPLE = re.compile(r"(0|[1-9]\d{0,8}|[1-9]\d{0,2}(?:,\d{3})+)(\.\d{1,2})?(?= |$)([^\d]*)")
"""A number, and a tail without another."""

_Key = tuple[str, int, str, str | None]

_TEMPLATES: dict[_Key, Quantity] = {}
_MOST_TEMPLATES = 20_000


def read_figure(
    text: str, attribute: str = "", per: str | None = None
) -> tuple[Quantity | None, tuple[str, str, str] | None]:
    """The quantity that a figure states, or what is wrong, what would be right, and the rule's name."""
    basis = None if per == "unspecified" else per
    match = _SIMPLE.fullmatch(text)
    key: _Key | None = None
    number = ""
    if match:
        number = text[: match.start(3)].replace(",", "")
        key = (match[3], match[1].count(","), attribute, basis)
        known = _TEMPLATES.get(key)
        if known is not None:
            size = len(text)
            value = Decimal(number)
            return Quantity(value, None, known.unit, known.bound, known.per, None, text, 0, size), None
    try:
        quantity = parse_figure(text, attribute, basis)
    except FigureError as error:
        what, _, remedy = str(error).partition("; ")
        return None, (what, remedy, "unknown-unit" if what.startswith("unit ") else "bad-figure")
    if key:
        _learn(number, key, quantity, text)
    return quantity, None


def _learn(number: str, key: _Key, q: Quantity, text: str) -> None:
    """Keep how a figure of this form reads, as thousands of figures differ in the number alone.

    Only where the number is the value and the words are the whole text, so that nothing of the
    reading hung on the number.
    """
    plain = Quantity(Decimal(number), None, q.unit, q.bound, q.per, None, text, 0, len(text))
    if q == plain and q.value > 1:
        if len(_TEMPLATES) >= _MOST_TEMPLATES:
            _TEMPLATES.clear()
        _TEMPLATES[key] = q


def unknown_dimension(name: str) -> tuple[str, str] | None:
    """What is wrong with a dimension's name, and what would be right; None where it is one."""
    known = {unit.dimension.partition(" usd")[0] for unit in registry().units.values()}
    if name in known or dimension_named(name) is not None:
        return None
    near = difflib.get_close_matches(name.lower(), known, 1, 0.6)
    remedy = f'did you mean "{near[0]}"?' if near else "write data rate, data size, price, time, count, …"
    return f'the dimension "{name}" is unknown', remedy


def written_step(q: Quantity) -> Fraction:
    """A unit of the last digit as written, in the quantity's unit: 0.1 for `400.0 Gbps`.

    Zero where it is written as a fraction, which is exact.
    """
    places, scale = written_places(q)
    return scale / Fraction(10) ** places if scale else Fraction(0)


def written_places(q: Quantity) -> tuple[int, Fraction]:
    """Decimal places as written, and what the number was multiplied by (10^9 for `6.9 billion`)."""
    value = Fraction(q.value)
    match = _NUMBER.search(q.text)
    if not match or not value:
        return (0, Fraction(1)) if value.denominator == 1 else (0, Fraction(0))
    token = re.sub(r"['’\u00a0\u202f ]", "", match[0]).rstrip(".,")
    digits = re.sub(r"\D", "", token)
    after = re.split(r"[.,]", token)[-1] if re.search(r"[.,]", token) else ""
    readings = [len(after), 0] if after else [0]
    if "," in token and "." not in token and len(after) == 3:
        readings.reverse()
    scales = [(n, abs(value) * 10**n / int(digits)) for n in readings if int(digits)]
    if not scales:
        return len(after), Fraction(1)
    for places, scale in scales:
        if scale == 1:
            return places, scale
    places, scale = scales[0]
    if _has_decimal(scale.denominator):
        return places, scale
    return 0, Fraction(0)


def _has_decimal(n: int) -> bool:
    """Whether a fraction with this denominator ends as a decimal."""
    for p in (2, 5):
        while n % p == 0:
            n //= p
    return n == 1


def exact_number(value: Fraction) -> Decimal | Fraction:
    """The value as a decimal, where one is exact."""
    if _has_decimal(value.denominator) and value.denominator < 10**20:
        scaled = value
        places = 0
        while scaled.denominator != 1:
            scaled *= 10
            places += 1
        return Decimal(scaled.numerator).scaleb(-places) if abs(scaled.numerator) < 10**27 else value
    return value
