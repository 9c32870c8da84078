"""Names in brackets say again what stands before them, and a product's name whose part is spoken of."""

from __future__ import annotations

import pytest

import kb
from kb.claims.claim import Claim
from kb.judging.other_name import other_names, product_of
from kb.judging.verdict import Verdict

IMAGES = """<h1>Images</h1><p>An app of Wrenhost runs from an image.</p>
<h2>Building</h2><p>The recommended maximum size of an image on the platform is {}.</p>
<h2>Agents</h2><p>The health check comes from a <code>wrenControl-Health</code> agent.</p>"""


def _judged(subject: str, page: str) -> Verdict:
    return kb.judge(Claim.parse(f"{subject}, recommended maximum size: 50 MB"), kb.read_page(page))


@pytest.mark.parametrize(("size", "outcome"), [("50 MB", "holds"), ("80 MB", "drifted")])
def test_a_name_in_brackets_need_not_be_said_at_the_value(size: str, outcome: str) -> None:
    found = _judged("image on the Wrenhost (wrenControl) platform", IMAGES.format(size))
    assert str(found.outcome) == outcome


def test_a_name_in_brackets_that_the_page_has_nowhere_is_no_loss() -> None:
    page = IMAGES.format("80 MB").replace("wrenControl", "other")
    assert str(_judged("image on the Wrenhost (WRC) platform", page).outcome) == "drifted"


@pytest.mark.parametrize(
    ("subject", "words"),
    [
        ("Orrin (ORR-2) boards", ["ORR-2"]),
        ("password of a subscriber (800-63B)", ["800-63B"]),
        ("bytes kept (max_bytes)", []),  # a setting is known by its name
        ("(beta) Orrin boards", []),
        ("Orrin boards", []),
    ],
)
def test_what_only_names_again_is_told_from_what_names(subject: str, words: list[str]) -> None:
    places = other_names(subject)
    assert [w for w in words if subject.index(w) in places] == words
    assert len(places) == sum(map(len, words))


@pytest.mark.parametrize(
    ("subject", "start"),
    [
        ("BroodStore feature groups", 0),
        ("a BroodStore serverless endpoint", 2),
        ("ServerLimit directive", None),  # a setting by that name
        ("ServerLimit of the server", None),
        ("Orrin BroodStore groups", None),
        ("h100Mem of two nodes", None),
    ],
)
def test_a_products_name_is_told_from_a_settings(subject: str, start: int | None) -> None:
    assert product_of(subject) == start


@pytest.mark.parametrize(("count", "outcome"), [("2500", "holds"), ("4000", "drifted")])
def test_a_page_need_not_say_whose_feature_groups_it_speaks_of(count: str, outcome: str) -> None:
    page = f"<h1>Quotas</h1><ul><li>Most definitions per feature group: {count}</li><li>Groups: 100</li></ul>"
    claim = Claim.parse("BroodStore feature group, definitions at most: 2500")
    assert str(kb.judge(claim, kb.read_page(page)).outcome) == outcome
