"""What stands alone above a table says what its cells are of."""

from __future__ import annotations

import kb
from kb.judging.reading import reading_of

ROWS = (
    "<table><tr><th>Pots</th><th>Plain lid</th><th>Clever lid</th></tr>"
    "<tr><td>100</td><td>{}</td><td>{}</td></tr><tr><td>900</td><td>{}</td><td>{}</td></tr></table>"
)
PAGE = (
    "<h1>Potkeeper</h1><p>Potkeeper keeps pots warm.</p><h2>Benchmark</h2><p>More is told in the docs.</p>"
    "<ul><li>Speed of boiling (litres per hour) on an eight-ring stove</li></ul>"
    + ROWS.format(4681, 5004, 1672, 4738)
    + "<ul><li>Steam lost (grams per pot) on an eight-ring stove</li></ul>"
    + ROWS.format(7358, 4868, 3252, 6056)
)


def found(claim: str, page: str = PAGE) -> tuple[str, str | None]:
    verdict = kb.judge(kb.Claim.parse(claim), kb.read_page(page.encode(), content_type="text/html"))
    return str(verdict.outcome), verdict.found


def test_an_item_alone_above_a_table_tells_it_from_its_like() -> None:
    assert found("Clever lid with 900 pots, steam lost in grams: 6050") == ("drifted", "6056")
    assert found("Clever lid with 900 pots, speed of boiling: 4700") == ("drifted", "4738")


def test_a_bold_name_and_its_gloss_alone_above_a_table_title_it() -> None:
    rows = "<table><tr><th>Model</th><th>Soup</th></tr><tr><td>Pot large</td><td>{}</td></tr></table>"
    page = (
        "<h1>Pots</h1><p>A pot.</p><p>A lid.</p><h2>Results</h2><p><strong>TASTE</strong>: (kitchen set, one cook)</p>"
        + rows.format(90.2)
        + "<p><strong>SMELL</strong>: (garden set, two cooks)</p>"
        + rows.format(86.9)
    )
    reading = reading_of(kb.read_page(page.encode(), content_type="text/html"))
    around = {b.text: words.keys() for b, words in zip(reading.blocks, reading.outer, strict=True)}
    assert {"taste", "kitchen"} <= around["90.2"]
    assert {"smell", "garden"} <= around["86.9"]
    assert around["86.9"].isdisjoint({"taste", "kitchen"})
