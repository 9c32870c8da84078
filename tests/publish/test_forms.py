"""A claim in other forms than its page: feeds, badge, JSON-LD."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import feedparser
import pytest
from knowledge import HOSTILE, a_database
from lxml import etree

from kb.publish.serve import make_datasette

ROOT = Path(__file__).resolve().parent.parent
HERE = "http://localhost"
Get = Callable[[str], Any]


@pytest.fixture
def get(tmp_path: Path) -> Iterator[Get]:
    datasette = make_datasette(a_database(tmp_path))
    yield lambda path: asyncio.run(datasette.client.get(path))
    for database in datasette.databases.values():
        database.close()
    datasette.executor.shutdown()


@pytest.mark.parametrize("path", ["/drift.atom", "/claims/vm.bandwidth.atom", "/claims/never.count.atom"])
def test_a_feed_is_valid_and_says_where_it_lies(get: Get, path: str) -> None:
    answer = get(path)
    assert answer.headers["content-type"].startswith("application/atom+xml")
    tree = etree.fromstring(answer.content)
    schema = etree.RelaxNG(etree.parse(ROOT / "atom.rng"))
    assert schema.validate(tree), schema.error_log
    read = feedparser.parse(answer.content)
    assert not read.bozo
    assert [x.href for x in read.feed.links if x.rel == "self"] == [HERE + path]


def test_the_feed_of_all_has_each_change_and_leads_to_the_claims_pages(get: Get) -> None:
    read = feedparser.parse(get("/drift.atom").content)
    pages = {e.link for e in read.entries}
    assert {HERE + "/claims/vm.bandwidth", HERE + "/claims/vm.edited"} <= pages
    assert all(get(p.removeprefix(HERE)).status_code == 200 for p in pages)
    entry = next(e for e in read.entries if e.link == HERE + "/claims/vm.bandwidth")
    assert "3,200 Gbps" in entry.title and "6.4 Tbps" in entry.title
    assert "kb accept" not in get("/drift.atom").text


def test_the_feed_of_a_claim_has_its_changes_alone_under_an_id_of_its_own(get: Get) -> None:
    one, other = (feedparser.parse(get(f"/claims/vm.{n}.atom").content) for n in ("bandwidth", "makers"))
    assert {e.link for e in one.entries} == {HERE + "/claims/vm.bandwidth"}
    assert one.feed.id != other.feed.id != feedparser.parse(get("/drift.atom").content).feed.id
    assert feedparser.parse(get("/claims/never.count.atom").content).entries == []


def test_pages_name_their_feeds(get: Get) -> None:
    page = get("/claims/vm.bandwidth").text
    named = re.findall(r'<link rel="alternate" type="application/atom\+xml"[^>]* href="([^"]+)"', page)
    assert named == ["/drift.atom", "/claims/vm.bandwidth.atom"]
    assert 'href="/drift.atom"' in get("/").text


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        ("vm.memory", "640 GB · holds · 2026-11-08"),
        ("vm.bandwidth", "3,200 Gbps · drifted · 2026-11-08"),
        ("vm.price", "no price · holds · 2026-11-08"),
        ("never.count", "12 GPU · not checked yet"),
        ("off.count", "3 GPU · not checked"),
    ],
)
def test_a_badge_says_value_verdict_and_day(get: Get, claim: str, said: str) -> None:
    answer = get(f"/claims/{claim}.svg")
    assert answer.headers["content-type"].startswith("image/svg+xml")
    svg = etree.fromstring(answer.content)
    assert svg.get("aria-label") == said
    assert "".join(svg.itertext(tag="{http://www.w3.org/2000/svg}title")) == said
    assert "style" not in answer.text


def test_a_hostile_claims_badge_is_a_small_picture_of_text(get: Get) -> None:
    answer = get("/claims/hostile.text.svg")
    svg = etree.fromstring(answer.content)
    assert {etree.QName(e).localname for e in svg.iter()} == {"svg", "title", "rect", "path", "g", "text"}
    assert "\u202e" not in answer.text
    assert float(svg.get("width")) < 700


def test_what_is_no_claim_has_no_form_either(get: Get) -> None:
    for path in ("/claims/nothing.svg", "/claims/vm.atom", "/claims/.json", "/claims/vm.memory.xml"):
        assert get(path).status_code == 404


def test_a_claims_page_says_it_to_machines_with_its_citation(get: Get) -> None:
    found = json.loads(_linked(get("/claims/vm.bandwidth").text))
    assert (found["@context"], found["@type"]) == ("https://schema.org", "Claim")
    assert found["text"] == "bandwidth, network bandwidth: 3,200 Gbps per VM, each way"
    assert found["citation"] == {
        "@type": "CreativeWork",
        "name": "The page of vm",
        "url": "https://vm.example/page",
        "publisher": {"@type": "Organization", "name": "Example Works"},
    }
    assert "citation" not in json.loads(_linked(get("/claims/sums.each").text))


def test_hostile_text_cannot_end_the_data_for_machines(get: Get) -> None:
    page = get("/claims/hostile.text").text
    assert page.count("</script") == 1
    assert "<" not in _linked(page)
    assert json.loads(_linked(page))["name"] == " ".join(re.sub("[\u202e\u202c]", " ", HOSTILE).split())


def _linked(page: str) -> str:
    found = re.search(r'<script type="application/ld\+json">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    return found[1]


@pytest.mark.parametrize("host", ["[", "a b", '"><script>', "x@y", "a:b:c", ""])
def test_a_host_that_is_none_is_not_repeated(tmp_path: Path, host: str) -> None:
    datasette = make_datasette(a_database(tmp_path))
    for path in ("/drift.atom", "/claims/vm.bandwidth"):
        answer = asyncio.run(datasette.client.get(path, headers={"Host": host}))
        assert answer.status_code == 200
        assert "script>.example" not in answer.text and f"http://{host}/" not in answer.text
    for database in datasette.databases.values():
        database.close()
    datasette.executor.shutdown()
