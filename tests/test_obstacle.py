"""Responses told apart: what stands in place of a page, and pages that only look like it."""

from __future__ import annotations

import json
import string
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kb.page import Page, Unread, read_page, read_response
from kb.page.obstacle_rules import _rules
from kb.reasons import UNREAD_REASONS, Reason

ASKED = "https://site.example/products/switch-9000"
FRAME = (
    '<header><a href="/">Home</a> <a href="/login">Sign in</a></header><nav><a href="/a">Products</a>'
    ' <a href="/b">Prices</a> <a href="/c">Support</a></nav>{}<footer>© 2026 Site · <a href="/p">Privacy</a></footer>'
)
ARTICLE = (
    "<p>The switch has 64 ports of 400 Gbps each and draws 1.4 kW at full load.</p>"
    "<p>It fits one rack unit, and two of them connect 512 nodes without blocking.</p>"
    "<p>Delivery takes six weeks; the price for one is 24,000 dollars.</p>"
    "<p>Firmware can be replaced while the traffic goes on, one half of the ports at a time.</p>"
)


def html(title: str, body: str, head: str = "", lang: str = "en", framed: bool = False) -> str:
    inside = FRAME.format(f"<main>{body}</main>") if framed else body
    return f'<!doctype html><html lang="{lang}"><head><title>{title}</title>{head}</head><body>{inside}</body></html>'


def told(
    body: str | bytes = "",
    status: int = 200,
    headers: dict[str, str] | None = None,
    url: str = ASKED,
    requested: str = ASKED,
    last: Page | None = None,
) -> str:
    given_headers = headers or {"Content-Type": "text/html; charset=utf-8"}
    got = read_response(
        status=status, headers=given_headers, requested=requested, url=url, body=body, last=last
    )
    return str(got.reason) if isinstance(got, Unread) else "page"


WALLS = [
    # what the site's guards say, each in another shape
    ("blocked", html("Hold on", "<h1>Verify you are human</h1><div class='h-captcha'></div><p>This helps us keep the site safe.</p>")),
    ("blocked", html("Access blocked", "<h1>Access blocked</h1><p>Your IP address 192.0.2.7 has been blocked because of suspicious activity.</p><p>Incident ID: 7f-22a19</p>")),
    ("blocked", html("Zugriff verweigert", "<h1>Zugriff verweigert</h1><p>Ihr Zugriff auf diese Seite wurde gesperrt.</p>", lang="de")),
    ("blocked", html("Not available", "<p>This content is not available in your country.</p>", framed=True)),
    ("blocked", html("Vérification", "<p>Veuillez patienter : nous vérifions que vous êtes humain.</p><script src='/c.js'></script>", lang="fr")),
    ("login", html("Member area", "<h1>Welcome back</h1><form><input name=u><input type=password name=p><button>Log in</button></form>")),
    ("login", html("Report 12", "<h1>Report 12</h1><p>Please sign in to view this document.</p>", framed=True)),
    ("login", html("Inloggen", "<h1>Inloggen</h1><form><input name=a><input type=password></form><p>Wachtwoord vergeten?</p>", lang="nl")),
    ("login", html("The price of copper", "<h1>The price of copper</h1><p>Copper rose by 4 percent in May, after two mines in the south were closed.</p><p>Traders had expected less, and several of them told us why…</p><div><h2>Keep reading</h2><p>Subscribe to read the full article. Already a subscriber? Sign in.</p></div>", framed=True)),
    ("consent", html("Site", "<div role=dialog><h2>Your privacy matters</h2><p>We and our 412 partners store and access information on your device.</p><button>Accept all</button><button>Manage options</button></div>")),
    ("consent", html("Age check", "<h1>Are you over 18?</h1><button>Yes</button><button>No</button>")),
    ("consent", html("Terms", "<h1>Terms of use</h1><p>Please read and accept the terms of use before you continue.</p><button>I agree</button>")),
    ("placeholder", html("We'll be back", "<h1>We'll be right back</h1><p>We are performing scheduled maintenance. Thank you for your patience.</p>")),
    ("placeholder", html("Wartungsarbeiten", "<h1>Wartungsarbeiten</h1><p>Unsere Seite ist derzeit nicht erreichbar.</p>", lang="de")),
    ("placeholder", html("site.example is for sale", "<h1>site.example</h1><p>This domain name is for sale. Make an offer for this domain.</p>")),
    ("placeholder", html("Apache2 Debian Default Page: It works", "<h1>It works!</h1><p>This is the default welcome page. Replace this file before continuing to operate your server.</p>")),
    ("placeholder", html("Coming soon", "<h1>Something great is coming soon</h1><p>Leave your e-mail and be the first to know.</p>")),
    ("placeholder", html("Our work", "<h1>Our work</h1><p>Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor.</p>")),
    ("placeholder", html("Queue", "<h1>You are in line</h1><p>There are 312 people ahead of you. Do not refresh this page.</p>")),
    ("server-error", html("Error", "<h1>Error establishing a database connection</h1>")),
    ("server-error", html("Oops", "<h1>500 Internal Server Error</h1><p>Something went wrong on our end.</p>")),
    ("server-error", "Fatal error: Uncaught Exception in /srv/app/index.php:12\nStack trace:\n#0 main\n  thrown in /srv/app/index.php on line 12"),
    ("soft-404", html("404 – Page not found", "<h1>Sorry!</h1><p>We can't find the page you're looking for. Check the URL or go back to the home page.</p>", framed=True)),
    ("soft-404", html("Site", "<h1>This product is no longer available</h1><ul><li><a href=/x>Another switch</a></li><li><a href=/y>A cable</a></li></ul>", framed=True)),
    ("soft-404", html("Página no encontrada", "<h1>Página no encontrada</h1><p>La página que buscas no existe o ha sido eliminada.</p>", lang="es", framed=True)),
    ("soft-404", html("Не найдено", "<h1>Страница не найдена</h1><p>Запрашиваемая страница не существует.</p>", lang="ru")),
    ("soft-404", html("没有找到", "<h1>页面不存在</h1><p>您访问的页面不存在或已被删除。</p>", lang="zh")),
    ("soft-404", '<?xml version="1.0"?><Error><Code>NoSuchKey</Code><Message>The specified key does not exist.</Message></Error>'),
    ("moved", html("Moved", "<h1>This page has moved</h1><p>Please update your bookmarks.</p>")),
    ("moved", html("Redirecting", "<p>You are being redirected.</p>", head='<meta http-equiv="refresh" content="0; url=https://new.example/">')),
    ("needs-javascript", html("App", "<div id=root></div><script src=/main.js></script>")),
    ("needs-javascript", html("App", "<noscript>You need to enable JavaScript to run this app.</noscript><div id=app><p>Loading…</p></div><script type=module src=/m.js></script>")),
    ("needs-javascript", html("", "<script>location.replace('/new?x=1')</script>")),
    ("needs-javascript", html("Sito", "<div id=app></div><p>Per usare questo sito attiva JavaScript nel tuo browser.</p><script src=a.js></script>", lang="it")),
    ("empty", ""),
    ("empty", "\ufeff\n \n"),
    ("empty", html("Switch 9000", "", framed=True)),
]  # fmt: skip


@pytest.mark.parametrize(("reason", "body"), WALLS)
def test_a_wall_with_status_200_is_unread(reason: str, body: str) -> None:
    kind = (
        "application/xml"
        if body.startswith("<?xml")
        else "text/plain"
        if body[:1] not in "<"
        else "text/html"
    )
    assert told(body, headers={"Content-Type": kind}) == reason
    assert told(body.encode(), headers={"Content-Type": f"{kind}; charset=utf-8"}) == reason


PAGES = [
    html("Access denied: why mail servers refuse", "<h1>Access denied</h1><p>A server may answer “Access denied” for three reasons.</p>" + ARTICLE),
    html("404", "<h1>404</h1><p>The film 404 runs for 96 minutes and was shot in two houses.</p>" + ARTICLE),
    html("How CAPTCHAs work", "<h1>How CAPTCHAs work</h1><p>The visitor is told “verify you are human”, and solves a puzzle.</p>" + ARTICLE, head="<script src='https://www.google.com/recaptcha/api.js'></script>"),
    html("Cookies", "<h1>Cookies</h1><p>We use cookies made of butter, 200 g of flour and an egg.</p>" + ARTICLE),
    html("Switch 9000", "<div role=dialog><p>We use cookies.</p><button>Accept all</button></div><h1>Switch 9000</h1>" + ARTICLE, framed=True),
    html("Switch 9000", "<h1>Switch 9000</h1>" + ARTICLE + "<p>Log in to comment.</p><form><input type=password></form>", framed=True),
    html("Switch 9000", "<p>Scheduled maintenance: the shop closes on Sunday from 2 to 4.</p><h1>Switch 9000</h1>" + ARTICLE),
    html("Maintenance of the switch", "<h1>Maintenance</h1><p>Clean the fans every 90 days.</p>" + ARTICLE),
    html("Switch 9000", "<noscript>Please enable JavaScript.</noscript><div id=root><h1>Switch 9000</h1>" + ARTICLE + "</div><script src=m.js></script>"),
    html("Ping", "<h1>Ping</h1><p>A ping takes 12 ms to the next region.</p>"),
    html("Downloads", "<h1>Downloads</h1><ul>" + "".join(f"<li><a href=/d{n}>Release {n}.0 notes</a></li>" for n in range(12)) + "</ul>"),
    html("Switch 8000 (discontinued)", "<h1>Switch 8000</h1><p>This product has been discontinued.</p>" + ARTICLE),
    html("We have moved to new offices", "<h1>We have moved</h1><p>Our office is now at 12 Mill Lane.</p>" + ARTICLE),
    html("Login API", "<h1>Login API</h1><p>You must log in before each call.</p><pre>&lt;input type=password&gt;</pre>" + ARTICLE),
    html("Switch", "<h1>Switch</h1>" + ARTICLE, head='<meta http-equiv="refresh" content="300">'),
]  # fmt: skip


@pytest.mark.parametrize("body", PAGES)
def test_a_page_about_such_things_is_a_page(body: str) -> None:
    assert told(body) == "page"


@pytest.mark.parametrize(
    ("status", "body", "reason"),
    [
        (401, "", "login"),
        (402, html("Pay", "<p>x</p>"), "login"),
        (403, html("403 Forbidden", "<h1>403 Forbidden</h1>"), "blocked"),
        (403, html("Log in", "<h1>Log in</h1><form><input type=password></form><p>Please log in to continue.</p>"), "login"),
        (404, html("404", "<p>x</p>"), "not-found"),
        (404, html("Oops", ARTICLE), "not-found"),
        (410, "", "not-found"),
        (405, "", "blocked"),
        (429, "", "blocked"),
        (451, html("Unavailable", "<p>Unavailable for legal reasons</p>"), "blocked"),
        (500, "", "server-error"),
        (502, html("Bad gateway", "<h1>Bad gateway</h1>"), "server-error"),
        (503, html("Maintenance", "<h1>Down for maintenance</h1><p>We will be back soon.</p>"), "placeholder"),
        (503, html("503", "<h1>Service Unavailable</h1><p>The server is temporarily unable to service your request due to maintenance downtime or capacity problems. Please try again later.</p>"), "server-error"),
        (204, "", "empty"),
        (302, "", "redirects"),
        (304, "", "redirects"),
        (304, html("Switch", ARTICLE), "page"),
        (206, html("Switch", ARTICLE), "page"),
    ],
)  # fmt: skip
def test_the_status_decides_what_it_says_plainly(status: int, body: str, reason: str) -> None:
    assert told(body, status) == reason


def test_a_guard_names_itself_in_headers_whatever_the_status() -> None:
    for status in (200, 202, 403, 404, 503):
        assert told(html("x", ""), status, {"CF-Mitigated": "challenge"}) == "blocked"
    got = read_response(
        status=403, headers={"cf-mitigated": "challenge"}, requested=ASKED, url=ASKED, body=b"<p>x"
    )
    assert isinstance(got, Unread)
    assert "Cloudflare" in got.detail


@pytest.mark.parametrize(
    ("requested", "url", "title", "expected"),
    [
        (ASKED, "https://site.example/", "Site", "moved"),
        (ASKED, "https://site.example/en/index.html", "Site", "moved"),
        (ASKED, "https://buyer.example/", "Buyer", "moved"),
        (ASKED, "https://site.example/products/", "Products", "moved"),
        (ASKED, "https://site.example/company/history", "Our history", "moved"),
        (ASKED, "https://site.example/login?next=%2Fproducts%2Fswitch-9000", "Site", "login"),
        (ASKED, "https://login.site.example/", "Site", "login"),
        (ASKED, "https://consent.site.example/?to=x", "Site", "consent"),
        (ASKED, "https://site.example/404", "Site", "soft-404"),
        (ASKED, "https://www.site.example/products/switch-9000/", "Switch 9000", "page"),
        (ASKED, "https://site.example/network/switches/switch-9000.html", "Switch 9000", "page"),
        (ASKED, "https://site.example/en/products/switch-9000", "Switch 9000", "page"),
        ("http://site.example", "https://www.site.example/en/", "Site", "page"),
        ("https://go.example/x7Q", "https://site.example/products/switch-9000", "Switch 9000", "page"),
        ("https://site.example/node/4711", "https://site.example/switch-9000", "Switch 9000", "page"),
        ("https://site.example/de/preise", "https://site.example/en/preise", "Prices", "other-locale"),
        ("https://site.example/docs/login", "https://site.example/docs/login/", "Login", "page"),
    ],
)
def test_a_redirect_is_followed_to_the_same_page_only(
    requested: str, url: str, title: str, expected: str
) -> None:
    body = html(
        title, f"<h1>{title}</h1>" + (ARTICLE if expected in ("page", "moved", "other-locale") else "")
    )
    assert told(body, requested=requested, url=url) == expected


def test_what_is_left_of_the_last_reading_speaks_for_the_page() -> None:
    last = read_page(html("Switch 9000", "<h1>Switch 9000</h1>" + ARTICLE))
    same = html("Site", "<h1>Switch 9000</h1>" + ARTICLE)
    assert told(same, url="https://site.example/new/place", last=last) == "page"
    other = html("Site", "<h1>Our history</h1><p>Founded in 1971 in a garage.</p>")
    assert told(other, url="https://site.example/new/place", last=last) == "moved"


def test_another_language_or_currency_than_before_is_told() -> None:
    prices = "".join(f"<p>Model {n} costs ${n}00.</p>" for n in range(1, 6))
    last = read_page(html("Prices", f"<h1>Prices</h1>{prices}"))
    german = html(
        "Preise", "<h1>Preise</h1><p>Modell 1 kostet sehr wenig, Modell 2 mehr.</p>" + ARTICLE, lang="de"
    )
    assert told(german, last=last) == "other-locale"
    assert told(html("Prices", f"<h1>Prices</h1>{prices.replace('$', '€')}"), last=last) == "other-locale"
    assert told(html("Prices", f"<h1>Prices</h1>{prices.replace('100', '150')}"), last=last) == "page"


@pytest.mark.parametrize(
    ("kind", "body", "expected"),
    [
        ("image/png", b"\x89PNG", "unsupported-type"),
        ("application/zip", b"PK\x03\x04", "unsupported-type"),
        ("application/json", b'{"error": "not found", "message": "No such page"}', "soft-404"),
        ("application/json", b'{"message": "Authentication required"}', "login"),
        ("application/json", b'{"version": "4.2", "ports": 64}', "page"),
        ("text/plain", b"Too many requests. Slow down.", "blocked"),
        ("text/plain", b"Version 4.2\n\nThe port speed is 400 Gbps.\n", "page"),
        ("text/csv", b"model,ports\nA,64\nB,32\n", "page"),
        ("text/markdown", b"# Switch\n\nIt has 64 ports.\n", "page"),
        ("", b"<p>It has 64 ports of 400 Gbps.</p>", "page"),
    ],
)
def test_other_kinds_of_body_are_told_apart_too(kind: str, body: bytes, expected: str) -> None:
    assert told(body, headers={"Content-Type": kind}) == expected


def golden() -> list[dict[str, Any]]:
    """Responses in our own words, after kinds that the web is full of; one a line."""
    lines = (Path(__file__).parent / "golden" / "responses.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


@pytest.mark.parametrize("case", golden(), ids=lambda c: c["expect"])
def test_a_response_is_told_apart(case: dict[str, Any]) -> None:
    got = told(case["body"], case["status"], case["headers"], case["url"], case["requested"])
    assert got == ("page" if case["expect"] == "readable" else case["expect"])


def test_headers_may_come_as_pairs_and_in_any_case() -> None:
    got = read_response(
        status=200,
        headers=[("CONTENT-TYPE", "text/html"), ("Set-Cookie", "a=1"), ("set-cookie", "b=2")],
        requested=ASKED,
        url=ASKED,
        body=html("Switch 9000", ARTICLE),
    )
    assert isinstance(got, Page)


@settings(max_examples=150, deadline=None)
@given(
    body=st.one_of(
        st.binary(max_size=400),
        st.text(max_size=400),
        st.lists(
            st.sampled_from(
                ["<div>", "</div>", "<p", ">", "<script>", "<!--", "<title>", "<noscript>", "404", "log in", "<a href='", "&#0;"]
            ),
            max_size=40,
        ).map("".join),
    ),
    status=st.one_of(st.none(), st.integers(-1, 999)),
    url=st.one_of(st.just(ASKED), st.text(alphabet=string.printable, max_size=40)),
    kind=st.sampled_from(["text/html", "text/plain", "application/json", "image/png", "application/pdf", "", "x"]),
)  # fmt: skip
def test_nothing_that_a_server_sends_raises(
    body: bytes | str, status: int | None, url: str, kind: str
) -> None:
    got = read_response(status=status, headers={"content-type": kind}, requested=ASKED, url=url, body=body)
    assert isinstance(got, Page) or got.reason in UNREAD_REASONS


def test_deep_and_broken_markup_is_survived() -> None:
    deep = "<div>" * 20_000 + "It has 64 ports of 400 Gbps each." + "</div>" * 20_000
    assert told(deep) in ("page", "empty")
    assert told("<p>" + "x" * 3_000_000) == "page"


def test_every_rule_says_why_and_names_a_reason() -> None:
    import tomllib
    from importlib.resources import files

    known = {str(r) for r in Reason} | {"any"}
    entries = tomllib.loads(files("kb.page").joinpath("obstacle_rules.toml").read_text(encoding="utf-8"))[
        "rule"
    ]
    assert len(entries) == len(_rules())
    for entry in entries:
        assert entry["reason"] in known
        assert len(entry["why"].split()) > 3


def test_the_labelled_responses_are_told_apart(shared: Path) -> None:
    found = subprocess.run(
        [sys.executable, shared / "score_unread.py", shared / "cases/unread/cases.jsonl", "--json"],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[1],
    )
    score = json.loads(found.stdout)
    assert score["unreadable_taken_for_page"] == 0
    assert score["page_lost"] <= max(1, 0.02 * score["readable"])
    assert score["named"] >= 0.95
