"""Our table of units against pint's, and exact conversion."""

from __future__ import annotations

from fractions import Fraction

import pint
import pytest

from kb.quantity import convert, is_known, unit_from_vector, unit_vector
from kb.quantity.units import registry

PINT = {
    "count": None,
    "transfer": None,
    "baud": None,
    "fortnight": "fortnight",
    "nautical-mile": "nautical_mile",
    "rack-unit": None,
    "square-foot": "foot**2",
    "square-mile": "mile**2",
    "square-inch": "inch**2",
    "cubic-foot": "foot**3",
    "short-ton": "short_ton",
    "long-ton": "long_ton",
    "tonne": "metric_ton",
    "horsepower": "horsepower",
    "atmosphere": "standard_atmosphere",
    "psi": "psi",
    "btu": "Btu",
    "knot": "knot",
    "celsius": "delta_degree_Celsius",
    "fahrenheit": "delta_degree_Fahrenheit",
    "standard-gravity": "standard_gravity",
    "gallon": "gallon",
    "barrel": "oil_barrel",
    "revolution/minute": "revolution_per_minute",
}
"""Names that pint has under another; None: what pint does not know, or counts in another way."""

COMPARED = (
    "data size", "data rate", "time", "length", "area", "volume", "mass", "power", "energy", "electric", "force",
    "pressure", "speed", "acceleration",
)  # fmt: skip
NEAR = 5e-6
"""Relative: pint's acre is the surveyor's, and its Btu is rounded."""
CALENDAR = {"month", "quarter", "year", "decade", "business-day"}


def pint_name(name: str) -> str | None:
    if name in PINT:
        return PINT[name]
    for prefix, power in (("square-", 2), ("cubic-", 3)):
        if name.startswith(prefix):
            return f"{name.removeprefix(prefix)}**{power}"
    return name.replace("-hour", "_hour").replace("volt-ampere", "volt_ampere")


def names() -> list[str]:
    units = registry().units.values()
    return [u.name for u in units if u.dimension in COMPARED and u.name not in CALENDAR and pint_name(u.name)]


@pytest.fixture(scope="module")
def ureg() -> pint.UnitRegistry:
    return pint.UnitRegistry(non_int_type=Fraction)


def test_every_conversion_agrees_with_pint(ureg: pint.UnitRegistry) -> None:
    wrong, seen = [], 0
    by_dimension: dict[str, list[str]] = {}
    for name in names():
        by_dimension.setdefault(str(unit_vector(name)[1]), []).append(name)
    for same in by_dimension.values():
        base = same[0]
        for name in same[1:]:
            ours = convert(1, name, base)
            theirs = ureg.Quantity(1, pint_name(name)).to(pint_name(base)).magnitude
            assert ours is not None
            seen += 1
            if abs(float(ours) / float(theirs) - 1) > NEAR:
                wrong.append((name, base, float(ours), float(theirs)))
    assert not wrong
    assert seen > 150


@pytest.mark.parametrize(
    ("value", "unit", "other", "answer"),
    [
        (400, "gigabit/second", "gigabyte/second", Fraction(50)),
        (3200, "gigabit/second", "terabit/second", Fraction(16, 5)),
        (1, "gibibyte", "byte", Fraction(2**30)),
        (100, "celsius", "fahrenheit", Fraction(212)),
        (-40, "celsius", "fahrenheit", Fraction(-40)),
        (2, "week", "day", Fraction(14)),
        (1, "year", "month", Fraction(12)),
        (50, "percent", "fraction", Fraction(1, 2)),
        (1, "month", "day", None),
        (1, "usd", "eur", None),
        (1, "usd/hour", "usd/month", None),
        (1, "percent", "percentage-point", None),
        (1, "gigabit", "gigabit/second", None),
        (1, "count:GPU", "count:VM", None),
        (60, "count:request/minute", "count:request/second", Fraction(1)),
        (1, "business-day", "day", None),
    ],
)
def test_conversion_is_exact_or_none(value: int, unit: str, other: str, answer: Fraction | None) -> None:
    assert convert(value, unit, other) == answer


def test_vectors_multiply_and_name_their_units() -> None:
    factor, vector = unit_vector("gigabit/second")
    assert (factor, vector) == (Fraction(10**9), (("bit", 1), ("second", -1)))
    assert unit_from_vector(vector, prefer=("gigabit/second",)) == "gigabit/second"
    assert unit_vector(unit_from_vector(vector))[1] == vector
    assert unit_vector("count:GPU") == (1, ())
    assert unit_from_vector(()) == "number"


def test_every_spelling_leads_to_a_known_unit() -> None:
    known = registry()
    assert not [n for n in {*known.symbols.values(), *known.words.values()} if not is_known(n)]


def test_unknown_units_are_known_as_such() -> None:
    assert is_known("usd/hour")
    assert is_known("count:thing/minute")
    assert not is_known("florp")
    assert not is_known("florp/hour")
