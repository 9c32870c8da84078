"""Quantities whose number is in words: halves, ninths, twice, two and a half, a hundred thousand."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction

from kb.quantity.atom import Atom
from kb.quantity.complete import complete
from kb.quantity.exact import plain_number
from kb.quantity.lexicon import number_words, scales
from kb.quantity.multiples import ROUND
from kb.quantity.numerals import numeral
from kb.quantity.per import basis_at
from kb.quantity.spelling import unit_at
from kb.quantity.tokens import NAME, NUMBER, SIGN, WORD, Tokens
from kb.quantity.units import registry, unit_dimension
from kb.quantity.wording import and_a_half, german, in_words, part_of

STARTS = frozenset(["half", "twice", "thrice", "hälfte", "moitié", "doppelt", "a", "an", "one"])
_NOT_HALF_AFTER = frozenset(
    [
        "first",
        "second",
        "other",
        "last",
        "top",
        "bottom",
        "lower",
        "upper",
        "left",
        "right",
        "latter",
        "front",
        "back",
        "and",
    ]
)
_FRACTION_NEXT = frozenset(
    [
        "of",
        "the",
        "a",
        "an",
        "as",
        "that",
        "its",
        "their",
        "his",
        "her",
        "our",
        "this",
        "these",
        "all",
        "der",
        "des",
        "von",
        "de",
        "la",
        "les",
        "le",
        "du",
        "del",
        "los",
    ]
)


_TIES = frozenset({"of", "to", "or", "and", "by", ""})


def worded(t: Tokens, i: int, lang: str | None) -> Atom | None:
    """A number in words, a fraction, twice."""
    low = t.low[i]
    if t.gap[i] == 0 and t.kind[i - 1] in (NUMBER, NAME, WORD):
        return None
    if t.gap[i] == 0 and t.low[i - 1] == "-" and t.gap[i - 1] == 0 and t.low[i - 2] not in _TIES:
        return None  # non-zero
    if low == "zero" and t.low[i + 1] == "-" and t.gap[i + 1] == 0:
        return None  # zero-copy
    if low.endswith("fold") and lang in (None, "en"):
        return _manifold(t, i)
    if lang == "de":
        whole = _german_factor(t, i)
        if whole:
            return whole
    if low in ("twice", "thrice", "doppelt"):
        return _twice(t, i)
    if low == "fortnight" or (low in ("a", "an") and t.low[i + 1] in ("fortnight", "dozen")):
        k = i if low == "fortnight" else i + 1
        if t.low[k] == "fortnight":
            return Atom(i, k + 1, k, Decimal(2), unit="week", in_digits=False)
    if low in ("half", "hälfte", "moitié", "halb", "halbe", "halben", "halber", "demi"):
        return _half(t, i, lang)
    fraction = _fraction(t, i, lang)
    if fraction:
        return fraction
    start = i
    if low in ("a", "an") and t.low[i + 1] in scales("en") and t.kind[i + 1] == WORD:
        start = i + 1
    elif low in ("a", "an"):
        return None
    read = in_words(t, start, lang)
    if read is None:
        return None
    value, j = read
    single = j == start + 1 and value == 1
    if single:
        part = _one_in(t, i, j, lang)
        if part:
            return part
    extra = and_a_half(t, j)
    if single and not extra:
        tied = t.low[j] == "-"
        measures = t.low[i] == "one" and (
            unit_at(t, j + 1, lang) is not None if tied else _measure(t, j, lang)
        )
        return complete(t, Atom(i, j, i, value, in_digits=False), lang) if measures else None
    atom = Atom(i, j, i, value, in_digits=False)
    if extra:
        atom.value, atom.stop = Decimal(value) + Decimal(str(extra[0])), extra[1]
    if t.gap[atom.stop] == 0 and t.low[atom.stop] == "'":
        return None
    return complete(t, atom, lang)


_MEASURED = ("time", "data size", "length", "mass", "temperature", "energy", "power")


def _measure(t: Tokens, j: int, lang: str | None) -> bool:
    """Whether a unit that is a word stands at `j`: the year of `one year`, and no noun or preposition."""
    unit = unit_at(t, j, lang) if len(t.low[j]) > 2 or t.word[j].isupper() else None
    return unit is not None and unit_dimension(unit[0]).startswith(_MEASURED)


_OF_SO_MANY = ROUND | {7, 9}


def _one_in(t: Tokens, i: int, j: int, lang: str | None) -> Atom | None:
    """`one in four adults`: a part, and no count of four."""
    k = j + 2 if t.low[j : j + 2] == ["out", "of"] else j + 1
    if t.low[j] != "in" and k == j + 1:
        return None
    words = in_words(t, k, lang)
    if t.kind[k] == NUMBER:
        read = numeral(t.word[k], t.numbers)
        words = (read.value, k + 1) if read else None
    if words is None or words[0] not in _OF_SO_MANY or unit_at(t, words[1], lang):
        return None
    return Atom(i, words[1], i, 1 / Fraction(words[0]), unit="fraction", in_digits=False)


def _manifold(t: Tokens, i: int) -> Atom | None:
    """`tenfold`, `a fivefold increase`."""
    kind, value = number_words("en").get(t.low[i].removesuffix("fold"), ("", Decimal(0)))
    if kind not in ("digit", "scale") or value < 2:
        return None
    return Atom(i, i + 1, i, value, unit="multiple", in_digits=False)


_GERMAN_FACTOR = re.compile(r"(.+?)(mal|fach(?:e|en|er|es)?|einhalb)")


def _german_factor(t: Tokens, i: int) -> Atom | None:
    """fünfmal, dreifach, zweieinhalb, anderthalb: a number and what it makes of it in one word."""
    m = _GERMAN_FACTOR.fullmatch(t.low[i])
    if t.low[i] in ("anderthalb", "eineinhalb"):
        return complete(t, Atom(i, i + 1, i, Decimal("1.5"), in_digits=False), "de")
    if m is None:
        return None
    kind, value = number_words("de").get(m[1], ("", Decimal(german(m[1]) or 0)))
    if not value or kind not in ("", "digit"):
        return None
    if m[2] == "einhalb":
        return complete(t, Atom(i, i + 1, i, value + Decimal("0.5"), in_digits=False), "de")
    if value == 1:
        return None
    atom = Atom(i, i + 1, i, value, unit="multiple", in_digits=False)
    if m[2] == "mal" and t.low[i + 1] not in _GERMAN_MORE and not t.low[i + 1].endswith("er"):
        atom.unit = "count:Mal"
        found = basis_at(t, i + 1, "de", money=True, counted=True)
        atom.below, atom.per, atom.stop = found.below, found.per, found.end
    return atom


_GERMAN_MORE = frozenset({"so", "mehr", "weniger", "die", "den", "das"})


def _twice(t: Tokens, i: int) -> Atom:
    atom = Atom(i, i + 1, i, Decimal(3 if t.low[i] == "thrice" else 2), unit="multiple", in_digits=False)
    if t.low[i + 1] in ("a", "per", "every", "daily", "weekly", "each"):
        atom.unit = "count:time"
        found = basis_at(t, i + 1, "en", money=True, counted=True)
        atom.below, atom.per, atom.stop = found.below, found.per, found.end
    return atom


def _half(t: Tokens, i: int, lang: str | None) -> Atom | None:
    if t.low[i - 1] in _NOT_HALF_AFTER or (t.low[i + 1] == "-" and t.gap[i + 1] == 0):
        return None
    if (
        t.low[i + 1] in ("a", "an")
        or t.low[i] in ("halbe", "halben", "halber", "demi")
        or t.low[i - 1] in ("a", "ein", "eine", "une", "un")
    ):
        k = i + 2 if t.low[i + 1] in ("a", "an") else i + 1
        words = in_words(t, k, lang)
        if words and words[0] > 1:
            atom = Atom(i, words[1], i, plain_number(Fraction(words[0]) / 2), in_digits=False)
            return complete(t, atom, lang)
        unit = unit_at(t, k, lang)
        if unit:
            return complete(t, Atom(i, k, i, Decimal("0.5"), in_digits=False), lang)
        return None
    unit = unit_at(t, i + 1, lang)
    if unit and t.low[i + 1] not in ("a", "in"):
        return None
    nxt = t.low[i + 1]
    if (
        nxt in _FRACTION_NEXT
        or not nxt
        or t.kind[i + 1] == SIGN
        or t.low[i - 1] in ("than", "about", "by", "nearly", "almost", "over", "in")
    ):
        if t.low[i] == "halb":
            return None
        return Atom(i, i + 1, i, Fraction(1, 2), unit="fraction", in_digits=False)
    return None


def _fraction(t: Tokens, i: int, lang: str | None) -> Atom | None:
    """ "a ninth", "two thirds", "a quarter of a million rows"."""
    low = t.low[i]
    if low in ("a", "an", "ein", "un", "une", "one", "eine", "einem"):
        top, j = Decimal(1), i + 1
    else:
        read = in_words(t, i, lang)
        if read is None:
            return None
        top, j = read
    if t.low[j] == "-" and t.gap[j] == 0 and t.gap[j + 1] == 0:
        j += 1
    part = part_of(t, j, lang)
    if part is None or (t.gap[j + 1] == 0 and t.low[j + 1] in "-'" and t.low[j + 1]):
        return None
    if top == 1 and low != "one" and t.low[j] in ("half", "halb", "halbe", "halben"):
        return None
    value, j = part * Fraction(top), j + 1
    unit = registry().words.get(t.low[j][2:]) if t.low[j].startswith("d'") else None
    if unit:  # un quart d'heure
        return Atom(i, j + 1, i, plain_number(value), unit=unit, in_digits=False)
    nxt = t.low[j]
    if (
        top == 1
        and low != "one"
        and nxt not in ("of", "the", "der", "des", "de", "von")
        and t.kind[j] not in ("", SIGN)
    ):
        return None
    if (
        top == 1
        and low == "one"
        and t.low[j - 1] in ("second", "half", "quarter")
        and t.kind[j] == WORD
        and nxt not in ("of", "the")
    ):
        return None
    k = j + 1 if nxt in ("of", "de") else j
    if t.low[k] in ("a", "an"):
        words = in_words(t, k + 1, lang)
        if words and words[0] > 1:
            return complete(
                t, Atom(i, words[1], i, plain_number(value * Fraction(words[0])), in_digits=False), lang
            )
        if unit_at(t, k + 1, lang):
            return complete(
                t, Atom(i, k + 1, i, plain_number(value), in_digits=False, fraction_of=True), lang
            )
    return Atom(i, j, i, value, unit="fraction", in_digits=False)
