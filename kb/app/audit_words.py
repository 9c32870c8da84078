"""Which words of an article speak about a claim, and how near they stand to a figure."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from kb.claims import Claim, ClaimSet
from kb.page import Block

_WORD = re.compile(r"\d+(?:[.,]\d+)*[^\W_]*|[^\W\d_][^\W_]*")
_SENTENCE = re.compile(r"(?<=[.!?;])[\"”’)]*\s+(?=[^\W_a-z\"“(‘])")
_SMALL = frozenset(
    ["a", "an", "the", "of", "in", "on", "at", "to", "for", "and", "or", "per", "with", "by", "from", "as"]
).union(["is", "are", "its", "it", "each", "that", "s"])
_NUMBERS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
_DIGITS = {word: str(n) for n, word in enumerate([*_NUMBERS, "eleven", "twelve"])}

SUBJECT, ATTRIBUTE, PUBLISHER = 1.0, 0.6, 0.5
"""What a word of each part of a claim counts for."""

ABSENT = 0.25
"""What a claim's word costs that the article does not have nearby."""


@lru_cache(8192)
def words_of(text: str) -> tuple[str, ...]:
    """The words that tell one thing from another: lower case, singular, without the small ones."""
    return tuple(w for w in (_stem(m) for m in _WORD.findall(text.casefold())) if w not in _SMALL)


def _stem(word: str) -> str:
    word = _DIGITS.get(word, word)
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def phrase_in(phrase: str, text: str) -> tuple[int, int] | None:
    """Where a phrase stands in a text, whatever stands between its words; None where it does not."""
    parts = _WORD.findall(phrase.casefold())
    if not parts:
        return None
    pattern = r"[\W_]{0,3}".join(re.escape(p) for p in parts)
    found = re.search(rf"(?<![^\W_]){pattern}(?:e?s)?(?![^\W_])", text, re.IGNORECASE)
    return found.span() if found else None


def list_in(members: tuple[str, ...], text: str) -> tuple[int, int] | None:
    """The span of the one sentence that names every member; None where there is none.

    A member stands as a phrase; or, in a list of several, by its words, as "DGX H100,
    H200 and B200" names DGX H200.
    """
    rare = max(members, key=len)
    last = words_of(rare)[-1:] or ("",)
    low = 0
    if last[0] not in text.casefold():
        return None
    for cut in (*_SENTENCE.finditer(text), None):
        sentence = text[low : cut.start() if cut else len(text)]
        spans = [_named(m, sentence, len(members) > 1) for m in members]
        if spans and all(spans):
            known = [s for s in spans if s]
            return low + min(s[0] for s in known), low + max(s[1] for s in known)
        low = cut.end() if cut else low
    return None


def _named(member: str, sentence: str, loosely: bool) -> tuple[int, int] | None:
    whole = phrase_in(member, sentence)
    if whole or not loosely:
        return whole
    words = set(words_of(member))
    at = [m.span() for m in _WORD.finditer(sentence) if set(words_of(m[0])) & words]
    had = {w for start, end in at for w in words_of(sentence[start:end])}
    return (at[0][0], at[-1][1]) if words and words <= had else None


def sentence_at(text: str, start: int) -> tuple[int, int]:
    """The span of the sentence that holds the offset."""
    low = 0
    for cut in _SENTENCE.finditer(text):
        if cut.start() > start:
            return low, cut.start()
        low = cut.end()
    return low, len(text)


@dataclass(frozen=True, slots=True)
class Nearness:
    """Words around one place of an article, each with its nearness from 0 to 1."""

    words: Mapping[str, float]

    @classmethod
    def around(cls, block: Block, start: int, end: int, row: str) -> Nearness:
        """The words around a span of a block; `row` is the text of the other cells of its row."""
        near: dict[str, float] = {}

        def add(text: str, weight: float) -> None:
            for word in words_of(text):
                near[word] = max(near.get(word, 0.0), weight)

        for heading in block.headings[-2:]:
            add(heading, 0.3)
        add(block.text, 0.3)
        add(block.caption, 0.4)
        add(row, 0.75)
        for label in (*block.column, *block.row):
            add(label, 0.9)
        low, high = sentence_at(block.text, start)
        for found in _WORD.finditer(block.text, low, high):
            gap = max(start - found.end(), found.start() - end, 0)
            add(found[0], 0.5 + 0.5 / (1 + gap / 30))
        return cls(near)


class Vocabulary:
    """What each word of the claims is worth: rare ones tell more than common ones."""

    def __init__(self, claims: ClaimSet) -> None:
        sources = {s.id: s for s in claims.sources}
        parts = {}
        extra = {}
        for claim in claims.claims:
            id = claim.id or ""
            source = sources.get(claim.source_id or "")
            parts[id] = _parts(claim)
            about = f"{source.publisher or ''} {source.title or ''}" if source and claim.sourced else ""
            extra[id] = set(words_of(about)) - set(parts[id])
        seen = Counter(word for id in parts for word in (*parts[id], *extra[id]))
        total = len(parts) or 1

        def worth(word: str) -> float:
            return math.log(1 + total / seen[word])

        self._own = {id: tuple((w, f * worth(w)) for w, f in words.items()) for id, words in parts.items()}
        self._extra = {id: tuple((w, PUBLISHER * worth(w)) for w in sorted(ws)) for id, ws in extra.items()}
        self._subjects = {c.id or "": words_of(c.subject) for c in claims.claims}
        self._initials = {c.id or "": _initials(c.subject) for c in claims.claims}

    def score(self, claim: Claim, near: Nearness) -> tuple[float, float]:
        """How much the words speak of the claim, and which part of the claim's own words is there.

        Words of its source's publisher and title speak for a claim, and their absence
        says nothing: an article names its sources once.
        """
        id = claim.id or ""
        had = missed = 0.0
        short, spelled = self._initials[id]
        acronym = near.words.get(short, 0.0) if short else 0.0
        for word, weight in self._own[id]:
            nearness = near.words.get(word, 0.0)
            if acronym > nearness and word in spelled:
                nearness = acronym
            had += weight * nearness
            missed += weight * (1 - nearness)
        whole = had + missed
        more = sum(weight * near.words.get(word, 0.0) for word, weight in self._extra[id])
        bonus = min(more, whole / 2)
        return had - ABSENT * missed + bonus, min(1.0, (had + bonus) / whole) if whole else 0.0

    def named(self, claim: Claim, near: Nearness) -> bool:
        """Whether the claim's whole subject stands in the sentence, the row or the column."""
        subject = self._subjects[claim.id or ""]
        return bool(subject) and all(near.words.get(w, 0.0) >= 0.5 for w in subject)


def _initials(subject: str) -> tuple[str, frozenset[str]]:
    """The acronym that stands for a name of three words or more, and the words it stands for."""
    words = words_of(subject.partition("(")[0])
    if len(words) < 3:
        return "", frozenset()
    return "".join(w[0] for w in words), frozenset(words)


def _parts(claim: Claim) -> dict[str, float]:
    words: dict[str, float] = {}
    for text, weight in ((claim.attribute, ATTRIBUTE), (claim.subject, SUBJECT)):
        for word in words_of(text):
            words[word] = max(words.get(word, 0.0), weight)
    return words
