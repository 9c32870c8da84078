"""A claim in one line, and a claim from a case of `kb verify --cases` (design, sections 10 and 11)."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.claims import Claim, Was, claim_digest, claim_from_case, restate
from kb.claims.figures import quantity_of, read_figure
from kb.errors import CaseError, ClaimsError, KbError

STATEMENTS: list[tuple[str, dict[str, Any]]] = [
    (
        "Azure ND H100 v5: 400 Gbps per GPU, retrieved 2026-09-28",
        {
            "subject": "Azure ND H100 v5",
            "attribute": "",
            "kind": "figure",
            "value": "400 Gbps",
            "per": "GPU",
            "retrieved": "2026-09-28",
        },
    ),
    ("ND H100 v5, memory: 1,900 GiB", {"subject": "ND H100 v5", "attribute": "memory", "value": "1,900 GiB"}),
    ("H100, NVLink: 900 GB/s, both ways", {"value": "900 GB/s", "direction": "both ways", "per": None}),
    (
        "H100, NVLink: 900 GB/s per GPU, Both ways, retrieved 28 September 2026",
        {"value": "900 GB/s", "direction": "both ways", "per": "GPU", "retrieved": "2026-09-28"},
    ),
    ("H100, price: $2.49 per hour", {"kind": "figure", "value": "$2.49", "per": "hour"}),
    ("Blackwell, announced: 18 March 2024", {"kind": "date", "value": "2024-03-18"}),
    ("Blackwell, announced: 2024-03", {"kind": "date", "value": "2024-03"}),
    ("B200, connector: QSFP112 or OSFP", {"kind": "text", "value": "QSFP112 or OSFP"}),
    ("Guide: part 2, cluster size: 24,576 GPUs", {"subject": "Guide: part 2", "value": "24,576 GPUs"}),
    ("B200, fabric: InfiniBand: NDR", {"subject": "B200", "attribute": "fabric", "value": "InfiniBand: NDR"}),
    ("  ND   H100  v5 :  400   Gbps ", {"subject": "ND H100 v5", "value": "400 Gbps"}),
]


@pytest.mark.parametrize(("text", "expected"), STATEMENTS)
def test_a_statement_is_read_part_by_part(text: str, expected: dict[str, Any]) -> None:
    claim = Claim.parse(text)
    assert {k: getattr(claim, k) for k in expected} == expected


def test_a_statement_in_a_period_has_it_in_its_unit() -> None:
    quantity = Claim.parse("H100, price: $2.49 per hour").quantity
    assert quantity is not None
    assert (quantity.value, quantity.unit) == (Decimal("2.49"), "usd/hour")


MISUNDERSTOOD = [
    ("400 Gbps", 'has no "SUBJECT: VALUE"'),
    (": 400 Gbps", "there is no subject before the colon"),
    ("ND H100 v5:", "there is no value after the colon"),
    ("ND H100 v5: 400 Gbsp per GPU", 'unit "Gbsp" is unknown; did you mean'),
    ("ND H100 v5: 400 Gbps, retrieved yesterday", "retrieved:"),
]


@pytest.mark.parametrize(("text", "what"), MISUNDERSTOOD)
def test_a_statement_that_is_not_understood_is_an_error_that_shows_the_form(text: str, what: str) -> None:
    with pytest.raises(ClaimsError) as caught:
        Claim.parse(text)
    assert what in str(caught.value)
    assert "SUBJECT[, ATTRIBUTE]: VALUE" in str(caught.value)


def test_a_misunderstood_statement_shows_its_parts() -> None:
    with pytest.raises(ClaimsError) as caught:
        Claim.parse("ND H100 v5, bandwidth: 400 Gbsp")
    assert 'subject "ND H100 v5", attribute "bandwidth", value "400 Gbsp"' in str(caught.value)


@given(st.text(max_size=60))
def test_any_statement_is_a_claim_or_a_told_error(text: str) -> None:
    try:
        claim = Claim.parse(text)
    except KbError as error:
        assert str(error)
    else:
        assert claim.subject and claim.value


CASE = {"id": "c1", "page": "p.html", "subject": "S"}

CASES: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"figure": "10000", "attribute": "default in milliseconds"}, {"kind": "figure", "value": "10000"}),
    ({"figure": 10000}, {"value": "10000"}),
    ({"figure": "$4.00", "per": "hour"}, {"value": "$4.00", "per": "hour"}),
    ({"date": "04/20/2017"}, {"kind": "date", "value": "2017-04-20"}),
    ({"date": "23 October 2024"}, {"value": "2024-10-23"}),
    ({"date": 2019}, {"value": "2019"}),
    ({"text": " a name "}, {"kind": "text", "value": "a name"}),
    ({"list": ["443", 563]}, {"kind": "list", "value": ("443", "563"), "complete": False}),
    ({"list": "ams | iad|mia", "complete": "true"}, {"value": ("ams", "iad", "mia"), "complete": True}),
    ({"list": ["a"], "complete": True}, {"complete": True}),
    ({"absent": "price"}, {"kind": "absent", "value": "price"}),
    ({"absent": "cost", "dimension": "price"}, {"dimension": "price"}),
    ({"figure": "4 GB", "direction": "each way"}, {"direction": "each way"}),
    ({"figure": "4 GB", "retrieved": "28 September 2026"}, {"retrieved": "2026-09-28"}),
    (
        {"figure": "4 GB", "context": "It has 4 GB.", "quote": "4 GB"},
        {"context": "It has 4 GB.", "quote": "4 GB"},
    ),
    ({"figure": "4 GB", "quote": "", "per": None, "list": ""}, {"quote": None, "per": None}),
    ({"figure": "4 GB", "complete": "false"}, {"complete": False}),
    ({"figure": "4 GB", "origin": "somebody's own column"}, {"value": "4 GB"}),
]


@pytest.mark.parametrize(("case", "expected"), CASES)
def test_a_case_states_a_claim(case: dict[str, Any], expected: dict[str, Any]) -> None:
    claim = claim_from_case(CASE | case)
    assert {k: getattr(claim, k) for k in expected} == expected
    assert claim.id == "c1"


@pytest.mark.parametrize("figure", ["Bytes1(0x05)", "0x76", "OpenCV >= 2.4", "5:30pm", "banana"])
def test_a_figure_that_is_no_quantity_is_an_exact_token(figure: str) -> None:
    claim = claim_from_case(CASE | {"figure": figure})
    assert (claim.kind, claim.value) == ("figure", figure)


MALFORMED: list[tuple[dict[str, Any], str]] = [
    ({}, "a case states one of figure, date, text, list, absent, this one none"),
    ({"figure": "1", "text": "a"}, "this one figure and text"),
    ({"figure": "1", "subject": ""}, 'the case has no "subject"'),
    ({"figur": "1"}, 'key "figur" is unknown; did you mean "figure"?'),
    ({"figure": ["1"]}, '"figure" must be a text, not a list'),
    ({"figure": True}, '"figure" must be a text, not true or false'),
    ({"figure": "  "}, '"figure" is empty'),
    ({"list": {"a": 1}}, '"list" must be a list, not an object'),
    ({"list": ["a", ""]}, '"list" has an empty member'),
    ({"list": "a||b"}, '"list" has an empty member'),
    ({"list": "a", "complete": "maybe"}, '"complete" cannot be "maybe"; write true or false'),
    ({"text": "a", "complete": True}, '"complete" belongs to `list`'),
    ({"text": "a", "direction": "up"}, '"direction" cannot be "up"; it is one of each way'),
    ({"date": "soon"}, '"date": '),
    ({"date": "04/05/2017"}, "may be 2017-"),
    ({"text": "a", "retrieved": "x"}, '"retrieved": '),
]


@pytest.mark.parametrize(("case", "what"), MALFORMED)
def test_a_malformed_case_is_told(case: dict[str, Any], what: str) -> None:
    with pytest.raises(CaseError) as caught:
        claim_from_case(CASE | case)
    assert what in str(caught.value)
    assert caught.value.exit_code == 2


def test_a_row_of_a_spreadsheet_says_the_same_as_a_json_object() -> None:
    case = CASE | {"attribute": "ports", "list": ["443", "563"], "complete": True}
    table = io.StringIO()
    writer = csv.DictWriter(table, [*case, "quote"])
    writer.writeheader()
    writer.writerow(case | {"list": "443|563", "complete": "true"})
    (row,) = csv.DictReader(io.StringIO(table.getvalue()))
    assert claim_from_case(row) == claim_from_case(case)


def test_every_labelled_case_is_a_claim(shared: Path) -> None:
    unread = []
    for file in sorted(shared.glob("cases/drift-*/cases.jsonl")):
        for line in file.read_text("utf-8").splitlines():
            claim = claim_from_case(json.loads(line))
            if claim.kind == "figure" and claim.quantity is None:
                unread.append(claim.value)
    assert len(unread) < 60, unread


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
KEYS = st.sampled_from(["id", "subject", "figure", "date", "text", "list", "absent", "complete", "per", "x"])


@given(st.dictionaries(KEYS, JSON, max_size=6))
def test_any_json_object_is_a_claim_or_a_told_error(case: dict[str, Any]) -> None:
    try:
        claim_from_case(case)
    except CaseError as error:
        assert str(error)


def test_a_digest_names_what_a_judge_sees_and_nothing_else() -> None:
    claim = Claim.parse("ND H100 v5: 400 Gbps per GPU")
    assert claim_digest(claim).startswith("sha256:")
    for unseen in ({"id": "a.b"}, {"file": "f"}, {"line": 9}, {"note": "n"}, {"tags": ("t",)}):
        assert claim_digest(replace(claim, **unseen)) == claim_digest(claim)
    for seen in ({"subject": "T"}, {"value": "401 Gbps"}, {"per": None}, {"quote": "q"}, {"where": "w"}):
        assert claim_digest(replace(claim, **seen)) != claim_digest(claim)


def test_a_claim_is_restated_with_the_kind_and_quantity_that_it_had() -> None:
    claim = replace(Claim.parse("H200, interconnect: 400 Gbps per GPU"), quote="it has 400 Gbps")
    before = restate(claim, Was("3,200 Gbps", "2025-01-01", kind="figure"))
    assert before.quantity is not None
    assert (before.value, before.quantity.value, before.quantity.readings) == ("3,200 Gbps", 3200, ())
    assert (before.quote, before.per) == (None, "GPU")
    assert restate(claim, Was("200 Gbps", "2025-01-01")).kind == "figure"
    nothing = restate(claim, Was("data rate", "2024-01-01", kind="absent"))
    assert (nothing.kind, nothing.value, nothing.quantity) == ("absent", "data rate", None)


def test_a_calculated_figure_that_was_another_is_still_calculated() -> None:
    claim = replace(Claim.parse("S: 400 Gbps"), kind="formula", formula="{a.b} / 8")
    before = restate(claim, Was("50 Gbps", "2025-01-01", kind="figure"))
    assert (before.kind, before.formula, before.value) == ("formula", "{a.b} / 8", "50 Gbps")


@pytest.mark.parametrize(
    ("attribute", "unit"),
    [("tokens it was trained on", "count:token"), ("parameters", "count:parameter"), ("memory", "terabyte")],
)
def test_a_figure_in_t_is_what_its_attribute_counts_or_a_size(attribute: str, unit: str) -> None:
    quantity, problem = read_figure("about 1T", attribute)
    assert problem is None
    assert quantity is not None
    assert quantity.unit == unit
    assert quantity_of("about 1T", attribute).unit == unit
