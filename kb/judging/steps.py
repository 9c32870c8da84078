"""How far apart two places in a text are: words count one, joints of a sentence more."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate, repeat

from kb.judging import thresholds as t

Steps = tuple[tuple[int, ...], tuple[int, ...]]
"""Positions in a text, and how far each is from its start."""


def _pattern(letter: str) -> re.Pattern[str]:
    word = rf"{letter}++(?:[._](?={letter}){letter}++)*+"
    return re.compile(rf"({word}|[,:()/|–—;\n]|[.!?](?=\s|$))")


_STEP, _STEP_ASCII = _pattern(r"[^\W_]"), _pattern("[0-9A-Za-z]")
"""A word or a joint; of plain text in half the time."""
_JOIN = ("and", "or", "while", "but", "whereas", "versus", "vs")
_JOINT = (
    dict.fromkeys(",:()/|–—", t.STEP_COMMA)
    | dict.fromkeys(".!?", t.STEP_SENTENCE)
    | {"\n": t.STEP_LINE, ";": t.STEP_CLAUSE}
    | {spelled: t.STEP_CLAUSE for word in _JOIN for spelled in (word, word.capitalize(), word.upper())}
)


def steps_of(text: str) -> Steps:
    """The steps of a text."""
    pattern = _STEP_ASCII if text.isascii() else _STEP
    parts = pattern.split(text)  # in turn what lies between two steps, and a step
    ends = tuple(accumulate(map(len, parts)))
    return (0, *ends[1::2]), tuple(accumulate(map(_JOINT.get, parts[1::2], repeat(1)), initial=0))


def far(steps: Steps, position: int) -> int:
    """How far a position is from the start of the text."""
    places, distances = steps
    return distances[bisect_right(places, position) - 1]  # the first place is 0
