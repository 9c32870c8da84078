"""`kb audit`: each figure in an article against the claims."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kb.cli.options import db_option, json_option, kb_option, strict_option
from kb.cli.output import json_line, paint, print_json
from kb.errors import UnreadableError, UsageError
from kb.reasons import CHANGED, FINE, NOT_KNOWN, worst

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kb.app.audit import Mention
    from kb.app.audit_evidence import Behind
    from kb.app.audit_lines import Place
    from kb.app.base import KnowledgeBase
    from kb.page import Page
    from kb.store import ClaimNow


@dataclass(frozen=True, slots=True)
class _Audited:
    """One article with what was found in it; `source` is the file's text, empty for a PDF."""

    name: str
    page: Page
    source: str
    mentions: list[Mention]
    where: list[Place | None]
    behind: dict[str, Behind]

    @property
    def code(self) -> int:
        """The exit code for this article alone."""
        if any(m.gone for m in self.mentions):
            return CHANGED
        return NOT_KNOWN if any(m.doubtful for m in self.mentions) else FINE


@click.command()
@click.argument(
    "articles",
    metavar="ARTICLE...",
    nargs=-1,
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
)
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
@click.option("--lenient", is_flag=True, help="Let 3 be 0: only what no longer holds fails.")
@click.pass_context
def command(
    ctx: click.Context,
    articles: tuple[Path, ...],
    root: Path,
    db: Path | None,
    form: str | None,
    as_json: bool,
    html: Path | None,
    fix: bool,
    strict: bool,
    lenient: bool,
) -> None:
    """Compare each figure, date and named list in an article with the claims.

    The article may be Markdown, HTML, text, PDF or Word (.docx, with the extra
    office). Each place is marked: a claim backs it (+), backs it but drifted (!),
    says something else (?), it follows from claims (=), it is a source's date (@),
    or no claim states it (-). Verdicts come from kb.db, where there is one. Of
    several articles, JSON is a list.

    Exit codes: 0 the article states nothing that is known not to hold; 1 it states
    what no longer holds; 2 the article cannot be opened; 3 a claim says something
    else, or is in doubt, or the article cannot be read (with --strict: 1).
    """
    from kb.app.base import KnowledgeBase

    if as_json and form not in (None, "json"):
        raise click.UsageError(f"--json and --format {form} ask for two things; give one")
    if fix and (as_json or form):
        raise click.UsageError("--fix prints a diff; leave --json and --format away")
    if strict and lenient:
        raise click.UsageError("--strict and --lenient contradict each other; give one")
    if html and len(articles) > 1:
        raise click.UsageError("--html writes one copy; name one article with it")
    kb = KnowledgeBase.open(root, db)
    audited, codes = _audit(kb, articles, _verdicts(kb, db is not None))
    if html:
        _write_html(html, audited)
    if fix:
        _print_fixes(audited)
    else:
        _print(audited, "json" if as_json else form or "text", many=len(articles) > 1)
    code = worst(codes)
    if code == NOT_KNOWN and (strict or lenient):
        code = CHANGED if strict else FINE
    ctx.exit(code)


def _audit(
    kb: KnowledgeBase, articles: Sequence[Path], verdicts: dict[str, ClaimNow]
) -> tuple[list[_Audited], list[int]]:
    """Each article with what was found, and the exit code of each; one that cannot be read is told."""
    from kb.app.audit import audit_page
    from kb.app.audit_evidence import behind
    from kb.app.audit_lines import places
    from kb.app.audit_read import read_article

    audited, codes = [], []
    for article in articles:
        try:
            page, source = read_article(article)
        except UnreadableError as error:
            click.echo(f"kb: {error}", err=True)
            codes.append(error.exit_code)
            continue
        mentions = audit_page(page, kb.claims, verdicts)
        evidence = behind(mentions, kb.claims, verdicts)
        where = places(source, mentions)
        one = _Audited(_named(article), page, source, mentions, where, evidence)
        audited.append(one)
        codes.append(one.code)
        _tell_proposed(one, {c.id for c in kb.claims.claims if c.status == "proposed"})
    return audited, codes


def _tell_proposed(one: _Audited, proposed: set[str | None]) -> None:
    """That a claim backs a place says little where no person has reviewed the claim."""
    count = sum(1 for m in one.mentions if m.claims and m.claims[0] in proposed)
    if count:
        places = "1 place is" if count == 1 else f"{count} places are"
        text = f"kb: {one.name}: {places} matched to claims that are only proposed; review them"
        click.echo(text, err=True)


def _named(article: Path) -> str:
    """The article's name for other tools: below this folder where it is in it."""
    whole = article.resolve()
    here = Path.cwd().resolve()
    return (whole.relative_to(here) if whole.is_relative_to(here) else article).as_posix()


def _write_html(file: Path, audited: Sequence[_Audited]) -> None:
    from kb.app.audit_html import as_html

    for one in audited:
        title = one.name.rpartition("/")[2]
        copy = as_html(title, one.page, one.mentions, one.behind)
        try:
            file.write_text(copy + "\n", encoding="utf-8")
        except OSError as error:
            raise UsageError(
                f"{file}: cannot be written: {error.strerror}; name a file in a folder that is there"
            ) from error


def _print_fixes(audited: Sequence[_Audited]) -> None:
    from kb.app.audit_lines import edit_as_diff, fixed, unmended
    from kb.app.audit_report import sentence_for

    for one in audited:
        if not one.source:
            raise UsageError(
                f"{one.name}: only Markdown, HTML and text can be edited; audit it without --fix"
            )
        edit = edit_as_diff(one.name.lstrip("/"), one.source, fixed(one.source, one.mentions, one.where))
        # as bytes, so that line ends and characters stay those of the file
        click.echo(edit.encode(one.page.encoding or "utf-8", errors="replace"), nl=False)
        left = unmended(one.mentions, one.where)
        for mention in left:
            click.echo(
                f"kb: {one.name}: no edit is known for {sentence_for(mention)}; mend it by hand", err=True
            )


def _print(audited: Sequence[_Audited], form: str, *, many: bool) -> None:
    from kb.app import audit_report
    from kb.cli.audit_text import show

    if form == "json":
        facts = [audit_report.as_json(one.name, one.mentions, one.where, one.behind) for one in audited]
        if many or facts:
            print_json(facts if many else facts[0])
    elif form == "sarif":
        logs = [audit_report.as_sarif(one.name, one.mentions, one.where, one.behind) for one in audited]
        for log in logs[1:]:
            logs[0]["runs"][0]["results"] += log["runs"][0]["results"]
        if logs:
            click.echo(json_line(logs[0]))
    elif form == "github":
        for one in audited:
            lines = audit_report.as_github(one.name, one.mentions, one.where, one.behind)
            if lines:
                click.echo(lines)
    else:
        for number, one in enumerate(audited):
            if many:
                click.echo(("\n" if number else "") + paint(one.name, bold=True))
            for line in show(one.mentions, one.where, one.behind):
                click.echo(line)


def _verdicts(kb: KnowledgeBase, named: bool) -> dict[str, ClaimNow]:
    from kb.store import open_rows

    if not named and not kb.database.exists():
        click.echo("kb: there is no kb.db, so no verdicts; kb build or kb check makes it", err=True)
        return {}
    with open_rows(kb.database) as rows:
        return {c.id: c for c in rows.claims()}
