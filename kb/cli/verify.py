"""`kb verify`: judge one claim, or a file of them, writing nothing."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kb.cli.options import allow_private_option, complete_claims, json_option, kb_option, quiet_option
from kb.cli.output import json_line, marked, outcome_word, plain, print_json, wrapped
from kb.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.progress import Progress

    from kb.claims import Claim
    from kb.judging import Evidence, Explained, Verdict

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command()
@click.argument("statement", required=False, shell_complete=complete_claims)
@click.option("--url", metavar="URL", help="Judge on the page at this address.")
@click.option("--page", metavar="FILE", type=_FILE, help="Judge on a saved page.")
@click.option("--baseline", metavar="FILE", type=_FILE, help="An earlier reading of the same page.")
@click.option("--quote", metavar="TEXT", help="The words as the source had them.")
@click.option("--cases", metavar="FILE", type=_FILE, help="Judge each case of a JSONL or CSV file.")
@click.option(
    "--out", metavar="FILE", type=click.Path(dir_okay=False, path_type=Path), help="Write the answers there."
)
@click.option(
    "--capture",
    metavar="DIGEST",
    help="Judge the claim named by its id again, on this capture; DIGEST@TIME where the bytes came again.",
)
@kb_option
@click.option("--explain", is_flag=True, help="List all candidates with their scores.")
@json_option
@quiet_option
@allow_private_option
@click.pass_context
def command(ctx: click.Context, /, **options: Any) -> None:
    """Judge one claim, or a file of them, writing nothing.

    \b
    kb verify "Azure ND H100 v5: 400 Gbps per GPU" --page saved.html
    kb verify "Azure ND H100 v5: 400 Gbps per GPU" --url https://…
    kb verify --cases cases.jsonl --out verdicts.jsonl
    kb verify --capture sha256:1f3a aws-p5.instance
    """
    from kb.app.verify import Verifier
    from kb.fetch import FetchSettings

    if options["capture"]:
        ctx.exit(_replayed(options))
    verifier = Verifier(FetchSettings(allow_private=options["allow_private"]))
    if options["cases"]:
        if options["statement"] or options["page"] or options["url"]:
            raise UsageError(
                "--cases brings its own claims and pages; leave the statement, --page and --url out"
            )
        ctx.exit(_many(verifier, options))
    ctx.exit(_one(verifier, options))


def _one(verifier: Any, options: dict[str, Any]) -> int:
    from dataclasses import replace

    from kb.claims import Claim

    if not options["statement"]:
        raise UsageError('what is to be verified? write kb verify "SUBJECT: FIGURE per BASIS" --page FILE')
    if bool(options["page"]) == bool(options["url"]):
        raise UsageError("name one page: --page FILE or --url URL")
    claim = Claim.parse(options["statement"])
    if options["quote"]:
        claim = replace(claim, quote=options["quote"])
    where = {name: options[name] for name in ("page", "url", "baseline")}
    code = _told(claim, verifier.verify(claim, **where), options)
    if options["explain"] and not options["as_json"]:
        _show_candidates(verifier.explain(claim, **where))
    return code


def _replayed(options: dict[str, Any]) -> int:
    from kb.app.base import KnowledgeBase
    from kb.app.replay import replay, replay_explained

    if not options["statement"]:
        raise UsageError("which claim? write kb verify --capture DIGEST ID")
    kb = KnowledgeBase.open(options["root"])
    asked = kb, options["capture"], options["statement"]
    code = _told(kb.claims.claim(options["statement"]), replay(*asked), options)
    if options["explain"] and not options["as_json"]:
        _show_candidates(replay_explained(*asked))
    return code


def _told(claim: Claim, verdict: Verdict, options: dict[str, Any]) -> int:
    if options["as_json"]:
        print_json(verdict.to_json())
    else:
        _show(claim, verdict)
    return verdict.outcome.exit_code


def _many(verifier: Any, options: dict[str, Any]) -> int:
    from kb.app.cases import read_cases
    from kb.app.verify import verify_cases
    from kb.reasons import NOT_KNOWN, Outcome, worst

    counts: Counter[str] = Counter()
    out = options["out"].open("w", encoding="utf-8") if options["out"] else sys.stdout
    # Answers on the terminal would run into the bar.
    shown = not options["quiet"] and sys.stderr.isatty() and (options["out"] or not sys.stdout.isatty())
    bar = _bar(options["cases"]) if shown else None
    try:
        for case, answer, outcome in verify_cases(read_cases(options["cases"]), verifier):
            print(json_line(answer), file=out)
            counts[str(outcome) if outcome else "malformed"] += 1
            if outcome is None:
                click.echo(f"{options['cases']}:{case.line}: {answer['error'].partition(': ')[2]}", err=True)
            if bar is not None:
                bar.update(bar.task_ids[0], advance=1, told=_counted(counts))
    finally:
        if bar is not None:
            bar.stop()
        if options["out"]:
            out.close()
    if not options["quiet"]:
        click.echo(f"{sum(counts.values())} cases: {_counted(counts) or 'no case'}", err=True)
    if counts["malformed"]:
        return 2
    return worst(Outcome(word).exit_code for word in counts) if counts else NOT_KNOWN


def _counted(counts: Counter[str]) -> str:
    return ", ".join(f"{n} {word}" for word, n in sorted(counts.items()))


def _bar(cases: Path) -> Progress:
    """A bar over the cases of a file, begun; it leaves the terminal as it was."""
    from rich.console import Console  # start-up time
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    with cases.open("rb") as lines:
        total = sum(1 for line in lines if line.strip()) - (cases.suffix.lower() == ".csv")
    bar = Progress(
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[told]}", markup=False),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    bar.start()
    bar.add_task("", total=total, told="")
    return bar


def _show(claim: Claim, verdict: Verdict) -> None:
    from kb.reasons import Outcome

    stated = _text(claim.value) + (f" per {claim.per}" if claim.per else "")
    found = plain(_text(verdict.found)) if verdict.found is not None else None
    line = ""
    if verdict.outcome is Outcome.DRIFTED:
        line += f": stated {stated}, the page says {found}" if found else f": stated {stated}"
    else:
        line += f": {stated}" + (f" (the page says {found})" if found and found != stated else "")
    word = str(verdict.outcome)
    if sys.stdout.isatty():  # elsewhere one line, for those who read it by program
        line = wrapped(word + line, first="").removeprefix(word)
    click.echo(outcome_word(word) + line)
    click.echo(wrapped(f"why: {verdict.reason.sentence} ({verdict.reason})" + _detail(verdict.detail)))
    if verdict.evidence:
        _show_evidence(verdict.evidence, verdict.found)
    if verdict.outcome is not Outcome.UNREAD:
        click.echo(f"  score: {verdict.score:.2f}")
    for other in verdict.others if verdict.outcome is Outcome.UNCLEAR else ():
        where = plain(other.evidence.quote) if other.evidence else ""
        click.echo(
            wrapped(f"also in the race ({other.score:.2f}): {plain(_text(other.found))} – {where[:160]}")
        )


SIGNS = 6  # what spoke for a candidate that is shown; the rest hardly counted


def _show_candidates(candidates: Sequence[Explained]) -> None:
    """Each candidate with its score, where it stands, and what spoke for and against it."""
    if not candidates:
        click.echo("  no candidates: nothing on the page could answer the claim by itself")
        return
    click.echo(f"  {len(candidates)} candidate{'s' if len(candidates) > 1 else ''}, the best first:")
    for number, c in enumerate(candidates, 1):
        quote = marked(plain(c.evidence.quote)[:160], plain(c.found))
        click.echo(wrapped(f"{number}. {plain(c.found)} ({c.answer}), score {c.score:.2f}: {quote}", "    "))
        labels = " > ".join(plain(label) for label in (*c.evidence.row, *c.evidence.column))
        if labels:
            click.echo(wrapped(f"in: {labels}", "       "))
        if c.signs:
            signs = ", ".join(f"{name} {weight:+.2f}" for name, weight in c.signs[:SIGNS])
            click.echo(wrapped(f"signs: {signs}", "       "))


def _show_evidence(evidence: Evidence, found: Any) -> None:
    mark = found if isinstance(found, str) else ""
    click.echo(wrapped("quote: " + marked(plain(evidence.quote), plain(mark))))
    if evidence.headings:
        click.echo(wrapped("under: " + " > ".join(plain(h) for h in evidence.headings)))
    if evidence.row:
        click.echo(wrapped("row: " + " > ".join(plain(h) for h in evidence.row)))
    if evidence.column:
        click.echo(wrapped("column: " + " > ".join(plain(h) for h in evidence.column)))
    if evidence.page:
        click.echo(f"  page: {evidence.page}")
    if evidence.link:
        click.echo(f"  open: {evidence.link}")


def _detail(detail: str) -> str:
    return f"; {plain(detail)}" if detail else ""


def _text(value: Any) -> str:
    return (
        ", ".join(value)
        if isinstance(value, tuple | list)
        else str(value if value is not None else "nothing")
    )
