"""Files are read strictly, and all faults of all files are told together (design, section 3)."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from claim_files import CLAIM, SOURCE, in_claim
from hypothesis import given
from hypothesis import strategies as st

from kb.claims import Check, load_claims, read_claims
from kb.claims.read import read_text
from kb.errors import ClaimsError

TODAY = date(2026, 11, 30)
Said = Callable[..., list[str]]

WHOLE_FILES = [
    ("", "a:1:1: the file is empty; write `source:` and `claims: []`, or delete the file"),
    ("# nothing\n", "a:1:1: the file is empty; write `source:` and `claims: []`, or delete the file"),
    (
        "claims\n",
        'a:1:1: the file must be made of `key: value`, not "claims"; begin with `source:` and `claims:`',
    ),
    ("- a\n", "a:1:1: the file must be made of `key: value`, not a list; begin with `source:` and `claims:`"),
    (
        "claims:\n",
        'a:1:8: "claims" must be a list, not empty; begin each claim with `  - id: …`, or write `claims: []`',
    ),
    (
        "claims: [x]\n",
        'a:1:10: each of `claims` must be made of `key: value`, not "x"; begin each with `- id: …`',
    ),
    ("claims: []\nsources: {}\n", 'a:2:1: key "sources" is unknown; did you mean "source"?'),
    ("claims: []\n--- {}\n", None),
    (
        "claims: [\n  {id: a}\n\n",
        "a:1:9: this is no YAML: while parsing a flow sequence, did not find expected ',' or ']'; "
        "close the bracket, or separate with a comma",
    ),
    ("claims: []\n\tx: 1\n", None),
    ("claims: &a []\n", "a:1:9: an anchor (&) is not allowed here; write the value out where it is meant"),
    ("claims: !!seq []\n", "a:1:9: a tag (!) is not allowed here; leave it out: every value is a text"),
    ("claims: ! []\n", "a:1:9: a tag (!) is not allowed here; leave it out: every value is a text"),
    ("claims: []\n? [a]\n: b\n", "a:2:3: a key must be one word; write `key: value`"),
]


@pytest.mark.parametrize(("text", "expected"), WHOLE_FILES)
def test_a_file_that_is_no_claims_file_is_told(said: Said, text: str, expected: str | None) -> None:
    told = said(a=text)
    assert told, "nothing was said"
    assert expected in (None, told[0])
    assert expected is not None or (
        told[0].startswith(("a:1:", "a:2:", "a:3:")) and "this is no YAML" in told[0]
    )


def test_an_alias_is_an_error_and_never_unfolds(said: Said) -> None:
    bomb = "a: &a [x]\n" + "".join(
        f"a{i}: &a{i} [{', '.join([f'*a{i - 1}' if i else '*a'] * 9)}]\n" for i in range(9)
    )
    assert "a:1:4: an anchor (&) is not allowed here; write the value out where it is meant" in said(a=bomb)


def test_a_loop_of_aliases_ends(said: Said) -> None:
    assert any("an anchor" in line for line in said(a="claims: &a [*a]\n"))


@pytest.mark.parametrize("depth", [30, 900, 5000])
def test_deep_brackets_are_a_fault_and_no_crash(said: Said, depth: int) -> None:
    (line,) = said(a="claims: " + "[" * depth + "]" * depth)[-1:]
    assert "a:1:" in line


def test_a_file_that_is_not_utf_8_is_told_with_the_byte(said: Said) -> None:
    assert said(a="claims: []\n# é".encode("latin-1")) == [
        "a:2:3: the byte 0xe9 is not UTF-8; save the file as UTF-8"
    ]


def test_a_control_character_is_told_with_its_place(said: Said) -> None:
    (line,) = said(a="claims: []\n# \x07\n")
    assert line.startswith("a:2:3: this is no YAML: unacceptable character U+0007")


def test_a_byte_order_mark_and_windows_line_ends_are_read(said: Said, read: Callable[..., object]) -> None:
    text = (SOURCE + CLAIM).replace("\n", "\r\n")
    assert said(a=b"\xef\xbb\xbf" + text.encode()) == []


def test_all_faults_of_all_files_are_told_together_in_the_order_of_file_and_line(said: Said) -> None:
    bad = in_claim("id: x\nsubjct: S\nfigure: 400 Gbsp\nretrieved: 2027-01-01")
    told = said(b=bad, a=bad.replace("https", "htps"))
    assert [line.split(" ")[0] for line in told] == [
        *("a:4:8:", "a:7:5:", "a:8:5:", "a:9:13:", "a:10:16:"),
        *("b:7:5:", "b:8:5:", "b:9:13:", "b:10:16:"),
    ]


def test_a_faulty_file_is_left_out_and_the_others_are_read(tmp_path: Path) -> None:
    folder = tmp_path / "claims" / "sub"
    folder.mkdir(parents=True)
    (folder / "good.yaml").write_text(SOURCE + CLAIM)
    (folder / "bad.yaml").write_text(SOURCE + CLAIM + CLAIM)
    sources, problems = read_claims(tmp_path, TODAY)
    assert [s.id for s in sources] == ["good"]
    assert [str(p) for p in problems] == [
        'claims/sub/bad.yaml:8:10: the id "x" is given twice (first in line 7); give one of the two another id'
    ]
    with pytest.raises(ClaimsError) as caught:
        load_claims(tmp_path, TODAY)
    assert caught.value.problems == tuple(problems)
    assert caught.value.exit_code == 2


def test_an_unknown_unit_is_told_with_the_nearest(said: Said) -> None:
    (line,) = said(a=in_claim("id: x\nsubject: S\nfigure: 400 Gbsp"))
    assert line.startswith('a:9:13: unit "Gbsp" is unknown; did you mean "')


def test_two_files_of_one_name_are_one_id_whatever_the_folder(tmp_path: Path) -> None:
    for folder in ("claims/a", "claims/b"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "same.yaml").write_text(SOURCE + CLAIM)
    assert [str(p) for p in read_claims(tmp_path, TODAY)[1]] == [
        'claims/b/same.yaml: the id "same" is taken by claims/a/same.yaml; give one of the two files another name'
    ]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("a.yml", 'claims/a.yml: the file\'s name ends in ".yml", so it is not read; name it "a.yaml"'),
        (
            "a b.yaml",
            'claims/a b.yaml: the file\'s name "a b" is no id: letters, digits, - and _; name it "a-b.yaml"',
        ),
        (
            "a.b.yaml",
            'claims/a.b.yaml: the file\'s name "a.b" is no id: letters, digits, - and _; name it "a-b.yaml"',
        ),
    ],
)
def test_a_file_name_that_is_no_id_is_told(tmp_path: Path, name: str, expected: str) -> None:
    (tmp_path / "claims").mkdir()
    (tmp_path / "claims" / name).write_text(SOURCE + CLAIM)
    sources, problems = read_claims(tmp_path, TODAY)
    assert [str(p) for p in problems] == [expected]
    assert sources == ()


def test_other_and_hidden_files_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "claims" / ".old").mkdir(parents=True)
    for name in ("README.md", ".draft.yaml", ".old/x.yaml"):
        (tmp_path / "claims" / name).write_text("no claims: [")
    assert read_claims(tmp_path, TODAY) == ((), [])


def test_a_folder_without_claims_is_told(tmp_path: Path) -> None:
    (problem,) = read_claims(tmp_path, TODAY)[1]
    assert "there is no folder claims/ here; make one with `kb init`" in str(problem)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read every file")
def test_a_file_without_permission_is_told(tmp_path: Path) -> None:
    (tmp_path / "claims").mkdir()
    (tmp_path / "claims" / "a.yaml").write_text(SOURCE)
    (tmp_path / "claims" / "a.yaml").chmod(0)
    (problem,) = read_claims(tmp_path, TODAY)[1]
    assert problem.rule == "unreadable"


def test_everything_that_the_form_knows_is_read(tmp_path: Path) -> None:
    (tmp_path / "claims").mkdir()
    (tmp_path / "claims" / "s.yaml").write_text(
        """\
source:
  title: T
  publisher: P
  url: https://e.example/p?x=1#y
  url_status: known
  published: 2015-08
  retrieved: 2026-09-28
  role: filing
  check: {every: 12h, browser: true, archive: only, off: sold}
  tags: [one, two]
  note: N
claims:
  - id: f
    subject: S
    attribute: bandwidth
    figure: 400 Gbps
    per: GPU
    direction: each way
    quote: it has 400 Gbps per GPU
    retrieved: 2026-09-01
    where: the table
    note: n
    tags: [t]
    was: [{figure: 200 Gbps, until: 2025-11-30, why: new card}, {text: none, until: 2024-01-01}]
    accepted: {found: 800 Gbps, on: 2026-11-30, why: typo}
    status: proposed
  - {id: d, subject: S, date: 2024-03-18}
  - {id: l, subject: S, list: [a, b], complete: true}
  - {id: n, subject: S, absent: data rate, dimension: data rate}
  - {id: c, subject: S, formula: "{f} / 8", figure: 50 Gbps}
"""
    )
    (source,), problems = read_claims(tmp_path, TODAY)
    assert problems == []
    assert source.check == Check(every=43200, browser=True, archive=True, off="sold")
    assert (source.published, source.tags, source.role, source.fetched) == (
        "2015-08",
        ("one", "two"),
        "filing",
        False,
    )
    figure, day, members, absent, formula = source.claims
    assert (figure.id, figure.line, figure.file) == ("s.f", 13, "claims/s.yaml")
    assert figure.quantity is not None
    assert (figure.quantity.unit, figure.per, figure.direction) == ("gigabit/second", "GPU", "each way")
    assert (figure.retrieved, day.retrieved) == ("2026-09-01", "2026-09-28")
    assert [(w.kind, w.value, w.until) for w in figure.was] == [
        ("figure", "200 Gbps", "2025-11-30"),
        ("text", "none", "2024-01-01"),
    ]
    assert figure.accepted is not None and figure.accepted.found == "800 Gbps"
    assert (members.value, members.complete) == (("a", "b"), True)
    assert (absent.kind, absent.value, absent.dimension) == ("absent", "data rate", "data rate")
    assert (formula.kind, formula.formula, formula.value) == ("formula", "{s.f} / 8", "50 Gbps")


def test_scalars_stay_as_they_are_written(read: Callable[..., object], tmp_path: Path) -> None:
    (tmp_path / "claims").mkdir()
    (tmp_path / "claims" / "a.yaml").write_text(
        SOURCE + "  - {id: 1, subject: 007, text: yes}\n  - {id: 2, subject: 1_0, text: ~}\n"
    )
    (source,), problems = read_claims(tmp_path, TODAY)
    assert problems == []
    assert [(c.id, c.subject, c.value) for c in source.claims] == [("a.1", "007", "yes"), ("a.2", "1_0", "~")]


def test_a_file_without_source_states_our_own(tmp_path: Path) -> None:
    (tmp_path / "claims").mkdir()
    (tmp_path / "claims" / "ours.yaml").write_text(
        "claims:\n  - {id: x, subject: S, figure: 80 GB, note: an assumption}\n"
    )
    (source,), problems = read_claims(tmp_path, TODAY)
    assert problems == []
    assert (source.url, source.fetched, source.claims[0].sourced) == (None, False, False)


def test_a_source_that_is_not_fetched_needs_no_url(said: Said) -> None:
    assert said(a="source: {title: T, publisher: P, check: {off: no address is known}}\nclaims: []\n") == []


PIECES = st.sampled_from(
    [
        *(
            SOURCE,
            CLAIM,
            "claims:\n",
            "claims: ",
            "source:\n",
            "  - id: x\n",
            "    subject: S\n",
            "    figure: 4 GB\n",
        ),
        *(
            "    list: [a, ",
            "]",
            "{",
            "}",
            "&a ",
            "*a",
            "!t ",
            "? ",
            "<<: ",
            "- ",
            ": ",
            "|\n",
            ">-\n",
            "\t",
            "\n",
        ),
        *(
            "---\n",
            "...\n",
            "'",
            '"',
            "#",
            "null",
            "    was: ",
            "    accepted: ",
            "    check: ",
            "\x00",
            "é",
            "%",
        ),
        *("    formula: ", "'{x} / 2'\n", "    date: 2024-02-30\n", "    quote: x\n", "    complete: true\n"),
    ]
)


@given(st.lists(PIECES, max_size=14).map("".join) | st.text(max_size=40))
def test_no_text_makes_reading_raise_and_every_fault_has_a_place(text: str) -> None:
    draft = read_text(text, "claims/x.yaml", TODAY)
    assert draft.source is not None or draft.faulty
    for problem in draft.problems:
        assert problem.line >= 1 and problem.column >= 1 and problem.what and problem.rule
