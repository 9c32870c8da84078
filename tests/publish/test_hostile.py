"""What strangers wrote does no harm, in whatever form it is taken away."""

from __future__ import annotations

import asyncio
import csv
import io
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from knowledge import HOSTILE, a_capture, a_claim, a_source, a_verdict, an_input

from kb.judging.verdict import Other
from kb.publish.harmless import harmless
from kb.publish.serve import make_datasette
from kb.reasons import Reason
from kb.store import Seen, write_database

LONG = "x" * 1_000_000
FORMULA = '=HYPERLINK("https://evil.example","open")'
TURNING = "\u202ereversed\u202c and \u2067isolated\u2069"
CONTROLS = re.compile("[\u202a-\u202e\u2066-\u2069]")
TABLES = ("claims", "claims_now", "verdicts", "drift", "to_review", "events")
PAGES = ("/", "/drift", "/review", "/search?q=odd", "/sources", "/sources/odd", "/claims/odd.text")


class Site:
    def __init__(self, path: Path) -> None:
        self.datasette = make_datasette(path)

    def get(self, address: str) -> Any:
        return asyncio.run(self.datasette.client.get(address))

    def close(self) -> None:
        for database in self.datasette.databases.values():
            database.close()
        self.datasette.executor.shutdown()


def a_site(folder: Path, found: str, quote: str, mode: str = "quote") -> Site:
    given = an_input()
    capture, again = a_capture("odd", 7), a_capture("odd", 8)
    other = Other(found, 0.5, replace(a_verdict(Reason.VERBATIM, found, quote).evidence))  # type: ignore[arg-type, type-var]
    said = a_verdict(Reason.CHANGED, found, quote, others=(other,))
    first = a_capture("odd", 6)
    held = a_verdict(Reason.VERBATIM, found, quote)
    source = a_source("odd", a_claim("odd.text", "plain", "text", subject="odd"), title=found[:2000])
    path = folder / "kb.db"
    write_database(
        path,
        replace(
            given,
            sources=(*given.sources, source),
            captures={
                **given.captures,
                "https://odd.example/page": [Seen(first), Seen(capture), Seen(again)],
            },
            verdicts=[
                *given.verdicts,
                ("odd.text", first, held),
                ("odd.text", capture, said),
                ("odd.text", again, said),
            ],
            mode=mode,
        ),
    )
    return Site(path)


@pytest.fixture
def site(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Site]:
    site = a_site(tmp_path, *request.param)
    yield site
    site.close()


@pytest.mark.parametrize("site", [(FORMULA, f"{FORMULA} here")], indirect=True)
@pytest.mark.parametrize("table", TABLES)
def test_no_cell_of_a_csv_is_a_formula(site: Site, table: str) -> None:
    answer = site.get(f"/kb/{table}.csv?_size=max")
    rows = list(csv.reader(io.StringIO(answer.text)))
    assert answer.status_code == 200
    assert [c for row in rows for c in row if c.startswith(("=", "@", "+", "\t"))] == []
    if table in ("claims", "verdicts", "claims_now"):
        assert any(c == f"'{FORMULA}" for row in rows for c in row)


def test_numbers_in_a_csv_stay_numbers() -> None:
    body = harmless("text/csv", b'a,b,c,d\r\n-1.5,+2e9,-2+3,"-40 C"\r\n')
    assert body == b"a,b,c,d\r\n-1.5,+2e9,'-2+3,'-40 C\r\n"


@pytest.mark.parametrize("site", [(TURNING, f"{TURNING} here")], indirect=True)
def test_nothing_that_turns_a_line_round_goes_out(site: Site) -> None:
    paths = [*PAGES, "/claims/hostile.text", "/drift.atom", "/claims/odd.text.atom", "/claims/odd.text.svg"]
    paths += [f"/kb/{t}{end}" for t in TABLES for end in ("", ".csv", ".json")]
    for path in paths:
        answer = site.get(path)
        assert answer.status_code == 200
        assert not CONTROLS.search(answer.text), path
    assert site.get("/claims/odd.text.json").json()["found"] == TURNING  # data stays what it is


@pytest.mark.parametrize("site", [(LONG, LONG)], indirect=True)
def test_a_word_of_a_million_letters_makes_no_page_long(site: Site) -> None:
    for path in (*PAGES, "/claims/odd.text.svg", "/kb/claims", "/kb/verdicts", "/kb/claims_now"):
        answer = site.get(path)
        assert answer.status_code == 200
        assert len(answer.text) < 200_000, path
    assert site.get("/kb/verdicts.csv").status_code == 200


@pytest.mark.parametrize("site", [("42 GB", f"{'before ' * 400}42 GB{' after' * 400}")], indirect=True)
def test_of_a_page_nobody_sees_more_than_600_characters(site: Site) -> None:
    for path in ("/claims/odd.text.json", *(f"/kb/{t}.json?_shape=array&_size=max" for t in TABLES)):
        for text in _texts(site.get(path).json()):
            assert len(text) <= 600, (path, text[:80])
    quote = site.get("/claims/odd.text.json").json()["evidence"]["quote"]
    assert "before 42 GB after" in quote
    page = site.get("/claims/odd.text").text
    assert "<mark>42 GB</mark>" in page and page.count("before ") < 90
    assert site.get("/kb/claims.csv?_size=max").text.count("before ") < 400


def test_a_knowledge_base_may_say_that_all_of_a_passage_is_public(tmp_path: Path) -> None:
    quote = f"{'before ' * 400}42 GB"
    site = a_site(tmp_path, "42 GB", quote, "full")
    assert site.get("/claims/odd.text.json").json()["evidence"]["quote"] == quote
    site.close()


@pytest.mark.parametrize("site", [(HOSTILE, HOSTILE)], indirect=True)
def test_markup_and_script_links_are_text_in_every_form(site: Site) -> None:
    for path in (*PAGES, "/claims/odd.text.svg", "/claims/odd.text.atom", "/drift.atom", "/kb/claims_now"):
        text = site.get(path).text
        assert "<script>alert" not in text, path
        assert not re.search(r"""(href|src)\s*=\s*["']?\s*javascript""", text, re.I), path


def _texts(value: Any) -> Iterator[str]:
    """All texts in a JSON value, those of JSON in a text too."""
    if isinstance(value, str):
        try:
            inner = json.loads(value)
        except ValueError:
            inner = None
        if isinstance(inner, dict | list):
            yield from _texts(inner)
        else:
            yield value
    elif isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _texts(one)
