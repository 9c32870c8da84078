"""Tables whose rows are empty, cut short or pushed aside by spans: read, and never a fault."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.page import Page, read_body


def _page(html: str) -> Page:
    page = read_body(html.encode(), "page.html", "text/html")
    assert isinstance(page, Page)
    return page


@pytest.mark.parametrize("empty", ["<tr></tr>", "<tr> </tr>", "<tr><!-- none --></tr>"])
def test_a_row_without_cells_leaves_the_others_their_names(empty: str) -> None:
    page = _page(f"<table>{empty}<tr><th>Plan<th>Seats</tr>{empty}<tr><td>Team<td>12</tr>{empty}</table>")
    (cell,) = [b for b in page.blocks if b.text == "12"]
    assert (cell.row, cell.column) == (("Team",), ("Seats",))


_CELLS = st.builds(
    lambda tag, rows, columns, text: f"<{tag} rowspan={rows} colspan={columns}>{text}</{tag}>",
    st.sampled_from(["td", "th"]),
    st.integers(0, 3),
    st.integers(0, 3),
    st.sampled_from(["", "Team", "12", "12 GB", "Seats", "<b>x</b>"]),
)
_ROWS = st.lists(st.lists(_CELLS, max_size=4), max_size=6)


@given(_ROWS)
def test_any_rows_of_any_cells_are_read(rows: list[list[str]]) -> None:
    page = _page(
        "<p>Before</p><table>" + "".join(f"<tr>{''.join(row)}</tr>" for row in rows) + "</table><p>After</p>"
    )
    assert [page.blocks[0].text, page.blocks[-1].text] == ["Before", "After"]
