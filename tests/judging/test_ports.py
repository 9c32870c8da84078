"""Ports behind hosts."""

from __future__ import annotations

import pytest

import kb
from kb.claims.case import claim_from_case


def said(page: str, figure: str, attribute: str = "default port") -> tuple[str, object]:
    case = {"subject": "Finch HTTP endpoint", "attribute": attribute, "figure": figure}
    verdict = kb.judge(claim_from_case(case), kb.read_page(page))
    return str(verdict.outcome), verdict.found


@pytest.mark.parametrize(
    "address", ["0.0.0.0:{}", "localhost:{}", ":{}", "[::]:{}", "*:{}", "http://localhost:{}"]
)
def test_a_port_behind_a_host_answers_a_claim_on_a_port(address: str) -> None:
    page = (
        "<h1>Finch</h1><p>The HTTP endpoint of Finch listens on <code>" + address + "</code> by default.</p>"
    )
    assert said(page.format(10902), "10902") == ("holds", "10902")
    assert said(page.format(19090), "10902") == ("drifted", "19090")


def test_a_time_of_day_is_no_port() -> None:
    page = "<h1>Finch</h1><p>The default port of the Finch HTTP endpoint is set at 12:30 each day.</p>"
    assert said(page, "30")[0] != "holds"
