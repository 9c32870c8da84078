"""Links and footnotes of a page, at the words that carry them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kb.page import Unread, read_body
from kb.page.links import read_linked


def links(text: str, name: str) -> list[tuple[str, str, bool]]:
    """The words of each link, where it leads, and whether it is a place that others lead to."""
    read = read_linked(text.encode("utf-8"), name)
    assert not isinstance(read, Unread)
    return [
        (block.text[one.start : one.offset], one.target, one.anchor)
        for block, found in zip(read.page.blocks, read.links, strict=True)
        for one in found
    ]


@pytest.mark.parametrize(
    ("text", "name", "found"),
    [
        (
            "See [the page](https://a.example/x?b=1&c=2).",
            "a.md",
            [("the page", "https://a.example/x?b=1&c=2", False)],
        ),
        ("See [the page][p].\n\n[p]: https://a.example", "a.md", [("the page", "https://a.example", False)]),
        ("At <https://a.example/>.", "a.md", [("https://a.example/", "https://a.example/", False)]),
        ("A figure[^1].\n\n[^1]: A source.", "a.md", [("", "#1", False), ("", "#1", True)]),
        (
            "<p>A <a href='https://a.example/?x=1&amp;y'>b <b>c</b></a> d",
            "a.html",
            [("b c", "https://a.example/?x=1&y", False)],
        ),
        ("<p>A<a href=#f>1</a><ol><li id=f>Source", "a.html", [("1", "#f", False), ("", "#f", True)]),
        ("<p id=nobody>A <a>b</a> <abbr href='x'>c</abbr>", "a.html", []),
        ("<table><tr><td><a href=/x>5 GB</a></table>", "a.html", [("5 GB", "/x", False)]),
        ("plain https://a.example", "a.txt", []),
    ],
)
def test_links_stand_at_their_words(text: str, name: str, found: list[tuple[str, str, bool]]) -> None:
    assert links(text, name) == found


def test_the_page_is_the_one_that_is_read_without_links() -> None:
    text = "# A\n\nOne [two](https://a.example) three.\n\n| a | b |\n|---|---|\n| [c](https://d.example) | 5 GB |\n\n- e\n"
    plain, linked = read_body(text.encode(), "a.md"), read_linked(text.encode(), "a.md")
    assert not isinstance(plain, Unread)
    assert not isinstance(linked, Unread)
    assert linked.page.blocks == plain.blocks


@given(
    st.text(st.sampled_from("<a href=#>'\"id/\n[^1]:() x\U000f0001"), max_size=60),
    st.sampled_from(["a.md", "a.html"]),
)
@settings(deadline=None)
def test_no_marks_are_left_in_any_text(text: str, name: str) -> None:
    read = read_linked(text.encode("utf-8"), name)
    if not isinstance(read, Unread):
        for block, found in zip(read.page.blocks, read.links, strict=True):
            assert not any("\U000f0000" <= c <= "\U000ffffd" for c in block.text)
            assert all(0 <= one.start <= one.offset <= len(block.text) for one in found)
