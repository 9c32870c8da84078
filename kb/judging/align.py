"""Where a claim stood on an earlier page, and which place on the page now is that place."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from kb.judging import thresholds as t
from kb.judging.mention import Mention
from kb.judging.reading import PageReading
from kb.judging.words import keys, masked


@dataclass(frozen=True, slots=True)
class Place:
    """What stands around one mention, in the form that places are compared in."""

    before: str
    after: str
    row: str
    column: str
    heading: str
    caption: str
    words: frozenset[str]
    cell: bool
    role: str


def place_of(reading: PageReading, mention: Mention, keep: frozenset[str] = frozenset()) -> Place:
    """The surroundings of one mention; digits in them are masked but for the words in `keep`."""
    block = reading.blocks[mention.block]
    text = block.text
    before = masked(text[max(0, mention.start - t.REACH_CHARS) : mention.start], keep)
    after = masked(text[mention.end : mention.end + t.REACH_CHARS], keep)
    return Place(
        before=before,
        after=after,
        row=" / ".join(block.row).lower(),
        column=" / ".join(block.column).lower(),
        heading=block.headings[-1].lower() if block.headings else "",
        caption=block.caption.lower(),
        words=frozenset(reading.outer[mention.block]) | keys(text[:2000]),
        cell=block.table is not None or block.kind in ("pair", "definition"),
        role=block.role,
    )


@lru_cache(maxsize=65536)
def _ratio(a: str, b: str) -> float:
    from rapidfuzz import fuzz  # start-up time

    if a == b:
        return 1.0
    return fuzz.ratio(a, b) / 100


@lru_cache(maxsize=65536)
def _words_ratio(a: str, b: str) -> float:
    from rapidfuzz import fuzz  # start-up time

    if a == b:
        return 1.0
    return float(fuzz.token_sort_ratio(a, b)) / 100


def _common(a: str, b: str, *, ends: bool) -> float:
    """Likeness of two texts that meet the value at one end: the near part counts double."""
    if not a and not b:
        return 1.0
    if not a or not b:
        return 0.0
    near_a, near_b = (a[-24:], b[-24:]) if ends else (a[:24], b[:24])
    return (2 * _ratio(near_a, near_b) + _ratio(a, b)) / 3


def likeness(old: Place, new: Place) -> float:
    """How much two places are the same role on two editions of a page, 0 to 1."""
    parts: list[tuple[float, float]] = []
    text = len(old.before) + len(old.after)
    beside = _common(old.before, new.before, ends=True), _common(old.after, new.after, ends=False)
    if old.before or old.after or new.before or new.after:
        size_before, size_after = len(old.before) + len(new.before), len(old.after) + len(new.after)
        weight_before = size_before / (size_before + size_after)
        weight_before = 0.2 + 0.6 * weight_before
        same = beside[0] * weight_before + beside[1] * (1 - weight_before)
        parts.append((t.TEXT if text > 12 else t.TEXT / 2, same))
    for a, b, weight in (
        (old.row, new.row, t.ROW_LABEL),
        (old.column, new.column, t.COLUMN_LABEL),
        (old.heading, new.heading, t.HEADING_LABEL),
        (old.caption, new.caption, t.CAPTION_LABEL),
    ):
        if a and b:
            parts.append((weight, _words_ratio(a, b)))
        elif a or b:
            parts.append((weight, 0.3))
    total = sum(weight for weight, _ in parts)
    structured = sum(weight * value for weight, value in parts) / total if total else 0.0
    both = len(old.words & new.words)
    bag = both / (len(old.words) or 1)
    return max(structured, t.BAG * bag)
