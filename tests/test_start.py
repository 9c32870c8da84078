"""`kb` alone: where you are, how things stand, what to do next."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import demo_base
import pytest
from test_house import HEAVY

from kb.app.base import KnowledgeBase
from kb.app.build import build
from kb.app.here import look_around, next_steps
from kb.app.init import start_knowledge_base
from kb.cli.main import run
from kb.demo.tour import STORY
from kb.store import open_rows

ROOT = Path(__file__).resolve().parent.parent

CLAIM = """\
source: {title: Sizes, publisher: Example, url: "https://example.org/sizes"}
claims:
  - {id: memory, subject: Node, attribute: memory, figure: 640 GB}
"""


def told(capsys: pytest.CaptureFixture[str], folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(folder)
    assert run([]) == 0
    said = capsys.readouterr()
    assert said.err == ""
    return said.out


def joined(text: str) -> str:
    """Without the line ends of one width."""
    return " ".join(text.split())


@pytest.fixture
def base(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    start_knowledge_base(folder)
    return folder


@pytest.fixture(scope="module")
def toured(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return demo_base.make(tmp_path_factory.mktemp("start") / "tour").root


def test_outside_it_says_how_to_start(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    said = told(capsys, tmp_path, monkeypatch)
    assert "This folder is no knowledge base" in said
    assert "kb demo" in said and "kb init" in said


def test_below_a_knowledge_base_it_says_where_that_is(
    base: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    below = base / "claims" / "vendors"
    below.mkdir()
    said = told(capsys, below, monkeypatch)
    assert "lies in the knowledge base notes" in said
    assert "cd ../..\n" in said.replace("  go to", "\n  go to")


def test_an_empty_one_wants_claims(
    base: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    said = told(capsys, base, monkeypatch)
    assert "Knowledge base notes: no claims yet." in said
    assert "kb add URL" in said


def test_claims_without_captures_want_to_be_read(
    base: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (base / "claims" / "sizes.yaml").write_text(CLAIM, encoding="utf-8")
    said = told(capsys, base, monkeypatch)
    assert "1 claim from 1 source.\nNothing was read yet." in said
    assert said.count("kb check") == 1 and "kb report" not in said


def test_with_verdicts_it_counts_and_names_what_needs_a_look(
    toured: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    said = told(capsys, toured, monkeypatch)
    with open_rows(toured / "kb.db") as rows:
        tally = rows.tally(demo_base.moment())
    assert f"checked {tally.checked} of {tally.claims} claims" in joined(said)
    assert "3 changes are confirmed, 4 could not be read" in joined(said)
    assert "kb report" in said and "kb accept --interactive" in said


def test_an_archive_without_its_database_wants_a_build(
    toured: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for part in ("claims", "snapshots"):
        (tmp_path / part).symlink_to(toured / part)
    said = told(capsys, tmp_path, monkeypatch)
    assert "no kb.db made from them" in said
    assert "kb build" in said


def test_a_database_of_somebody_else_is_told_with_its_remedy(
    base: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (base / "claims" / "sizes.yaml").write_text(CLAIM, encoding="utf-8")
    (base / "kb.db").write_bytes(b"nothing of ours")
    said = told(capsys, base, monkeypatch)
    assert "kb.db is no database; delete it and run kb build" in joined(said)


def test_faults_are_shown_with_their_lines_and_more_are_counted(
    base: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in "abcd":
        text = CLAIM.replace("640 GB", "640 Gbsp")
        (base / "claims" / f"{name}.yaml").write_text(text, encoding="utf-8")
    (base / "kb.toml").write_text("[chekc]\n", encoding="utf-8")
    said = told(capsys, base, monkeypatch)
    assert "5 faults in what you wrote" in said
    assert "kb.toml:1: unknown key 'chekc'" in said
    assert "and 2 more" in said
    assert "kb lint" in said and "kb check" not in said


def test_faults_come_before_old_verdicts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    root = demo_base.make(tmp_path / "tour", 1).root
    file = root / "claims" / "azure-nd-h100-v5.yaml"
    file.write_text(file.read_text(encoding="utf-8").replace("400 Gbps", "400 Gbsp", 1), encoding="utf-8")
    os.utime(file, (2_000_000_000, 2_000_000_000))
    said = told(capsys, root, monkeypatch)
    assert 'unit "Gbsp" is unknown' in said
    assert "claims hold" in said
    assert said.index("Gbsp") < said.index("claims hold")


@pytest.mark.parametrize("columns", [30, 44, 80, 200])
def test_it_is_no_wider_than_the_terminal(
    toured: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    columns: int,
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    for folder in (toured, tmp_path):
        for line in told(capsys, folder, monkeypatch).splitlines():
            # A command is typed as a whole, so it is not broken.
            assert len(line) <= min(80, columns) or line.startswith("  kb "), line


@pytest.mark.parametrize("visits", range(1, len(STORY) + 1))
def test_its_counts_are_those_of_the_report(tmp_path: Path, visits: int) -> None:
    kb = demo_base.make(tmp_path / "tour", visits)
    summary = demo_base.summary(kb, visits)
    with open_rows(kb.database) as rows:
        tally = rows.tally(summary.now)
    for group in ("confirmed", "suspected", "unclear", "unread", "unseen", "stale", "unchecked", "proposed"):
        assert getattr(tally, group) == len(getattr(summary, group)), group
    known = summary.coverage
    assert (tally.claims, tally.checked, tally.sources, tally.read) == (
        known.claims,
        known.checked,
        known.sources,
        known.read,
    )
    assert tally.holds == summary.counts["holds"]


def test_what_is_only_proposed_is_counted_apart(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    kb = demo_base.make(tmp_path / "tour", 3)
    for file in ("aws-p5.yaml", "azure-nd-h100-v5.yaml"):
        path = kb.root / "claims" / file
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace("    subject:", "    status: proposed\n    subject:"), encoding="utf-8")
    kb = KnowledgeBase.open(kb.root, today=kb.today)
    build(kb, jobs=1)
    summary = demo_base.summary(kb, 3)
    with open_rows(kb.database) as rows:
        tally = rows.tally(summary.now)
    assert tally.proposed == len(summary.proposed) == 5
    assert (tally.claims, tally.checked) == (summary.coverage.claims, summary.coverage.checked)
    assert tally.confirmed == len(summary.confirmed)
    assert "5 are only proposed" in joined(told(capsys, kb.root, monkeypatch))


def test_what_was_read_too_long_ago_is_counted_as_stale_and_due(toured: Path) -> None:
    later = demo_base.moment() + timedelta(days=40)
    here = look_around(toured, later)
    assert here.tally is not None
    assert here.tally.stale == here.tally.claims - here.tally.unseen
    assert "kb check" in [command for command, _ in next_steps(here, later)]


def test_claims_that_the_database_was_made_from_are_not_read_again(toured: Path, tmp_path: Path) -> None:
    script = (
        "import sys; from kb.cli.main import run; run([]); "
        "print(*sorted({n.partition('.')[0] for n in sys.modules}), file=sys.stderr)"
    )
    for folder in (toured, tmp_path):
        done = subprocess.run(
            [sys.executable, "-c", script],
            cwd=folder,
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
        assert not set(done.stderr.split()) & HEAVY
