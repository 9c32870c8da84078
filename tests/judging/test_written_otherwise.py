"""Values and names in other spellings: quantities in words, releases with and without their zeros."""

from __future__ import annotations

import pytest

import kb
from kb.claims.case import claim_from_case
from kb.judging.words import keys, tokens
from kb.quantity import quantities


def said(page: str, **case: str) -> tuple[str, object]:
    verdict = kb.judge(claim_from_case({"subject": "Loom", **case}), kb.read_page(page))
    return str(verdict.outcome), verdict.found


def policy(value: str) -> str:
    return f"<h1>Loom policy</h1><p>Loom is supported in full for {value} after a release.</p>"


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("five years", "5 years"),
        ("one year", "12 months"),
        ("six months", "6 months"),
        ("5 years", "five years"),
    ],
)
def test_a_text_that_is_a_quantity_as_a_whole_is_compared_as_one(ours: str, theirs: str) -> None:
    outcome, found = said(policy(theirs), attribute="length of full support", text=ours)
    assert (outcome, found) == ("holds", theirs)
    outcome, found = said(policy("30 days"), attribute="length of full support", text=ours)
    assert (outcome, found) == ("drifted", "30 days")


def test_a_name_with_a_number_stays_a_text() -> None:
    page = "<table><tr><th>Loom</th><th>Value</th></tr><tr><td>Format</td><td>64-bit words</td></tr></table>"
    assert said(page, attribute="format", text="64-bit words") == ("holds", "64-bit words")


@pytest.mark.parametrize("text", ["one year", "One hour", "one working day", "one GB"])
def test_one_before_a_unit_is_a_number(text: str) -> None:
    assert [str(q.value) for q in quantities(f"It lasts {text}.")] == ["1"]


@pytest.mark.parametrize("text", ["one of the rooms", "one way", "no one in the room", "one room"])
def test_one_before_other_words_is_none(text: str) -> None:
    assert quantities(text) == []


def releases(name: str) -> str:
    rows = "".join(f"<tr><td>{name.format(n)}</td><td>M{n + 90}</td></tr>" for n in (23, 24, 25, 26, 250))
    return f"<h1>Loom releases</h1><table><tr><th>Loom</th><th>Engine</th></tr>{rows}</table>"


@pytest.mark.parametrize("name", ["{}", "{}.0", "{}.0.0", "v{}", "v{}.0.0", "Loom {}"])
@pytest.mark.parametrize("ours", ["25", "25.0", "25.0.0", "v25.0.0"])
def test_a_release_is_named_with_and_without_its_zeros_and_its_v(name: str, ours: str) -> None:
    outcome, found = said(releases(name), subject=f"Loom {ours}", attribute="engine version", text="M115")
    assert (outcome, found) == ("holds", "M115")


def test_a_release_is_not_another_release() -> None:
    assert keys("25.0.0") == keys("25.0") == keys("25") == keys("v25.0")
    for other in ("25.1", "2.5", "250", "25.0.1", "v5"):
        assert keys(other) != keys("25")
    assert "v5" not in {token.key for token in tokens("5")}
    assert "5" in {token.key for token in tokens("v5")}
