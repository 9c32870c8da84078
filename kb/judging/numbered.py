"""Names that end in a number: where a label has our name with another number, it is about another thing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from kb.judging.mention import Mention
from kb.judging.reading import PageReading
from kb.judging.words import STOP, Labels

_NUMBERED = re.compile(r"(?<![^\W_])([^\W\d_]+)[-_ ]?(\d+(?:\.\d+)*)(?![^\W_])")

Numbered = frozenset[tuple[str, str]]
"""Names and their numbers: H100 is ("h", "100"), Falcon-2 ("falcon", "2"), Python 3.8 ("python", "3.8")."""


@lru_cache(maxsize=16384)
def numbered(text: str) -> Numbered:
    """The names in a text that end in a number; `of 1800` is none."""
    found = ((m[1].lower(), m[2]) for m in _NUMBERED.finditer(text))
    return frozenset((name, number) for name, number in found if name not in STOP)


@lru_cache(maxsize=16384)
def _by_name(labels: Labels) -> Mapping[str, Sequence[str]]:
    """The names in some labels that end in a number, each with its numbers."""
    out: dict[str, list[str]] = {}
    for label in labels:
        for name, number in numbered(label):
            out.setdefault(name, []).append(number)
    return out


def is_another(labels: Iterable[str], ours: Numbered) -> bool:
    """Whether labels have one of our names with another number, and nowhere with ours.

    A number that goes on after ours is no other one: 3 of 3.8.
    """
    theirs = _by_name(tuple(labels))
    for name, number in ours:
        said = theirs.get(name)
        if said and not any(
            f"{n}.".startswith(f"{number}.") or f"{number}.".startswith(f"{n}.") for n in said
        ):
            return True
    return False


def is_anothers(reading: PageReading, mention: Mention, ours: Numbered) -> bool:
    """Whether the labels of a value, or its sentence in running text, are about a thing of another number."""
    if not ours:
        return False
    block = reading.blocks[mention.block]
    if is_another((*block.row, *block.column, *block.headings[-1:]), ours):
        return True
    if not mention.prose:
        return False
    said = reading.sentence(mention)
    low = said.lower()  # most sentences have none of our names, which is soon seen
    return any(name in low for name, _ in ours) and is_another((said,), ours)
