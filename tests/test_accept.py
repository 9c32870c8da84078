"""kb accept: the claims file is edited in place, and only where there is something to accept."""

from __future__ import annotations

import difflib
import re
import subprocess
import sys
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer

from kb.app.accept import accept
from kb.app.base import KnowledgeBase
from kb.app.build import build
from kb.app.check import CheckOptions, check
from kb.cli.main import run
from kb.errors import UsageError
from kb.store import open_rows

TEXT = """\
source:
  title: Sizes   # as the page has it
  publisher: Example
  url: {url}

claims:
  # a comment that stays
  - id: memory
    subject: Atlas
    attribute: memory
    figure: 640 GB
    per: node
"""

DAY = date(2026, 1, 12)


@pytest.fixture
def drifted(httpserver: HTTPServer, tmp_path: Path) -> KnowledgeBase:
    httpserver.expect_request("/robots.txt").respond_with_data("", status=404)
    httpserver.expect_request("/a.html").respond_with_data(
        "<html lang=en><h1>Atlas sizes</h1><p>Atlas has a memory of 960 GB for each node.</p></html>",
        content_type="text/html",
    )
    (tmp_path / "claims").mkdir()
    (tmp_path / "claims" / "sizes.yaml").write_text(
        TEXT.format(url=httpserver.url_for("/a.html")), encoding="utf-8"
    )
    return recheck(tmp_path, datetime(2026, 1, 10, 9, tzinfo=UTC), datetime(2026, 1, 10, 12, tzinfo=UTC))


def recheck(root: Path, *moments: datetime) -> KnowledgeBase:
    for moment in moments:
        kb = KnowledgeBase.open(root, today=moment.date())
        check(kb, CheckOptions(allow_private=True, everything=True, clock=lambda moment=moment: moment))
    return KnowledgeBase.open(root, today=DAY)


def changed_lines(before: str, after: str) -> list[str]:
    diff = difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=0)
    return [line for line in diff if line[0] in "+-" and not line.startswith(("+++", "---"))]


def test_accepting_changes_the_figure_and_adds_what_it_was(drifted: KnowledgeBase) -> None:
    file = drifted.root / "claims" / "sizes.yaml"
    before = file.read_text(encoding="utf-8")
    accept(drifted, "sizes.memory", "the vendor raised it", DAY)
    lines = changed_lines(before, file.read_text(encoding="utf-8"))
    assert lines[:2] == ["-    figure: 640 GB", "+    figure: 960 GB"]
    assert lines[2:] == [
        "+    was:",
        "+      - {figure: 640 GB, until: 2026-01-12, why: the vendor raised it}",
    ]
    kb = KnowledgeBase.open(drifted.root, today=DAY)
    (was,) = kb.claims.claim("sizes.memory").was
    assert (was.value, was.until, was.why) == ("640 GB", "2026-01-12", "the vendor raised it")


def test_after_accepting_the_next_reading_holds_and_the_event_has_closed(drifted: KnowledgeBase) -> None:
    accept(drifted, "sizes.memory", "the vendor raised it", DAY)
    later = datetime(2026, 1, 13, 9, tzinfo=UTC)
    kb = recheck(drifted.root, later)
    with open_rows(kb.database) as rows:
        claim = rows.claim("sizes.memory")
        (event,) = rows.events()
    assert claim and claim.verdict == "holds"
    assert event.closed is not None
    assert (event.stated, event.found) == ("640 GB", "960 GB")


SUM = """\
claims:
  - id: each
    subject: Atlas
    attribute: memory of one GPU
    formula: "{{sizes.memory}} / 8"
    figure: {figure}
"""


def test_a_sum_that_is_put_right_with_its_input_holds_on_the_same_day(
    drifted: KnowledgeBase, capsys: pytest.CaptureFixture[str]
) -> None:
    sums = drifted.root / "claims" / "sums.yaml"
    sums.write_text(SUM.format(figure="80 GB"), encoding="utf-8")
    at = datetime(2026, 1, 12, 9, tzinfo=UTC)
    with open_rows(recheck(drifted.root, at).database) as rows:
        before = rows.claim("sums.each")
    assert before and (before.verdict, before.reason) == ("drifted", "input-drifted")
    accept(KnowledgeBase.open(drifted.root, today=DAY), "sizes.memory", "the vendor raised it", DAY)
    sums.write_text(SUM.format(figure="120 GB"), encoding="utf-8")
    for hours in (1, 3):  # nor does a later reading on that day make it drift
        kb = recheck(drifted.root, at + timedelta(hours=hours))
        with open_rows(kb.database) as rows:
            after = rows.claim("sums.each")
            events = [e for e in rows.events() if e.claim == "sums.each" and e.closed is None]
        assert after and (after.verdict, after.reason) == ("holds", "recomputed")
        assert not events


def test_a_sum_that_is_wrong_after_accepting_is_told_and_the_edit_stands(
    drifted: KnowledgeBase, capsys: pytest.CaptureFixture[str]
) -> None:
    sums = drifted.root / "claims" / "sums.yaml"
    sums.write_text(SUM.format(figure="80 GB"), encoding="utf-8")
    recheck(drifted.root, datetime(2026, 1, 12, 9, tzinfo=UTC))
    assert run(["accept", "sizes.memory", "--why", "raised", "--kb", str(drifted.root)]) == 2
    said = capsys.readouterr()
    assert "sizes.memory states 960 GB from now on" in said.out
    assert "sums.yaml" in said.err and "120 GB" in said.err


def test_keeping_writes_accepted_beside_our_figure_and_closes_the_event(drifted: KnowledgeBase) -> None:
    file = drifted.root / "claims" / "sizes.yaml"
    before = file.read_text(encoding="utf-8")
    accept(drifted, "sizes.memory", "their page is wrong", DAY, keep=True)
    (line,) = changed_lines(before, file.read_text(encoding="utf-8"))
    assert "accepted" in line and "960 GB" in line
    build(KnowledgeBase.open(drifted.root, today=DAY))
    with open_rows(drifted.database) as rows:
        (event,) = rows.events()
        claim = rows.claim("sizes.memory")
    assert claim and (claim.verdict, claim.state) == ("drifted", "accepted")
    assert event.how == "accepted"


def test_what_has_not_drifted_is_refused(drifted: KnowledgeBase) -> None:
    accept(drifted, "sizes.memory", "yes", DAY)
    kb = recheck(drifted.root, datetime(2026, 1, 13, 9, tzinfo=UTC) + timedelta(days=1))
    with pytest.raises(UsageError, match="has not drifted: its verdict is holds"):
        accept(kb, "sizes.memory", "again", DAY)


def test_the_command_tells_what_it_wrote_and_names_the_nearest_claim(
    drifted: KnowledgeBase, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["accept", "--kb", str(drifted.root), "--why", "raised"]
    assert run([*arguments, "sizes.memry"]) == 2
    assert "sizes.memory" in capsys.readouterr().err
    assert run([*arguments, "sizes.memory"]) == 0
    assert "sizes.memory states 960 GB from now on, and 640 GB before" in capsys.readouterr().out


def walk(kb: KnowledgeBase, answers: str) -> tuple[int, str]:
    """`kb accept --interactive` with what a person types; the exit code and what it says."""
    done = subprocess.run(
        [sys.executable, "-m", "kb", "accept", "--interactive", "--kb", str(kb.root)],
        input=answers,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def test_walking_through_shows_the_evidence_and_writes_what_is_answered(drifted: KnowledgeBase) -> None:
    file = drifted.root / "claims" / "sizes.yaml"
    before = file.read_text(encoding="utf-8")
    code, said = walk(drifted, "s\n")
    assert code == 0
    for shown in ("1 of 1", "stated   640 GB per node", "»960 GB«", "link", "[a]ccept"):
        assert shown in said
    assert file.read_text(encoding="utf-8") == before
    code, said = walk(drifted, "x\na\nthe vendor raised it\n")
    assert code == 0
    assert "states 960 GB from now on" in said
    assert changed_lines(before, file.read_text(encoding="utf-8"))[:2] == [
        "-    figure: 640 GB",
        "+    figure: 960 GB",
    ]
    assert walk(drifted, "")[1].strip() == "There is nothing to accept."


def test_what_was_answered_is_kept_when_the_walk_is_broken_off(drifted: KnowledgeBase) -> None:
    assert walk(drifted, "q\n")[0] == 0
    assert walk(drifted, "k\n")[0] == 130  # the terminal closed before the reason was given
    assert "accepted" not in (drifted.root / "claims" / "sizes.yaml").read_text(encoding="utf-8")
    assert walk(drifted, "k\ntheirs is wrong\n")[0] == 0
    assert "accepted" in (drifted.root / "claims" / "sizes.yaml").read_text(encoding="utf-8")
    with open_rows(drifted.database) as rows:
        assert [e.how for e in rows.events()] == ["accepted"]


def test_without_a_terminal_it_says_what_answers_in_place_of_a_person(drifted: KnowledgeBase) -> None:
    before = (drifted.root / "claims" / "sizes.yaml").read_text(encoding="utf-8")
    code, said = walk(drifted, "")
    assert code == 2
    assert "kb accept ID --why TEXT" in said
    assert (drifted.root / "claims" / "sizes.yaml").read_text(encoding="utf-8") == before


def test_two_commands_ask_and_both_take_the_answers_as_options() -> None:
    asking = re.compile(r"\b(?:prompt|confirm|getchar|edit|input|getpass)\(|Prompt\b")
    files = sorted((Path(__file__).resolve().parent.parent / "kb" / "cli").glob("*.py"))
    assert [f.name for f in files if asking.search(f.read_text(encoding="utf-8"))] == ["accept.py", "add.py"]


@pytest.fixture
def led_away(httpserver: HTTPServer, tmp_path: Path) -> KnowledgeBase:
    httpserver.expect_request("/robots.txt").respond_with_data("", status=404)
    httpserver.expect_request("/a.html").respond_with_data("", 301, {"Location": "/new/a.html"})
    httpserver.expect_request("/new/a.html").respond_with_data(
        "<html lang=en><h1>Atlas sizes</h1><p>Atlas has a memory of 640 GB for each node.</p></html>",
        content_type="text/html",
    )
    (tmp_path / "claims").mkdir()
    (tmp_path / "claims" / "sizes.yaml").write_text(
        TEXT.format(url=httpserver.url_for("/a.html")), encoding="utf-8"
    )
    return recheck(tmp_path, datetime(2026, 1, 10, 9, tzinfo=UTC))


@pytest.mark.parametrize("name", ["sizes", "sizes.memory"])
def test_a_page_that_moved_is_followed_in_one_line(
    led_away: KnowledgeBase, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = led_away.root / "claims" / "sizes.yaml"
    before = file.read_text(encoding="utf-8")
    arguments = ["accept", "--kb", str(led_away.root), name, "--url"]
    assert run(arguments) == 0
    assert "/new/a.html from now on" in capsys.readouterr().out
    old, new = changed_lines(before, file.read_text(encoding="utf-8"))
    assert (old[0], new[0]) == ("-", "+")
    assert new.endswith("/new/a.html")
    assert run(arguments) == 2
    assert "was not led to another address" in capsys.readouterr().err


def test_walking_through_offers_pages_that_moved(led_away: KnowledgeBase) -> None:
    code, said = walk(led_away, "f\n")
    assert code == 0
    assert "sizes was last read at another address" in said
    assert "/new/a.html" in (led_away.root / "claims" / "sizes.yaml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([], "say which claim"),
        (["sizes.memory"], "say why"),
        (["sizes.memory", "--url=ftp://x"], "is no web address"),
        (["sizes.memory", "--url=https://x.example/", "--keep"], "about the address alone"),
        (["sizes.memory", "-i"], "leave the rest out"),
        (["nothing", "--url=https://x.example/"], 'no source has the id "nothing"'),
    ],
)
def test_what_makes_no_sense_is_refused(
    drifted: KnowledgeBase, words: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["accept", "--kb", str(drifted.root), *words]) == 2
    assert told in capsys.readouterr().err
