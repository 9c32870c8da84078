"""`kb add`: read a page, show where it states a figure, and write the claim with its baseline."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from kb.cli.options import allow_private_option, json_option, kb_option
from kb.cli.output import marked, outcome_word, plain, print_json, wrapped

if TYPE_CHECKING:
    from kb.app.add import Looked, Proposal


@click.command()
@click.argument("url", metavar="URL")
@click.argument("statement", metavar="[STATEMENT]", required=False)
@click.option(
    "--page",
    "page",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    default=None,
    help="A page saved from URL, such as one behind a login; nothing is fetched.",
)
@click.option("--anyway", is_flag=True, help="Add what the page does not state.")
@click.option("--dry-run", is_flag=True, help="Print the claims file, write nothing.")
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
    url: str,
    statement: str | None,
    page: Path | None,
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
    baseline. What the page does not state is not added without --anyway. Without
    STATEMENT the page's quantities are listed, to choose one. Nothing is asked.

    Exit codes: 0 added (or listed); 2 the page does not state it, or wrong usage;
    3 the page could not be read; 4 another run holds the archive.
    """
    from datetime import UTC, datetime  # start-up time

    from kb.app import add
    from kb.app.base import KnowledgeBase
    from kb.claims import Claim

    kb = KnowledgeBase.open(root)
    settings = kb.fetch_settings(allow_private=allow_private)
    claim = Claim.parse(statement) if statement else None
    looked = add.look(url, settings, lambda: datetime.now(UTC), page)
    if claim is None:
        _list(looked, as_json)
        return
    named = add.Named(source, name, title, publisher, role or "")
    proposal = add.propose(kb, looked, claim, named, anyway=anyway)
    if not dry_run:
        add.write(kb, looked, proposal)
    if as_json:
        print_json(
            {
                "claim": proposal.claim.id,
                "file": proposal.file,
                "written": not dry_run,
                "verdict": proposal.verdict.to_json(),
                "yaml": proposal.text,
            }
        )
        return
    _show(proposal)
    if dry_run:
        click.echo(proposal.text, nl=False)
    else:
        click.echo(f"{proposal.file}: added {proposal.claim.id}; the page is in the archive")


def _list(looked: Looked, as_json: bool) -> None:
    from kb.app.add import stated_quantities

    found = stated_quantities(looked.page)
    if as_json:
        print_json(
            [
                {"text": q.text, "per": q.per, "headings": list(b.headings), "context": b.text}
                for b, q in found
            ]
        )
        return
    for block, quantity in found:
        labels = " / ".join((*block.headings[-1:], *block.row, *block.column))
        around = block.text[max(0, quantity.start - 60) : quantity.end + 60]
        click.echo(f"{plain(quantity.text)}  {plain(labels)}".rstrip())
        click.echo(wrapped(marked(plain(around), plain(quantity.text)), "    "))
    click.echo(f'{len(found)} quantities; to add one: kb add URL "SUBJECT, ATTRIBUTE: VALUE per BASIS"')


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
