"""Claims that are only proposed: checked like all others, and reported apart until a person reviews them."""

from __future__ import annotations

import json
import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from kb.app.base import KnowledgeBase
from kb.app.build import build
from kb.cli.main import run
from kb.snapshots import Archive, Exchange

URL = "https://atlas.example/sizes"
CLAIMS = """\
source:
  title: Node sizes
  publisher: Example Works
  url: https://atlas.example/sizes
  retrieved: 2026-01-01
claims:
  - id: link
    subject: Atlas A100
    attribute: network bandwidth
    figure: 3,200 Gbps
  - id: memory
    subject: Atlas A100
    attribute: memory
    figure: 320 GB
    status: proposed
"""
PAGE = (
    "<html lang=en><h1>Node sizes</h1><p>This page lists what each node of Atlas has, for people who plan their work.</p>"
    "<table><tr><th>Node<th>Network bandwidth<th>Memory</tr>"
    "<tr><td>Atlas A100<td>3,200 Gbps<td>640 GB</tr></table>"
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A base whose page was read three times, and never stated what was proposed."""
    (tmp_path / "claims").mkdir()
    (tmp_path / "claims" / "atlas.yaml").write_text(CLAIMS, encoding="utf-8")
    for back in (9, 6, 0):
        time = datetime.now(UTC) - timedelta(hours=back)
        with Archive(tmp_path / "snapshots").begin(time) as run_:
            headers = (("Content-Type", "text/html"),)
            run_.keep(Exchange(URL, URL, time, status=200, headers=headers, body=PAGE.encode()))
    build(KnowledgeBase.open(tmp_path), jobs=1)
    return tmp_path


def review(root: Path) -> None:
    path = root / "claims" / "atlas.yaml"
    path.write_text(CLAIMS.replace("    status: proposed\n", ""), encoding="utf-8")


def test_what_is_proposed_is_checked_and_changes_no_count_and_no_exit_code(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["report", "--kb", str(root)]) == 0
    out = capsys.readouterr().out
    assert out.startswith("The one claim holds.")
    assert "PROPOSED (1): checked, and waiting for a person's review" in out
    assert "atlas.memory: Atlas A100, memory: 320 GB; drifted:" in out
    assert "Checked 1 of 1 claim, 1 of 1 source read." in out
    assert "holds 1, proposed 1." in out
    assert run(["report", "--kb", str(root), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert [c["id"] for c in said["claims"]] == ["atlas.link"]
    assert [(c["id"], c["verdict"], c["found"]) for c in said["proposed"]] == [
        ("atlas.memory", "drifted", "640 GB")
    ]
    assert said["events"] == []
    assert (said["counts"]["drifted"], said["coverage"]["claims"]) == (0, 1)


@pytest.mark.parametrize("form", ["md", "html"])
def test_every_report_for_people_lists_it_apart(
    form: str, root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["report", "--kb", str(root), "--format", form]) == 0
    _, _, apart = capsys.readouterr().out.partition("Proposed, waiting for a review")
    assert "atlas.memory" in apart


def test_kb_check_says_how_many_wait(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", "--offline", "--kb", str(root)]) == 0
    assert "proposed   atlas (1 claim to review): drifted 1" in capsys.readouterr().out


@pytest.mark.parametrize("going_on", [False, True])
def test_once_reviewed_it_counts_like_all_others(
    going_on: bool, root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    review(root)
    build(KnowledgeBase.open(root), jobs=1, go_on=going_on)
    assert run(["report", "--kb", str(root)]) == 1
    assert "CONFIRMED CHANGES (1)" in capsys.readouterr().out


def test_alone_it_is_not_known_to_hold(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["report", "--kb", str(root), "--only", "atlas.memory"]) == 3
    assert "1 claim is only proposed, so nothing is known." in capsys.readouterr().out


def test_the_database_keeps_it_apart(root: Path) -> None:
    with sqlite3.connect(root / "kb.db") as db:
        assert db.execute("SELECT id, state, verdict FROM claims ORDER BY id").fetchall() == [
            ("atlas.link", "holds", "holds"),
            ("atlas.memory", "proposed", "drifted"),
        ]
        assert db.execute("SELECT count(*) FROM drift").fetchone() == (0,)
        assert db.execute("SELECT id, why FROM to_review").fetchall() == [("atlas.memory", "proposed")]
        assert db.execute("SELECT claims, holds, drifted, proposed FROM by_publisher").fetchall() == [
            (2, 1, 0, 1)
        ]
    db.close()


def test_an_audit_says_where_only_proposals_back_an_article(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    article = root / "article.md"
    article.write_text("The Atlas A100 has a network bandwidth of 3,200 Gbps.\n", encoding="utf-8")
    run(["audit", str(article), "--kb", str(root)])
    assert "only proposed" not in capsys.readouterr().err
    article.write_text("The Atlas A100 has a memory of 320 GB.\n", encoding="utf-8")
    run(["audit", str(article), "--kb", str(root)])
    assert "1 place is matched to claims that are only proposed; review them" in capsys.readouterr().err
