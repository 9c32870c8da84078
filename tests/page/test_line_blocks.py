"""Line blocks of reStructuredText: lines that are kept apart, and no snippets."""

from __future__ import annotations

import kb

PAGE = b"""
Settings
========

``nest.max_twigs``
  | *Default:* 1000
  | *Runtime:* ``yes``

  The most twigs of a nest.

| 12 Oak Lane
| Rookwood
"""


def test_each_line_of_a_line_block_is_a_text_without_its_bar_and_marks() -> None:
    page = kb.read_page(PAGE, content_type="text/x-rst", url="https://osprey.example/settings.rst")
    pairs = [(b.row, b.text) for b in page.blocks if b.kind == "pair"]
    assert pairs == [
        (("nest.max_twigs", "Default"), "Default: 1000"),
        (("nest.max_twigs", "Runtime"), "Runtime: yes"),
    ]
    assert "12 Oak Lane\nRookwood" in [b.text for b in page.blocks if b.kind == "paragraph"]
    assert not [b for b in page.blocks if b.kind == "code"]
