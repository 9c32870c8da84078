"""kb audit over whole articles of our own: nearly every figure goes to its claim, and hardly one to another."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.audit import own_article, shares
from kb.app.audit import Status, audit_page
from kb.app.audit_read import read_article

HERE = Path(__file__).parent
ARTICLES = sorted(p.parent for p in HERE.glob("*/figures.csv"))


@pytest.mark.parametrize("folder", ARTICLES, ids=lambda p: p.name)
def test_the_figures_of_an_article_go_to_their_claims(folder: Path) -> None:
    share, missed = shares(*own_article(folder))
    assert share["right"] >= 0.95, missed
    assert share["wrong"] <= 0.02, missed


@pytest.mark.parametrize("folder", ARTICLES, ids=lambda p: p.name)
def test_an_article_that_agrees_with_its_claims_is_contradicted_by_none(folder: Path) -> None:
    article, claims, _ = own_article(folder)
    said = audit_page(read_article(article)[0], claims)
    assert [m.text for m in said if m.status is Status.OTHER] == []


FOUND = [
    ("trams", "€160 million", "{harnau-network.cost} - {harnau-network.budget}"),
    ("trams", "0.75 km", "{harnau-network.track} / {harnau-network.stops}"),
    ("batteries", "105 kWh", "{lumen-10.standby} * {ours.hours}"),
    ("batteries", "40%", "{norrland-grant.paid} / {norrland-grant.budget}"),
    ("ferries", "$605 per kWh", "{nordfjell.new-set} / 4300"),
    ("storage", "30%", "{harbor.storage} / {pinnacle.first-50}"),
    ("storage", "$262.20", "{ours.backups} / (1 TB) * {harbor.per-tb}"),
    ("storage", "$227.62", "{ours.backups} / (1 TB) * {quartz.storage}"),
]


@pytest.mark.parametrize(("name", "figure", "formula"), FOUND, ids=lambda v: str(v)[:20])
def test_a_calculation_over_claims_is_found(name: str, figure: str, formula: str) -> None:
    article, claims, _ = own_article(HERE / name)
    (found,) = [m for m in audit_page(read_article(article)[0], claims) if m.text == figure]
    assert (found.status, found.formula) == (Status.DERIVED, formula)


def test_a_figure_that_follows_from_no_claim_is_given_no_calculation() -> None:
    known = {(name, figure) for name, figure, _ in FOUND}
    for folder in ARTICLES:
        article, claims, _ = own_article(folder)
        for mention in audit_page(read_article(article)[0], claims):
            if mention.derived_from and (folder.name, mention.text) not in known:
                # the only others that may be: the same value in other words, and what a sentence works out
                assert mention.text in {"750 m", "219 kWh", "£1.5 million"}, (mention.text, mention.worked)


@pytest.mark.parametrize("folder", ARTICLES, ids=lambda p: p.name)
def test_claims_about_other_things_back_hardly_any_figure(folder: Path) -> None:
    article, _, _ = own_article(folder)
    page = read_article(article)[0]
    for other in ARTICLES:
        if other != folder:
            said = audit_page(page, own_article(other)[1])
            wrong = [(m.text, m.claims) for m in said if m.claims]
            assert len(wrong) <= 0.02 * len(said), wrong
