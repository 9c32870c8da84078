"""Claims out as a spreadsheet's table, and in again: the same claims."""

from __future__ import annotations

import csv
import io
import tempfile
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from claim_strategies import TODAY, sources
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from kb.app.base import KnowledgeBase
from kb.app.from_table import read_table
from kb.app.incoming import changes, write_changes
from kb.app.settings import Settings
from kb.claims import Accepted, Check, Claim, ClaimSet, Source, Was, load_claims, read_claims, write_source
from kb.errors import ClaimsError, UsageError
from kb.export.table import COLUMNS, as_csv, guarded, joined, parted, unguarded


def empty_base(folder: Path) -> KnowledgeBase:
    (folder / "claims").mkdir(parents=True)
    return KnowledgeBase(folder, Settings(), folder / "kb.db", TODAY)


def brought_in(text: str) -> ClaimSet:
    """The claims of an empty base after it took in a table."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        kb = empty_base(folder / "base")
        (folder / "claims.csv").write_bytes(text.encode("utf-8"))
        write_changes(kb, changes(kb, read_table(folder / "claims.csv")))
        return load_claims(kb.root, TODAY)


def same(claim: Claim) -> Claim:
    return replace(claim, line=0)


def trimmed(value: Any) -> Any:
    """The same without white space around any text: a table's reader takes it away, as people leave it behind."""
    if isinstance(value, str):
        return value.strip() or "x"
    if isinstance(value, tuple):
        return tuple(trimmed(v) for v in value)
    if isinstance(value, Claim | Source | Was | Accepted | Check):
        texts = {f.name: getattr(value, f.name) for f in fields(value)}
        return replace(value, **{n: trimmed(v) for n, v in texts.items() if v})
    return value


@given(sources().map(trimmed))
@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_every_claim_comes_back_as_it_was(source: Source) -> None:
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        (root / "claims").mkdir()
        (root / "claims" / "s.yaml").write_bytes(write_source(source).encode("utf-8"))
        read, problems = read_claims(root, TODAY)
    assume(not any(p.level == "error" for p in problems))
    before = ClaimSet(read)
    assume(before.claims)
    after = brought_in(as_csv(before, list(before.claims), {}))
    assert [same(c) for c in after.claims] == [same(c) for c in before.claims]
    first, second = before.sources[0], after.sources[0]
    assert replace(first, claims=()) == replace(second, claims=())


cells = st.text(st.characters(exclude_categories=["Cs"]), max_size=12) | st.sampled_from(
    ["=1+1", "'=1+1", "''=1", "-5 °C", "+x", "@x", "\t=x", "'", "''", "'s-Gravenhage", "a|b", "[a]", '["a"]']
)


@given(cells)
@settings(deadline=None)
def test_a_guarded_cell_is_no_formula_and_comes_back(text: str) -> None:
    assert not guarded(text).startswith(("=", "+", "-", "@", "\t", "\r"))
    assert unguarded(guarded(text)) == text


@given(st.lists(cells.filter(str.strip), min_size=1, max_size=4).map(tuple))
@settings(deadline=None)
def test_members_come_back_whatever_they_have_in_them(members: tuple[str, ...]) -> None:
    assert parted(joined(members)) == members


ROWS = [
    ["Subject", "Attribute", "Figure", "Per", "URL", "Quote", "mine"],
    [
        "Atlas A100",
        "network bandwidth",
        "3,200 Gbps",
        "node",
        "https://atlas.example/sizes",
        'two\nlines; "so"',
        "x",
    ],
    ["Atlas A100", "memory", "640 GB", "", "https://atlas.example/sizes", "", ""],
    ["Boreas", "", "5 nodes", "", "https://boreas.example/", "", ""],
    [],
]


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize(
    ("encoding", "before"), [("utf-8", ""), ("utf-8-sig", ""), ("utf-16", ""), ("utf-8", "sep={}\r\n")]
)
def test_a_persons_table_is_read_whatever_wrote_it(
    separator: str, encoding: str, before: str, tmp_path: Path
) -> None:
    out = io.StringIO()
    csv.writer(out, delimiter=separator).writerows(ROWS)
    table = tmp_path / "table.csv"
    table.write_bytes((before.format(separator) + out.getvalue()).encode(encoding))
    kb = empty_base(tmp_path / "base")
    write_changes(kb, changes(kb, read_table(table)))
    read = load_claims(kb.root, TODAY)
    assert [(c.id, c.value, c.per) for c in read.claims] == [
        ("atlas.atlas-a100-network-bandwidth", "3,200 Gbps", "node"),
        ("atlas.atlas-a100-memory", "640 GB", None),
        ("boreas.boreas", "5 nodes", None),
    ]
    assert read.claims[0].quote == 'two\nlines; "so"'


def table_of(folder: Path, *rows: dict[str, str]) -> Path:
    path = folder / "table.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows(rows)
    return path


LINK = {"id": "atlas.link", "url": "https://atlas.example/", "subject": "Atlas", "figure": "400 Gbps"}


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ({"figure": "400 Gbsp"}, 'table.csv:3: unit "Gbsp" is unknown; did you mean "Gbps"?'),
        ({"subject": ""}, 'table.csv:3: the case has no "subject"; say what the claim is about'),
        ({"date": "2024-03-18"}, "table.csv:3: a case states one of"),
        ({"role": "bank"}, 'table.csv:3: "role" cannot be "bank"; it is one of primary'),
        ({"status": "done"}, 'table.csv:3: "status" cannot be "done"; write proposed'),
        ({"was": "400"}, 'table.csv:3: "was" cannot be read; write it as [{figure'),
        ({"check": "{every: soon}"}, 'table.csv:3: the interval "soon" cannot be read'),
        ({"url": "atlas"}, 'table.csv:3: the url "atlas" is not http or https'),
        ({"source_retrieved": "2099-01-01"}, 'table.csv:3: "retrieved" is 2099-01-01, in the future'),
        ({"id": "first.link"}, 'table.csv:3: the id "first.link" is given twice'),
        ({"id": "atlas.a b"}, "table.csv:3: the id "),
        ({"formula": "{first.none} / 2"}, 'table.csv:3: the formula names "first.none"'),
    ],
)
def test_faults_are_told_at_the_row_and_nothing_is_written(
    row: dict[str, str], says: str, tmp_path: Path
) -> None:
    first = {**LINK, "id": "first.link", "url": "https://first.example/"}
    kb = empty_base(tmp_path / "base")
    with pytest.raises(ClaimsError) as told:
        write_changes(kb, changes(kb, read_table(table_of(tmp_path, first, {**LINK, **row}))))
    assert says in str(told.value)
    assert not list((kb.root / "claims").iterdir())


def test_what_the_base_has_is_never_overwritten(tmp_path: Path) -> None:
    kb = empty_base(tmp_path / "base")
    write_changes(kb, changes(kb, read_table(table_of(tmp_path, LINK))))
    before = (kb.root / "claims" / "atlas.yaml").read_bytes()
    other = {**LINK, "figure": "800 Gbps"}
    more = {**LINK, "id": "atlas.memory", "figure": "640 GB"}
    kb = KnowledgeBase(kb.root, kb.settings, kb.database, TODAY)
    (change,) = changes(kb, read_table(table_of(tmp_path, other, more)))
    assert (change.left, [c.id for c in change.claims]) == (("atlas.link",), ["atlas.memory"])
    write_changes(kb, [change])
    assert (kb.root / "claims" / "atlas.yaml").read_bytes().startswith(before)
    kb = KnowledgeBase(kb.root, kb.settings, kb.database, TODAY)
    (again,) = changes(kb, read_table(table_of(tmp_path, LINK, more)))
    assert (again.empty, again.same) == (True, ("atlas.link", "atlas.memory"))


def test_an_id_that_is_another_sources_is_refused(tmp_path: Path) -> None:
    kb = empty_base(tmp_path / "base")
    write_changes(kb, changes(kb, read_table(table_of(tmp_path, LINK))))
    kb = KnowledgeBase(kb.root, kb.settings, kb.database, TODAY)
    with pytest.raises(UsageError, match=r'table.csv:2: the id "atlas" is another source'):
        changes(kb, read_table(table_of(tmp_path, {**LINK, "url": "https://other.example/"})))


def test_a_table_in_another_encoding_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_bytes("subject;figure\nCafé;5 nodes\n".encode("latin-1"))
    with pytest.raises(UsageError, match=r"is not UTF-8; save it as CSV UTF-8"):
        read_table(tmp_path / "t.csv")
