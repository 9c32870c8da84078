"""All that follows a number: repetition in brackets, scale, unit, factor, noun, basis."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction

from kb.quantity.atom import Atom
from kb.quantity.exact import plain_number, scaled
from kb.quantity.lexicon import bounds, word_set
from kb.quantity.multiples import times_word
from kb.quantity.nouns import COUNTED_ALONE, is_plural, noun_after, one_of, stops
from kb.quantity.numerals import numeral
from kb.quantity.per import basis_at, period_word
from kb.quantity.short import rate_of_counts
from kb.quantity.spelling import is_money, unit_at
from kb.quantity.suffix import BYTES, LETTERS, MEMORY, is_model_size, read_unit, scale_at
from kb.quantity.tokens import NAME, NUMBER, SIGN, WORD, Tokens
from kb.quantity.units import unit_dimension
from kb.quantity.wording import in_words

_PAST = frozenset({",", ".", "+"})


def complete(t: Tokens, atom: Atom, lang: str | None) -> Atom | None:
    """Scale, unit, noun, basis and marks after the number; None where a word that touches it makes a name."""
    number_end = atom.stop
    j = _raised(t, atom, lang) if t.word[number_end] in _MARKS else number_end
    if t.low[j] == "(":
        j = _repeated(t, j, atom, lang)
    factor, j2 = scale_at(t, j, lang, atom.prefixed)
    letter = t.word[j2 - 1] if j2 == j + 1 and t.word[j] in LETTERS else ""
    if factor != 1:
        atom.scale = factor
        atom.value = scaled(atom.value, factor)
        atom.other = None if atom.other is None else scaled(atom.other, factor)
    j = j2 if t.low[j2] not in _PAST else _plus(t, _price_dash(t, j2, atom, lang), atom)
    if not atom.prefixed and times_word(t, j, atom, lang):
        return atom
    rated = None if atom.prefixed else rate_of_counts(t, j, lang)
    if rated and (unit_at(t, j, lang) or ("", 0))[1] < j + 3:
        noun, factor, basis = rated
        atom.unit, atom.value, atom.below, atom.per = (
            f"count:{noun}",
            scaled(atom.value, factor),
            basis.below,
            basis.per,
        )
        atom.stop = atom.after = basis.end
        return atom
    if atom.prefixed:
        j = _second_currency(t, j, atom, lang)
    else:
        j = read_unit(t, j, atom, lang)
    j = _plus(t, j, atom)
    if not atom.lone and t.low[j] == "et" and t.low[j + 1] in ("demi", "demie"):
        atom.value, j = plain_number(Fraction(atom.value) + Fraction(1, 2)), j + 2  # deux heures et demie
    atom.stop = atom.after = max(atom.stop, j)
    single = atom.stop == number_end + 1 and t.gap[number_end] == 0 and len(t.word[number_end]) == 1
    if (
        single
        and t.kind[number_end] == WORD
        and not atom.prefixed
        and t.low[atom.first - 1] in word_set("numbered")
    ):
        return None  # Section 4.6b
    if atom.lone and t.gap[number_end] == 0 and atom.stop == number_end and _makes_a_name(t, number_end):
        return None
    if atom.lone:
        if _is_numbered(t, atom, lang):
            atom.marks["numbered"] = True
        _size_or_count(t, atom, lang, letter)
    if not atom.lone:
        read_basis(t, atom, lang)
        atom.stop = _plus(t, atom.stop, atom)
    return atom


def _makes_a_name(t: Tokens, j: int) -> bool:
    """Whether a word right behind digits makes them a name (100GBASE), and is no noun (8GPUs)."""
    return t.kind[j] in (WORD, NAME) and one_of(t.word[j]).lower() not in COUNTED_ALONE


def _price_dash(t: Tokens, j: int, atom: Atom, lang: str | None) -> int:
    """Past the dash in place of cents: 1.299,- Euro."""
    if t.low[j] in (",", ".") and t.gap[j] == 0 and t.word[j + 1] in ("-", "–", "—") and t.gap[j + 1] == 0:
        money = unit_at(t, j + 2, lang)
        if atom.prefixed or (money and is_money(money[0])):
            return j + 2
    return j


def _second_currency(t: Tokens, j: int, atom: Atom, lang: str | None) -> int:
    """`$5 USD`, `$5 CAD`: the code behind tells which dollars."""
    found = unit_at(t, j, lang)
    if (
        found
        and is_money(found[0])
        and (found[0] == atom.unit or (t.kind[j] == WORD and t.word[j].isupper()))
    ):
        atom.unit, j = found
    return j


_MARKS = frozenset("⁰¹²³⁴⁵⁶⁷⁸⁹†‡*")
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")


def _raised(t: Tokens, atom: Atom, lang: str | None) -> int:
    """Past superscript marks that touch a number: a price's cents, else footnotes."""
    j = atom.stop
    digits = "".join(t.word[j : j + 2]).translate(_RAISED)
    if t.gap[j] == t.gap[j + 1] == 0 and digits.isdigit() and len(digits) == 2 and not t.word[j].isdecimal():
        money = unit_at(t, j + 2, lang)
        whole = isinstance(atom.value, Decimal) and atom.value == int(atom.value)
        if whole and (atom.prefixed or (money and is_money(money[0]))):
            atom.value = Decimal(f"{int(atom.value)}.{digits}")
            return j + 2
    return _footnote(t, j)


def _footnote(t: Tokens, j: int) -> int:
    """Past superscript marks and other signs of footnotes."""
    while (
        j < t.size
        and t.gap[j] == 0
        and t.word[j] in "¹²³⁴⁵⁶⁷⁸⁹⁰†‡*"
        and not (t.gap[j + 1] == 0 and t.kind[j + 1] == NUMBER)
    ):
        j += 1
    return j


def _repeated(t: Tokens, j: int, atom: Atom, lang: str | None) -> int:
    """Past a repetition in brackets: nine (9) columns, 9 (nine) columns."""
    if t.low[j + 1] == "=" and t.low[j + 3] == ")" and t.kind[j + 2] == NUMBER:  # 2**14 (= 16,384)
        told = numeral(t.word[j + 2], t.numbers)
        return j + 4 if told and atom.value in (told.value, told.other) else j
    if t.low[j + 2] == ")":
        same = numeral(t.word[j + 1], t.numbers) if t.kind[j + 1] == NUMBER else None
        words = in_words(t, j + 1, lang) if t.kind[j + 1] == WORD else None
        if (same and same.value == atom.value) or (words and words[0] == atom.value):
            return j + 3
    return j


def _plus(t: Tokens, j: int, atom: Atom) -> int:
    if t.low[j] == "+" and t.gap[j] == 0 and not (t.gap[j + 1] == 0 and t.kind[j + 1] == NUMBER):
        atom.bound = "at-least"
        return j + 1
    return j


def _size_or_count(t: Tokens, atom: Atom, lang: str | None, letter: str) -> None:
    """What a number without a unit counts, or what a letter behind it stands for."""
    j = atom.stop
    if letter and t.low[j] == "(":  # 32M (Mebibytes)
        unit = unit_at(t, j + 1, lang)
        if unit and t.low[unit[1]] == ")" and unit_dimension(unit[0]) == "data size":
            _as_unit(atom, unit[0])
            atom.stop = unit[1] + 1
            return
    if letter == "B" and is_model_size(t, j - 1, atom):
        atom.unit = "count:parameter"
        return
    if letter and t.low[j + 1 if t.low[j] == "-" else j] in ("context", "ctx"):
        atom.unit = "count:token"
        return
    _noun(t, j, atom, lang)
    if atom.lone and letter and _of_tokens(t, atom):
        atom.unit = "count:token"
        return
    if atom.lone and letter in ("B", "M", "K", "k"):
        near = t.text[max(0, t.start[j - 1] - 60) : t.end[j - 1] + 40]
        if letter == "B" and BYTES.search(near):
            _as_unit(atom, "byte")
        elif letter != "B" and MEMORY.search(near):
            _as_unit(atom, "megabyte" if letter == "M" else "kilobyte")


def _as_unit(atom: Atom, unit: str) -> None:
    """The letter was a unit's prefix and no scale."""
    atom.value = scaled(atom.value, Decimal(1) / atom.scale)
    atom.other = None if atom.other is None else scaled(atom.other, Decimal(1) / atom.scale)
    atom.scale, atom.unit = Decimal(1), unit


def _of_tokens(t: Tokens, atom: Atom) -> bool:
    """Whether 32k is the length of a context: "context length of 32k"."""
    before = t.low[max(0, atom.first - 5) : atom.first]
    return "context" in before or ("sequence" in before and "length" in before)


_WORKER = re.compile(r"[a-z]?[A-Z]{2,5}|[A-Z]\d{2,4}|core|node|person|man|instance")


def _noun(t: Tokens, j: int, atom: Atom, lang: str | None) -> None:
    """The noun that the number counts."""
    if t.low[j] in ("or", "oder", "ou", "o") and " ".join(t.low[j : j + 2]) in bounds("after"):
        behind = noun_after(t, j + 2, lang)  # 100 or more users
        if behind and "numbered" not in atom.marks:
            atom.unit, atom.stop = f"count:{behind[0]}", behind[1]
            atom.bound = bounds("after")[" ".join(t.low[j : j + 2])]
        return
    hyphened = t.low[j] == "-" and t.gap[j] == 0
    if "numbered" in atom.marks and not hyphened:
        return
    found = noun_after(t, j, lang, one=atom.value == 1 and atom.in_digits, scaled=atom.scale != 1)
    if not found:
        return
    noun, stop = found
    period = unit_at(t, stop - 1, lang) if t.kind[stop - 1] == WORD else None
    work = stop - 2 >= j and _WORKER.fullmatch(t.word[stop - 2])
    if period and work and period[0] in ("hour", "day", "month", "year") and "-" not in noun:
        noun, period = f"{t.word[stop - 2]}-{period[0]}", None  # 119K GPU hours
    if period and period[1] == stop and unit_dimension(period[0]) == "time" and "-" not in noun:
        atom.unit, atom.stop = period[0], stop  # 30 consecutive days
    else:
        atom.unit, atom.stop = f"count:{noun}", stop
    atom.noun_at = stop - 1


def _is_numbered(t: Tokens, atom: Atom, lang: str | None) -> bool:
    """Whether the number is a name's: Python 3.12, week 5, RTX 4090, Section 2."""
    if not atom.in_digits or atom.scale != 1 or ("," in t.word[atom.number] and len(t.word[atom.number]) > 4):
        return False
    p = atom.first - 1
    nxt = t.word[atom.stop]
    if lang == "de" and len(t.word[atom.number]) == 5 and t.kind[atom.stop] == WORD and nxt[0].isupper():
        return p < 0 or t.word[p] in ",-(" or t.low[p] == "plz"  # a postal code
    if p < 0 or t.gap[atom.first] == 2:
        return False
    if t.word[p] == "=" and t.gap[atom.first] == 0 and t.gap[p] == 0 and t.kind[p - 1] in (WORD, NAME):
        return not is_plural(t.word[atom.stop])  # icmp_seq=1
    low, word = t.low[p], t.word[p]
    if t.kind[p] == SIGN:
        return word in "#§№" or (
            word == "."
            and t.low[p - 1] in ("no", "nr", "art", "abs", "fig", "sec", "ch", "v", "p", "pp", "vol")
        )
    if t.kind[p] == NAME and t.gap[atom.first]:
        return True
    if low in word_set("numbered"):
        return True
    if t.kind[p] != WORD or lang == "de":
        return False
    capital = word[0].isupper() and not (p == 0 or t.word[p - 1] in '.:!?(|"“-–—•*/>')
    return capital and low not in word_set("stop", "en") and low not in ("all", "top", "with", "has")


_BETWEEN = frozenset({"of", "max", "maximum", "min", "minimum", "in", "total"})
_TRIGGERS = frozenset({"per", "pro", "je", "par", "por"})


_FLOWING = frozenset({"data size", "energy", "volume", "mass"})


def read_basis(t: Tokens, atom: Atom, lang: str | None) -> None:
    """What the value is for, by the words behind it, or behind what it is of: 96GB VRAM per workload."""
    money = is_money(atom.unit)
    counted = atom.unit.startswith("count:") or atom.unit == "percent"
    start = atom.stop
    flows = t.low[start] in ("a", "an") and unit_dimension(atom.unit) in _FLOWING  # 5 GB a month
    found = basis_at(t, start, lang, money=money, counted=counted or flows)
    if found.end == start and not atom.per:
        start = _past_words(t, start, lang)
        if start:
            found = basis_at(t, start, lang)
            atom.per, atom.below = found.per or atom.per, atom.below or found.below
        return
    if found.end == start:
        return
    named = found.per is None and found.end == start + 1 and period_word(t.low[start])
    if named and atom.unit == "percent" and t.kind[found.end] == WORD and t.low[found.end] not in stops(lang):
        return  # 99.9% monthly uptime
    if "/" in atom.unit and found.below and not found.per:
        if t.low[start - 1] == "ops":  # a rate in itself, whose period may be told
            atom.unit, atom.stop = f"op/{found.below}", found.end
        return
    atom.below, atom.per, atom.stop = found.below or atom.below, found.per or atom.per, found.end


def _past_words(t: Tokens, j: int, lang: str | None) -> int:
    """The token "per" behind a few words of the same phrase, or behind a bracket; 0 if none stands there."""
    k = j
    if t.low[k] == "(":
        while k < min(t.size, j + 10) and t.low[k] != ")":
            k += 1
        return k + 1 if t.low[k] == ")" and t.low[k + 1] in _TRIGGERS else 0
    while k < min(t.size, j + 4):
        low = t.low[k]
        if low in _TRIGGERS and k > j:
            return k
        if low == "-" and t.gap[k] == 0 and t.gap[k + 1] == 0:
            k += 1
            continue
        if t.kind[k] not in (WORD, NAME) or (low not in _BETWEEN and low in stops(lang)) or t.gap[k] == 2:
            return 0
        k += 1
    return k if t.low[k] in _TRIGGERS else 0
