"""What kb writes it reads back as the same, and an edit changes one line (design, section 3)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.claims import (
    Accepted,
    Check,
    Claim,
    Source,
    Was,
    add_claims,
    keep,
    set_url,
    set_value,
    take_over,
    write_source,
)
from kb.claims.figures import read_figure
from kb.claims.read import read_text
from kb.claims.write import interval, scalar
from kb.claims.yaml import compose
from kb.errors import ClaimsError, UsageError

TODAY = date(2026, 11, 30)

characters = st.characters(exclude_categories=["Cs"])
texts = st.text(characters, min_size=1, max_size=30)
tricky = st.sampled_from(
    [
        *("a: b", "a #b", "#a", "- a", "? a", "[a]", "{a}", "a, b", "'a'", '"a"', "a\\b", "a\nb", " a", "a "),
        *(
            "null",
            "~",
            "true",
            "No",
            "1",
            "2024-03-18",
            "---",
            "...",
            "%a",
            "@a",
            "`a`",
            "&a",
            "*a",
            "!a",
            "|",
            ">",
        ),
        *(
            "a:",
            ":a",
            "x:y",
            "a:,b",
            "-",
            "--",
            "é",
            "\u2028",
            "\ufeff",
            "\x85",
            "𝒳",
            "\x00",
            "\t",
            "a\tb",
            "=",
            "<<",
        ),
        'it\'s "so"',
        "word " * 40 + "end",
        "word  " * 40 + "end",
        "w" * 300,
    ]
)
words = texts | tricky
days = st.dates(date(1999, 1, 1), TODAY).map(str)
dates = days | days.map(lambda d: d[:7]) | days.map(lambda d: d[:4])
figures = st.sampled_from(
    [
        "400 Gbps",
        "3,200 Gbps",
        "1,600 to 3,200 Gbps",
        "more than 50 members",
        "about 6.9 billion USD",
        "8x400G",
        "18x",
    ]
)
lists = st.lists(words, min_size=1, max_size=5).map(tuple)
some = st.none() | words


@st.composite
def a_was(draw: st.DrawFn, until: str) -> Was:
    kind, value = draw(
        st.one_of(
            st.tuples(st.just("figure"), figures),
            st.tuples(st.just("date"), dates),
            st.tuples(st.sampled_from(["text", "absent"]), words),
            st.tuples(st.just("list"), lists),
        )
    )
    return Was(value=value, until=until, why=draw(st.just("") | words), kind=kind)


@st.composite
def claims(draw: st.DrawFn, name: str) -> Claim:
    kind = draw(st.sampled_from(["figure", "date", "text", "list", "absent", "formula"]))
    given_values: dict[str, st.SearchStrategy[Any]] = {
        "figure": figures,
        "date": dates,
        "text": words,
        "list": lists,
        "absent": words,
        "formula": st.just("400.0 Gbps"),
    }
    value = draw(given_values[kind])
    attribute = draw(st.sampled_from(["", "bandwidth", "note: this", "a #b"]))
    per = draw(st.sampled_from([None, "GPU", "hour", "unspecified"]))
    quantity = None
    if kind in ("figure", "formula"):
        quantity = read_figure(value, attribute, per)[0]
    return Claim(
        id=f"s.{name}",
        subject=draw(words),
        kind=kind,
        value=value,
        attribute=attribute,
        quantity=quantity,
        complete=kind == "list" and draw(st.booleans()),
        dimension=draw(st.sampled_from([None, "data rate"])) if kind == "absent" else None,
        formula="3200 Gbps / 8" if kind == "formula" else None,
        per=per,
        direction=draw(st.sampled_from([None, "each way", "unspecified"])),
        quote=draw(some),
        retrieved=draw(st.just("2026-09-28") | days),
        where=draw(some),
        note=draw(some),
        tags=draw(st.just(()) | lists),
        was=tuple(draw(a_was(d)) for d in draw(st.lists(days, max_size=2, unique=True))),
        accepted=draw(st.none() | st.builds(Accepted, found=words | lists, on=days, why=st.just("") | words)),
        status=draw(st.sampled_from([None, "proposed"])),
        source_id="s",
        file="claims/s.yaml",
    )


checks = st.builds(
    Check,
    every=st.none() | st.integers(1, 100_000).map(lambda n: n * 60),
    browser=st.booleans(),
    archive=st.booleans(),
    off=some,
)


@st.composite
def sources(draw: st.DrawFn) -> Source:
    names = draw(st.lists(st.from_regex(r"[A-Za-z0-9_-]{1,8}", fullmatch=True), max_size=3, unique=True))
    return Source(
        id="s",
        title=draw(words),
        publisher=draw(words),
        url="https://e.example/p?q=1#f",
        url_status=draw(st.sampled_from([None, "known", "supposed"])),
        published=draw(st.none() | dates),
        retrieved="2026-09-28",
        role=draw(st.sampled_from([None, "press"])),
        check=draw(checks),
        tags=draw(st.just(()) | lists),
        note=draw(some),
        claims=tuple(draw(claims(name)) for name in names),
        file="claims/s.yaml",
    )


@given(sources())
def test_what_is_written_reads_back_as_the_same(source: Source) -> None:
    text = write_source(source, "../docs/claims.schema.json")
    draft = read_text(text, "claims/s.yaml", TODAY)
    assert [p for p in draft.problems if p.level == "error"] == []
    assert draft.source is not None
    read = replace(draft.source, claims=tuple(replace(c, line=0) for c in draft.source.claims))
    assert read == source
    assert text.startswith("# yaml-language-server: $schema=../docs/claims.schema.json\n")


@given(words, st.booleans())
def test_any_text_is_one_scalar(text: str, flow: bool) -> None:
    written = scalar(text, flow=flow)
    assert "\n" not in written
    whole = f"a: [{written}, {{b: {written}}}]" if flow else f"a: {written}\nb: c"
    _, data, problems = compose(whole, "f")
    assert problems == []
    assert data == ({"a": [text, {"b": text}]} if flow else {"a": text, "b": "c"})


def test_a_file_reads_well() -> None:
    source = Source(
        id="nd",
        title="ND H100 v5 series",
        publisher="Microsoft Learn",
        url="https://learn.example/nd",
        retrieved="2026-09-28",
        check=Check(every=604800, browser=True),
        claims=(
            Claim(
                id="nd.per-gpu",
                subject="Azure ND H100 v5",
                attribute="InfiniBand bandwidth",
                kind="figure",
                value="400 Gbps",
                per="GPU",
                retrieved="2026-09-28",
                note="A derived average, which nobody states: it follows from the bandwidth of the whole virtual "
                "machine and from how many GPUs it has.",
                was=(Was("200 Gbps", "2025-11-30", "new adapter"),),
            ),
            Claim(
                id="nd.sum",
                subject="Azure ND H100 v5",
                kind="formula",
                value="3,200 Gbps",
                formula="{nd.per-gpu} * 8",
                retrieved="2026-09-28",
            ),
        ),
    )
    assert write_source(source) == (
        """\
source:
  title: ND H100 v5 series
  publisher: Microsoft Learn
  url: https://learn.example/nd
  retrieved: 2026-09-28
  check: {every: 7d, browser: true}
claims:
  - id: per-gpu
    subject: Azure ND H100 v5
    attribute: InfiniBand bandwidth
    figure: 400 Gbps
    per: GPU
    note: >-
      A derived average, which nobody states: it follows from the bandwidth of the whole virtual machine and
      from how many GPUs it has.
    was:
      - {figure: 200 Gbps, until: 2025-11-30, why: new adapter}
  - id: sum
    subject: Azure ND H100 v5
    formula: "{per-gpu} * 8"
    figure: 3,200 Gbps
"""
    )


def test_a_claim_of_another_source_is_not_written() -> None:
    stray = Claim(id="b.x", subject="S", kind="text", value="T")
    with pytest.raises(UsageError, match=r'the claim "b.x" does not belong to "a"'):
        write_source(Source(id="a", url="https://e.example/p", claims=(stray,)))


@pytest.mark.parametrize(
    ("seconds", "written"),
    [
        (60, "1m"),
        (90 * 60, "90m"),
        (43200, "12h"),
        (86400, "1d"),
        (604800, "7d"),
        (1209600, "2w"),
        (30, "1m"),
    ],
)
def test_an_interval_is_written_in_the_largest_unit(seconds: int, written: str) -> None:
    assert interval(seconds) == written


# Edits of a file that a person wrote

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
