"""What releases that have ended had is past, and a number that only says which release is no value."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import kb
from kb.judging.aside import is_aside
from kb.judging.lapsed import lapsed, may_be_past, of_past_range
from kb.judging.mention import Mention


@pytest.mark.parametrize(
    "words",
    [
        "Before Gander 3.7, the default was 5, which came to about 40 seconds.",
        "From Gander 2.6.28 to 3.4, the limit is 40.",
        "In Gander 2.2, the default value was 40.",
        "Up until Gander 2.6, the limit is 40.",
        "In Gander versions 3.5 to 3.14 there is a ceiling of 40.",
        "Until version 5, it is 40.",
        "The least value is 40 (before Gander 2.6).",
        "It is 9, though prior to 2021 it came to 40.",
    ],
)
def test_what_ended_with_a_release_is_past(words: str) -> None:
    start = words.index("40")
    assert lapsed(words, start, start + 2)


@pytest.mark.parametrize(
    "words",
    [
        "Since Gander 3.5, the limit is 40.",
        "From Gander 2.6 on, it is 40.",
        "In Gander 2.2, the default is 40.",
        "Before March 31, the fee is 40.",
        "From 1.5 to 3.5 metres of depth, the fee is 40.",
        "From January 2024 to March 2025, the fee is 40.",
        "Before Gander 3.7 it was 5, and since then 40.",
        "The limit is 40 (in kernels before 2.6, it was none).",
        "It is 9 for those hatched prior to 2021 and within 40 days for others.",
    ],
)
def test_what_is_said_of_a_release_that_stays_is_present(words: str) -> None:
    start = words.index("40")
    assert not lapsed(words, start, start + 2)


PAGE = """# Gander limits

## egg_max

The largest clutch has varied:

- Before Gander 2.6, there was no limit.
- From Gander 2.6 to 3.4, the limit is 40.
- Since Gander 3.5, the limit is 64, as nest_setup(2) says.
"""


def test_the_release_that_stays_answers() -> None:
    page = kb.read_page(PAGE.encode(), content_type="text/markdown")
    for value, outcome in (("40", "drifted"), ("64", "holds"), ("2", "drifted")):
        verdict = kb.judge(kb.Claim.parse(f"Gander egg_max, limit of a clutch: {value}"), page)
        assert (str(verdict.outcome), verdict.found) == (outcome, "64")


PIECES = (
    "previously", "Formerly", "prior to", "in the past", "before", "until", "up until", "earlier than", "up to",
    "through", "from", "between", "in", "with", "under", "and", "earlier", "older versions", "old limit", "v2.1",
    "Gander 2.2", "version 5", "3.7", "the", "(", ")", ". ", "; ", ", ", "\n", "was", "were", "had", "has been",
    "have since been", "lifted", "retired", "limit", "price", "no longer", "no longer applies", "used to be",
    "instead of", "Up from", "down from", "changed from", "rather than", "originally", "planned for", "plans to",
    "upcoming", "in the future", "in future", "from next", "to be raised", "will be", "will be cut", "starting in",
    "since", "now", "as of", "metres", "a hall", "İ", "ſince",
)  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=9), st.lists(st.sampled_from(PIECES), max_size=9))
def test_a_text_without_a_word_for_it_has_no_past_but_a_range(before: list[str], after: list[str]) -> None:
    text = f"{' '.join(before)} 40 {' '.join(after)}"
    start = len(" ".join(before)) + 1
    if not may_be_past(text):
        assert lapsed(text, start, start + 2) == of_past_range(text, start)
        assert not is_aside(text, Mention(0, start, start + 2, "40"))
