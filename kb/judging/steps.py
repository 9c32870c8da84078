"""How far apart two places in a text are: words count one, joints of a sentence more."""

from __future__ import annotations

import re
from bisect import bisect_right

from kb.judging import thresholds as t

Steps = tuple[tuple[int, ...], tuple[int, ...]]
"""Positions in a text, and how far each is from its start."""

_STEP = re.compile(
    r"[^\W_]+(?:[._][^\W_]+)*|[,:()/|–—]|;|[.!?](?=\s|$)|\n",
)
_JOIN = frozenset({"and", "or", "while", "but", "whereas", "versus", "vs"})
_JOINT = (
    dict.fromkeys(",:()/|–—", t.STEP_COMMA)
    | dict.fromkeys(".!?", t.STEP_SENTENCE)
    | {"\n": t.STEP_LINE, ";": t.STEP_CLAUSE}
)


def steps_of(text: str) -> Steps:
    """The steps of a text."""
    places, far, total = [0], [0], 0
    for match in _STEP.finditer(text):
        piece = match.group()
        step = _JOINT.get(piece)
        if step is None:
            step = t.STEP_CLAUSE if piece.lower() in _JOIN else 1
        total += step
        places.append(match.end())
        far.append(total)
    return tuple(places), tuple(far)


def far(steps: Steps, position: int) -> int:
    """How far a position is from the start of the text."""
    places, distances = steps
    return distances[max(0, bisect_right(places, position) - 1)]
