"""The site in a real browser: found, followed, readable, and nothing to complain of."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from knowledge import a_database

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
    "/claims/hostile.text",
    "/sources",
    "/sources/vm",
    "/publishers/Example+Works",
    "/drift",
    "/drift?tag=cloud",
    "/review",
    "/method",
    "/search?q=network",
)
DATA = ("/kb", "/kb/claims_now?_facet=verdict", "/kb/claims/vm~2Ebandwidth", "/kb/history?claim=vm.bandwidth")
LOOKS = [(w, s) for w in (320, 1280) for s in ("light", "dark")]


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("seen")
    a_database(folder)
    server = subprocess.Popen(
        [sys.executable, "-m", "kb", "serve", "--kb", str(folder), "--port", "0", "--quiet"],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert server.stdout is not None
    yield server.stdout.readline().strip().rstrip("/")
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


@pytest.mark.parametrize(("width", "scheme"), LOOKS)
def test_no_page_has_an_error_a_violation_a_fault_of_access_or_a_sideways_scroll(
    browser: Any, address: str, width: int, scheme: str
) -> None:
    seen = Seen(browser, address, width, scheme)
    source = axe.AXE_FILE_PATH.read_text(encoding="utf-8")
    faults = []
    shots = os.environ.get("KB_SCREENSHOTS")
    for path in (*OURS, *DATA):
        seen.go(path)
        faults += [f"{path}: {line}" for line in seen.said]
        seen.said.clear()
        if path in OURS:
            wide = seen.page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
            faults += [f"{path}: {wide} px too wide"] if wide > 0 else []
            seen.page.evaluate(source)  # by the debugger, which no policy stops
            found = seen.page.evaluate("axe.run()")["violations"]
            faults += [f"{path}: {v['id']}: {v['nodes'][0]['html'][:120]}" for v in found]
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
    assert page.locator("mark").inner_text() == "6.4 Tbps"
    spot = page.get_by_role("link", name="Open the page at the spot")
    assert spot.get_attribute("href") == "https://vm.example/page#:~:text=here"
    page.get_by_role("link", name="Changes", exact=True).click()
    page.get_by_label("Tag").select_option("cloud")
    page.get_by_role("button", name="Filter").click()
    assert "tag=cloud" in page.url
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
