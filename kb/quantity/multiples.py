"""Factors, ratios and parts: 3x, 8x H100, 3 times faster, nine-fold, a factor of two, 18:1, 2/3."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from math import gcd

from kb.quantity.atom import Atom
from kb.quantity.exact import plain_number
from kb.quantity.lexicon import word_set
from kb.quantity.nouns import noun_after, one_of
from kb.quantity.numerals import numeral
from kb.quantity.per import basis_at
from kb.quantity.spelling import is_money, unit_at
from kb.quantity.tokens import NAME, NUMBER, SIGN, WORD, Tokens
from kb.quantity.units import registry

CROSS = frozenset({"x", "×", "✕", "✖", "⨯"})
ROUND = frozenset({2, 3, 4, 5, 6, 8, 10, 12, 20, 25, 50, 100, 1000, 10000, 100000, 1000000})
"""Of how many a part is told: 9 in 10, one in five."""
_TIMES = frozenset(
    {"times", "mal", "fois", "veces", "vezes", "volte", "keer", "gånger", "раз", "раза", "kali", "kez"}
)
_FOLD = frozenset({"fold", "fach", "fache", "fachen", "faches"})
_MORE = re.compile(
    r"(?:faster|slower|more|less|fewer|higher|lower|larger|smaller|bigger|better|greater|cheaper|longer|shorter|as|the|that|"
    r"reduction|savings?|increase|improvement|speedup|speed-up|gain|growth|its|their|than|over|what|so|schneller|größer|mehr|höher|"
    r"plus|moins|más|menos|mayor|mais|[a-z]{2,9}er)"
)
_RATIO = re.compile(
    r"(?i)ratio|subscri|compress|verhältnis|rapport|blocking|contention|gear|split|leverage|aspect|razón|relación"
)


def times_word(t: Tokens, j: int, atom: Atom, lang: str | None) -> bool:
    """Read what makes a factor of the number: sets unit and end, and says whether it did."""
    k = j + 1 if t.low[j] == "-" and t.gap[j] == 0 and t.gap[j + 1] == 0 else j
    low = t.low[k]
    if t.word[k] == "X" and t.gap[k] == 0 and t.gap[k + 1] and _is_model(t, j - 1):
        return False
    if low in CROSS or (low == "*" and t.gap[k] == 0 and t.gap[k + 1] == 0 and t.kind[k + 1] == NUMBER):
        return _cross(t, k, atom, lang)
    if low in _FOLD and (k > j or t.gap[k] == 0 or low == "fold"):
        return _multiple(atom, k + 1)
    if low in _TIMES and t.gap[k] < 2:
        return _so_often(t, k, atom, lang)
    return False


def _is_model(t: Tokens, i: int) -> bool:
    """Whether a capital X behind a number makes a name of it (Ryzen 9 7950X), and no factor (20X at 4K)."""
    digits = len(t.word[i].partition(".")[0])
    if digits < 4 and _MORE.fullmatch(t.low[i + 2]):
        return False
    return digits > 2 or (i > 1 and t.gap[i] == 1 and t.word[i - 1][:1].isupper())


_FIRST = re.compile(r"[xX×✕✖]\d{1,5}(?:\.\d{1,2})?")
_COMPARED = word_set("comparing")
"""Words beside a factor whose sign stands first."""


def multiple_first(t: Tokens, i: int) -> Atom | None:
    """`x25 performance`, `×4 faster`, `speed x3`: a factor whose sign stands before it.

    Beside a word that compares alone: `PCIe x16`, `x86` and `an x8 slot` are names.
    """
    if t.kind[i] == NAME:
        if not _FIRST.fullmatch(t.word[i]):
            return None
        text, stop = t.word[i][1:], i + 1
    elif t.kind[i + 1] == NUMBER and t.gap[i + 1] == 0 and t.kind[i - 1] != NUMBER:
        text, stop = t.word[i + 1], i + 2
    else:
        return None
    read = numeral(text, "en")
    nxt = stop + 1 if t.low[stop] == "-" and t.gap[stop] == 0 else stop
    near = t.low[nxt] in _COMPARED or (t.low[i - 1] in _COMPARED - {"the", "than"} and t.kind[stop] != WORD)
    if read is None or not near or t.gap[i] == 0:
        return None
    return Atom(i, stop, stop - 1, read.value, unit="multiple")


def _multiple(atom: Atom, stop: int) -> bool:
    atom.unit, atom.stop = "multiple", stop
    return True


def _cross(t: Tokens, k: int, atom: Atom, lang: str | None) -> bool:
    nxt = k + 1
    if t.low[nxt] in ("de", "of") and nxt + 1 < t.size:
        nxt += 1
    kind = t.kind[nxt]
    if kind == NUMBER or (kind == SIGN and t.word[nxt] in "$€£¥₹~") or _currency_then_number(t, nxt):
        atom.marks["times"], atom.stop = True, nxt
        return True
    if t.low[nxt] == ")" and t.low[atom.first - 1] == "(" and t.kind[nxt + 1] == WORD:  # (2x) Processeur
        behind = noun_after(t, nxt + 1, lang)
        atom.unit, atom.stop = f"count:{behind[0] if behind else one_of(t.word[nxt + 1])}", k + 1
        return True
    whole = (
        isinstance(atom.value, Decimal) and atom.value == atom.value.to_integral_value() and atom.value >= 1
    )
    if whole and kind in (NAME, WORD):
        found = noun_after(t, k + 1, lang)
        if found and (kind == NAME or not _comparing(t, k + 1, found[1])):
            atom.unit, atom.stop = f"count:{found[0]}", found[1]
            return True
        if kind == NAME and t.gap[nxt]:
            atom.unit, atom.stop = f"count:{t.word[nxt]}", nxt + 1
            return True
    if kind == WORD and t.gap[nxt] == 0:
        return False
    often = basis_at(t, k + 1, lang, money=True, counted=True) if whole else None
    if often and often.below:  # 3x daily, 2x per week
        atom.unit, atom.below, atom.per, atom.stop = "count:time", often.below, often.per, often.end
        return True
    if t.gap[k] and not (kind in ("", SIGN) or _MORE.fullmatch(t.low[nxt])):
        return False
    return _multiple(atom, k + 1)


def _currency_then_number(t: Tokens, k: int) -> bool:
    if t.kind[k] != WORD or t.kind[k + 1] not in (NUMBER, SIGN):
        return False
    word = t.word[k] + (t.word[k + 1] if t.low[k + 1] == "$" else "")
    return is_money(registry().symbols.get(word, "number"))


def _comparing(t: Tokens, start: int, stop: int) -> bool:
    """Whether a comparison stands before the noun: 2x larger models, 3x more GPUs."""
    return any(
        _MORE.fullmatch(t.low[i]) and t.low[i] not in ("over", "number")
        for i in range(start, min(stop, start + 2))
    )


def _so_often(t: Tokens, k: int, atom: Atom, lang: str | None) -> bool:
    """Three times faster is a factor, three times a day a count."""
    found = basis_at(t, k + 1, lang, money=True, counted=True)
    if found.end > k + 1:
        atom.unit, atom.below, atom.per, atom.stop = "count:time", found.below, found.per, found.end
        return True
    parted = isinstance(atom.value, Fraction) or atom.value != int(atom.value)
    if parted or _MORE.fullmatch(t.low[k + 1]) or t.low[k] == "fois":
        return _multiple(atom, k + 1)
    if t.low[k] == "mal":
        atom.unit, atom.stop = "count:Mal", k + 1
        return True
    if t.kind[k + 1] == WORD and t.low[k + 1] not in (
        "in",
        "on",
        "and",
        "before",
        "when",
        "during",
        "after",
        "for",
        "to",
        "at",
        "or",
    ):
        return _multiple(atom, k + 1)
    atom.unit, atom.stop = "count:time", k + 1
    return True


def factor_before(t: Tokens, atom: Atom) -> None:
    """ "a factor of 3", "factor-of-two", "×3" with nothing to multiply."""
    i = atom.first
    words = [w for w in t.low[max(0, i - 4) : i] if w != "-"]
    if words[-2:] in (["factor", "of"], ["factors", "of"]) or words[-1:] in (
        ["faktor"],
        ["facteur"],
        ["factor"],
    ):
        atom.unit = "multiple"


def ratio_at(t: Tokens, i: int) -> Atom | None:
    """`18:1`, `1:7` and, beside a word that says so, `3:2`."""
    if t.low[i + 1] != ":" or t.kind[i + 2] != NUMBER or not (t.gap[i + 1] == 0 and t.gap[i + 2] == 0):
        return None
    if t.low[i + 3] == ":" and t.gap[i + 3] == 0 and t.kind[i + 4] == NUMBER:
        return None
    a, b = numeral(t.word[i], t.numbers), numeral(t.word[i + 2], t.numbers)
    if a is None or b is None or not b.value:
        return None
    if t.low[i - 1] == "[" or t.low[i - 1] in word_set("numbered") or t.low[i - 1] in ("at", "col", "column"):
        return None
    near = t.text[max(0, t.start[i] - 60) : t.end[i + 2] + 40]
    if 1 not in (a.value, b.value) and not _RATIO.search(near):
        return None
    if t.gap[i + 3] == 0 and (t.kind[i + 3] in (WORD, NAME) or t.low[i + 3] == "/"):
        return None
    return Atom(i, i + 3, i, plain_number(Fraction(a.value) / Fraction(b.value)), unit="ratio")


def fraction_at(t: Tokens, i: int, lang: str | None) -> Atom | None:
    """`2/3`, `1/34`: digits over digits in lowest terms, where nothing makes it a date, a step or a list."""
    if t.low[i + 1] != "/" or t.kind[i + 2] != NUMBER or not (t.gap[i + 1] == 0 and t.gap[i + 2] == 0):
        return None
    if not (t.word[i].isdigit() and t.word[i + 2].isdigit()) or len(t.word[i]) > 3 or len(t.word[i + 2]) > 4:
        return None
    top, below = int(t.word[i]), int(t.word[i + 2])
    if not 0 < top < below or gcd(top, below) > 1 or below in (24, 7) or t.word[i + 2].startswith("0"):
        return None
    if t.low[i + 3] == "/":
        return None
    end = i + 3
    if t.gap[end] == 0 and t.low[end] in ("th", "rd", "nd"):
        end += 1  # 1/10th the cost
    touched = t.gap[i] == 0 or (t.gap[end] == 0 and t.kind[end] in (WORD, NAME, NUMBER))
    if touched and not (t.kind[i - 1] == SIGN and t.low[i - 1] in "(~≈<>≤≥=\"'"):
        return None
    if t.low[i - 1] in (
        "step",
        "page",
        "part",
        "lane",
        "day",
        "port",
        "no",
        "eth",
        "slot",
        "chapter",
        "[",
        "week",
        "phase",
    ):
        return None
    unit = unit_at(t, end, lang)
    hyphened = unit_at(t, end + 1, lang) if t.low[end] == "-" else None
    if (unit and below not in (2, 3, 4, 8, 16, 32, 64)) or (t.low[end] != "of" and noun_after(t, end, "en")):
        return None
    value = plain_number(Fraction(top, below))
    if unit or hyphened:
        found = unit or hyphened
        assert found is not None
        return Atom(i, found[1], i, value, unit=found[0])
    return Atom(i, i + 3, i, Fraction(top, below), unit="fraction")
