"""An edit of one value in a hand-written file changes only its line (design, section 3)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from claim_strategies import TODAY, figures, sources, words
from hypothesis import given
from hypothesis import strategies as st

from kb.claims import Claim, Source, add_claims, keep, set_url, set_value, take_over, write_source
from kb.claims.read import read_text
from kb.claims.yaml import compose
from kb.errors import ClaimsError, UsageError

HAND_WRITTEN = """\
# yaml-language-server: $schema=../docs/claims.schema.json
source:
    title:   'ND H100 v5'   # four spaces, odd quotes
    publisher: Microsoft
    url: https://learn.example/nd   # the docs
    retrieved: 2026-09-28

claims:
    - id: plain
      subject: ND H100 v5
      figure: 400 Gbps  # per GPU
      per: GPU

    # a comment between
    - {id: flow, subject: S, figure: "3,200 Gbps", tags: [a, b]}
    - id: quoted
      subject: S
      text: "a: \\"b\\""
    - id: folded
      subject: S
      text: >-
        some words that are
        folded over lines

      note: after
    - id: members
      subject: S
      list: [HPE, IBM]  # more
    - id: lines
      subject: S
      list:
        - HPE   # one
        - IBM
      was: [{list: [HPE], until: 2020-01-01}]
    - id: none
      subject: S
      absent: price
      was:
        - {figure: $5, until: 2024-01-01}   # until then
      accepted: {found: $6, on: 2026-01-01}
    - id: calculated
      subject: S
      formula: "{plain} * 8"
      figure: 3,200 Gbps
# the end
"""

VALUES: list[tuple[str, str | tuple[str, ...], str, str]] = [
    ("plain", "800 Gbps", "figure: 400 Gbps  # per GPU", "figure: 800 Gbps  # per GPU"),
    ("flow", "1,600 Gbps", 'figure: "3,200 Gbps", tags', 'figure: "1,600 Gbps", tags'),
    ("flow", "1600 Gbps", 'figure: "3,200 Gbps", tags', "figure: 1600 Gbps, tags"),
    ("quoted", "c #d", 'text: "a: \\"b\\""', 'text: "c #d"'),
    ("members", ("HPE", "Intel, Inc."), "list: [HPE, IBM]  # more", 'list: [HPE, "Intel, Inc."]  # more'),
    ("none", "fee", "absent: price", "absent: fee"),
]


@pytest.mark.parametrize(("name", "value", "before", "after"), VALUES)
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_an_edit_of_one_value_changes_only_its_line(
    name: str, value: str | tuple[str, ...], before: str, after: str, line_end: str
) -> None:
    text = HAND_WRITTEN.replace("\n", line_end)
    assert text.count(before) == 1
    assert set_value(text, name, value) == text.replace(before, after)


def test_a_folded_value_becomes_one_line() -> None:
    edited = set_value(HAND_WRITTEN, "folded", "other words")
    assert "      text: other words\n\n      note: after\n" in edited


def test_a_list_on_lines_stays_on_lines() -> None:
    edited = set_value(HAND_WRITTEN, "lines", ("HPE", "Intel", "Arm"))
    assert "      list:\n        - HPE\n        - Intel\n        - Arm\n      was:" in edited


def test_a_value_of_another_kind_changes_its_key_too() -> None:
    edited = set_value(HAND_WRITTEN, "none", "$7", key="figure")
    assert changed(HAND_WRITTEN, edited) == [("      absent: price", "      figure: $7")]
    edited = set_value(HAND_WRITTEN, "lines", "many", key="text")
    assert "      text: many\n      was:" in edited


ACCEPTED = [
    ("plain", ["      was:", "        - {figure: 400 Gbps, until: 2026-11-30, why: new card}"]),
    ("members", ["      was:", "        - {list: [HPE, IBM], until: 2026-11-30, why: new card}"]),
    ("none", ["        - {absent: price, until: 2026-11-30, why: new card}"]),
]


@pytest.mark.parametrize(("name", "lines"), ACCEPTED)
def test_taking_over_a_value_adds_what_was_and_touches_nothing_else(name: str, lines: list[str]) -> None:
    key = "figure" if name == "none" else None
    edited = take_over(
        HAND_WRITTEN, name, ("A",) if name == "members" else "$9", "2026-11-30", "new card", key
    )
    kept = edited.splitlines()
    for line in lines:
        kept.remove(line)
    assert len(changed(HAND_WRITTEN, "\n".join(kept) + "\n")) == 1
    assert errors(edited) == []


def test_a_date_is_taken_over_in_iso_form() -> None:
    text = "claims:\n  - {id: a, subject: S, date: 2024-03-18}\n"
    assert set_value(text, "a", "20 March 2024") == text.replace("2024-03-18", "2024-03-20")


def test_a_byte_order_mark_stays() -> None:
    edited = set_value("\ufeff" + HAND_WRITTEN, "plain", "800 Gbps")
    assert edited == "\ufeff" + set_value(HAND_WRITTEN, "plain", "800 Gbps")


def test_taking_over_in_brackets_stays_in_brackets() -> None:
    edited = take_over(HAND_WRITTEN, "flow", "9 GB", "2026-11-30", "")
    assert (
        "    - {id: flow, subject: S, figure: 9 GB, tags: [a, b], "
        'was: [{figure: "3,200 Gbps", until: 2026-11-30}]}\n'
    ) in edited
    edited = take_over(HAND_WRITTEN, "lines", ("HPE",), "2026-11-30", "")
    assert "was: [{list: [HPE], until: 2020-01-01}, {list: [HPE, IBM], until: 2026-11-30}]\n" in edited


def test_keeping_our_figure_adds_one_line_or_replaces_the_last() -> None:
    edited = keep(HAND_WRITTEN, "plain", "800 Gbps", "2026-11-30", "a typo of theirs")
    added = "      accepted: {found: 800 Gbps, on: 2026-11-30, why: a typo of theirs}\n"
    assert edited == HAND_WRITTEN.replace("      per: GPU\n", "      per: GPU\n" + added)
    edited = keep(HAND_WRITTEN, "none", "$7", "2026-11-30", "")
    assert changed(HAND_WRITTEN, edited) == [
        ("      accepted: {found: $6, on: 2026-01-01}", "      accepted: {found: $7, on: 2026-11-30}")
    ]


def test_new_claims_stand_at_the_end_and_touch_nothing_else() -> None:
    source = Source(id="nd", retrieved="2026-09-28")
    new = Claim(id="nd.new", subject="S", kind="text", value="T", retrieved="2026-09-28")
    edited = add_claims(HAND_WRITTEN, source, [new, replace(new, id="nd.newer")])
    assert edited == HAND_WRITTEN.replace(
        "# the end\n",
        "    - id: new\n      subject: S\n      text: T\n    - id: newer\n      subject: S\n      text: T\n# the end\n",
    )
    empty = "source: {title: T, url: https://e.example/p}\nclaims: []  # none yet\n"
    assert add_claims(empty, source, [new]) == (
        "source: {title: T, url: https://e.example/p}\n"
        "claims:\n  - id: new\n    subject: S\n    text: T  # none yet\n"
    )
    assert add_claims(empty.replace("\n", "\r\n"), source, [new]).count("\r\n") == 5


def test_an_address_is_replaced_in_its_line() -> None:
    edited = set_url(HAND_WRITTEN, "https://learn.example/moved?a=b")
    assert changed(HAND_WRITTEN, edited) == [
        (
            "    url: https://learn.example/nd   # the docs",
            "    url: https://learn.example/moved?a=b   # the docs",
        )
    ]


STRAY = Claim(id="b.x", subject="S", kind="text", value="T")

REFUSED: list[tuple[Callable[[], str], type[Exception], str]] = [
    (lambda: set_value(HAND_WRITTEN, "nobody", "1"), UsageError, 'no claim "nobody"'),
    (lambda: set_value(HAND_WRITTEN, "calculated", "1"), UsageError, '"calculated" is calculated'),
    (
        lambda: add_claims(HAND_WRITTEN, Source(id="nd"), [replace(STRAY, id="nd.plain")]),
        UsageError,
        'the file has a claim "nd.plain" already',
    ),
    (lambda: add_claims(HAND_WRITTEN, Source(id="nd"), [STRAY]), UsageError, "does not belong"),
    (lambda: add_claims("source: {}", Source(id="nd"), []), ClaimsError, "no list of claims"),
    (lambda: add_claims("claims: [{id: a}]", Source(id="b"), [STRAY]), ClaimsError, "in brackets"),
    (lambda: set_value("claims: [", "a", "1"), ClaimsError, "this is no YAML"),
    (lambda: set_value("a", "a", "1"), ClaimsError, "not made of"),
    (lambda: set_url("claims: []", "https://e.example/"), UsageError, "no source with a url"),
    (lambda: set_value(HAND_WRITTEN, "plain", "800 Gbsp"), UsageError, 'unit "Gbsp" is unknown'),
    (lambda: set_value(HAND_WRITTEN, "members", "HPE", key="list"), UsageError, "no value for `list`"),
    (lambda: set_value(HAND_WRITTEN, "plain", "04/05/2024", key="date"), UsageError, "may be 2024-"),
    (lambda: set_value(HAND_WRITTEN, "plain", "soon", key="date"), UsageError, "is not one date"),
    (lambda: set_value("claims: [{id: a, subject: S}]", "a", "1"), UsageError, '"a" states nothing'),
]


@pytest.mark.parametrize(("edit", "kind", "what"), REFUSED)
def test_an_edit_that_cannot_be_made_is_refused(
    edit: Callable[[], str], kind: type[Exception], what: str
) -> None:
    with pytest.raises(kind, match=re.escape(what)):
        edit()


@given(words | figures, st.sampled_from(["plain", "flow", "quoted", "folded", "none"]))
def test_any_text_can_be_put_in_place(value: str, name: str) -> None:
    edited = set_value(HAND_WRITTEN, name, value, key="text")
    before, after = compose(HAND_WRITTEN, "f")[1], compose(edited, "f")[1]
    for old, new in zip(before["claims"], after["claims"], strict=True):
        if new["id"] == name:
            assert value in new.values()
        else:
            assert old == new
    assert edited.count("#") >= HAND_WRITTEN.count("#")


@given(sources().filter(lambda s: any(c.kind != "formula" for c in s.claims)), words, words)
def test_taking_over_works_in_whatever_kb_wrote(source: Source, found: str, why: str) -> None:
    text = write_source(source)
    claim = next(c for c in source.claims if c.kind != "formula")
    name = (claim.id or "").removeprefix("s.")
    edited = keep(take_over(text, name, found, "1998-01-01", why, key="text"), name, found, "1998-01-01", why)
    data = compose(edited, "f")[1]
    entry = next(c for c in data["claims"] if c["id"] == name)
    assert entry["text"] == found
    assert entry["was"][-1] == {
        claim.kind: list(claim.value) if isinstance(claim.value, tuple) else claim.value,
        "until": "1998-01-01",
        "why": why,
    }
    assert entry["accepted"] == {"found": found, "on": "1998-01-01", "why": why}


def changed(before: str, after: str) -> list[tuple[str, str]]:
    """The lines that differ."""
    return [(a, b) for a, b in zip(before.splitlines(), after.splitlines(), strict=True) if a != b]


def errors(text: str) -> list[str]:
    return [str(p) for p in read_text(text, "claims/x.yaml", TODAY).problems if p.level == "error"]
