"""A comparison tells what a person would: text by block, cells by row and column, quantities marked."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from kb.app.page_diff import Change, page_diff
from kb.page import read_page


def diff(before: str, after: str) -> list[Change]:
    return page_diff(read_page(before), read_page(after))


def table(*rows: tuple[str, ...]) -> str:
    head, *body = rows
    lines = ["<tr>" + "".join(f"<th>{c}</th>" for c in head) + "</tr>"]
    lines += [f"<tr><th>{r[0]}</th>" + "".join(f"<td>{c}</td>" for c in r[1:]) + "</tr>" for r in body]
    return f"<h2>Sizes</h2><table>{''.join(lines)}</table>"


def cells(changes: list[Change]) -> list[tuple[tuple[str, ...], tuple[str, ...], str, str]]:
    return [(c.row, c.column, c.before, c.after) for c in changes]


def test_a_changed_figure_in_prose_is_marked_where_it_stands() -> None:
    [change] = diff(
        "<h1>ND</h1><p>Each GPU has 400 Gbps and 96 vCPUs.</p>",
        "<h1>ND</h1><p>Each GPU has 800 Gbps and 96 vCPUs.</p>",
    )
    assert (change.what, change.headings, change.said) == ("changed", ("ND",), (("400 Gbps",), ("800 Gbps",)))
    assert [change.before[a:b] for a, b in change.lost] == ["400 Gbps"]
    assert [change.after[a:b] for a, b in change.new] == ["800 Gbps"]


def test_a_respelled_figure_is_a_change_of_words_and_not_of_quantity() -> None:
    [change] = diff("<p>The link has 400 Gbps.</p>", "<p>The link has 400 Gb/s.</p>")
    assert change.what == "changed" and change.said == ((), ())


def test_cells_are_compared_by_row_and_column_wherever_they_stand() -> None:
    before = table(("Size", "Mbps", "vCPU"), ("A", "100", "8"), ("B", "200", "16"))
    after = table(("Size", "vCPU", "Mbps"), ("B", "16", "250"), ("A", "8", "100"))
    assert cells(diff(before, after)) == [(("B",), ("Mbps",), "200", "250")]


def test_new_and_lost_rows_and_columns_are_told_cell_by_cell() -> None:
    before = table(("Size", "Mbps"), ("A", "100"), ("B", "200"))
    after = table(("Size", "Mbps", "GPU"), ("A", "100", "4"), ("C", "300", "8"))
    assert cells(diff(before, after)) == [
        (("A",), ("GPU",), "", "4"),
        (("C",), ("Mbps",), "", "300"),
        (("C",), ("GPU",), "", "8"),
        (("B",), ("Mbps",), "200", ""),
    ]


def test_what_came_and_went_is_told_in_the_order_of_the_page() -> None:
    changes = diff(
        "<h1>A</h1><p>first thing here</p><p>second one stays</p><p>third goes away entirely</p>",
        "<h1>A</h1><p>second one stays</p><p>wholly new words</p>",
    )
    assert [(c.what, c.before or c.after) for c in changes] == [
        ("removed", "first thing here"),
        ("added", "wholly new words"),
        ("removed", "third goes away entirely"),
    ]


def test_a_quantity_that_only_moved_is_neither_lost_nor_new() -> None:
    before = "<h1>A</h1><p>The rack has 130 TB/s.</p><p>Its memory is 80 GB.</p>"
    after = f"<h1>A</h1>{table(('Property', 'Value'), ('NVLink', '130 TB/s'), ('Memory', '96 GB'))}"
    changes = diff(before, after)
    assert {w for c in changes for w in c.said[0]} == {"80 GB"}
    assert {w for c in changes for w in c.said[1]} == {"96 GB"}


def test_values_that_changed_places_are_marked_in_both() -> None:
    before = table(("Size", "Rate"), ("A", "100 Gbps"), ("B", "200 Gbps"))
    after = table(("Size", "Rate"), ("A", "200 Gbps"), ("B", "100 Gbps"))
    assert [c.said for c in diff(before, after)] == [
        (("100 Gbps",), ("200 Gbps",)),
        (("200 Gbps",), ("100 Gbps",)),
    ]


def test_what_nobody_sees_is_no_difference() -> None:
    before = "<head><meta name=description content='400 Gbps'></head><body><p class=a>400 Gbps</p><script>1</script>"
    after = "<head><meta name=description content='800 Gbps'></head><body><div><p>400 Gbps</p></div><script>2</script>"
    assert diff(before, after) == []


def test_a_table_that_got_another_heading_is_still_compared_by_cell() -> None:
    before = table(("Size", "Mbps"), ("A", "100"), ("B", "200"))
    after = before.replace("Sizes", "All sizes").replace("200", "300")
    found = cells(diff(before, after))
    assert (("B",), ("Mbps",), "200", "300") in found and len(found) == 2


words = st.sampled_from(["400 Gbps", "800 Gbps", "alpha", "beta", "96 vCPUs", "$2.49 per hour"])
pages = st.lists(
    st.one_of(
        words.map(lambda w: f"<p>The one with {w}</p>"),
        words.map(lambda w: f"<h2>{w}</h2>"),
        st.lists(words, min_size=1, max_size=3).map(
            lambda ws: table(("Size", "Value"), *((f"r{n}", w) for n, w in enumerate(ws)))
        ),
    ),
    max_size=6,
).map(lambda parts: f"<h1>Page</h1>{''.join(parts)}")


@settings(deadline=None, max_examples=60)
@given(pages, pages)
def test_equal_pages_have_no_differences_and_others_are_told_from_either_side(one: str, two: str) -> None:
    assert diff(one, one) == []
    there, back = diff(one, two), diff(two, one)
    assert bool(there) == bool(back)
    for change in there:
        assert change.before or change.after
        assert change.before != change.after
        assert all(change.before[a:b] for a, b in change.lost) and all(
            change.after[a:b] for a, b in change.new
        )
