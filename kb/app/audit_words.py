"""The words of an article and of claims, made comparable, and its sentences."""

from __future__ import annotations

import re
from functools import lru_cache

from kb.judging.words import stem

WORD = re.compile(r"\d+(?:[.,]\d+)*[^\W_]*|[^\W\d_][^\W_]*")
_SHORTENED = ("Dr", "Fig", "Inc", "Ltd", "Mr", "Mrs", "No", "St", "approx", "ca", "e.g", "i.e", "vs")
_SENTENCE = re.compile(
    r"(?<=[.!?;])(?<!(?<![^\W_])[A-Z]\.)"  # not after an initial
    + "".join(rf"(?<!(?<![^\W_]){re.escape(word)}\.)" for word in _SHORTENED)
    + r"[\"”’)]*\s+(?=[^\W_a-z\"“(‘])"
)
_SMALL = frozenset(
    ["a", "an", "the", "of", "in", "on", "at", "to", "for", "and", "or", "per", "with", "by", "from", "as"]
).union(["is", "are", "its", "it", "each", "that", "s", "was", "were", "has", "have", "be", "which", "than"])
_NUMBERS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
_DIGITS = {word: str(n) for n, word in enumerate([*_NUMBERS, "eleven", "twelve"])}

_MEASURES = (
    "length long",
    "height high tall",
    "width wide broad",
    "depth deep",
    "weight weigh heavy mass",
    "age old",
    "speed fast",
    "price cost",
    "size large big",
    "share percentage proportion",
    "mean average",
    "begin start",
    "establish found",
)
"""A property, and the plain words in which a sentence gives it: a car is 42 m long, its length is 42 m."""

_MEASURE = {stem(w): stem(group.split()[0]) for group in _MEASURES for w in group.split()}


@lru_cache(65536)
def key_of(word: str) -> str:
    """One word as it is compared: lower case, without its ending; "" for the small ones."""
    low = word.casefold()
    if low in _SMALL:
        return ""
    low = _DIGITS.get(low, low)
    if any(c.isdigit() for c in low):
        return low[:-1] if len(low) > 2 and low[-1] == "s" and low[-2].isdigit() else low
    bare = stem(low)
    if bare == low and len(low) > 3 and low.endswith("s") and not low.endswith("ss"):
        bare = stem(low[:-1])
    return _MEASURE.get(bare, bare)


@lru_cache(8192)
def words_of(text: str) -> tuple[str, ...]:
    """The words that tell one thing from another, in order, without the small ones."""
    return tuple(key for key in map(key_of, WORD.findall(text)) if key)


def phrase_in(phrase: str, text: str, low: int = 0, high: int | None = None) -> tuple[int, int] | None:
    """Where a phrase stands in `text[low:high]`, whatever stands between its words; None: it does not."""
    pattern = _pattern(phrase)
    if pattern is None:
        return None
    found = pattern.search(text, low, len(text) if high is None else high)
    return found.span() if found else None


@lru_cache(16384)
def _pattern(phrase: str) -> re.Pattern[str] | None:
    parts = WORD.findall(phrase.casefold())
    if not parts:
        return None
    inner = r"[\W_]{0,3}".join(re.escape(p) for p in parts)
    return re.compile(rf"(?<![^\W_]){inner}(?:e?s)?(?![^\W_])", re.IGNORECASE)


@lru_cache(512)
def sentences(text: str) -> list[tuple[int, int]]:
    """The spans of a text's sentences, in order; together they cover it."""
    starts = [0, *(cut.end() for cut in _SENTENCE.finditer(text))]
    ends = [*(cut.start() for cut in _SENTENCE.finditer(text)), len(text)]
    return list(zip(starts, ends, strict=True))


def sentence_at(text: str, start: int) -> tuple[int, int]:
    """The span of the sentence that holds the offset."""
    return next(((low, high) for low, high in sentences(text) if start < high), (0, len(text)))
