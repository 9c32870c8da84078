"""A backslash before white space, or at the end of a text, is markup of reStructuredText and never shown."""

from __future__ import annotations

import pytest

import kb

PAGE = r"""
Tiers
=====

.. list-table::
   :header-rows: 1

   * - Tier
     - Peak IOPS  \ :sup:`[1]` \
   * - reed
     - 5000

They are H\ :sub:`2`\ O and more.
"""


@pytest.mark.parametrize(
    "mark", [" [1]", "¹", "<sup>1</sup>", " <sup>1</sup>", " [note 1]", "<sup>[2]</sup>"]
)
def test_a_footnotes_mark_is_no_part_of_a_label(mark: str) -> None:
    page = f"<table><tr><th>Tier</th><th>Peak IOPS{mark}</th></tr><tr><th>reed</th><td>5000</td></tr></table>"
    assert kb.read_page(page).blocks[-1].column == ("Peak IOPS",)


def test_an_escaped_space_is_not_shown() -> None:
    blocks = kb.read_page(PAGE, content_type="text/x-rst").blocks
    assert [b.column for b in blocks if b.text == "5000"] == [("Peak IOPS",)]
    assert blocks[-1].text == "They are H2O and more."
