"""Numbers with separators and words of bound: what a claim states with them, and what a page answers."""

from __future__ import annotations

import pytest

import kb
from kb.claims.case import claim_from_case
from kb.judging.language import language_of
from kb.judging.mention import shape_mentions, shape_of
from kb.page import Block
from kb.quantity import apart_from, parse_figure, quantities


def said(figure: str, text: str, *, lang: str = "", attribute: str = "visitors") -> tuple[str, object]:
    html = f"<html{f' lang={lang}' if lang else ''}><h1>Reading room</h1><p>{text}</p></html>"
    claim = claim_from_case({"subject": "Reading room", "attribute": attribute, "figure": figure})
    verdict = kb.judge(claim, kb.read_page(html))
    return str(verdict.outcome), verdict.found


BOUNDED = [
    ("over 20,000", "more-than"),
    ("more than 20,000", "more-than"),
    ("up to 20,000", "at-most"),
    ("at least 20,000", "at-least"),
    ("a maximum of 20,000", "at-most"),
    ("no more than 20,000", "at-most"),
    ("20,000 or more", "at-least"),
    ("about 20,000", "about"),
    ("at most about 20,000", "at-most"),
    ("only 20,000", "exact"),
    ("rund 20,000", "about"),
    ("plus de 20,000", "more-than"),
    ("más de 20,000", "more-than"),
]


@pytest.mark.parametrize(("figure", "bound"), BOUNDED, ids=[f for f, _ in BOUNDED])
def test_a_figure_may_be_a_bare_number_with_words_of_bound(figure: str, bound: str) -> None:
    quantity = parse_figure(figure)
    assert (str(quantity.value), quantity.bound, quantity.unit) == ("20000", bound, "number")


@pytest.mark.parametrize("figure", ["over 20,000", "more than 20,000", "up to 20,000", "20,000 or more"])
@pytest.mark.parametrize(
    ("new", "found"), [("36,000 visitors", "36,000 visitors"), ("145,500 visitors", "145,500 visitors")]
)
def test_a_bounded_number_is_answered_by_whole_numbers_and_never_by_their_first_digits(
    figure: str, new: str, found: str
) -> None:
    outcome, value = said(figure.replace("20,000", "200,000"), f"The reading room has had {new} so far.")
    assert value is None or str(value).startswith(found)
    outcome, value = said(figure, f"The reading room had {new.split()[0]} in 12 months.")
    assert value is None or found.split()[0] in str(value), (outcome, value)


def test_a_bound_that_rose_has_drifted_to_the_whole_number() -> None:
    assert said("over 20,000", "The reading room has had over 36,000 visitors.") == (
        "drifted",
        "over 36,000 visitors",
    )


@pytest.mark.parametrize(
    ("text", "shape"),
    [("36,000 books", "version"), ("1,024 MB", "sized"), ("12,500x", "times"), ("1,200/3,600", "fraction")],
)
def test_no_part_of_a_separated_number_is_a_value(text: str, shape: str) -> None:
    assert all("," in m.text for m in shape_mentions(Block("paragraph", text), 0, shape))


def test_the_digits_of_a_separated_number_are_no_version() -> None:
    assert shape_of("over 20,000") is None
    assert shape_of("CUDA 12.3") == ("version", "12.3")
    assert shape_of("releases 3.8,3.9") == ("version", "3.8")


def test_what_stands_beside_a_quantity_is_told_without_the_words_that_bound_it() -> None:
    def apart(text: str) -> tuple[str, str]:
        return apart_from(text, quantities(text, bare=True)[0])

    assert apart("over 20,000") == ("", "")
    assert apart("at most about 500 or so") == ("", "")
    assert apart("the budget of 500") == ("the budget", "")


LANGUAGES = [
    ("The room is open to all who work in it and for the city.", "en"),
    ("Der Saal ist für alle offen und wird von der Stadt nicht bezahlt, die ihn mit betreibt.", "de"),
    ("La salle est pour tous les gens de la ville et des environs, avec une pause.", "fr"),
    ("閲覧室は毎日開いています。利用者は無料です。", "ja"),
    ("阅览室每天开放，读者免费使用。", "zh"),
    ("열람실은 매일 열려 있습니다.", "ko"),
    ("Читальный зал открыт каждый день.", "ru"),
    ("Rooms: 12. Seats: 400.", None),
]


@pytest.mark.parametrize(("text", "lang"), LANGUAGES, ids=[str(lang) for _, lang in LANGUAGES])
def test_a_short_page_shows_its_language_by_script_or_common_words(text: str, lang: str | None) -> None:
    assert language_of([text]) == lang


@pytest.mark.parametrize(
    "text",
    [
        "The room has had 36,000 euros for the year, and all of it was spent on books.",
        "この部屋の予算は36,000ユーロです。",
        "阅览室的预算是36,000欧元。",
    ],
)
def test_where_commas_group_a_comma_before_three_digits_groups(text: str) -> None:
    lang = language_of([text])
    found = [q for q in quantities(text, lang=lang) if q.unit == "eur"]
    assert [(str(q.value), q.readings) for q in found] == [("36000", ())]
