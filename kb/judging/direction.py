"""Whether a bandwidth is meant each way or both ways added up, as the words around it say."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kb.judging.mention import Mention
from kb.judging.reading import PageReading
from kb.page import Block

OPEN = "unspecified"

_WORDS = re.compile(
    r"\b(?:(?P<each>(?:in )?(?:each|either|one|a single|per|every)[ -](?:way|direction)"
    r"|uni-?directional(?:ly)?|single[ -]direction)"
    r"|(?P<both>(?:in )?both (?:ways|directions)(?: (?:combined|together|added up))?)"
    r"|(?P<word>bi-?directional(?:ly)?))\b",
    re.IGNORECASE,
)
_NAMES = {"each": "each way", "both": "both ways", "word": "bidirectional"}
_BREAK = re.compile(r"[.;](?=\s)|\n")
_NEAR = 60  # characters between a value and the words that give its direction


def direction_at(reading: PageReading, mention: Mention) -> str | None:
    """The direction that a page states for a value, in its sentence, else in its labels; None: silent."""
    block = reading.blocks[mention.block]
    beside = [(m.start, m.end) for m in reading.figures(mention.block) if m.start != mention.start]
    return direction_beside(block.text, mention.start, mention.end, beside) or direction_in_labels(block)


def direction_beside(text: str, start: int, end: int, beside: Sequence[tuple[int, int]]) -> str | None:
    """The nearest such words that no other value stands nearer to."""
    best: tuple[int, str] | None = None
    for match in _WORDS.finditer(text, max(0, start - _NEAR), min(len(text), end + _NEAR)):
        if _BREAK.search(text[end : match.start()] if match.start() >= end else text[match.end() : start]):
            continue
        gap = _gap(match, start, end)
        if any(_gap(match, a, b) < gap for a, b in beside):
            continue
        if best is None or gap < best[0]:
            best = gap, _NAMES[str(match.lastgroup)]
    return best[1] if best else None


def _gap(match: re.Match[str], start: int, end: int) -> int:
    return max(match.start() - end, start - match.end(), 0)


def direction_in_labels(block: Block) -> str | None:
    """What the headers, the caption or the last heading of a block say of its values."""
    for label in (*block.row, *block.column, block.caption, *block.headings[-1:]):
        if match := _WORDS.search(label):
            return _NAMES[str(match.lastgroup)]
    return None


def differ(ours: str | None, theirs: str | None) -> bool:
    """Whether both sides state a direction, and not the same."""
    return ours not in (None, OPEN) and theirs is not None and ours != theirs
