"""The claims of this repository, against the list of the figures that they were taken from."""

from __future__ import annotations

import csv
import re
from collections import Counter
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from kb.claims import Claim, Source, formula_inputs, read_claims
from kb.quantity import Comparison, Quantity, compare, parse_figure, quantities

ROOT = Path(__file__).resolve().parents[1]
SEEDS = ROOT.parent / "shared" / "seeds"

needs_seeds = pytest.mark.skipif(
    not (SEEDS / "figures.csv").exists(), reason="the list of figures is not beside the project"
)

# What the list writes in its unit column, where that is no unit that follows a number.
UNITS = {"B parameters": " billion parameters", "NIC/GPU": "", "Gb/s per GB/s": ""}
TOGETHER = ("x", "G", "k tokens")  # written without a space: 7x, 400G, 128k tokens
DIRECTIONS = {
    "each": "each way",
    "both-summed": "both ways",
    "bidirectional": "bidirectional",
    "unspecified": "unspecified",
}
BOUNDS = {
    "more than": "more-than",
    "over": "more-than",
    "about": "about",
    "approximately": "about",
    "at least": "at-least",
    "up to": "at-most",
}
KINDS = {
    "figure": {"figure"},
    "range": {"figure", "formula"},
    "ratio": {"figure", "formula"},
    "derived": {"formula"},
    "date": {"date"},
    "text": {"text"},
    "list": {"list"},
    "absence": {"absent"},
}
# An absence that the source itself states in words is a text: no figure is missing.
STATED_NEGATIVES = {
    "meta-no-transport-cc",
    "meta-no-bottlenecks",
    "vllm-not-encrypted",
    "quantacloud-no-multinode",
}
# Calculations whose inputs the articles do not give, or that no formula can do: the result, with a note.
NOT_COMPUTED = {"xdr-spec-to-x800", "ft70b-h100s", "llama-kv-cache"}


def rows(name: str) -> list[dict[str, str]]:
    if not (SEEDS / name).exists():
        return []
    with (SEEDS / name).open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


FIGURES = rows("figures.csv")


@pytest.fixture(scope="module")
def sources() -> dict[str, Source]:
    found, problems = read_claims(ROOT, date.max)
    assert [p for p in problems if p.level == "error"] == []
    return {source.id: source for source in found}


@pytest.fixture(scope="module")
def claims(sources: dict[str, Source]) -> dict[str, Claim]:
    """By the part of the id that names the claim in its file."""
    every = [claim for source in sources.values() for claim in source.claims]
    counted = Counter(name(claim.id) for claim in every)
    assert [n for n, times in counted.items() if times > 1] == [], "a name that two files use"
    return {name(claim.id): claim for claim in every}


def name(id: str | None) -> str:
    assert id is not None
    return id.partition(".")[2]


def listed(*kinds: str) -> pytest.MarkDecorator:
    chosen = [row for row in FIGURES if row["kind"] in kinds]
    return pytest.mark.parametrize("row", chosen, ids=[row["id"] for row in chosen])


def stated(value: str, unit: str) -> Quantity:
    """A value of the list as a quantity."""
    words = unit if unit in TOGETHER else f" {unit}"
    if re.fullmatch("[a-z]{3,}", unit):
        words += "s"  # the list has its nouns in the singular
    return bare(parse_figure(f"{value}{UNITS.get(unit, words)}".strip()))


def bare(quantity: Quantity) -> Quantity:
    """Value and unit alone: basis, bound and multiplier are asked apart."""
    return replace(quantity, bound="exact", per=None, times=None)


def test_every_file_reads_and_every_sum_is_right(sources: dict[str, Source]) -> None:
    assert sources
    assert all(claim.file.startswith("claims/") for source in sources.values() for claim in source.claims)


def test_what_we_state_ourselves_has_a_note_or_a_formula(sources: dict[str, Source]) -> None:
    own = [c for s in sources.values() for c in s.claims if not c.sourced]
    assert own
    assert [c.id for c in own if c.kind != "formula" and not c.note] == []


@needs_seeds
def test_every_listed_source_has_its_file(sources: dict[str, Source]) -> None:
    wanted = {row["source_id"]: row for row in rows("sources.csv")}
    assert len(wanted) == 76
    assert sorted(wanted.keys() - sources.keys()) == []
    for id, row in wanted.items():
        source = sources[id]
        assert (source.url or "") == row["url"], id
        assert (source.published or "") == row["published"], id
        assert (source.url_status == "supposed") == (row["url_confidence"] == "guess" and bool(row["url"])), (
            id
        )
        if row["retrieved"]:
            assert source.retrieved == row["retrieved"], id
        assert source.role, id


@needs_seeds
def test_every_listed_figure_is_a_claim(claims: dict[str, Claim]) -> None:
    assert len(FIGURES) == 327
    assert sorted({row["id"] for row in FIGURES} - claims.keys()) == []


@needs_seeds
def test_kinds_match(claims: dict[str, Claim]) -> None:
    for row in FIGURES:
        allowed = KINDS[row["kind"]]
        if row["id"] in STATED_NEGATIVES:
            allowed = {"text"}
        if row["id"] in NOT_COMPUTED:
            allowed = {"figure"}
        assert claims[row["id"]].kind in allowed, row["id"]


@needs_seeds
@listed("figure", "ratio", "derived")
def test_values_and_units_are_equal(row: dict[str, str], claims: dict[str, Claim]) -> None:
    ours = claims[row["id"]].quantity
    assert ours is not None
    assert ours.high is None
    assert compare(stated(row["value"], row["unit"]), bare(ours)) is Comparison.SAME


@needs_seeds
@listed("range")
def test_ends_of_ranges_are_equal(row: dict[str, str], claims: dict[str, Claim]) -> None:
    first = claims[row["id"]]
    low = first.quantity
    assert low is not None
    if first.kind == "formula":
        assert low.high is None
        high = claims[row["id"] + "-high"].quantity
    else:
        assert low.high is not None
        high = replace(low, value=low.high, high=None)
        low = replace(low, high=None)
    assert high is not None
    assert compare(stated(row["value"], row["unit"]), bare(low)) is Comparison.SAME
    assert compare(stated(row["value_high"], row["unit"]), bare(high)) is Comparison.SAME


@needs_seeds
@listed("figure", "ratio", "derived", "range")
def test_bounds_are_those_of_the_article(row: dict[str, str], claims: dict[str, Claim]) -> None:
    ours = claims[row["id"]].quantity
    assert ours is not None
    words = re.match(r"(more than|over|about|approximately|at least|up to)\b", row["qualifier"])
    if words:
        assert ours.bound == BOUNDS[words[1]]
    elif row["id"] not in NOT_COMPUTED:
        assert ours.bound == "exact"


@needs_seeds
def test_basis_and_direction_are_those_of_the_article(claims: dict[str, Claim]) -> None:
    for row in FIGURES:
        claim = claims[row["id"]]
        if row["kind"] != "absence":
            assert (claim.per or "") == row["per"], row["id"]
            assert claim.direction == DIRECTIONS.get(row["direction"]), row["id"]


@needs_seeds
@listed("date")
def test_dates_are_equal_at_their_precision(row: dict[str, str], claims: dict[str, Claim]) -> None:
    assert claims[row["id"]].value == row["value"]


@needs_seeds
@listed("list")
def test_lists_have_the_same_members(row: dict[str, str], claims: dict[str, Claim]) -> None:
    ours = claims[row["id"]].value
    wanted = row["value"].split("; ")
    if not row["unit"]:
        assert sorted(ours) == sorted(wanted)
        return
    assert len(ours) == len(wanted)
    for one, member in zip(ours, wanted, strict=True):
        number = member.partition(" ")[0]
        read = quantities(one, bare=True)
        assert read, one
        assert compare(stated(number, row["unit"]), bare(read[0])) is Comparison.SAME


@needs_seeds
@listed("text")
def test_texts_say_the_same_thing(row: dict[str, str], claims: dict[str, Claim]) -> None:
    ours = claims[row["id"]].value
    assert isinstance(ours, str)
    common = words_of(ours) & words_of(row["value"])
    assert common, f"{ours!r} has no word of {row['value']!r}"


def words_of(text: str) -> set[str]:
    return set(re.findall(r"[\w.#+-]+", text.casefold())) - {"a", "the", "of", "and", "or", "to", "in", "for"}


@needs_seeds
def test_formulas_use_the_inputs_that_the_list_names(claims: dict[str, Claim]) -> None:
    for row in FIGURES:
        if not row["formula"] or claims[row["id"]].kind != "formula":
            continue
        wanted = {part.partition(".")[0] for part in re.findall(r"\{([^}]+)\}", row["formula"])}
        parts = [c for n, c in claims.items() if n == row["id"] or n.startswith(row["id"] + "-")]
        used = {name(i) for c in parts if c.formula for i in formula_inputs(c.formula)}
        assert wanted <= used | {u.removesuffix("-high") for u in used}, row["id"]
