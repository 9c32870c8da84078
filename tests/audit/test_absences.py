"""kb audit knows where an article says that a source states no such figure."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from kb.app.audit import audit_page
from kb.claims import ClaimSet, load_claims
from kb.page import read_page

CLAIMS = """\
source: {title: Node sizes, publisher: Works, url: "https://works.example/", retrieved: 2026-09-28}
claims:
  - {id: atlas-price, subject: Atlas node, absent: price, dimension: money}
  - {id: boreas-link, subject: Boreas node, absent: network bandwidth, dimension: data rate}
  - {id: calder-link, subject: Calder node, absent: network bandwidth, dimension: data rate}
  - {id: memory, subject: Atlas node, attribute: memory, figure: 960 GB}
"""


@pytest.fixture
def claims(tmp_path: Path) -> ClaimSet:
    (tmp_path / "claims").mkdir()
    (tmp_path / "claims" / "works.yaml").write_text(CLAIMS, encoding="utf-8")
    return load_claims(tmp_path, date(2026, 12, 1))


def absences(text: str, claims: ClaimSet) -> list[tuple[str, tuple[str, ...]]]:
    page = read_page(text, content_type="text/markdown")
    return [(m.text, m.claims) for m in audit_page(page, claims) if m.kind == "absence"]


@pytest.mark.parametrize(
    ("text", "phrase", "found"),
    [
        ("The Atlas node has no price on its page.", "no price on its page", ("works.atlas-price",)),
        ("For the Boreas node no Gb/s figure was found.", "no Gb/s figure was found", ("works.boreas-link",)),
        (
            "| Node | Network bandwidth |\n|---|---|\n| Boreas node | not stated |\n",
            "not stated",
            ("works.boreas-link",),
        ),
    ],
)
def test_an_absence_is_found_by_its_words_or_a_unit(
    text: str, phrase: str, found: tuple[str, ...], claims: ClaimSet
) -> None:
    assert absences(text, claims) == [(phrase, found)]


def test_several_may_be_said_at_once(claims: ClaimSet) -> None:
    ((_, found),) = absences("The Boreas and Calder nodes have no network bandwidth at all.", claims)
    assert set(found) == {"works.boreas-link", "works.calder-link"}


@pytest.mark.parametrize(
    "text",
    [
        "The Atlas node is not blue.",
        "A truck has no price.",
        "The Atlas node has a price of its own.",
        "Nothing is known of the Calder fair.",
    ],
)
def test_a_denial_of_something_else_is_none(text: str, claims: ClaimSet) -> None:
    assert absences(text, claims) == []


def test_a_column_about_another_thing_backs_and_contradicts_nothing(claims: ClaimSet) -> None:
    table = "The Atlas node is old.\n\n| | Boreas | Calder |\n|---|---|---|\n| Memory | 960 GB | 480 GB |\n"
    page = read_page(table, content_type="text/markdown")
    assert [m.text for m in audit_page(page, claims) if m.claims] == []
