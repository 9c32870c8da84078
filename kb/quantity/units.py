"""The units of `units.txt`: what they are called, what they are made of, how they convert."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from importlib.resources import files

from kb.quantity.quantity import Number

Vector = tuple[tuple[str, int], ...]
"""Powers of base units, sorted by name: `(("bit", 1), ("second", -1))`."""

PLAIN = frozenset({"fraction", "ratio", "count", "number"})
"""Dimensions that are plain numbers in a calculation."""

PERIODS = frozenset(
    {"second", "minute", "hour", "day", "week", "month", "quarter", "year", "millisecond", "fortnight"}
)
"""Units of time that a price or a count may be for."""

OFFSETS = {"celsius": Fraction(27315, 100), "fahrenheit": Fraction(45967, 100) * Fraction(5, 9)}
"""What is added, in kelvin, to a temperature (and not to a difference of two)."""


@dataclass(frozen=True, slots=True)
class Unit:
    """One unit: `factor` times the product of the base units in `vector`."""

    name: str
    dimension: str
    factor: Fraction
    vector: Vector


@dataclass(frozen=True, slots=True)
class Registry:
    """All that `units.txt` says.

    Attributes:
        units: by canonical name.
        symbols: spelling in which case matters, to canonical name; `o@fr` is French alone.
        words: spelling in lower case, to canonical name, likewise.
        by_vector: the first unit of each vector with the factor one, else the first.
    """

    units: dict[str, Unit]
    symbols: dict[str, str]
    words: dict[str, str]
    by_vector: dict[Vector, str]


_SPOKEN_CODES = frozenset(
    [
        "usd",
        "eur",
        "gbp",
        "chf",
        "jpy",
        "cny",
        "inr",
        "brl",
        "cad",
        "aud",
        "usdt",
        "usdc",
        "sek",
        "nok",
        "dkk",
    ]
)
"""Currency codes that people write in lower case too; others would be words (try, php, all)."""


def _factor(text: str) -> Fraction:
    base, _, power = text.partition("^")
    return Fraction(base) ** int(power) if power else Fraction(base)


def _product(text: str, units: dict[str, Unit]) -> tuple[Fraction, Vector]:
    """`gram*metre^2/second^3` as a factor and a vector of base units."""
    factor, powers = Fraction(1), dict[str, int]()
    sign = 1
    for part in re.split(r"([*/])", text):
        if part in "*/":
            sign = 1 if part == "*" else -1
            continue
        name, _, power = part.partition("^")
        exponent = sign * int(power or 1)
        unit = units.get(name)
        if unit is None:
            powers[name] = powers.get(name, 0) + exponent
            continue
        factor *= unit.factor**exponent
        for base, n in unit.vector:
            powers[base] = powers.get(base, 0) + n * exponent
    return factor, tuple(sorted((b, n) for b, n in powers.items() if n))


def _define(name: str, definition: str, dimension: str, units: dict[str, Unit]) -> Unit:
    if definition == "base":
        plain = dimension in PLAIN or dimension == "order"
        return Unit(name, dimension, Fraction(1), () if plain else ((name, 1),))
    number, _, product = definition.partition(" ")
    factor, vector = _product(product, units) if product else (Fraction(1), ())
    return Unit(name, dimension, _factor(number) * factor, vector)


class _Reader:
    """Reads `units.txt` line by line."""

    def __init__(self) -> None:
        self.prefixes: dict[str, list[tuple[str, str, Fraction]]] = {}
        self.units: dict[str, Unit] = {}
        self.symbols: dict[str, str] = {}
        self.words: dict[str, str] = {}

    def line(self, section: str, cells: list[str]) -> None:
        if section == "prefixes":
            parts = (p.split(":") for p in cells[1].split())
            self.prefixes[cells[0]] = [(s, n, _factor(f)) for s, n, f in parts]
        elif cells[0].startswith("+"):
            name = cells[0][1:].strip()
            for symbol in cells[
                -2
            ].split():  # what is said of one unit goes before what its base gives it: kb
                self.symbols[symbol.replace("_", " ")] = name
            self.spell(name, "", cells[-1])
        else:
            name, definition, sets, symbols, words = (*cells, "", "")[:5]
            dimension = f"money {name.removeprefix('currency:')}" if section == "money" else section
            unit = _define(name, definition, dimension, self.units)
            self.units[name] = unit
            own = name if section != "money" or name in _SPOKEN_CODES else ""
            self.spell(name, symbols, f"{words} {own}")
            for key in sets.split():
                for symbol, prefix, factor in self.prefixes[key]:
                    self.prefixed(unit, symbol, prefix, factor, symbols, words)

    def prefixed(
        self, unit: Unit, symbol: str, prefix: str, factor: Fraction, symbols: str, words: str
    ) -> None:
        name = prefix + unit.name
        self.units.setdefault(name, Unit(name, unit.dimension, unit.factor * factor, unit.vector))
        self.spell(
            name,
            " ".join(symbol + s for s in symbols.split()),
            " ".join([name, *(prefix + w for w in words.split())]),
        )

    def spell(self, name: str, symbols: str, words: str) -> None:
        for symbol in symbols.split():
            self.symbols.setdefault(symbol.replace("_", " "), name)
        for word in words.split():
            self.words.setdefault(word.replace("_", " ").lower(), name)


@cache
def registry() -> Registry:
    """The units, read once in a process."""
    reader, section = _Reader(), ""
    for line in files("kb.quantity").joinpath("units.txt").read_text("utf-8").splitlines():
        if line.startswith("["):
            section = line.strip("[] ")
        elif line and not line.startswith("#"):
            reader.line(section, [c.strip() for c in line.split("|")])
    by_vector: dict[Vector, str] = {}
    for unit in reader.units.values():
        if unit.factor == 1:
            by_vector.setdefault(unit.vector, unit.name)
    for unit in reader.units.values():
        by_vector.setdefault(unit.vector, unit.name)
    return Registry(reader.units, reader.symbols, reader.words, by_vector)


def split_unit(unit: str) -> tuple[str, str]:
    """Numerator and denominator: `usd/hour` is `usd` and `hour`; a registered whole stays one."""
    known = registry().units.get(unit)
    if "/" not in unit or (known and known.dimension != "count rate"):
        return unit, ""
    above, _, below = unit.rpartition("/")
    return above, below


@lru_cache(4096)
def unit_vector(unit: str) -> tuple[Fraction, Vector]:
    """What a unit is made of: a factor, and powers of base units.

    Counts, ratios, fractions and plain numbers have the empty vector; a unit
    that nobody knows is a base unit of its own.
    """
    known = registry().units.get(unit)
    if known:
        return known.factor, known.vector
    above, below = split_unit(unit)
    if below:
        factor, vector = _product(f"{above}/{below}", _as_units(above, below))
        return factor, vector
    if unit in ("", "number") or unit.startswith("count:"):
        return Fraction(1), ()
    return Fraction(1), ((unit, 1),)


def _as_units(*names: str) -> dict[str, Unit]:
    return {n: Unit(n, "", *unit_vector(n)) for n in names}


def unit_from_vector(vector: Vector, prefer: tuple[str, ...] = ()) -> str:
    """A name for a vector, as good as there is: one of `prefer` that fits, else a known unit, else composed.

    Its factor is `unit_vector(name)[0]`.
    """
    for name in prefer:
        if unit_vector(name)[1] == vector:
            return name
    if not vector:
        return "number"
    known = registry().by_vector.get(vector)
    if known:
        return known
    above = "*".join(b if n == 1 else f"{b}^{n}" for b, n in vector if n > 0) or "1"
    below = "/".join(b if n == -1 else f"{b}^{-n}" for b, n in vector if n < 0)
    return f"{above}/{below}" if below else above


@lru_cache(4096)
def unit_dimension(unit: str) -> str:
    """One name for what a unit measures: `data rate`, `data size`, `time`, `count`, `fraction`, …

    Money of each currency is a dimension of its own (`money usd`), whatever
    period it is for.
    """
    known = registry().units.get(unit)
    if known:
        return known.dimension
    if unit in ("", "number"):
        return "number"
    above, below = split_unit(unit)
    if not below:
        if unit.startswith("currency:"):
            return f"money {unit[9:]}"
        return "count" if unit.startswith("count:") else "unknown"
    top = unit_dimension(above)
    if top.startswith("money ") or top == "fraction":
        return top
    if top == "count" or above in ("token", "request", "query", "transaction"):
        return "count rate"
    _, vector = unit_vector(unit)
    same = registry().by_vector.get(vector)
    return registry().units[same].dimension if same else f"{top} per {unit_dimension(below)}"


def is_symbol(spelling: str) -> bool:
    """Whether a spelling is a unit's symbol: GHz."""
    return spelling in registry().symbols


def is_known(unit: str) -> bool:
    """Whether all parts of a unit's name are known."""
    if unit in registry().units or unit in ("", "number") or unit.startswith(("count:", "currency:")):
        return True
    above, below = split_unit(unit)
    return bool(below) and (is_known(above) or unit_dimension(unit) == "count rate") and is_known(below)


@lru_cache(maxsize=16384)  # the values of a page are compared with those of many claims
def convert(value: Number | int, from_unit: str, to_unit: str) -> Fraction | None:
    """`value` in another unit, exactly; None where the units do not convert into each other.

    Temperatures convert as such, not as differences. A month is no number of
    days. Counts convert only into counts of the same noun.
    """
    number = Fraction(value)
    if from_unit == to_unit:
        return number
    if unit_dimension(from_unit) != unit_dimension(to_unit):
        return None
    if unit_dimension(from_unit).startswith("count"):
        (a, p), (b, q) = split_unit(from_unit), split_unit(to_unit)
        if a.removeprefix("count:") != b.removeprefix("count:") or not p or not q:
            return None
        return convert(number, q, p)  # per hour to per second: the other way round
    factor, vector = unit_vector(from_unit)
    other, wanted = unit_vector(to_unit)
    if vector != wanted or "percentage-point" in (from_unit, to_unit):
        return None
    if from_unit in OFFSETS or to_unit in OFFSETS:
        kelvin = number * factor + OFFSETS.get(from_unit, Fraction(0))
        return (kelvin - OFFSETS.get(to_unit, Fraction(0))) / other
    return number * factor / other
