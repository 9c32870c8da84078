"""`kb lint`: what it prints, and the exit code (design, section 10)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kb.claims import schema
from kb.cli.lint import annotation
from kb.cli.main import run
from kb.errors import Problem

GOOD = """\
source:
  title: T
  publisher: P
  url: https://e.example/p
claims:
  - {id: total, subject: S, attribute: a, figure: '3,200 Gbps'}
  - {id: each, subject: S, attribute: b, formula: "{total} / 8", figure: 400.0 Gbps}
"""
DOUBTFUL = GOOD.replace("e.example/p", "e.example")
WRONG = GOOD.replace("400.0", "40.0")


@pytest.fixture
def lint(tmp_path: Path, capsys: pytest.CaptureFixture[str]):  # type: ignore[no-untyped-def]
    """Writes one file, runs `kb lint`, and returns exit code and output."""

    def linting(text: str, *options: str) -> tuple[int, str]:
        (tmp_path / "claims").mkdir(exist_ok=True)
        (tmp_path / "claims" / "a.yaml").write_text(text)
        code = run(["lint", "--kb", str(tmp_path), *options])
        return code, capsys.readouterr().out

    return linting


def test_faultless_files_give_counts_and_zero(lint) -> None:  # type: ignore[no-untyped-def]
    assert lint(GOOD) == (
        0,
        "2 claims (1 figure, 1 formula) from 1 source in 1 file; 1 formula recomputed; 0 errors, 0 warnings\n",
    )


def test_an_error_gives_two_and_is_told_as_file_line_and_column(lint) -> None:  # type: ignore[no-untyped-def]
    code, out = lint(WRONG)
    assert code == 2
    assert out.splitlines() == [
        "claims/a.yaml:7:51: 3,200 Gbps / 8 is 400 Gbps, the file says 40.0 Gbps; "
        'write "400.0 Gbps", or put the formula right',
        "0 claims (none) from 0 sources in 0 files, 1 faulty file left out; 0 formulas recomputed; "
        "1 error, 0 warnings",
    ]


def test_a_warning_gives_zero_and_with_strict_one(lint) -> None:  # type: ignore[no-untyped-def]
    code, out = lint(DOUBTFUL)
    assert (code, out.splitlines()[0]) == (
        0,
        "claims/a.yaml:4:8: warning: the url is a bare domain; name the page that states the claims",
    )
    assert lint(DOUBTFUL, "--strict")[0] == 1
    assert lint(GOOD, "--strict")[0] == 0
    assert lint(WRONG, "--strict")[0] == 2


def test_json_has_problems_and_counts(lint) -> None:  # type: ignore[no-untyped-def]
    code, out = lint(DOUBTFUL, "--json")
    assert code == 0
    assert json.loads(out) == {
        "problems": [
            {
                "file": "claims/a.yaml",
                "line": 4,
                "column": 8,
                "level": "warning",
                "rule": "bare-domain",
                "what": "the url is a bare domain",
                "remedy": "name the page that states the claims",
            }
        ],
        "counts": {
            "claims": 2,
            "sources": 1,
            "files": 1,
            "left_out": 0,
            "kinds": {"figure": 1, "formula": 1},
            "formulas": 1,
            "errors": 0,
            "warnings": 1,
        },
    }


def test_annotations_mark_the_line_in_a_workflow(lint, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    assert lint(DOUBTFUL, "--format", "github") == (
        0,
        f"::warning file={tmp_path}/claims/a.yaml,line=4,col=8,title=bare-domain::"
        "the url is a bare domain; name the page that states the claims\n",
    )
    code, out = lint("claims: [{id: a, subject: S, figure: 4%0, note: n}]\n", "--format", "github")
    assert (code, out.count("\n")) == (2, 1)
    assert "%25" in out and "::error file=" in out


def test_an_annotation_names_the_file_from_the_folder_of_the_workflow() -> None:
    problem = Problem("claims/a.yaml", 4, 8, "what: it is, 100%", "remedy", rule="r")
    assert annotation(problem, Path("data")) == (
        "::error file=data/claims/a.yaml,line=4,col=8,title=r::what: it is, 100%25; remedy"
    )
    assert annotation(Problem("a:b.yaml", 0, 0, "w")) == "::error file=a%3Ab.yaml::w"


def test_quiet_prints_problems_only(lint) -> None:  # type: ignore[no-untyped-def]
    assert lint(GOOD, "--quiet") == (0, "")


def test_the_schema_is_printed_without_reading_anything(lint) -> None:  # type: ignore[no-untyped-def]
    code, out = lint(WRONG, "--schema")
    assert (code, json.loads(out)) == (0, schema())


def test_a_formula_is_explained_even_where_its_sum_is_wrong(lint) -> None:  # type: ignore[no-untyped-def]
    code, out = lint(WRONG, "--explain", "a.each")
    assert code == 0
    assert "  = 3,200 Gbps / 8\n  = 400 Gbps (the file says 40.0 Gbps)\n" in out
    told = json.loads(lint(WRONG, "--explain", "a.each", "--json")[1])
    assert (told["worked"], told["result"], told["right"]) == ("3,200 Gbps / 8", "400 Gbps", False)
    assert [i["id"] for i in told["inputs"]] == ["a.total"]


def test_an_unknown_id_is_a_wrong_usage(lint, capsys) -> None:  # type: ignore[no-untyped-def]
    assert lint(GOOD, "--explain", "a.eech")[0] == 2


def test_a_folder_without_claims_is_a_wrong_usage(tmp_path: Path) -> None:
    assert run(["lint", "--kb", str(tmp_path)]) == 2
