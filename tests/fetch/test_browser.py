"""Pages rendered in a browser whose every request kb answers itself."""

from __future__ import annotations

import importlib.util
import shutil
from collections.abc import Callable

import pytest
from webserver import WebServer, answer, page

from kb.fetch import FetchRequest
from kb.fetch.browser import NAMES
from kb.snapshots.capture import Exchange

Fetch = Callable[..., Exchange]

needs_browser = pytest.mark.skipif(
    importlib.util.find_spec("playwright") is None or not any(map(shutil.which, NAMES)),
    reason="the extra `browser` (Playwright) or a Chromium is not installed",
)
SHELL = (
    "<!doctype html><html><body><div id=app></div><script src=/app.js></script>"
    "<img src=/picture.png></body></html>"
)
SCRIPT = """
fetch('/data.json').then(r => r.json()).then(d => {
  document.getElementById('app').textContent = 'Port speed ' + d.speed;
  const ping = new Image(); ping.src = 'http://169.254.169.254/stolen';
  fetch('http://169.254.169.254/secret').catch(() => document.body.append(' kept out'));
});
"""


def test_without_a_browser_the_page_comes_as_it_is_and_says_why(server: WebServer, fetch: Fetch) -> None:
    server.put("/", page(SHELL))
    got = fetch(FetchRequest(server.url + "/", browser=True), browser_path="/no/such/chromium")
    assert (got.via, got.rendered, got.status) == ("live", None, 200)
    assert got.detail.startswith("not rendered: ")


def test_what_is_no_page_is_not_rendered(server: WebServer, fetch: Fetch) -> None:
    got = fetch(FetchRequest(server.url + "/", browser=True), browser_path="/no/such/chromium")
    assert (got.via, got.status, got.detail) == ("live", 404, "")


@needs_browser
def test_scripts_are_run_and_their_requests_are_guarded(server: WebServer, fetch: Fetch) -> None:
    server.put("/", page(SHELL))
    server.put("/app.js", answer(SCRIPT, content_type="text/javascript"))
    server.put("/data.json", answer('{"speed": "400 Gbps"}', content_type="application/json"))
    got = fetch(FetchRequest(server.url + "/", browser=True), timeout=20.0)
    assert (got.via, got.body, got.detail) == ("browser", SHELL.encode(), "")
    assert got.rendered is not None
    assert b"Port speed 400 Gbps" in got.rendered
    assert b"kept out" in got.rendered
    assert server.asked("/picture.png") == 0
    assert all(a.headers["user-agent"].startswith("kb/") for a in server.requests)


@needs_browser
def test_a_page_that_never_rests_ends_in_time(server: WebServer, fetch: Fetch) -> None:
    server.put("/", page("<p id=a>400 Gbps</p><script>for(;;){}</script>"))
    got = fetch(FetchRequest(server.url + "/", browser=True), timeout=3.0)
    assert got.via == "live"
    assert got.detail.startswith("not rendered")
