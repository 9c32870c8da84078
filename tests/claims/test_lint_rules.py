"""Faults and doubts that show only across the files, and the warnings (design, section 3)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from kb.claims import ClaimSet, Source, explain, read_claims
from kb.errors import Problem, UsageError

Said = Callable[..., list[str]]
Read = Callable[..., tuple[tuple[Source, ...], list[Problem]]]


def source(claims: str, url: str = "https://e.example/p", more: str = "") -> str:
    """A file whose claims begin in line 6."""
    return f"source:\n  title: T\n  publisher: P\n  url: {url}{more}\nclaims:\n{claims}"


def ours(claims: str) -> str:
    return f"claims:\n{claims}"


INSTANCE = "  - {id: instance, subject: AWS P5, attribute: bandwidth, figure: '3,200 Gbps', per: instance}\n"
GPUS = "  - {id: gpus, subject: AWS P5, attribute: GPUs, figure: 8 GPUs}\n"


def test_a_formula_over_claims_of_other_files_is_recomputed(said: Said) -> None:
    sums = ours(
        '  - {id: each, subject: AWS P5, formula: "{aws.instance} / {aws.gpus}", figure: 400.0 Gbps}\n'
    )
    assert said(aws=source(INSTANCE + GPUS), sums=sums) == []


def test_a_wrong_sum_is_told_with_both_sides_and_what_would_be_right(said: Said) -> None:
    sums = ours('  - {id: each, subject: AWS P5, formula: "{aws.instance} / 8", figure: 40.0 Gbps}\n')
    assert said(aws=source(INSTANCE), sums=sums) == [
        "sums:2:42: 3,200 Gbps / 8 is 400 Gbps, the file says 40.0 Gbps; "
        'write "400.0 Gbps", or put the formula right'
    ]


def test_a_formula_that_names_no_claim_is_told_with_the_nearest(said: Said) -> None:
    sums = ours('  - {id: each, subject: AWS P5, formula: "{aws.instanse} / 8", figure: 400 Gbps}\n')
    assert said(aws=source(INSTANCE), sums=sums) == [
        'sums:2:42: the formula names "aws.instanse", and no claim has this id; did you mean "aws.instance"?'
    ]


def test_a_misspelt_file_in_a_formula_is_told_with_the_claim_of_that_name(said: Said) -> None:
    sums = ours('  - {id: each, subject: AWS P5, formula: "{amazon-elastic.instance} / 8", figure: 1 Gbps}\n')
    (line,) = said(aws=source(INSTANCE), sums=sums)
    assert line.endswith('did you mean "aws.instance"?')


def test_a_formula_over_something_that_is_no_figure_is_told(said: Said) -> None:
    text = "  - {id: fabric, subject: AWS P5, text: EFA}\n"
    sums = ours('  - {id: each, subject: AWS P5, formula: "{aws.fabric} / 8", figure: 400 Gbps}\n')
    assert said(aws=source(text), sums=sums) == [
        'sums:2:42: the formula names "aws.fabric", which states `text` and no figure; '
        "name a claim with a figure"
    ]


def test_a_formula_that_cannot_be_read_is_told_where_it_stands(said: Said) -> None:
    sums = ours('  - {id: each, subject: S, formula: "(1 + 2", figure: 3}\n')
    assert said(sums=sums) == ['sums:2:37: formula "(1 + 2": a bracket is not closed; add ")"']


def test_a_circle_is_told_once_and_shows_its_way(said: Said) -> None:
    circle = ours(
        '  - {id: a, subject: S, formula: "{b} * 2", figure: 2 GB}\n'
        '  - {id: b, subject: S, formula: "{c} * 2", figure: 2 GB}\n'
        '  - {id: c, subject: S, formula: "{a} * 2", figure: 2 GB}\n'
        '  - {id: d, subject: S, formula: "{a} * 1", figure: 2 GB}\n'
    )
    assert said(x=circle) == [
        "x:2:34: the formula depends on itself: x.a -> x.b -> x.c -> x.a; break the circle"
    ]


def test_a_formula_that_names_itself_is_a_circle(said: Said) -> None:
    assert said(x=ours('  - {id: a, subject: S, formula: "{a}", figure: 2 GB}\n')) == [
        "x:2:34: the formula depends on itself: x.a -> x.a; break the circle"
    ]


def test_a_chain_of_thousands_is_followed(said: Said) -> None:
    links = "".join(
        f'  - {{id: c{i}, subject: S{i}, formula: "{{c{i + 1}}} + 1", figure: "{3001 - i}"}}\n'
        for i in range(3000)
    )
    assert said(x=ours(links + "  - {id: c3000, subject: S, figure: '1', note: start}\n")) == []


def test_a_whole_file_that_needs_a_faulty_one_is_left_out_and_told(read: Read) -> None:
    sums = ours('  - {id: each, subject: AWS P5, formula: "{aws.instance} / 8", figure: 400 Gbps}\n')
    more = ours('  - {id: half, subject: AWS P5, formula: "{sums.each} / 2", figure: 200 Gbps}\n')
    sources, problems = read(
        aws=source(INSTANCE + "  - {id: bad}\n"), sums=sums, more=more, fine=source(GPUS)
    )
    assert [s.id for s in sources] == ["fine"]
    assert [(p.file, p.rule) for p in problems if p.file != "claims/aws.yaml"] == [
        ("claims/more.yaml", "input-faulty"),
        ("claims/sums.yaml", "input-faulty"),
    ]


WARNINGS = [
    (
        source(GPUS, "https://e.example"),
        "x:4:8: the url is a bare domain; name the page that states the claims",
    ),
    (
        source(GPUS, "https://e.example/"),
        "x:4:8: the url is a bare domain; name the page that states the claims",
    ),
    (
        source(GPUS, more="\n  url_status: supposed"),
        "x:4:8: the url is only supposed; open it, then correct it or delete `url_status: supposed`",
    ),
    (
        source("  - {id: a, subject: S, figure: 8 GPUs, quote: it has nine GPUs}\n"),
        'x:6:48: the quote does not have the figure "8 GPUs"; '
        "quote the words that state it, or leave the quote out",
    ),
    (
        source("  - {id: a, subject: S, date: 2024-03-18, quote: announced in April 2024}\n"),
        'x:6:50: the quote does not have the date "2024-03-18"; '
        "quote the words that state it, or leave the quote out",
    ),
    (
        source(f"  - {{id: a, subject: S, text: T, quote: {'word ' * 26}}}\n"),
        "x:6:41: the quote has 26 words; keep the 25 that state the value",
    ),
    (
        source(GPUS).replace("  title: T\n", ""),
        "x:2:3: the source has no title; add `title: …`",
    ),
    (
        source(GPUS).replace("  publisher: P\n", ""),
        "x:2:3: the source has no publisher; add `publisher: …`",
    ),
    (
        ours("  - {id: a, subject: S, figure: 8 GPUs}\n"),
        "x:2:5: nobody is named for this claim; say in a `note` whether we assume or define it",
    ),
    (
        source("  - {id: a, subject: S, figure: 1.400 GB}\n"),
        'x:6:33: "1.400 GB" may be 1.400 GB or 1,400 GB; '
        "write it without the separator, or with the other number of places",
    ),
    (
        source("  - {id: a, subject: S, figure: 400 Gbps per node, per: GPU}\n"),
        'x:6:33: the figure says per node, and "per" says GPU; keep the one that the source has',
    ),
    (
        source("  - {id: a, subject: S, absent: colour}\n"),
        'x:6:33: "colour" does not say which figures count; add `dimension: …`, as in data rate or price',
    ),
    (
        source("  - {id: a, subject: S, list: [x, X]}\n"),
        'x:6:35: the list has "X" twice; keep one',
    ),
]


@pytest.mark.parametrize(("text", "expected"), WARNINGS)
def test_a_doubt_is_a_warning_and_the_file_is_read(read: Read, said: Said, text: str, expected: str) -> None:
    assert said(x=text) == [expected]
    sources, (problem,) = read(x=text)
    assert (problem.level, len(sources)) == ("warning", 1)


FINE = [
    source(GPUS, "https://e.example/?id=5"),
    source("  - {id: a, subject: S, figure: 8 GPUs, quote: a node holds eight GPUs}\n"),
    source("  - {id: a, subject: S, figure: 400 Gbps, quote: 'up to 0.4 Tbps, or 50 GB/s, per GPU'}\n"),
    source("  - {id: a, subject: S, figure: 400 Gb/s per GPU, per: GPUs}\n"),
    source("  - {id: a, subject: S, figure: 400 Gb/s, per: GPU}\n"),
    source("  - {id: a, subject: S, date: 2024-03, quote: 'On 18 March 2024, we announced'}\n"),
    source("  - {id: a, subject: S, text: T, quote: other words for it}\n"),
    source("  - {id: a, subject: S, absent: price}\n  - {id: b, subject: S, absent: x, dimension: money}\n"),
    ours("  - {id: a, subject: S, figure: 8 GPUs, note: assumed}\n"),
]


@pytest.mark.parametrize("text", FINE)
def test_nothing_is_said_of_what_is_well_stated(said: Said, text: str) -> None:
    assert said(x=text) == []


def stated(value: str, **more: str) -> str:
    rest = "".join(f", {k}: {v}" for k, v in more.items())
    return source(f"  - {{id: a, subject: GB200, attribute: bandwidth, {value}{rest}}}\n")


DIFFERENT = [
    ("figure: 400 Gbps", "figure: 800 Gbps"),
    ("figure: 900 GB/s", "figure: 900 Gb/s"),
    ("date: 2024-03-18", "date: 2024-04"),
    ("text: NVIDIA Quantum-2", "text: Spectrum-X"),
    ("list: [a, b], complete: true", "list: [a, b, c]"),
    ("list: [a, b]", "list: [b, c]"),
]


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_two_sources_that_state_the_same_thing_differently_are_told_with_the_other_place(
    read: Read, one: str, other: str
) -> None:
    _, (problem,) = read(one=stated(one), two=stated(other))
    assert (problem.file, problem.line, problem.level) == ("claims/two.yaml", 6, "warning")
    assert problem.rule == "stated-differently"
    assert " in claims/one.yaml:6:5" in problem.what


ALIKE = [
    ({}, "figure: 400 Gbps", {}, "figure: 0.4 Tb/s"),
    ({}, "figure: 6.9 billion USD", {}, "figure: $6.93 billion"),
    ({}, "figure: at least 50 GPUs", {}, "figure: 60 GPUs"),
    ({"per": "GPU"}, "figure: 400 Gbps", {"per": "node"}, "figure: '3,200 Gbps'"),
    ({}, "figure: 400 Gbps per GPU", {}, "figure: '3,200 Gbps per node'"),
    ({"direction": "each way"}, "figure: 450 GB/s", {"direction": "both ways"}, "figure: 900 GB/s"),
    ({}, "date: 2024", {}, "date: 2024-03-18"),
    ({}, "text: InfiniBand", {}, "text: NVIDIA Quantum-2 InfiniBand"),
    ({}, "list: [a, b]", {}, "list: [b, A, c]"),
    ({}, "absent: price", {}, "figure: $5"),
]


@pytest.mark.parametrize(("more", "one", "other_more", "other"), ALIKE)
def test_what_two_sources_state_alike_is_no_difference(
    said: Said, more: dict[str, str], one: str, other_more: dict[str, str], other: str
) -> None:
    assert said(one=stated(one, **more), two=stated(other, **other_more)) == []


def test_one_source_may_state_one_attribute_twice(said: Said) -> None:
    twice = (
        "  - {id: a, subject: S, attribute: b, text: one}\n  - {id: c, subject: S, attribute: b, text: two}\n"
    )
    assert said(x=source(twice)) == []


def test_many_sources_that_disagree_are_each_told_once(said: Said) -> None:
    files = {f"s{i}": stated(f"figure: {i + 1}00 Gbps") for i in range(6)}
    assert len(said(**files)) == 5


def test_claims_are_found_by_id_and_what_rests_on_them_is_known(read: Read) -> None:
    sums = ours('  - {id: each, subject: AWS P5, formula: "{aws.instance} / 8", figure: 400 Gbps}\n')
    claims = ClaimSet(read(aws=source(INSTANCE + GPUS), sums=sums)[0])
    assert claims.claim("aws.gpus").value == "8 GPUs"
    assert claims.source("aws").publisher == "P"
    assert [c.id for c in claims.dependents("aws.instance")] == ["sums.each"]
    assert claims.dependents("aws.gpus") == ()
    assert "aws.gpus" in claims and "aws.gpu" not in claims
    assert len(claims) == 3
    with pytest.raises(UsageError, match=r'no claim has the id "aws.gpu"; did you mean "aws.gpus"\?'):
        claims.claim("aws.gpu")
    with pytest.raises(UsageError, match=r'no source has the id "asw"; did you mean "aws"\?'):
        claims.source("asw")


def test_an_explanation_shows_each_step_and_where_the_figures_stand(read: Read) -> None:
    sums = ours(
        '  - {id: each, subject: AWS P5, attribute: average, formula: "{aws.instance} / 8", figure: 400.0 Gbps}\n'
    )
    claims = ClaimSet(read(aws=source(INSTANCE), sums=sums)[0])
    assert explain(claims.claim("sums.each"), claims).lines() == [
        "sums.each: 400.0 Gbps",
        "  AWS P5, average",
        "  = {aws.instance} / 8",
        "  = 3,200 Gbps / 8",
        "  = 400 Gbps (as the file says)",
        "  from",
        "    aws.instance  3,200 Gbps  (claims/aws.yaml:6)",
    ]
    assert explain(claims.claim("aws.instance"), claims).lines() == [
        "aws.instance: 3,200 Gbps per instance",
        "  AWS P5, bandwidth",
        "  stated in claims/aws.yaml:6, not calculated",
        "  used by sums.each",
    ]


def test_today_decides_what_is_in_the_future(tmp_path: Path) -> None:
    (tmp_path / "claims").mkdir()
    (tmp_path / "claims" / "x.yaml").write_text(source(GPUS, more="\n  retrieved: 2026-11-30"))
    assert read_claims(tmp_path, date(2026, 11, 30))[1] == []
    (problem,) = read_claims(tmp_path, date(2026, 11, 29))[1]
    assert problem.rule == "future-date"


def test_of_very_many_that_disagree_some_are_told(said: Said) -> None:
    files = {f"s{i}": stated(f"figure: {i + 1}00 Gbps") for i in range(60)}
    assert len(said(**files)) == 20
