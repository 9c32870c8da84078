"""Bytes become text as browsers decode them: byte order mark, header, meta, guess, in that order."""

from __future__ import annotations

import pytest

from kb.page import Page, read_body, read_page
from kb.page.encoding import decode, encoding_named

PRICE = "Größe: 5 €"
META = '<meta charset="{}">'


def told(body: bytes, content_type: str | None = None) -> tuple[str, str, str]:
    page = read_page(body, content_type=content_type or "text/html")
    return page.blocks[-1].text, page.encoding, page.encoding_source


@pytest.mark.parametrize(
    ("body", "content_type", "encoding", "source"),
    [
        # a byte order mark beats the header and the meta element
        (
            b"\xef\xbb\xbf" + f"{META.format('koi8-r')}<p>{PRICE}".encode(),
            "text/html; charset=latin1",
            "utf-8",
            "bom",
        ),
        (b"\xff\xfe" + f"<p>{PRICE}".encode("utf-16-le"), "text/html; charset=utf-8", "utf-16le", "bom"),
        (b"\xfe\xff" + f"<p>{PRICE}".encode("utf-16-be"), "text/html; charset=utf-8", "utf-16be", "bom"),
        # the header beats the meta element
        (f"{META.format('koi8-r')}<p>{PRICE}".encode(), "text/html; charset=UTF-8", "utf-8", "header"),
        (
            f"{META.format('utf-8')}<p>{PRICE}".encode("cp1252"),
            "text/html; charset='latin1'",
            "windows-1252",
            "header",
        ),
        # a header that nobody knows is as none
        (
            f"{META.format('windows-1252')}<p>{PRICE}".encode("cp1252"),
            "text/html; charset=klingon",
            "windows-1252",
            "meta",
        ),
        # what pages call Latin-1 or ASCII is windows-1252, as the euro sign shows
        (f"{META.format('iso-8859-1')}<p>{PRICE}".encode("cp1252"), None, "windows-1252", "meta"),
        (f"{META.format('us-ascii')}<p>{PRICE}".encode("cp1252"), None, "windows-1252", "meta"),
        (
            f'<meta http-equiv=Content-Type content="text/html; charset=iso-8859-15"><p>{PRICE}'.encode(
                "iso-8859-15"
            ),
            None,
            "iso-8859-15",
            "meta",
        ),
        (
            f'<?xml version="1.0" encoding="windows-1250"?><p>{PRICE}'.encode("cp1250"),
            None,
            "windows-1250",
            "meta",
        ),
        # a meta element that claims UTF-16 could not have been read, so it is UTF-8
        (f"{META.format('utf-16')}<p>{PRICE}".encode(), None, "utf-8", "meta"),
        # one in a comment, or past the first kilobyte, is not seen
        (f"<!-- {META.format('koi8-r')} --><p>{PRICE}".encode(), None, "utf-8", "guess"),
        (b" " * 1100 + f"{META.format('koi8-r')}<p>{PRICE}".encode(), None, "utf-8", "guess"),
        # without a word: UTF-8 where it is that, else windows-1252
        (f"<p>{PRICE}".encode(), None, "utf-8", "guess"),
        (f"<p>{PRICE}".encode("cp1252"), None, "windows-1252", "guess"),
        (f"<p>{PRICE}".encode("utf-16-le"), None, "utf-16le", "guess"),
    ],
)
def test_the_first_that_tells_decides(
    body: bytes, content_type: str | None, encoding: str, source: str
) -> None:
    assert told(body, content_type) == (PRICE, encoding, source)


@pytest.mark.parametrize(
    ("label", "body", "text"),
    [
        ("shift_jis", "価格は5円①".encode("cp932"), "価格は5円①"),
        ("gb2312", "价格镕".encode("gb18030"), "价格镕"),
        ("euc-kr", "가격똠".encode("cp949"), "가격똠"),
        ("big5", "價格".encode("big5"), "價格"),
        ("windows-1251", "Цена".encode("cp1251"), "Цена"),
        (" UTF8\n", "Größe".encode(), "Größe"),
    ],
)
def test_a_label_means_what_browsers_read_it_as(label: str, body: bytes, text: str) -> None:
    assert decode(body, f'text/plain; charset="{label}"', html=False).text == text


def test_windows_1252_reads_any_byte() -> None:
    assert decode(b"a\x81b\x80", "text/html; charset=latin1").text == "a\x81b€"


def test_bytes_that_an_encoding_does_not_know_are_replaced() -> None:
    assert decode(b"a\xffb", "text/html; charset=utf-8").text == "a\ufffdb"


def test_a_body_cut_inside_a_character_is_still_utf_8() -> None:
    assert decode("fünf Türme – 5 €".encode()[:-1]).encoding == "utf-8"


def test_an_unknown_label_names_nothing() -> None:
    assert encoding_named("klingon") is None


def test_text_that_is_already_decoded_keeps_no_source() -> None:
    page = read_body("\ufeff<meta charset=koi8-r><p>Größe")
    assert isinstance(page, Page)
    assert (page.blocks[-1].text, page.encoding_source) == ("Größe", "")
