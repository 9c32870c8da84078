"""XML that declares entities of its own is a reason, quickly, and never a page."""

from __future__ import annotations

import pytest

from kb.page import Page, Unread, read_body
from kb.reasons import Reason

LEVELS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
LAUGHS = f'<?xml version="1.0"?>\n<!DOCTYPE lolz [<!ENTITY l0 "lol">{LEVELS}]>\n<lolz>&l9;</lolz>'
OUTSIDE = '<?xml version="1.0"?>\n<!-- a note -->\n<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/hostname">]>\n<a>&x;</a>'


@pytest.mark.parametrize("body", [LAUGHS, OUTSIDE], ids=["billion-laughs", "external"])
@pytest.mark.parametrize("kind", ["application/xml", "text/xml", "application/xhtml+xml", "text/html"])
def test_entities_of_its_own_make_a_body_unsupported(body: str, kind: str) -> None:
    seen = read_body(body.encode(), "https://example.org/a", kind)
    assert isinstance(seen, Unread)
    assert seen.reason is Reason.UNSUPPORTED_TYPE


def test_a_page_that_writes_about_entities_is_a_page() -> None:
    body = "<!DOCTYPE html><html><p>In XML, &lt;!ENTITY lol 'lol'> declares an entity.</p><pre><!DOCTYPE a [<!ENTITY b 'c'>]></pre></html>"
    assert isinstance(read_body(body.encode(), None, "text/html"), Page)


HTML = f'<!DOCTYPE html [<!ENTITY l0 "lol">{LEVELS}]>\n<html><p>See &l9; and 5 GB.</p></html>'


def test_html_that_declares_entities_is_read_as_a_browser_shows_it_with_none_expanded() -> None:
    seen = read_body(HTML.encode(), "https://example.org/a", "text/html")
    assert isinstance(seen, Page)
    assert seen.blocks[-1].text == "See &l9; and 5 GB."


@pytest.mark.parametrize("kind", ["application/xhtml+xml", "application/xml"])
def test_the_same_served_as_xml_is_refused(kind: str) -> None:
    seen = read_body(HTML.encode(), "https://example.org/a", kind)
    assert isinstance(seen, Unread) and seen.reason is Reason.UNSUPPORTED_TYPE
