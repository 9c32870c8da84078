"""A name that stands with another of its form for one value is another value than the name alone."""

from __future__ import annotations

import pytest

import kb
from kb.claims.case import claim_from_case


def said(now: str, before: str | None = None, attribute: str = "tier", **case: str) -> tuple[str, object]:
    claim = claim_from_case({"subject": "Loom cloud", "attribute": attribute, **case})
    page = "<h1>Loom cloud</h1><p>{}</p>"
    base = kb.read_page(page.format(before)) if before else None
    verdict = kb.judge(claim, kb.read_page(page.format(now)), base)
    return str(verdict.outcome), verdict.found


@pytest.mark.parametrize("both", ["T3/T4", "T4 or T5", "T3 / T4"])
def test_one_of_two_names_is_no_statement_of_it_alone(both: str) -> None:
    now = f"The tier of the Loom cloud is {both}."
    assert said(now, "The tier of the Loom cloud is T4.", text="T4") == ("drifted", both)


def test_days_joined_by_or_are_one_value() -> None:
    now = "The weekday of the Loom cloud is Tuesdays or Wednesdays."
    assert said(now, attribute="weekday", text="Tuesdays") == ("drifted", "Tuesdays or Wednesdays")


def test_versions_from_one_to_another_are_a_range() -> None:
    now = "The Python version of the Loom cloud is 3.8 - 3.12."
    before = "The Python version of the Loom cloud is 3.8+."
    assert said(now, before, attribute="Python version", text="3.8+") == ("drifted", "3.8 - 3.12")


def test_the_end_of_a_range_that_is_asked_for_holds() -> None:
    now = "The Python version of the Loom cloud is 3.8 - 3.12."
    assert said(now, attribute="oldest Python version", text="3.8")[0] == "holds"


def test_what_stood_with_another_before_holds() -> None:
    now = "The tier of the Loom cloud is T3/T4."
    assert said(now, f"{now} It is new.", text="T4")[0] == "holds"


@pytest.mark.parametrize("words", ["T4 - Premium", "T4 or another tier"])
def test_other_words_behind_a_name_leave_it_as_it_is(words: str) -> None:
    now = f"The tier of the Loom cloud is {words}."
    assert said(now, "The tier of the Loom cloud is T4.", text="T4")[0] == "holds"


@pytest.mark.parametrize("more", ["WITH LLVM-exception", "OR MIT", "AND MIT OR ISC"])
def test_a_licence_that_an_expression_goes_on_from_is_another(more: str) -> None:
    now = f"The licence of the Loom cloud is Apache-2.0 {more}."
    said_now = said(now, attribute="licence", text="Apache 2.0")
    assert said_now == ("drifted", f"Apache-2.0 {more}")


def test_a_licence_before_other_words_holds() -> None:
    now = "The licence of the Loom cloud is Apache-2.0 with a notice."
    assert said(now, attribute="licence", text="Apache 2.0")[0] == "holds"
