"""The judge on the demonstration's pages: every claim holds on the first day, and later what the tour tells."""

from __future__ import annotations

from datetime import date
from importlib import resources
from pathlib import Path

import pytest

from kb.claims import Claim, read_claims
from kb.demo.server import DemoSite
from kb.demo.tour import now, prepare
from kb.judging import judge
from kb.page import Page, read_page

SITE = "http://demo.example"


def edition(day: int, url: str) -> Page:
    path = url.removeprefix(SITE)
    site = DemoSite.__new__(DemoSite)  # its pages without its socket
    site.day = day
    status, headers, body = site.answer(path)
    assert status == 200
    return read_page(body, url=url, content_type=headers["Content-Type"])


def demo_claims(folder: Path) -> list[tuple[str, Claim]]:
    prepare(folder, SITE, now())
    sources, problems = read_claims(folder, date.today())
    assert not [p for p in problems if p.level == "error"]
    return [(s.url or "", c) for s in sources for c in s.claims if c.kind != "formula"]


NAMES = sorted(f.name for f in (resources.files("kb.demo") / "claims").iterdir() if f.name != "our-sums.yaml")


@pytest.mark.parametrize("name", NAMES)
def test_every_claim_holds_on_the_first_day(tmp_path: Path, name: str) -> None:
    wrong = {}
    for url, claim in demo_claims(tmp_path):
        if claim.source_id == name.removesuffix(".yaml"):
            verdict = judge(claim, edition(1, url))
            if str(verdict.outcome) != "holds":
                wrong[claim.id] = (str(verdict.outcome), str(verdict.reason), verdict.found)
    assert not wrong


LATER = {
    "aws-p5.instance": ("drifted", "changed", "6,400 Gbps"),
    "aws-p5.gpus": ("holds", None, None),
    "azure-nd-h100-v5.per-gpu": ("holds", "respelled", None),
    "azure-nd-h100-v5.per-vm": ("holds", "respelled", None),
    "azure-nd-h100-v5.memory": ("holds", None, None),
    "hgx.b200-networking": ("drifted", "changed", "1.2 TB/s"),
    "hgx.b200-nvlink": ("holds", None, None),
    "hgx.b300-networking": ("holds", None, None),
    "ibta.members": ("gone", "removed", None),
    "ibta.founded": ("holds", None, None),
    "ibta.steering": ("holds", None, None),
    "gb200-nvl72.gpus": ("holds", None, "72"),
    "gb200-nvl72.nvlink": ("holds", "verbatim", "130 TB/s"),
}


@pytest.mark.parametrize("with_baseline", [True, False], ids=["baseline", "no-baseline"])
def test_what_the_second_edition_did_to_each_claim(tmp_path: Path, with_baseline: bool) -> None:
    wrong = {}
    for url, claim in demo_claims(tmp_path):
        outcome, reason, found = LATER.get(claim.id or "", (None, None, None))
        if outcome is None:
            continue
        verdict = judge(claim, edition(8, url), edition(1, url) if with_baseline else None)
        said = (str(verdict.outcome), str(verdict.reason), verdict.found)
        if not with_baseline:
            reason = None if reason in ("changed", "removed") else reason
        if said[0] != outcome or (reason and said[1] != reason) or (found and said[2] != found):
            wrong[claim.id] = said
    assert not wrong


def test_the_interfaces_of_a_machine_are_not_its_fabric() -> None:
    page = edition(1, f"{SITE}/nd-h100-v5.html")
    verdict = judge(Claim.parse("Azure ND H100 v5, InfiniBand bandwidth: 400 Gbps per GPU"), page)
    assert (str(verdict.outcome), verdict.found) == ("holds", "400 Gbps")
    assert "80000" not in (verdict.evidence.quote if verdict.evidence else "")


def test_a_figure_in_another_row_ends_no_absence() -> None:
    page = edition(1, f"{SITE}/providers.html")
    absence = Claim(
        id="a.b", subject="Lambda 1-Click Clusters", attribute="bandwidth", kind="absent", value="data rate"
    )
    assert str(judge(absence, page).outcome) == "holds"
