"""What a full stop between digits means on an English page, by the page's other numbers."""

from __future__ import annotations

import pytest

import kb

PAGE = """<html lang="en"><h1>Meshwork facts</h1>
<p>Meshwork answers {calls} calls a day.</p><p>Meshwork runs on 250.000+ nodes in 40 countries.</p></html>"""


@pytest.mark.parametrize(
    ("calls", "claim", "outcome"),
    [
        ("16.000.000.000+", "Meshwork, nodes: 250,000 nodes", "holds"),
        ("16.000.000.000+", "Meshwork, nodes: 240,000 nodes", "drifted"),
        ("many", "Meshwork, nodes: 250,000 nodes", "unclear"),
        ("many", "Meshwork, nodes: 240,000 nodes", "drifted"),
        ("16,000,000,000+", "Meshwork, nodes: 250,000 nodes", "unclear"),
    ],
)
def test_the_page_settles_a_single_full_stop(calls: str, claim: str, outcome: str) -> None:
    verdict = kb.judge(kb.Claim.parse(claim), kb.read_page(PAGE.format(calls=calls)))
    assert (str(verdict.outcome), verdict.found) == (outcome, "250.000+ nodes")
