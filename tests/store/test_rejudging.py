"""A build after the claims or the judge changed says what differs, and any verdict is replayed to its bytes."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from kb.app.base import KnowledgeBase
from kb.app.build import build
from kb.app.replay import replay
from kb.cli.build import command as build_command
from kb.cli.verify import command as verify_command
from kb.errors import UsageError
from kb.judging import Verdict, judge_page
from kb.reasons import Outcome, Reason
from kb.snapshots import Exchange

FIRST = datetime(2026, 3, 1, 9, tzinfo=UTC)
URL = "https://atlas.example/sizes.html"
CLAIMS = f"""\
source:
  title: Atlas sizes
  url: {URL}
  retrieved: 2026-03-01
claims:
  - id: memory
    subject: Atlas
    attribute: memory
    figure: 640 GB
    was:
      - {{figure: 320 GB, until: 2026-03-01}}
  - id: power
    subject: Atlas
    attribute: power draw
    figure: 700 W
  - id: makers
    subject: Atlas
    attribute: makers
    list: [Alpha, Beta, Gamma]
  - id: price
    subject: Atlas
    attribute: price
    absent: price
  - id: pair
    subject: two of Atlas
    attribute: memory
    formula: "{{memory}} * 2"
    figure: 1,280 GB
"""
PAGES = {
    "old": "<p>Atlas has a memory of 320 GB.</p><p>Its power draw is 700 W.</p><p>The makers: Alpha, Beta, Gamma.</p>",
    "ours": "<p>Atlas has a memory of 640 GB.</p><p>Its power draw is 700 W.</p><p>The makers: Alpha and Gamma.</p>",
    "more": "<p>Atlas has a memory of 960 GB or of 0.64 TB.</p><p>Its price is $ 90 000.</p><p>The makers: Alpha.</p>",
    "table": "<table><tr><th>Atlas<th>memory<th>power draw<tr><td>each<td>640 GB<td>0.7 kW</table>",
    "wall": "<title>Access denied</title><h1>Access denied</h1><p>You have no permission to view this page.</p>",
}


def opened(root: Path) -> KnowledgeBase:
    return KnowledgeBase.open(root, today=date(2026, 11, 30))


@pytest.fixture
def base(tmp_path: Path) -> Path:
    """A page with a history of every sort."""
    (tmp_path / "claims").mkdir()
    (tmp_path / "claims" / "atlas.yaml").write_text(CLAIMS, encoding="utf-8")
    for day, name in enumerate(["old", "ours", "wall", "more", "failed", "table", "ours", "ours"]):
        now = FIRST + timedelta(days=day)
        with opened(tmp_path).archive.begin(now) as run:
            if name == "failed":
                run.keep(Exchange(URL, URL, now, reason=Reason.TIMEOUT))
            else:
                body = f"<html lang=en><title>Atlas</title><h1>Atlas sizes</h1>{PAGES[name]}</html>".encode()
                run.keep(Exchange(URL, URL, now, 200, (("Content-Type", "text/html"),), body))
    return tmp_path


def said(command: Any, *words: str) -> str:
    result = CliRunner().invoke(command, list(words), standalone_mode=False)
    assert result.exception is None, result.exception
    return result.output


# -- a build says what differs --------------------------------------------------------------


def test_a_build_with_nothing_changed_says_of_no_difference(base: Path) -> None:
    first = said(build_command, "--kb", str(base), "--jobs", "1")
    # five claims on eight captures, but for the formula where a page leaves its input between two values
    assert first == f"{base / 'kb.db'}: 39 verdicts on 8 captures\n"
    assert said(build_command, "--kb", str(base), "--jobs", "1") == f"{base / 'kb.db'}: nothing is new\n"
    assert said(build_command, "--kb", str(base), "--jobs", "1", "--anew") == first


def test_a_build_after_a_corrected_claim_judges_all_history_anew_and_says_what_differs(base: Path) -> None:
    said(build_command, "--kb", str(base), "--jobs", "1")
    file = base / "claims" / "atlas.yaml"
    file.write_text(CLAIMS.replace("figure: 700 W", "figure: 650 W"), encoding="utf-8")
    told = said(build_command, "--kb", str(base), "--jobs", "1")
    assert "1 verdict differs from the last build:" in told
    assert "atlas.power: was holds (verbatim) 700 W, now drifted (differs) 700 W" in told
    with closing(sqlite3.connect(base / "kb.db")) as db:
        outcomes = db.execute("SELECT DISTINCT verdict FROM verdicts WHERE claim = 'atlas.power'").fetchall()
    assert ("holds",) not in outcomes


@pytest.fixture
def another_judge(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Puts a judge in place that finds whatever holds gone, as an edit of the judging code would."""

    def stern(*arguments: Any, **more: Any) -> list[Verdict]:
        return [
            replace(v, outcome=Outcome.GONE, reason=Reason.REMOVED, found=None)
            if v.outcome is Outcome.HOLDS and v.found and "W" in str(v.found)
            else v
            for v in judge_page(*arguments, **more)
        ]

    def put() -> None:
        monkeypatch.setattr("kb.engine.unit.judge_page", stern)
        monkeypatch.setattr("kb.engine.memory.code_digest", lambda: "another judge")

    return put


@pytest.mark.parametrize("go_on", [False, True])
def test_a_build_by_another_judge_judges_all_history_anew_and_says_what_differs(
    base: Path, another_judge: Callable[[], None], go_on: bool
) -> None:
    build(opened(base), jobs=1)
    another_judge()
    built = build(opened(base), jobs=1, go_on=go_on)
    assert [id for id, _, _ in built.differing] == ["atlas.power"]
    assert built.differing[0][1:] == ("holds (verbatim) 700 W", "gone (removed)")
    with closing(sqlite3.connect(base / "kb.db")) as db:
        ask = "SELECT count(*) FROM verdicts WHERE claim = 'atlas.power' AND verdict = 'holds'"
        assert db.execute(ask).fetchone() == (0,)
    assert build(opened(base), jobs=1, go_on=go_on).differing == ()


def test_a_long_list_of_differences_is_cut_and_counted(tmp_path: Path) -> None:
    (tmp_path / "claims").mkdir()
    head = CLAIMS.partition("claims:\n")[0] + "claims:\n"
    one = "  - id: c{n}\n    subject: Atlas {n}\n    attribute: memory\n    figure: {figure}\n"
    file = tmp_path / "claims" / "atlas.yaml"
    file.write_text(head + "".join(one.format(n=n, figure="640 GB") for n in range(23)), encoding="utf-8")
    rows = "".join(f"<tr><td>Atlas {n}<td>640 GB" for n in range(23))
    body = f"<html lang=en><h1>Sizes</h1><table><tr><th>type<th>memory{rows}</table></html>".encode()
    with opened(tmp_path).archive.begin(FIRST) as run:
        run.keep(Exchange(URL, URL, FIRST, 200, (("Content-Type", "text/html"),), body))
    said(build_command, "--kb", str(tmp_path), "--jobs", "1")
    file.write_text(head + "".join(one.format(n=n, figure="512 GB") for n in range(23)), encoding="utf-8")
    told = said(build_command, "--kb", str(tmp_path), "--jobs", "1")
    assert "23 verdicts differ from the last build:" in told
    assert told.count(": was holds") == 20
    assert told.rstrip().endswith("and 3 more")


# -- one verdict again ----------------------------------------------------------------------


def kept(root: Path) -> list[tuple[str, str, bytes]]:
    """Of each digest and claim the first verdict in kb.db, as section 4 writes it."""
    first: dict[tuple[str, str], bytes] = {}
    for answer in answers(root):
        if answer["digest"] is not None:
            first.setdefault((answer["digest"], answer["id"]), json.dumps(answer).encode())
    return [(digest, id, answer) for (digest, id), answer in first.items()]


def answers(root: Path) -> list[dict[str, Any]]:
    """Each verdict in kb.db on a capture, in the order of time, as section 4 writes it."""
    told = []
    with closing(sqlite3.connect(root / "kb.db")) as db:
        lines = db.execute(
            "SELECT v.claim, k.kind, v.verdict, v.reason, v.detail, v.found, v.score, v.captured, v.digest,"
            " v.evidence, v.others FROM verdicts v JOIN claims k ON k.id = v.claim"
            " WHERE k.kind <> 'formula' ORDER BY v.captured"
        )
        for id, kind, verdict, reason, detail, found, score, captured, digest, evidence, others in lines:
            answer = {
                "id": id,
                "verdict": verdict,
                "reason": reason,
                "detail": detail,
                "found": json.loads(found) if kind == "list" and found and found[0] == "[" else found,
                "score": score,
                "captured": captured,
                "digest": digest,
                "evidence": json.loads(evidence) if evidence else None,
                "others": json.loads(others) if others else [],
            }
            told.append(answer)
    return told


def test_each_verdict_is_replayed_to_the_very_bytes_that_the_database_holds(base: Path) -> None:
    said(build_command, "--kb", str(base), "--jobs", "1")
    verdicts = kept(base)
    assert len(verdicts) == 5 * 4
    words = {json.loads(answer)["verdict"] for _, _, answer in verdicts}
    assert words >= {"holds", "drifted", "unread"}
    (base / "kb.db").unlink()
    (base / "kb.cache").unlink()
    for digest, id, answer in verdicts:
        assert json.dumps(replay(opened(base), digest, id).to_json()).encode() == answer


def test_the_command_replays_offline_and_exits_as_the_verdict_says(base: Path) -> None:
    said(build_command, "--kb", str(base), "--jobs", "1")
    codes = {"holds": 0, "drifted": 1, "gone": 1, "unclear": 3, "unread": 3}
    for digest, id, answer in kept(base)[:8]:
        for name in (digest, digest[7:20]):
            words = ["--kb", str(base), "--json", "--capture", name, id]
            result = CliRunner().invoke(verify_command, words, standalone_mode=False)
            assert json.loads(result.output) == json.loads(answer)
            assert result.return_value == codes[json.loads(answer)["verdict"]]


def test_what_cannot_be_replayed_is_told_with_a_remedy(base: Path) -> None:
    kb = opened(base)
    digest = kb.archive.captures(URL)[0].digest
    with pytest.raises(UsageError, match="replay one of the claims that it rests on"):
        replay(kb, digest, "atlas.pair")
    with pytest.raises(UsageError, match="name one of: sha256:"):
        replay(kb, "sha256:" + "0" * 64, "atlas.memory")
    with pytest.raises(UsageError, match="no claim has the id"):
        replay(kb, digest, "atlas.memori")
    with pytest.raises(UsageError, match="has no capture up to 2026-02-01"):
        replay(kb, f"{digest}@2026-02-01", "atlas.memory")
    (base / "claims" / "other.yaml").write_text(
        CLAIMS.replace("atlas.example", "other.example"), encoding="utf-8"
    )
    with pytest.raises(UsageError, match="and the claim is about"):
        replay(opened(base), URL, "other.memory")


def test_the_verdict_on_bytes_that_came_again_is_named_by_their_time(base: Path) -> None:
    for day, name in ((-30, "old"), (20, "old"), (21, "ours")):
        now = FIRST + timedelta(days=day)
        body = f"<html lang=en><title>Atlas</title><h1>Atlas sizes</h1>{PAGES[name]}</html>".encode()
        with opened(base).archive.begin(now) as run:
            run.keep(Exchange(URL, URL, now, 200, (("Content-Type", "text/html"),), body))
    said(build_command, "--kb", str(base), "--jobs", "1")
    verdicts = answers(base)
    assert len(verdicts) == 11 * 4
    old = opened(base).archive.captures(URL)[0].digest
    said_of_old = {a["verdict"] for a in verdicts if a["digest"] == old and a["id"] == "atlas.memory"}
    assert said_of_old == {"holds", "drifted"}, "the same bytes, and another value in force"
    for answer in verdicts:
        name = f"{answer['digest'] or 'atlas'}@{answer['captured']}"
        assert replay(opened(base), name, answer["id"]).to_json() == answer
    result = CliRunner().invoke(
        verify_command, ["--kb", str(base), "--json", "--capture", f"{old[7:15]}@2026-03-25", "atlas.memory"]
    )
    assert json.loads(result.output)["captured"] == "2026-03-21T09:00:00Z"
