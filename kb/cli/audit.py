"""`kb audit`: each figure in an article against the claims."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kb.cli.options import db_option, json_option, kb_option, strict_option
from kb.cli.output import colour_wanted, json_line, paint, plain, print_json
from kb.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kb.app.audit import Mention
    from kb.app.audit_lines import Place
    from kb.app.base import KnowledgeBase
    from kb.page import Page
    from kb.store import ClaimNow

COLOURS = {"holds": "green", "drifted": "red", "other": "yellow", "derived": "blue", "source": "cyan"}
SIGNS = {"holds": "+", "drifted": "!", "other": "?", "derived": "=", "source": "@", "none": "-"}


@click.command()
@click.argument("article", metavar="ARTICLE", type=click.Path(dir_okay=False, path_type=Path))
@kb_option
@db_option
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "sarif", "github"]),
    default=None,
    help="For a terminal, for programs, for code scanning, for a workflow's log. [default: text]",
)
@json_option
@click.option(
    "--html",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    default=None,
    help="Write a copy of the article with marks and a list beside it.",
)
@click.option("--fix", is_flag=True, help="Print the edit that brings the article up to date, as a diff.")
@strict_option
@click.pass_context
def command(
    ctx: click.Context,
    article: Path,
    root: Path,
    db: Path | None,
    form: str | None,
    as_json: bool,
    html: Path | None,
    fix: bool,
    strict: bool,
) -> None:
    """Compare each figure, date and named list in an article with the claims.

    The article may be Markdown, HTML, text or PDF. Each place is marked: a claim
    backs it (+), backs it but drifted (!), says something else (?), it follows
    from claims (=), it is a source's date (@), or no claim states it (-).
    Verdicts come from kb.db, where there is one.

    Exit codes: 0 the article states nothing that is known not to hold; 1 it states
    what no longer holds; 2 the article cannot be opened; 3 a claim says something
    else, or is in doubt (with --strict: 1).
    """
    from kb.app import audit_report
    from kb.app.audit import audit_page
    from kb.app.audit_lines import edit_as_diff, fixed, places
    from kb.app.audit_read import read_article
    from kb.app.base import KnowledgeBase

    if as_json and form not in (None, "json"):
        raise click.UsageError(f"--json and --format {form} ask for two things; give one")
    if fix and (as_json or form):
        raise click.UsageError("--fix prints a diff; leave --json and --format away")
    form = "json" if as_json else form or "text"
    page, source = read_article(article)
    kb = KnowledgeBase.open(root, db)
    mentions = audit_page(page, kb.claims, _verdicts(kb, db is not None))
    where = places(source, mentions)
    name = article.as_posix()
    if html:
        html.write_text(audit_report.as_html(article.name, page, mentions) + "\n", encoding="utf-8")
    if fix:
        if not source:
            raise UsageError(f"{article}: only Markdown, HTML and text can be edited; audit it without --fix")
        click.echo(edit_as_diff(name, source, fixed(source, mentions, where)), nl=False)
    elif form == "json":
        print_json(audit_report.as_json(name, mentions, where))
    elif form == "sarif":
        click.echo(json_line(audit_report.as_sarif(name, mentions, where)))
    elif form == "github":
        lines = audit_report.as_github(name, mentions, where)
        if lines:
            click.echo(lines)
    else:
        _show(page, mentions, where)
    code = 1 if any(m.gone for m in mentions) else 3 if any(m.doubtful for m in mentions) else 0
    ctx.exit(1 if code == 3 and strict else code)


def _verdicts(kb: KnowledgeBase, named: bool) -> dict[str, ClaimNow]:
    from kb.store import open_rows

    if not named and not kb.database.exists():
        click.echo("kb: there is no kb.db, so no verdicts; kb build or kb check makes it", err=True)
        return {}
    with open_rows(kb.database) as rows:
        return {c.id: c for c in rows.claims()}


def _show(page: Page, mentions: Sequence[Mention], where: Sequence[Place | None]) -> None:
    from kb.app.audit_report import SAYS, counts

    lines = {id(m): p.line for m, p in zip(mentions, where, strict=True) if p}
    for _, group in groupby(mentions, key=lambda m: id(m.block)):
        found = list(group)
        block = found[0].block
        line = next((lines[id(m)] for m in found if id(m) in lines), None)
        place = f"line {line}" if line else f"page {block.page}" if block.page else "somewhere"
        click.echo(paint(place, bold=True))
        click.echo(f"  {_marked(block.text, found)}")
        for mention in found:
            click.echo(f"    {_line(mention)}")
    seen = counts(mentions)
    parts = [f"{SIGNS[s]} {n} {SAYS[_status(s)]}" for s, n in seen.items() if n]
    click.echo(f"{len(mentions)} places: " + ("; ".join(parts) or "nothing to match"))


def _status(name: str) -> Any:
    from kb.app.audit import Status

    return Status(name)


def _marked(text: str, mentions: list[Mention]) -> str:
    out, at = [], 0
    for m in sorted(mentions, key=lambda m: (m.start, -m.end)):
        if m.start < at:
            continue
        out.append(plain(text[at : m.start]))
        words = plain(m.text)
        if colour_wanted():
            out.append(click.style(words, fg=COLOURS.get(m.status), underline=True))
        else:
            out.append(f"[{SIGNS[m.status]}{words}]")
        at = m.end
    return "".join(out) + plain(text[at:])


def _line(mention: Mention) -> str:
    head = f"{SIGNS[mention.status]} {plain(mention.text)}"
    if not mention.claims:
        return head
    text = f"{head}  {mention.claims[0]}"
    if len(mention.claims) > 1:
        text += f" (also {', '.join(mention.claims[1:])})"
    if mention.formula:
        text += f"  = {mention.formula}"
    if mention.verdict and mention.verdict != "holds":
        text += f"  {mention.verdict}"
    if mention.status in ("other", "drifted"):
        text += f"; the claim: {mention.stated}"
        text += f"; its page: {plain(mention.found)}" if mention.found else ""
    return text
