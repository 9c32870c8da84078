"""Versions in lists, in names and in ranges, and names that a page says once, of itself."""

from __future__ import annotations

import pytest

import kb

LIST = """# Benchmarks

How fast Potkeeper boils, with some others.

## Settings

- Hardware: 8 big rings.
- Software: Stove 3.7, Kettle 10.1, Whisk 7.6.5, Ladle 1.15.0rc2, Spoon 2.2.5.

## Results

Potkeeper: with release v0.1.2, run `boil --rings 8`.
"""


def said(claim: str, text: str, content_type: str = "text/markdown") -> tuple[str, str | None]:
    verdict = kb.judge(kb.Claim.parse(claim), kb.read_page(text.encode(), content_type=content_type))
    return str(verdict.outcome), verdict.found


def test_a_name_before_each_of_several_versions_labels_it() -> None:
    assert said("Potkeeper benchmark setup, Stove version: 3.7", LIST) == ("holds", "3.7")
    assert said("Potkeeper benchmark setup, Kettle version: 3.7", LIST)[0] != "holds"


def test_two_numbers_and_a_name_are_no_list_of_versions() -> None:
    page = kb.read_page(b"Use Stove 3.7, and turn it off.", content_type="text/plain")
    from kb.judging.aside import label_before
    from kb.judging.mention import shape_mentions

    (mention,) = shape_mentions(page.blocks[0], 0, "version")
    assert not label_before(page.blocks[0], mention)


def test_the_steps_of_a_version_in_a_name_are_none() -> None:
    page = "# Kettle\n\nInstall the kettle:\n\n```\nget kettle-compat-12-4\n```\n"
    assert said("Kettle installer, version: 12.0.0", page)[0] != "holds"


@pytest.mark.parametrize(("ours", "outcome"), [("200-600000", "holds"), ("200-500000", "drifted")])
def test_a_text_that_is_a_range_is_read_as_one(ours: str, outcome: str) -> None:
    page = "| Name | Value |\n|---|---|\n| boilTime | Integer (200 to 600000) |\n| restTime | Integer (5 to 9) |\n"
    claim = kb.Claim.parse(f"Pot boilTime, allowed range: {ours}")
    verdict = kb.judge(claim, kb.read_page(page.encode(), content_type="text/markdown"))
    assert (str(verdict.outcome), verdict.found) == (outcome, "200 to 600000")


def test_a_name_that_a_page_says_in_its_opening_alone_need_not_stand_beside_a_value() -> None:
    opening = "# Boiling in pots\n\nThe `pot_keeper` project boils soup.\n\n## Results\n\n"
    page = opening + "| Backbone | Speed |\n|---|---|\n| r100 | 97.55 |\n| r50 | 93.16 |\n"
    assert said("pot_keeper r100, speed: 97.53", page) == ("drifted", "97.55")


def test_an_argument_of_code_is_no_price() -> None:
    page = "# Room\n\nTo see how much room you use:\n\n    du -s | awk '{s+=$1}END{print s}'\n"
    claim = kb.Claim.parse("Extra room on the shelf, price: $1")
    verdict = kb.judge(claim, kb.read_page(page.encode(), content_type="text/markdown"))
    assert str(verdict.outcome) == "gone"
