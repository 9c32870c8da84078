"""Whatever a body contains, reading it ends in a page or a reason, and nothing raises."""

from __future__ import annotations

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kb.errors import UnreadableError
from kb.page import KINDS, ROLES, Page, Unread, read_body, read_page
from kb.reasons import Reason

DEEP = 100_000
TYPES = (
    "text/html",
    "text/markdown",
    "text/x-rst",
    "text/asciidoc",
    "text/plain",
    "text/csv",
    "text/tab-separated-values",
    "application/json",
)
MARKUP = (
    "<table> <tr> <td> <th_colspan=3> <td_rowspan=2> </table> <ul> <li> </ul> <p> <b> </b> <del> <span_hidden> "
    "<sup> </sup> <sub> <pre> </pre> <dl> <dt> <dd> <h1> <h3> <div> </div> <details> <summary> <br> <a_href=#x> "
    "<caption> <script> </script> <style> <template> <nav> <footer> <section> <![CDATA[ <!-- --> 10_GB $5 a: "
    "| - * # ``` :: .. +--+ === {% %} {{< >}} ::: [^1] [ ]( ) = &nbsp; word. 😀"
)
PIECES = st.sampled_from([p.replace("_", " ") for p in MARKUP.split()] + list("\n\t\x00\x01\u00ad\u00a0"))


def ends(body: bytes | str, content_type: str | None = "text/html") -> Page | Unread:
    seen = read_body(body, content_type=content_type)
    if isinstance(seen, Page):
        assert all(b.kind in KINDS and b.role in ROLES and b.text.strip() for b in seen.blocks)
    else:
        assert isinstance(seen.reason, Reason)
    return seen


@given(st.lists(PIECES, max_size=60), st.sampled_from(TYPES))
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_no_markup_makes_reading_raise(pieces: list[str], content_type: str) -> None:
    ends("".join(pieces), content_type)
    ends(" ".join(pieces).encode(), content_type)


@given(st.binary(max_size=400), st.sampled_from((*TYPES, None, "image/png", "text/html; charset=utf-16")))
@settings(max_examples=200, deadline=None)
def test_no_bytes_make_reading_raise(body: bytes, content_type: str | None) -> None:
    ends(body, content_type)


@given(st.lists(PIECES, max_size=40))
@settings(max_examples=50, deadline=None)
def test_the_same_body_reads_the_same(pieces: list[str]) -> None:
    body = " ".join(pieces)
    assert read_body(body, content_type="text/html") == read_body(body, content_type="text/html")


@pytest.mark.parametrize(
    "piece",
    [
        "<div>",
        "<b>x",
        "<span class=a>x",
        "<table><tr><td>x",
        "<ul><li>x",
        "<dl><dt>x<dd>",
        "<section><h2>x</h2>",
        "<del>x<span hidden>",
        "<sup>1",
        "<details><summary>x",
        "<header><a href=x>y</a>",
    ],
)
def test_deep_nesting_ends_in_a_page(piece: str) -> None:
    seen = ends(f"<p>first</p>{piece * (DEEP // 5)}last")
    assert isinstance(seen, Page)
    assert seen.blocks[0].text == "first"
    assert any("last" in b.text for b in seen.blocks[-1:])


@pytest.mark.parametrize("piece", ["<div>", "<table><tr><td>"])
def test_a_hundred_thousand_levels_end_in_a_page(piece: str) -> None:
    seen = ends(f"<p>first</p>{piece * DEEP}last")
    assert isinstance(seen, Page)
    assert [b.text for b in seen.blocks] == ["first", "last"]


@pytest.mark.parametrize(
    "opening", ["> ", "- ", "    ", "[", "{", "* a\n  ", "<div>\n", "{% ", "{{< ", "<% ", "`a ", "*a "]
)
@pytest.mark.parametrize("content_type", ["text/markdown", "text/plain", "text/x-rst", "application/json"])
def test_deep_text_ends_in_a_page(opening: str, content_type: str) -> None:
    ends(opening * 20_000 + "x", content_type)


def test_spans_that_cover_millions_of_places_are_not_laid_out() -> None:
    seen = ends("<table>" + "<tr><td colspan=1000 rowspan=65534>x" * 2_000)
    assert isinstance(seen, Page)
    assert len(seen.blocks) == 2_000


def test_twenty_megabytes_end_in_a_page() -> None:
    seen = ends(b"<p>Some words <b>and 5 GB</b> of others</p>\n" + (b"<p>" + b"more words " * 100) * 18_500)
    assert isinstance(seen, Page)
    assert len(seen.blocks) == 18_501


def test_a_larger_body_is_too_large() -> None:
    seen = ends(b" " * (64 * 1024 * 1024) + b"x")
    assert isinstance(seen, Unread)
    assert seen.reason is Reason.TOO_LARGE


@pytest.mark.parametrize(
    ("body", "content_type", "reason"),
    [
        (random.Random(1).randbytes(100_000), "text/html", Reason.UNDECODABLE),
        (random.Random(1).randbytes(100_000), None, Reason.UNSUPPORTED_TYPE),
        (b"\x89PNG\r\n\x1a\n", "image/png", Reason.UNSUPPORTED_TYPE),
        (b"", "text/html", Reason.EMPTY),
        (b"\xef\xbb\xbf \n", "text/html", Reason.EMPTY),
        (b"\x00" * 4000, "text/html", Reason.UNDECODABLE),
    ],
)
def test_what_is_no_text_is_a_reason(body: bytes, content_type: str | None, reason: Reason) -> None:
    seen = ends(body, content_type)
    assert isinstance(seen, Unread)
    assert seen.reason is reason


def test_a_page_asked_for_directly_raises_with_its_reason() -> None:
    with pytest.raises(UnreadableError) as caught:
        read_page(b"\x89PNG\r\n\x1a\n", content_type="image/png")
    assert caught.value.facts["reason"] is Reason.UNSUPPORTED_TYPE


@pytest.mark.parametrize("where", [1, 2, 3])
def test_a_row_without_cells_is_no_row(where: int) -> None:
    rows = ["<tr><th>A</th><th>B</th></tr>", "<tr><td>x</td><td>1</td></tr>", "<tr><td>y</td><td>2</td></tr>"]
    page = read_page(f"<table>{''.join(rows[:where])}<tr></tr>{''.join(rows[where:])}</table>")
    assert isinstance(page, Page)
    assert [(b.row, b.text) for b in page.blocks if not b.header] == [(("x",), "1"), (("y",), "2")]
