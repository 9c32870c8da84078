"""kb cite: a figure with its source, its day and its archived copy, in four forms."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from kb.cli.main import run
from kb.snapshots import Archive
from kb.snapshots.capture import Exchange

URL = "https://atlas.example/sizes?a={1}"

SIZES = f"""\
source:
  title: Node sizes_2 & [prices]
  publisher: Example Works
  url: "{URL}"
  retrieved: 2026-09-28
  role: vendor
claims:
  - id: link
    subject: Atlas node
    attribute: network bandwidth
    figure: 3,200 Gbps
    per: node
  - id: gpus
    subject: Atlas node
    attribute: GPUs
    figure: 8 GPUs
    retrieved: 2026-10-02
"""

NEWS = """\
source:
  title: Example Works opens in Oslo
  publisher: Example Works
  url: https://news.example/oslo
  published: 2026-03
  role: press
claims:
  - id: cities
    subject: Example Works
    attribute: cities
    list: [Oslo, Turin]
"""

OWN = """\
claims:
  - id: per-gpu
    subject: Atlas node
    attribute: average bandwidth
    formula: "{sizes.link} / {sizes.gpus}"
    figure: 400 Gbps
    per: GPU
  - id: rule
    subject: Our rule
    text: measure twice
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "claims").mkdir()
    for name, text in (("sizes", SIZES), ("news", NEWS), ("own", OWN)):
        (tmp_path / "claims" / f"{name}.yaml").write_text(text, encoding="utf-8")
    return tmp_path


def cite(root: Path, capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    capsys.readouterr()
    assert run(["cite", *arguments, "--kb", str(root)]) == 0
    return capsys.readouterr().out


def test_a_figure_is_cited_with_source_and_day(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cite(root, capsys, "sizes.link") == (
        "Atlas node, network bandwidth: 3,200 Gbps per node. "
        "Example Works: Node sizes_2 & [prices], retrieved 2026-09-28.\n"
    )
    assert "retrieved 2026-10-02." in cite(root, capsys, "sizes.gpus")


def test_a_publisher_that_begins_the_title_is_not_said_twice(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = cite(root, capsys, "news.cities")
    assert out == "Example Works, cities: Oslo, Turin. Example Works opens in Oslo, 2026-03.\n"


def test_a_calculated_figure_is_cited_by_what_it_stands_on(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = cite(root, capsys, "own.per-gpu").splitlines()
    assert [line.partition(":")[0] for line in lines] == ["Atlas node, network bandwidth", "Atlas node, GPUs"]


def test_the_archived_copy_of_the_day_is_named(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    archive = Archive(root / "snapshots")
    moments = [datetime(2026, month, 28, 9, tzinfo=UTC) for month in (8, 9, 10)]
    for moment in moments:
        with archive.begin(moment, {}) as writer:
            writer.keep(Exchange(URL, URL, moment, status=200, body=f"<p>{moment}</p>".encode()))
    copy = Archive(root / "snapshots").captures(URL)[1]
    out = cite(root, capsys, "sizes.link")
    assert out.rstrip().endswith(f"Archived copy: 2026-09-28T09:00:00Z, {copy.file}, {copy.digest}.")
    (item,) = json.loads(cite(root, capsys, "sizes.link", "--format", "csl"))
    assert item["archive_location"].startswith("2026-09-28T09:00:00Z")


def test_markdown_links_the_title_whatever_it_holds(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = cite(root, capsys, "sizes.link", "--format", "markdown")
    assert rf"[Example Works: Node sizes\_2 & \[prices\]](<{URL}>), retrieved 2026-09-28." in out


def test_csl_json_has_each_source_once(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    items = json.loads(cite(root, capsys, "own.per-gpu", "news.cities", "--format", "csl"))
    assert [(i["id"], i["type"]) for i in items] == [("sizes", "webpage"), ("news", "article-newspaper")]
    assert items[0]["accessed"] == {"date-parts": [[2026, 9, 28]]}
    assert items[1]["issued"] == {"date-parts": [[2026, 3]]}
    assert "8 GPUs" in items[0]["note"]
    assert "3,200 Gbps" in items[0]["note"]


def test_bibtex_is_escaped_and_its_braces_are_in_pairs(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = cite(root, capsys, "sizes.link", "news.cities", "--format", "bibtex")
    assert re.findall(r"^@misc\{(\w+),$", out, re.M) == ["sizes", "news"]
    assert r"title = {{Node sizes\_2 \& [prices]}}" in out
    assert "urldate = {2026-09-28}" in out
    assert "date = {2026-03}" in out
    assert out.count("{") == out.count("}")


def test_the_sources_of_an_article_are_listed_in_its_order(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    article = root / "draft.md"
    article.write_text(
        "Example Works is in two cities, Oslo and Turin.\n\n"
        "An Atlas node has 3,200 Gbps of network bandwidth for its 8 GPUs. A truck weighs 3,200 kg.\n",
        encoding="utf-8",
    )
    assert cite(root, capsys, "--list", str(article)).splitlines() == [
        "Example Works opens in Oslo, 2026-03.",
        "Example Works: Node sizes_2 & [prices], retrieved 2026-09-28.",
    ]
    article.write_text("Nothing to see.\n", encoding="utf-8")
    assert cite(root, capsys, "--list", str(article)) == ""


def test_what_an_article_only_lists_or_links_to_is_cited_too(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    article = root / "draft.md"
    article.write_text(
        f"Prices are [on their page]({URL.replace('{', '%7B').replace('}', '%7D')}).\n\n## Sources\n\n"
        "- Example Works opens in Oslo, 2026-03.\n- Somebody Else: Another page, retrieved 2026-09-28.\n",
        encoding="utf-8",
    )
    assert run(["cite", "--list", str(article), "--kb", str(root)]) == 0
    said = capsys.readouterr()
    assert "Example Works opens in Oslo, 2026-03." in said.out
    assert "Somebody Else" not in said.out
    assert 'lists "Somebody Else: Another page, retrieved 2026-09-28.", which no claims file has' in said.err


def test_every_source_of_our_own_articles_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    for folder in sorted(p.parent for p in (Path(__file__).parent / "audit").glob("*/figures.csv")):
        article = next(folder.glob("article.*"))
        out = cite(folder, capsys, "--list", str(article), "--format", "csl")
        have = {p.stem for p in (folder / "claims").iterdir()} - {"ours"}
        assert {item["id"] for item in json.loads(out)} == have


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((), "name claims"),
        (("sizes.link", "--list", "a.md"), "name claims"),
        (("sizes.lnk",), 'did you mean "sizes.link"'),
        (("own.rule",), "our own statement"),
        (("--list", "none.md"), "cannot be opened"),
    ],
)
def test_what_cannot_be_cited_is_said(
    arguments: tuple[str, ...], says: str, root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["cite", *arguments, "--kb", str(root)]) == 2
    assert says in capsys.readouterr().err
