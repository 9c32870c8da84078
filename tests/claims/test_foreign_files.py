"""Whatever a file of others holds, it is taken in, or refused with words: nothing else is raised."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from claim_strategies import TODAY
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from test_table_round_trip import empty_base

from kb.app.from_file import read_file
from kb.app.incoming import changes, write_changes
from kb.claims import read_claims
from kb.errors import KbError

often = settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])

KEYS = st.sampled_from(
    [
        *(
            "id",
            "type",
            "title",
            "URL",
            "issued",
            "accessed",
            "author",
            "keyword",
            "custom",
            "kb",
            "check",
            "note",
        ),
        *(
            "date-parts",
            "raw",
            "literal",
            "family",
            "items",
            "@context",
            "target",
            "body",
            "source",
            "selector",
        ),
        *(
            "exact",
            "value",
            "claim",
            "subject",
            "figure",
            "url",
            "first",
            "bodyValue",
            "DOI",
            "publisher",
            "created",
        ),
    ]
)
LEAVES = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=8)
    | st.sampled_from(
        [
            "Annotation",
            "AnnotationPage",
            "webpage",
            "https://a.example/x",
            "A: 4 GB",
            "2024-03",
            "4 GB",
            "{every: 7d}",
            "[",
        ]
    )
)
JSON = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=5),
    max_leaves=20,
)
BIB = st.lists(
    st.sampled_from(
        [
            *(
                "@misc{a,",
                "@article{b,",
                "title = {x}",
                "title = {{y\\\\&z}}",
                ",",
                "}",
                "{",
                '"',
                "author = {A and B, C}",
            ),
            *(
                "author = {A, B, C, D, E}",
                "year = 2024",
                "month = mar",
                "@string{m = {x}}",
                "m # {y}",
                "url = {https://a.example}",
            ),
            *(
                "@comment{",
                "\\n",
                "%",
                "\\\\",
                "$",
                "urldate = {2026-09-28}",
                "doi = {10.1/2}",
                "kb-check = {[}",
                "#",
            ),
        ]
    )
    | st.text(max_size=5),
    max_size=20,
).map("".join)
CELLS = st.sampled_from(
    [
        "subject",
        "figure",
        "url",
        "id",
        "list",
        "was",
        "check",
        "A",
        "4 GB",
        "https://a.example/x",
        "a.b",
        "[{",
        "|",
        '"',
        "",
    ]
) | st.text(max_size=6)
TABLE = st.lists(st.lists(CELLS, max_size=6).map(",".join), max_size=5).map("\n".join)


def taken_in(folder: Path, name: str, body: bytes) -> None:
    """Take a file in; what is written must pass lint."""
    kb = empty_base(folder / "base")
    (folder / name).write_bytes(body)
    try:
        write_changes(kb, changes(kb, read_file(kb, folder / name)))
    except KbError as error:
        assert error.exit_code in (2, 3)
        assert not list((kb.root / "claims").iterdir())
    _, problems = read_claims(kb.root, TODAY)
    assert [str(p) for p in problems if p.level == "error"] == []


@given(JSON)
@often
def test_any_json(tmp_path_factory: pytest.TempPathFactory, data: object) -> None:
    taken_in(tmp_path_factory.mktemp("x"), "x.json", json.dumps(data).encode())


@given(BIB)
@often
def test_any_bibtex(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    taken_in(tmp_path_factory.mktemp("x"), "x.bib", text.encode("utf-8", "replace"))


@given(TABLE.map(lambda t: t.encode("utf-8", "replace")) | st.binary(max_size=60))
@often
def test_any_table(tmp_path_factory: pytest.TempPathFactory, body: bytes) -> None:
    taken_in(tmp_path_factory.mktemp("x"), "x.csv", body)
