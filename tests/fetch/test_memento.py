"""Copies from an archive that speaks Memento, on loopback."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from webserver import WebServer, answer, page, redirect

from kb.fetch import FetchRequest
from kb.fetch.memento import links
from kb.snapshots import Archive
from kb.snapshots.capture import Exchange

Fetch = Callable[..., Exchange]
SITE = "https://site.example/prices"
WAS = (
    (datetime(2026, 1, 1, tzinfo=UTC), "200 Gbps"),
    (datetime(2026, 3, 1, 4, 5, 6, tzinfo=UTC), "400 Gbps"),
    (datetime(2026, 9, 1, tzinfo=UTC), "800 Gbps"),
)
AT = datetime(2026, 3, 1, tzinfo=UTC)
MARCH = "Sun, 01 Mar 2026 04:05:06 GMT"


def memento(server: WebServer, text: str, when: str = MARCH) -> object:
    link = (
        f'<{SITE}>; rel="original", <{server.url}/map/{SITE}>; rel="timemap"; type="application/link-format"'
    )
    return page(text, headers=[("Memento-Datetime", when), ("Link", link)])


@pytest.fixture
def archive(server: WebServer, fetch: Fetch) -> Fetch:
    def ask(url: str = SITE, at: datetime | None = AT) -> Exchange:
        request = FetchRequest(url, archive=True, at=at)
        return fetch(request, timegate=f"{server.url}/gate/", timemap=f"{server.url}/map/")

    return ask


def test_the_copy_nearest_to_the_date_is_fetched(server: WebServer, archive: Fetch) -> None:
    server.put(f"/gate/{SITE}", redirect(f"{server.url}/web/20260301040506/{SITE}"))
    server.put(f"/web/20260301040506/{SITE}", memento(server, "<banner>400 Gbps"))  # type: ignore[arg-type]
    server.put(f"/web/20260301040506id_/{SITE}", memento(server, "400 Gbps"))  # type: ignore[arg-type]
    got = archive()
    assert (got.requested, got.url, got.via, got.body) == (SITE, SITE, "memento", b"400 Gbps")
    assert got.memento == f"{server.url}/web/20260301040506id_/{SITE} of 2026-03-01T04:05:06Z"
    gate = next(a for a in server.requests if a.path.startswith("/gate/"))
    assert gate.headers["accept-datetime"] == "Sun, 01 Mar 2026 00:00:00 GMT"


def test_a_copy_without_a_plain_form_is_taken_as_it_is(server: WebServer, archive: Fetch) -> None:
    server.put(f"/gate/{SITE}", memento(server, "400 Gbps"))  # type: ignore[arg-type]
    got = archive()
    assert (got.body, got.reason) == (b"400 Gbps", None)


def test_the_list_of_copies_serves_where_the_gate_does_not(server: WebServer, archive: Fetch) -> None:
    listed = ",\n".join(
        [
            f'<{SITE}>; rel="original"',
            f'<{server.url}/map2/{SITE}>; rel="timemap"; from="{MARCH}"; until="{MARCH}"',
            f'<{server.url}/c/1>; rel="first memento"; datetime="Thu, 01 Jan 2015 00:00:00 GMT"',
            f'<{server.url}/c/bad>; rel="memento"; datetime="whenever"',
        ]
    )
    server.put(f"/map/{SITE}", answer(listed, content_type="application/link-format"))
    further = f'<{server.url}/c/2>; rel="memento"; datetime="{MARCH}"'
    server.put(f"/map2/{SITE}", answer(further, content_type="application/link-format"))
    server.put("/c/2", memento(server, "in March"))  # type: ignore[arg-type]
    got = archive()
    assert (got.body, got.url) == (b"in March", SITE)


def test_a_gate_that_names_the_copy_in_a_link_is_understood(server: WebServer, archive: Fetch) -> None:
    link = f'<{SITE}>; rel="original", <{server.url}/c>; rel="memento"; datetime="{MARCH}"'
    server.put(f"/gate/{SITE}", page("a frame around the copy", headers=[("Link", link)]))
    server.put("/c", memento(server, "the copy"))  # type: ignore[arg-type]
    assert archive().body == b"the copy"
    assert "accept-datetime" not in server.requests[-1].headers


def test_no_copy_is_no_page(server: WebServer, archive: Fetch) -> None:
    got = archive()
    assert (str(got.reason), got.via, got.body, got.url) == ("not-found", "memento", b"", SITE)


def test_an_archive_that_fails_gives_its_reason(server: WebServer, archive: Fetch) -> None:
    server.put(f"/gate/{SITE}", redirect("http://169.254.169.254/"))
    got = archive()
    assert (str(got.reason), got.via, got.requested) == ("refused", "memento", SITE)


def test_an_answer_without_its_date_is_no_copy(server: WebServer, archive: Fetch) -> None:
    server.put(f"/gate/{SITE}", page("Search our archive"))
    server.put(f"/map/{SITE}", answer(f'<{server.url}/c>; rel="memento"; datetime="{MARCH}"'))
    server.put("/c", page("Search our archive"))
    assert str(archive().reason) == "not-found"


def test_links_are_read_with_commas_and_quotes_in_them() -> None:
    text = '<http://a.example/x,y>; rel="memento last"; datetime="Sun, 01 Mar 2026 04:05:06 GMT" , <b>;rel=timegate'
    first, second = links(text, "http://a.example/")
    assert (first.url, first.relations) == ("http://a.example/x,y", ("memento", "last"))
    assert first.time == datetime(2026, 3, 1, 4, 5, 6, tzinfo=UTC)
    assert (second.url, second.relations, second.time) == ("http://a.example/b", ("timegate",), None)


@pytest.mark.parametrize(
    "text", ["", "<", "<" * 50_000, '<a>; rel="' * 5_000, "; rel=x," * 5_000, "<a>;" * 20_000]
)
def test_broken_links_are_passed_over(text: str) -> None:
    assert len(list(links(text))) <= 20_000


@pytest.fixture(scope="module")
def pywb(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A real Memento server, in an environment of its own, on three captures that kb archived."""
    command = os.environ.get("KB_PYWB") or shutil.which("pywb")
    if not command:
        pytest.skip(
            "no pywb: install it into an environment of its own and set KB_PYWB to its `pywb` command"
        )
    home = tmp_path_factory.mktemp("pywb")
    archive = Archive(home / "snapshots")
    for when, text in WAS:
        with archive.begin(when, {}) as run:
            body = f"<html><body><p>{text}</p></body></html>".encode()
            head = (("Content-Type", "text/html"),)
            run.keep(Exchange(SITE, SITE, when, status=200, headers=head, body=body))
    manager = str(Path(command).with_name("wb-manager"))
    files = sorted(map(str, (home / "snapshots").rglob("*.warc.gz")))
    for words in (["init", "kb"], ["add", "kb", *files]):
        subprocess.run([manager, *words], cwd=home, check=True, capture_output=True)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    server = subprocess.Popen(
        [command, "-b", "127.0.0.1", "-p", str(port)],
        cwd=home,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        for _ in range(300):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                break
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}/kb/"
    finally:
        server.terminate()
        server.wait(10)


@pytest.mark.parametrize(
    ("at", "expected"),
    [(datetime(2026, 2, 20, tzinfo=UTC), "400"), (datetime(2026, 1, 5, tzinfo=UTC), "200"), (None, "800")],
)
def test_pywb_gives_the_nearest_copy_of_our_own_archive(
    pywb: str, fetch: Fetch, at: datetime | None, expected: str
) -> None:
    got = fetch(
        FetchRequest(SITE, archive=True, at=at), timegate=pywb, timemap=f"{pywb}timemap/link/", timeout=20
    )
    assert (got.reason, got.url) == (None, SITE)
    assert got.body == f"<html><body><p>{expected} Gbps</p></body></html>".encode()


def test_pywb_without_a_copy_gives_none(pywb: str, fetch: Fetch) -> None:
    request = FetchRequest("https://site.example/never-seen", archive=True)
    assert (
        str(fetch(request, timegate=pywb, timemap=f"{pywb}timemap/link/", timeout=20).reason) == "not-found"
    )
