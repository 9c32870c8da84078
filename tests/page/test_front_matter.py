"""Front matter: the lists and rows that stand before a Markdown page."""

from __future__ import annotations

import pytest

import kb
from kb.page import Block

RELEASES = """---
title: Loom
updated: 2026-02-01   # by hand
releases:
  # newest first
  - cycle: "2.4"
    released: 2025-05-01
    eol: 2027-05-01

  - cycle: "2.3"
    released: 2024-05-01
    eol: 2026-05-01
    lts: true
---

Loom is a weaver.
"""


def _blocks(text: str) -> tuple[Block, ...]:
    return kb.read_page(text, content_type="text/markdown").blocks


def test_rows_under_a_field_are_a_table_named_by_their_first_field() -> None:
    cells = [b for b in _blocks(RELEASES) if b.table is not None and not b.header and b.kind == "cell"]
    assert ("2026-05-01", ("2.3",), ("eol",)) in [(b.text, b.row, b.column) for b in cells]
    assert ("true", ("2.3",), ("lts",)) in [(b.text, b.row, b.column) for b in cells]


def test_rows_number_no_table_as_one_of_the_page_does() -> None:
    blocks = _blocks(RELEASES + "\n| plan | price |\n|---|---|\n| small | $4 |\n")
    assert len({b.table for b in blocks if b.text in ("2026-05-01", "$4")}) == 2


@pytest.mark.parametrize("dash", ["- ", "  - "])
def test_a_list_under_a_field_is_items_named_by_it(dash: str) -> None:
    blocks = _blocks(f'---\nauthor:\n{dash}"Ada Reed <ada@example.org>"\n{dash}Bo Sand\n---\n\nWords.\n')
    items = [(b.text, b.row) for b in blocks if b.kind == "item"]
    assert items == [("Ada Reed <ada@example.org>", ("author",)), ("Bo Sand", ("author",))]


def test_what_is_nested_deeper_is_pairs_named_on_the_way() -> None:
    blocks = _blocks(
        "---\nlimits:\n  memory:\n    least: 2 GB\n    note: >-\n      of each\n      node\n---\n\nWords.\n"
    )
    assert [(b.text, b.row) for b in blocks if b.kind == "pair"] == [
        ("2 GB", ("limits", "memory", "least")),
        ("of each node", ("limits", "memory", "note")),
    ]


@pytest.mark.parametrize(
    "front", ["a:\n-\n", "a:\n  -\n  - - b\n", "a:\n    b: c\n  d\n", "a:\n  : b\n", "- a\n", "a:\n  " * 50]
)
def test_front_matter_that_is_no_yaml_is_read_past(front: str) -> None:
    assert _blocks(f"---\n{front}\n---\n\nWords.\n")[-1].text == "Words."


def test_the_front_matter_of_a_draft_ends_where_its_first_part_begins() -> None:
    text = "---\ntitle: The Loom Protocol\nauthor:\n-\n  ins: A. Reed\n  name: Ada Reed\n\n--- abstract\n\nIt weaves.\n"
    page = kb.read_page(text, content_type="text/markdown")
    assert page.title == "The Loom Protocol"
    assert page.blocks[-1].text == "It weaves."
    assert any(b.text == "Ada Reed" and b.row[-1] == "name" for b in page.blocks)
