"""Where a claim stood on an earlier page, and which place on the page now is that place."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from kb.judging import thresholds as t
from kb.judging.mention import Mention
from kb.judging.reading import PageReading
from kb.judging.words import masked


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
        words=reading.words(mention.block),
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


@dataclass(frozen=True, slots=True)
class Likeness:
    """How much two places are the same role on two editions of a page, 0 to 1, whole and in parts."""

    whole: float
    text: float
    row: float
    place: Place

    def scaled(self, by: float) -> Likeness:
        """The same, less sure."""
        return replace(self, whole=self.whole * by, text=self.text * by, row=self.row * by)


def likeness(old: Place, new: Place) -> Likeness:
    """How much `new` is the role that `old` was on an earlier edition of the page."""
    parts: list[tuple[float, float]] = []
    beside = 1.0
    length = len(old.before) + len(old.after)
    if length or new.before or new.after:
        before, after = len(old.before) + len(new.before), len(old.after) + len(new.after)
        share = 0.2 + 0.6 * before / (before + after)
        beside = share * _common(old.before, new.before, ends=True)
        beside += (1 - share) * _common(old.after, new.after, ends=False)
        parts.append((t.TEXT if length > 12 else t.TEXT / 2, beside))
    row = _label(old.row, new.row)
    for likely, weight in (
        (row, t.ROW_LABEL),
        (_label(old.column, new.column), t.COLUMN_LABEL),
        (_label(old.heading, new.heading), t.HEADING_LABEL),
        (_label(old.caption, new.caption), t.CAPTION_LABEL),
    ):
        if likely is not None:
            parts.append((weight, likely))
    total = sum(weight for weight, _ in parts)
    structured = sum(weight * value for weight, value in parts) / total if total else 0.0
    bag = len(old.words & new.words) / (len(old.words) or 1)
    return Likeness(max(structured, t.BAG * bag), beside, 0.5 if row is None else row, new)


def _label(old: str, new: str) -> float | None:
    """Likeness of two labels; None where neither place has one."""
    if old and new:
        return _words_ratio(old, new)
    return 0.3 if old or new else None
