"""The main job through the real command: fetch, archive, judge, store, summarise."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer
from sizes import PAGE, write_claims
from werkzeug import Request, Response

from kb.app.base import KnowledgeBase
from kb.app.build import build
from kb.app.check import CheckOptions, check
from kb.cli.main import run

KB = [sys.executable, "-m", "kb"]


def serve_page(server: HTTPServer, name: str, figure: str) -> str:
    path = f"/{name.lower()}.html"
    server.expect_request(path).respond_with_data(
        PAGE.format(name=name, figure=figure), content_type="text/html"
    )
    server.expect_request("/robots.txt").respond_with_data("", status=404)
    return server.url_for(path)


def rows(database: Path) -> dict[str, list[tuple[object, ...]]]:
    db = sqlite3.connect(database)
    try:
        names = [
            n
            for (n,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
            if "_fts" not in n
        ]
        return {n: sorted(db.execute(f"SELECT * FROM [{n}]").fetchall(), key=repr) for n in names}
    finally:
        db.close()


def test_a_page_that_states_the_claim_gives_0_and_a_row(
    httpserver: HTTPServer, tmp_path: Path, capsys
) -> None:
    write_claims(tmp_path, "Atlas", serve_page(httpserver, "Atlas", "640 GB"))
    assert run(["check", "--kb", str(tmp_path), "--allow-private", "--quiet"]) == 0
    out = capsys.readouterr().out
    assert "asked for 1 of 1 pages due" in out
    assert "Checked 1 of 1 claim, 1 of 1 source read" in out
    db = sqlite3.connect(tmp_path / "kb.db")
    assert db.execute("SELECT id, verdict, reason FROM claims").fetchall() == [
        ("atlas.memory", "holds", "verbatim")
    ]
    db.close()
    assert list((tmp_path / "snapshots").rglob("*.warc.gz"))


def test_nothing_is_asked_again_before_it_is_due(httpserver: HTTPServer, tmp_path: Path, capsys) -> None:
    write_claims(tmp_path, "Atlas", serve_page(httpserver, "Atlas", "640 GB"))
    for _ in range(2):
        assert run(["check", "--kb", str(tmp_path), "--allow-private", "--quiet"]) == 0
    assert "asked for 0 of 0 pages due" in capsys.readouterr().out
    pages = [r for r, _ in httpserver.log if r.path != "/robots.txt"]
    assert len(pages) == 1


def test_a_change_is_3_while_suspected_and_1_once_confirmed(
    httpserver: HTTPServer, tmp_path: Path, capsys
) -> None:
    write_claims(tmp_path, "Atlas", serve_page(httpserver, "Atlas", "960 GB"))
    arguments = ["check", "--kb", str(tmp_path), "--allow-private", "--quiet"]
    assert run(arguments) == 3
    assert "atlas.memory: 640 GB -> 960 GB" in capsys.readouterr().out
    assert run([*arguments, "--strict"]) == 1
    assert run([*arguments, "--confirm", "1"]) == 1


def test_a_change_is_confirmed_by_a_second_reading_an_hour_later(
    httpserver: HTTPServer, tmp_path: Path
) -> None:
    write_claims(tmp_path, "Atlas", serve_page(httpserver, "Atlas", "960 GB"))
    start = datetime(2026, 1, 10, 9, tzinfo=UTC)
    asked = []
    for later in (timedelta(0), timedelta(minutes=30), timedelta(hours=2)):
        kb = KnowledgeBase.open(tmp_path, today=date(2026, 1, 10))
        done = check(kb, CheckOptions(allow_private=True, clock=lambda later=later: start + later))
        asked.append(len(done.captures))
    assert asked == [1, 0, 1]
    db = sqlite3.connect(tmp_path / "kb.db")
    assert db.execute("SELECT claim, closed FROM events").fetchall() == [("atlas.memory", None)]
    db.close()


def test_without_a_network_every_source_is_unread_and_nothing_is_gone(
    tmp_path: Path, capsys, monkeypatch: pytest.MonkeyPatch
) -> None:
    import socket

    def no_names(*args: object, **options: object) -> list[object]:
        raise socket.gaierror(socket.EAI_AGAIN, "no network here")

    monkeypatch.setattr(socket, "getaddrinfo", no_names)
    for number in range(30):
        write_claims(tmp_path, f"Atlas{number}", f"https://host{number}.example/a.html")
    started = time.monotonic()
    assert run(["check", "--kb", str(tmp_path), "--json", "--quiet"]) == 3
    assert time.monotonic() - started < 60
    answer = json.loads(capsys.readouterr().out)
    assert answer["counts"]["unread"] == 30
    assert answer["counts"]["gone"] == 0
    assert {c["unread"]["reason"] for c in answer["claims"]} == {"dns"}
    assert answer["coverage"] == {"claims": 30, "checked": 0, "sources": 30, "read": 0}


def test_offline_asks_nothing_and_judges_the_archive(httpserver: HTTPServer, tmp_path: Path) -> None:
    write_claims(tmp_path, "Atlas", serve_page(httpserver, "Atlas", "640 GB"))
    assert run(["check", "--kb", str(tmp_path), "--allow-private", "--quiet"]) == 0
    httpserver.clear_log()
    (tmp_path / "kb.db").unlink()
    assert run(["check", "--kb", str(tmp_path), "--offline", "--quiet"]) == 0
    assert not httpserver.log


def test_only_selects_what_is_asked_and_what_the_exit_code_describes(
    httpserver: HTTPServer, tmp_path: Path, capsys
) -> None:
    write_claims(tmp_path, "Atlas", serve_page(httpserver, "Atlas", "640 GB"))
    write_claims(tmp_path, "Borea", serve_page(httpserver, "Borea", "960 GB"))
    arguments = ["check", "--kb", str(tmp_path), "--allow-private", "--quiet", "--confirm", "1"]
    assert run([*arguments, "--only", "atlas"]) == 0
    assert [r.path for r, _ in httpserver.log if r.path != "/robots.txt"] == ["/atlas.html"]
    assert run([*arguments, "--only", "bor*"]) == 1
    assert run([*arguments, "--only", "nothing*"]) == 3


def test_the_plan_says_what_is_due_and_fetches_nothing(
    httpserver: HTTPServer, tmp_path: Path, capsys
) -> None:
    write_claims(tmp_path, "Atlas", serve_page(httpserver, "Atlas", "640 GB"))
    assert run(["check", "--kb", str(tmp_path), "--plan"]) == 0
    assert capsys.readouterr().out.endswith("atlas: never read\n1 pages are due\n")
    assert not httpserver.log


def test_faulty_claims_stop_the_run_and_keep_going_checks_the_others(
    httpserver: HTTPServer, tmp_path: Path, capsys
) -> None:
    write_claims(tmp_path, "Atlas", serve_page(httpserver, "Atlas", "640 GB"))
    (tmp_path / "claims" / "bad.yaml").write_text("source:\n  titel: x\nclaims: []\n", encoding="utf-8")
    assert run(["check", "--kb", str(tmp_path), "--allow-private"]) == 2
    assert "claims/bad.yaml:2:3: " in capsys.readouterr().err
    assert not httpserver.log
    assert run(["check", "--kb", str(tmp_path), "--allow-private", "--keep-going"]) == 2
    captured = capsys.readouterr()
    assert "1 of 1 source read" in captured.out
    assert "claims/bad.yaml:2:3: " in captured.err


def test_the_database_is_the_same_when_it_is_made_again_on_another_day(
    httpserver: HTTPServer, tmp_path: Path
) -> None:
    write_claims(tmp_path, "Atlas", serve_page(httpserver, "Atlas", "960 GB"))
    write_claims(tmp_path, "Borea", httpserver.url_for("/not-there.html"))
    kb = KnowledgeBase.open(tmp_path)
    check(kb, CheckOptions(allow_private=True))
    first = rows(kb.database)
    assert {"claims", "sources", "captures", "runs", "verdicts", "events"} <= set(first)
    assert first["verdicts"]
    kb.database.unlink()
    later = KnowledgeBase.open(tmp_path, today=date.today() + timedelta(days=400))
    build(later)
    assert rows(later.database) == first


def test_killed_in_the_middle_the_next_run_goes_on(httpserver: HTTPServer, tmp_path: Path) -> None:
    slow = {"on": True}

    def answer(request: Request) -> Response:
        if slow["on"] and request.path == "/cygnus.html":
            time.sleep(20)
        return Response(
            PAGE.format(name=request.path[1:-5].title(), figure="640 GB"), content_type="text/html"
        )

    httpserver.expect_request("/robots.txt").respond_with_data("", status=404)
    for name in ("Atlas", "Borea", "Cygnus"):
        httpserver.expect_request(f"/{name.lower()}.html").respond_with_handler(answer)
        write_claims(tmp_path, name, httpserver.url_for(f"/{name.lower()}.html"))
    command = [*KB, "check", "--kb", str(tmp_path), "--allow-private"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stderr
    told = [process.stderr.readline() for _ in range(2)]
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    assert process.returncode == -signal.SIGKILL
    assert [line.split()[0] for line in told] == ["1/3", "2/3"]
    assert not (tmp_path / "kb.db").exists()
    assert list((tmp_path / "snapshots").rglob("*.open"))

    slow["on"] = False
    httpserver.clear_log()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "asked for 1 of 1 pages due" in done.stdout  # what was told as kept is not asked again
    assert "Checked 3 of 3 claims" in done.stdout
    assert not list((tmp_path / "snapshots").rglob("*.open"))
    db = sqlite3.connect(tmp_path / "kb.db")
    assert db.execute("SELECT count(*) FROM captures").fetchone() == (3,)
    db.close()


def test_a_second_run_is_told_who_holds_the_lock(tmp_path: Path, httpserver: HTTPServer, capsys) -> None:
    write_claims(tmp_path, "Atlas", serve_page(httpserver, "Atlas", "640 GB"))
    kb = KnowledgeBase.open(tmp_path)
    with kb.archive.begin(datetime.now(UTC)):
        assert run(["check", "--kb", str(tmp_path), "--allow-private", "--quiet"]) == 4
    assert str(os.getpid()) in capsys.readouterr().err
