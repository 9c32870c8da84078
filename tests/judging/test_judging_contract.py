"""The judge's contract: its JSON, what it refuses, what it shares, and that no page makes it raise."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kb.claims import Claim
from kb.errors import ClaimsError
from kb.judging import judge, judge_page, recompute, verdict_from_json
from kb.judging.verdict import Verdict
from kb.page import KINDS, ROLES, Block, Page, read_page
from kb.quantity import parse_figure
from kb.reasons import Outcome, Reason

KEYS = ["id", "verdict", "reason", "detail", "found", "score", "captured", "digest", "evidence", "others"]
EVIDENCE = ["quote", "headings", "row", "column", "page", "selector", "link"]

PAGE = read_page("<h1>Falcon-2</h1><p>The Falcon-2 has 64 ports. The Falcon-3 has 72 ports.</p>")
CLAIM = Claim.parse("Falcon-2, ports: 64 ports")


@pytest.mark.parametrize(
    "text", ["Falcon-2, ports: 64 ports", "Falcon-2, ports: 99 ports", "Kite, weight: 3 kg"]
)
def test_the_json_has_all_keys_in_order_and_reads_back(text: str) -> None:
    verdict = judge(Claim.parse(text), PAGE)
    data = verdict.to_json()
    assert list(data) == KEYS
    if data["evidence"] is not None:
        assert list(data["evidence"]) == EVIDENCE
    assert all(list(o) == ["found", "score", "evidence"] for o in data["others"])
    again = verdict_from_json(json.loads(json.dumps(data)))
    assert again.to_json() == data


def test_found_is_null_for_gone() -> None:
    verdict = judge(Claim.parse("Kite, weight: 3 kg"), PAGE)
    assert (str(verdict.outcome), verdict.to_json()["found"]) == ("gone", None)


def test_scores_lie_between_zero_and_one() -> None:
    for text in ("Falcon-2, ports: 64 ports", "Falcon-2, ports: 65 ports", "Falcon-9, ports: 64 ports"):
        verdict = judge(Claim.parse(text), PAGE, PAGE)
        assert 0 <= verdict.score <= 1
        assert all(0 <= o.score <= 1 for o in verdict.others)


def test_a_formula_is_no_question_to_a_page() -> None:
    formula = Claim(
        id="a.b", subject="x", kind="formula", value="8", quantity=parse_figure("8"), formula="{a.c} / 8"
    )
    with pytest.raises(ClaimsError):
        judge(formula, PAGE)


def test_judging_many_claims_gives_what_judging_each_gives() -> None:
    claims = [
        Claim.parse(t) for t in ("Falcon-2, ports: 64 ports", "Falcon-3, ports: 64 ports", "Kite, ports: 3")
    ]
    assert judge_page(claims, PAGE, None) == [judge(c, PAGE) for c in claims]


def test_equal_arguments_give_equal_verdicts() -> None:
    again = read_page("<h1>Falcon-2</h1><p>The Falcon-2 has 64 ports. The Falcon-3 has 72 ports.</p>")
    assert judge(CLAIM, PAGE) == judge(CLAIM, again)


def _input(outcome: Outcome, reason: Reason) -> Verdict:
    return Verdict(outcome, reason, score=0.9)


HELD = _input(Outcome.HOLDS, Reason.VERBATIM)
DRIFTED = _input(Outcome.DRIFTED, Reason.CHANGED)
GONE = _input(Outcome.GONE, Reason.REMOVED)
UNCLEAR = _input(Outcome.UNCLEAR, Reason.SEVERAL_VALUES)
UNREAD = _input(Outcome.UNREAD, Reason.TIMEOUT)


@pytest.mark.parametrize(
    ("inputs", "outcome", "reason"),
    [
        ((HELD, HELD), "holds", "recomputed"),
        ((HELD, DRIFTED), "drifted", "input-drifted"),
        ((GONE, DRIFTED), "drifted", "input-drifted"),
        ((UNCLEAR, GONE), "gone", "removed"),
        ((UNREAD, UNCLEAR), "unclear", "several-values"),
        ((HELD, UNREAD), "unread", "timeout"),
    ],
)
def test_a_formula_takes_the_first_that_any_input_has(
    inputs: tuple[Verdict, Verdict], outcome: str, reason: str
) -> None:
    claim = Claim(
        id="s.f", subject="per GPU", kind="formula", value="400 Gbps", quantity=parse_figure("400 Gbps"),
        formula="{a.total} / {a.gpus}",
    )  # fmt: skip
    values = {"a.total": parse_figure("3,200 Gbps"), "a.gpus": parse_figure("8 GPUs")}
    verdict = recompute(claim, dict(zip(("a.total", "a.gpus"), inputs, strict=True)), values)
    assert (str(verdict.outcome), str(verdict.reason), verdict.id) == (outcome, reason, "s.f")


def test_a_sum_that_is_wrong_has_drifted() -> None:
    claim = Claim(
        id="s.f", subject="per GPU", kind="formula", value="500 Gbps", quantity=parse_figure("500 Gbps"),
        formula="{a.total} / 8",
    )  # fmt: skip
    verdict = recompute(claim, {"a.total": HELD}, {"a.total": parse_figure("3,200 Gbps")})
    assert (str(verdict.outcome), str(verdict.reason)) == ("drifted", "wrong-sum")
    assert "400" in verdict.detail


def test_only_a_formula_is_recomputed() -> None:
    with pytest.raises(ClaimsError):
        recompute(CLAIM, {}, {})


WORDS = st.sampled_from(
    [
        "Falcon-2",
        "ports",
        "64",
        "64 ports",
        "72 ports",
        "$5",
        "2023-07-19",
        "1,5",
        "8x400G",
        "½",
        "∞",
        "\u202e",
        "|",
    ]
)
TEXTS = st.lists(st.one_of(WORDS, st.text(max_size=12)), max_size=8).map(" ".join)


@st.composite
def pages(draw: st.DrawFn) -> Page:
    """Pages that no reader would make, as everything fetched is hostile."""
    labels = st.lists(TEXTS, max_size=2).map(tuple)
    blocks = st.builds(
        Block,
        kind=st.sampled_from(KINDS),
        text=TEXTS,
        role=st.sampled_from(ROLES),
        level=st.integers(0, 6),
        headings=labels,
        row=labels,
        column=labels,
        caption=TEXTS,
        table=st.none() | st.integers(0, 1),
        row_index=st.none() | st.integers(0, 3),
        column_index=st.none() | st.integers(0, 3),
        header=st.booleans(),
    )
    return Page(
        tuple(draw(st.lists(blocks, max_size=8))), lang=draw(st.sampled_from([None, "en", "de", "xx"]))
    )


KINDS_OF_CLAIM = (
    Claim.parse("Falcon-2, ports: 64 ports"),
    Claim.parse("Falcon-2, price: about 5 USD per port"),
    Claim.parse("Falcon-2, released: 2023-07"),
    Claim.parse("Falcon-2, fabric: Quantum-2 or better"),
    Claim(
        id=None, subject="Falcon-2", kind="list", value=("a1", "b2", "c3"), attribute="members", complete=True
    ),
    Claim(id=None, subject="Falcon-2", kind="absent", value="price", attribute="price"),
    Claim(id=None, subject="", kind="figure", value="8x or [so"),
)


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(pages(), pages(), st.sampled_from(KINDS_OF_CLAIM))
def test_no_page_makes_the_judge_raise(page: Page, baseline: Page, claim: Claim) -> None:
    for verdict in (judge(claim, page), judge(claim, page, baseline)):
        assert verdict.outcome is not Outcome.UNREAD
        assert verdict.reason.outcome is verdict.outcome
        assert 0 <= verdict.score <= 1


def test_the_kinds_of_reasons_agree_with_their_outcomes_on_the_golden_pages() -> None:
    golden = Path(__file__).parents[1] / "golden" / "verdict"
    reasons = {
        c["reason"] for f in golden.glob("*.json") for c in json.loads(f.read_text("utf-8")) if "reason" in c
    }
    assert {"verbatim", "respelled", "within", "changed", "removed", "basis-differs", "appeared"} <= reasons
