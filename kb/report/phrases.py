"""Small pieces that reports and commands say alike."""

from __future__ import annotations

import re
from collections.abc import Iterable

# Control characters, line and paragraph separators, lone surrogates, marks that turn text round.
_UNSAFE = (
    "\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff"
)
_ACTED_ON = re.compile(f"[{_UNSAFE}]")


def plain(text: str, *, lines: bool = False) -> str:
    """Scraped text without what a terminal would act on or a reader's eye be led astray by.

    On one line, its spaces closed up; with `lines`, line ends and spaces stay.
    """
    safe = _ACTED_ON.sub(" ", text)
    return safe if lines else " ".join(safe.split())


def count(number: int, one: str, many: str = "") -> str:
    """`1 claim`, `2 claims`."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def listed(parts: Iterable[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    *first, last = parts
    return ", ".join(first) + (" and " if first else "") + last


ASKS = {
    "confirmed": ("change is confirmed", "changes are confirmed"),
    "suspected": ("is suspected", "are suspected"),
    "unclear": ("is unclear", "are unclear"),
    "unread": ("could not be read", "could not be read"),
    "unseen": ("was not checked yet", "were not checked yet"),
    "stale": ("is stale", "are stale"),
    "closed": ("change is closed", "changes are closed"),
}
"""What is said of one claim and of several in each group of a report, in the order told."""


def asking(counts: dict[str, int]) -> list[str]:
    """What `counts` (see `ASKS`) ask of people: `2 changes are confirmed`, `1 is unclear`; zeros left out."""
    return [count(counts[group], *said) for group, said in ASKS.items() if counts.get(group)]
