"""What a page says newly of a thing that an absence seeks, where it is words and no figure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kb.judging.mention import Mention
from kb.judging.reading import PageReading
from kb.judging.slots import trimmed, value_span
from kb.judging.sought import Sought
from kb.judging.words import keys, words_of_labels
from kb.page import Block

_FIGURE = re.compile(
    r"\b(?:limits?|rates?|quotas?|thresholds?|amounts?|values?|defaults?|speed|accuracy|results?|sizes?|numbers?"
    r"|quorum|pay|caps?|scores?|levels?|share|percentage|multiplier|codes?|ids?)\b",
    re.IGNORECASE,
)
"""What asks for a figure."""
_ASKED = keys("requirement required recommended recommendation way included name kind type support supported")
"""Words that say what is asked of a thing, and not which."""
_OF = re.compile(r"\s(?:of|for|from|to|in|on)\s")
_SENTENCE = re.compile(r"[^.!?\n]+(?:[.!?](?!\s)[^.!?\n]*)*")
_SLOTS = ("cell", "pair", "definition")
SLOT = 80  # characters of a cell that is a value as a whole


def novelty(words: str, sought: Sought, reading: PageReading, base: PageReading) -> Mention | None:
    """The first sentence or value that says all of a thing of which the earlier page had no sentence."""
    thing = sought.thing - _ASKED
    if not sought.open or sought.ends or not thing or _FIGURE.search(_OF.split(words, maxsplit=1)[0]):
        return None
    if any(thing <= said for _, _, _, said in _passages(base, thing)):
        return None
    topic = reading.topic
    for index, start, end, said in _passages(reading, thing):
        text = reading.blocks[index].text[start:end]
        if thing <= said and text not in base.text and (sought.name & said or sought.name & topic.keys()):
            return Mention(index, start, end, text)
    return None


def _passages(reading: PageReading, thing: frozenset[str]) -> Iterator[tuple[int, int, int, frozenset[str]]]:
    """The sentences and values that say a word of a thing, with all words that they and their labels say."""
    for index, block in enumerate(reading.blocks):
        if block.role != "content" or block.header or block.kind in ("heading", "title", "term", "code"):
            continue
        labels = words_of_labels((*block.row, *block.column, *block.headings[-1:]))
        for start, end in _spans(block):
            own = words_of_labels((block.text[start:end],))
            if thing & (own | words_of_labels((*block.row, *block.column))):
                yield index, start, end, own | labels


def _spans(block: Block) -> Iterator[tuple[int, int]]:
    if block.kind in _SLOTS and len(block.text) <= SLOT:
        yield value_span(block)
        return
    for match in _SENTENCE.finditer(block.text):
        start, end = trimmed(block.text, *match.span())
        if start < end:
            yield start, end
