"""A range on the page against a claim that states one value: its end answers only where it is asked for."""

from __future__ import annotations

import pytest

import kb
from kb.claims.case import claim_from_case
from kb.judging.ends import HIGH, LOW, asked_ends


def said(page: str, figure: str, attribute: str, baseline: str = "") -> tuple[str, object]:
    claim = claim_from_case({"subject": "Stall", "attribute": attribute, "figure": figure})
    old = kb.read_page(baseline) if baseline else None
    verdict = kb.judge(claim, kb.read_page(page), old)
    return str(verdict.outcome), verdict.found


def table(value: str) -> str:
    return (
        "<h1>Stall plans</h1><table><tr><th>Resource</th><th>Stall</th></tr>"
        f"<tr><td>Memory</td><td>{value}</td></tr><tr><td>Disk</td><td>40 GB</td></tr></table>"
    )


RANGES = ["512 MB to 10,240 MB", "Between 512 MB and 10,240 MB", "512 MB – 10,240 MB", "512–10,240 MB"]


@pytest.mark.parametrize("range_", RANGES)
def test_a_value_that_became_the_end_of_a_range_is_another_value(range_: str) -> None:
    for baseline in ("", table("512 MB")):
        outcome, found = said(table(range_), "512 MB", "memory", baseline)
        assert outcome == "drifted"
        assert found == range_


@pytest.mark.parametrize(
    ("attribute", "figure"),
    [("minimum memory", "512 MB"), ("maximum memory", "10,240 MB"), ("memory", "up to 10,240 MB")],
)
def test_an_end_that_the_claim_asks_for_holds(attribute: str, figure: str) -> None:
    assert said(table("512 MB to 10,240 MB"), figure, attribute)[0] == "holds"


def test_an_end_that_the_claim_was_taken_from_holds_while_it_stays() -> None:
    page = table("512 MB to 10,240 MB")
    assert said(page, "10,240 MB", "memory", page)[0] == "holds"


@pytest.mark.parametrize(
    ("attribute", "figure", "ends"),
    [
        ("memory", "5 GB", ()),
        ("memory", "at least 5 GB", (LOW,)),
        ("memory limit", "5 GB", (HIGH,)),
        ("Mindestgröße", "5 GB", (LOW,)),
        ("worst case", "5 GB", (LOW, HIGH)),
    ],
)
def test_the_words_or_the_bound_of_a_claim_ask_for_an_end(
    attribute: str, figure: str, ends: tuple[str, ...]
) -> None:
    claim = claim_from_case({"subject": "Stall", "attribute": attribute, "figure": figure})
    assert claim.quantity is not None
    assert asked_ends(claim, claim.quantity.bound) == frozenset(ends)
