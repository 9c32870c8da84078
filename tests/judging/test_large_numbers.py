"""A large number with a word, with a letter and in digits is one word of a claim."""

from __future__ import annotations

import pytest

import kb
from kb.judging.words import keys, tokens

ROWS = "\n".join(
    f"| {rows} | {speed} |" for rows, speed in ((125000, 4681), (1400000, 3043), (5500000, 1389))
)
PAGE = f"# Rowkeeper\n\n| Rows kept | Rowkeeper speed |\n|---|---|\n{ROWS}\n"


@pytest.mark.parametrize("spelling", ["1400000", "1,400,000", "1.4M", "1.4 million", "1.4 Million"])
def test_a_number_with_a_word_is_said_in_each_spelling(spelling: str) -> None:
    assert keys("1.4 million") <= {token.key for token in tokens(spelling)}


def test_a_letter_says_the_word_and_the_word_the_letter() -> None:
    assert keys("7B") <= {token.key for token in tokens("7 billion parameters")}
    assert keys("millions of 7") == keys("millions of 7 rows") - keys("rows")


def test_a_row_in_digits_answers_a_subject_in_words() -> None:
    verdict = kb.judge(
        kb.Claim.parse("Rowkeeper with 1.4 million rows kept, speed: 3043"),
        kb.read_page(PAGE.encode(), content_type="text/markdown"),
    )
    assert str(verdict.outcome) == "holds"
