"""Words that have no end name nothing, and what stands beside them is judged as it would be alone."""

from __future__ import annotations

import pytest

from kb.claims import Claim
from kb.judging import judge
from kb.judging.words import LONGEST, tokens
from kb.page import Page, read_response

CLAIM = Claim.parse("Falcon-2, port speed: 400 Gbps")
ENDLESS = ("a", "a.", "a-", "a_", "A1", "--a", "數")


@pytest.mark.parametrize("part", ENDLESS)
def test_a_word_too_long_for_people_has_no_name(part: str) -> None:
    assert tokens(part * LONGEST + "a") == []
    assert [k.key for k in tokens(f"port {part * LONGEST}a speed") if len(k.key) > 1] == ["port", "speed"]


@pytest.mark.parametrize("part", ENDLESS)
def test_beside_an_endless_word_a_value_holds_or_drifts(part: str) -> None:
    for value, outcome in (("400 Gbps", "holds"), ("800 Gbps", "drifted")):
        body = f"<h1>Switches</h1><p>The Falcon-2 has a port speed of {value}.</p><p>{part * 100_000}</p>"
        seen = read_response(
            status=200,
            headers={"Content-Type": "text/html; charset=utf-8"},
            requested="https://a.example/",
            url="https://a.example/",
            body=body.encode(),
            last=None,
        )
        assert isinstance(seen, Page)
        verdict = judge(CLAIM, seen)
        assert (str(verdict.outcome), verdict.found) == (outcome, value)
