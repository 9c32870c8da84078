"""kb audit over whole articles of our own: nearly every figure goes to its claim, and hardly one to another."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bench.audit import own_article, shares
from kb.app.audit import Status, audit_page
from kb.app.audit_read import read_article
from kb.claims import Claim

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


def changed(words: str, claim: Claim) -> tuple[str, str] | None:
    """The words that state a measure, with the value a quarter larger; None where the digits are not its own."""
    q = claim.quantity
    if q is None or q.high is not None or "|" in words or q.unit == "number" or q.unit.startswith("count"):
        return None
    for found in re.finditer(r"\d[\d,]*(?:\.\d+)?", words):
        value = float(found[0].replace(",", ""))
        if value == float(q.value):
            new = f"{value * 1.25:,.10g}" if "," in found[0] else f"{value * 1.25:.8g}"
            return words[: found.start()] + new + words[found.end() :], new
    return None


@pytest.mark.parametrize("folder", ARTICLES, ids=lambda p: p.name)
def test_a_figure_that_was_changed_is_never_backed_and_often_contradicted(
    folder: Path, tmp_path: Path
) -> None:
    article, claims, wanted = own_article(folder)
    text = article.read_text(encoding="utf-8")
    told = tried = 0
    for words, claim in wanted:
        made = changed(words, claim) if claim is not None else None
        if claim is None or made is None or text.count(words) != 1:
            continue
        draft = tmp_path / article.name
        draft.write_text(text.replace(words, made[0]), encoding="utf-8")
        said = [
            m
            for m in audit_page(read_article(draft)[0], claims)
            if made[1] in m.text and claim.id in m.claims
        ]
        within = claim.quantity is not None and claim.quantity.bound == "at-least"
        assert within or all(m.status is Status.OTHER for m in said), (words, made)
        tried += 1
        told += bool(said)
    assert tried >= 8
    assert told >= 0.2 * tried
