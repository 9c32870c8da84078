"""What was in the race for a claim, as `kb verify --explain` lists it."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from kb.claims import Claim
from kb.cli.main import cli
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


def test_a_list_has_no_candidates_of_its_own() -> None:
    claim = Claim(id="x", kind="list", subject="Switch families", attribute="", value=("Falcon-2", "Heron-1"))
    assert explained(claim, read_page(HTML)) == ()


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
