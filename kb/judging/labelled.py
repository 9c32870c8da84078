"""Slots: where a text labels a value with the claim's own word, that value speaks before others beside it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kb.judging import thresholds as t
from kb.judging.candidate import Candidate, best_first
from kb.judging.reading import PageReading
from kb.judging.words import keys

_LABEL = re.compile(r"(?:^|(?<=[\n.;]\s)|(?<=[\n.;(]))\s*(?P<label>[^\W\d_][\w ]{0,30}?)\s?:\s")
_REACH = 40  # characters between a label and its value, a name and a sign between them


def slots_first(reading: PageReading, candidates: Sequence[Candidate], attribute: str) -> list[Candidate]:
    """The candidates, best first; our value falls behind in a text whose labelled slot has another.

    `Setting to 0 means unlimited. Default: 2047` states no default of 0.
    """
    own = keys(attribute)
    least = candidates[0].total - t.NO_RIVAL if candidates else 0.0
    beside: dict[int, list[Candidate]] = {}
    for c in candidates:
        beside.setdefault(c.mention.block, []).append(c)
    out = []
    for c in candidates:
        if c.fit.answer.holds and c.total >= least:
            here = beside[c.mention.block]
            slots = _slots(reading.blocks[c.mention.block].text, here, own) if len(here) > 1 else set()
            there = [x for x in here if x.mention.start in slots]
            if there and all(not x.fit.answer.holds and x.fit.kin >= c.fit.kin for x in there):
                c = c.with_total(c.total - t.UNLABELLED)
        out.append(c)
    return best_first(out)


def _slots(text: str, here: Sequence[Candidate], own: frozenset[str]) -> set[int]:
    """Where the values stand that the claim's own words label."""
    out = set()
    for match in _LABEL.finditer(text):
        label = keys(match["label"])
        if not label or not label <= own:
            continue
        first = min((c.mention.start for c in here if c.mention.start >= match.end()), default=None)
        if (
            first is not None
            and first - match.end() <= _REACH
            and not re.search(r"[.;]\s", text[match.end() : first])
        ):
            out.add(first)
    return out
