"""Tables of reStructuredText that are written as lists of lists."""

from __future__ import annotations

import kb

BELOW = """Engines
=======

.. list-table::
    :header-rows: 1

    *
      - Model
      - Memory (GiB)
      - Units
    *
      - Gander 3
      - 192
      - 304 (38 per die,

        - and two spare)
    *
      - Heron 2
      -
      - 120
"""

BESIDE = """Engines
=======

.. list-table::
   :header-rows: 1

   * - Model
     - Memory (GiB)
   * - Gander 3
     - 192
"""


def cells(text: str) -> dict[tuple[tuple[str, ...], tuple[str, ...]], str]:
    page = kb.read_page(text, "engines.rst", "text/x-rst")
    return {(b.row, b.column): b.text for b in page.blocks if b.kind == "cell" and b.column}


def test_cells_may_begin_below_the_bullet_of_their_row() -> None:
    found = cells(BELOW)
    assert found[("Gander 3",), ("Memory (GiB)",)] == "192"
    assert found[("Heron 2",), ("Units",)] == "120"


def test_a_list_inside_a_cell_belongs_to_it() -> None:
    assert cells(BELOW)[("Gander 3",), ("Units",)] == "304 (38 per die, - and two spare)"


def test_cells_may_begin_beside_the_bullet_of_their_row() -> None:
    assert cells(BESIDE)[("Gander 3",), ("Memory (GiB)",)] == "192"


def test_the_raised_mark_of_a_footnote_leaves_no_backslash_behind_a_header() -> None:
    marked = BELOW.replace("Memory (GiB)", "Memory  \\ :sup:`[1]` \\")
    assert cells(marked)[("Heron 2",), ("Units",)] == "120"
    assert not any("\\" in label for _, column in cells(marked) for label in column)
