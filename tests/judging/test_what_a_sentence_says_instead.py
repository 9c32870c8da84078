"""Texts that the page answers otherwise in a sentence which names subject and attribute, without any slot."""

from __future__ import annotations

import kb
from kb.claims import claim_from_case


def judged(subject: str, attribute: str, text: str, page: str) -> tuple[str, str]:
    claim = claim_from_case({"id": "a", "subject": subject, "attribute": attribute, "text": text})
    html = f"<title>Larch</title><h1>Larch</h1><p>Larch draws trees.</p><h2>More</h2><p>{page}</p>"
    verdict = kb.judge(claim, kb.read_page(html.encode(), content_type="text/html"), None)
    return str(verdict.outcome), str(verdict.found)


def test_a_sentence_that_says_all_of_the_claim_but_its_value_shows_the_change() -> None:
    page = "Self-hosted growers are only available on Mixed plans, and cost nothing."
    said, found = judged("Larch self-hosted growers", "plans that have them", "only certain plans", page)
    assert said == "drifted"
    assert "Mixed plans" in found


def test_of_a_version_it_must_have_one() -> None:
    page = "The grower script runs on a fresh Slate 24.04 or newer, as used by default."
    said = judged("Larch grower script", "Slate version used by default", "22.04", page)
    assert said == ("drifted", "24.04")
    page = "The grower script runs on a fresh Slate version, as used by default."
    assert judged("Larch grower script", "Slate version used by default", "22.04", page)[0] == "gone"


def test_of_a_name_it_must_have_another() -> None:
    attribute = "editor recommended"
    page = "Fern Studio is the editor that is recommended for developing trees."
    assert judged("developing trees", attribute, "Moss Desk 14", page)[0] == "drifted"
    page = "No editor is recommended for developing trees."
    assert judged("developing trees", attribute, "Moss Desk 14", page)[0] == "gone"


def test_a_sentence_about_half_of_the_claim_says_nothing() -> None:
    page = "Growers may be bought on Mixed plans."
    assert judged("Larch tree nursery", "plans that have it", "only certain plans", page)[0] == "gone"
