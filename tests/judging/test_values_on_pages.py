"""What a page's text offers as values: slots in prose, ends of ranges, marks of footnotes, and glosses."""

from __future__ import annotations

import pytest

import kb
from kb.claims.case import claim_from_case
from kb.judging.mention import figure_mentions
from kb.page import Block


def texts(text: str, kind: str = "paragraph") -> list[str]:
    return [m.text for m in figure_mentions(Block(kind, text), 0, "en")]


@pytest.mark.parametrize(
    "text", ["1 to 16 nodes", "1–16 nodes", "1..16 nodes", "from 1 up to 16 nodes", "between 1 and 16 nodes"]
)
def test_both_ends_of_a_range_are_mentions(text: str) -> None:
    ends = {m.end_of_range: m.text for m in figure_mentions(Block("paragraph", text), 0, "en")}
    assert ends["low"] == "1"
    assert ends["high"] == "16 nodes"


def test_the_mark_of_a_footnote_is_no_value() -> None:
    assert texts("5,000 [1]") == ["5,000"]
    assert texts("Up to 40 looms[12] are free.") == ["40 looms"]


def test_a_rate_takes_its_period_in_short() -> None:
    (mention,) = [m for m in figure_mentions(Block("cell", "1,500/3h"), 0, "en") if m.start == 0]
    assert (mention.text, mention.quantity and mention.quantity.per) == ("1,500/3h", "3 hour")


@pytest.mark.parametrize("text", ["(integer, default: 45)", "Defaults to 45.", "The default is 45"])
def test_a_default_in_prose_stands_in_a_slot(text: str) -> None:
    (mention,) = figure_mentions(Block("item", text), 0, "en")
    assert not mention.prose
    (mention,) = figure_mentions(Block("item", "It waits for 45 of them"), 0, "en")
    assert mention.prose


def said(page: str, **case: str) -> tuple[str, object]:
    verdict = kb.judge(claim_from_case({"subject": "Loom", **case}), kb.read_page(page))
    return str(verdict.outcome), verdict.found


def test_a_gloss_that_states_another_value_is_not_told_with_the_value() -> None:
    page = "<h1>Loom</h1><p>The page size of Loom defaults to 25 (maximum 100).</p>"
    assert said(page, attribute="default page size", figure="20") == ("drifted", "25")
    page = "<h1>Loom</h1><p>Max. upload size: 2 GB (was 1 GB)</p>"
    assert said(page, attribute="maximum upload size", figure="1 GB") == ("drifted", "2 GB")


def test_labels_on_one_line_name_each_its_own_value() -> None:
    page = kb.read_page("<h1>Loom</h1><p>Cores: 8, Memory: 16 GB, Disk: 100 GB</p>")
    assert {b.row: b.text for b in page.blocks if b.row} == {
        ("Cores",): "Cores: 8", ("Memory",): "Memory: 16 GB", ("Disk",): "Disk: 100 GB",
    }  # fmt: skip
    page = kb.read_page("<h1>Loom</h1><p>L5: 2 cores, Memory: 8 GB</p>")
    assert [b.row for b in page.blocks if b.row] == [("L5",)]


def test_a_bracket_that_does_not_close_makes_no_label() -> None:
    page = kb.read_page("<p>1-35 (default: 7)</p><p>(default: 5)</p>")
    assert [b.row for b in page.blocks] == [(), ("default",)]


@pytest.mark.parametrize("said_now", ["every hour", "once an hour", "once per hour", "each hour"])
def test_a_period_without_a_number_is_one_of_it(said_now: str) -> None:
    page = f"<h1>Loom</h1><p>Copies of the Loom are made {said_now}.</p>"
    assert said(page, attribute="interval between copies", figure="1 hour") == ("holds", said_now)
    assert said(page, attribute="interval between copies", figure="2 hours") == ("drifted", said_now)


def test_a_period_that_is_a_basis_is_no_value_by_itself() -> None:
    assert texts("The Loom is cleaned twice a week, and 500 cloths per day leave it.") == [
        "twice a week", "500 cloths per day",
    ]  # fmt: skip


def test_what_an_address_is_made_of_is_no_value() -> None:
    assert texts('"next": "https://loom.example/list?size=20&page=3", size = 30', "code") == ["30"]


def test_a_number_that_refers_to_a_part_of_a_text_is_no_value() -> None:
    assert texts("See section 6.7 and column 3 for the 12 looms of table 4.") == ["12 looms"]
    assert texts("A table of 40 looms has a line of 3.") == ["40 looms", "3"]
