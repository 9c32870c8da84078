"""Large numbers as words: `1.4 million`, `1.4M` and `1400000` are one number in three spellings."""

from __future__ import annotations

import re
from decimal import Decimal

LARGE = r"\d+(?:\.\d+)?[ \u00a0\u202f](?:thousand|million|billion|trillion)(?![\w-])"
"""A number with a word that multiplies it."""
_LARGE = re.compile(r"(\d+(?:\.\d+)?)\s((?:thousand|million|billion|trillion))", re.IGNORECASE)
_SHORT = re.compile(r"(\d+(?:\.\d+)?)([MB])")
_POWERS = {"thousand": 3, "million": 6, "m": 6, "billion": 9, "b": 9, "trillion": 12}
_LETTER = {"thousand": "k", "million": "m", "billion": "b", "trillion": "t"}


def in_digits(word: str) -> str:
    """A number with a word or letter that multiplies it as digits: 1400000 of `1.4 million`; else nothing."""
    found = _LARGE.fullmatch(word) or _SHORT.fullmatch(word)
    if found is None:
        return ""
    whole = Decimal(found[1]).scaleb(_POWERS[found[2].lower()])
    return f"{whole.normalize():f}" if whole == whole.to_integral_value() else ""


def with_letter(word: str) -> tuple[str, str]:
    """A number with a word that multiplies it as it is written with a letter, 1.4m, and without: 1.4."""
    number, power = word.split()
    return number + _LETTER[power.lower()], number
