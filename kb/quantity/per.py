"""What a figure is for: `per GPU`, `/hr`, `/TB/month`, `a month`, `per 1,000 requests`, `im Jahr`."""

from __future__ import annotations

from decimal import Decimal
from functools import cache
from typing import NamedTuple

from kb.quantity.basis import is_usual
from kb.quantity.lexicon import bounds, scales, word_set
from kb.quantity.nouns import COUNTED_ALONE, basis_noun, is_plural, noun_after
from kb.quantity.numerals import numeral
from kb.quantity.spelling import period_at, unit_at
from kb.quantity.tokens import CJK, NAME, NUMBER, SIGN, WORD, Tokens
from kb.quantity.units import PERIODS, registry
from kb.quantity.wording import in_words

_ADVERBS = {
    "hourly": "hour", "daily": "day", "weekly": "week", "monthly": "month", "quarterly": "quarter",
    "yearly": "year", "annually": "year", "annual": "year", "stündlich": "hour", "täglich": "day",
    "wöchentlich": "week", "monatlich": "month", "mtl": "month", "jährlich": "year", "mensuel": "month",
    "mensuels": "month", "annuel": "year", "annuels": "year", "anual": "year", "anuales": "year",
    "mensual": "month", "mensuales": "month", "mensal": "month", "mensais": "month", "p.a": "year",
    "miesięcznie": "month", "rocznie": "year", "měsíčně": "month", "ročně": "year", "månedlig": "month",
    "månadsvis": "month", "årligen": "year", "årlig": "year", "mensuelle": "month", "annuelle": "year",
    "mensualmente": "month", "anualmente": "year", "mensilmente": "month", "annuale": "year",
    "mensile": "month", "maandelijks": "month", "jaarlijks": "year",
}  # fmt: skip
_LOCAL = {
    "pro": ("de", "cs", "no", "da"),
    "je": ("de",),
    "par": ("fr",),
    "por": ("es", "pt"),
    "na": ("pl", "cs"),
    "за": ("ru",),
    "на": ("ru",),
}
_AND = frozenset({"and", "und", "et", "y", "e", "en"})
_PRICE_PERIODS = {"pm": "month", "pcm": "month", "pw": "week", "pa": "year"}
"""What touches a price in British advertisements: £9.99pm."""
_TAXES = frozenset({"ht", "ttc", "net", "netto", "brutto", "vat", "gross"})
_CJK_PERIODS = bounds("period behind")
_BEFORE_PERIOD = frozenset(
    [
        "a",
        "an",
        "im",
        "в",
        "за",
        "the",
        "al",
        "à",
        "por",
        "par",
        "om",
        "i",
        "en",
        "je",
        "ieder",
        "jede",
        "jeden",
        "alle",
        "cada",
        "chaque",
        "il",
        "al",
        "l'",
    ]
)


_CJK_BEFORE = bounds("period before")


def period_before(run: str) -> str:
    """The period that a run of Chinese, Japanese or Korean before a price ends with; empty if none."""
    return next((_CJK_BEFORE[run[-n:]] for n in (3, 2, 1) if run[-n:] in _CJK_BEFORE), "")


class Basis(NamedTuple):
    """`below` is a period that goes into the unit, `per` what else the figure is for."""

    below: str
    per: str | None
    end: int


def period_word(word: str) -> str:
    """The period that a word such as "monthly" names; empty if none."""
    return _ADVERBS.get(word.lower().rstrip("."), "")


def basis_at(t: Tokens, j: int, lang: str | None, *, money: bool = False, counted: bool = False) -> Basis:
    """Read all that follows a value and its unit and tells what it is for.

    `money` and `counted` values take "a month" and adverbs too; for others these are other words.
    """
    below, pers, end = "", list[str](), j
    adverbs, starts = money or counted, _starts()
    while end < t.size and len(pers) < 3 and (adverbs or t.low[end] in starts):
        step = _bracketed(t, end, lang) or _one(t, end, lang, adverbs, money)
        if step is None:
            break
        if step.below:
            if below:
                break
            below = step.below
        if step.per:
            pers.append(step.per)
        end = step.end
        if t.low[end] == "." and t.gap[end] == 0 and t.low[end + 1] in word_set("per"):
            end += 1  # $20/mo. per user
    return Basis(below, " per ".join(pers) or None, end)


@cache
def _starts() -> frozenset[str]:
    """What the words that tell what a value is for may start with, adverbs and periods aside."""
    return frozenset({"(", "/", "-", "for", "each", "every", "a"}) | _TAXES | _AND | {"pr"} | word_set("per")


def _bracketed(t: Tokens, j: int, lang: str | None) -> Basis | None:
    """`(per port)`."""
    if t.low[j] != "(" or t.low[j + 1] not in word_set("per"):
        return None
    step = _one(t, j + 1, lang, False, False)
    return Basis(step.below, step.per, step.end + 1) if step and t.low[step.end] == ")" else None


def _one(t: Tokens, j: int, lang: str | None, periods: bool, money: bool) -> Basis | None:
    low = t.low[j]
    if low == "/":
        return _target(t, j + 1, lang, slash=True, money=money)
    if low == "-" and t.low[j + 1] == "per" and t.gap[j] == 0 and t.gap[j + 1] == 0:
        return _target(t, j + 3 if t.low[j + 2] == "-" else j + 2, lang)
    if low in _TAXES and t.low[j + 1] in ("/", "par", "per", "pro", "p"):
        return _one(t, j + 1, lang, periods, money)
    if low == "for" and t.low[j + 1] in ("each", "every"):
        return _target(t, j + 2, lang)
    if low in ("each", "every"):
        found = _target(t, j + 1, lang)
        return found if found and (found.below or low == "every") else None
    if low == "a" and t.low[j + 1] in ("pop", "piece"):
        return Basis("", "item", j + 2)
    if (
        low in word_set("per")
        and t.word[j] != "Pro"
        and (lang is None or low not in _LOCAL or lang in _LOCAL[low])
    ):
        if low != "per" and t.kind[j + 1] == NUMBER and not money:
            return None  # trocar 5600 MT/s por 5600 MHz
        return _target(t, j + 1, lang)
    if low == "pr" and t.low[j + 1] == "." and lang in ("da", "no", "nb"):
        return _target(t, j + 2, lang)
    if low in _AND and t.low[j + 1] in word_set("per"):  # per month and per user
        return _one(t, j + 1, lang, periods, money)
    if money and low in _PRICE_PERIODS and not t.gap[j]:
        return Basis(_PRICE_PERIODS[low], None, j + 1)
    if periods and low in _BEFORE_PERIOD:
        period = period_at(t, j + 1, lang)
        return Basis(period[0], None, period[1]) if period else None
    if money or periods:
        name = period_word(low)
        if name:
            return Basis(name, None, j + 1)
        if low == "p" and t.low[j + 1] == "." and t.low[j + 2] == "a":
            return Basis("year", None, j + 4 if t.low[j + 3] == "." else j + 3)
    return None


def _target(t: Tokens, k: int, lang: str | None, *, slash: bool = False, money: bool = False) -> Basis | None:
    if t.kind[k] == CJK and t.word[k] in _CJK_PERIODS:
        return Basis(_CJK_PERIODS[t.word[k]], None, k + 1)
    number = _number(t, k, lang, slash, money)
    if number:
        return number
    if t.low[k] in ("the", "a", "an", "each", "every") and period_at(t, k + 1, lang):
        k += 1
    period = period_at(t, k, lang)
    if period and not (t.low[period[1]] == "-" and t.gap[period[1]] == 0):
        return Basis(period[0], None, period[1])
    if t.kind[k] == NAME and "-" in t.word[k]:  # H100-hour
        noun_part, _, last = t.word[k].rpartition("-")
        worked = registry().words.get(last.lower(), "")
        if worked in PERIODS:
            return Basis(worked, noun_part, k + 1)
    unit = unit_at(t, k, lang)
    if unit and unit[0] != "number" and not (slash and t.gap[k] and t.gap[k - 1] and not money):
        dash = t.low[unit[1]] == "-" and t.gap[unit[1]] == 0 and t.gap[unit[1] + 1] == 0
        if dash and period_at(t, unit[1] + 1, lang):  # GB-month
            after = period_at(t, unit[1] + 1, lang)
            return Basis(after[0], unit[0], after[1]) if after else None
        nxt = period_at(t, unit[1], lang)
        return Basis("", unit[0], unit[1]) if not nxt or t.gap[unit[1]] else Basis(nxt[0], unit[0], nxt[1])
    noun = basis_noun(t, k, lang)
    spaced = slash and t.gap[k] and t.gap[k - 1]
    if noun is None:
        return None
    end = noun[1]
    if spaced and noun[0].lower() not in COUNTED_ALONE:
        timed = t.low[end] == "/" and period_at(t, end + 1, lang) is not None  # $20 / team member / month
        if not (money and (timed or is_usual(noun[0].lower()))):
            return None
    if t.low[end] == "-" and t.gap[end] == 0 and t.gap[end + 1] == 0:  # GPU-hr
        period = period_at(t, end + 1, lang)
        if period:
            return Basis(period[0], noun[0], period[1])
        if t.kind[end + 1] == WORD:
            return Basis("", f"{noun[0]}-{t.low[end + 1]}", end + 2)
    period = period_at(t, end, lang)
    if (
        period
        and t.gap[end] == 1
        and t.low[end] in ("hour", "hr", "month", "year", "second", "minute", "day")
    ):
        return Basis(period[0], noun[0], period[1])  # per GPU hour
    return Basis("", noun[0], end)


_TOKENS = {"ktok": 1000, "mtok": 1000000, "mtoks": 1000000, "btok": 1000000000}
"""Short for thousands and millions of tokens, for which language models are paid."""


def _number(t: Tokens, k: int, lang: str | None, slash: bool, money: bool) -> Basis | None:
    """A basis with a number in it: per 1,000 requests, per million tokens, per 10 minutes."""
    spaced = slash and k < t.size and (t.gap[k] or t.gap[k - 1])
    if t.kind[k] == NUMBER and (not spaced or (money and t.kind[k + 1] == WORD and t.gap[k + 1] == 0)):
        read = numeral(t.word[k], t.numbers)
        if read is None:
            return None
        value, end = read.value, k + 1
        factor = scales(lang).get(t.low[end])
        if factor is None and t.word[end : end + 1] in (["k"], ["K"], ["M"]) and t.gap[end] == 0:
            factor = Decimal(1000 if t.low[end] == "k" else 1000000)
        if factor:
            value, end = value * factor, end + 1
    elif t.low[k] in _TOKENS:
        return Basis("", f"{_TOKENS[t.low[k]]} token", k + 1)
    elif t.kind[k] == WORD:
        words = in_words(t, k, lang)
        scale = {"k": 1000, "m": 1000000}.get(t.low[k]) if slash and t.gap[k] == 0 else None
        if scale and t.kind[k + 1] == WORD:
            value, end = Decimal(scale), k + 1
        elif words is None or (words[0] == 1 and words[1] == k + 1):
            return None
        else:
            value, end = words
    else:
        return None
    if t.word[end] == "G" and t.gap[end] == 0:  # per 800G port
        port = basis_noun(t, end + 1, lang)
        return Basis("", port[0], port[1]) if port else None
    if (
        t.low[end] == "-"
        and (inner := period_at(t, end + 1, lang))
        and (outer := period_at(t, inner[1], lang))
    ):
        return Basis(outer[0], None, outer[1])  # per 30-day month
    text = format(value.normalize(), "f")
    unit = unit_at(t, end, lang)
    if unit and slash and not money and unit[0] not in PERIODS and unit[0] not in ("kilometre", "mile"):
        return None
    if unit:
        return Basis("", f"{text} {unit[0]}" if value != 1 or unit[0] not in PERIODS else "", unit[1])
    noun = basis_noun(t, end, lang) if t.kind[end] != SIGN else None
    if noun and value != 1 and t.kind[end] == WORD and not is_plural(t.word[noun[1] - 1]):
        noun = noun_after(t, end, lang) or noun  # per 1M input tokens
    if noun:
        return Basis("", f"{text} {noun[0]}", noun[1])
    return Basis("", text, end)
