"""What stands around one mention, in the form that the places of two editions are compared in."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kb.judging import thresholds as t
from kb.judging.mention import Mention
from kb.judging.words import Labels, masked
from kb.page import Block

NEAR = 24  # characters next to the value, which count double


@dataclass(frozen=True, slots=True)
class Place:
    """What stands around one mention. `near_before` and `near_after` are the parts beside it."""

    before: str
    after: str
    near_before: str
    near_after: str
    row: str
    column: str
    heading: str
    caption: str
    words: frozenset[str]
    cell: bool
    role: str


def masked_place(
    block: Block, mention: Mention, words: frozenset[str], keep: frozenset[str] = frozenset()
) -> tuple[Place, frozenset[str]]:
    """The surroundings of one mention, and the words with digits in them that `keep` may spare.

    `words` are the block's and those around it.
    """
    text = block.text
    spared: set[str] = set()
    before = masked(text[max(0, mention.start - t.REACH_CHARS) : mention.start], keep, spared)
    after = masked(text[mention.end : mention.end + t.REACH_CHARS], keep, spared)
    place = Place(
        before=before,
        after=after,
        near_before=before[-NEAR:],
        near_after=after[:NEAR],
        row=" / ".join(block.row).lower(),
        column=" / ".join(block.column).lower(),
        heading=block.headings[-1].lower() if block.headings else "",
        caption=block.caption.lower(),
        words=words,
        cell=block.table is not None or block.kind in ("pair", "definition"),
        role=block.role,
    )
    return place, frozenset(spared)


SENTENCE = 20  # characters of a sentence that says the same under several headings
_DIGITS = re.compile(r"\d+(?:[.,]\d+)*")


def alike(block: Block, sentence: str) -> Labels:
    """What a place has in common with those like it: the labels of a cell, a sentence but for its numbers."""
    if block.table is not None:
        return (block.row[-1].casefold(), block.column[-1].casefold()) if block.row and block.column else ()
    if block.row or block.column:
        return ()
    sentence = _DIGITS.sub("0", sentence.strip().casefold())
    return (sentence,) if len(sentence) >= SENTENCE else ()
