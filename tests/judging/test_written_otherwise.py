"""Values and names in other spellings: quantities in words, releases with and without their zeros."""

from __future__ import annotations

import pytest

import kb
from kb.claims.case import claim_from_case
from kb.judging.fit import name_before
from kb.judging.words import keys, speech, tokens
from kb.quantity import quantities


def said(page: str, **case: str) -> tuple[str, object]:
    verdict = kb.judge(claim_from_case({"subject": "Loom", **case}), kb.read_page(page))
    return str(verdict.outcome), verdict.found


def policy(value: str) -> str:
    return f"<h1>Loom policy</h1><p>Loom is supported in full for {value} after a release.</p>"


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("five years", "5 years"),
        ("one year", "12 months"),
        ("six months", "6 months"),
        ("5 years", "five years"),
    ],
)
def test_a_text_that_is_a_quantity_as_a_whole_is_compared_as_one(ours: str, theirs: str) -> None:
    outcome, found = said(policy(theirs), attribute="length of full support", text=ours)
    assert (outcome, found) == ("holds", theirs)
    outcome, found = said(policy("30 days"), attribute="length of full support", text=ours)
    assert (outcome, found) == ("drifted", "30 days")


def test_a_name_with_a_number_stays_a_text() -> None:
    page = "<table><tr><th>Loom</th><th>Value</th></tr><tr><td>Format</td><td>64-bit words</td></tr></table>"
    assert said(page, attribute="format", text="64-bit words") == ("holds", "64-bit words")


@pytest.mark.parametrize("text", ["one year", "One hour", "one working day", "one GB"])
def test_one_before_a_unit_is_a_number(text: str) -> None:
    assert [str(q.value) for q in quantities(f"It lasts {text}.")] == ["1"]


@pytest.mark.parametrize("text", ["one of the rooms", "one way", "no one in the room", "one room"])
def test_one_before_other_words_is_none(text: str) -> None:
    assert quantities(text) == []


def releases(name: str) -> str:
    rows = "".join(f"<tr><td>{name.format(n)}</td><td>M{n + 90}</td></tr>" for n in (23, 24, 25, 26, 250))
    return f"<h1>Loom releases</h1><table><tr><th>Loom</th><th>Engine</th></tr>{rows}</table>"


@pytest.mark.parametrize("name", ["{}", "{}.0", "{}.0.0", "v{}", "v{}.0.0", "Loom {}"])
@pytest.mark.parametrize("ours", ["25", "25.0", "25.0.0", "v25.0.0"])
def test_a_release_is_named_with_and_without_its_zeros_and_its_v(name: str, ours: str) -> None:
    outcome, found = said(releases(name), subject=f"Loom {ours}", attribute="engine version", text="M115")
    assert (outcome, found) == ("holds", "M115")


def test_a_release_is_not_another_release() -> None:
    assert keys("25.0.0") == keys("25.0") == keys("25") == keys("v25.0")
    for other in ("25.1", "2.5", "250", "25.0.1", "v5"):
        assert keys(other) != keys("25")
    assert "v5" not in {token.key for token in tokens("5")}
    assert "5" in {token.key for token in tokens("v5")}


REQUIREMENTS = (
    "<h1>Loom set-up</h1><p>Install it in a Shuttle>=3.8.0 environment, including LoomKit>=1.8.</p>"
)


def test_a_version_with_a_sign_belongs_to_the_name_before_it() -> None:
    outcome, found = said(REQUIREMENTS, attribute="LoomKit version needed", text="1.7")
    assert (outcome, str(found).lstrip(">=")) == ("drifted", "1.8")
    outcome, found = said(REQUIREMENTS, attribute="Shuttle version needed", text="3.8")
    assert (outcome, str(found).lstrip(">=")) == ("holds", "3.8.0")


def test_the_version_of_another_name_never_answers() -> None:
    page = "<h1>Loom set-up</h1><ul><li>Shuttle.js >= 22.12.0</li><li>Spindle 21+ (Loom 3.x)</li></ul>"
    outcome, found = said(page, attribute="Bobbin version needed", text="2.7")
    assert (outcome, found) == ("gone", None)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Loom>=1.8", "Loom"), ("loom==1.8", "loom"), ("Loom (≥ 1.8)", "Loom"), ("Loom version: 1.8", "Loom"),
        ("Loom SE 1.8", "Loom SE"), ("Loom v1.8", "Loom"), ("requires 1.8", ""), ("Version 1.8", ""),
        ("at least 1.8", ""), ("2.0 and 1.8", ""),
    ],
)  # fmt: skip
def test_the_name_of_a_version_stands_right_before_it(text: str, name: str) -> None:
    start = max(text.find("v1.8"), 0) or text.index("1.8")
    assert name_before(text, start) == name


def tariff(value: str) -> str:
    return (
        "<h1>Loom tariff</h1><table><tr><th>Kind of weaver</th><th>Free lengths</th></tr>"
        f"<tr><td>Schools</td><td>{value}</td></tr><tr><td>Guilds</td><td>500 lengths</td></tr></table>"
    )


@pytest.mark.parametrize("value", ["No free lengths", "None", "none."])
def test_none_in_words_in_the_place_of_a_number_is_another_value(value: str) -> None:
    claim = {"subject": "Loom tariff, schools", "attribute": "free lengths", "figure": "200 lengths"}
    assert said(tariff(value), **claim) == ("drifted", value.rstrip("."))


@pytest.mark.parametrize("value", ["Unlimited", "No limit", "n/a", "Ask us"])
def test_a_lifted_limit_or_a_reference_is_no_value(value: str) -> None:
    claim = {"subject": "Loom tariff, schools", "attribute": "free lengths", "figure": "200 lengths"}
    outcome, found = said(tariff(value), **claim)
    assert outcome != "holds" and found in (None, "500 lengths")


@pytest.mark.parametrize("figure", ["six", "Six", "6"])
def test_a_number_in_words_alone_leaves_its_unit_to_the_attribute(figure: str) -> None:
    page = "<h1>Loom jobs</h1><p>Nobody may apply who applied in the past 6 months.</p>"
    claimed = {"subject": "who applied before", "attribute": "months that must pass", "figure": figure}
    assert said(page, **claimed) == ("holds", "6 months")


def test_so_many_times_is_a_factor_where_the_page_compares() -> None:
    page = "<h1>Loom</h1><p>Plain weaving can be up to 20 times faster than with patterns.</p>"
    claimed = {
        "subject": "plain weaving against patterns",
        "attribute": "faster at most",
        "figure": "20 times",
    }
    assert said(page, **claimed)[0] == "holds"


@pytest.mark.parametrize(
    ("ours", "page", "outcome"),
    [
        ("six", "A weaver who failed may ask again after 6 months.", "holds"),
        ("six", "A weaver who failed may ask again after 9 months.", "drifted"),
        ("twenty-one", "A weaver who failed may ask again after 21 months.", "holds"),
    ],
)
def test_a_number_in_words_counts_what_the_attribute_names(ours: str, page: str, outcome: str) -> None:
    claim = {"subject": "Weaver who failed", "attribute": "months until asking again", "figure": ours}
    assert said(f"<h1>Loom guild</h1><p>{page}</p>", **claim)[0] == outcome


def test_a_period_that_a_gloss_explains_is_no_time_of_its_own() -> None:
    claim = {"subject": "Loom fair use", "attribute": "weaving time", "figure": "30 seconds", "per": "day"}
    page = "<h1>Loom fair use</h1><p>Fair use of a loom limits weaving time to {} per day (24 hours).</p>"
    assert said(page.format("30 seconds"), **claim)[0] == "holds"
    assert said(page.format("50 seconds"), **claim) == ("drifted", "50 seconds per day (24 hours)")


@pytest.mark.parametrize(
    ("british", "american"),
    [
        ("licence", "license"),
        ("licences", "licensed"),
        ("colour", "color"),
        ("organisation", "organization"),
        ("serialised", "serialize"),
        ("behaviour", "behavior"),
        ("centre", "center"),
        ("grey", "gray"),
    ],
)
def test_a_word_in_british_spelling_is_the_same_word(british: str, american: str) -> None:
    assert keys(british) == keys(american)


def test_a_short_stem_in_is_stays_as_it_is() -> None:
    assert keys("raised") != keys("raized")


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("deprecation", "deprecated"),
        ("allocation", "allocates"),
        ("migrate", "migration"),
        ("removal", "removed"),
    ],
)
def test_a_verb_and_its_noun_are_one_word(ours: str, theirs: str) -> None:
    assert keys(ours) == keys(theirs)


@pytest.mark.parametrize("kind", ["working", "business"])
def test_a_count_of_working_days_is_answered_by_working_days(kind: str) -> None:
    page = f"<h1>Loom plans</h1><p>A plan of Loom is returned within {{}} {kind} days of its receipt.</p>"
    claim = {"subject": "Loom plan", "attribute": f"{kind} days to return it", "figure": "three"}
    assert said(page.format("three"), **claim) == ("holds", f"three {kind} days")
    assert said(page.format("five"), **claim)[0] == "drifted"


def test_words_that_a_hyphen_ties_are_heard_at_the_beginning_of_a_sentence() -> None:
    assert "self-hosted" in speech("Self-hosted runners").keys() & keys("the limit of self-hosted runners")
    assert "sign-on" in speech("Single Sign-On")
    assert "llama-2" not in speech("Llama-2")


@pytest.mark.parametrize(
    ("word", "says"), [("8vCPU", {"8", "vcpu"}), ("24hours", {"24", "hour"}), ("4xA100", {"4", "a100"})]
)
def test_a_number_says_what_it_counts_without_a_space(word: str, says: set[str]) -> None:
    assert says <= {token.key for token in tokens(word)}


def test_a_short_unit_behind_a_number_is_no_word_by_itself() -> None:
    assert [token.key for token in tokens("5min")] == ["5min"]


def test_a_number_behind_a_name_that_ends_in_a_digit_is_a_number() -> None:
    page = "<h1>Loom</h1><p>A plugin called weft (modifier1 111) answers what other looms ask.</p>"
    assert said(page, attribute="modifier1 of the weft plugin", figure="111") == ("holds", "111")


def test_a_count_of_what_is_a_unit_in_small_letters_has_that_unit() -> None:
    page = "<h1>Loom disks</h1><table><tr><th>Disk</th><th>Most IOPS of one at once</th></tr>{}</table>"
    row = "<tr><td>Loom</td><td>5000</td></tr>"
    assert said(page.format(row), attribute="most IOPS", figure="5000 IOPS") == ("holds", "5000")


@pytest.mark.parametrize(
    "text", ["Up to 32 nests.", "It has at most 32 nests.", "It has no more than 32 nests."]
)
def test_words_that_bound_a_value_say_maximum(text: str) -> None:
    assert "maximum" in keys(text)


def test_a_way_up_is_no_maximum() -> None:
    assert "maximum" not in keys("Go up to the nest.")


def test_a_value_in_a_word_without_digits_is_found() -> None:
    page = "<h1>Loom settings</h1><dl><dt>loom.slack</dt><dd>The default value is zero.</dd></dl>"
    assert said(page, attribute="default of loom.slack", figure="0") == ("holds", "zero")


def entry(value: str) -> str:
    return f"<h1>Loom settings</h1><dl><dt>loom_yarn_limit</dt><dd>Default: {value}</dd></dl>"


@pytest.mark.parametrize(
    ("ours", "theirs", "outcome"),
    [
        ("192 MB", "192M", "holds"),
        ("192 MiB", "192M", "holds"),
        ("192 MB", "384M", "drifted"),
        ("24 KiB", "24k", "holds"),
        ("30 GiB", "60G", "drifted"),
    ],
)
def test_a_letter_behind_a_number_is_a_size_where_the_claim_is_of_one(
    ours: str, theirs: str, outcome: str
) -> None:
    assert said(entry(theirs), attribute="default of loom_yarn_limit", figure=ours) == (outcome, theirs)


def test_millions_stay_millions_where_the_claim_counts() -> None:
    assert said(entry("192M"), attribute="default of loom_yarn_limit", figure="192 million")[0] == "holds"
