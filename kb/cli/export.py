"""`kb export`: claims and verdicts in standard formats."""

from __future__ import annotations

from pathlib import Path

import click

from kb.cli.options import db_option, kb_option, only_option, tag_option


@click.command()
@click.option(
    "--format",
    "form",
    type=click.Choice(["csv", "csl", "bibtex", "annotations"]),
    required=True,
    help="A spreadsheet's table; sources as CSL JSON or BibTeX; W3C Web Annotations.",
)
@click.option(
    "--out",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    default=None,
    help="Write into FILE, in place of standard output.",
)
@kb_option
@db_option
@only_option
@tag_option
def command(
    form: str, out: Path | None, root: Path, db: Path | None, only: tuple[str, ...], tags: tuple[str, ...]
) -> None:
    """Write claims and verdicts in standard formats.

    The table has a claim on each row, and kb verify --cases reads it back. Verdicts
    come from kb.db, where there is one. Sources that no chosen claim cites are left out.
    """
    from kb.app.base import KnowledgeBase
    from kb.app.export import export_document

    document = export_document(KnowledgeBase.open(root, db), form, only, tags)
    if out is None:
        click.echo(document, nl=False)
    else:
        out.write_bytes(document.encode("utf-8"))
