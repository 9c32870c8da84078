"""Denials: what a text says is not so, where a page says it in other words, or that it is so now."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from kb.judging import thresholds as t
from kb.judging.kindred import exact
from kb.judging.mention import Mention
from kb.judging.reading import PageReading
from kb.judging.slots import trimmed
from kb.judging.words import keys, tokens

_OPENS = re.compile(
    r"(?:(?:is|are|was|were|does|do|did|has|have|can|will)\s?)?"
    r"(?:not|n['’]t|no|never|cannot)\s(?!longer\b|yet\b)(.+)",
    re.IGNORECASE,
)
_NEGATED = re.compile(
    r"\b(?:not|no|none|never|neither|nor|without|cannot|lacks?|unavailable)\b"
    r"(?! (?:only|later|earlier|longer))|\b\w+n['’]t\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[^.!?;\n]+(?:[.!?](?!\s)[^.!?;\n]*)*")
_WIDER = 40  # characters by which a page's words for it may be longer than ours


@lru_cache(maxsize=4096)
def denied(phrase: str) -> frozenset[str]:
    """The words of what a text denies: `not updated automatically`; none where these are not two at least."""
    match = _OPENS.fullmatch(phrase.strip())
    words = keys(match[1]) if match else frozenset()
    return words if len(words) > 1 else frozenset()


def denials(reading: PageReading, blocks: Iterable[int], phrase: str) -> list[Mention]:
    """Where some blocks speak of what a text denies, whether they deny it or not; the very words suffice."""
    words = denied(phrase)
    if not words or exact(phrase).search(reading.text):
        return []
    out = []
    for index in blocks:
        text = reading.blocks[index].text[: t.SLOT_TEXT]
        if words <= keys(text):
            out += [Mention(index, a, b, text[a:b]) for a, b in _places(text, words, len(phrase) + _WIDER)]
    return out


def _places(text: str, words: frozenset[str], most: int) -> Iterator[tuple[int, int]]:
    """Each sentence that has all of the words; of a long one the shortest part, with the denial before it."""
    for sentence in _SENTENCE.finditer(text):
        if len(sentence.group()) <= most:
            if words <= keys(sentence.group()):
                yield trimmed(text, *sentence.span())
            continue
        spots = [
            (token.start + sentence.start(), token.end + sentence.start(), token.key)
            for token in tokens(sentence.group(), stems=False)
            if token.key in words
        ]
        best = None
        for i, (start, _, _) in enumerate(spots):
            missing = set(words)
            for _, end, key in spots[i:]:
                missing.discard(key)
                if not missing:
                    if best is None or end - start < best[1] - best[0]:
                        best = start, end
                    break
        if best is not None and best[1] - best[0] <= most:
            negated = list(_NEGATED.finditer(text, sentence.start(), best[0]))
            yield (negated[-1].start() if negated else best[0]), best[1]


def denies(text: str) -> bool:
    """Whether some words deny what they speak of."""
    return _NEGATED.search(text) is not None
