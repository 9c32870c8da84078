"""Tables whose rows begin with the value: the rest of the row says of what it is."""

from __future__ import annotations

import kb

FLIGHTS = """<h1>Long flights</h1><h2>Rules</h2><p>Fly with care, and send us a recording.</p>
<h2>Table</h2><table>
<tr><th>Distance (km)</th><th>Power (mW)</th><th>Craft</th><th>Pilot</th></tr>
<tr><th>{snipe}</th><td>2000</td><td>Wing</td><td>Snipe</td></tr>
<tr><th>{kestrel}</th><td>250</td><td>Wing</td><td>Kestrel</td></tr>
<tr><th>40.6</th><td>25</td><td>Quad</td><td>Plover</td></tr></table>"""


def judged(claim: str, **values: str) -> kb.Verdict:
    text = FLIGHTS.format(**({"snipe": "101.3", "kestrel": "43.7"} | values))
    return kb.judge(kb.Claim.parse(claim), kb.read_page(text.encode(), content_type="text/html"))


def test_a_value_at_the_beginning_of_a_row_is_said_of_what_the_row_names() -> None:
    verdict = judged("Kestrel's flight at 250 mW, distance: 43.7 km")
    assert str(verdict.outcome) == "holds"


def test_another_value_there_is_a_drift_and_no_other_rows() -> None:
    verdict = judged("Kestrel's flight at 250 mW, distance: 43.7 km", kestrel="52.1")
    assert (str(verdict.outcome), verdict.found) == ("drifted", "52.1")
