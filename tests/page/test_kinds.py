"""The header decides how a body is read, else the name, else how it begins."""

from __future__ import annotations

import pytest

from kb.page import read_page
from kb.page.kinds import kind_of


@pytest.mark.parametrize(
    ("body", "url", "content_type", "kind"),
    [
        ("# Title", "https://example.org/a.html", "text/markdown; charset=utf-8", "markdown"),
        ("# Title", "https://example.org/README.md", "text/plain", "markdown"),
        ("# Title", "https://example.org/README.md?raw=1#top", "application/octet-stream", "markdown"),
        ("<p>x", "https://example.org/a.html", "text/plain", "text"),
        ("<p>x", "https://example.org/data.json", "text/html", "html"),
        ("<p>x", "https://example.org/index.php", None, "html"),
        ("a,b", "prices.csv", None, "csv"),
        ("a\tb", "prices.tsv", None, "tsv"),
        ("= Title", "guide.adoc", None, "asciidoc"),
        ("Title\n=====", "index.rst", None, "rst"),
        ("%PDF-1.4", None, None, "pdf"),
        (b"%PDF-1.4", "https://example.org/paper", "text/html", "pdf"),
        ('{"a": 1}', None, None, "json"),
        ('{"a": 1}', None, "application/vnd.api+json", "json"),
        ("<?xml version='1.0'?><feed/>", None, "application/atom+xml", "html"),
        ("[link](https://example.org)\n\n## Two\n", None, None, "markdown"),
        ("Just words.", None, None, "text"),
        ("text <b>bold</b> and <a href=x>link</a>", None, None, "html"),
        (b"\x00\x01\x02\x03" * 300, None, None, None),
        (b"\x89PNG", "https://example.org/a.png", "image/png", None),
        (b"PK\x03\x04", None, "application/zip", None),
    ],
)
def test_a_kind_is_told(
    body: bytes | str, url: str | None, content_type: str | None, kind: str | None
) -> None:
    assert kind_of(body, url, content_type) == kind


@pytest.mark.parametrize(
    ("text", "content_type", "lang"),
    [
        ('<html lang="de-AT"><p>x', "text/html", "de"),
        ('<html xml:lang="FR"><p>x', "text/html", "fr"),
        ('<meta http-equiv="content-language" content="it"><p>x', "text/html", "it"),
        ('<meta property="og:locale" content="pt_BR"><p>x', "text/html", "pt"),
        ("---\nlang: nl\n---\nx", "text/markdown", "nl"),
        ("<p>x", "text/html", None),
        ('<html lang="klingonish"><p>x', "text/html", None),
    ],
)
def test_a_page_knows_its_language_where_it_says_so(text: str, content_type: str, lang: str | None) -> None:
    assert read_page(text, content_type=content_type).lang == lang


@pytest.mark.parametrize(
    "head",
    [
        '<meta property="article:published_time" content="2026-03-01T10:00:00Z">',
        '<meta itemprop="datePublished" content="2026-03-01">',
        '<meta name="DC.date" content="2026-03-01">',
        '<script type="application/ld+json">{"@type": "Article", "datePublished": "2026-03-01T08:00"}</script>',
    ],
)
def test_a_page_knows_when_it_was_published(head: str) -> None:
    assert read_page(f"<html><head>{head}</head><body><p>x</p>").published == "2026-03-01"
