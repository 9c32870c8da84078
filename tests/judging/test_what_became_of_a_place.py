"""What became of the block that stated a claim: its counterpart, a row that is lost, a value left alone."""

from __future__ import annotations

import kb
from kb.judging.counterpart import counterpart, row_lost
from kb.judging.reading import PageReading, reading_of


def read(html: str) -> PageReading:
    return reading_of(kb.read_page(html))


def at(reading: PageReading, text: str) -> int:
    (index,) = [i for i, block in enumerate(reading.blocks) if block.text == text]
    return index


PLANS = "<h1>Plans</h1><table><tr><th>Plan<th>Storage<th>Seats</tr>{}</table>"


def plans(*rows: tuple[str, str, str]) -> PageReading:
    return read(PLANS.format("".join(f"<tr><td>{'<td>'.join(row)}</tr>" for row in rows)))


def test_a_cell_is_followed_to_its_row_and_column_wherever_they_stand() -> None:
    before = plans(("Solo", "5 GB", "1"), ("Team", "20 GB", "8"))
    now = plans(("Firm", "90 GB", "40"), ("Team", "25 GB", "9"), ("Solo", "6 GB", "2"))
    found = counterpart(before, at(before, "20 GB"), now)
    assert found is not None
    assert now.blocks[found].text == "25 GB"


def test_a_sentence_is_followed_whatever_number_it_has() -> None:
    before = read("<h2>Jobs</h2><p>A job may run for 50 minutes.</p><p>Owners are told of failures.</p>")
    now = read("<p>New here</p><h2>Jobs</h2><p>Owners are told.</p><p>Each job may run for 70 minutes.</p>")
    found = counterpart(before, at(before, "A job may run for 50 minutes."), now)
    assert found is not None
    assert now.blocks[found].text == "Each job may run for 70 minutes."


def test_what_stood_there_before_is_its_own_counterpart_and_no_others() -> None:
    before = read("<p>A job may run for 50 minutes.</p><p>A task may run for 50 minutes.</p>")
    now = read("<p>A task may run for 50 minutes.</p>")
    assert counterpart(before, 0, now) is None
    assert counterpart(before, 1, now) == 0


def test_a_row_is_lost_where_its_siblings_are_still_there() -> None:
    before = plans(("Solo", "5 GB", "1"), ("Team", "20 GB", "8"), ("Firm", "90 GB", "40"))
    now = plans(("Team", "20 GB", "8"), ("Firm", "90 GB", "40"))
    assert row_lost(before, at(before, "5 GB"), now) == 1.0
    assert row_lost(before, at(before, "20 GB"), now) == 0.0


def test_a_row_that_became_a_heading_is_not_lost() -> None:
    before = plans(("Solo", "5 GB", "1"), ("Team", "20 GB", "8"))
    now = read("<h1>Plans</h1><h2>Solo</h2><p>5 GB</p><h2>Team</h2><p>20 GB</p>")
    assert row_lost(before, at(before, "5 GB"), now) == 0.0


def test_no_row_is_lost_on_a_page_that_is_all_another() -> None:
    before = plans(("Solo", "5 GB", "1"), ("Team", "20 GB", "8"))
    assert row_lost(before, at(before, "5 GB"), read("<h1>We have moved</h1>")) == 0.0
