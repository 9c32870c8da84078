"""A verdict's link opens the page at the spot, in a real browser."""

from __future__ import annotations

from pathlib import Path

import pytest
from webserver import WebServer, answer

from kb.claims import Claim
from kb.judging import judge
from kb.page import Page, read_body

CHROMIUM = Path("/usr/bin/chromium")
VIEW = 600  # height of the window; the spot lies screens below it

SPOTS = {
    "sentence": "Falcon-2, port speed: 400 Gbps",
    "hyphens, commas and an ampersand": "Heron-1, ports: 96 ports",
    "cell": "Osprey-4, ports: 48",
    "twice": "Kestrel-7, ports: 24 ports",
    "long": "Merlin-9, latency: 750 ns",
}


def _filler(n: int) -> str:
    return "".join(
        f"<p>Nothing of note stands in this paragraph, number {chr(97 + i % 26)}.</p>" for i in range(n)
    )


HTML = (
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>Switches</title><h1>Switch families</h1>'
    + _filler(60)
    + '<p id="sentence">The Falcon-2 has many ports, each with a port speed of 400 Gbps.</p>'
    + _filler(60)
    + '<p id="hyphens, commas and an ampersand">The Heron-1, a low-latency switch &amp; router '
    "(50% smaller; “quiet”), has 96 ports.</p>"
    + _filler(60)
    + "<table><tr><th>Switch</th><th>Ports</th></tr><tr><td>Vulture-3</td><td>40</td></tr>"
    '<tr><td>Osprey-4</td><td id="cell">48</td></tr></table>'
    + _filler(60)
    + "<h2>Kestrel-6</h2><p>It has 24 ports.</p>"
    + _filler(60)
    + '<h2>Kestrel-7</h2><p id="twice">It has 24 ports.</p>'
    + _filler(60)
    + '<p id="long">The Merlin-9, which came late and was built for trading floors, where each nanosecond '
    "is paid for in gold, and where nobody asks what it draws from the wall, has a latency of 750 ns from "
    "port to port, measured without load.</p>" + _filler(60) + "</html>"
)


def _link(text: str, url: str) -> str:
    page = read_body(HTML.encode(), url=url, content_type="text/html")
    assert isinstance(page, Page)
    verdict = judge(Claim.parse(text), page)
    assert str(verdict.outcome) == "holds" and verdict.evidence is not None
    assert verdict.evidence.link is not None
    return verdict.evidence.link


def test_each_link_opens_chromium_at_its_spot() -> None:
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if not CHROMIUM.exists():
        pytest.skip(f"no Chromium at {CHROMIUM}")
    tops = {}
    with WebServer() as server, playwright.sync_playwright() as p:
        url = server.put("/switches", answer(HTML))
        browser = p.chromium.launch(executable_path=str(CHROMIUM), args=["--no-sandbox"])
        try:
            for spot, text in SPOTS.items():
                page = browser.new_page(viewport={"width": 900, "height": VIEW})
                page.goto(_link(text, url))
                page.wait_for_function("window.scrollY > 0", timeout=10_000)
                tops[spot] = page.locator(f'[id="{spot}"]').evaluate("e => e.getBoundingClientRect().top")
                page.close()
        finally:
            browser.close()
    assert all(0 <= top < VIEW for top in tops.values()), tops
