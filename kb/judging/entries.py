"""Entries: whose row, column or item a value stands in, told by the labels beside it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from kb.judging.reading import PageReading
from kb.judging.words import keys, words_of_labels
from kb.page import Block

Siblings = dict[tuple[object, ...], set[str]]
"""For each set of labels that stand beside each other the labels."""


def siblings(reading: PageReading) -> Siblings:
    """The labels of each table's rows and columns, and of the items under each heading."""
    out: Siblings = {}
    for block in reading.blocks:
        if block.header:
            continue
        for place, label in _labels(block):
            out.setdefault(place, set()).add(label)
    return out


def _labels(block: Block) -> Iterator[tuple[tuple[object, ...], str]]:
    if block.table is not None:
        for axis, labels in (("row", block.row), ("column", block.column)):
            for depth, label in enumerate(labels):
                yield (block.table, axis, depth), label
    elif block.row:
        yield (block.kind, *block.headings, *block.row[:-1]), block.row[-1]


def anothers(
    block: Block,
    beside: Mapping[tuple[object, ...], set[str]],
    subject: frozenset[str],
    thing: frozenset[str] = frozenset(),
) -> bool:
    """Whether a block is another's entry: one beside it is called by our subject's word, and this one not.

    A label that says all of `thing`, which is sought, is ours, whatever those beside it are called.
    """
    apart = False
    labels = list(_labels(block))
    ours = [pair for pair in labels if thing and thing <= words_of_labels((pair[1],))]
    for place, label in labels:
        if (place, label) in ours:
            continue
        if ours:
            subject -= thing
        others = [words_of_labels((other,)) for other in beside.get(place, ())]
        telling = {w for w in subject if 0 < 2 * sum(w in words for words in others) <= len(others)}
        own = telling & words_of_labels((label,))
        if own and not any(own < telling & words for words in others):
            return False
        apart = apart or bool(telling)
    return apart


def under_anothers(block: Block, headings: Collection[tuple[str, ...]], subject: frozenset[str]) -> bool:
    """Whether a block is under another's heading: one alike, beside it, is called by our subject's word.

    Headings are alike where they share a third of their words: `Pipe Connector 3.0`, `Crate Connector 3.2`.
    What the headings above say tells none of them from another; a block that says the word itself is ours.
    """
    labels = words_of_labels((*block.row, *block.column))
    for depth in range(len(block.headings) - 1, -1, -1):
        own, above = _named(block.headings[depth]), block.headings[:depth]
        beside = [_named(h[depth]) for h in headings if len(h) == depth + 1 and h[:depth] == above]
        alike = [words for words in beside if 3 * len(words & own) >= len(words | own)]
        common = frozenset.intersection(*alike) if alike else frozenset()
        common |= words_of_labels(above)
        telling = {w for w in subject if w not in common and any(w in words for words in alike)}
        if telling:
            below = words_of_labels(block.headings[depth + 1 :])
            return not telling & (own | labels | below | keys(block.text))
    return False


def _named(heading: str) -> frozenset[str]:
    """The words of a heading, its numbers left out."""
    return frozenset(word for word in keys(heading) if not word[0].isdigit())


def headings_of(reading: PageReading) -> frozenset[tuple[str, ...]]:
    """The headings that a page's blocks stand under, outermost first."""
    found = {b.headings[: n + 1] for b in reading.blocks for n in range(len(b.headings))}
    return frozenset(found)
