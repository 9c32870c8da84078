"""The site's pages, through the real Datasette."""

from __future__ import annotations

import asyncio
import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from knowledge import HOSTILE, a_database, an_input

from kb.publish import pages
from kb.publish.canned import CANNED
from kb.publish.generations import SwappedDatabase
from kb.publish.serve import make_datasette
from kb.store import schema, write_database

ROOT = Path(__file__).resolve().parent.parent.parent

PAGES = (
    "/",
    "/drift",
    "/drift?since=2026-11-01&publisher=Example+Works&tag=cloud",
    "/publishers/Example+Works",
    "/method",
    "/review",
    "/sources",
    "/sources/vm",
    "/sources/wall",
    "/search?q=network",
    "/claims/vm.bandwidth",
    "/claims/vm.makers",
    "/claims/sums.each",
    "/claims/never.count",
    "/claims/off.count",
    "/claims/hostile.text",
    "/kb",
    "/kb/claims",
    "/kb/claims/vm~2Ebandwidth",
    "/kb/claims_now?_facet=verdict",
    "/kb/claims?_search=networking",
    "/kb/verdicts",
    "/kb/changes",
    "/kb/history?claim=vm.bandwidth",
    "/nowhere",
)


class Site:
    def __init__(self, database: Path) -> None:
        self.datasette = make_datasette(database)

    def get(self, path: str, **more: Any) -> Any:
        return asyncio.run(self.datasette.client.get(path, **more))

    def close(self) -> None:
        for database in self.datasette.databases.values():
            database.close()
        self.datasette.executor.shutdown()


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    site = Site(a_database(tmp_path))
    yield site
    site.close()


class _Inline(HTMLParser):
    """Finds what a policy without unsafe-inline would block."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = dict(attrs)
        code = tag == "script" and "src" not in names and names.get("type") != "application/ld+json"
        if code or tag == "style" or "style" in names:
            self.found.append(f"<{tag} {attrs}>")
        self.found += [f"<{tag} {name}>" for name in names if name.startswith("on")]
        if str(names.get("href", "")).lower().startswith("javascript"):
            self.found.append(f"<{tag} {names}>")


@pytest.mark.parametrize("path", PAGES)
def test_no_page_has_inline_code_or_a_script_for_a_link(site: Site, path: str) -> None:
    answer = site.get(path)
    assert answer.status_code == (404 if path == "/nowhere" else 200)
    parser = _Inline()
    parser.feed(answer.text)
    assert parser.found == []
    assert "unsafe-inline" not in answer.headers["content-security-policy"]


@pytest.mark.parametrize("table", [*schema.TABLES, *schema.VIEWS])
def test_each_table_and_view_can_be_browsed_and_all_its_columns_are_described(site: Site, table: str) -> None:
    assert site.get(f"/kb/{table}").status_code == 200
    rows = site.get(f"/kb/{table}.json?_shape=array").json()
    described = site.datasette.metadata("columns", database="kb", table=table, fallback=False)
    assert set(described) == set(rows[0]) - {"rowid"}


def test_a_claims_page_shows_all_that_a_person_checks(site: Site) -> None:
    page = site.get("/claims/vm.bandwidth").text
    for needed in (
        "<strong>3,200 Gbps</strong> per VM, each way",
        "the page gave our value before, and gives another now",
        '<p class="value">6.4 Tbps</p>',
        "Networking of <mark>6.4 Tbps</mark> for each.",
        '<p class="under">Networking › Bandwidth</p>',
        '<th scope="col">Bandwidth</th>',
        '<th scope="row">Large</th>',
        "Example Works gives, in “The page of vm”, 3,200 Gbps per VM, each way for bandwidth, network "
        "bandwidth, as we read it on 2026-11-01.",
        "Before, <time",
        "<td>The page says <mark>3,200 Gbps</mark> here.</td>",
        'href="https://vm.example/page#:~:text=here" rel="noopener nofollow ugc"',
        '<svg class="timeline"',
        '<a href="/claims/sums.each">',
        '<a href="/sources/vm">The page of vm</a>',
    ):
        assert needed in page


def test_a_claim_says_what_it_is_derived_from(site: Site) -> None:
    page = site.get("/claims/sums.each").text
    assert "<code>{vm.bandwidth} / 8</code>" in page
    assert 'href="/claims/vm.bandwidth"' in page
    assert 'href="/claims/sums.twice"' in page


def test_a_claim_that_was_never_checked_says_so(site: Site) -> None:
    page = site.get("/claims/never.count").text
    assert "Stated, not checked here yet." in page
    assert "timeline" not in page
    off = site.get("/claims/off.count").text
    assert "the page is paid for" in off


def test_a_knowledge_base_without_captures_says_so_on_its_first_page(tmp_path: Path) -> None:
    given = an_input()
    path = tmp_path / "kb.db"
    write_database(path, type(given)(sources=given.sources, captures={}))
    site = Site(path)
    page = site.get("/").text
    site.close()
    assert "none was checked here yet" in page
    assert "13 claims from 4 sources" in page


def test_the_review_list_asks_at_this_hour_what_is_stale(site: Site, tmp_path: Path) -> None:
    def parts() -> dict[str, list[str]]:
        sections = site.get("/review").text.split("<section ")[1:]
        ids = r'class="lead-cell"><a href="/claims/([^"]+)"'
        return {re.findall(r'<h2 id="(\w+)"', s)[0]: re.findall(ids, s) for s in sections}

    found = parts()
    assert found["suspected"] == ["vm.makers"]
    assert found["unclear"] == ["vm.fabric"]
    assert found["unread"] == ["wall.rate"]
    assert found["unseen"] == ["never.count"]
    assert "vm.memory" in found["stale"] and "vm.fabric" not in found["stale"]
    with sqlite3.connect(tmp_path / "kb.db") as db:
        db.execute("UPDATE claims SET stale_after = '9999-01-01T00:00:00Z'")
    db.close()
    assert set(parts()) == {"suspected", "unclear", "unread", "unseen"}


def test_a_claim_that_is_gone_shows_where_it_stood(site: Site, tmp_path: Path) -> None:
    page = site.get("/claims/vm.makers").text
    assert 'id="evidence">Where it stood</h2>' in page
    assert "Nearest now, <time" in page and "Before, <time" in page
    assert "The page says" in page.partition("Before, <time")[2]


def test_an_unread_source_says_why_and_keeps_its_claims_verdict(site: Site) -> None:
    assert "the site refused us" in site.get("/sources/wall").text
    page = site.get("/claims/wall.rate").text
    assert "Since then the page could not be read" in page
    assert "Holds:" in page


def test_a_verdict_that_is_too_old_to_rely_on_says_so(site: Site, tmp_path: Path) -> None:
    assert "by now the page may say something else" in site.get("/claims/vm.memory").text
    with sqlite3.connect(tmp_path / "kb.db") as db:
        db.execute("UPDATE claims SET stale_after = '9999-01-01T00:00:00Z' WHERE id = 'vm.memory'")
    db.close()
    assert "by now the page may say something else" not in site.get("/claims/vm.memory").text


def test_home_counts_what_the_database_counts(site: Site) -> None:
    page = site.get("/").text
    counts = re.findall(r'<span class="count">(\d+)</span> <span class="said">([^<]+)</span>', page)
    assert [(said, int(n)) for n, said in counts] == [
        ("hold", 6),
        ("drifted", 4),
        ("are gone", 1),
        ("are unclear", 1),
        ("could not be read", 0),
        ("were not checked here yet", 1),
    ]
    assert "Checked 11 of 13 claims, 2 of 4 sources read" in page
    assert "6.4 Tbps" in page


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", True),
        ("?since=2026-11-08&until=2026-11-08", True),
        ("?until=2026-11-07", False),
        ("?since=2026-11-09", False),
        ("?publisher=Example+Works", True),
        ("?publisher=Walled+Garden", False),
        ("?tag=cloud", True),
        ("?tag=nothing", False),
        ("?since=nonsense&until=2026-99-99", True),
        ("?tag=cloud&since=2026-11-09", False),
    ],
)
def test_changes_are_filtered_by_day_publisher_and_tag(site: Site, query: str, expected: bool) -> None:
    answer = site.get(f"/drift{query}")
    assert answer.status_code == 200
    assert ('href="/claims/vm.bandwidth"' in answer.text) is expected
    assert ("All changes" in answer.text) is (query not in ("", "?since=nonsense&until=2026-99-99"))


def test_a_publishers_page_shows_its_claims_sources_and_changes(site: Site) -> None:
    assert 'href="/publishers/Walled+Garden"' in site.get("/").text
    page = site.get("/publishers/Walled+Garden").text
    assert "2 claims from 2 sources" in page
    assert 'href="/sources/wall"' in page and 'href="/claims/wall.rate"' in page
    assert "vm.bandwidth" not in page
    assert "6.4 Tbps" in site.get("/publishers/Example+Works").text
    assert site.get("/publishers/Nobody").status_code == 404
    hostile = re.search(r'href="(/publishers/[^"]*script[^"]*)"', site.get("/").text)
    assert hostile is not None
    assert site.get(hostile[1]).status_code == 200


def test_the_method_page_shows_what_the_note_on_accuracy_says(site: Site) -> None:
    note = (ROOT / "docs" / "accuracy.md").read_text(encoding="utf-8")
    page = site.get("/method").text
    rates = re.findall(r"^\| right at all \| *\| ([\d.]+ %) \| ([^|]+) \|", note, re.M)
    assert len(rates) == 2
    for rate, interval in rates:
        assert f'<td class="number">{rate}</td><td class="number">{interval}</td>' in page
    assert "drifted" in page


def test_a_claim_is_had_as_json_in_the_reports_form(site: Site) -> None:
    answer = site.get("/claims/vm.bandwidth.json")
    assert answer.headers["content-type"].startswith("application/json")
    claim = answer.json()
    assert (claim["id"], claim["verdict"], claim["found"]) == ("vm.bandwidth", "drifted", "6.4 Tbps")
    assert claim["evidence"]["headings"] == ["Networking", "Bandwidth"]


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("networking 6.4", ["vm.bandwidth"]),
        ("netwo", ["vm.bandwidth"]),
        ("assumption", ["sums.assumed"]),
        ("0.4 Tbps", ["sums.each"]),
        ("0.4 Tb/s", ["sums.each"]),
        ("400 Gb/s", ["sums.each"]),
        ("50 GB/s", ["sums.each"]),
        ("3.2 Tbps network bandwidth", ["vm.bandwidth"]),
        ("3.2Tbps per VM", ["vm.bandwidth"]),
        ("0.64 TB", ["vm.memory"]),
        ("3.2 Tbps memory", []),
        ("12 GPUs", ["never.count"]),
        ("page of wall", ["wall.rate"]),
        ("wall.example", ["wall.rate"]),
        ("Walled", ["wall.rate", "never.count"]),
        ('" OR 1 NEAR( * -', []),
        ("", []),
    ],
)
def test_search_finds_words_in_claims_and_evidence(site: Site, asked: str, expected: list[str]) -> None:
    page = site.get("/search", params={"q": asked})
    assert page.status_code == 200
    assert re.findall(r'class="lead-cell"><a href="/claims/([^"]+)"', page.text) == expected


def test_hostile_text_is_shown_as_text_everywhere(site: Site) -> None:
    for path in (
        "/claims/hostile.text",
        "/sources/hostile",
        "/",
        "/search?q=alert",
        "/kb/claims",
        "/kb/claims_now",
    ):
        page = site.get(path).text
        assert "&lt;script&gt;" in page, path
        assert "<script>alert" not in page
    assert site.get("/claims/hostile.text.json").json()["stated"] == HOSTILE


def test_a_link_that_is_no_web_address_is_not_followed(tmp_path: Path) -> None:
    path = a_database(tmp_path)
    with sqlite3.connect(path) as db:
        db.execute("UPDATE claims SET link = 'javascript:alert(1)', evidence = NULL WHERE id = 'vm.memory'")
        db.execute("UPDATE sources SET url = 'javascript:alert(1)' WHERE id = 'vm'")
    db.close()
    site = Site(path)
    for address in ("/claims/vm.memory", "/sources/vm", "/kb/sources", "/kb/claims", "/sources"):
        assert 'href="javascript' not in site.get(address).text.lower()
    site.close()


def test_plain_datasette_gives_the_same_site(tmp_path: Path, site: Site) -> None:
    command = [sys.executable, "-m", "datasette", str(tmp_path / "kb.db")]
    for path in ("/claims/vm.makers", "/kb/claims_now", "/robots.txt"):
        done = subprocess.run(
            [*command, "-m", str(ROOT / "datasette-metadata.json"), "--get", path],
            capture_output=True,
            text=True,
            check=True,
        )
        plain, ours = (re.sub(r"Queries took [\d.]+ms", "", t) for t in (done.stdout, site.get(path).text))
        assert plain.strip() == ours.strip()


def test_other_databases_in_the_same_datasette_are_left_as_they_are(tmp_path: Path) -> None:
    from datasette.app import Datasette

    other = tmp_path / "other.db"
    with sqlite3.connect(other) as db:
        db.execute("CREATE TABLE about (x)")
        db.execute("INSERT INTO about VALUES (1)")
    db.close()
    datasette = Datasette([str(a_database(tmp_path)), str(other)])

    async def get(path: str) -> Any:
        return await datasette.client.get(path)

    assert asyncio.run(get("/other.json?sql=select+x+from+about")).status_code == 200
    assert "content-security-policy" not in asyncio.run(get("/other/about")).headers
    assert asyncio.run(get("/-/settings.json")).status_code == 200
    assert asyncio.run(get("/kb.json?sql=select+1")).status_code == 403
    assert asyncio.run(get("/kb.db")).status_code == 403
    assert "6.4 Tbps" in asyncio.run(get("/claims/vm.bandwidth")).text
    for database in datasette.databases.values():
        database.close()
    datasette.executor.shutdown()


def test_a_datasette_without_a_kb_is_not_touched(tmp_path: Path) -> None:
    from datasette.app import Datasette

    other = tmp_path / "other.db"
    with sqlite3.connect(other) as db:
        db.execute("CREATE TABLE claims (id)")
    db.close()
    datasette = Datasette([str(other)])
    home = asyncio.run(datasette.client.get("/"))
    assert "content-security-policy" not in home.headers
    assert "<script>" in home.text
    assert datasette.setting("default_allow_sql")
    for database in datasette.databases.values():
        database.close()
    datasette.executor.shutdown()


ASKED = (
    *PAGES[:16],
    *(
        "/claims",
        "/sources/vm/text",
        "/sources/none",
        "/drift.atom",
        "/drift?since=2026-11-01&until=2026-11-30&publisher=Example+Works&tag=cloud",
    ),
    *(f"/claims/vm.bandwidth.{form}" for form in ("json", "atom", "svg")),
    *("/search?q=6.4+Tbps+network", "/search?q=3.2+Tbps", "/robots.txt"),
    *("/kb/changes", "/kb/history?claim=vm.bandwidth", "/kb/longest_unread", "/kb/values_of?subject=memory"),
    *(f"/kb/{view}.json?_size=5&_nocount=1" for view in schema.VIEWS),
)


def test_no_question_of_the_site_goes_through_all_verdicts(site: Site, tmp_path: Path) -> None:
    for pattern, _ in [*pages.ROUTES, *pages.ROUTES_ALONE]:
        assert any(re.match(pattern, path.partition("?")[0]) for path in ASKED), pattern
    assert {f"/kb/{name}" for name in CANNED} <= {path.partition("?")[0] for path in ASKED}
    asked: list[str] = []
    take = SwappedDatabase.take

    def listening(database: SwappedDatabase) -> Any:
        generation = take(database)
        for connection in generation._all:
            connection.set_trace_callback(asked.append)
        return generation

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(SwappedDatabase, "take", listening)
        for path in ASKED:
            assert site.get(path).status_code in (200, 404), path
    with sqlite3.connect(tmp_path / "kb.db") as db:
        scans = [
            (sql, step[3])
            for sql in dict.fromkeys(asked)
            if re.match(r"\s*(SELECT|WITH)\b", sql, re.I)
            for step in db.execute(f"EXPLAIN QUERY PLAN {sql}")
            for name in {"verdicts", *re.findall(r"\bverdicts AS (\w+)", sql, re.I)}
            if re.match(rf"SCAN {name}\b", step[3])
        ]
    db.close()
    assert scans == []
    assert sum("verdicts" in sql for sql in asked) > 5
    assert len(set(asked)) > 100


def test_datasettes_own_pages_say_what_each_field_is_and_in_which_language(site: Site) -> None:
    page = site.get("/kb/claims_now?verdict=holds").text
    assert '<html lang="en">' in page and page.count("<main>") == 1
    fields = re.findall(r'<(?:input|select)[^>]* name="_filter_(?:column|op|value)[^>]*>', page)
    assert len(fields) > 3
    assert all("aria-label" in field for field in fields)
    assert "<h3" not in page
