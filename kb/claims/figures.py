"""Figures as the claims files write them, and how precisely they are written."""

from __future__ import annotations

import difflib
import re
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

from kb.quantity import FigureError, Quantity, dimension_named, format_quantity, parse_figure, unit_dimension
from kb.quantity.units import registry

_NUMBER = re.compile(r"\d[\d.,'’\u00a0\u202f ]*\d|\d")


_SIMPLE = re.compile(r"([^\d]*)(0|[1-9]\d{0,8}|[1-9]\d{0,2}(?:,\d{3})+)(\.\d{1,2})?((?![.,]\d)[^\d]*)")
"""One number that is no year and has one reading in kb's own files, with what stands around it."""

_YEAR = re.compile(r"(?:1[89]|2[01])\d\d")
_POINT = re.compile(r"(?<![\d.,])\d{1,3}\.\d{3}(?![\d.,]*\d)")

_Key = tuple[str, str, int, str, str | None]

_TEMPLATES: dict[_Key, Quantity] = {}
_MOST_TEMPLATES = 20_000


def quantity_of(text: str, attribute: str = "", per: str | None = None) -> Quantity:
    """The quantity that a figure states, with all its readings.

    Raises:
        FigureError: as `parse_figure`.
    """
    basis = None if per == "unspecified" else per
    if attribute and _LETTERED.search(text):
        counted = parse_figure(text, _CLAUSE.split(attribute)[0], basis)
        if counted.unit.startswith("count:"):
            return counted
    try:
        return parse_figure(text, attribute, basis)
    except FigureError:
        if not _YEAR.fullmatch(text.strip()):
            raise
    # In a text four digits alone are a year; a claim that states one writes it under `date`.
    number = text.strip()
    return Quantity(Decimal(number), None, "number", per=basis, text=number, end=len(number))


def read_figure(
    text: str, attribute: str = "", per: str | None = None
) -> tuple[Quantity | None, tuple[str, str, str] | None]:
    """The quantity that a figure of ours states, or what is wrong, what would be right, and the rule's name.

    What we write ourselves has commas between thousands, as all of kb prints it; so `3,200` has one
    reading here. A lone point before three digits (`1.400`) keeps both. The attribute counts where
    the figure leaves something open: a unit, or a price's period.
    """
    basis = None if per == "unspecified" else per
    quantity, problem = _read(text, "", basis)
    if attribute and (quantity is None or _open(quantity.unit) or _LETTERED.search(text)):
        completed, _ = _read(text, attribute, basis)
        if completed is not None:
            return completed, None
    return quantity, problem


_LETTERED = re.compile(r"\dT\s*$")
_CLAUSE = re.compile(r"\s(?=(?:it|they|that|which|one|we|you|used|seen)\s)")
"""Where a property goes on behind what it counts, as terabytes are no tokens: tokens | it was trained on."""


def _open(unit: str) -> bool:
    return unit == "number" or ("/" not in unit and unit_dimension(unit).startswith("money"))


def _read(
    text: str, attribute: str, basis: str | None
) -> tuple[Quantity | None, tuple[str, str, str] | None]:
    match = _SIMPLE.fullmatch(text)
    key: _Key | None = None
    if match and not _YEAR.fullmatch(match[2]):
        key = (match[1], match[4], match[2].count(","), attribute, basis)
        q = _TEMPLATES.get(key)
        if q is not None:
            end = len(text) + q.end  # a template's end counts from the end of the text
            number = Decimal(
                text[match.start(2) : match.end(3) if match[3] else match.end(2)].replace(",", "")
            )
            return Quantity(
                number, None, q.unit, q.bound, q.per, None, text[q.start : end], q.start, end
            ), None
    try:
        quantity = quantity_of(text, attribute, basis)
    except FigureError as error:
        what, _, remedy = str(error).partition("; ")
        if what.startswith("no quantity"):
            remedy = f"{remedy}; a name or a version belongs under `text`".removeprefix("; ")
        return None, (what, remedy, "unknown-unit" if what.startswith("unit ") else "bad-figure")
    if quantity.readings and not _POINT.search(text):
        largest = max((quantity, *quantity.readings), key=lambda q: q.value)
        quantity = replace(largest, per=quantity.per, readings=(), settled="")
    if key and match:
        _learn(Decimal(f"{match[2]}{match[3] or ''}".replace(",", "")), key, quantity, text)
    return quantity, None


def _learn(number: Decimal, key: _Key, q: Quantity, text: str) -> None:
    """Keep how a figure of this form reads, as thousands of figures differ in the number alone.

    Only where the number as written is the value, so that nothing of the reading hung on it.
    """
    plain = Quantity(number, None, q.unit, q.bound, q.per, None, text[q.start : q.end], q.start, q.end)
    if q == plain and q.value > 1:
        if len(_TEMPLATES) >= _MOST_TEMPLATES:
            _TEMPLATES.clear()
        _TEMPLATES[key] = replace(q, end=q.end - len(text))


def two_readings(q: Quantity) -> str | None:
    """How else a figure may be read, in words; None where it is clear."""
    if not q.readings:
        return None
    return " or ".join(dict.fromkeys(format_quantity(replace(r, per=None)) for r in (q, *q.readings)))


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
