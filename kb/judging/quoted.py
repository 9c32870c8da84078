"""The quote of a claim on the page: where its words stand, whatever numbers are in them now."""

from __future__ import annotations

from collections.abc import Sequence

from kb.judging import thresholds as t
from kb.judging.candidate import Candidate, best_first
from kb.judging.reading import PageReading
from kb.judging.words import masked


def with_quote(reading: PageReading, candidates: Sequence[Candidate], quote: str) -> list[Candidate]:
    """The candidates, best first, those that stand in the quoted words ahead by `thresholds.QUOTED`.

    Digits are masked, so a figure that changed inside the quote is found there too.
    """
    wanted = masked(quote).strip(" .…\"'“”")
    if len(wanted) < t.QUOTE_LEAST:
        return list(candidates)
    inside: dict[int, bool] = {}
    out = []
    for c in candidates:
        index = c.mention.block
        if index not in inside:
            inside[index] = wanted in masked(reading.blocks[index].text)
        out.append(c.with_total(c.total + t.QUOTED) if inside[index] and _near(reading, c, wanted) else c)
    return best_first(out)


def _near(reading: PageReading, c: Candidate, wanted: str) -> bool:
    """Whether the candidate itself stands in the quoted words, and not elsewhere in the block."""
    text = reading.blocks[c.mention.block].text
    before = masked(text[: c.mention.start])
    first = masked(text).find(wanted)
    return first <= len(before) + 1 and len(before) <= first + len(wanted)
