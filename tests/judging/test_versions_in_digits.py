"""A decimal number that a claim calls a version is answered by versions, and by no other number."""

from __future__ import annotations

import kb
from kb.claims.case import claim_from_case

RUN = "<h1>Finch server</h1><h2>Docker</h2><p>Start it:</p><pre>docker run -p 8080:80 example.test/finch:{}</pre>"


def said(now: str, before: str | None, **case: str) -> tuple[str, object]:
    verdict = kb.judge(claim_from_case(case), kb.read_page(now), kb.read_page(before) if before else None)
    return str(verdict.outcome), verdict.found


def test_a_version_of_three_parts_follows_one_of_two() -> None:
    case = {"subject": "Finch Docker image", "attribute": "version in the command", "figure": "0.8"}
    assert said(RUN.format("3.3.5"), RUN.format("0.8"), **case) == ("drifted", "3.3.5")
    assert said(RUN.format("0.8"), RUN.format("0.8"), **case)[0] == "holds"


def test_a_level_is_no_version() -> None:
    page = "<h1>Finch Pay</h1><h2>Card rules</h2><p>Finch Pay is certified as fully compliant {}.</p>"
    before = page.format("with version 3.2 of the Nest Rules")
    now = page.format("as a Level 1 provider with the latest version of the Nest Rules")
    case = {"subject": "Finch Pay", "attribute": "Nest Rules version certified against", "figure": "3.2"}
    assert said(now, before, **case)[0] == "gone"


def test_a_decimal_number_that_is_no_version_is_answered_by_numbers() -> None:
    page = "<h1>Finch</h1><p>The conversion factor of Finch seed is {}.</p>"
    case = {"subject": "Finch seed", "attribute": "conversion factor", "figure": "3.6"}
    assert said(page.format("4"), page.format("3.6"), **case) == ("drifted", "4")
