"""What a setting may be set to, beside what it is."""

from __future__ import annotations

import pytest

import kb
from kb.claims.case import claim_from_case
from kb.judging.offered import offered

PAGE = "<h1>Finch server</h1><h2>Admin panel</h2><p>{}</p>"


def said(sentence: str, attribute: str = "whether it is on by default") -> str:
    case = {"subject": "Finch admin panel", "attribute": attribute, "text": "true"}
    return str(kb.judge(claim_from_case(case), kb.read_page(PAGE.format(sentence))).outcome)


def test_a_value_that_a_setting_may_have_is_not_its_default() -> None:
    assert said("The admin panel of Finch is on by default: true.") == "holds"
    assert said("Set to true to enable the admin panel of Finch.") != "holds"


def test_a_claim_on_no_default_takes_what_may_be_set() -> None:
    assert said("Set to true to enable the admin panel of Finch.", "value that enables it") == "holds"


@pytest.mark.parametrize(
    ("text", "is_offered"),
    [
        ("Set to `true` to enable it", True),
        ("keeps them if true", True),
        ("one of None, true and maybe (default false)", True),
        ("the kind of list (map and true are supported types)", True),
        ("name {string|true} of the nest", True),
        ("[ true | false ] whether clients may connect", True),
        ("0 is true", True),
        ("one of false, maybe, by default true", False),
        ("is set by default: true", False),
        ("one of none, true (default), false", False),
        ("Default: true", False),
        ("either true (the default) or false", False),
    ],
)
def test_offers_are_told_by_the_words_around_them(text: str, is_offered: bool) -> None:
    start = text.index("true")
    assert offered(text, start, start + 4) is is_offered
