"""The lists and texts that claims state, found in an article's sentences."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kb.app.audit_mention import Mention
from kb.app.audit_near import NAMED, Nearness, Passage
from kb.app.audit_score import Vocabulary
from kb.app.audit_words import phrase_in, words_of
from kb.claims import Claim, ClaimSet

GAP = 80
"""Characters between one member and the next: more, and they are no list."""

MEMBERS_NEAR = 0.1
"""The least part of a claim's words that must be near its three members or more: they tell themselves."""

PAIR_NEAR = 0.3
"""The same for two members, and for a text of several words."""

NAME_NEAR = 0.5
"""The same for a text of one word, which may stand anywhere."""

RESTATED = 0.8
"""The part of a text's words that a sentence must have to say the same in other words."""

RESTATED_WORDS = 3
"""A text of fewer words is only found as it is written."""

PLACES = 20
"""Places of one member in a sentence that are looked at."""

_DENIED = re.compile(r"^(?:un|non-?)(?=[^\W\d_]{4})", re.I)
"""What "not" says too: unencrypted, not encrypted."""

_ANAPHORS = {2: re.compile(r"\b(?:both|either|the two)\b", re.I), 3: re.compile(r"\ball three\b", re.I)}
_ANAPHORS[4] = re.compile(r"\ball four\b", re.I)


@dataclass(frozen=True, slots=True)
class _Stated:
    """A list or text of a claim; `now`: the claim states it now, and did not only before."""

    claim: Claim
    value: str | tuple[str, ...]
    now: bool


class Lists:
    """Finds the lists and texts of claims, each through the rarest of its words."""

    def __init__(self, claims: ClaimSet, words: Vocabulary) -> None:
        self._words = words
        self._by_word: dict[str, list[tuple[int, _Stated]]] = {}
        stating = [*enumerate(s for claim in claims.claims for s in _stated(claim))]
        seen: dict[str, int] = {}
        for _, one in stating:
            for word in _all_words(one.value):
                seen[word] = seen.get(word, 0) + 1
        for number, one in stating:
            rare = sorted(_all_words(one.value), key=lambda w: (seen[w], w))
            for word in rare[: _needed(one.value, len(rare))]:
                self._by_word.setdefault(word, []).append((number, one))

    def mentions(self, passage: Passage) -> Iterator[tuple[Mention, Claim, bool]]:
        """Each list or text that the passage states, with its claim, and whether the claim states it now."""
        found = {n: one for word in passage.around for n, one in self._by_word.get(word, ())}
        for number in sorted(found):
            one = found[number]
            span, kind = self._span(passage, one.claim, one.value)
            if span is not None:
                yield passage.mention(kind, *span), one.claim, one.now

    def _span(
        self, passage: Passage, claim: Claim, value: str | tuple[str, ...]
    ) -> tuple[tuple[int, int] | None, str]:
        if isinstance(value, str):
            return self._text(passage, claim, value), "text"
        least = PAIR_NEAR if len(value) < 3 else MEMBERS_NEAR
        for low, high in passage.sentences:
            spans = _together([_places(m, passage, low, high, len(value) > 1) for m in value])
            if spans and self._about(passage, claim, spans, least):
                return (spans[0][0], max(end for _, end in spans)), "list"
        return self._pointed_to(passage, claim, value), "list"

    def _about(self, passage: Passage, claim: Claim, spans: Sequence[tuple[int, int]], least: float) -> bool:
        near = passage.near(spans[0][0], max(end for _, end in spans))
        return self._words.score(claim, near)[1] >= least

    def _pointed_to(self, passage: Passage, claim: Claim, members: Sequence[str]) -> tuple[int, int] | None:
        """Where "both" or "all three" stands for members that were named before, under the whole subject."""
        pattern = _ANAPHORS.get(len(members))
        if pattern is None or not all(any(passage.around.get(w) for w in words_of(m)) for m in members):
            return None
        if not all(w in passage.around for m in members for w in words_of(m)):
            return None
        for found in pattern.finditer(passage.block.text):
            near = passage.near(*found.span())
            if self._words.named(claim, near) or self._words.covered(claim, near) >= NAME_NEAR:
                return found.span()
        return None

    def _text(self, passage: Passage, claim: Claim, text: str) -> tuple[int, int] | None:
        own = words_of(text)
        if not own:
            return None
        least = NAME_NEAR if len(own) == 1 else PAIR_NEAR
        for low, high in passage.sentences:
            span = phrase_in(text, passage.block.text, low, high)
            if span is None and (denied := _DENIED.sub("not ", text)) != text:
                span = phrase_in(denied, passage.block.text, low, high)
            if span and self._about(passage, claim, [span], least):
                return span
        return self._restated(passage, claim, set(own)) if len(own) >= RESTATED_WORDS else None

    def _restated(self, passage: Passage, claim: Claim, own: set[str]) -> tuple[int, int] | None:
        """The place of a sentence that has most of a text's words, in any order and form."""
        if len(own & passage.around.keys()) < RESTATED * len(own):
            return None
        for low, high in passage.sentences:
            spans = passage.spans_of(own, low, high)
            had = {word for _, _, word in spans}
            if len(had) < RESTATED * len(own):
                continue
            start, end = spans[0][0], spans[-1][1]
            near = passage.near(start, end)
            if self._words.covered(claim, near) >= PAIR_NEAR and self._names(claim, near):
                return start, end
        return None

    def _names(self, claim: Claim, near: Nearness) -> bool:
        """Whether most of the subject's words stand in the sentence, the row or a heading."""
        subject = words_of(claim.subject)
        return sum(near.get(w) >= NAMED * 0.6 for w in subject) * 2 > len(subject)


def _stated(claim: Claim) -> Iterator[_Stated]:
    """What a claim states as a list or text, and what it stated before."""
    if claim.kind in ("list", "text"):
        yield _Stated(claim, claim.value, True)
    for was in claim.was:
        if (was.kind or claim.kind) in ("list", "text"):
            yield _Stated(claim, was.value, False)


def _all_words(value: str | tuple[str, ...]) -> set[str]:
    texts = (value,) if isinstance(value, str) else value
    return {word for text in texts for word in words_of(text)}


def _needed(value: str | tuple[str, ...], count: int) -> int:
    """Under how many of its rarest words a claim is kept, so that no statement of it is missed."""
    if isinstance(value, str) and count >= RESTATED_WORDS:
        return 1 + int(count * (1 - RESTATED))
    return 1


def _places(member: str, passage: Passage, low: int, high: int, loosely: bool) -> list[tuple[int, int]]:
    """Where a member stands: as a phrase, or by its words, as "DGX H100, H200 and B200" names DGX H200."""
    text = passage.block.text
    out: list[tuple[int, int]] = []
    found = phrase_in(member, text, low, high)
    while found and len(out) < PLACES:
        out.append(found)
        found = phrase_in(member, text, found[1], high)
    if out or not loosely:
        return out
    words = set(words_of(member))
    spans = passage.spans_of(words, low, high)
    if not words or {word for _, _, word in spans} != words:
        return []
    last = words_of(member)[-1]
    return [(start, end) for start, end, word in spans if word == last][:PLACES]


def _together(places: Sequence[Sequence[tuple[int, int]]]) -> list[tuple[int, int]]:
    """A place for each member, in reading order, the closest ones; nothing where they stand too far apart."""
    if not all(places):
        return []
    best: list[tuple[int, int]] = []
    for first in min(places, key=len):
        chosen = sorted(min(each, key=lambda s: abs(s[0] - first[0])) for each in places)
        ends = [end for _, end in chosen]
        gaps = [start - max(ends[: n + 1]) for n, (start, _) in enumerate(chosen[1:])]
        if all(gap <= GAP for gap in gaps) and (
            not best or chosen[-1][1] - chosen[0][0] < best[-1][1] - best[0][0]
        ):
            best = chosen
    return best
