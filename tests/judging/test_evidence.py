"""Evidence: the quote, the selector and the link of a verdict."""

from __future__ import annotations

from urllib.parse import unquote, urldefrag

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kb.claims import Claim
from kb.judging import judge
from kb.judging.evidence import evidence_at
from kb.judging.reading import reading_of
from kb.judging.sentence import sentence_around
from kb.page import Block, Page, read_page

HTML = """<html lang="en"><title>Ports</title><h1>Switch families</h1>
<p>The Falcon-2 has 64 ports, each of 400 Gbps. The Falcon-3 has 144 ports. Both are air-cooled, by four fans.</p>
<table><tr><th>Switch</th><th>Ports</th></tr><tr><td>Falcon-2</td><td>64</td></tr><tr><td>Heron-1</td><td>64</td></tr></table>
<p>The Heron-1 is a low-latency switch &amp; router, with 64 ports.</p></html>"""

CLAIMS = (
    "Falcon-2, port speed: 400 Gbps",
    "Falcon-3, ports: 144 ports",
    "Heron-1, ports: 64 ports",
    "Falcon-2, ports: 72 ports",
)


@pytest.mark.parametrize("text", CLAIMS)
def test_the_quote_stands_in_the_visible_text(text: str) -> None:
    page = read_page(HTML, url="https://example.org/switches")
    evidence = judge(Claim.parse(text), page).evidence
    assert evidence is not None
    assert evidence.quote in page.text


@pytest.mark.parametrize("text", CLAIMS)
def test_the_selector_finds_just_that_place(text: str) -> None:
    page = read_page(HTML)
    verdict = judge(Claim.parse(text), page)
    assert verdict.evidence is not None and verdict.evidence.selector is not None
    s = verdict.evidence.selector
    assert page.text.count(s.prefix + s.exact + s.suffix) == 1
    assert s.exact in verdict.evidence.quote


def test_a_text_that_stands_twice_is_told_apart_by_its_context() -> None:
    page = Page(tuple(Block("paragraph", "same words here") for _ in range(4)))
    reading = reading_of(page)
    selectors = [evidence_at(reading, i, 5, 10).selector for i in range(4)]
    assert len({(s.prefix, s.suffix) for s in selectors if s}) == 4


@pytest.mark.parametrize("text", CLAIMS)
def test_the_link_keeps_the_address_and_encodes_what_fragments_reserve(text: str) -> None:
    page = read_page(HTML, url="https://example.org/switches?a=1#top")
    evidence = judge(Claim.parse(text), page).evidence
    assert evidence is not None and evidence.link is not None
    address, fragment = urldefrag(evidence.link)
    assert address == "https://example.org/switches?a=1"
    anchor, directive, term = fragment.partition(":~:text=")
    assert (anchor, directive) == ("top", ":~:text=")
    pieces = [p for p in term.split(",") if p]
    assert 1 <= len(pieces) <= 4
    for piece in pieces:
        words = piece.removeprefix("-") if piece is pieces[-1] else piece.removesuffix("-")
        assert "-" not in words and "&" not in words
        assert unquote(words) in " ".join(page.text.split())


def test_a_page_without_an_address_has_no_link() -> None:
    evidence = judge(Claim.parse(CLAIMS[0]), read_page(HTML)).evidence
    assert evidence is not None and evidence.link is None


def test_a_cell_shows_its_row_and_column() -> None:
    page = read_page(
        "<table><tr><th>Switch</th><th>Ports</th></tr><tr><td>Falcon-2</td><td>64</td></tr></table>"
    )
    evidence = judge(Claim.parse("Falcon-2, ports: 64 ports"), page).evidence
    assert evidence is not None
    assert (evidence.row, evidence.column) == (("Falcon-2",), ("Ports",))


def test_a_pdfs_page_is_told() -> None:
    page = Page((Block("paragraph", "The Falcon-2 has 64 ports.", page=7),), pages=9)
    evidence = judge(Claim.parse("Falcon-2, ports: 64 ports"), page).evidence
    assert evidence is not None and evidence.page == 7


def test_what_is_gone_shows_where_it_stood_and_the_nearest_passage() -> None:
    before = read_page("<h1>Falcon-2</h1><p>It has 64 ports.</p><p>It draws 900 W of power.</p>")
    after = read_page("<h1>Falcon-2</h1><p>It draws 900 W of power, and has many ports.</p>")
    verdict = judge(Claim.parse("Falcon-2, ports: 64 ports"), after, before)
    assert str(verdict.outcome) == "gone"
    assert "It has 64 ports." in verdict.detail


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=900), st.data())
def test_the_sentence_around_a_place_holds_the_place(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    first, last = sentence_around(text, start, end)
    assert 0 <= first <= start <= end <= last <= len(text)


@pytest.mark.parametrize("short", ["incl.", "e.g.", "i.e.", "vs.", "approx."])
def test_an_abbreviation_ends_no_sentence(short: str) -> None:
    text = f"There are two nests {short} Rookwood, each with 20 eggs. They are free."
    at = text.index("20")
    first, last = sentence_around(text, at, at + 2)
    assert text[first:last] == f"There are two nests {short} Rookwood, each with 20 eggs."
