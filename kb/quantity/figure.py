"""One figure or date as a claim writes it, and a quantity as people write it."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal
from difflib import get_close_matches
from fractions import Fraction
from functools import lru_cache

from kb.errors import UsageError
from kb.quantity.lexicon import bounds, word_set
from kb.quantity.quantity import Date, Number, Quantity
from kb.quantity.units import PERIODS, registry, split_unit, unit_dimension


class FigureError(UsageError):
    """A figure, a date or a unit that nobody can read; the message says what would be right."""


_SHORT = {
    "bit/second": "bps",
    "byte/second": "B/s",
    "bit": "bit",
    "byte": "B",
    "watt": "W",
    "watt-hour": "Wh",
    "hertz": "Hz",
    "metre": "m",
    "gram": "g",
    "transfer/second": "T/s",
    "volt": "V",
}
_PREFIX = {"kilo": "k", "mega": "M", "giga": "G", "tera": "T", "peta": "P", "exa": "E"} | {
    "kibi": "Ki", "mebi": "Mi", "gibi": "Gi", "tebi": "Ti", "milli": "m", "micro": "µ", "nano": "n"
}  # fmt: skip
_BOUND = {
    "at-least": "at least ",
    "at-most": "up to ",
    "more-than": "more than ",
    "less-than": "less than ",
    "about": "about ",
    "exact": "",
}


def format_quantity(q: Quantity) -> str:
    """A quantity for people: `400 Gbps`, `up to 3,200 Gbps per VM`, `2.49 USD/hour`."""
    number = format_number(q.value)
    if q.high is not None:
        number += f" to {format_number(q.high)}"
    if q.times is not None:
        number = f"{format_number(q.times)} x {number}"
    per = f" per {q.per}" if q.per else ""
    return f"{_BOUND.get(q.bound, '')}{number}{_unit_words(q.unit, q.value)}{per}"


def format_number(value: Number) -> str:
    """Digits in groups of three; a fraction that no decimal equals as a/b."""
    if isinstance(value, Fraction):
        decimal = Decimal(value.numerator) / Decimal(value.denominator)
        if Fraction(decimal) != value:
            return f"{value.numerator}/{value.denominator}"
        value = decimal
    text = format(value, "f")
    whole, _, part = text.partition(".")
    sign = "-" if whole.startswith("-") else ""
    digits = whole.lstrip("-")
    grouped = f"{int(digits):,}" if len(digits) > 4 else digits
    if len(digits) == 4:
        grouped = f"{digits[0]},{digits[1:]}"
    return f"{sign}{grouped}.{part}" if part else f"{sign}{grouped}"


def _unit_words(unit: str, value: Number) -> str:
    if unit in ("number", "fraction"):
        return ""
    if unit == "percent":
        return "%"
    if unit == "multiple":
        return "x"
    if unit == "ratio":
        return " to 1"
    above, below = split_unit(unit)
    name = _short(above)
    if name == above and not above.startswith("count:"):
        name = above if value == 1 or unit_dimension(above).startswith("money") else _plural(above)
    elif above.startswith("count:"):
        name = above[6:] if value == 1 else _plural(above[6:])
    if unit_dimension(above).startswith("money"):
        name = above.removeprefix("currency:").upper()
    return f" {name}/{below}" if below else f" {name}"


def _short(unit: str) -> str:
    for stem, symbol in _SHORT.items():
        prefix = unit.removesuffix(stem)
        if prefix != unit and (not prefix or prefix in _PREFIX):
            return _PREFIX.get(prefix, "") + symbol
    return unit


def _plural(word: str) -> str:
    if word.endswith("s") or word in ("celsius", "fahrenheit", "kelvin", "hertz", "psi", "iops"):
        return word
    if word in ("foot", "inch"):
        return {"foot": "feet", "inch": "inches"}[word]
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return word[:-1] + "ies"
    return word + "s"


_ONCE = re.compile(r"an?\s([a-z]+)", re.IGNORECASE)
"""`an hour`: where a text goes on, it may be what something is counted by (4 USD an hour)."""


def parse_figure(text: str, attribute: str = "", per: str | None = None) -> Quantity:
    """Read the one quantity that a claim's figure states.

    Args:
        text: the whole figure, such as `400 Gbps`, `8x400G`, `about 6.9 billion USD`.
        attribute: a unit in it ("bandwidth in Gbps") counts where the figure has none.
        per: a period (hour, month) goes into the unit, anything else is the basis.

    Raises:
        FigureError: the text states no quantity, or more than one.
    """
    from kb.quantity.reader import quantities  # the reader is heavier than the rest

    whole = text.strip()
    if not whole:
        raise FigureError('the figure is empty; a number with its unit would be right, such as "400 Gbps"')
    found = quantities(whole, header=attribute or None, bare=True)
    if not found and attribute:
        found = quantities(whole, bare=True)
    if not found and (once := _ONCE.fullmatch(whole)):
        one = quantities(f"one {once[1]}", bare=True)
        found = [replace(q, text=whole, end=len(whole)) for q in one if unit_dimension(q.unit) == "time"]
    if not found:
        raise FigureError(f'no quantity in "{whole}"{_remedy(whole)}')
    if len(found) > 1:
        parts = ", ".join(f'"{q.text}"' for q in found)
        raise FigureError(
            f'"{whole}" states {len(found)} quantities ({parts}); one figure for each claim would be right'
        )
    rest = " ".join(apart_from(whole, found[0])).split()
    unknown = [w for w in rest if re.search(r"[^\W\d_]", w)]
    if unknown and found[0].unit == "number":
        raise FigureError(f'unit "{" ".join(unknown)}" is unknown{_near(unknown[-1])}')
    return with_basis(found[0], per)


def apart_from(text: str, q: Quantity) -> tuple[str, str]:
    """What stands before and after a quantity in a text, the words that bound it left out.

    `("", "")` for the `20,000` of `over 20,000`, and `("CUDA", "")` for the `12` of `CUDA 12`.
    """
    before, after = text[: q.start].strip(_BETWEEN), text[q.end :].strip(_BETWEEN)
    while (words := before.casefold().split()) and (count := _bound_words(words, at_end=True)):
        before = before.rsplit(None, count)[0].strip(_BETWEEN) if count < len(words) else ""
    while (words := after.casefold().split()) and (count := _bound_words(words, at_end=False)):
        after = after.split(None, count)[count].strip(_BETWEEN) if count < len(words) else ""
    return before, after


_BETWEEN = " \t\n\u00a0\u202f(),.:"


def _bound_words(words: list[str], *, at_end: bool) -> int:
    """How many words at the end, or the beginning, are one phrase of bound or one that may stand by it."""
    known = bounds("before") if at_end else bounds("after")
    for size in (5, 4, 3, 2, 1):
        if size > len(words):
            continue
        part = words[-size:] if at_end else words[:size]
        if " ".join(part).strip(_BETWEEN) in known or (
            size == 1 and at_end and part[0] in word_set("beside")
        ):
            return size
    return 0


def with_basis(q: Quantity, per: str | None) -> Quantity:
    """The same quantity, for a basis; a bare period goes into the unit."""
    words = (per or "").strip()
    if not words:
        return q
    period = registry().words.get(words.casefold(), "")
    dated = unit_dimension(q.unit).startswith(("money ", "count", "data size", "fraction"))
    if period in PERIODS and dated:
        below = split_unit(q.unit)[1]
        return q if below else replace(q, unit=f"{q.unit}/{period}")
    if dated and q.unit != "number":
        below, rest = _read_basis(words)
        above, had = split_unit(q.unit)
        if below and had in ("", below):
            return replace(q, unit=f"{above}/{below}", per=rest)
    return replace(q, per=words)


@lru_cache(1024)
def _read_basis(words: str) -> tuple[str, str | None]:
    """The period and the rest of a basis that has both: `GPU-hour`, `user per month`."""
    from kb.quantity.per import basis_at  # the reader is heavier than the rest
    from kb.quantity.tokens import Tokens

    t = Tokens(f"per {words}"[:200], [])
    found = basis_at(t, 0, None, money=True)
    return (found.below, found.per) if found.end >= t.size else ("", None)


def _remedy(text: str) -> str:
    words = re.findall(r"[^\W\d_][^\s\d]*", text)
    if re.search(r"\d", text) and words:
        return _near(words[-1]) or '; a number with a unit would be right, such as "400 Gbps"'
    return '; a number with its unit would be right, such as "400 Gbps"'


def _near(word: str) -> str:
    known = [*registry().symbols, *registry().words]
    close = get_close_matches(word, [k for k in known if len(k) > 2], 1, 0.6)
    return f'; did you mean "{close[0]}"?' if close else ""


def parse_date(text: str, lang: str | None = None) -> Date:
    """Read a text that is one date as a whole.

    Raises:
        FigureError: it is none, or more than a date.
    """
    from kb.quantity.dates import dates  # the reader is heavier than the rest

    whole = text.strip()
    found = dates(whole, lang)
    if len(found) == 1 and found[0].text.strip() == whole:
        return found[0]
    raise FigureError(f'"{whole}" is not one date; a date such as 2024-03-18, 2015-08 or 1999 would be right')


def dimension_named(words: str) -> str | None:
    """The dimension that words name: "price" is `money`, "size limit" is `data size`; None if none.

    `money` stands for every currency.
    """
    known = bounds("dimensions")
    parts = re.findall(r"[^\W_]+", words.casefold())
    for size in (len(parts), 3, 2, 1):
        for i in range(len(parts) - size, -1, -1):
            name = known.get(" ".join(parts[i : i + size]))
            if name:
                return name
    return None
