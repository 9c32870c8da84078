"""`kb cite`: a figure with its source, retrieval date and archived copy; or an article's source list."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from kb.cli.options import complete_claims, kb_option
from kb.cli.output import print_json

if TYPE_CHECKING:
    from kb.export.citation import Citation


@click.command()
@click.argument("ids", metavar="[ID]...", nargs=-1, shell_complete=complete_claims)
@click.option(
    "--list",
    "article",
    metavar="ARTICLE",
    type=click.Path(dir_okay=False, path_type=Path),
    default=None,
    help="List the sources of the claims that an article states.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "markdown", "csl", "bibtex"]),
    default="text",
    show_default=True,
    help="As in an article's source list, as a linked list, for reference managers, for LaTeX.",
)
@kb_option
def command(ids: tuple[str, ...], article: Path | None, form: str, root: Path) -> None:
    """Cite claims: the figure, its source, the day it was read, and the archived copy.

    A calculated figure is cited by the sources of what it is calculated from.
    With --list, the sources behind an article are listed in its order.
    """
    from kb.app.base import KnowledgeBase
    from kb.export import citation as cite

    if bool(ids) == bool(article):
        raise click.UsageError("name claims (kb cite ID …), or an article (kb cite --list ARTICLE)")
    kb = KnowledgeBase.open(root)
    archive = kb.archive if kb.snapshots.is_dir() else None
    citations: list[Citation]
    if article:
        from kb.app.cite import cited_in

        cited = cited_in(kb, article)
        citations = cite.cite_sources(kb.claims, cited.claims, archive, cited.listed)
        for words in cited.unknown:
            click.echo(
                f'kb: {article} lists "{words}", which no claims file has; kb add URL adds it', err=True
            )
    else:
        citations = [c for id in ids for c in cite.cite_claim(kb.claims, id, archive)]
    if form == "csl":
        print_json(cite.as_csl(citations))
        return
    write = {"text": cite.as_text, "markdown": cite.as_markdown, "bibtex": cite.as_bibtex}[form]
    document = write(citations)
    if document:
        click.echo(document)
