"""What the public can do to the running server: read, and nothing else."""

from __future__ import annotations

import http.client
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from knowledge import a_database, an_input

from kb.store import schema, write_database

PLACES = ("/", "/claims/vm.bandwidth", "/kb/claims", "/kb", "/nowhere", "/kb.db", "/-/settings.json")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("served")


@pytest.fixture(scope="module")
def port(folder: Path) -> Iterator[int]:
    a_database(folder)
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen(
            [sys.executable, "-m", "kb", "serve", "--kb", str(folder), "--port", "0", "--quiet"],
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )
    assert server.stdout is not None
    address = server.stdout.readline().strip()
    yield urlsplit(address).port or 0
    server.send_signal(signal.SIGTERM)
    server.wait(20)
    server.stdout.close()


def ask(port: int, path: str, method: str = "GET", **headers: str) -> tuple[int, dict[str, str], bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        connection.request(method, path, headers=headers)
        answer = connection.getresponse()
        return answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read()
    finally:
        connection.close()


def raw(port: int, request: bytes) -> int:
    """The status of what is sent exactly so; 0 where the server only hangs up."""
    with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
        connection.sendall(request)
        answer = connection.recv(64)
    found = re.match(rb"HTTP/1\.1 (\d{3})", answer)
    return int(found[1]) if found else 0


@pytest.mark.parametrize("path", PLACES)
def test_each_answer_has_the_headers(port: int, path: str) -> None:
    _, headers, _ = ask(port, path)
    assert "default-src 'none'" in headers["content-security-policy"]
    assert "unsafe-inline" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["referrer-policy"] == "same-origin"
    assert "cache-control" in headers
    assert "set-cookie" not in headers


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "PROPFIND"])
def test_only_get_and_head_are_answered(port: int, method: str) -> None:
    for path in ("/", "/kb/claims", "/claims/vm.bandwidth", "/kb/claims/-/insert"):
        status, headers, _ = ask(port, path, method)
        assert (status, headers["allow"]) == (405, "GET, HEAD")


def test_head_has_no_body(port: int) -> None:
    for path in ("/", "/claims/vm.bandwidth", "/kb/claims", "/-/settings.json"):
        status, _, body = ask(port, path, "HEAD")
        assert (status, body) == (403 if path.startswith("/-/") else 200, b"")


@pytest.mark.parametrize(
    "path",
    [
        "/kb?sql=select+1",
        "/kb.json?sql=select+1",
        "/kb/claims?_where=1=1",
        "/kb.db",
        "/-/settings.json",
        "/-/metadata.json",
        "/-/versions.json",
        "/-/plugins.json",
        "/-/databases.json",
        "/-/threads.json",
        "/-/actor.json",
        "/-/permissions",
        "/-/logout",
        "/%2D/settings.json",
        "/kb/claims_fts",
        "/kb/claims_fts_data",
        "/kb/about",
    ],
)
def test_what_is_not_public_is_denied(port: int, path: str) -> None:
    status, _, body = ask(port, path)
    assert status in (403, 404), body[:200]
    assert b"num_sql_threads" not in body


def test_shadow_tables_are_not_listed(port: int) -> None:
    _, _, body = ask(port, "/kb")
    assert b"claims_fts" not in body
    assert b"/kb/about" not in body


def test_streaming_csv_is_off(port: int) -> None:
    status, _, body = ask(port, "/kb/claims.csv?_stream=1&_size=1")
    assert status == 400 or body.count(b"\r\n") <= 3


@pytest.mark.parametrize(
    "path",
    [
        "/kb/claims?_sort=nothing",
        "/kb/claims?_sort_desc=nothing",
        "/kb/claims?_through=x",
        "/kb/claims?_timelimit=abc",
        "/kb/claims?_size=-1",
        "/kb/claims?_size=abc",
        "/kb/claims?_next=%27",
        "/kb/claims?_facet=nothing",
        "/kb/claims?_facet_size=abc",
        "/kb/claims?_facet_array=id",
        "/kb/claims?_search=%22",
        "/kb/claims?_search_x=1",
        "/kb/claims?_col=nothing",
        "/kb/claims?_trace=1",
        "/kb/claims?nothing=1",
        "/kb/claims?a=%00",
        "/kb/claims.json?_shape=nothing",
        "/kb/history",
        "/kb/nothing",
        "/kb/claims/nothing",
        "/claims/%ff",
        "/claims/%zz",
        "/claims/%",
        "/claims/a%2Fb",
        "/claims/..%2f..%2fkb",
        "/../kb",
        "/kb/%2e%2e/%2e%2e/etc/passwd",
        "/-/static/../app.py",
        "/-/static-plugins/citedrift/..%2Fplugin.py",
        "//evil.test/",
        "///evil.test//",
        "/\\evil.test/",
        "/kb//",
        "/-/static/" + "a" * 300 + ".css",
        "/-/static-plugins/citedrift/" + "a" * 300,
        "/kb/claims.json?_json_infinity=x",
        "/" + "a" * 5000,
        "/search?q=" + "a" * 1900,
        "/?" + "&".join(f"a{i}=1" for i in range(300)),
    ],
)
def test_no_address_makes_the_server_fail_or_leads_away(port: int, path: str) -> None:
    status, headers, _ = ask(port, path)
    assert status < 500
    assert not headers.get("location", "/").startswith(("//", "/\\", "http"))


@pytest.mark.parametrize("table", [*schema.TABLES, *schema.VIEWS])
def test_every_column_can_be_a_facet_and_a_sort_key_without_a_failure(port: int, table: str) -> None:
    for column in schema.COLUMNS.get(table, {"id": "", "publisher": "", "verdict": ""}):
        for key in ("_facet", "_sort", "_sort_desc", "_facet_array", "_facet_date"):
            status, headers, _ = ask(port, f"/kb/{table}.json?{key}={column}&_size=1")
            assert status in (200, 400, 403), (table, column, key)
    assert headers["x-robots-tag"] == "noindex, nofollow"


@pytest.mark.parametrize(
    "request_line",
    [b"GET * HTTP/1.1", b"GET /\xff HTTP/1.1", b"GET /%c3 HTTP/1.1", b"GET  HTTP/1.1", b"G\x00T / HTTP/1.1"],
)
def test_malformed_requests_are_refused(port: int, request_line: bytes) -> None:
    assert raw(port, request_line + b"\r\nHost: x\r\nConnection: close\r\n\r\n") < 500


def test_cookies_and_credentials_are_not_even_read(port: int) -> None:
    for cookie in ("ds_actor=x", "\xff\xfe", "ds_messages=x"):
        status, _, _ = ask(port, "/kb/claims", Cookie=cookie, Authorization="Bearer x")
        assert status == 200


def test_robots_are_kept_off_filters(port: int) -> None:
    status, headers, body = ask(port, "/robots.txt")
    assert (status, headers["content-type"].partition(";")[0]) == (200, "text/plain")
    assert b"Disallow: /*?" in body
    assert "x-robots-tag" not in ask(port, "/claims/vm.bandwidth")[1]


def test_what_visitors_get_wrong_leaves_no_trace_in_the_log(port: int, folder: Path) -> None:
    for path in (
        "/no/such/place",
        "/nowhere",
        "/kb/claims?_facet_array=figure",
        "/kb/claims?_facet=nothing",
        "/kb/claims.json?_facet_date=nothing",
        "/kb/claims?_size=abc",
        "/kb/claims.json?_json_infinity=x",
        "/kb/claims?nothing=1",
    ):
        assert ask(port, path)[0] < 500
    log = (folder / "log").read_text(encoding="utf-8", errors="replace")
    assert not re.search("locals|ERROR|Traceback|RuntimeWarning", log)


@pytest.mark.parametrize("path", ["/-/settings.json", "/kb.db", "/kb/about", "/nowhere", "/claims/%ff"])
def test_a_refusal_is_a_page_for_a_browser_and_says_nothing_of_the_machine(port: int, path: str) -> None:
    status, headers, body = ask(port, path, Accept="text/html,application/xhtml+xml")
    assert status in (400, 403, 404)
    assert headers["content-type"].startswith("text/html")
    assert b"kb.css" in body and b'href="/"' in body
    assert b"view-" not in body and b"datasette/" not in body


words = st.text(st.characters(min_codepoint=33, max_codepoint=126, blacklist_characters="#"), max_size=30)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.sampled_from(
        [
            "/",
            "/kb/claims",
            "/kb/claims_now",
            "/claims/",
            "/sources/",
            "/search",
            "/kb/",
            "/-/",
            "/kb/history",
        ]
    ),
    words,
    st.lists(
        st.tuples(
            st.sampled_from(["_sort", "_facet", "_search", "q", "_size", "_next", "_where", "claim", "x"]),
            words,
        ),
        max_size=3,
    ),
)
def test_fuzzed_addresses_give_no_failure(
    port: int, start: str, rest: str, query: list[tuple[str, str]]
) -> None:
    path = start + rest.replace("?", "") + "?" + "&".join(f"{k}={v}" for k, v in query)
    status, headers, body = ask(port, path)
    assert status < 500, path
    assert b"Traceback" not in body
    assert not headers.get("location", "/").startswith(("//", "/\\"))


def test_connections_to_old_files_are_closed(port: int, folder: Path) -> None:
    for number in range(4):
        write_database(folder / "kb.db", replace(an_input(), name=f"edition {number}"))
        ask(port, "/")
    held = Path("/proc")
    if not held.is_dir():
        pytest.skip("this system does not show which files a process holds")
    server = next(p for p in held.iterdir() if p.name.isdigit() and _serves(p, folder))
    deleted = [link for fd in (server / "fd").iterdir() if (link := _target(fd)).endswith("kb.db (deleted)")]
    assert deleted == []


def _serves(process: Path, folder: Path) -> bool:
    try:
        return str(folder).encode() in (process / "cmdline").read_bytes()
    except OSError:
        return False


def _target(fd: Path) -> str:
    try:
        return str(fd.readlink())
    except OSError:
        return ""


def test_a_taken_port_is_told_with_what_to_do(port: int, folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "kb", "serve", "--kb", str(folder), "--port", str(port)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 4
    assert "choose another with --port N" in done.stderr


def test_a_missing_database_is_told_with_what_to_do(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "kb", "serve", "--kb", str(tmp_path), "--port", "0"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 4
    assert "kb check or kb build" in done.stderr
