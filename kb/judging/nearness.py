"""How present each word of a claim is at one place: beside a value, by its distance, and around its block."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from kb.judging import thresholds as t
from kb.judging.mention import Mention
from kb.judging.reading import PageReading, Spot
from kb.judging.score import Term
from kb.judging.steps import far

_REACH, _FAR = t.REACH, t.FAR


@dataclass(frozen=True, slots=True)
class _Heard:
    """What one block says of a claim's words, wherever in it the value stands.

    Attributes:
        around: for each term how present it is without the block's own words.
        own: the terms that the block itself has, by number, each with its places.
    """

    around: list[float]
    own: list[tuple[int, list[Spot]]]


@dataclass(slots=True)
class _Hearing:
    """What the blocks of a page say of one claim's words, found out on demand.

    `often` holds each word and how present it is everywhere.
    """

    terms: Sequence[Term]
    often: list[tuple[str, float]]
    blocks: dict[int, _Heard] = field(default_factory=dict)


def _hearing(reading: PageReading, terms: Sequence[Term]) -> _Hearing:
    """What the page says of the terms, begun; kept while the same terms are asked for."""
    known = reading.hearing
    if isinstance(known, _Hearing) and known.terms is terms:
        return known
    total = len(reading.blocks)
    # What the page speaks of all the time need not be said here.
    often = [(k.key, 0.0 if k.sharp else min(t.TOPIC, t.OFTEN * reading.often(k.key) / total)) for k in terms]
    made = reading.hearing = _Hearing(terms, often)
    return made


def _heard(reading: PageReading, hearing: _Hearing, index: int) -> _Heard:
    """What a block says of the terms."""
    get = reading.outer[index].get
    around = [here if (here := get(key, 0.0)) > floor else floor for key, floor in hearing.often]
    said = reading.said(index)
    own = [(i, said[key]) for i, (key, _) in enumerate(hearing.often) if key in said]
    made = hearing.blocks[index] = _Heard(around, own)
    return made


def presence(
    reading: PageReading, mention: Mention, terms: Sequence[Term], rivals: Sequence[Span]
) -> list[float]:
    """For each term how present it is at the mention, 0 to 1.

    A word in the same block counts by its distance, and less where it stands nearer to a rival value
    (`rivals` are those of the block, see `spans`).
    """
    hearing = _hearing(reading, terms)
    heard = hearing.blocks.get(mention.block) or _heard(reading, hearing, mention.block)
    out = heard.around.copy()
    if not heard.own:
        return out
    slot = mention.quantity is None and mention.date is None
    first, last = mention.start, mention.end
    steps = reading.steps(mention.block)
    far_first, far_last = far(steps, first), far(steps, last)
    others: list[Span] | None = None
    for i, spots in heard.own:
        best = out[i]
        for token, begins, ends in spots:
            if token.end <= first:
                gap = far_first - ends
            elif token.start >= last:
                gap = begins - far_last
            elif token.sharp or (slot and not terms[i].subject):
                continue  # the 2 of "2 Gbps" names no Falcon-2, nor a text its own attribute
            else:
                best = 1.0 if best < 1.0 else best
                continue
            gap = 0 if gap < 0 else gap
            close = 1.0 - gap / _REACH
            near = token.says * (_FAR if close < _FAR else close)
            if best < near:
                if others is None:
                    others = _beside(rivals, first)
                for other in others:
                    if _gap(token.start, token.end, begins, ends, other) < gap:
                        near *= t.RIVAL_SHARP if token.sharp else t.RIVAL
                        break
                best = near if best < near else best
        out[i] = best
    return out


Span = tuple[int, int, int, int]
"""Where a value begins and ends in its block, in characters and in steps."""


def spans(reading: PageReading, block: int, mentions: Iterable[Mention]) -> list[Span]:
    """Where some values of one block stand, in reading order."""
    steps = reading.steps(block)
    return sorted((m.start, m.end, far(steps, m.start), far(steps, m.end)) for m in mentions)


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
