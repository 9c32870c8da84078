"""Tables drawn with characters: which lines are one row."""

from __future__ import annotations

from kb.page import read_page

DRAWN = """\
Pots
====

+-------+------------------+
| Big   | holds nine       |
|       | litres of soup   |
+-------+------------------+
| Small | holds three      |
|       | litres, or of    |
|       | milk two         |
+-------+------------------+
"""

SHELL = """\
+-------+--------+
| pot   | litres |
+-------+--------+
| big   | 9      |
| small | 3      |
| tiny  | 1      |
+-------+--------+
"""


def cells(text: str, content_type: str) -> list[str]:
    page = read_page(text.encode(), content_type=content_type)
    return [block.text for block in page.blocks if block.kind == "cell"]


def test_lines_that_leave_the_first_column_empty_go_on_with_the_row_above() -> None:
    assert cells(DRAWN, "text/x-rst") == [
        "Big",
        "holds nine litres of soup",
        "Small",
        "holds three litres, or of milk two",
    ]


def test_each_line_is_a_row_where_a_shell_draws_the_table() -> None:
    assert cells(SHELL, "text/plain") == ["pot", "litres", "big", "9", "small", "3", "tiny", "1"]
