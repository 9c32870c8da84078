"""References of reStructuredText: a name that a low line makes a link is the name."""

from __future__ import annotations

import kb

PAGE = b"""
Nests
=====

* **Ada** (`ada`_) looks after the Twig_, Leaf_ and ``egg_`` nests, and owl_id.

.. _Twig: https://osprey.example/twig
"""


def test_a_low_line_behind_a_name_is_markup_and_in_a_literal_a_part_of_it() -> None:
    page = kb.read_page(PAGE, content_type="text/x-rst", url="https://osprey.example/nests.rst")
    texts = [b.text for b in page.blocks if b.kind == "item"]
    assert texts == ["Ada (ada) looks after the Twig, Leaf and egg_ nests, and owl_id."]
