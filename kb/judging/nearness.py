"""How present each word of a claim is at one place: beside a value, by its distance, and around its block."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence

from kb.judging import thresholds as t
from kb.judging.mention import Mention
from kb.judging.reading import PageReading, Spot
from kb.judging.score import Term
from kb.judging.steps import far

_REACH, _FAR = t.REACH, t.FAR

BESIDE = 8  # places of a word before a value, and as many behind it, of which one is the nearest
FEW = 2  # values of one block, which a reader tells apart

_Heard = tuple[list[float], list[int]]
"""What one block says of a claim's words, wherever in it the value stands.

For each term how present it is without the block's own words; and the terms that the block itself has, by
number.
"""


class Hearing:
    """What the blocks of a page say of one claim's words, found out on demand."""

    def __init__(self, reading: PageReading, terms: Sequence[Term]) -> None:
        """See how present each word is everywhere: what a page says all the time need not be said here."""
        total = len(reading.blocks) or 1
        self.reading = reading
        self.terms = terms
        self._often = [
            (k.key, 0.0 if k.sharp else min(t.TOPIC, t.OFTEN * reading.often(k.key) / total)) for k in terms
        ]
        self._blocks: dict[int, _Heard] = {}
        self._spots: dict[int, list[tuple[int, list[Spot]]]] = {}

    def block(self, index: int) -> _Heard:
        """What a block says of the terms."""
        known = self._blocks.get(index)
        if known is None:
            get = self.reading.outer[index].get
            around = [here if (here := get(key, 0.0)) > floor else floor for key, floor in self._often]
            said = self.reading.said(index)
            own = [i for i, (key, _) in enumerate(self._often) if key in said]
            known = self._blocks[index] = around, own
        return known

    def _spots_of(self, index: int, own: Sequence[int]) -> list[tuple[int, list[Spot]]]:
        """The places of the terms that a block has: asked for at fewer blocks than which terms it has."""
        known = self._spots.get(index)
        if known is None:
            spots = self.reading.spots
            known = self._spots[index] = [(i, spots(index, self._often[i][0])) for i in own]
        return known

    def at(self, mention: Mention, rivals: Rivals) -> list[float]:
        """For each term how present it is at the mention, 0 to 1.

        A word in the same block counts by its distance, and less where it stands nearer to a rival value.
        """
        around, own = self.block(mention.block)
        out = around.copy()
        if not own:
            return out
        slot = mention.textual
        first, last = mention.start, mention.end
        places, distances = self.reading.steps(mention.block)
        far_first = distances[bisect_right(places, first) - 1]
        far_last = distances[bisect_right(places, last) - 1]
        others: Sequence[Span] | None = None
        for i, spots in self._spots_of(mention.block, own):
            best = out[i]
            for token, begins, ends in spots if len(spots) <= 2 * BESIDE else _nearest(spots, first):
                if token.end <= first:
                    gap = far_first - ends
                elif token.start >= last:
                    gap = begins - far_last
                elif token.sharp or (slot and not self.terms[i].subject):
                    continue  # the 2 of "2 Gbps" names no Falcon-2, nor a text its own attribute
                else:
                    best = 1.0 if best < 1.0 else best
                    continue
                gap = 0 if gap < 0 else gap
                close = 1.0 - gap / _REACH
                near = token.says * (_FAR if close < _FAR else close)
                if best < near:
                    if others is None:
                        others = rivals.beside(mention)
                    for other in others:
                        if _gap(token.start, token.end, begins, ends, other) < gap:
                            near *= t.RIVAL_SHARP if token.sharp else t.RIVAL
                            break
                    best = near if best < near else best
            out[i] = best
        return out


def _nearest(spots: Sequence[Spot], start: int) -> Sequence[Spot]:
    """The places of a word around a value that begins at `start`: farther ones say no more of it."""
    at = bisect_left(spots, start, key=lambda spot: spot[0].start)
    return spots[max(0, at - BESIDE) : at + BESIDE]


Span = tuple[int, int, int, int]
"""Where a value begins and ends in its block, in characters and in steps."""


class Rivals:
    """The values of each block that may be nearer to a word than one of them, in reading order."""

    def __init__(self, reading: PageReading, mentions: Mapping[int, Sequence[Mention]]) -> None:
        """Keep the values; where they stand is worked out where it is asked for."""
        self._reading = reading
        self._mentions = mentions
        self._spans: dict[int, list[Span]] = {}

    def spans(self, block: int) -> Sequence[Span]:
        """Where the values of one block stand."""
        known = self._spans.get(block)
        if known is None:
            steps = self._reading.steps(block)
            its = self._mentions.get(block, ())
            known = sorted((m.start, m.end, far(steps, m.start), far(steps, m.end)) for m in its)
            self._spans[block] = known
        return known

    def beside(self, mention: Mention) -> Sequence[Span]:
        """Where the values next to one of a block stand."""
        its = self._mentions.get(mention.block, ())
        if not its or (len(its) == 1 and its[0].start == mention.start):
            return ()  # as of most: it is alone
        return _beside(self.spans(mention.block), mention.start)

    def crowd(self, mention: Mention, *, labelled: bool) -> int:
        """How many values of its block a value may be taken for, itself included.

        Of many those of its own line; few, where words of the claim label it.
        """
        block = mention.block
        count = len(self._mentions.get(block, ()))
        if count <= FEW:
            return count
        if labelled:
            return FEW
        text = self._reading.blocks[block].text
        first, last = text.rfind("\n", 0, mention.start) + 1, text.find("\n", mention.end)
        if not first and last < 0:
            return count
        last = len(text) if last < 0 else last
        spans = self.spans(block)
        return bisect_left(spans, (last,)) - bisect_left(spans, (first,))


def _beside(rivals: Sequence[Span], start: int) -> list[Span]:
    """The values next to one that begins at `start`: only a neighbour can be nearer to a word."""
    reach = 2 * t.RIVALS_NEAR  # values that begin together are few
    left, right = bisect_left(rivals, (start,)), bisect_left(rivals, (start + 1,))
    others = [*rivals[max(0, left - reach) : left], *rivals[right : right + reach]]
    if len(others) > t.RIVALS_NEAR:
        others.sort(key=lambda span: (abs(span[0] - start), span[0]))
        del others[t.RIVALS_NEAR :]
    return others


def _gap(start: int, end: int, begins: int, ends: int, value: Span) -> int:
    """How many steps lie between a word and a value, each in characters and in steps."""
    first, last, far_first, far_last = value
    if end <= first:
        return max(0, far_first - ends)
    if start >= last:
        return max(0, begins - far_last)
    return 0
