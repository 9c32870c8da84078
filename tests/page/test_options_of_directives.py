"""Options below a directive that describes a setting say something of it; those of layout say nothing."""

from __future__ import annotations

import kb

PAGE = b"""
Nest Settings
=============

.. osprey:setting:: nest_depth
   :default: 20cm
   :values: @length
   :no-index:

   How deep a nest is built.

.. confval:: nest_heat
   :type: int
   :class: wide
   :default: ``38``
"""


def page() -> kb.Page:
    return kb.read_page(PAGE, content_type="text/x-rst", url="https://osprey.example/nests.rst")


def test_options_of_a_described_setting_are_labelled_values_of_it() -> None:
    found = [(b.row, b.text) for b in page().blocks if len(b.row) > 1]
    assert found == [
        (("nest_depth", "default"), "default: 20cm"),
        (("nest_depth", "values"), "values: @length"),
        (("nest_heat", "type"), "type: int"),
        (("nest_heat", "default"), "default: 38"),
    ]


def test_options_do_not_take_the_text_below_them_along() -> None:
    (text,) = [b for b in page().blocks if b.text.startswith("How deep")]
    assert text.row == ("nest_depth",)


def test_options_of_layout_are_not_read() -> None:
    assert not any("wide" in b.text or "index" in b.text for b in page().blocks)


def test_a_title_in_what_is_said_of_a_setting_heads_nothing_below_it() -> None:
    text = PAGE.decode().replace("   How deep", "   EGGS\n\n      A nest of eggs is deeper.\n\n   How deep")
    read = kb.read_page(text.encode(), content_type="text/x-rst", url="https://osprey.example/nests.rst")
    (heat,) = [b for b in read.blocks if b.text == "default: 38"]
    assert heat.headings == page().blocks[-1].headings
