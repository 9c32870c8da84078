"""All numbers of a text, each with its sign, currency, unit, noun and basis."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from math import gcd

from kb.quantity.atom import Atom
from kb.quantity.complete import complete
from kb.quantity.exact import negated, plain_number
from kb.quantity.lexicon import number_words, word_set
from kb.quantity.multiples import CROSS, fraction_at, multiple_first, ratio_at
from kb.quantity.names import is_name
from kb.quantity.numerals import numeral
from kb.quantity.quantity import Number
from kb.quantity.short import iso_duration
from kb.quantity.spelling import is_money
from kb.quantity.tokens import NAME, NUMBER, SIGN, WORD, Tokens
from kb.quantity.units import registry
from kb.quantity.worded import STARTS, worded

_FRACTION_SIGNS: dict[str, Number] = {
    "½": Decimal("0.5"),
    "¼": Decimal("0.25"),
    "¾": Decimal("0.75"),
    "⅓": Fraction(1, 3),
    "⅔": Fraction(2, 3),
    "⅛": Decimal("0.125"),
}
_SIGNS = frozenset("-−–")


def find_atoms(t: Tokens, lang: str | None) -> list[Atom]:
    """All numbers that are no parts of names, in order."""
    out: list[Atom] = []
    i, size = 0, t.size
    words = number_words(lang)
    edge, target = size, size
    while i < size:
        if i >= edge:  # past the noun, whose basis was read with it
            i, edge = max(i, target), size
            continue
        kind = t.kind[i]
        atom = None
        if kind == NUMBER:
            atom = _digits(t, i, lang, out)
        elif kind == WORD and (t.low[i] in words or t.low[i] in STARTS or lang == "de" or "fold" in t.low[i]):
            atom = worded(t, i, lang)
        elif kind == SIGN and t.word[i] in _FRACTION_SIGNS:
            atom = Atom(i, i + 1, i, _FRACTION_SIGNS[t.word[i]])
            atom = atom if t.low[i + 1] == "of" else complete(t, atom, lang)
            if atom and atom.lone:
                atom.unit, atom.value = "fraction", Fraction(atom.value)
        elif kind == NAME and t.word[i][0] == "P":
            atom = iso_duration(t, i)
        if atom is None and t.low[i][:1] in CROSS:
            atom = multiple_first(t, i)
        if atom is None:
            i += 1
            continue
        out.append(atom)
        if atom.noun_at > atom.after:  # quantities may stand before the noun: 4 H200 141GB GPUs
            i, edge, target = max(atom.after, i + 1), atom.noun_at, atom.stop
        else:
            i = max(atom.stop, i + 1)
    return out


def _digits(t: Tokens, i: int, lang: str | None, before: list[Atom]) -> Atom | None:
    whole = ratio_at(t, i) or fraction_at(t, i, lang)
    if whole:
        return whole
    if is_name(t, i, before):
        return None
    read = numeral(t.word[i], t.numbers)
    if read is None:
        return None
    value, other = read.value, read.other
    first = i
    bare = "." not in t.word[i] and "," not in t.word[i]
    if t.low[i - 1] == "." and t.gap[i] == 0 and bare and (t.gap[i - 1] != 0 or t.kind[i - 2] == SIGN):
        value, first = Decimal(f"0.{t.word[i]}"), i - 1
    atom = Atom(first, i + 1, i, value, other, read.of_counts if first == i else None, read.settled)
    if t.low[i + 1] in _FRACTION_SIGNS:
        atom.value, atom.stop = Fraction(value) + Fraction(_FRACTION_SIGNS[t.low[i + 1]]), i + 2
        atom.value = plain_number(Fraction(atom.value))
    mixed = _mixed(t, atom, lang) if bare else None
    if mixed:
        return mixed
    _power_of_ten(t, atom)
    _prefix(t, atom, lang)
    return complete(t, atom, lang)


_PARTS = frozenset({2, 3, 4, 5, 6, 8, 10, 16, 32, 64})
"""What a whole number is divided by where a fraction stands behind it: 2 1/2, 3-5/16."""


def _mixed(t: Tokens, atom: Atom, lang: str | None) -> Atom | None:
    """`2 1/2 litres`, `3-1/2 inch`: a whole number and a part of one, of something."""
    i = atom.number
    hyphen = t.word[i + 1] == "-" and t.gap[i + 1] == 0 and t.gap[i + 2] == 0
    k = i + 2 if hyphen else i + 1
    if t.word[k + 1] != "/" or t.kind[k + 2] != NUMBER or atom.first != i or not t.word[i].isdigit():
        return None
    if (
        t.gap[k] != (0 if hyphen else 1)
        or t.gap[k + 1]
        or t.gap[k + 2]
        or t.low[i - 1] in word_set("numbered")
    ):
        return None
    top, below = t.word[k], t.word[k + 2]
    if not (top.isdigit() and below.isdigit() and len(below) < 3) or t.word[k + 3] == "/":
        return None
    if int(below) not in _PARTS or not 0 < int(top) < int(below) or gcd(int(top), int(below)) > 1:
        return None
    value = plain_number(int(t.word[i]) + Fraction(int(top), int(below)))
    mixed = Atom(i, k + 3, i, value)
    _prefix(t, mixed, lang)
    found = complete(t, mixed, lang)
    return None if found is None or found.lone or (hyphen and found.unit.startswith("count:")) else found


_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")


def _power_of_ten(t: Tokens, atom: Atom) -> None:
    """`2 × 10⁹`, `10^6`: the power into the value."""
    j = atom.stop
    if t.low[j] in ("×", "x", "·", "*", "⋅") and t.low[j + 1] == "10":
        j, mantissa = j + 1, Fraction(atom.value)
    elif t.word[atom.number] == "10" or (t.word[atom.number] == "2" and t.low[atom.number + 1] in ("^", "*")):
        j, mantissa = atom.number, Fraction(1)
    else:
        return
    k, digits = j + 1, ""
    if t.low[k] == "*" and t.low[k + 1] == "*" and t.gap[k + 1] == 0:
        k += 1  # 2**14
    if t.low[k] == "^" or t.low[k - 1] == "*":
        sign = t.low[k + 1] in ("-", "−")
        digits = ("-" if sign else "") + t.low[k + 1 + sign]
        k += 2 + sign
    else:
        while k < t.size and t.gap[k] == 0 and t.word[k] in "⁰¹²³⁴⁵⁶⁷⁸⁹⁻":
            digits += t.word[k].translate(_RAISED)
            k += 1
    if digits.lstrip("-").isdigit() and len(digits) < 4 and abs(int(digits)) < 40:
        atom.value, atom.stop, atom.other = (
            plain_number(mantissa * Fraction(t.word[j]) ** int(digits)),
            k,
            None,
        )
        if t.word[k] in _SIGNS and t.word[k + 1] == "1" and t.gap[k] == t.gap[k + 1]:
            atom.value, atom.stop = atom.value - 1, k + 2  # 2^32 - 1


def _prefix(t: Tokens, atom: Atom, lang: str | None) -> None:
    """Sign and currency before the digits."""
    i = atom.first
    signed = _sign(t, i)
    if signed:
        i -= 1
    found = _currency_before(t, i, lang)
    if found:
        atom.unit, i = found
        atom.prefixed = True
        if not signed and _sign(t, i):
            signed, i = True, i - 1
    if signed:
        atom.signed = True
        atom.value = negated(atom.value)
        atom.other = None if atom.other is None else negated(atom.other)
    elif t.low[i - 1] == "+" and t.gap[i] == 0:
        i -= 1
    atom.first = i


def _sign(t: Tokens, i: int) -> bool:
    """Whether a minus stands before token `i`, touching it and nothing else."""
    if i < 1 or t.word[i - 1] not in _SIGNS or t.gap[i] != 0:
        return False
    if i == 1 or t.gap[i - 1] != 0:
        return t.word[i - 1] in "-−" or (i == 1 or t.kind[i - 2] != NUMBER)
    return t.kind[i - 2] == SIGN and t.word[i - 2] not in ")%]°\"'" and t.word[i - 1] != "–"


def _currency_before(t: Tokens, i: int, lang: str | None) -> tuple[str, int] | None:
    symbols = registry().symbols
    if i < 1:
        return None
    k = i - 1
    if t.word[k] == "." and k and t.gap[k] == 0 and t.word[k - 1] in ("Rs", "SFr", "Fr", "kr", "руб"):
        k -= 1
    word = t.word[k]
    if word == "Fr" and lang in ("de", "fr", "it") and t.word[k + 1] == ".":
        return "chf", k
    if k and t.gap[k] == 0 and t.word[k - 1] + word in symbols:
        unit = symbols[t.word[k - 1] + word]
        if is_money(unit):
            return unit, k - 1
    unit = symbols.get(word, "")
    if not unit and word in ("Rs", "SFr", "Fr"):
        unit = symbols.get(word + ".", symbols.get(word, ""))
    if not unit or not is_money(unit):
        return None
    if t.kind[k] == SIGN and t.gap[i] != 0 and t.gap[k] == 0 and t.kind[k - 1] == NUMBER:
        return None  # "5€ 10": the sign belongs to the number before it
    if t.kind[k] == WORD and t.kind[k - 1] == NUMBER and t.gap[i]:
        return None  # "990 CHF 1490"
    return unit, k
