"""Whatever quantity is written in a supported spelling reads back as the same; no text makes the reader raise."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kb.quantity import dates, format_quantity, parse_figure, quantities
from kb.quantity.lexicon import scales
from kb.quantity.segments import segments
from kb.quantity.units import registry

SPELLINGS = [
    (s, u)
    for s, u in registry().symbols.items()
    if len(s) > 1 and s.isascii() and s.isalpha() and "@" not in s and not u.startswith(("usdt", "currency"))
    and u not in ("pixel", "percentage-point", "rack-unit", "inch") and s not in ("Rs", "Rp", "RM", "TL", "MP", "ac", "tn", "Kb", "Mb", "Gb", "Tb", "Ki", "Mi", "Gi", "Ti", "pm")
    and s.lower() not in scales("en")
]  # fmt: skip
"""Symbols of letters: the others have tables of their own."""

CODES = ["usd", "eur", "gbp", "chf", "jpy", "inr", "sek", "brl", "krw"]
numbers = st.integers(2, 999_999).filter(lambda n: not 1500 <= n <= 2199)
decimals = st.decimals("0.1", "9999", places=1).filter(lambda d: d != d.to_integral_value())


def grouped(number: int, mark: str) -> str:
    return f"{number:,}".replace(",", mark)


@given(numbers, st.sampled_from(SPELLINGS), st.sampled_from(["", " "]))
@settings(max_examples=300, deadline=None)
def test_a_value_with_a_unit(number: int, spelling: tuple[str, str], space: str) -> None:
    symbol, unit = spelling
    found = quantities(f"it is {number}{space}{symbol} there", lang="en")
    assert [(q.value, q.unit) for q in found] == [(number, unit)]


@given(
    numbers,
    st.sampled_from([("en", ","), ("de", "."), ("fr", " "), ("fr", "\u202f"), ("de", "'"), ("es", ".")]),
)
@settings(max_examples=200, deadline=None)
def test_groups_of_each_language(number: int, form: tuple[str, str]) -> None:
    lang, mark = form
    (found,) = quantities(f"{grouped(number, mark)} Gbps", lang=lang)
    assert found.value == number


@given(decimals, st.sampled_from([("en", "."), ("de", ","), ("fr", ","), ("zh", ".")]))
@settings(max_examples=200, deadline=None)
def test_decimals_of_each_language(value: Decimal, form: tuple[str, str]) -> None:
    lang, mark = form
    (found,) = quantities(f"{value} kW".replace(".", mark), lang=lang)
    assert (found.value, found.readings) == (value, ())


@given(numbers, st.sampled_from(CODES), st.sampled_from(["{c} {n}", "{n} {c}", "{c}{n}"]))
@settings(max_examples=200, deadline=None)
def test_money(number: int, unit: str, form: str) -> None:
    (found,) = quantities(form.format(c=unit.upper(), n=grouped(number, ",")), lang="en")
    assert (found.value, found.unit) == (number, unit)


@given(st.integers(1, 500), st.integers(501, 1400), st.sampled_from(["–", "-", " to ", " – "]))
@settings(max_examples=100, deadline=None)
def test_ranges(low: int, high: int, dash: str) -> None:
    (found,) = quantities(f"{low}{dash}{high} GB", lang="en")
    assert (found.value, found.high, found.unit) == (low, high, "gigabyte")


BOUNDS = {
    "up to": "at-most", "at least": "at-least", "more than": "more-than", "less than": "less-than",
    "about": "about", "no more than": "at-most", "~": "about", "≥": "at-least",
}  # fmt: skip


@given(numbers, st.sampled_from(sorted(BOUNDS)))
@settings(max_examples=100, deadline=None)
def test_bounds(number: int, words: str) -> None:
    (found,) = quantities(f"it takes {words} {number} GPUs", lang="en")
    assert (found.value, found.unit, found.bound) == (number, "count:GPU", BOUNDS[words])


ONES = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
TENS = dict(
    zip(
        range(20, 100, 10),
        ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"],
        strict=True,
    )
)


def in_words(n: int) -> str:
    if n >= 1000:
        return f"{in_words(n // 1000)} thousand" + (f" {in_words(n % 1000)}" if n % 1000 else "")
    if n >= 100:
        return f"{in_words(n // 100)} hundred" + (f" {in_words(n % 100)}" if n % 100 else "")
    if n in TENS:
        return TENS[n]
    return ONES[n - 1] if n <= 12 else f"{TENS[n // 10 * 10]}-{ONES[n % 10 - 1]}"


@given(st.integers(2, 999_999).filter(lambda n: not any(12 < x % 100 < 20 for x in (n, n // 1000))))
@settings(max_examples=200, deadline=None)
def test_numbers_in_words(number: int) -> None:
    (found,) = quantities(f"They have {in_words(number)} servers.", lang="en")
    assert (found.value, found.unit) == (number, "count:server")


@given(numbers, st.sampled_from(["400 Gbps", "GPUs", "GB", "kW", "%", "hours"]))
@settings(max_examples=100, deadline=None)
def test_what_is_told_to_people_reads_back(number: int, unit: str) -> None:
    once = parse_figure(f"{number} {unit.removeprefix('400 ')}")
    again = parse_figure(format_quantity(once))
    assert (once.value, once.unit) == (again.value, again.unit)


@given(st.text(max_size=300))
@settings(max_examples=400, deadline=None)
def test_no_text_makes_the_reader_raise(text: str) -> None:
    for lang in (None, "en", "de", "fr"):
        for q in quantities(text, lang=lang, bare=True):
            assert 0 <= q.start < q.end <= len(text)
        for d in dates(text, lang):
            assert text[d.start : d.end] == d.text


PIECES = [
    "8", "x", "400", "Gbps", "$", "€", "to", "-", "–", "/", "per", "GPU", "half", "a", "million", "and", "(", ")", ",",
    ".", "1.400", "1,400", "%", "up to", "at least", "|", "\n", "3.5", "½", "°C", "of", "the", "10⁹", "×", "zwei", "万",
    "<sup>2</sup>", "&nbsp;", "\\$", "each", "18:1", "2024", "Q3", "'", '"', "+", "±", "~", "kWh", "hour", "B", "K",
]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=25), st.sampled_from(["", " "]), st.sampled_from(PIECES))
@settings(max_examples=400, deadline=None)
def test_no_heap_of_our_own_words_makes_it_raise(words: list[str], glue: str, header: str) -> None:
    text = glue.join(words)
    for lang in (None, "en", "de", "fr", "zh"):
        for q in quantities(text, header=header, row=header, lang=lang, bare=True):
            assert text[q.start : q.end] == q.text


HOSTILE = [
    "1",
    "a",
    "a1",
    "1a",
    "1,",
    "1-",
    "1 ",
    "1/",
    "$1",
    "1.",
    "1:",
    "one ",
    "half-",
    "<",
    "&a",
    "[1]",
    "万",
    "_a",
    "1x",
    "(1",
]


@pytest.mark.parametrize("unit", HOSTILE)
def test_hostile_repetition_is_read_in_pieces_of_bounded_length(unit: str) -> None:
    text = unit * (60_000 // len(unit))
    assert isinstance(quantities(text, lang="en"), list)
    assert all(stop - begin <= 1200 for begin, stop in segments(text, "en"))


def test_no_digits_are_too_many() -> None:
    assert quantities("9" * 5000 + " Gbps", lang="en") == []
    assert quantities("1e9 bytes", lang="en")[0].value == 10**9
