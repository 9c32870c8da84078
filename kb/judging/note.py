"""What can be said of a value whatever the claim is."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kb.judging.aside import is_aside, label_before
from kb.judging.mention import Mention
from kb.judging.words import keys
from kb.page import Block

NONE = "none"
"""What a value of none says, whose own words may all be the claim's: `No free lengths`."""

_NO_DIGIT = re.compile(r"\D")


@dataclass(frozen=True, slots=True)
class Note:
    """What can be said of a mention whatever the claim is: its words, label, standing and digits."""

    words: frozenset[str]
    label: frozenset[str]
    aside: bool
    digits: int


def note_of(block: Block, mention: Mention, *, past: bool = True) -> Note:
    """The note on a mention; `past`: whether its block may say that it is past or planned."""
    words = keys(mention.text)
    return Note(
        words | {NONE} if mention.quantity is not None and mention.quantity.value == 0 else words,
        label_before(block, mention),
        past and is_aside(block.text, mention),
        len(_NO_DIGIT.sub("", mention.text).strip("0")),
    )
