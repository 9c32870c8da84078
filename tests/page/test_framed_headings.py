"""Titles between equals signs in plain text, as wikis and older manuals write them."""

from __future__ import annotations

from kb.page import read_page


def test_a_title_between_equals_signs_is_a_heading_of_its_level() -> None:
    text = (
        "= Settings =\n\n== Timeouts ==\n\n=== wait_timeout ===\n\nHow long a query may wait.\n\n"
        "Default: 120.0\n\n=== idle_timeout ===\n\nDefault: 60.0\n"
    )
    page = read_page(text, "https://docs.example/settings.txt")
    under = {b.text: b.headings for b in page.blocks if b.text.startswith("Default")}
    assert under["Default: 120.0"] == ("Settings", "Timeouts", "wait_timeout")
    assert under["Default: 60.0"] == ("Settings", "Timeouts", "idle_timeout")


def test_a_rule_or_a_comparison_is_no_heading() -> None:
    page = read_page("Rates\n=====\n\nWhere a == b the rate is 5.\n", "https://docs.example/rates.txt")
    assert [b.text for b in page.blocks if b.kind == "heading"] == ["Rates"]
