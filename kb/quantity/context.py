"""What stands outside the text and belongs to its numbers: a column's header, a row's label."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache

from kb.quantity.lexicon import bounds, scales, word_set
from kb.quantity.nouns import is_plural, noun_after, one_of
from kb.quantity.numerals import language
from kb.quantity.per import basis_at, period_word
from kb.quantity.plain import plain
from kb.quantity.short import factor_at, letter_in_header, rate_of_counts
from kb.quantity.spelling import is_money, period_at, unit_at
from kb.quantity.tokens import NAME, NUMBER, WORD, Tokens
from kb.quantity.units import PERIODS, registry

_BOUNDS = bounds("labels")
_LETTERS = frozenset({"kelvin", "byte", "metre", "tesla", "tonne"})
"""Units whose symbol may be a factor in a header: Users (K), params (B)."""

_KNOWN_NOUNS = frozenset(
    ["gpu", "vcpu", "cpu", "core", "vcore", "node", "vm", "dpu", "nic", "iops", "users", "ssd"]
)
_IDENTIFIER = re.compile(r"\s*[a-z]+[._-]?\d[\w.-]*\s*")
_PRICE = re.compile(
    r"(?i)\b(?:price|cost|costs|fee|fees|rate|preis|kosten|prix|coût|tarif|precio|budget|spend|amount|charge|billing|salary|wage|revenue|income|expenses|dépenses|rent|miete|loyer|цена|стоимость|тариф)\b|价|費用|料金|가격|费用"
)


@dataclass(frozen=True, slots=True, eq=False)
class Context:
    """What a label says of the numbers under it; empty strings and None where it is silent.

    Compared by identity: caches hand out the same one for the same label.
    """

    unit: str = ""
    below: str = ""
    per: str | None = None
    noun: str = ""
    bound: str = ""
    scale: Decimal = Decimal(1)

    def over(self, other: Context) -> Context:
        """This one, with the other's word where it is silent."""
        if other is NOTHING or self is NOTHING:
            return self if other is NOTHING else other
        return Context(
            self.unit or other.unit,
            self.below or other.below,
            self.per or other.per,
            self.noun or (other.noun if not self.unit else ""),
            self.bound or other.bound,
            self.scale if self.scale != 1 else other.scale,
        )

    def without_noun(self) -> Context:
        """The same, counting nothing."""
        return replace(self, noun="") if self.noun else self


NOTHING = Context()


_JOINED = re.compile(r"\s*[a-z]{2,}(?:[A-Z][a-z]+){1,6}(?:[KMG]i?B)?\s*")
_CAPITAL = re.compile(r"(?<=[a-z])(?=[A-Z])")


_ENDS_IN = {
    "ms": "millisecond", "ns": "nanosecond", "bytes": "byte", "kb": "kilobyte", "mb": "megabyte",
    "gb": "gigabyte", "kib": "kibibyte", "mib": "mebibyte", "gib": "gibibyte",
}  # fmt: skip
"""Units that the name of a setting ends in, whatever its case: `MAX_WAIT_MS`, `cache_size_mb`."""


def spelled_apart(label: str) -> str:
    """A name in joined words as one with underscores: `timeoutSeconds` is read like `timeout_seconds`."""
    return _CAPITAL.sub("_", label).lower() if _JOINED.fullmatch(label) else label


_MARKS = re.compile(r"(?<=\w)(?:\s*(?:\[\d{1,2}\]|\*{1,3}(?!\w)|[†‡§¹⁴-⁹]))+\s*$")
"""The marks of footnotes behind a label, which are no part of its last word: `Peak IOPS [1]`."""


@lru_cache(4096)
def context_of(label: str, lang: str | None, *, column: bool = False) -> Context:
    """What a label says: `Max bandwidth (Mbps)`, `Monthly cost`, `in Mio. Euro`, `| vCPU |`, `cost/hour`.

    `column`: it heads a column, where one letter in brackets may be a factor: Users (K).
    """
    if _IDENTIFIER.fullmatch(label) and label.strip() not in registry().symbols:
        return NOTHING
    label = _MARKS.sub("", label)
    apart = spelled_apart(label)
    text = plain(apart)[0][:400]
    t = Tokens(text, [])
    if not t.size or (t.size == 1 and len(t.word[0]) == 1 and t.word[0].isalpha()):
        return NOTHING  # L beside S and M
    short = language(lang)
    unit, below, per, scale = _unit(t, short)
    named = t.low[: t.size - 1] if unit == "minute" and t.low[t.size - 1] == "min" else t.low
    bound = next((_BOUNDS[w] for w in named if w in _BOUNDS), "")
    priced = bool(_PRICE.search(text)) or (t.size == 1 and bool(period_word(t.low[0])))
    if unit and is_money(unit) and not per and not below:
        below, per = _basis_in(t, short)
    if not below:
        below = _period(t, short) if priced or is_money(unit or "number") else ""
    noun = "" if unit and unit not in _LETTERS else _noun(t, short)
    if apart is not label and not apart.rstrip().endswith("s"):
        noun = ""  # managedNode: 2.7
    letter = letter_in_header(t, noun, column=column)
    if letter:
        (unit, scale), noun = letter, ""
    noun = "" if unit else noun
    if not (unit or below or per or noun or bound) and scale == 1:
        return NOTHING
    return Context(unit, below, per, noun, bound, scale)


def _basis_in(t: Tokens, lang: str | None) -> tuple[str, str | None]:
    """`Price per GPU hour (USD)`: what follows the first "per"."""
    for i in range(1, t.size - 1):
        if t.low[i] in word_set("per"):
            found = basis_at(t, i, lang, money=True)
            if found.end > i:
                return found.below, found.per
    return "", None


def _unit(t: Tokens, lang: str | None) -> tuple[str, str, str | None, Decimal]:
    """The unit in brackets, after a comma or "in", or as the last word."""
    whole = _rate(t, lang) or _number_of(t, lang)
    if whole:
        return whole
    for i in range(t.size):
        opens = t.low[i] in ("(", "[", ",") or (t.low[i] in ("in", "en") and t.kind[i + 1] != NUMBER)
        if not opens:
            continue
        found = _unit_from(t, i + 1, lang)
        if found:
            return found
    snake = "_" in t.low
    if snake and t.low[t.size - 2] == "_" and t.low[t.size - 1] in _ENDS_IN:
        return _ENDS_IN[t.low[t.size - 1]], "", None, Decimal(1)
    ends = [t.size - 1, 0]
    if "(" in t.low[1:]:
        ends.insert(1, t.low.index("(", 1) - 1)
    for i in range(t.size - 1, -1, -1) if snake else ends:
        found = _unit_from(t, i, lang) if t.kind[i] != NUMBER else None
        told = snake and not (t.low[i] == "min" and i < t.size - 1) and t.low[i - 1] != "per"  # MIN_SIZE
        period = unit_at(t, i, lang) if told else None
        if period and len(t.low[i]) > 1 and period[0] in PERIODS:
            return period[0], "", None, Decimal(1)
        if found and (
            is_money(found[0]) or t.size == 1 or found[0] in ("percent", "iops") or (i and _is_symbol(t, i))
        ):
            return found
    for i in range(1, t.size - 2):
        if (t.low[i] == "/" and min(len(t.low[i - 1]), len(t.low[i + 1])) > 1) or t.low[i] in word_set("per"):
            found_basis = basis_at(t, i, lang, money=True)
            if found_basis.end > i:
                return "", found_basis.below, found_basis.per, Decimal(1)
    if t.size > 2 and t.low[-2] in ("/", "per"):
        found_basis = basis_at(t, t.size - 2, lang, money=True)
        return "", found_basis.below, found_basis.per, Decimal(1)
    return "", "", None, Decimal(1)


_BYTES = frozenset({"byte", "kilobyte", "megabyte", "gigabyte"})
_GOES_ON = frozenset({"to", "that", "for", "before", "after", "between", "until", "since", "during"})


def _number_of(t: Tokens, lang: str | None) -> tuple[str, str, str | None, Decimal] | None:
    """A label that goes on behind what it is measured in: `Number of minutes a build may run`.

    Likewise `Time in seconds to wait`.
    """
    for i in range(min(4, t.size - 2)):
        of = t.low[i : i + 2] == ["number", "of"]
        if not of and t.low[i + 1] != "in":
            continue
        unit = unit_at(t, i + 2, lang) if len(t.low[i + 2]) > 3 else None
        if unit is None or unit[0] not in PERIODS | _BYTES:
            return None
        if t.kind[unit[1]] == WORD and (of or t.low[unit[1]] in _GOES_ON):
            return unit[0], "", None, Decimal(1)
    return None


def _rate(t: Tokens, lang: str | None) -> tuple[str, str, str | None, Decimal] | None:
    """What a header that is a rate as a whole says: `ns/op`, `ops/s`, `allocs/op`, `ms/token`."""
    if t.low[1] != "/" or t.size > 5:
        return None
    unit = unit_at(t, 0, lang)
    rated = rate_of_counts(t, 0, lang)
    if unit and unit[1] == t.size:
        return unit[0], "", None, Decimal(1)
    if rated and rated[2].end == t.size:
        return f"count:{rated[0]}", rated[2].below, rated[2].per, rated[1]
    if unit is None or unit[1] > 1 or t.gap[1] or t.gap[2]:
        return None
    if min(len(t.word[0]), len(t.word[2])) < 2 and not (t.word[0] in "sB$€£" and len(t.word[2]) > 1):
        return None  # A/B
    basis = basis_at(t, 1, lang, money=is_money(unit[0]))
    return (unit[0], basis.below, basis.per, Decimal(1)) if basis.end == t.size else None


def _is_symbol(t: Tokens, i: int) -> bool:
    """Whether a header's last word is a unit's symbol and no word: `Before µs`, `Size GB`."""
    word = t.word[i]
    return (
        word in registry().symbols
        and len(word) > 1
        and (not word.islower() or not word.isascii() or word in ("ms", "ns", "kg", "mm", "cm", "km", "px"))
    )


def _scale(low: str, known: dict[str, Decimal]) -> Decimal | None:
    """What a scale word multiplies by, in the plural too: `in millions`, `(thousands)`."""
    return (known.get(low) or known.get(low.removesuffix("s"))) if len(low) > 1 else None


def _unit_from(t: Tokens, i: int, lang: str | None) -> tuple[str, str, str | None, Decimal] | None:
    scale, j = Decimal(1), i
    known = scales(lang)
    rated = rate_of_counts(t, i, lang)
    if rated and (unit_at(t, i, lang) or ("", 0))[1] < i + 3:
        return f"count:{rated[0]}", rated[2].below, rated[2].per, rated[1]
    bare_factor = factor_at(t, i) if i and t.low[i - 1] in ("(", "[", ",", "in") else None
    if bare_factor:
        return "", "", None, bare_factor[0]
    while j < t.size and (step := _scale(t.low[j], known)):
        scale *= step
        j += 1
        if t.low[j] == ".":
            j += 1
    if t.low[j] == "of" and scale != 1:
        j += 1
    symbol = t.word[j : j + 2]
    if symbol and symbol[0] in "$€£" and symbol[1:] and symbol[1] in ("k", "K", "m", "M", "B", "bn"):
        scale = Decimal(10) ** {"k": 3, "m": 6, "b": 9}[symbol[1][0].lower()]
        unit = unit_at(t, j, lang)
        return (unit[0], "", None, scale) if unit else None
    unit = unit_at(t, j, lang)
    if unit and is_money(unit[0]) and scale == 1:
        scale = _scale_behind(t, unit[1], known)
    if unit and unit[0] not in PERIODS | {"inch"}:
        basis = basis_at(t, unit[1], lang, money=is_money(unit[0]))
        return unit[0], basis.below, basis.per, scale
    if unit and i and t.low[i - 1] in ("(", "[", "in") and t.low[unit[1]] in (")", "]", ""):
        return unit[0], "", None, scale
    if unit and i and t.low[i - 1] in ("(", "[") and t.low[unit[1]] == "/":  # (s/iter)
        basis = basis_at(t, unit[1], lang)
        return unit[0], basis.below, basis.per, scale
    if scale != 1:
        return "", "", None, scale
    if t.low[i - 1] in ("(", "[") and t.low[i] in ("per", "/"):
        basis = basis_at(t, i, lang, money=True)
        return ("", basis.below, basis.per, Decimal(1)) if basis.end > i else None
    return None


def _scale_behind(t: Tokens, k: int, known: dict[str, Decimal]) -> Decimal:
    """`$ thousands`, `USD millions`, `$000s`: the factor after a currency; 1 where none stands there."""
    if t.low[k] in ("in",):
        k += 1
    if len(t.low[k]) > 1 and t.low[k] in known:
        return known[t.low[k]]
    found = factor_at(t, k)
    return Decimal(1000) if t.low[k] == "thousands" else found[0] if found else Decimal(1)


def _period(t: Tokens, lang: str | None) -> str:
    for i in range(t.size):
        name = period_word(t.low[i])
        if name:
            return name
        if t.low[i] in word_set("per") or t.low[i] in ("/", "im", "в", "al", "par"):
            period = period_at(t, i + 1, lang)
            if period:
                return period[0]
    return ""


def is_price_word(word: str) -> bool:
    """cost, fee, Preis, prix …"""
    return _PRICE.fullmatch(word) is not None


def _noun(t: Tokens, lang: str | None) -> str:
    """What the numbers under the label count: `GPUs`, `number of CTAs`, `Subscribers`."""
    for i in range(t.size - 1):
        of = t.low[i + 1] in ("of", "de", "der", "d'")
        if t.low[i] in ("anzahl", "#") or (
            of and t.low[i] in ("number", "count", "anzahl", "nombre", "número", "numero")
        ):
            j = i + 2 if of else i + 1
            found = noun_after(t, j, lang)
            if found:
                return found[0]
            if t.kind[j] == WORD:
                return one_of(t.word[j])
    if "_" in t.low and t.text.isupper():
        return ""  # a constant's name
    words = [i for i in range(t.size) if t.kind[i] in (WORD, NAME)]
    if len(words) > 2 and t.low[words[-2]] == "in" and _scale(t.low[words[-1]], scales(lang)):
        del words[-2:]  # parameters in millions
    if len(words) > 1 and t.low[words[-1]] in ("count", "number", "anzahl"):
        words.pop()
        return one_of(t.word[words[-1]]) if t.kind[words[-1]] == WORD else ""
    if not words:
        return ""
    last = words[-1]
    before = next((i for i in range(t.size) if t.low[i] == "("), None)
    if before is not None:
        inside = [i for i in words if i < before]
        last = inside[-1] if inside else last
    word = t.word[last]
    if t.kind[last] == NAME or len(words) > 4:
        return ""
    if word.lower() in scales(lang) or word.lower() == "thousands":
        return ""  # Revenue, in millions
    if word.lower() in _KNOWN_NOUNS or (
        is_plural(word) and word.lower() not in word_set("uncounted", "label")
    ):
        return one_of(word)
    return ""
