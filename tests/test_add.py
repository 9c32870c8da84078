"""kb add: a claim is written only where its page states it, with its place and its baseline."""

from __future__ import annotations

import json
import os
import pty
import select
import subprocess
import sys
import time
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer

from kb.claims import ClaimSet, load_claims
from kb.cli.main import run
from kb.snapshots import Archive

URL = "https://atlas.example/sizes"

PAGE = """\
<html lang=en><title>Atlas node sizes</title><h1>Atlas node sizes</h1>
<p>Atlas A100 is our node for training, with a memory that suits it.</p>
<table><tr><th>Node<th>Network bandwidth<th>Memory</tr>
<tr><td>Atlas A100<td>3,200 Gbps per node<td>640 GB</tr>
<tr><td>Atlas A50<td>1,600 Gbps per node<td>320 GB</tr></table></html>
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    assert run(["init", str(tmp_path / "base")]) == 0
    (tmp_path / "page.html").write_text(PAGE, encoding="utf-8")
    return tmp_path / "base"


def add(root: Path, *arguments: str) -> int:
    page = str(root.parent / "page.html")
    return run(["add", URL, *arguments, "--page", page, "--kb", str(root)])


def claims(root: Path) -> ClaimSet:
    return load_claims(root, date(2100, 1, 1))


def test_a_stated_figure_is_added_with_its_place_and_basis(root: Path) -> None:
    assert add(root, "Atlas A100: 3,200 Gbps", "--id", "link", "--source", "atlas") == 0
    claim = claims(root).claim("atlas.link")
    assert (claim.attribute, claim.value, claim.per) == ("Network bandwidth", "3,200 Gbps", "node")
    assert claim.where == "Atlas node sizes, row Atlas A100, column Network bandwidth"
    assert claim.quote == "3,200 Gbps per node"
    source = claims(root).source("atlas")
    assert (source.title, source.publisher, source.url) == ("Atlas node sizes", "atlas.example", URL)
    assert source.retrieved == datetime.now(UTC).date().isoformat()


def test_the_page_becomes_the_baseline(root: Path) -> None:
    assert add(root, "Atlas A100, memory: 640 GB") == 0
    archive = Archive(root / "snapshots")
    (capture,) = archive.captures(URL)
    assert archive.body(capture) == PAGE.encode()
    assert run(["build", "--kb", str(root)]) == 0
    assert run(["report", "--kb", str(root)]) == 0


def test_a_second_claim_goes_into_the_same_file(root: Path) -> None:
    assert add(root, "Atlas A100, memory: 640 GB") == 0
    assert add(root, "Atlas A50, memory: 320 GB") == 0
    assert add(root, "Atlas A50, network bandwidth: 1.6 Tbps") == 0
    assert [c.id for c in claims(root).claims] == [
        "atlas-node-sizes.atlas-a100-memory",
        "atlas-node-sizes.atlas-a50-memory",
        "atlas-node-sizes.atlas-a50-network-bandwidth",
    ]
    assert run(["lint", "--strict", "--kb", str(root)]) == 0
    assert add(root, "Atlas A50, memory: 320 GB") == 0
    assert "atlas-node-sizes.atlas-a50-memory-2" in claims(root)


def test_what_the_page_does_not_state_is_not_added(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert add(root, "Atlas A50, memory: 999 GB") == 2
    said = capsys.readouterr().err
    assert "does not state it" in said
    assert "it says 320 GB" in said
    assert "--anyway" in said
    assert not list((root / "claims").iterdir())
    assert not Archive(root / "snapshots").captures()


def test_anyway_adds_it_all_the_same(root: Path) -> None:
    assert add(root, "Atlas A50, memory: 999 GB", "--anyway") == 0
    (claim,) = claims(root).claims
    assert (claim.value, claim.quote) == ("999 GB", None)


def test_without_a_statement_the_quantities_are_listed(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    assert add(root) == 0
    out = capsys.readouterr().out
    assert "  4 320 GB  Atlas node sizes / Atlas A50 / Memory" in out
    assert "4 quantities; to add some: kb add URL --choose 3,5" in out
    assert add(root, "--json") == 0
    assert len(json.loads(capsys.readouterr().out)) == 4
    assert not list((root / "claims").iterdir())


def test_a_dry_run_prints_and_writes_nothing(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert add(root, "Atlas A50, memory: 320 GB", "--dry-run", "--json") == 0
    said = json.loads(capsys.readouterr().out)
    assert said["written"] is False
    assert "figure: 320 GB" in said["yaml"]
    assert said["verdict"]["verdict"] == "holds"
    assert not list((root / "claims").iterdir())


def test_a_page_is_fetched_where_none_is_given(httpserver: HTTPServer, root: Path) -> None:
    httpserver.expect_request("/robots.txt").respond_with_data("", status=404)
    httpserver.expect_request("/sizes").respond_with_data(PAGE, content_type="text/html")
    url = httpserver.url_for("/sizes")
    options = ["--kb", str(root), "--allow-private", "--source", "atlas", "--role", "vendor"]
    assert run(["add", url, "Atlas A50, memory: 320 GB", "--publisher", "Example Works", *options]) == 0
    source = claims(root).source("atlas")
    assert (source.url, source.publisher, source.role) == (url, "Example Works", "vendor")
    assert len(Archive(root / "snapshots").captures(url)) == 1


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (("atlas.example", "A: 4 GB"), 2, "is no web address"),
        ((URL, "A: 4 GB", "--page", "none.html"), 2, "none.html: cannot be read"),
        ((URL, "nothing"), 2, "the form is SUBJECT"),
    ],
)
def test_what_cannot_be_added_is_said(
    arguments: tuple[str, ...], code: int, says: str, root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["add", *arguments, "--kb", str(root)]) == code
    assert says in capsys.readouterr().err


def test_a_page_that_is_a_wall_is_unread(
    httpserver: HTTPServer, root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    httpserver.expect_request("/robots.txt").respond_with_data("", status=404)
    httpserver.expect_request("/sizes").respond_with_data("gone", status=404)
    url = httpserver.url_for("/sizes")
    assert run(["add", url, "Atlas: 4 GB", "--kb", str(root), "--allow-private"]) == 3
    assert "--page FILE" in capsys.readouterr().err


def test_an_id_is_no_path(root: Path) -> None:
    assert add(root, "Atlas A50, memory: 320 GB", "--source", "../outside") == 2
    assert add(root, "Atlas A50, memory: 320 GB", "--id", "a b") == 2
    assert not list((root / "claims").iterdir())
    assert not (root / "outside.yaml").exists()


def test_the_id_of_another_source_is_not_taken_over(root: Path) -> None:
    assert add(root, "Atlas A50, memory: 320 GB", "--source", "atlas") == 0
    page = str(root.parent / "page.html")
    other = ["add", "https://other.example/", "Atlas A50, memory: 320 GB", "--page", page]
    assert run([*other, "--kb", str(root), "--source", "atlas"]) == 2
    assert run([*other, "--kb", str(root), "--source", "other"]) == 0


def test_chosen_quantities_are_added_in_the_pages_words(root: Path) -> None:
    assert add(root, "--choose", "1,4", "--source", "atlas") == 0
    first, second = claims(root).claims
    stated = (first.subject, first.attribute, first.value, first.per)
    assert stated == ("Atlas A100", "Network bandwidth", "3,200 Gbps", "node")
    assert (second.subject, second.attribute, second.value) == ("Atlas A50", "Memory", "320 GB")
    assert second.where == "Atlas node sizes, row Atlas A50, column Memory"
    assert len(Archive(root / "snapshots").captures(URL)) == 1
    assert run(["lint", "--strict", "--kb", str(root)]) == 0


def test_what_is_chosen_may_be_worded(root: Path) -> None:
    assert add(root, "--choose", "4", "--subject", "Atlas A50", "--attribute", "main memory") == 0
    (claim,) = claims(root).claims
    assert (claim.subject, claim.attribute, claim.value) == ("Atlas A50", "main memory", "320 GB")


@pytest.mark.parametrize("numbers", ["0", "5", "1-9", "3-2", "one"])
def test_a_number_that_is_not_listed_is_refused(
    numbers: str, root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert add(root, "--choose", numbers) == 2
    assert "none of the 4 quantities" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        ("Atlas A50: 320 GB", "--choose", "1"),
        ("Atlas A50: 320 GB", "--list"),
        ("--choose", "1,2", "--id", "x"),
    ],
)
def test_two_answers_to_one_question_are_refused(arguments: tuple[str, ...], root: Path) -> None:
    assert add(root, *arguments) == 2
    assert not list((root / "claims").iterdir())


def typed(arguments: list[str], *answers: tuple[str, str]) -> tuple[int, str]:
    """Run kb on a terminal of its own; each answer is typed when its question stands there."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "NO_COLOR": "1", "TERM": "dumb"}
    command = [sys.executable, "-m", "kb", *arguments]
    process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment)
    os.close(theirs)
    said, unasked, waiting = "", "", list(answers)
    until = time.monotonic() + 120
    while time.monotonic() < until:
        if select.select([ours], [], [], 0.2)[0]:
            try:
                unasked += os.read(ours, 4096).decode("utf-8", "replace")
            except OSError:  # the other end is closed: kb has ended
                break
        if waiting and waiting[0][0] in unasked:
            said, unasked = said + unasked, ""
            os.write(ours, f"{waiting.pop(0)[1]}\n".encode())
    os.close(ours)
    assert not waiting, said + unasked
    return process.wait(timeout=60), said + unasked


def test_a_person_chooses_on_a_terminal(root: Path) -> None:
    page = str(root.parent / "page.html")
    code, said = typed(
        ["add", URL, "--page", page, "--kb", str(root)],
        ("Which to add", "2"),
        ("what is it about", ""),
        ("which property of it", "main memory"),
    )
    assert code == 0, said
    (claim,) = claims(root).claims
    assert (claim.subject, claim.attribute, claim.value) == ("Atlas A100", "main memory", "640 GB")


def test_a_person_may_choose_nothing(root: Path) -> None:
    page = str(root.parent / "page.html")
    code, _ = typed(["add", URL, "--page", page, "--kb", str(root)], ("Which to add", ""))
    assert code == 0
    assert not list((root / "claims").iterdir())
    code, said = typed(["add", URL, "--list", "--page", page, "--kb", str(root)])
    assert (code, "Which to add" in said) == (0, False)


def test_in_a_table_with_its_subjects_across_the_property_is_no_subject(root: Path) -> None:
    page = (
        "<html lang=en><title>Sizes</title><h1>Sizes</h1><p>All nodes of Atlas that one can have today.</p>"
    )
    page += "<table><tr><th>Property<th>Atlas A100<th>Atlas A50</tr><tr><th>Memory<td>640 GB<td>320 GB</tr></table>"
    (root.parent / "page.html").write_text(page, encoding="utf-8")
    assert add(root, "--choose", "2") == 0
    (claim,) = claims(root).claims
    assert (claim.subject, claim.attribute, claim.value) == ("Atlas A50", "Memory", "320 GB")


def test_a_dry_run_of_several_prints_the_one_file_that_they_make(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    assert add(root, "--choose", "2,4", "--dry-run") == 0
    out = capsys.readouterr().out
    assert (out.count("source:"), out.count("  - id: ")) == (1, 2)
    assert not list((root / "claims").iterdir())
    assert not Archive(root / "snapshots").captures()
