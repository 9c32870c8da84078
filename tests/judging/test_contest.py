"""What was in the race for a claim, as `kb verify --explain` lists it."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from kb.claims import Claim
from kb.cli.main import cli
from kb.errors import ClaimsError
from kb.judging import explained, judge
from kb.page import read_page

HTML = """<html lang="en"><title>Ports</title><h1>Switch families</h1>
<p>The Falcon-2 has 64 ports, each of 400 Gbps. The Falcon-3 has 144 ports.</p>
<table><tr><th>Switch</th><th>Ports</th></tr><tr><td>Falcon-2</td><td>64</td></tr>
<tr><td>Heron-1</td><td>32</td></tr></table></html>"""


def test_every_value_of_the_kind_is_listed_best_first_with_what_speaks_for_it() -> None:
    claim, page = Claim.parse("Falcon-2, ports: 72 ports"), read_page(HTML)
    told = explained(claim, page)
    assert {c.found for c in told} == {"64", "64 ports", "144 ports", "32"}
    assert [c.score for c in told] == sorted((c.score for c in told), reverse=True)
    assert told[0].evidence == judge(claim, page).evidence
    assert all(c.signs and all(weight for _, weight in c.signs) for c in told)


def test_an_earlier_page_brings_signs_of_its_place() -> None:
    claim, page = Claim.parse("Falcon-2, ports: 64 ports"), read_page(HTML)
    named = {name for c in explained(claim, page, page) for name, _ in c.signs}
    assert "placed" in named


def test_a_list_is_explained_by_the_parts_of_the_page_that_may_be_it() -> None:
    page = read_page(
        "<html lang=en><h1>Parts</h1><p>The Falcon-2 comes in red, green and blue.</p>"
        "<p>The Heron-1 comes in red, black and white.</p></html>"
    )
    claim = Claim(
        id="x", kind="list", subject="Falcon-2", attribute="colours", value=("red", "green", "yellow")
    )
    told = explained(claim, page)
    verdict = judge(claim, page)
    assert (told[0].found, told[0].score, told[0].evidence) == (
        ", ".join(verdict.found or ()),
        verdict.score,
        verdict.evidence,
    )
    assert told[0].answer.startswith("2 of 3 members; missing: yellow; added: ")
    assert [c.score for c in told] == sorted((c.score for c in told), reverse=True)


def test_an_absence_is_explained_by_the_figures_that_may_end_it() -> None:
    before = "<html lang=en><h1>Falcon-2</h1><p>The Falcon-2 has a fee of 9 USD.</p></html>"
    now = before.replace("</html>", "<p>The price of the Falcon-2 is 40 USD.</p></html>")
    claim = Claim(id="x", kind="absent", subject="Falcon-2", attribute="", value="price")
    told = {c.found: c.answer for c in explained(claim, read_page(now), read_page(before))}
    assert told == {"40 USD": "ends the absence", "9 USD": "stood there before"}
    assert judge(claim, read_page(now), read_page(before)).found == "40 USD"


def test_a_formula_has_no_candidates_on_any_page() -> None:
    claim = Claim(id="x", kind="formula", subject="half", attribute="", value="4", formula="{a.b} / 2")
    with pytest.raises(ClaimsError, match="no single page answers it"):
        explained(claim, read_page(HTML))


def test_explain_lists_all_of_them_and_the_json_keeps_its_form(tmp_path: Path) -> None:
    file = tmp_path / "ports.html"
    file.write_text(HTML, encoding="utf-8")
    asked = ["verify", "Falcon-2, ports: 72 ports", "--page", str(file)]
    told = CliRunner().invoke(cli, [*asked, "--explain"])
    assert told.exit_code == 1
    assert "4 candidates, the best first:" in told.output
    assert "signs: " in told.output and "144 ports" in told.output
    plain, json = (CliRunner().invoke(cli, [*asked, *more, "--json"]) for more in ((), ("--explain",)))
    assert plain.output == json.output


@pytest.mark.parametrize("quiet", [True, False])
def test_many_are_summed_up_unless_quiet(tmp_path: Path, quiet: bool) -> None:
    (tmp_path / "ports.html").write_text(HTML, encoding="utf-8")
    cases = tmp_path / "cases.csv"
    cases.write_text(
        "id,subject,attribute,figure,page\n"
        "1,Falcon-2,ports,64 ports,ports.html\n2,Falcon-3,ports,64 ports,ports.html\n",
        encoding="utf-8",
    )
    told = CliRunner().invoke(cli, ["verify", "--cases", str(cases), *(["--quiet"] if quiet else [])])
    assert told.exit_code == 1
    assert ("2 cases: 1 drifted, 1 holds" in told.stderr) is not quiet
    assert len(told.stdout.splitlines()) == 2
