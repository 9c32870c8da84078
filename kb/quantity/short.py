"""What tables and benchmarks write in short: `img/s`, `params (M)`, `Requests (x1000)`, `PT30M`."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import cache

from kb.quantity.atom import Atom
from kb.quantity.lexicon import bounds
from kb.quantity.nouns import is_plural, one_of
from kb.quantity.per import Basis, basis_at
from kb.quantity.suffix import MEMORY
from kb.quantity.tokens import NAME, NUMBER, WORD, Tokens
from kb.quantity.units import convert

_PREFIX = {"k": 3, "K": 3, "M": 6, "G": 9}
_FACTORS = {"k": 3, "K": 3, "M": 6, "B": 9, "G": 9, "T": 12}
_BYTES = {"k": "kilobyte", "K": "kilobyte", "M": "megabyte", "G": "gigabyte", "T": "terabyte"}
_FLOPS = {"k": "kilo", "K": "kilo", "M": "mega", "B": "giga", "G": "giga", "T": "tera"}
_HEAT = re.compile(r"(?i)temp|kelvin|heat|colou?r|cct|light")


@cache
def _shortened() -> dict[str, str]:
    """What benchmarks shorten, in the singular, to the whole word: img is image."""
    return bounds("shortened")


def counted_short(word: str) -> tuple[str, Decimal] | None:
    """The noun that a word before a slash counts, and its factor: `img`, `rows`, `Mrows`; None if none."""
    known = _shortened()
    if word.lower() in known:
        return known[word.lower()], Decimal(1)
    if word[:1] in _PREFIX and (len(word) > 3 or word[:1].isupper()):
        rest = word[1:].lower()
        noun = known.get(rest) or (one_of(rest) if one_of(rest) in known.values() and is_plural(rest) else "")
        if noun:
            return noun, Decimal(10) ** _PREFIX[word[0]]
    return None


def rate_of_counts(t: Tokens, j: int, lang: str | None) -> tuple[str, Decimal, Basis] | None:
    """`img/s`, `Mrows/sec`, `allocs/op`: the noun at `j`, its factor, and what follows the slash."""
    if t.kind[j] != WORD or t.low[j + 1] != "/" or t.gap[j + 1] or t.gap[j + 2]:
        return None
    found = counted_short(t.word[j])
    if found is None:
        return None
    basis = basis_at(t, j + 1, lang, counted=True)
    return (*found, basis) if basis.end > j + 1 else None


def factor_at(t: Tokens, i: int) -> tuple[Decimal, int] | None:
    """`x1000`, `×1,000`, `1000s`, `'000`, `000s` in a header: the factor, and the token after it."""
    k = i
    if t.kind[i] == NAME and re.fullmatch(r"[xX]10+", t.word[i]):
        return Decimal(t.word[i][1:]), i + 1
    if t.low[k] in ("x", "×", "'"):
        k += 1
    digits = t.word[k].replace(",", "").replace("\u202f", "") if t.kind[k] == NUMBER else ""
    plural = t.low[k + 1] == "s" and t.gap[k + 1] == 0
    if digits == "000":
        return Decimal(1000), k + 1 + plural
    if digits in ("1000", "1000000", "1000000000") and (k > i or plural):
        return Decimal(digits), k + 1 + plural
    return None


MEASURED = frozenset({"parameter", "token", "sample", "row", "event", "operation", "FLOP", "MAC"})
"""What is told in thousands and more so often that a letter beside it is a factor anywhere."""


def letter_in_header(t: Tokens, noun: str, *, column: bool) -> tuple[str, Decimal] | None:
    """What one letter in brackets makes of the numbers under it, unit and factor: `params (M)`, `Size (K)`.

    None where there is no such letter, or it is a unit of its own (kelvin under a temperature).
    """
    for i in range(1, t.size):
        letter = t.word[i]
        if letter not in _FACTORS or t.low[i - 1] not in ("(", "[") or t.low[i + 1] not in (")", "]"):
            continue
        if any(w in ("flops", "flop", "macs") for w in t.low):
            counted = "macs" in t.low
            return (
                ("count:MAC", Decimal(10) ** _FACTORS[letter])
                if counted
                else (f"{_FLOPS[letter]}flop/second", Decimal(1))
            )
        if not column and noun not in MEASURED:
            return None  # max open files (G): a mark of something else
        if MEMORY.search(t.text) or re.search(r"(?i)\bsize\b", t.text):
            return (_BYTES[letter], Decimal(1)) if letter in _BYTES else None
        if letter == "K" and _HEAT.search(t.text):
            return None
        if noun in MEASURED or (noun and column and letter in ("K", "k", "M")):
            return f"count:{noun}", Decimal(10) ** _FACTORS[letter]
    return None


_ISO = re.compile(
    r"P(?=\d|T\d)(?:(\d{1,4})Y)?(?:(\d{1,4})M)?(?:(\d{1,4})W)?(?:(\d{1,5})D)?"
    r"(?:T(?=\d)(?:(\d{1,5})H)?(?:(\d{1,5})M)?(?:(\d{1,6}(?:\.\d{1,6})?)S)?)?"
)
_PARTS = ("year", "month", "week", "day", "hour", "minute", "second")
_STATED = re.compile(
    r"(?i)(?:\A|[\"'=:(]|durations?|periods?|interval|retention|timeout|ttl|lifetime|delay|iso 8601)\W*\Z"
)


def iso_duration(t: Tokens, i: int) -> Atom | None:
    """`PT30M`, `P1DT12H`, and `P90D` where it stands as a value: an ISO 8601 duration, in its last part."""
    m = _ISO.fullmatch(t.word[i])
    if m is None:
        return None
    parts = [(Decimal(text), unit) for text, unit in zip(m.groups(), _PARTS, strict=True) if text]
    if "T" not in t.word[i] and not _STATED.search(t.text[max(0, t.start[i] - 40) : t.start[i]]):
        return None  # a model's name
    unit = parts[-1][1]
    total = Decimal(0)
    for value, part in parts:
        converted = convert(value, part, unit)
        if converted is None:
            return None  # a month is no number of days
        total += Decimal(converted.numerator) / Decimal(converted.denominator)
    return Atom(i, i + 1, i, total, unit=unit)
