"""`kb add`: claims with their sources, from a page, or from a file of others."""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kb.cli.options import allow_private_option, json_option, kb_option
from kb.cli.output import marked, outcome_word, paint, plain, print_json, wrapped
from kb.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kb.app.add import Looked, Named, Proposal
    from kb.app.base import KnowledgeBase
    from kb.app.choose import Choice
    from kb.claims import Claim


@click.command()
@click.argument("url", metavar="[URL]", required=False)
@click.argument("statement", metavar="[STATEMENT]", required=False)
@click.option(
    "--from",
    "from_file",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    default=None,
    help="Propose what an article states (Markdown, HTML, text, Word, PDF); or take in a table (.csv), "
    "CSL JSON or Web Annotations (.json), BibTeX (.bib).",
)
@click.option(
    "--page",
    "page",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    default=None,
    help="A page saved from URL, such as one behind a login; nothing is fetched.",
)
@click.option("--choose", metavar="N,N", default=None, help="Add these of the listed quantities: 3,5 or 2-4.")
@click.option("--list", "only_list", is_flag=True, help="List the page's quantities, and ask nothing.")
@click.option("--subject", metavar="TEXT", default="", help="What chosen quantities are about.")
@click.option("--attribute", metavar="TEXT", default=None, help="Which property of it they state.")
@click.option("--per", metavar="TEXT", default=None, help="What they count for, as in GPU or hour.")
@click.option("--anyway", is_flag=True, help="Add what the page does not state.")
@click.option("--dry-run", is_flag=True, help="Print the claims files, write nothing.")
@click.option("--source", metavar="ID", default="", help="Id of a new source. [default: from the page]")
@click.option("--id", "name", metavar="NAME", default="", help="The claim's name. [default: its subject]")
@click.option("--title", metavar="TEXT", default="", help="Title of a new source. [default: the page's]")
@click.option("--publisher", metavar="TEXT", default="", help="Its publisher. [default: the host]")
@click.option(
    "--role",
    type=click.Choice(["primary", "vendor", "reseller", "press", "paper", "filing"]),
    default=None,
    help="What a new source is.",
)
@kb_option
@json_option
@allow_private_option
def command(
    url: str | None,
    statement: str | None,
    from_file: Path | None,
    page: Path | None,
    choose: str | None,
    only_list: bool,
    subject: str,
    attribute: str | None,
    per: str | None,
    anyway: bool,
    dry_run: bool,
    source: str,
    name: str,
    title: str,
    publisher: str,
    role: str | None,
    root: Path,
    as_json: bool,
    allow_private: bool,
) -> None:
    """Add a claim that a page states, as in "Azure ND H100 v5: 400 Gbps per GPU".

    \b
    STATEMENT is SUBJECT[, ATTRIBUTE]: VALUE [per BASIS][, DIRECTION].
    The page is read, the place of the figure and other candidates are shown, the
    claim is written with quote and place, and the page is archived as the
    baseline. What the page does not state is not added without --anyway.

    Without STATEMENT the page's quantities are listed, and on a terminal you choose those
    to add; --choose and --list answer that, elsewhere nothing is asked.

    With --from, sources and claims come from a file, and no page is read. What an article
    states is only proposed (status: proposed): kb checks it and tells it apart until you
    have reviewed it. Files that are there are added to, never overwritten.

    Exit codes: 0 added (or listed); 2 the page does not state it, or wrong usage;
    3 the page could not be read, or nothing was found to propose; 4 another run holds
    the archive.
    """
    from kb.app.base import KnowledgeBase
    from kb.cli.add_from import take_in

    kb = KnowledgeBase.open(root)
    if from_file is not None:
        if any(
            (
                url,
                page,
                choose,
                only_list,
                subject,
                attribute,
                per,
                anyway,
                source,
                name,
                title,
                publisher,
                role,
            )
        ):
            raise click.UsageError(
                "--from takes --dry-run, --json and --kb alone; leave URL and the others out"
            )
        code = take_in(kb, from_file, dry_run, as_json)
        if code:
            click.get_current_context().exit(code)
        return
    if url is None:
        raise click.UsageError("name the page: kb add URL, or a file of claims: kb add --from FILE")
    if statement and (choose or only_list or subject or attribute or per):
        raise click.UsageError("STATEMENT says it all; leave --choose, --list, --subject and the like out")
    from datetime import UTC, datetime  # start-up time

    from kb.app import add
    from kb.claims import Claim

    claim = Claim.parse(statement) if statement else None
    looked = add.look(url, kb.fetch_settings(allow_private=allow_private), lambda: datetime.now(UTC), page)
    named = add.Named(source, name, title, publisher, role or "")
    if claim is not None:
        _add(kb, looked, [claim], named, anyway, dry_run, as_json)
        return
    from kb.app.choose import choices, chosen

    listed = choices(looked.page)
    asked = sys.stdin.isatty() and sys.stdout.isatty() and not (as_json or only_list)
    if choose is None:
        _list(listed, as_json, asked)
        if not asked or not listed:
            return
        choose = click.prompt("Which to add (numbers such as 3,5; Enter for none)", "", show_default=False)
        if not choose.strip():
            return
    wanted = chosen(listed, choose)
    if asked and not (subject or attribute):
        claims = [_asked(choice, per) for choice in wanted]
    else:
        claims = [choice.claim(subject, attribute, per) for choice in wanted]
    _add(kb, looked, claims, named, anyway, dry_run, as_json)


def _asked(choice: Choice, per: str | None) -> Claim:
    """The claim of a choice, with what the person says of it."""
    click.echo(f"{choice.number}: {paint(plain(choice.quantity.text), bold=True)}")
    subject = click.prompt("  what is it about", plain(choice.subject) or None)
    attribute = click.prompt(
        "  which property of it", plain(choice.attribute), show_default=bool(choice.attribute)
    )
    return choice.claim(subject, attribute, per)


def _add(
    kb: KnowledgeBase,
    looked: Looked,
    claims: Sequence[Claim],
    named: Named,
    anyway: bool,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Propose and write each; nothing is written where the page does not state one of them."""
    from kb.app import add
    from kb.app.base import KnowledgeBase

    if named.claim and len(claims) > 1:
        raise UsageError("--id names one claim; choose one, or leave it out")
    answers = []
    for claim in claims:  # all of them are looked for first
        add.propose(kb, looked, claim, named, anyway=anyway)
    with tempfile.TemporaryDirectory() as folder:
        root = kb.root
        if dry_run:
            root = Path(shutil.copytree(kb.root / "claims", Path(folder) / "claims")).parent
        for number, claim in enumerate(claims):
            again = KnowledgeBase.open(root)  # with the claims before this one
            first = named if not number else add.Named(claim=named.claim)
            proposal = add.propose(again, looked, claim, first, anyway=anyway)
            add.write(again, looked, proposal, keep=not number and not dry_run)
            answers.append(_answer(proposal, not dry_run))
            if not as_json:
                _show(proposal)
                if not dry_run:
                    click.echo(f"{proposal.file}: added {proposal.claim.id}; the page is in the archive")
        if dry_run and not as_json:
            click.echo(proposal.text, nl=False)
    if as_json:
        print_json(answers[0] if len(answers) == 1 else answers)


def _answer(proposal: Proposal, written: bool) -> dict[str, object]:
    return {
        "claim": proposal.claim.id,
        "file": proposal.file,
        "written": written,
        "verdict": proposal.verdict.to_json(),
        "yaml": proposal.text,
    }


def _list(listed: Sequence[Choice], as_json: bool, asked: bool) -> None:
    if as_json:
        print_json(
            [
                {
                    "number": c.number,
                    "text": c.quantity.text,
                    "per": c.quantity.per,
                    "headings": list(c.block.headings),
                    "context": c.block.text,
                    "subject": c.subject,
                    "attribute": c.attribute,
                }
                for c in listed
            ]
        )
        return
    for choice in listed:
        words = plain(choice.quantity.text)
        labels = plain(" / ".join(choice.labels))
        click.echo(f"{choice.number:3} {paint(words, bold=True)}  {labels}".rstrip())
        if choice.context != choice.quantity.text:
            click.echo(wrapped(marked(plain(choice.context), words), "      "))
    if not asked:
        click.echo(
            f"{len(listed)} quantities; to add some: kb add URL --choose 3,5, "
            'or kb add URL "SUBJECT, ATTRIBUTE: VALUE per BASIS"'
        )


def _show(proposal: Proposal) -> None:
    verdict = proposal.verdict
    click.echo(f"{outcome_word(str(verdict.outcome))}: {verdict.reason.sentence}")
    if verdict.evidence:
        found = verdict.found if isinstance(verdict.found, str) else ""
        click.echo(wrapped(marked(plain(verdict.evidence.quote), plain(found))))
        if proposal.claim.where:
            click.echo(f"  in {plain(proposal.claim.where)}")
    for other in verdict.others[:5]:
        value = other.found if isinstance(other.found, str) else ", ".join(other.found or ())
        quote = plain(other.evidence.quote) if other.evidence else ""
        click.echo(wrapped(f"or {plain(value)}: {quote}"))
