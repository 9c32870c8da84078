"""JSON can write half a surrogate pair, which no database and no report can hold."""

from __future__ import annotations

import pytest

from kb.page import read_page


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b'{"Atlas \\udc00": {"memory": "640 GB \\ud800"}, "name": "\\ud800 n"}', "application/json"),
        (b'<p>Atlas</p><script type="application/ld+json">{"memory": "640 GB\\ud800"}</script>', "text/html"),
    ],
)
def test_a_half_character_becomes_a_mark_of_its_own(body: bytes, kind: str) -> None:
    blocks = read_page(body, content_type=kind).blocks
    assert any("640 GB" in b.text for b in blocks)
    repr(blocks).encode()
    for block in blocks:
        block.text.encode()
        " ".join((*block.headings, *block.row, *block.column)).encode()
