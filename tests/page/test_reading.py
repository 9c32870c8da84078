"""Bodies of each kind give the blocks that a person would name."""

from __future__ import annotations

from kb.page import Unread, read_body, read_page
from kb.reasons import Reason


def test_a_cell_knows_its_row_its_columns_and_its_caption():
    page = read_page(
        "<table><caption>Sizes</caption><tr><th rowspan=2></th><th colspan=2>Network</th></tr>"
        "<tr><th>Max (Mbps)</th><th>NICs</th></tr><tr><td>Small</td><td>800</td><td>8</td></tr></table>"
    )
    cell = next(b for b in page.blocks if b.text == "800")
    assert (cell.row, cell.column, cell.caption) == (("Small",), ("Network", "Max (Mbps)"), "Sizes")


def test_nothing_to_read_is_a_reason():
    page = read_body(b" \n ")
    assert isinstance(page, Unread)
    assert page.reason is Reason.EMPTY
