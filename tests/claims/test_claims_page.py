"""docs/claims.md: its examples are claims files without a fault or a doubt, and it leaves no key out."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

import pytest

from kb.claims import DIRECTIONS, KINDS, ROLES, read_claims
from kb.claims.formula import FUNCTIONS
from kb.claims.shape import SHAPES

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "claims.md").read_text("utf-8")
EXAMPLES = re.findall(r"```yaml\n(.*?)```", PAGE, re.S)


@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_an_example_is_a_claims_file_without_fault_or_doubt(tmp_path: Path, number: int) -> None:
    (tmp_path / "claims").mkdir()
    (tmp_path / "claims" / "example.yaml").write_text(EXAMPLES[number], "utf-8")
    sources, problems = read_claims(tmp_path, date(2026, 11, 30))
    assert [str(p) for p in problems] == []
    assert sources[0].claims


def test_the_examples_show_every_kind(tmp_path: Path) -> None:
    (tmp_path / "claims").mkdir()
    for i, text in enumerate(EXAMPLES):
        (tmp_path / "claims" / f"e{i}.yaml").write_text(text, "utf-8")
    sources, _ = read_claims(tmp_path, date(2026, 11, 30))
    assert {c.kind for s in sources for c in s.claims} == set(KINDS)


def test_every_key_and_word_is_named() -> None:
    words = [k for shape in SHAPES.values() for k in shape.__annotations__]
    for word in [*words, *DIRECTIONS, *ROLES, *FUNCTIONS]:
        assert re.search(rf"\b{re.escape(word)}\b", PAGE), f"{word} is not described"


def test_the_example_to_copy_has_no_fault_and_no_doubt() -> None:
    sources, problems = read_claims(ROOT / "examples" / "ipv6", date(2026, 11, 30))
    assert [str(p) for p in problems] == []
    assert {c.kind for s in sources for c in s.claims} == set(KINDS)


def test_the_messages_shown_are_those_that_lint_gives(tmp_path: Path) -> None:
    (tmp_path / "claims").mkdir()
    (tmp_path / "claims" / "aws-p5.yaml").write_text(
        "claims: [{id: instance, subject: S, figure: '3,200 Gbps', note: n}]\n"
    )
    (tmp_path / "claims" / "sums.yaml").write_text(
        'claims:\n  - {id: a, subject: S, formula: "{aws-p5.instance} / 8", figure: 40.0 Gbps}\n'
        '  - {id: b, subject: S, formula: "{aws-p5.instanse} / 8", figure: 40.0 Gbps}\n'
        "  - {id: c, subject: S, figure: 400 Gbsp, note: n}\n"
    )
    problems = read_claims(tmp_path, date(2026, 11, 30))[1]
    assert len(problems) == 3
    for problem in problems:
        assert f"{problem.what}; {problem.remedy}" in PAGE
