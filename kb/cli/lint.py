"""`kb lint`: check the claims files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kb.cli.options import complete_claims, json_option, kb_option, quiet_option
from kb.cli.output import paint, print_json

if TYPE_CHECKING:
    from kb.claims import Source
    from kb.errors import Problem


@click.command()
@kb_option
@json_option
@click.option("--strict", is_flag=True, help="Let a warning give exit code 1.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "github"]),
    default="text",
    help="How problems are printed: for people, or as annotations of a CI workflow.",
)
@click.option("--schema", is_flag=True, help="Print the JSON Schema of a claims file, for editors.")
@click.option(
    "--explain",
    metavar="ID",
    help="Show how a formula's figure is calculated.",
    shell_complete=complete_claims,
)
@quiet_option
@click.pass_context
def command(
    ctx: click.Context,
    root: Path,
    as_json: bool,
    strict: bool,
    form: str,
    schema: bool,
    explain: str | None,
    quiet: bool,
) -> None:
    """Check the claims files: all faults of all files together, each with what would be right.

    Errors give exit code 2, warnings none (with --strict, 1).
    """
    from kb.app.base import today_somewhere
    from kb.claims import read_claims

    if schema:
        from kb.claims import schema as make_schema

        print_json(make_schema())
        return
    today = today_somewhere()
    if explain:
        _explain(explain, root, today, as_json)
        return
    sources, problems = read_claims(root, today)
    counts = count(sources, problems)
    if as_json:
        print_json({"problems": [_as_dict(p) for p in problems], "counts": counts})
    else:
        for problem in problems:
            click.echo(annotation(problem, root) if form == "github" else _line(problem))
        if not quiet and form == "text":
            click.echo(_summary(counts))
    ctx.exit(2 if counts["errors"] else 1 if strict and counts["warnings"] else 0)


def count(sources: Sequence[Source], problems: Sequence[Problem]) -> dict[str, Any]:
    """How much there is of everything, in the files without an error."""
    kinds = Counter(c.kind for s in sources for c in s.claims)
    return {
        "claims": sum(kinds.values()),
        "sources": sum(1 for s in sources if s.url is not None or s.title),
        "files": len(sources),
        "left_out": len({p.file for p in problems if p.level == "error"}),
        "kinds": {k: kinds[k] for k in ("figure", "date", "text", "list", "absent", "formula") if kinds[k]},
        "formulas": kinds["formula"],
        "errors": sum(1 for p in problems if p.level == "error"),
        "warnings": sum(1 for p in problems if p.level == "warning"),
    }


def annotation(problem: Problem, root: Path = Path()) -> str:
    """A problem as a workflow command that marks its line (`::error file=…,line=…::…`).

    The file is named from the workflow's folder, `root` being the knowledge base below it.
    """
    where = f"file={_property((root / problem.file).as_posix())}"
    if problem.line:
        where += f",line={problem.line}"
    if problem.column:
        where += f",col={problem.column}"
    title = f",title={_property(problem.rule)}" if problem.rule else ""
    message = problem.what + (f"; {problem.remedy}" if problem.remedy else "")
    return f"::{problem.level} {where}{title}::{_data(message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _line(problem: Problem) -> str:
    if problem.level == "error":
        return str(problem)
    place, _, message = str(problem).partition(": ")
    return f"{place}: {paint('warning', fg='yellow')}: {message}"


def _as_dict(problem: Problem) -> dict[str, Any]:
    return {
        "file": problem.file,
        "line": problem.line or None,
        "column": problem.column or None,
        "level": problem.level,
        "rule": problem.rule,
        "what": problem.what,
        "remedy": problem.remedy or None,
    }


def _summary(counts: dict[str, Any]) -> str:
    kinds = ", ".join(f"{n} {k}" for k, n in counts["kinds"].items())
    left_out = f", {_many(counts['left_out'], 'faulty file')} left out" if counts["left_out"] else ""
    return (
        f"{_many(counts['claims'], 'claim')} ({kinds or 'none'}) from {_many(counts['sources'], 'source')} "
        f"in {_many(counts['files'], 'file')}{left_out}; {_many(counts['formulas'], 'formula')} recomputed; "
        f"{_many(counts['errors'], 'error')}, {_many(counts['warnings'], 'warning')}"
    )


def _many(n: int, word: str) -> str:
    return f"{n:,} {word}{'' if n == 1 else 's'}"


def _explain(id: str, root: Path, today: date, as_json: bool) -> None:
    from kb.claims import ClaimSet, explain, read_drafts

    # A faulty file too, as a wrong sum is what one wants explained.
    claims = ClaimSet(d.source for d in read_drafts(root, today)[0] if d.source)
    told = explain(claims.claim(id), claims)
    if as_json:
        print_json(told.to_json())
    else:
        for line in told.lines():
            click.echo(line)
