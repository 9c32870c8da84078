"""`kb export`: the knowledge base in other forms."""

from __future__ import annotations

from pathlib import Path

import click

from kb.cli.options import db_option, kb_option, only_option, quiet_option, tag_option


@click.command()
@click.option(
    "--format",
    "form",
    type=click.Choice(["csv", "csl", "bibtex", "annotations"]),
    default=None,
    help="A spreadsheet's table; sources as CSL JSON or BibTeX; W3C Web Annotations.",
)
@click.option(
    "--out",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    default=None,
    help="Write what --format names into FILE, in place of standard output.",
)
@kb_option
@db_option
@only_option
@tag_option
@click.option(
    "--site",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    default=None,
    help="Write the public site as files to this folder.",
)
@click.option(
    "--address",
    metavar="URL",
    default="",
    help="Where the files will be served, as feeds must name it: https://kb.example",
)
@quiet_option
def command(
    form: str | None,
    out: Path | None,
    root: Path,
    db: Path | None,
    only: tuple[str, ...],
    tags: tuple[str, ...],
    site: Path | None,
    address: str,
    quiet: bool,
) -> None:
    """Write claims and verdicts in standard formats.

    The table has a claim on each row, and kb verify --cases reads it back. Verdicts
    come from kb.db, where there is one. Sources that no chosen claim cites are left out.

    --site writes the public site as files that any web host serves: the pages of kb serve
    without search, filters and tables. Links are relative. Run again, it replaces what it
    wrote before and removes what is gone.
    """
    if (form is None) == (site is None):
        raise click.UsageError("name one of --format (csv, csl, bibtex, annotations) and --site DIR")
    if site is not None:
        if only or tags or out is not None:
            raise click.UsageError("--site has the whole knowledge base: leave out --only, --tag and --out")
        _site(root, db, site, address, quiet)
        return
    from kb.app.base import KnowledgeBase
    from kb.app.export import export_document

    document = export_document(KnowledgeBase.open(root, db), form or "", only, tags)
    if out is None:
        click.echo(document, nl=False)
    else:
        out.write_bytes(document.encode("utf-8"))


def _site(root: Path, db: Path | None, folder: Path, address: str, quiet: bool) -> None:
    from kb.publish.allowed import SETTINGS_FILE
    from kb.publish.serve import METADATA
    from kb.publish.still import write_site

    if address and not address.lower().startswith(("https://", "http://")):
        raise click.BadParameter(f"{address!r} is no web address; write https://…", param_hint="--address")
    metadata = root / METADATA
    count = write_site(
        db or root / "kb.db",
        folder,
        address,
        metadata if metadata.exists() else None,
        root / SETTINGS_FILE,
    )
    if not quiet:
        click.echo(f"{folder}: {count} files")
