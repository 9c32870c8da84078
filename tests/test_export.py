"""kb export: tables that read back, citations, annotations."""

from __future__ import annotations

import csv
import json
from datetime import date
from pathlib import Path

import pytest

from kb.app.cases import read_cases
from kb.claims import load_claims
from kb.cli.main import run

CLAIMS = """\
source:
  title: Node sizes
  publisher: Example Works
  url: https://atlas.example/sizes
  retrieved: 2026-09-28
claims:
  - id: link
    subject: Atlas node
    attribute: network bandwidth
    figure: 3,200 Gbps
    per: node
    quote: "=3,200 Gbps, \\"for each\\" node"
    tags: [sizes]
  - id: cities
    subject: Atlas
    attribute: cities
    list: [Oslo, Turin]
    complete: true
  - id: price
    subject: Atlas
    absent: price
  - id: launched
    subject: Atlas node
    attribute: launched
    date: 2024-03-12
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "claims").mkdir()
    (tmp_path / "claims" / "atlas.yaml").write_text(CLAIMS, encoding="utf-8")
    return tmp_path


def export(root: Path, form: str, *options: str) -> str:
    out = root / "out"
    assert run(["export", "--format", form, "--out", str(out), "--kb", str(root), *options]) == 0
    return out.read_text(encoding="utf-8")


def test_the_table_reads_back_as_the_same_claims(root: Path) -> None:
    export(root, "csv")
    (root / "out").rename(root / "out.csv")
    cases = list(read_cases(root / "out.csv"))
    assert [c.error for c in cases if c.error] == []
    for case, claim in zip(cases, load_claims(root, date(2026, 12, 1)).claims, strict=True):
        read = case.claim
        assert read is not None
        names = ("subject", "attribute", "kind", "value", "complete", "per", "retrieved")
        assert [getattr(read, n) for n in names] == [getattr(claim, n) for n in names]
        assert case.url == "https://atlas.example/sizes"


def test_verdicts_stand_in_the_table_where_there_is_a_database(root: Path) -> None:
    assert run(["build", "--kb", str(root)]) == 0
    export(root, "csv")
    with (root / "out").open(encoding="utf-8", newline="") as file:
        assert {row["verdict"] for row in csv.DictReader(file)} == {"unread"}


def test_no_cell_is_a_spreadsheets_formula(root: Path) -> None:
    export(root, "csv")
    with (root / "out").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert rows[0]["quote"] == '\'=3,200 Gbps, "for each" node'
    assert not [v for row in rows for v in row.values() if v.startswith(("=", "+", "-", "@"))]


def test_only_what_is_chosen_is_written(root: Path) -> None:
    assert len(export(root, "csv", "--tag", "sizes").splitlines()) == 2
    assert len(export(root, "csv", "--only", "atlas.c*").splitlines()) == 2
    assert len(export(root, "csv").splitlines()) == 5


def test_sources_are_written_for_reference_managers(root: Path) -> None:
    (item,) = json.loads(export(root, "csl"))
    assert (item["id"], item["URL"]) == ("atlas", "https://atlas.example/sizes")
    assert "note" not in item
    assert export(root, "bibtex").startswith("@misc{atlas,\n")


def test_annotations_point_at_the_words_on_the_page(root: Path) -> None:
    page = json.loads(export(root, "annotations"))
    assert page["@context"][0] == "http://www.w3.org/ns/anno.jsonld"
    first, second, third, _ = page["items"]
    assert first["body"]["value"] == "Atlas node, network bandwidth: 3,200 Gbps per node"
    assert first["target"]["selector"]["exact"] == '=3,200 Gbps, "for each" node'
    assert "selector" not in second["target"]
    assert third["body"]["value"] == "Atlas: no price"


def test_a_format_must_be_named(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["export", "--kb", str(root)]) == 2
    assert "annotations" in capsys.readouterr().err
