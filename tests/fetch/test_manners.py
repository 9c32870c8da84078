"""A good guest: who asks, how often, what robots.txt and Retry-After ask for, and what is asked again."""

from __future__ import annotations

import asyncio
import itertools
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from webserver import WebServer, answer, drip, page, raw, redirect, reset, silent

from kb.errors import ArchiveError, UsageError
from kb.fetch import FetchEvent, FetchRequest, FetchSettings, HostSettings, fetch_one, fetch_pages
from kb.fetch.retry import retry_after
from kb.snapshots.capture import Exchange

Fetch = Callable[..., Exchange]
Make = Callable[..., FetchSettings]
NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


def test_each_request_says_who_asks(server: WebServer, fetch: Fetch) -> None:
    server.put("/", page("x"))
    got = fetch(server.url + "/", contact="https://example.org/about-kb")
    for asked in server.requests:
        assert asked.method == "GET"
        assert asked.headers["user-agent"].startswith("kb/")
        assert "(+https://example.org/about-kb)" in asked.headers["user-agent"]
        assert asked.headers["accept-encoding"] == "gzip, deflate"
        assert asked.headers["accept-language"] == "en,*;q=0.5"
        assert "cookie" not in asked.headers
    assert dict(got.request_headers)["User-Agent"] == server.requests[-1].headers["user-agent"]


@pytest.mark.parametrize("contact", ["a\r\nX: b", "me)", "ü@example.org"])
def test_a_contact_that_would_break_the_header_is_refused(contact: str) -> None:
    with pytest.raises(UsageError, match="contact"):
        FetchSettings(contact=contact)


def test_two_requests_to_one_host_are_apart_by_the_delay(server: WebServer, settings: Make) -> None:
    server.otherwise(page("x"))
    mine = settings(hosts={f"127.0.0.1:{server.port}": HostSettings(delay=0.15)})
    fetch_pages([FetchRequest(f"{server.url}/{n}") for n in range(3)], mine, lambda e: None)
    moments = [a.at for a in server.requests]
    assert len(moments) == 4  # robots.txt first
    assert all(after - before >= 0.14 for before, after in itertools.pairwise(moments))


def test_loopback_is_asked_without_delay(server: WebServer, settings: Make) -> None:
    server.otherwise(page("x"))
    before = time.monotonic()
    fetch_pages([FetchRequest(f"{server.url}/{n}") for n in range(5)], settings(delay=30), lambda e: None)
    assert time.monotonic() - before < 30


def test_hosts_are_asked_side_by_side_and_each_for_one_page_at_a_time(settings: Make) -> None:
    lock = threading.Lock()
    busy: dict[int, int] = {}
    most: dict[str, int] = {"one": 0, "all": 0}

    def slow(conn: socket.socket, asked: object) -> object:
        port = conn.getsockname()[1]
        with lock:
            busy[port] = busy.get(port, 0) + 1
            most["one"] = max(most["one"], busy[port])
            most["all"] = max(most["all"], sum(busy.values()))
        time.sleep(0.05)
        with lock:
            busy[port] -= 1
        return page("x")(conn, asked)  # type: ignore[arg-type]

    with WebServer() as a, WebServer() as b, WebServer() as c:
        for server in (a, b, c):
            server.otherwise(slow)
            server.robots = answer("", 404)
        requests = [FetchRequest(f"{s.url}/{n}") for n in range(3) for s in (a, b, c)]
        fetch_pages(requests, settings(), lambda e: None)
    assert most["one"] == 1
    assert most["all"] > 1


def test_robots_is_obeyed_and_asked_for_once(server: WebServer, settings: Make) -> None:
    server.robots = answer(
        "User-agent: *\nDisallow: /private\nAllow: /private/open\n", content_type="text/plain"
    )
    server.otherwise(page("x"))
    kept: dict[str, Exchange] = {}
    urls = [f"{server.url}{p}" for p in ("/a", "/private/b", "/private/open", "/c?d=1")]
    fetch_pages([FetchRequest(u) for u in urls], settings(), lambda e: kept.setdefault(e.requested, e))
    assert [str(kept[u].reason) for u in urls] == ["None", "robots", "None", "None"]
    assert server.asked("/robots.txt") == 1
    assert server.asked("/private/b") == 0


def test_robots_rules_for_kb_alone_count(server: WebServer, fetch: Fetch) -> None:
    server.robots = answer("User-agent: *\nDisallow:\n\nUser-agent: kb\nDisallow: /\n")
    assert str(fetch(server.url + "/").reason) == "robots"


def test_robots_of_the_redirects_target_is_obeyed(server: WebServer, fetch: Fetch) -> None:
    with WebServer() as other:
        other.robots = answer("User-agent: *\nDisallow: /\n")
        server.put("/", redirect(other.url + "/x"))
        got = fetch(server.url + "/")
        assert str(got.reason) == "robots"
        assert other.asked("/x") == 0


@pytest.mark.parametrize("status", [400, 401, 403, 404, 410])
def test_a_robots_file_that_is_not_there_allows(server: WebServer, fetch: Fetch, status: int) -> None:
    server.robots = answer("Disallow: /", status)
    server.put("/", page("x"))
    assert fetch(server.url + "/").status == 200


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_site_whose_robots_file_fails_waits(server: WebServer, fetch: Fetch, status: int) -> None:
    server.robots = answer("", status)
    server.put("/", page("x"))
    got = fetch(server.url + "/")
    assert (str(got.reason), server.asked("/")) == ("robots", 0)
    assert str(status) in got.detail


def test_a_robots_file_that_redirects_without_end_allows(server: WebServer, fetch: Fetch) -> None:
    server.robots = redirect("/robots.txt")
    server.put("/", page("x"))
    assert fetch(server.url + "/").status == 200


def test_a_crawl_delay_is_kept(server: WebServer, settings: Make) -> None:
    server.robots = answer("User-agent: *\nCrawl-delay: 0.2\n")
    server.otherwise(page("x"))
    fetch_pages([FetchRequest(f"{server.url}/{n}") for n in range(2)], settings(), lambda e: None)
    first, second = (a.at for a in server.requests if a.path != "/robots.txt")
    assert second - first >= 0.19


@pytest.mark.parametrize(
    ("failing", "tries"),
    [
        pytest.param(answer("", 500), 3, id="500"),
        pytest.param(answer("", 503), 3, id="503"),
        pytest.param(answer("", 429), 3, id="429"),
        pytest.param(reset(), 3, id="reset"),
        pytest.param(silent(2), 3, id="timeout"),
        pytest.param(answer("", 404), 1, id="404"),
        pytest.param(answer("", 403), 1, id="403"),
        pytest.param(answer("", 501), 1, id="501"),
        pytest.param(raw(b"noise\r\n\r\n"), 1, id="not HTTP"),
        pytest.param(redirect("/"), 1, id="a loop"),
    ],
)
def test_only_what_can_pass_is_tried_again(
    server: WebServer, fetch: Fetch, failing: object, tries: int
) -> None:
    server.put("/", failing)  # type: ignore[arg-type]
    fetch(server.url + "/", tries=3, timeout=0.4)
    assert server.asked("/") == tries


def test_a_failure_that_passes_is_forgotten(server: WebServer, fetch: Fetch) -> None:
    server.put("/", answer("", 503), reset(), page("here"))
    got = fetch(server.url + "/", tries=3)
    assert (got.status, got.body, got.reason) == (200, b"here", None)


def test_a_name_is_looked_up_twice(fetch: Fetch) -> None:
    asked: list[str] = []

    async def nowhere(name: str, port: int) -> list[str]:
        asked.append(name)
        raise socket.gaierror(-2, "Name or service not known")

    got = fetch("http://nowhere.example/", tries=5, resolver=nowhere)
    assert (str(got.reason), len(asked)) == ("dns", 2)
    assert "Name or service not known" in got.detail


def test_a_host_whose_name_fails_is_not_looked_up_for_each_page(settings: Make) -> None:
    asked: list[str] = []

    async def nowhere(name: str, port: int) -> list[str]:
        asked.append(name)
        raise socket.gaierror(-2, "Name or service not known")

    kept: list[Exchange] = []
    requests = [FetchRequest(f"http://h{h}.example/{n}") for h in range(80) for n in range(3)]
    fetch_pages(requests, settings(resolver=nowhere), kept.append)
    assert {str(e.reason) for e in kept} == {"dns"}
    assert (len(kept), len(asked)) == (240, 80)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("120", 120.0),
        (" 0 ", 0.0),
        ("Mon, 30 Nov 2026 12:00:30 GMT", 30.0),
        ("Monday, 30-Nov-26 12:00:30 GMT", 30.0),
        ("Mon, 30 Nov 2026 11:00:00 GMT", 0.0),
        ("soon", None),
        ("-5", None),
        ("", None),
        ("9" * 400, 999999999.0),
    ],
)
def test_retry_after_is_read_as_seconds_or_date(value: str, seconds: float | None) -> None:
    assert retry_after(value, NOW) == seconds


def test_retry_after_is_honoured(server: WebServer, fetch: Fetch) -> None:
    server.put("/", answer("", 429, [("Retry-After", "1")]), page("x"))
    assert fetch(server.url + "/", tries=3).status == 200
    first, second = (a.at for a in server.requests if a.path == "/")
    assert second - first >= 0.95


def test_nobody_waits_longer_than_a_minute(server: WebServer, fetch: Fetch) -> None:
    server.put("/", answer("later", 503, [("Retry-After", "3600")]), page("x"))
    got = fetch(server.url + "/", tries=3)
    assert (got.status, server.asked("/")) == (503, 1)


def test_a_site_that_asks_for_a_long_wait_is_left_alone_for_the_run(
    server: WebServer, settings: Make
) -> None:
    server.otherwise(answer("later", 429, [("Retry-After", "3600")]))
    server.robots = answer("", 404)
    kept: list[Exchange] = []
    polite = settings(hosts={"127.0.0.1": HostSettings(delay=0.01)})
    fetch_pages([FetchRequest(f"{server.url}/{n}") for n in range(3)], polite, kept.append)
    assert [(e.status, str(e.reason)) for e in kept] == [(429, "None"), (None, "blocked"), (None, "blocked")]
    assert "3600" in kept[1].detail
    assert len(server.requests) == 2


def test_a_host_that_answers_nothing_is_given_up_after_three_pages(server: WebServer, settings: Make) -> None:
    server.otherwise(reset())
    server.robots = answer("", 404)
    server.put("/well", page("x"))
    kept: list[Exchange] = []
    paths = ["/1", "/2", "/well", "/3", "/4", "/5", "/6", "/well"]
    polite = settings(hosts={"127.0.0.1": HostSettings(delay=0.01)})
    fetch_pages([FetchRequest(server.url + p) for p in paths], polite, kept.append)
    assert [str(e.reason) for e in kept] == ["unreachable"] * 2 + ["None"] + ["unreachable"] * 5
    assert [e.detail.startswith("not asked") for e in kept] == [False] * 6 + [True] * 2
    assert server.asked("/well") == 1


def test_only_what_changed_is_asked_for(server: WebServer, fetch: Fetch) -> None:
    server.put("/", answer(b"", 304, [("ETag", '"1"')]))
    known = FetchRequest(
        server.url + "/", etag='"1"', last_modified="Mon, 30 Nov 2026 00:00:00 GMT", digest="sha256:0"
    )
    got = fetch(known)
    assert (got.not_modified, got.digest, got.status, got.reason) == (True, "sha256:0", 304, None)
    headers = server.requests[-1].headers
    assert headers["if-none-match"] == '"1"'
    assert headers["if-modified-since"] == "Mon, 30 Nov 2026 00:00:00 GMT"


def test_what_is_known_of_one_address_is_not_asked_of_another(server: WebServer, fetch: Fetch) -> None:
    server.put("/", redirect("/new"))
    server.put("/new", page("x"))
    fetch(FetchRequest(server.url + "/", etag='"1"', digest="sha256:0", answered=server.url + "/old"))
    assert not any("if-none-match" in a.headers for a in server.requests)
    fetch(FetchRequest(server.url + "/", etag='"1"', digest="sha256:0", answered=server.url + "/new"))
    assert ["if-none-match" in a.headers for a in server.requests[-2:]] == [False, True]


def test_redirects_are_kept_hop_by_hop(server: WebServer, fetch: Fetch) -> None:
    server.put("/a", redirect("b", 301))
    server.put("/b", redirect("//127.0.0.1:" + str(server.port) + "/c#part", 308))
    server.put("/c", page("x"))
    got = fetch(server.url + "/a#figures")
    assert [(h.url, h.status) for h in got.hops] == [(server.url + "/a", 301), (server.url + "/b", 308)]
    assert (got.requested, got.url) == (server.url + "/a#figures", server.url + "/c")


def test_a_cookie_set_by_a_redirect_is_carried_for_that_page_only(server: WebServer, settings: Make) -> None:
    server.put("/", redirect("/", headers=[("Set-Cookie", "seen=1")]), page("in"))
    server.put("/other", page("x"))
    kept: list[Exchange] = []
    fetch_pages([FetchRequest(server.url + p) for p in ("/", "/other")], settings(), kept.append)
    assert kept[0].body == b"in"
    assert [a.headers.get("cookie") for a in server.requests if a.path != "/robots.txt"] == [
        None,
        "seen=1",
        None,
    ]


def test_a_fragment_and_credentials_are_not_sent(server: WebServer, fetch: Fetch) -> None:
    server.put("/", page("x"))
    fetch(server.url.replace("//", "//me:secret@") + "/#top")
    assert server.requests[-1].path == "/"
    assert "authorization" not in server.requests[-1].headers


@pytest.mark.parametrize("url", ["file:///etc/passwd", "ftp://example.org/", "not a url", "http://", ""])
def test_what_is_no_web_address_is_refused(fetch: Fetch, url: str) -> None:
    assert str(fetch(url).reason) == "refused"


def test_the_time_limit_holds_for_all_redirects_of_a_try_together(server: WebServer, fetch: Fetch) -> None:
    def slow(conn: socket.socket, asked: object) -> object:
        time.sleep(0.2)
        return redirect("/{n}")(conn, asked)  # type: ignore[arg-type]

    for n in range(10):
        server.put(f"/{n}", redirect(f"/{n + 1}"))
    server.robots = answer("", 404)
    server.otherwise(slow)
    server.put("/1", slow)
    assert str(fetch(server.url + "/x", timeout=0.3).reason) in ("timeout", "redirects")


def test_a_run_ends_when_its_time_is_up_and_says_what_was_left(server: WebServer, settings: Make) -> None:
    server.otherwise(page("x"))
    server.put("/slow", drip(b"x" * 1000, 0.05))
    requests = [FetchRequest(server.url + p) for p in ("/a", "/slow", "/b")]
    kept: list[Exchange] = []
    left = fetch_pages(requests, settings(max_time=0.5, timeout=30), kept.append)
    assert [e.requested for e in kept] == [server.url + "/a"]
    assert left == tuple(requests[1:])


def test_each_page_is_kept_exactly_once_and_told(server: WebServer, settings: Make) -> None:
    server.otherwise(page("x"))
    kept: list[str] = []
    told: list[FetchEvent] = []
    requests = [FetchRequest(f"{server.url}/{n}") for n in range(6)] + [FetchRequest("nonsense")]
    assert fetch_pages(requests, settings(), lambda e: kept.append(e.requested), progress=told.append) == ()
    assert sorted(kept) == sorted(r.url for r in requests)
    assert [e.kind for e in told].count("ended") == len(requests)
    assert told[-1].done == told[-1].total == len(requests)


def test_the_clock_is_the_callers(server: WebServer, settings: Make) -> None:
    server.put("/", page("x"))
    assert fetch_one(server.url + "/", settings(), clock=lambda: NOW).time == NOW


def test_a_full_disk_ends_the_run(server: WebServer, settings: Make) -> None:
    server.otherwise(page("x"))

    def full(exchange: Exchange) -> None:
        raise ArchiveError("no space left")

    with pytest.raises(ArchiveError, match="no space"):
        fetch_pages([FetchRequest(f"{server.url}/{n}") for n in range(3)], settings(), full)


def test_fetching_inside_a_running_loop_is_possible(server: WebServer, settings: Make) -> None:
    from kb.fetch import fetch_pages_async

    server.put("/", page("x"))
    kept: list[Exchange] = []
    asyncio.run(fetch_pages_async([FetchRequest(server.url + "/")], settings(), kept.append))
    assert kept[0].status == 200


_SCRIPT = """
import sys
from kb.fetch import FetchRequest, FetchSettings, fetch_pages
def keep(exchange):
    print("kept", exchange.requested, flush=True)
try:
    fetch_pages([FetchRequest(u) for u in sys.argv[1:]], FetchSettings(allow_private=True), keep)
except KeyboardInterrupt:
    print("stopped", flush=True)
    sys.exit(130)
"""


@pytest.mark.parametrize(("sent", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, -signal.SIGTERM)])
def test_an_interrupted_run_keeps_what_had_ended(server: WebServer, sent: signal.Signals, code: int) -> None:
    server.put("/a", page("x"))
    server.put("/b", silent(20))
    process = subprocess.Popen(
        [sys.executable, "-c", _SCRIPT, server.url + "/a", server.url + "/b"],
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[2],
        env={**os.environ, "PYTHONWARNINGS": "error"},
    )
    assert process.stdout is not None
    assert process.stdout.readline().startswith("kept")
    process.send_signal(sent)
    rest, _ = process.communicate(timeout=20)
    assert process.returncode == code
    assert "/b" not in rest
