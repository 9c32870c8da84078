"""kb audit: each figure of an article is matched to its claim, and what no longer holds is told and mended."""

from __future__ import annotations

import json
import shutil
import subprocess
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer

from kb.app.audit import Mention, Status, audit_page
from kb.app.audit_evidence import behind
from kb.app.audit_lines import edit_as_diff, fixed, places
from kb.app.audit_read import pasted, read_article
from kb.app.base import KnowledgeBase
from kb.app.build import build
from kb.app.check import CheckOptions, check
from kb.claims import ClaimSet, load_claims
from kb.cli.audit_text import show
from kb.cli.main import run
from kb.page import read_page

CLAIMS = """\
source:
  title: Atlas node sizes
  publisher: Example Works
  url: https://atlas.example/sizes
  retrieved: 2026-09-28
claims:
  - id: link
    subject: Atlas A100 node
    attribute: network bandwidth
    figure: 3,200 Gbps
    per: node
  - id: gpus
    subject: Atlas A100 node
    attribute: GPUs
    figure: 8 GPUs
    per: node
  - id: memory
    subject: Atlas A100 node
    attribute: memory
    figure: 960 GB
    was:
      - {figure: 640 GB, until: 2026-05-01, why: a larger node}
  - id: launched
    subject: Atlas A100 node
    attribute: launched
    date: 2024-03-12
  - id: regions
    subject: Atlas
    attribute: regions
    list: [Oslo, Turin, Gdansk]
  - id: port
    subject: Atlas console
    attribute: port
    figure: "4791"
  - id: generation
    subject: Atlas links
    attribute: generation
    figure: "4"
"""

TODAY = date(2026, 12, 1)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "claims").mkdir()
    (tmp_path / "claims" / "atlas.yaml").write_text(CLAIMS, encoding="utf-8")
    return tmp_path


@pytest.fixture
def claims(root: Path) -> ClaimSet:
    return load_claims(root, TODAY)


def audited(text: str, claims: ClaimSet, kind: str = "text/markdown") -> list[Mention]:
    return audit_page(read_page(text, content_type=kind), claims)


def by_text(text: str, claims: ClaimSet) -> dict[str, Mention]:
    return {m.text: m for m in audited(text, claims)}


@pytest.mark.parametrize(
    ("sentence", "claim"),
    [
        ("An Atlas A100 node has 3.2 Tb/s of network bandwidth.", "atlas.link"),
        ("An Atlas A100 node has 400 GB/s of network bandwidth per node.", "atlas.link"),
        ("The Atlas A100 node was launched on 12 March 2024.", "atlas.launched"),
        ("The Atlas A100 node was launched on 2024-03-12.", "atlas.launched"),
        ("An Atlas A100 node holds eight GPUs.", "atlas.gpus"),
        ("Atlas is sold in Turin, Gdansk and Oslo only.", "atlas.regions"),
        ("The Atlas console listens on port 4791.", "atlas.port"),
        ("The generation counts: fourth-generation Atlas links are fast.", "atlas.generation"),
    ],
)
def test_a_value_is_matched_however_it_is_spelled(sentence: str, claim: str, claims: ClaimSet) -> None:
    found = [m for m in audited(sentence, claims) if m.claims]
    assert [(m.claims[0], m.status) for m in found] == [(claim, Status.HOLDS)]


def test_the_subject_may_stand_in_the_row_of_a_table(claims: ClaimSet) -> None:
    table = "| Node | Network bandwidth |\n|---|---|\n| Atlas A100 | 3,200 Gbps |\n| Boreas | 3,200 W |\n"
    found = by_text(table, claims)
    assert found["3,200 Gbps"].claims == ("atlas.link",)
    assert found["3,200 W"].status is Status.NONE


def test_a_value_about_something_else_has_no_claim(claims: ClaimSet) -> None:
    assert by_text("A truck can carry 960 kg.", claims)["960 kg"].status is Status.NONE
    assert by_text("Our cupboard has eight shelves.", claims)["eight shelves"].status is Status.NONE


def test_another_value_of_the_same_thing_is_a_contradiction(claims: ClaimSet) -> None:
    found = by_text("An Atlas A100 node has 1,600 Gbps of network bandwidth.", claims)["1,600 Gbps"]
    assert (found.status, found.claims, found.gone, found.doubtful) == (
        Status.OTHER,
        ("atlas.link",),
        False,
        True,
    )


def test_a_value_that_was_taken_back_no_longer_holds(claims: ClaimSet) -> None:
    found = by_text("The memory of an Atlas A100 node is 640 GB.", claims)["640 GB"]
    assert (found.status, found.gone, found.stated) == (Status.OTHER, True, "960 GB")


def test_a_quotient_of_two_claims_is_found(claims: ClaimSet) -> None:
    text = "An Atlas A100 node has 3,200 Gbps of network bandwidth for its 8 GPUs, which makes 400 Gbps."
    found = by_text(text, claims)["400 Gbps"]
    assert found.status is Status.DERIVED
    assert found.formula == "{atlas.link} / {atlas.gpus}"


def test_the_day_a_source_was_read_is_known(claims: ClaimSet) -> None:
    found = by_text("Read again on 28 September 2026, nothing had changed.", claims)
    assert found["28 September 2026"].status is Status.SOURCE


def test_a_place_in_the_file_is_found_through_the_marks_of_its_language(claims: ClaimSet) -> None:
    source = "# Nodes\n\n640 GB is a lot.\n\nThe **memory** of an\n[Atlas A100](https://x.example) node is *640 GB*.\n"
    mentions = audited(source, claims)
    where = places(source, mentions)
    assert [p.line for p in where if p] == [3, 6]
    assert [source[p.start : p.end] for p in where if p] == ["640 GB", "640 GB"]
    after = fixed(source, mentions, where)
    assert after == source.replace("*640 GB*", "*960 GB*")
    assert "-[Atlas A100](https://x.example) node is *640 GB*." in edit_as_diff("a.md", source, after)


def test_text_pasted_from_a_browser_keeps_its_tables_and_paragraphs() -> None:
    text = (
        "Sizes\n"
        + "A long sentence about it. " * 9
        + "\n| A | B |\n|---|---|\n| x | 4 GB |\nThe end of it.\n"
    )
    page = pasted(text)
    assert page is not None
    assert [b.kind for b in page.blocks if b.table is None] == ["heading", "paragraph", "paragraph"]
    assert [b.text for b in page.blocks if b.table is not None] == ["A", "B", "x", "4 GB"]
    assert pasted("Short lines,\nbroken by hand.\n") is None


# --- the command ----------------------------------------------------------------------------------


def audit(root: Path, text: str, *options: str, name: str = "draft.md") -> int:
    (root / name).write_text(text, encoding="utf-8")
    return run(["audit", str(root / name), "--kb", str(root), *options])


HOLDS = "An Atlas A100 node has 3,200 Gbps of network bandwidth.\n"
GONE = "Intro.\n\nThe memory of an Atlas A100 node is 640 GB.\n"


@pytest.mark.parametrize(
    ("text", "options", "code"),
    [
        (HOLDS, (), 0),
        ("A truck can carry 960 kg.\n", (), 0),
        (GONE, (), 1),
        ("An Atlas A100 node has 1,600 Gbps of network bandwidth.\n", (), 3),
        ("An Atlas A100 node has 1,600 Gbps of network bandwidth.\n", ("--strict",), 1),
        ("", (), 3),
    ],
)
def test_only_what_no_longer_holds_gives_1(
    text: str, options: tuple[str, ...], code: int, root: Path
) -> None:
    assert audit(root, text, *options) == code


def test_an_article_that_is_not_there_is_named(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["audit", str(root / "none.md"), "--kb", str(root)]) == 2
    assert "none.md: cannot be opened" in capsys.readouterr().err


def test_text_marks_each_place(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    audit(root, GONE + "\n" + HOLDS)
    out = capsys.readouterr().out
    assert "line 3" in out
    assert "is [?640 GB]." in out
    assert "? 640 GB: atlas.memory states 960 GB (no longer holds)" in out
    assert "Example Works: Atlas node sizes, retrieved 2026-09-28" in out
    assert "has [+3,200 Gbps] of" in out


def test_json_has_lines_and_claims(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    audit(root, GONE, "--json")
    said = json.loads(capsys.readouterr().out)
    (mention,) = said["mentions"]
    assert (mention["line"], mention["column"], mention["claim"]) == (3, 37, "atlas.memory")
    assert said["counts"]["other"] == 1


def test_sarif_and_annotations_name_the_line(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    audit(root, GONE, "--format", "sarif")
    log = json.loads(capsys.readouterr().out)
    (result,) = log["runs"][0]["results"]
    region = result["locations"][0]["physicalLocation"]["region"]
    assert (result["level"], region["startLine"], region["startColumn"]) == ("error", 3, 37)
    assert result["ruleId"] in {r["id"] for r in log["runs"][0]["tool"]["driver"]["rules"]}
    audit(root, GONE, "--format", "github")
    out = capsys.readouterr().out
    assert out.startswith("::error file=")
    assert ",line=3,endLine=3,col=37,endColumn=43,title=kb audit::" in out


def test_json_has_the_evidence_behind_each_claim(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    audit(root, HOLDS, "--json")
    (mention,) = json.loads(capsys.readouterr().out)["mentions"]
    (evidence,) = mention["evidence"]
    assert (evidence["claim"], evidence["source"], evidence["url"]) == (
        "atlas.link",
        "atlas",
        "https://atlas.example/sizes",
    )
    assert evidence["name"] == "Example Works: Atlas node sizes"
    assert evidence["retrieved"] == "2026-09-28"


def test_sarif_has_what_the_standard_asks_of_a_log(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Section by section of SARIF 2.1.0: 3.13 log, 3.14 run, 3.19 component, 3.27 result, 3.30 region."""
    text = GONE + "\nAn Atlas A100 node has 1,600 Gbps of network bandwidth.\n\nA truck can carry 960 kg.\n"
    audit(root, text, "--format", "sarif")
    log = json.loads(capsys.readouterr().out)
    assert set(log) == {"$schema", "version", "runs"}
    assert log["version"] == "2.1.0"
    (one,) = log["runs"]
    assert set(one) == {"tool", "columnKind", "results"}
    assert one["columnKind"] in ("utf16CodeUnits", "unicodeCodePoints")
    rules = one["tool"]["driver"]["rules"]
    assert len({rule["id"] for rule in rules}) == len(rules)
    assert [r["level"] for r in one["results"]] == ["error", "warning", "note"]
    for result in one["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["message"]["text"]
        (location,) = result["locations"]
        region = location["physicalLocation"]["region"]
        assert all(region[key] >= 1 for key in ("startLine", "startColumn", "endLine", "endColumn"))
        assert (region["startLine"], region["startColumn"]) < (region["endLine"], region["endColumn"])
        assert location["physicalLocation"]["artifactLocation"]["uri"].startswith("file:///")


def test_an_article_below_this_folder_has_its_relative_name(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(root)
    (root / "a draft.md").write_text(GONE, encoding="utf-8")
    assert run(["audit", str(root / "a draft.md"), "--format", "sarif"]) == 1
    (result,) = json.loads(capsys.readouterr().out)["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "a%20draft.md"


@pytest.mark.parametrize(
    ("was", "text", "gone"),
    [
        ("figure: 280 passengers", "The Atlas tram takes 280 passengers.", True),
        ("figure: 280 passengers", "Previously the Atlas tram took 280 passengers.", False),
        ("figure: 280 passengers", "The Boreas hall holds 280 passengers.", False),
        ("date: 2024-05-02", "The Atlas tram was launched on 2 May 2024.", True),
        ("list: [Oslo, Turin]", "The Atlas tram runs in Oslo and Turin.", True),
    ],
)
def test_what_a_claim_stated_before_no_longer_holds(was: str, text: str, gone: bool, tmp_path: Path) -> None:
    now = {"figure": "300 passengers", "date": "2024-05-03", "list": "[Oslo, Gdansk]"}[was.partition(":")[0]]
    kind = was.partition(":")[0]
    attribute = {"figure": "capacity", "date": "launched", "list": "runs in"}[kind]
    (tmp_path / "claims").mkdir()
    (tmp_path / "claims" / "tram.yaml").write_text(
        "source: {title: Trams, publisher: Works, url: https://tram.example/, retrieved: 2026-09-28}\n"
        f"claims:\n  - id: it\n    subject: Atlas tram\n    attribute: {attribute}\n    {kind}: {now}\n"
        f"    was: [{{{was}, until: 2026-01-01, why: changed}}]\n",
        encoding="utf-8",
    )
    said = [m for m in audited(text, load_claims(tmp_path, TODAY)) if m.claims]
    assert [(m.claims, m.gone) for m in said] == ([(("tram.it",), True)] if gone else [])


def test_the_terminal_gets_lines_that_fit(root: Path) -> None:
    mentions = audited(GONE + "\n" + HOLDS, load_claims(root, TODAY))
    evidence = behind(mentions, load_claims(root, TODAY), {})
    for line in show(mentions, [None] * len(mentions), evidence):
        assert len(line) <= 100


def test_the_html_copy_is_escaped_and_asks_for_nothing(root: Path) -> None:
    copy = root / "copy.html"
    audit(root, HOLDS + "\nWrite `<script>alert(1)</script>` for 5 GB.\n", "--html", str(copy))
    page = copy.read_text(encoding="utf-8")
    assert "<script>" not in page
    assert '<mark class="holds"' in page
    assert "atlas.link" in page
    assert "default-src 'none'" in page


def _applied(tool: list[str], root: Path, name: str, capsys: pytest.CaptureFixture[str]) -> int:
    """The edit of an article, applied by another tool, and the audit's exit code after it."""
    assert run(["audit", name, "--kb", ".", "--fix"]) == 1
    diff = capsys.readouterr().out
    subprocess.run(tool, input=diff.encode("utf-8"), cwd=root, check=True)
    return run(["audit", name, "--kb", ".", "--fix"])


TOOLS = [["git", "apply"], ["patch", "-p1", "--silent", "--binary"]]


@pytest.mark.parametrize("tool", TOOLS, ids=lambda t: t[0])
@pytest.mark.parametrize("end", ["\n", "\r\n", ""], ids=["lines", "windows", "no end"])
def test_the_fix_is_a_diff_that_applies(
    tool: list[str], end: str, root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if shutil.which(tool[0]) is None:
        pytest.skip(f"{tool[0]} is not installed")
    monkeypatch.chdir(root)
    subprocess.run(["git", "init", "-q"], check=True)
    text = GONE.replace("\n", end) if end else GONE.rstrip("\n")
    name = "my draft é.md"
    (root / name).write_bytes(text.encode("utf-8"))
    assert _applied(tool, root, name, capsys) == 0
    assert (root / name).read_bytes() == text.replace("640", "960").encode("utf-8")
    assert capsys.readouterr().out == ""


def test_only_what_is_meant_is_edited(root: Path) -> None:
    source = (
        "Old plans said 640 GBs.\n\n```\nram = 640 GB\n```\n\n"
        "| Node | Memory |\n|---|---|\n| Boreas | 640 GB |\n| Atlas A100 node | 640 GB |\n"
    )
    claims = load_claims(root, TODAY)
    mentions = audited(source, claims)
    after = fixed(source, mentions, places(source, mentions))
    assert after == source.replace("A100 node | 640", "A100 node | 960")


def test_an_edit_finds_its_place_through_entities_and_tags(root: Path) -> None:
    source = (
        '<html lang="en"><head><meta name="description" content="The memory of an Atlas A100 node is 640 GB.">'
        "</head><body><p>The memory of an Atlas A100 node is <b>640</b>&nbsp;GB.</p></body></html>"
    )
    claims = load_claims(root, TODAY)
    mentions = audited(source, claims, "text/html")
    (place,) = [p for m, p in zip(mentions, places(source, mentions), strict=True) if m.gone]
    assert place is not None
    assert source[place.start : place.end] == "640</b>&nbsp;GB"


def test_what_cannot_be_edited_is_told(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = root / "claims" / "atlas.yaml"
    was = "was: [{list: [Oslo, Turin, Malmo], until: 2026-05-01, why: moved}]"
    file.write_text(CLAIMS.replace("Turin, Gdansk]", f"Turin, Gdansk]\n    {was}"), encoding="utf-8")
    assert audit(root, "The regions of Atlas are Oslo, Turin and Malmo.\n", "--fix") == 1
    out = capsys.readouterr()
    assert out.out == ""
    assert 'no edit is known for "Oslo, Turin and Malmo"' in out.err


def test_verdicts_come_from_the_database(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    build(KnowledgeBase.open(root, today=TODAY))
    assert audit(root, HOLDS, "--json") == 0
    said = capsys.readouterr()
    assert "no kb.db" not in said.err
    assert json.loads(said.out)["mentions"][0]["claim"] == "atlas.link"


def test_what_drifted_on_its_page_gives_1_and_is_mended_from_the_page(
    httpserver: HTTPServer, root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    httpserver.expect_request("/robots.txt").respond_with_data("", status=404)
    httpserver.expect_request("/sizes").respond_with_data(
        "<html lang=en><h1>Atlas node sizes</h1><p>An Atlas A100 node has 6,400 Gbps of network bandwidth "
        "per node.</p></html>",
        content_type="text/html",
    )
    file = root / "claims" / "atlas.yaml"
    file.write_text(
        CLAIMS.replace("https://atlas.example/sizes", httpserver.url_for("/sizes")), encoding="utf-8"
    )
    for hour in (9, 21):
        moment = datetime(2026, 11, 30, hour, tzinfo=UTC)
        kb = KnowledgeBase.open(root, today=TODAY)
        check(kb, CheckOptions(allow_private=True, everything=True, clock=lambda moment=moment: moment))
    capsys.readouterr()
    assert audit(root, HOLDS, "--json") == 1
    (mention,) = json.loads(capsys.readouterr().out)["mentions"]
    assert (mention["status"], mention["verdict"], mention["gone"]) == ("drifted", "drifted", True)
    assert audit(root, HOLDS, "--fix") == 1
    assert "+An Atlas A100 node has 6,400 Gbps of network bandwidth." in capsys.readouterr().out


def test_the_seed_articles_are_matched(shared: Path, request: pytest.FixtureRequest) -> None:
    project = request.config.rootpath
    claims = load_claims(project, TODAY)
    for article in sorted((shared / "seeds").glob("*.txt")):
        mentions = audit_page(read_article(article)[0], claims)
        assert sum(bool(m.claims) for m in mentions) > 0.85 * len(mentions)
