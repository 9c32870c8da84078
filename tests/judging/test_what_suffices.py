"""How sure our value must be: less where the page had it before, or where hardly another one answers."""

from __future__ import annotations

from dataclasses import replace
from math import log

import pytest

import kb
from kb.judging import thresholds as t
from kb.judging.decide import Claimed, decide
from kb.judging.judgement import race
from kb.judging.reading import reading_of

PAGE = "<h1>Loomd</h1><p>A shuttle rests for 30 seconds.</p><p>A spool rests for 45 seconds.</p>"


def told(figure: str, ours: float, other: float, *, placed: bool) -> str:
    """The verdict where our value and the other one are so likely, and none the rest."""
    claim = kb.Claim.parse(f"Loomd shuttle, rest: {figure}")
    reading = reading_of(kb.read_page(PAGE))
    before = reading_of(
        kb.read_page(PAGE.replace("rests", "has to rest"))
    )  # else its place alone is looked at
    candidates, anchor = race(claim, reading, before)
    assert anchor is not None
    none = 1 - ours - other
    made = [replace(c, total=log((ours if c.fit.answer.holds else other) / none)) for c in candidates]
    claimed = Claimed(figure, None)
    made.sort(key=lambda c: -c.total)
    verdict = decide(reading, made, anchor if placed else None, seen=placed, claimed=claimed)
    return str(verdict.outcome)


@pytest.mark.parametrize(
    ("ours", "other", "placed", "said"),
    [
        (0.82, 0.1, False, "holds"),
        (0.76, 0.2, False, "unclear"),
        (0.76, 0.2, True, "holds"),
        (0.7, 0.2, True, "unclear"),
        (0.55, 0.001, True, "holds"),
        (0.55, 0.001, False, "unclear"),
        (0.45, 0.001, True, "unclear"),
    ],
)
def test_a_value_that_the_page_had_before_needs_to_be_less_sure(
    ours: float, other: float, placed: bool, said: str
) -> None:
    assert t.SURE_HOLDS_PLACED < t.SURE_HOLDS
    assert told("30 seconds", ours, other, placed=placed) == said
