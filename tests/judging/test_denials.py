"""What a claim says is not so: the page denies it in other words, or says now that it is so."""

from __future__ import annotations

import pytest

import kb
from kb.claims.case import claim_from_case

PAGE = "<h1>Finch Cloud</h1><h2>Upgrades of nests</h2><p>{}</p><p>Ask us for more.</p>"


def said(sentence: str, text: str = "not updated automatically") -> str:
    case = {
        "subject": "nests on Finch Cloud",
        "attribute": "upgrade when a new version appears",
        "text": text,
    }
    return str(kb.judge(claim_from_case(case), kb.read_page(PAGE.format(sentence))).outcome)


@pytest.mark.parametrize(
    "sentence",
    [
        "Nests on Finch Cloud are not updated automatically.",
        "None of the nests on Finch Cloud are automatically updated.",
        "Finch Cloud doesn't automatically update nests when a new version appears.",
    ],
)
def test_a_denial_in_other_words_holds(sentence: str) -> None:
    assert said(sentence) == "holds"


def test_what_was_denied_and_is_said_now_has_changed() -> None:
    assert said("Finch Cloud automatically updates nests as new versions appear.") == "drifted"


def test_a_page_that_speaks_of_something_else_denies_nothing() -> None:
    assert said("Finch Cloud updates its prices. Nests wait for a new version.") == "gone"
