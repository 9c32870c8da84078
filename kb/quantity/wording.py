"""Numbers in words: four hundred, two and a half, sesenta y cinco, zweihundert, a dozen."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from functools import lru_cache

from kb.quantity.lexicon import is_money_part, number_words
from kb.quantity.quantity import Number
from kb.quantity.tokens import WORD, Tokens

_AND = frozenset({"and", "y", "et", "und", "e"})
_LONGEST = 12
"""Words in the longest number that is read."""


def in_words(t: Tokens, i: int, lang: str | None) -> tuple[Decimal, int] | None:
    """The whole number that starts with token `i`, and the token after it."""
    words = number_words(lang)
    total = current = Decimal(0)
    seen, last, j = False, Decimal(10) ** 15, i
    while j < min(t.size, i + 2 * _LONGEST):
        k = j
        if (seen and t.low[j] == "-" and t.gap[j] == 0 and t.gap[j + 1] == 0) or (
            seen and t.low[j] in _AND and j + 1 < t.size
        ):
            k = j + 1
        if not seen and t.low[j - 1] in _VAGUE:
            break
        kind, value = _word(t, k, words, lang)
        k, kind, value = _compound(t, k, words, kind, value)
        if not kind or t.kind[k] != WORD:
            break
        if kind == "scale":
            if not seen and not (value >= 12 and _alone(t, i, k)):
                break
            if seen and is_money_part(t.low[k], t.low[j - 1], lang):
                break
            current = max(current, Decimal(1)) * value
            if value >= 1000:
                total, current = total + current, Decimal(0)
            last = value
        else:
            if seen and not _may_follow(current, value, last, k > j, t.low[j] in _AND):
                break
            current += value
            last = Decimal(1) if value < 20 else Decimal(10)
        seen, j = True, k + 1
    return (total + current, j) if seen else None


_VAGUE = frozenset(
    [
        "several",
        "few",
        "many",
        "some",
        "mehrere",
        "einige",
        "viele",
        "wenige",
        "zig",
        "plusieurs",
        "quelques",
        "varios",
        "algunos",
        "various",
        "multiple",
        "these",
    ]
)
_STAND_ALONE = frozenset(["hundert", "tausend", "cent", "mille", "cien", "mil"])


def _alone(t: Tokens, i: int, k: int) -> bool:
    """Whether a scale starts a number: a million, tausend; never Milliarden or hundreds."""
    return t.low[k] in _STAND_ALONE or t.low[i - 1] in (
        "a",
        "an",
        "one",
        "ein",
        "eine",
        "einer",
        "un",
        "une",
        "per",
        "halbe",
        "halben",
        "pro",
        "/",
        "par",
        "the",
        "each",
        "every",
    )


def _compound(
    t: Tokens, k: int, words: dict[str, tuple[str, Decimal]], kind: str, value: Decimal
) -> tuple[int, str, Decimal]:
    """quatre-vingt-dix: the longest run of words tied by hyphens that is one word of the list."""
    name, end = t.low[k], k
    while kind and end < k + 4 and t.low[end + 1] == "-" and t.gap[end + 1] == 0 and t.gap[end + 2] == 0:
        end += 2
        name += "-" + t.low[end]
        if name in words:
            k, (kind, value) = end, words[name]
    return k, kind, value


def _may_follow(current: Decimal, value: Decimal, last: Decimal, joined: bool, by_and: bool) -> bool:
    """Twenty-five and one hundred five are numbers; "two three" and "two and three" are two each."""
    if last >= 100:
        return value < last
    if by_and:
        return last == 10 and value < 10 and current % 10 == 0 and current >= 20
    return (
        last == 10
        and current % 10 == 0
        and (value < 10 or (value < 20 and current % 100 in (60, 80) and not by_and))
    )


def _word(t: Tokens, k: int, words: dict[str, tuple[str, Decimal]], lang: str | None) -> tuple[str, Decimal]:
    low = t.low[k]
    kind, value = words.get(low, ("", Decimal(0)))
    if kind in ("digit", "scale"):
        return kind, value
    if lang == "de" and low:
        compound = german(low)
        if compound is not None:
            return "digit", Decimal(compound)
    return "", Decimal(0)


@lru_cache(2048)
def german(word: str) -> int | None:
    """A German number written as one word: zweihundertfünfzigtausend; None where it is none."""
    if len(word) < 6 or len(word) > 60:
        return None
    value = _german(word)
    return value if value and value > 12 else None


def _german(word: str) -> int | None:
    if not word:
        return 0
    digits = {w: v for w, (k, v) in number_words("de").items() if k == "digit"}
    if word in digits:
        return int(digits[word])
    for name, size in (("tausend", 1000), ("hundert", 100)):
        before, found, after = word.partition(name)
        if found:
            head, rest = (_german(before) if before else 1), _german(after.removeprefix("und"))
            return None if head is None or rest is None else head * size + rest
    one, found, ten = word.partition("und")
    if found and digits.get(one, Decimal(99)) < 10 and digits.get(ten, Decimal(0)) >= 20:
        return int(digits[one] + digits[ten])
    return None


def part_of(t: Tokens, j: int, lang: str | None) -> Fraction | None:
    """What a fraction word at `j` stands for after a numeral: thirds is 1/3."""
    kind, value = number_words(lang).get(t.low[j], ("", Decimal(0)))
    return Fraction(1, int(value)) if kind == "part" else None


def and_a_half(t: Tokens, j: int) -> tuple[Number, int] | None:
    """ "and a half" after a number: a half, and the token after it."""
    if t.low[j] in ("and", "et") and t.low[j + 1] in ("a", "one", "demi", "demie", "half"):
        if t.low[j + 2] == "half":
            return Decimal("0.5"), j + 3
        if t.low[j + 2] == "quarter":
            return Decimal("0.25"), j + 3
        if t.low[j + 1] in ("demi", "demie", "half"):
            return Decimal("0.5"), j + 2
    return None
