"""Digits that state nothing: parts of names, versions, ordinals, paths."""

from __future__ import annotations

import re

from kb.quantity.atom import Atom
from kb.quantity.spelling import is_money
from kb.quantity.tokens import NAME, NUMBER, WORD, Tokens
from kb.quantity.units import registry, unit_dimension

_PADDED = re.compile(r"0\d+")
_DECADE = re.compile(r"[12]\d\d0")


def is_name(t: Tokens, i: int, before: list[Atom]) -> bool:
    """Whether digits are a part of an identifier, a version, an ordinal, a path."""
    if t.gap[i] == 0:
        low, kind = t.low[i - 1], t.kind[i - 1]
        if kind in (WORD, NAME) and not _ties(t, i, before):
            return True
        if low in "_#@§№\\^" and low:
            return True
        k = i - 2 if low == "-" and t.gap[i - 1] == 0 else i - 1
        if t.low[k] == "%" and (t.gap[k] or t.kind[k - 1] != NUMBER):
            return True  # a printf format, %-46s
        glued_before = t.gap[i - 1] == 0
        if glued_before and t.kind[i - 2] in (WORD, NAME):
            if low in ".=:" and low != "=" and not (low == ":" and t.kind[i - 2] == WORD):
                return (low == "." and t.low[i - 2] not in _DOTTED) or t.kind[i - 2] == NAME
            if low in "/+" and not _is_unit_end(before, i - 1) and t.low[i - 2] != "w":
                return True
            if low == "-" and t.low[i - 2] not in (
                "sub",
                "to",
                "bis",
                "or",
                "and",
                "by",
                "under",
                "over",
                "x",
                "up",
                "mid",
            ):
                return not _is_unit_end(before, i - 1)
        if (
            glued_before
            and low == "-"
            and t.kind[i - 2] == NUMBER
            and not (before and before[-1].stop == i - 1)
        ):
            return True
    j = i + 1
    if t.low[j] == "s" and t.gap[j] == 0 and _DECADE.fullmatch(t.word[i]):
        return True  # the 1950s
    if t.gap[j] == 0 and t.kind[j] == WORD and _PADDED.fullmatch(t.word[i]):
        return not _continues(i, before)  # {day:02d}, and not the seconds of 1m03s
    if t.gap[j] == 0:
        low, kind = t.low[j], t.kind[j]
        if low == "_" or (low == "." and t.gap[j + 1] == 0 and t.kind[j + 1] in (WORD, NAME)):
            return True
        if t.word[j] == "X" and t.gap[j + 1] == 0 and len(t.word[j + 1]) < 2:
            return True  # 9900X3D
        if (
            kind == WORD
            and t.gap[j + 1] == 0
            and t.kind[j + 1] in (NUMBER, NAME)
            and low not in ("x", "×", "h", "hr", "hrs", "min", "m", "d", "w", "ft")
        ):
            return True
        if kind == NAME:
            return True
        if low in ("st", "nd", "rd", "th", "er", "ère", "ème", "e", "º", "ª"):
            return True
    return t.low[i - 1] == "[" and t.low[j] == "]"


_DOTTED = frozenset(
    [
        "rs",
        "max",
        "min",
        "ca",
        "approx",
        "fr",
        "sfr",
        "kr",
        "usd",
        "eur",
        "no",
        "etwa",
        "mind",
        "chf",
        "tsd",
        "c",
    ]
)


def _is_unit_end(before: list[Atom], stop: int) -> bool:
    return bool(before) and before[-1].stop == stop


def _ties(t: Tokens, i: int, before: list[Atom]) -> bool:
    """Whether a word that touches digits from the left is no part of a name: USD5, 8x400, 3h24."""
    low = t.low[i - 1]
    if low in ("x", "×") and t.gap[i - 1] == 0 and t.kind[i - 2] == NUMBER:
        return True
    if t.word[i - 1] in registry().symbols and is_money(registry().symbols[t.word[i - 1]]):
        return True
    return _continues(i, before)


def _continues(i: int, before: list[Atom]) -> bool:
    """Whether digits stand right behind a duration or a length, whose smaller part they may be."""
    return bool(before) and before[-1].stop == i and unit_dimension(before[-1].unit) in ("time", "length")
