"""The sentence that a value stands in."""

from __future__ import annotations

import re

QUOTE = 300  # characters that a person reads at a glance

_SENTENCE_END = re.compile(
    r"[.!?](?=\s+[A-Z0-9\"'(\[])"
    r"(?<!\bincl.)(?<!\be\.g.)(?<!\bi\.e.)(?<!\bvs.)(?<!\bapprox.)"
    r"(?<!\bresp.)(?<!\bca.)(?<!\bcf.)(?<!\bMr.)(?<!\bDr.)"
    r"|\n"
)
"""Where a sentence ends, and no abbreviation: `5 databases incl. Express, each with 20 GB`.

What stands before the sign is looked at last, as most places have no sign.
"""


def sentence_around(text: str, start: int, end: int) -> tuple[int, int]:
    """The span of the sentence, or of some words, that holds `text[start:end]`; `QUOTE` long if it can be."""
    first, last = 0, len(text)
    for match in _SENTENCE_END.finditer(text):
        if match.end() <= start:
            first = match.end()
        elif match.start() >= end:
            last = match.end()
            break
    if last - first > QUOTE:
        spare = max(0, QUOTE - (end - start)) // 2
        if start - first > spare:
            cut = text.find(" ", start - spare, start)
            first = cut + 1 if cut >= 0 else start
        if last - end > spare:
            cut = text.rfind(" ", end, end + spare)
            last = cut if cut > 0 else end
    while first < start and text[first].isspace():
        first += 1
    while last > end and text[last - 1].isspace():
        last -= 1
    return first, last
