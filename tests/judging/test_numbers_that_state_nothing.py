"""Numbers on a page that a reader takes for no value: of a step, a power, or another kind than was counted."""

from __future__ import annotations

import pytest

import kb
from kb.claims import Claim
from kb.judging.mention import figure_mentions, shape_mentions
from kb.page import Page


def _values(html: str) -> list[str]:
    page = kb.read_page(html)
    assert isinstance(page, Page)
    return [m.text for i, block in enumerate(page.blocks) for m in figure_mentions(block, i, "en")]


@pytest.mark.parametrize(
    "text",
    [
        "# 2. Align the output",
        "// 3. Label the speakers",
        "-- 1) Create the schema",
        "(2) Fill it",
        "4. Run it",
    ],
)
def test_what_a_step_of_a_script_is_numbered_by_is_no_value(text: str) -> None:
    assert _values(f"<pre>start()\n{text}\nnext()</pre>") == []


def test_a_number_at_the_end_of_a_line_or_before_a_number_is_a_value() -> None:
    assert _values("<pre>retries = 2\n3. 5 attempts</pre>") == ["2", "3", "5 attempts"]
    assert _values("<p>The default is 4. Larger values help.</p>") == ["4"]


def test_a_power_is_neither_its_base_nor_its_exponent() -> None:
    assert _values("<p>N=2^15 (32 MiB), r=8 (1024 bytes), p=3</p>") == ["32 MiB", "8", "1024 bytes", "3"]


SPONSORS = "Project entering the Alder sandbox, sponsors needed: three"


def _outcome(claim: str, html: str) -> str:
    return str(kb.judge(Claim.parse(claim), kb.read_page(html)).outcome)


def test_a_count_in_words_is_no_length_of_time_with_the_same_number() -> None:
    html = """<h1>Alder projects</h1><p>A project that is entering the sandbox should plan on at least 3 months
    once a sponsor steps forward.</p><p>Sponsors are needed until the project graduates.</p>"""
    assert _outcome(SPONSORS, html) == "gone"


def test_a_count_in_words_is_the_same_count_in_digits() -> None:
    html = "<h1>Alder projects</h1><p>A project entering the sandbox needs 3 sponsors.</p>"
    assert _outcome(SPONSORS, html) == "holds"


def test_a_time_whose_attribute_names_the_unit_may_be_in_words() -> None:
    html = "<h1>Alder projects</h1><p>Review of a sandbox project takes three months.</p>"
    assert _outcome("Alder sandbox project, months that a review takes: three", html) == "holds"


def test_a_number_alone_in_an_address_is_no_version_but_one_with_points_is() -> None:
    html = "<p>Get https://loom.example/loom-12-29.tar or https://loom.example/v1.4.2/loom, release 7.</p>"
    page = kb.read_page(html)
    assert isinstance(page, Page)
    assert [m.text for m in shape_mentions(page.blocks[0], 0, "version")] == ["v1.4.2", "7"]
