"""All that follows a number: repetition in brackets, scale, unit, factor, noun, basis."""

from __future__ import annotations

from decimal import Decimal

from kb.quantity.atom import Atom
from kb.quantity.exact import scaled
from kb.quantity.lexicon import word_set
from kb.quantity.multiples import times_word
from kb.quantity.nouns import noun_after
from kb.quantity.numerals import numeral
from kb.quantity.per import basis_at
from kb.quantity.spelling import is_money, unit_at
from kb.quantity.suffix import LETTERS, MEMORY, is_model_size, read_unit, scale_at
from kb.quantity.tokens import NAME, NUMBER, SIGN, WORD, Tokens
from kb.quantity.units import unit_dimension
from kb.quantity.wording import in_words


def complete(t: Tokens, atom: Atom, lang: str | None) -> Atom | None:
    """Scale, unit, noun, basis and marks after the number."""
    j = _footnote(t, atom.stop)
    j = _repeated(t, j, atom, lang)
    factor, j2 = scale_at(t, j, lang, atom.prefixed)
    letter = t.word[j2 - 1] if j2 == j + 1 and t.word[j] in LETTERS else ""
    atom.scale = factor
    atom.value = scaled(atom.value, factor)
    atom.other = None if atom.other is None else scaled(atom.other, factor)
    j = _plus(t, j2, atom)
    if not atom.prefixed and times_word(t, j, atom, lang):
        return atom
    if atom.prefixed:
        found = unit_at(t, j, lang)
        if (
            found
            and is_money(found[0])
            and (found[0] == atom.unit or (t.kind[j] == WORD and t.word[j].isupper()))
        ):
            atom.unit, j = found  # "$5 USD", "$5 CAD"
    else:
        j = read_unit(t, j, atom, lang, letter)
    j = _plus(t, j, atom)
    atom.stop = max(atom.stop, j)
    if atom.lone:
        _noun(t, j, atom, lang, letter)
    if not atom.lone:
        _basis(t, atom, lang)
        _plus(t, atom.stop, atom)
    return atom


def _footnote(t: Tokens, j: int) -> int:
    """Past superscript marks that touch a number: footnotes, which belong to nothing."""
    while j < len(t) and t.glued(j) and t.word[j] in "¹²³⁴⁵⁶⁷⁸⁹⁰†‡*":
        j += 1
    return j


def _repeated(t: Tokens, j: int, atom: Atom, lang: str | None) -> int:
    """Past a repetition in brackets: nine (9) columns, 9 (nine) columns."""
    if t.at(j) == "(" and t.at(j + 2) == ")":
        same = numeral(t.word[j + 1], lang) if t.kind[j + 1] == NUMBER else None
        words = in_words(t, j + 1, lang) if t.kind[j + 1] == WORD else None
        if (same and same.value == atom.value) or (words and words[0] == atom.value):
            return j + 3
    return j


def _plus(t: Tokens, j: int, atom: Atom) -> int:
    if t.at(j) == "+" and t.glued(j) and not (t.glued(j + 1) and t.kind_at(j + 1) == NUMBER):
        atom.bound = "at-least"
        return j + 1
    return j


def _noun(t: Tokens, j: int, atom: Atom, lang: str | None, letter: str) -> None:
    """What a number without a unit counts."""
    if letter in ("B", "M") and atom.in_digits:
        if letter == "B" and is_model_size(t, j - 1, atom):
            atom.unit = "count:parameter"
            return
        found = noun_after(t, j, lang)
        if found is None and letter == "B":
            atom.value, atom.scale, atom.unit = (
                scaled(atom.value, Decimal(1) / atom.scale),
                Decimal(1),
                "byte",
            )
            return
        if found is None and MEMORY.search(t.text[max(0, t.start[j - 1] - 60) : t.end[j - 1] + 40]):
            atom.value, atom.scale, atom.unit = (
                scaled(atom.value, Decimal(1) / atom.scale),
                Decimal(1),
                "megabyte",
            )
            return
    if _is_numbered(t, atom, lang):
        return
    if isinstance(atom.value, Decimal) and atom.value != atom.value.to_integral_value() and atom.scale == 1:
        found = noun_after(t, j, lang)
        if not found or found[0] in ("x",):
            return
    else:
        found = noun_after(t, j, lang)
    if found and t.low[found[1] - 1] in ("fold",):
        return
    if found:
        atom.unit, atom.stop = f"count:{found[0]}", found[1]


def _is_numbered(t: Tokens, atom: Atom, lang: str | None) -> bool:
    """Whether the number is a name's: Python 3.12, week 5, RTX 4090, Section 2."""
    if not atom.in_digits or atom.scale != 1 or ("," in t.word[atom.number] and len(t.word[atom.number]) > 4):
        return False
    p = atom.first - 1
    if p < 0 or t.gap[atom.first] == 2:
        return False
    low, word = t.low[p], t.word[p]
    if t.kind[p] == SIGN:
        return word in "#§№" or (
            word == "."
            and t.at(p - 1) in ("no", "nr", "art", "abs", "fig", "sec", "ch", "v", "p", "pp", "vol")
        )
    if t.kind[p] == NAME and t.gap[atom.first]:
        return True
    if low in word_set("numbered"):
        return True
    if t.kind[p] != WORD or lang == "de":
        return False
    capital = word[0].isupper() and not (p == 0 or t.word[p - 1] in '.:!?(|"“-–—•*/>')
    return capital and low not in word_set("stop", "en") and low not in ("all", "top", "with", "has")


def _basis(t: Tokens, atom: Atom, lang: str | None) -> None:
    money = is_money(atom.unit)
    counted = atom.unit.startswith("count:") or atom.unit in ("percent",)
    found = basis_at(t, atom.stop, lang, money=money, counted=counted)
    if found.end == atom.stop:
        return
    if (
        found.below
        and unit_dimension(f"{atom.unit}") in ("data rate", "speed", "frequency", "transfer rate")
        and "/" in atom.unit
    ):
        return
    atom.below, atom.per, atom.stop = found.below, found.per, found.end
