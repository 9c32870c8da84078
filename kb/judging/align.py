"""Where a claim stood on an earlier page, and which place on the page now is that place."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from typing import NamedTuple

from kb.judging import thresholds as t
from kb.judging.mention import Mention
from kb.judging.place import Place
from kb.judging.reading import PageReading


def place_of(reading: PageReading, mention: Mention, keep: frozenset[str] = frozenset()) -> Place:
    """The surroundings of one mention; digits in them are masked but for the words in `keep`."""
    return reading.place(mention, keep)


@cache
def _fuzz() -> tuple[Callable[[str, str], float], Callable[[str, str], float]]:
    from rapidfuzz.fuzz import ratio, token_sort_ratio  # start-up time

    return ratio, token_sort_ratio


def _ratio(a: str, b: str) -> float:
    return 1.0 if a == b else _fuzz()[0](a, b) / 100


@lru_cache(maxsize=4096)
def _words_ratio(a: str, b: str) -> float:
    return 1.0 if a == b else float(_fuzz()[1](a, b)) / 100


def _common(a: str, b: str, near_a: str, near_b: str) -> float:
    """Likeness of two texts that meet the value at one end: the near part counts double."""
    if not a and not b:
        return 1.0
    if not a or not b:
        return 0.0
    return (2 * _ratio(near_a, near_b) + _ratio(a, b)) / 3


class Likeness(NamedTuple):
    """How much two places are the same role on two editions of a page, 0 to 1, whole and in parts."""

    whole: float
    text: float
    place: Place

    def scaled(self, by: float) -> Likeness:
        """The same, less sure."""
        return self if by == 1.0 else Likeness(self.whole * by, self.text * by, self.place)


def likeness(old: Place, new: Place, labels: LabelsAlike | None = None) -> Likeness:
    """How much `new` is the role that `old` was on an earlier edition of the page.

    `labels` are how alike theirs are, where that is known.
    """
    weight = _text_weight(old, new)
    beside = _beside(old, new) if weight else 1.0
    labels = labels_alike(old, new) if labels is None else labels
    return Likeness(_whole(old, new, weight, beside, labels), beside, new)


def most_alike(places: Iterable[Place], new: Place, least: float) -> float:
    """How much `new` is the role of that of `places` which it is most; `least` where it is none so much.

    Texts are compared only where the labels leave it open.
    """
    if least >= 1.0:
        return least  # no likeness is more
    for old in places:
        labels = labels_alike(old, new)
        weight = _text_weight(old, new)
        if _whole(old, new, weight, _ALIKE, labels) <= least:
            continue
        beside = _beside(old, new) if weight else 1.0
        least = max(least, _whole(old, new, weight, beside, labels))
    return least


_ALIKE = 1.0 + 1e-9  # more than any likeness, whatever rounding does

ONE_SIDED = 0.3  # likeness of labels where one place has none

LabelsAlike = list[tuple[float, float]]
"""How much each label counts, and how alike it is."""


def labels_alike(old: Place, new: Place) -> LabelsAlike:
    """The likeness of each kind of label that either place has."""
    found = []
    for weight, before, now in (
        (t.ROW_LABEL, old.row, new.row),
        (t.COLUMN_LABEL, old.column, new.column),
        (t.HEADING_LABEL, old.heading, new.heading),
        (t.CAPTION_LABEL, old.caption, new.caption),
    ):
        if before == now:
            if now:
                found.append((weight, 1.0))
        else:
            found.append((weight, _words_ratio(before, now) if before and now else ONE_SIDED))
    return found


def _text_weight(old: Place, new: Place) -> float:
    """What the likeness of the texts beside the values counts."""
    length = len(old.before) + len(old.after)
    if not length and not new.before and not new.after:
        return 0.0
    return t.TEXT if length > 12 else t.TEXT / 2


def _beside(old: Place, new: Place) -> float:
    """Likeness of the texts beside the values, 0 to 1."""
    before, after = len(old.before) + len(new.before), len(old.after) + len(new.after)
    share = 0.2 + 0.6 * before / (before + after)
    beside = share * _common(old.before, new.before, old.near_before, new.near_before)
    return beside + (1 - share) * _common(old.after, new.after, old.near_after, new.near_after)


def _whole(old: Place, new: Place, weight: float, beside: float, labels: LabelsAlike) -> float:
    total, alike = weight, weight * beside
    for counts, likely in labels:
        total += counts
        alike += counts * likely
    structured = alike / total if total else 0.0
    if structured >= t.BAG:
        return structured  # which words alone never reach
    bag = t.BAG * (len(old.words & new.words) / (len(old.words) or 1))
    return structured if structured > bag else bag
