"""How well a figure's place names what an absence seeks: which of several figures ends it."""

from __future__ import annotations

import re

from kb.judging.candidate import Candidate
from kb.judging.mention import Mention
from kb.judging.reading import PageReading
from kb.judging.sought import Sought
from kb.judging.words import keys
from kb.page import Block

IN_SLOT = 3.0  # log odds
IN_WORDS = 3.0  # where all words of the thing are beside it
ASIDE_LESS = 3.0  # where it stands in brackets
RECURS_LESS = 3.0  # where it says how often something is, which is not sought
IS_USUAL = 3.0  # where a default is sought, and it is one
IS_RANGE = 6.0  # where a range is sought
OF_THING = 1.5  # where it is said to be of the thing: `72 hours of retention`


def rank(sought: Sought, reading: PageReading, c: Candidate) -> float:
    """How well a figure's place names the thing: a slot of its own, the noun that it counts, its words."""
    text, m = reading.blocks[c.mention.block].text, c.mention
    aside = text.rfind("(", 0, m.start) > text.rfind(")", 0, m.start)
    own = sought.slot(reading, m) or sought.counted(reading, m) or sought.headed(reading, m)
    return (
        c.total
        + IN_SLOT * own
        + IN_WORDS * sought.named(reading, m)
        - ASIDE_LESS * aside
        - RECURS_LESS * (not sought.recurs and _recurs(reading.blocks[m.block], m))
        + IS_USUAL * (sought.usual and sought.is_default(reading, m))
        + IS_RANGE * (sought.range and _RANGE.search(m.text) is not None)
        + OF_THING * _of_thing(sought, text, m)
    )


_RECURS = re.compile(r"\b(?:every|each)\s", re.IGNORECASE)
_NEAR = 7  # characters before a figure in which it is said to recur
_RANGE = re.compile(r"\d.*(?:\bto\b|–|-|\band\b).*\d")
_OF = re.compile(r"\s(?:of\s)?((?:[^\W\d_]+\s){0,2}[^\W\d_]+)")


def _recurs(block: Block, mention: Mention) -> bool:
    """Whether a figure says how often something is: `every 24 hours`."""
    return _RECURS.search(block.text, max(0, mention.start - _NEAR), mention.end) is not None


def _of_thing(sought: Sought, text: str, mention: Mention) -> bool:
    """Whether the words right behind a figure say what it is of, and it is the thing."""
    after = _OF.match(text, mention.end)
    return after is not None and bool(sought.thing & keys(after[1]))
