"""Golden verdicts: pages and claims of our own in `tests/golden/verdict/`, a case needs no Python."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kb.claims import Claim, claim_from_case
from kb.judging import judge
from kb.page import read_page

GOLDEN = Path(__file__).parents[1] / "golden" / "verdict"
CASES = [
    pytest.param(case, id=f"{file.stem}: {case['name']}")
    for file in sorted(GOLDEN.glob("*.json"))
    for case in json.loads(file.read_text(encoding="utf-8"))
]


def claim_of(case: dict[str, Any]) -> Claim:
    claim = case["claim"]
    if isinstance(claim, str):
        return Claim.parse(claim)
    return claim_from_case({"id": "golden", "page": "golden.html", **claim})


@pytest.mark.parametrize("case", CASES)
def test_a_page_of_our_own_is_judged_as_a_person_would(case: dict[str, Any]) -> None:
    baseline = read_page(case["baseline"]) if "baseline" in case else None
    verdict = judge(claim_of(case), read_page(case["page"]), baseline)
    said = verdict.to_json()
    assert said["verdict"] == case["verdict"], said
    if "reason" in case:
        assert said["reason"] == case["reason"], said
    if "found" in case:
        assert said["found"] == case["found"], said
    if case["verdict"] in ("gone", "unread"):
        assert said["found"] is None
