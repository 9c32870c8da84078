"""How `kb check` asks: archives that stand in, pages that moved, time limits, progress, selections."""

from __future__ import annotations

import importlib.util
import json
import os
import pty
import shutil
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from webserver import Asked, Behaviour, WebServer, answer, page, raw, redirect

from kb.cli.main import run
from kb.fetch.browser import NAMES

CLAIMS = """\
source:
  title: {name} sizes
  publisher: Example
  url: {url}
{more}claims:
  - id: memory
    subject: {name}
    attribute: memory
    figure: 640 GB
    per: node
"""
COPIES = {"20260101000000": "640 GB", "20260601000000": "960 GB"}


def sizes(figure: str = "640 GB", name: str = "Atlas") -> str:
    return (
        f"<html lang=en><title>Sizes</title><h1>{name} sizes</h1>"
        f"<p>{name} has a memory of {figure} for each node.</p></html>"
    )


@pytest.fixture
def server() -> Iterator[WebServer]:
    with WebServer() as running:
        yield running


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[WebServer]:
    """A server that speaks Memento; kb.toml names it."""
    with WebServer() as running:
        (tmp_path / "kb.toml").write_text(
            f'[fetch]\ntries = 1\ntimegate = "{running.url}/gate/"\n', encoding="utf-8"
        )
        yield running


def put_copies(archive: WebServer, url: str, copies: dict[str, str] | None = None) -> None:
    """Copies of `url`, found through a list, as the gate knows nothing."""
    links = [f'<{url}>; rel="original"']
    for stamp, figure in (COPIES if copies is None else copies).items():
        when = f"{stamp[6:8]} {'Jan' if stamp[4:6] == '01' else 'Jun'} {stamp[:4]} 00:00:00 GMT"
        head = [("Memento-Datetime", when), ("Link", f'<{url}>; rel="original"')]
        body = figure if "<" in figure else sizes(figure)
        archive.put(f"/web/{stamp}/{url}", page(body, headers=head))
        links.append(f'<{archive.url}/web/{stamp}/{url}>; rel="memento"; datetime="{when}"')
    archive.put(f"/gate/{url}", page("choose one"))
    archive.put(
        f"/gate/timemap/link/{url}", answer(",\n".join(links), content_type="application/link-format")
    )


def claim(root: Path, url: str, name: str = "Atlas", more: str = "") -> None:
    (root / "claims").mkdir(exist_ok=True)
    text = CLAIMS.format(name=name, url=url, more=more)
    (root / "claims" / f"{name.lower()}.yaml").write_text(text, encoding="utf-8")


def check(root: Path, *more: str) -> int:
    return run(["check", "--kb", str(root), "--allow-private", "--quiet", *more])


def query(root: Path, sql: str) -> list[tuple[object, ...]]:
    db = sqlite3.connect(root / "kb.db")
    try:
        return db.execute(sql).fetchall()
    finally:
        db.close()


@pytest.mark.parametrize(
    ("option", "stamp", "verdict", "code"),
    [("--archive", "20260601000000", "drifted", 3), ("--archive=2026-02-01", "20260101000000", "holds", 0)],
)
def test_the_nearest_archived_copy_stands_in_and_everything_says_so(
    server: WebServer,
    archive: WebServer,
    tmp_path: Path,
    capsys,
    option: str,
    stamp: str,
    verdict: str,
    code: int,
) -> None:
    url = server.put("/atlas", page("<h1>Server Error</h1>", 503))
    put_copies(archive, url)
    claim(tmp_path, url)
    assert check(tmp_path, option) == code
    out = capsys.readouterr().out
    copy = f"{archive.url}/web/{stamp}/{url} of {stamp[:4]}-{stamp[4:6]}-{stamp[6:8]}T00:00:00Z"
    assert "archived copies stand in for 1\n" in out
    assert f"archived   atlas (1 claim): read in an archived copy, {copy}" in out
    assert query(tmp_path, "SELECT via, reason, memento FROM captures ORDER BY captured, file") == [
        ("live", "server-error", None),
        ("memento", None, copy),
    ]
    assert query(
        tmp_path, "SELECT verdict, substr(detail, instr(detail, 'read in')), unread FROM claims"
    ) == [(verdict, f"read in an archived copy, {copy}", None)]
    for form in ("text", "md", "json"):
        run(["report", "--kb", str(tmp_path), "--format", form])
        assert f"/web/{stamp}/" in capsys.readouterr().out


def test_without_the_option_no_archive_is_asked(
    server: WebServer, archive: WebServer, tmp_path: Path
) -> None:
    claim(tmp_path, server.put("/atlas", page("<h1>Server Error</h1>", 503)))
    assert check(tmp_path) == 3
    assert archive.requests == []


def test_what_was_read_live_is_not_asked_of_an_archive(
    server: WebServer, archive: WebServer, tmp_path: Path
) -> None:
    claim(tmp_path, server.put("/atlas", page(sizes())))
    assert check(tmp_path, "--archive") == 0
    assert archive.requests == []


def test_a_copy_no_newer_than_the_last_reading_does_not_stand_in(
    server: WebServer, archive: WebServer, tmp_path: Path, capsys
) -> None:
    url = server.put("/atlas", page(sizes()), page("<h1>Server Error</h1>", 503))
    put_copies(archive, url)
    claim(tmp_path, url)
    assert check(tmp_path) == 0
    assert check(tmp_path, "--all", "--archive") == 3
    assert "(2026-06-01) is no newer than what was read last" in capsys.readouterr().out
    assert query(tmp_path, "SELECT verdict, unread FROM claims") == [("holds", "server-error")]


def test_one_copy_read_twice_confirms_nothing(server: WebServer, archive: WebServer, tmp_path: Path) -> None:
    url = server.put("/atlas", page("<h1>Server Error</h1>", 503))
    put_copies(archive, url)
    claim(tmp_path, url)
    for _ in range(3):
        check(tmp_path, "--all", "--archive")
    assert query(tmp_path, "SELECT count(*) FROM captures WHERE via = 'memento'") == [(1,)]


@pytest.mark.parametrize(
    ("copies", "why"),
    [({}, "the archive"), ({"20260601000000": "<html><body></body></html>"}, "cannot be read either: ")],
)
def test_where_no_copy_can_be_read_the_page_keeps_its_own_reason(
    server: WebServer, archive: WebServer, tmp_path: Path, capsys, copies: dict[str, str], why: str
) -> None:
    url = server.put("/atlas", page("<h1>Server Error</h1>", 503))
    put_copies(archive, url, copies)
    claim(tmp_path, url)
    assert check(tmp_path, "--archive", "--json") == 3
    answered = json.loads(capsys.readouterr().out)
    assert answered["claims"][0]["unread"]["reason"] == "server-error"
    assert answered["archived"] == []
    assert [a["url"] for a in answered["not_archived"]] == [url]
    assert why in answered["not_archived"][0]["why"]


def test_a_source_that_only_an_archive_has_is_asked_there_alone(
    server: WebServer, archive: WebServer, tmp_path: Path, capsys
) -> None:
    url = server.url + "/atlas"
    put_copies(archive, url, {"20260101000000": "640 GB"})
    claim(tmp_path, url, more="  check: {archive: only}\n")
    run(["check", "--kb", str(tmp_path), "--plan"])
    assert f"{url} (in an archive)\n" in capsys.readouterr().out
    assert check(tmp_path) == 0
    assert server.requests == []
    assert query(tmp_path, "SELECT via, url FROM captures") == [("memento", url)]


@pytest.mark.parametrize(("statuses", "told"), [((301, 308), True), ((301, 302), False)])
def test_a_page_that_moved_for_good_is_read_and_the_summary_says_how_to_follow(
    server: WebServer, tmp_path: Path, capsys, statuses: tuple[int, int], told: bool
) -> None:
    server.put("/middle", redirect("/new", statuses[1]))
    server.put("/new", page(sizes()))
    old = server.put("/old", page(sizes()), redirect("/middle", statuses[0]))
    claim(tmp_path, old)
    assert check(tmp_path) == 0
    assert "moved for good" not in capsys.readouterr().out
    assert check(tmp_path, "--all") == 0
    out = capsys.readouterr().out
    assert ("kb accept atlas --url" in out) is told
    assert (f"atlas moved for good, and was read at {server.url}/new" in out) is told
    assert check(tmp_path, "--json") == 0
    moved = json.loads(capsys.readouterr().out)["moved"]
    assert moved == ([{"source": "atlas", "url": old, "now": f"{server.url}/new"}] if told else [])
    if told:
        assert run(["accept", "atlas", "--url", "--kb", str(tmp_path)]) == 0
        assert check(tmp_path) == 0
        assert "moved for good" not in capsys.readouterr().out
        assert f"url: {server.url}/new" in (tmp_path / "claims" / "atlas.yaml").read_text(encoding="utf-8")


def test_an_archives_spelling_of_an_address_is_no_move(
    server: WebServer, archive: WebServer, tmp_path: Path, capsys
) -> None:
    url = server.url + "/atlas"
    head = [
        ("Memento-Datetime", "01 Jan 2026 00:00:00 GMT"),
        ("Link", f'<{server.url}:80/Atlas/>; rel="original"'),
    ]
    archive.put(f"/gate/{url}", page(sizes(), headers=head))
    claim(tmp_path, url, more="  check: {archive: only}\n")
    assert check(tmp_path) == 0
    assert "moved for good" not in capsys.readouterr().out
    assert run(["accept", "atlas", "--url", "--kb", str(tmp_path)]) == 2
    assert "was not led to another address" in capsys.readouterr().err


def test_what_leads_to_another_page_is_not_followed(server: WebServer, tmp_path: Path, capsys) -> None:
    server.put(
        "/", page("<html lang=en><title>Example</title><h1>Welcome</h1><p>All our products.</p></html>")
    )
    claim(tmp_path, server.put("/products/atlas/sizes", redirect("/", 301)))
    assert check(tmp_path) == 3
    assert "moved for good" not in capsys.readouterr().out
    assert query(tmp_path, "SELECT verdict, reason FROM claims") == [("unread", "moved")]


def test_a_run_whose_time_is_up_says_what_is_left_and_the_next_one_asks_for_it(
    server: WebServer, tmp_path: Path, capsys
) -> None:
    go_on = threading.Event()

    def slow(conn: object, asked: Asked) -> object:
        go_on.wait(20)
        return None

    behaviours: list[Behaviour] = [slow, page(sizes(name="Borea"))]
    claim(tmp_path, server.put("/atlas", page(sizes())))
    claim(tmp_path, server.put("/borea", *behaviours), name="Borea")
    assert check(tmp_path, "--max-time", "1") == 3
    go_on.set()
    out = capsys.readouterr().out
    assert "asked for 1 of 2 pages due\n1 not reached in time; the next run asks for them\n" in out
    assert check(tmp_path) == 0
    assert "asked for 1 of 1 pages due" in capsys.readouterr().out


def test_all_asks_for_what_is_not_due_and_a_page_that_did_not_change_costs_no_judgement(
    server: WebServer, tmp_path: Path
) -> None:
    stamped = page(sizes(), headers=[("ETag", '"1"')])
    claim(tmp_path, server.put("/atlas", stamped, answer(b"", 304, [("ETag", '"1"')])))
    assert [check(tmp_path, "--all") for _ in range(2)] == [0, 0]
    first, second = (a for a in server.requests if a.path == "/atlas")
    assert "if-none-match" not in first.headers
    assert second.headers["if-none-match"] == '"1"'
    assert query(tmp_path, "SELECT read, revisit FROM captures ORDER BY captured") == [(1, 0), (1, 1)]


def test_one_url_is_fetched_once_for_all_its_sources(server: WebServer, tmp_path: Path) -> None:
    url = server.put("/both", page(sizes() + sizes(name="Borea")))
    claim(tmp_path, url)
    claim(tmp_path, url, name="Borea")
    assert check(tmp_path) == 0
    assert server.asked("/both") == 1
    assert query(tmp_path, "SELECT id, verdict FROM claims ORDER BY id") == [
        ("atlas.memory", "holds"),
        ("borea.memory", "holds"),
    ]


def test_a_tag_selects_what_is_asked(server: WebServer, tmp_path: Path) -> None:
    claim(tmp_path, server.put("/atlas", page(sizes())), more="  tags: [gpu]\n")
    claim(tmp_path, server.put("/borea", page(sizes(name="Borea"))), name="Borea")
    assert check(tmp_path, "--tag", "gpu") == 0
    assert (server.asked("/atlas"), server.asked("/borea")) == (1, 0)


def test_what_is_off_is_never_asked_and_says_nothing(server: WebServer, tmp_path: Path, capsys) -> None:
    claim(tmp_path, server.put("/atlas", page(sizes())), more="  check: {off: behind a login}\n")
    check(tmp_path, "--all")
    assert server.requests == []
    assert "asked for 0 of 0 pages due" in capsys.readouterr().out


def test_the_interval_of_a_source_counts(server: WebServer, tmp_path: Path, capsys) -> None:
    claim(tmp_path, server.put("/atlas", page(sizes())), more="  check: {every: 1h}\n")
    claim(tmp_path, server.put("/borea", page(sizes(name="Borea"))), name="Borea")
    assert check(tmp_path) == 0
    with sqlite3.connect(tmp_path / "kb.db") as db:
        every = db.execute("SELECT stale_after FROM sources ORDER BY id").fetchall()
    db.close()
    assert every[0] < every[1]


def test_several_processes_judge_as_one_does(server: WebServer, tmp_path: Path) -> None:
    for name in ("Atlas", "Borea"):
        claim(tmp_path, server.put(f"/{name}", page(sizes(name=name))), name=name)
    assert check(tmp_path, "--jobs", "2") == 0
    assert query(tmp_path, "SELECT verdict FROM claims") == [("holds",), ("holds",)]


def test_the_plan_goes_host_by_host(server: WebServer, tmp_path: Path, capsys) -> None:
    for name, url in (
        ("Atlas", "https://b.example/1"),
        ("Borea", "https://a.example/2"),
        ("Cygnus", "https://b.example/3"),
    ):
        claim(tmp_path, url, name=name)
    assert run(["check", "--kb", str(tmp_path), "--plan"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[::2][:3] == ["https://a.example/2", "https://b.example/1", "https://b.example/3"]
    assert lines[-1] == "3 pages are due"


def test_elsewhere_than_on_a_terminal_each_page_has_a_line(server: WebServer, tmp_path: Path, capsys) -> None:
    claim(tmp_path, server.put("/atlas", page(sizes())))
    claim(tmp_path, server.put("/borea", page("", 404)), name="Borea")
    run(["check", "--kb", str(tmp_path), "--allow-private"])
    lines = capsys.readouterr().err.splitlines()
    assert [line.split()[0] for line in lines] == ["1/2", "2/2"]
    assert sorted(line.split()[1:] for line in lines) == [
        ["200", f"{server.url}/atlas"],
        ["404", f"{server.url}/borea"],
    ]


def test_a_terminal_shows_a_bar_and_what_each_host_is_doing(tmp_path: Path) -> None:
    both_asked = threading.Barrier(3)

    def slow(conn: object, asked: Asked) -> object:
        both_asked.wait(20)  # until the terminal has shown both hosts
        both_asked.wait(20)
        return page(sizes())(conn, asked)  # type: ignore[arg-type]

    with WebServer() as one, WebServer() as other:
        for name, server in (("Atlas", one), ("Borea", other)):
            claim(tmp_path, server.put("/sizes", slow), name=name)
        ours, theirs = pty.openpty()
        process = subprocess.Popen(
            [sys.executable, "-m", "kb", "check", "--kb", str(tmp_path), "--allow-private"],
            stdout=subprocess.DEVNULL,
            stderr=theirs,
            env={**os.environ, "TERM": "xterm", "COLUMNS": "100", "LINES": "24"},
        )
        os.close(theirs)
        both_asked.wait(20)
        shown = b""
        wanted = [f"127.0.0.1:{s.port}  {s.url}/sizes".encode() for s in (one, other)]
        while not all(w in shown for w in wanted):
            shown += os.read(ours, 65536)
        both_asked.wait(20)
        try:
            while part := os.read(ours, 65536):
                shown += part
        except OSError:
            pass  # how a terminal on Linux says that the other side is closed
        os.close(ours)
        process.wait(30)
    assert b"asking" in shown
    assert b"0/2" in shown
    assert b"1/2 200" not in shown


@pytest.mark.skipif(
    importlib.util.find_spec("playwright") is None or not any(map(shutil.which, NAMES)),
    reason="the extra `browser` (Playwright) or a Chromium is not installed",
)
def test_a_source_that_asks_for_a_browser_is_rendered_and_judged(server: WebServer, tmp_path: Path) -> None:
    shell = (
        "<!doctype html><html lang=en><title>Sizes</title><body><div id=app></div><script src=/a.js></script>"
    )
    script = (
        "document.getElementById('app').innerHTML = "
        "'<h1>Atlas sizes</h1><p>Atlas has a memory of 640 GB for each node.</p>';"
    )
    url = server.put("/atlas", page(shell))
    server.put("/a.js", answer(script, content_type="text/javascript"))
    claim(tmp_path, url)
    assert check(tmp_path) == 3
    assert query(tmp_path, "SELECT verdict, reason FROM claims") == [("unread", "needs-javascript")]
    claim(tmp_path, url, more="  check: {browser: true}\n")
    assert check(tmp_path, "--all") == 0
    assert query(tmp_path, "SELECT verdict FROM claims") == [("holds",)]
    assert query(tmp_path, "SELECT via FROM captures ORDER BY captured") == [("live",), ("browser",)]


LAUGHS = (
    '<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY a "ha">'
    + "".join(f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 10}">' for n in range(12))
    + "]><html><body><p>&m;</p></body></html>"
)


@pytest.mark.parametrize(
    "behaviour",
    [
        pytest.param(answer(LAUGHS, content_type="text/xml"), id="a billion laughs"),
        pytest.param(answer(LAUGHS, content_type="application/xhtml+xml"), id="laughs in a page"),
        pytest.param(answer(b"<p>" + b"x" * 500_000), id="one long word"),
        pytest.param(answer(b"<p>\xff\xfe\xc3 caf\xe9 \x00 640 GB"), id="invalid UTF-8"),
        pytest.param(answer(b"<b>" * 50_000), id="deep nesting"),
        pytest.param(answer(b"[" * 50_000, content_type="application/json"), id="deep JSON"),
        pytest.param(answer(b"%PDF-1.7\n" + b"9" * 50_000, content_type="application/pdf"), id="no PDF"),
        pytest.param(redirect("/x%0d%0aSet-Cookie:%20a=b"), id="a line break in an address"),
        pytest.param(raw(b"HTTP/1.1 302 Found\r\nLocation: /a\rX: b\r\n\r\n"), id="half a line break"),
    ],
)
def test_a_hostile_page_ends_no_run_and_confirms_nothing(
    server: WebServer, tmp_path: Path, behaviour: Behaviour
) -> None:
    server.otherwise(behaviour)
    server.robots = answer("", 404)
    claim(tmp_path, server.url + "/atlas")
    (tmp_path / "kb.toml").write_text("[fetch]\ntries = 1\ntimeout = 10\n", encoding="utf-8")
    server.put("/atlas", page(sizes()), behaviour)
    assert check(tmp_path) == 0
    assert check(tmp_path, "--all") == 3
    ((verdict, unread),) = query(tmp_path, "SELECT verdict, unread FROM claims")
    assert (verdict == "holds" and unread) or (verdict == "gone" and not unread)
    assert query(tmp_path, "SELECT * FROM events") == []


def test_the_database_made_anew_says_the_same_of_archived_copies(
    server: WebServer, archive: WebServer, tmp_path: Path
) -> None:
    url = server.put("/atlas", page("<h1>Server Error</h1>", 503), page(sizes("960 GB")))
    put_copies(archive, url)
    claim(tmp_path, url)
    check(tmp_path, "--archive")
    check(tmp_path, "--all")  # the same bytes as the copy, live: no word of a copy
    everything = "SELECT claim, captured, verdict, detail FROM verdicts ORDER BY captured"
    before = query(tmp_path, everything)
    (tmp_path / "kb.db").unlink()
    assert run(["build", "--kb", str(tmp_path), "--quiet"]) == 0
    assert query(tmp_path, everything) == before
    assert ["archived copy" in str(row[3]) for row in before] == [False, True, False]
