"""A subject in the claim's own words is found in the page's spelling: numbers, plurals, units, makers."""

from __future__ import annotations

import pytest

import kb
from kb.claims.case import claim_from_case
from kb.judging.score import brand_of
from kb.judging.words import keys

PAGE = """<h1>Loom guide</h1>
<p>Weaving 190M threads took 41 hours in the hall.</p>
<p>Old 8bit looms can reach rates over 175 threads per second.</p>
<p>For up to 20000 weavers a store of 6 TB is enough.</p>
<p>In the band up to 6GHz the loom draws 90 W.</p>
<p>A rack of A100 looms weighs 640 kg.</p>"""


def said(subject: str, attribute: str, figure: str) -> str:
    case = {"subject": subject, "attribute": attribute, "figure": figure}
    return str(kb.judge(claim_from_case(case), kb.read_page(PAGE)).outcome)


@pytest.mark.parametrize(
    ("subject", "attribute", "figure"),
    [
        ("weaving 190 million threads", "duration", "41 hours"),
        ("old 8-bit looms", "rate they exceed", "175 threads per second"),
        ("loom store for 20,000 weavers", "size", "6 TB"),
        ("loom up to 6 GHz", "power drawn", "90 W"),
        ("rack of A100s", "weight", "640 kg"),
    ],
)
def test_an_identifier_in_another_spelling_names_its_subject(
    subject: str, attribute: str, figure: str
) -> None:
    assert said(subject, attribute, figure) == "holds"


def test_another_number_names_another_subject() -> None:
    assert said("loom store for 30,000 weavers", "size", "6 TB") != "holds"
    assert said("rack of H200s", "weight", "640 kg") != "holds"


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("10,000 to 100,000", {"10000", "100000"}),
        ("1,2,3", {"1", "2", "3"}),
        ("A100s and vCPUs", {"a100", "vcpu"}),
        ("16GB, 16G and 1.5tb", {"16g", "1.5t"}),
    ],
)
def test_numbers_in_groups_and_plurals_are_one_word(text: str, known: set[str]) -> None:
    assert keys(text) == known


def test_a_maker_may_begin_with_digits_and_a_size_is_none() -> None:
    assert "7zip" in brand_of("7zip archive limit")
    assert brand_of("7B model of ours") == {}
