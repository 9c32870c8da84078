"""Digits with separators to numbers, in every way that they can be read."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

POINT_IS_DECIMAL = frozenset({"en", "zh", "ja", "ko", "th", "he", "hi", "bn", "ur", "ms"})
"""Languages that group by comma and write decimals with a point."""

POINT_IS_DECIMAL_IN = frozenset({"ch", "li", "mx", "us", "gt", "hn", "ni", "pa", "pr", "do", "sv", "gb"})
"""Countries that do so whatever the language: `de-CH`, `es-MX`."""

_BY_POINT = "x-points"
"""Ends the language tag of a text that groups by full stops, whatever its language."""

_BY_POINTS = re.compile(r"(?<![\w.,/])\d{1,3}(?:(?:\.\d{3}){2,}|(?:\.\d{3})+,\d{1,2})(?![\w,]|\.\d)")
_BY_COMMAS = re.compile(r"(?<![\w.,/])\d{1,3}(?:(?:,\d{3}){2,}|(?:,\d{3})+\.\d{1,2})(?![\w.]|,\d)")
_ADDRESS = re.compile(r"(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.|\Z)){4}")
_SEARCHED = 400_000
"""Characters of a page in which its way of grouping digits is looked for."""

LONGEST = 30
"""Digits in the longest number; more are an identifier."""

_SPACED = re.compile(r"\d{1,3}(?:[ \u202f']\d{3})+(?:[.,]\d+)?")


@dataclass(frozen=True, slots=True)
class Numeral:
    """A number as written.

    `other` is the second reading of an ambiguous spelling; `settled` says what
    decided for the first, and is empty where nothing did. `of_counts` is a second
    reading for counts alone: 250.000 nodes in English.
    """

    value: Decimal
    other: Decimal | None = None
    settled: str = ""
    of_counts: Decimal | None = None


@lru_cache(4096)
def language(lang: str | None) -> str | None:
    """The two letters of a language tag that number forms hang on: `de` of `de-AT`."""
    if not lang:
        return None
    short = lang.lower().replace("_", "-").partition("-")[0]
    return None if short == "und" else short or None


def numbers_of(text: str, lang: str | None) -> str | None:
    """The language tag to read a text's numbers by: its own, unless they group by full stops.

    Two full stops with three digits behind each (16.000.000) group in any language, and
    settle what a single one on the same page means, where no commas on it do the same.
    """
    if text.count(".") < 2 or point_is_decimal(lang) is False:
        return lang
    sample = text[:_SEARCHED]
    if not any(_ADDRESS.fullmatch(m[0]) is None for m in _BY_POINTS.finditer(sample)):
        return lang
    return lang if _BY_COMMAS.search(sample) else f"{lang or 'und'}-{_BY_POINT}"


@lru_cache(4096)
def point_is_decimal(lang: str | None) -> bool | None:
    """Whether a language writes 1,234.5 (True) or 1.234,5 (False); None where no language is known."""
    if not lang:
        return None
    short, _, rest = lang.lower().replace("_", "-").partition("-")
    if rest.endswith(_BY_POINT):
        return False
    if rest.rpartition("-")[2] in POINT_IS_DECIMAL_IN:
        return True
    return short in POINT_IS_DECIMAL


@lru_cache(8192)
def numeral(text: str, lang: str | None) -> Numeral | None:
    """Read digits with separators; None where they are no number (1.2.3, a 40-digit id).

    Two different separators, or one used twice, are clear in any language. One
    separator before exactly three digits has two readings: the language says
    which leads, and settles it where it would not make it a decimal with three
    places (design, section 9, hard reading 1).
    """
    if len(text) > LONGEST + 10:
        return None
    mantissa, _, exponent = text.lower().partition("e")
    if exponent:
        plain = numeral(mantissa, "en")
        if plain is None:
            return None
        value = plain.value.scaleb(int(exponent))
        return Numeral(Decimal(int(value)) if value == value.to_integral_value() else value)
    if " " in text or "\u202f" in text or "'" in text:
        if not _SPACED.fullmatch(text):
            return None
        return Numeral(Decimal(re.sub(r"[ \u202f']", "", text).replace(",", ".")))
    marks = [c for c in text if c in ".,"]
    if sum(c.isdigit() for c in text) > LONGEST:
        return None
    if not marks:
        return Numeral(Decimal(text))
    if len(set(marks)) == 2:
        return _two_marks(text, marks)
    if len(marks) > 1:
        return _one_mark_often(text, marks[0])
    return _one_mark(text, marks[0], lang)


def _two_marks(text: str, marks: list[str]) -> Numeral | None:
    decimal = marks[-1]
    group = marks[0]
    if marks.count(decimal) > 1 or decimal in marks[:-1]:
        return None
    whole, _, part = text.rpartition(decimal)
    if not _grouped(whole, group):
        return None
    return Numeral(Decimal(whole.replace(group, "") + "." + part))


def _one_mark_often(text: str, mark: str) -> Numeral | None:
    return Numeral(Decimal(text.replace(mark, ""))) if _grouped(text, mark) else None


def _grouped(text: str, mark: str) -> bool:
    first, *groups = text.split(mark)
    if not groups:
        return True
    if len(first) > 3 or first.startswith("0"):
        return False
    sizes = {len(g) for g in groups}
    lakhs = mark == "," and len(groups[-1]) == 3 and {len(g) for g in groups[:-1]} <= {2} and len(first) < 3
    return sizes == {3} or lakhs


def _one_mark(text: str, mark: str, lang: str | None) -> Numeral:
    whole, _, part = text.partition(mark)
    decimal = Decimal(f"{whole}.{part}")
    if len(part) != 3 or whole.startswith("0") or len(whole) > 3:
        return Numeral(decimal)
    grouped = Decimal(whole + part)
    point = point_is_decimal(lang)
    if point is None:
        return Numeral(grouped, decimal) if mark == "," else Numeral(decimal, grouped)
    if point:  # en: 1,400 groups and 1.400 is a decimal, clearly
        return Numeral(grouped) if mark == "," else Numeral(decimal, of_counts=grouped)
    if mark == ".":
        by = (
            "other numbers beside it"
            if (lang or "").endswith(_BY_POINT)
            else f"the language ({language(lang)})"
        )
        return Numeral(grouped, decimal, by)
    return Numeral(decimal, grouped)  # 1,400 on a German page: three places are rare
