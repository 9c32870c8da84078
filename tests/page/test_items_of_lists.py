"""A list item is one thing: its label stands for all blocks in it, and its headings end with it."""

from __future__ import annotations

import kb

ITEMS = b"""<h2>Options</h2><ul>
<li><p><em>openWait</em> : (property) how long to wait.</p><h6>Note</h6><blockquote><p>Default is 5 seconds.</p>
</blockquote></li>
<li><p><strong>Close wait</strong></p><div><p>Default is 7 seconds.</p></div></li>
<li>plain <ul><li>inner: one</li></ul><p>more</p></li>
</ul><p>After the list.</p>"""


def test_an_items_label_stands_for_all_blocks_in_it() -> None:
    rows = {b.text: b.row for b in kb.read_page(ITEMS, content_type="text/html").blocks}
    assert rows["Default is 5 seconds."] == ("openWait",)
    assert rows["Default is 7 seconds."] == ("Close wait",)
    assert rows["more"] == ()
    assert rows["After the list."] == ()


def test_a_heading_inside_an_item_ends_with_it() -> None:
    headings = {b.text: b.headings for b in kb.read_page(ITEMS, content_type="text/html").blocks}
    assert headings["Default is 5 seconds."] == ("Options", "Note")
    assert headings["Default is 7 seconds."] == ("Options",)
    assert headings["After the list."] == ("Options",)


def test_an_escaped_underscore_is_one() -> None:
    text = "Settings\n========\n\n-  **loop\\_wait**: seconds between rounds. Default value: 10\n"
    blocks = kb.read_page(text, content_type="text/x-rst").blocks
    assert any(b.row == ("loop_wait",) for b in blocks)


def test_a_line_that_is_all_code_names_the_list_after_it() -> None:
    page = kb.read_page(
        b"`reed / -r`\n- **Default:** `2GB`\n\nSet `warp`\n- **Default:** `3GB`\n",
        content_type="text/markdown",
    )
    rows = {b.text: b.row for b in page.blocks if b.kind == "item"}
    assert rows == {"Default: 2GB": ("reed / -r", "Default"), "Default: 3GB": ("Default",)}
