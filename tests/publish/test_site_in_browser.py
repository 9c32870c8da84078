"""The site in a real browser: found, followed, readable, and nothing to complain of."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from knowledge import HOSTILE, an_input, at

from kb.store import BuildInput, write_database

playwright = pytest.importorskip("playwright.sync_api", reason="the browser tests need playwright")
axe = pytest.importorskip("axe_playwright_python.base", reason="the browser tests need axe-playwright-python")

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="the browser tests need Chromium")

OURS = (
    "/",
    "/claims/vm.bandwidth",
    "/claims/vm.fabric",
    "/claims/sums.each",
    "/claims/never.count",
    "/claims/vm.makers",
    "/claims/vm.since",
    "/claims/vm.price",
    "/claims/vm.kept",
    "/claims/vm.edited",
    "/claims/wall.rate",
    "/claims/off.count",
    "/claims/sums.assumed",
    "/claims/hostile.text",
    "/claims",
    "/sources",
    "/sources/vm",
    "/sources/vm/text",
    "/sources/wall",
    "/sources/never",
    "/publishers/Example+Works",
    "/drift",
    "/drift?tag=cloud",
    "/review",
    "/method",
    "/search?q=network",
    "/search?q=nothing+has+this",
    "/search",
    "/nowhere",
    "/claims/nothing",
    "/kb.db",
    "/-/settings.json",
)
DATA = (
    "/kb",
    "/kb/claims_now?_facet=verdict",
    "/kb/claims?kind=figure&_sort=id&_search=network",
    "/kb/sources?id=nothing",
    "/kb/claims/vm~2Ebandwidth",
    "/kb/history?claim=vm.bandwidth",
    "/kb/longest_unread",
)
LOOKS = [(w, s) for w in (320, 1280) for s in ("light", "dark")]


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("seen")
    given = an_input()
    (vm,) = (s for s in given.captures["https://vm.example/page"] if s.capture.time == at(7.25))
    text = (("https://vm.example/page", vm.capture, f"All of it.\n\n{HOSTILE}\n\n{'long' * 2000}"),)
    write_database(folder / "kb.db", replace(given, mode="full", texts=text))
    with served(folder) as found:
        yield found


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address at which `kb serve` shows the folder's kb.db."""
    server = subprocess.Popen(
        [sys.executable, "-m", "kb", "serve", "--kb", str(folder), "--port", "0", "--quiet"],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert server.stdout is not None
    try:
        yield server.stdout.readline().strip().rstrip("/")
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(20)
        server.stdout.close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield started
        started.close()


class Seen:
    """A page of the browser, with what its console said and what it asked of others."""

    def __init__(self, browser: Any, address: str, width: int, scheme: str, scripts: bool = True) -> None:
        self.address = address
        # The policy holds for the site's own code; axe is put in past it, where it is used.
        self.context = browser.new_context(
            viewport={"width": width, "height": 900}, color_scheme=scheme, java_script_enabled=scripts
        )
        self.page = self.context.new_page()
        self.said: list[str] = []
        self.elsewhere: list[str] = []
        self.page.on(
            "console", lambda m: self.said.append(m.text) if m.type in ("error", "warning") else None
        )
        self.page.on("pageerror", lambda e: self.said.append(str(e)))
        self.page.on("request", self._asked)

    def _asked(self, request: Any) -> None:
        if urlsplit(request.url).netloc != urlsplit(self.address).netloc and not request.url.startswith(
            "data:"
        ):
            self.elsewhere.append(request.url)

    def go(self, path: str) -> Any:
        return self.page.goto(self.address + path)


def faults_of_access(seen: Seen) -> list[str]:
    """What axe finds on the page, and whether it is wider than the screen."""
    wide = seen.page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    # By the debugger, which no policy stops.
    seen.page.evaluate(axe.AXE_FILE_PATH.read_text(encoding="utf-8"))
    found = seen.page.evaluate("axe.run()")["violations"]
    return ([f"{wide} px too wide"] if wide > 0 else []) + [
        f"{v['id']}: {v['nodes'][0]['html'][:120]}" for v in found
    ]


@pytest.mark.parametrize(("width", "scheme"), LOOKS)
def test_no_page_has_an_error_a_violation_a_fault_of_access_or_a_sideways_scroll(
    browser: Any, address: str, width: int, scheme: str
) -> None:
    seen = Seen(browser, address, width, scheme)
    faults = []
    shots = os.environ.get("KB_SCREENSHOTS")
    for path in (*OURS, *DATA):
        if seen.go(path).status >= 400:
            # The browser says of each such answer that it is one.
            seen.said[:] = [line for line in seen.said if "Failed to load resource" not in line]
        faults += [f"{path}: {line}" for line in seen.said]
        seen.said.clear()
        faults += [f"{path}: {fault}" for fault in faults_of_access(seen)]
        if shots:
            name = "".join(c if c.isalnum() else "-" for c in path)
            seen.page.screenshot(path=Path(shots) / f"{width}-{scheme}{name}.png", full_page=True)
    assert "\n".join(faults) == ""
    assert seen.elsewhere == []
    seen.context.close()


@pytest.mark.parametrize(("width", "scheme"), LOOKS)
def test_a_visitor_finds_a_claim_and_its_evidence_without_scripts(
    browser: Any, address: str, width: int, scheme: str
) -> None:
    seen = Seen(browser, address, width, scheme, scripts=False)
    page = seen.page
    seen.go("/")
    page.get_by_label("Search claims").fill("3.2 Tbps")
    page.get_by_role("button", name="Search").click()
    page.get_by_role("link", name="bandwidth, network bandwidth").click()
    assert urlsplit(page.url).path == "/claims/vm.bandwidth"
    assert page.locator("mark").first.inner_text() == "6.4 Tbps"
    spot = page.get_by_role("link", name="Open the page at the spot")
    assert spot.get_attribute("href") == "https://vm.example/page#:~:text=here"
    page.get_by_role("link", name="Changes", exact=True).click()
    page.get_by_label("Tag").select_option("cloud")
    page.get_by_role("button", name="Filter").click()
    assert "tag=cloud" in page.url
    feed = page.get_by_role("link", name="Feed").get_attribute("href")
    assert "<feed" in seen.context.request.get(address + str(feed)).text()
    assert page.get_by_role("link", name="bandwidth, network bandwidth").count() == 1
    assert seen.said == []
    seen.context.close()


def test_the_keyboard_alone_leads_from_home_to_a_claim(browser: Any, address: str) -> None:
    seen = Seen(browser, address, 1280, "light")
    page = seen.page
    seen.go("/")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    for _ in range(40):
        page.keyboard.press("Tab")
        if "/claims/" in (page.evaluate("document.activeElement.href || ''")):
            break
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline != "none"
    with page.expect_navigation():
        page.keyboard.press("Enter")
    assert urlsplit(page.url).path.startswith("/claims/")
    seen.context.close()


def test_feed_badge_and_data_for_machines_are_had_in_the_browser(browser: Any, address: str) -> None:
    seen = Seen(browser, address, 1280, "light")
    seen.go("/claims/vm.bandwidth")
    feed = seen.page.locator('link[type="application/atom+xml"]').last.get_attribute("href")
    answer = seen.context.request.get(address + str(feed))
    assert answer.ok and "<feed" in answer.text()
    data = seen.page.evaluate(
        "JSON.parse(document.querySelector('script[type=\"application/ld+json\"]').textContent)['@type']"
    )
    assert data == "Claim"
    seen.go("/claims/vm.bandwidth.svg")
    assert seen.page.locator("text").count() == 2
    assert seen.said == []
    seen.context.close()


@pytest.mark.parametrize(("width", "scheme"), LOOKS)
def test_a_knowledge_base_that_was_never_checked_looks_right(
    browser: Any, tmp_path: Path, width: int, scheme: str
) -> None:
    write_database(tmp_path / "kb.db", BuildInput(sources=an_input().sources, captures={}))
    with served(tmp_path) as address:
        seen = Seen(browser, address, width, scheme)
        for path in ("/", "/claims/vm.bandwidth", "/claims/sums.each", "/sources/vm", "/sources", "/review"):
            seen.go(path)
            assert faults_of_access(seen) == [], path
        seen.go("/")
        assert "none was checked here yet" in seen.page.locator(".banner").inner_text()
        seen.page.get_by_role("link", name="bandwidth, network bandwidth").click()
        assert "not checked here yet" in seen.page.locator(".banner").inner_text()
        assert seen.page.get_by_role("link", name="Open the source's page").count() == 1
        assert seen.said == []
        seen.context.close()


@pytest.mark.parametrize("scripts", [True, False])
def test_the_site_as_files_works_on_a_plain_server(browser: Any, tmp_path: Path, scripts: bool) -> None:
    write_database(tmp_path / "kb.db", an_input())
    command = [sys.executable, "-m", "kb", "export", "--kb", str(tmp_path), "--site", str(tmp_path / "site")]
    subprocess.run(command, check=True, capture_output=True)
    handler = partial(SimpleHTTPRequestHandler, directory=str(tmp_path / "site"))
    handler.log_message = lambda *given: None  # type: ignore[attr-defined]
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        seen = Seen(browser, f"http://127.0.0.1:{server.server_port}", 320, "light", scripts)
        page = seen.page
        seen.go("/")
        page.get_by_role("link", name="bandwidth, network bandwidth").click()
        assert page.locator("mark").first.inner_text() == "6.4 Tbps"
        assert page.locator(".badge img").evaluate("i => i.naturalWidth") > 50
        page.get_by_role("link", name="The page of vm").first.click()
        assert page.get_by_role("heading", name="The page of vm").count() == 1
        page.get_by_role("link", name="Knowledge base").click()
        page.get_by_role("link", name="Claims", exact=True).click()
        assert page.get_by_role("link", name="bandwidth, network bandwidth").count() == 1
        for path in ("/drift.atom", "/claims/vm.bandwidth.atom", "/claims/vm.bandwidth.json"):
            assert seen.context.request.get(seen.address + path).ok
        assert (seen.said, seen.elsewhere) == ([], [])
        if scripts:
            for path in ("/", "/claims/vm.bandwidth/", "/claims/", "/drift/", "/method/"):
                seen.go(path)
                assert faults_of_access(seen) == [], path
        seen.context.close()
        server.shutdown()


def test_a_claim_is_printed_dark_on_light_whatever_the_screen_is(browser: Any, address: str) -> None:
    seen = Seen(browser, address, 780, "dark")
    seen.go("/claims/vm.bandwidth")
    seen.page.emulate_media(media="print")
    colours = "e => [getComputedStyle(e).color, getComputedStyle(e).backgroundColor]"
    for place in (".banner", ".beside > section", ".excerpt"):
        ink, paper = seen.page.locator(place).first.evaluate(colours)
        assert max(_rgb(ink)) < 128 < 200 < min(_rgb(paper)), place
    assert not seen.page.locator("form").is_visible()
    assert not seen.page.locator(".menu").is_visible()
    seen.context.close()


def _rgb(colour: str) -> list[int]:
    return [int(n) for n in re.findall(r"\d+", colour)[:3]]
