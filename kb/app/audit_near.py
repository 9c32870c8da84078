"""Which words stand near a place of an article, and how near."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from kb.app.audit_mention import Mention
from kb.app.audit_words import WORD, key_of, sentences, words_of
from kb.judging.direction import direction_beside, direction_in_labels
from kb.page import Block

BLOCK, PREVIOUS, HEADING, TITLE, CAPTION, ROW, LABEL = 0.3, 0.4, 0.35, 0.3, 0.4, 0.75, 0.9
"""How near a word is that stands in the same block, the sentence before, a heading, the row's cells, …"""

PASSAGE = 0.15
"""How near the words of the block before are, to which "all of them" points; half, those one further."""

LEAD = 0.4
"""The same where that block ends with a colon, and so speaks of what follows."""

NAMED = 0.5
"""How near a word must be to stand in the same sentence, row or column."""

CROSSED = 0.75
"""What each figure of the same dimension between leaves of a word's nearness: the word is the other's."""

REACH = 600
"""Characters on each side in which the words of an endless sentence count."""


@dataclass(frozen=True, slots=True)
class Nearness:
    """Words around one place, each with its nearness from 0 to 1.

    Attributes:
        beside: those of its sentence and the one before.
        around: those of the block, its headings and labels, and the blocks before.
        own: the words of the place itself.
        sentence: its sentence.
        direction: each way or both ways, where the words around say so.
        cell: whether it stands in a table.
    """

    beside: Mapping[str, float]
    around: Mapping[str, float]
    own: frozenset[str] = frozenset()
    sentence: str = ""
    direction: str | None = None
    cell: bool = False

    def get(self, word: str) -> float:
        """How near the word is; 0 where it is not there."""
        return max(self.beside.get(word, 0.0), self.around.get(word, 0.0))

    def without_own(self) -> Nearness:
        """The same without the words of the place itself, which say what is counted, not of what."""
        beside = {w: n for w, n in self.beside.items() if w not in self.own}
        return replace(self, beside=beside, own=frozenset())


class Spans:
    """Which characters of a text are taken."""

    def __init__(self, spans: Iterable[tuple[int, int]] = ()) -> None:
        self._taken: set[int] = set()
        self.add(spans)

    def add(self, spans: Iterable[tuple[int, int]]) -> None:
        """Take the characters of some spans."""
        for start, end in spans:
            self._taken.update(range(start, end))

    def cross(self, start: int, end: int) -> bool:
        """Whether a character of the span is taken."""
        return not self._taken.isdisjoint(range(start, end))


class Passage:
    """A block with what stands around it, prepared for looking at its places one after the other."""

    def __init__(self, block: Block, row: str = "", before: Sequence[Block] = ()) -> None:
        self.block = block
        self.row = row
        self.sentences = sentences(block.text)
        self._starts = [start for start, _ in self.sentences]
        found = [(m.start(), m.end(), key_of(m[0])) for m in WORD.finditer(block.text)]
        self._words = [w for w in found if w[2]]
        self._at = [start for start, _, _ in self._words]
        self.around = self._around(before)
        self._direction = direction_in_labels(block)

    def _around(self, before: Sequence[Block]) -> dict[str, float]:
        around = {word: BLOCK for _, _, word in self._words}

        def add(text: str, nearness: float) -> None:
            for word in words_of(text):
                around[word] = max(around.get(word, 0.0), nearness)

        for heading in self.block.headings[:-1]:
            add(heading, TITLE)
        for heading in self.block.headings[-1:]:
            add(heading, HEADING)
        for number, other in enumerate(before):
            leads = not number and other.text.rstrip().endswith(":")
            add(other.text, LEAD if leads else PASSAGE / (1 + number))
        add(self.block.caption, CAPTION)
        add(self.row, ROW)
        for label in (*self.block.column, *self.block.row):
            add(label, LABEL)
        return around

    def sentence(self, start: int) -> tuple[int, int]:
        """The span of the sentence that holds the offset."""
        return self.sentences[max(0, bisect_right(self._starts, start) - 1)]

    def near(self, start: int, end: int, rivals: Sequence[int] = ()) -> Nearness:
        """The words around a span; `rivals` is where figures of its dimension begin, in order, it too."""
        number = max(0, bisect_right(self._starts, start) - 1)
        low, high = self.sentences[number]
        beside: dict[str, float] = {}
        own = set()
        for from_, to, word in self._between(max(low, start - REACH), min(max(high, end), end + REACH)):
            gap = max(start - to, from_ - end, 0)
            nearness = 0.5 + 0.5 / (1 + gap / 30)
            if gap and rivals:
                nearness = max(BLOCK, nearness * CROSSED ** _crossed(from_, start, end, rivals))
            if start <= from_ < end:
                own.add(word)
            beside[word] = max(beside.get(word, 0.0), nearness)
        if number:
            for _, _, word in self._between(max(self.sentences[number - 1][0], low - REACH), low):
                beside[word] = max(beside.get(word, 0.0), PREVIOUS)
        text = self.block.text
        first, last = bisect_left(rivals, start - REACH), bisect_left(rivals, end + REACH)
        spans = [(at, at) for at in rivals[first:last]]
        way = direction_beside(text, start, end, spans) or self._direction
        said = text[max(low, start - REACH) : min(high, end + REACH)]
        return Nearness(beside, self.around, frozenset(own), said, way, bool(self.row))

    def _between(self, low: int, high: int) -> Iterable[tuple[int, int, str]]:
        return self._words[bisect_left(self._at, low) : bisect_left(self._at, high)]

    def spans_of(self, words: set[str], low: int, high: int) -> list[tuple[int, int, str]]:
        """Where some words stand between two offsets, in order."""
        return [found for found in self._between(low, high) if found[2] in words]

    def mention(self, kind: str, start: int, end: int) -> Mention:
        """A mention at a span, of which nothing is said yet."""
        text = self.block.text
        low, high = self.sentence(start)
        said = text[max(low, start - REACH) : min(high, end + REACH)]
        return Mention(kind, text[start:end], start, end, self.block, said, row=self.row)


def _crossed(word: int, start: int, end: int, rivals: Sequence[int]) -> int:
    """How many other figures begin between a word and the place."""
    if word < start:
        return bisect_left(rivals, start) - bisect_right(rivals, word)
    return bisect_right(rivals, word) - bisect_left(rivals, end)
