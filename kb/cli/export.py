"""`kb export`: the knowledge base in other forms."""

from __future__ import annotations

from pathlib import Path

import click

from kb.cli.options import db_option, kb_option, only_option, quiet_option, tag_option


@click.command()
@click.option(
    "--format",
    "form",
    type=click.Choice(["csv", "csl", "bibtex", "annotations", "ro-crate"]),
    default=None,
    help="A spreadsheet's table; sources as CSL JSON or BibTeX; W3C Web Annotations; all as an RO-Crate.",
)
@click.option(
    "--out",
    metavar="FILE",
    type=click.Path(path_type=Path),
    default=None,
    help="Write what --format names into FILE, in place of standard output. An RO-Crate is a new folder, "
    "or a file that ends in .zip.",
)
@click.option("--license", metavar="TEXT", default="", help="An RO-Crate's license: an address, or words.")
@click.option("--no-snapshots", is_flag=True, help="Leave the web archive out of an RO-Crate.")
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
    license: str,
    no_snapshots: bool,
    root: Path,
    db: Path | None,
    only: tuple[str, ...],
    tags: tuple[str, ...],
    site: Path | None,
    address: str,
    quiet: bool,
) -> None:
    """Write claims and verdicts in standard formats.

    The table has a claim on each row; kb add --from takes it in again, and kb verify --cases
    reads it too. Verdicts come from kb.db, where there is one. Sources that no chosen claim
    cites are left out.

    An RO-Crate holds the whole knowledge base: claims files, snapshots, verdicts and report,
    each described. Snapshots are other people's pages: see that you may pass them on.

    --site writes the public site as files that any web host serves: the pages of kb serve
    without search, filters and tables. Links are relative. Run again, it replaces what it
    wrote before and removes what is gone.
    """
    if (form is None) == (site is None):
        raise click.UsageError(
            "say what: --format csv (or csl, bibtex, annotations, ro-crate), or --site DIR"
        )
    if site is not None:
        if only or tags or out is not None:
            raise click.UsageError("--site has the whole knowledge base: leave out --only, --tag and --out")
        _site(root, db, site, address, quiet)
        return
    if form != "ro-crate" and (license or no_snapshots):
        raise click.UsageError("--license and --no-snapshots belong to --format ro-crate")
    if form == "ro-crate":
        if only or tags:
            raise click.UsageError("an RO-Crate has the whole knowledge base: leave out --only and --tag")
        if out is None:
            raise click.UsageError("an RO-Crate is many files: name a new folder or a .zip with --out")
        _crate(root, db, out, license, not no_snapshots, quiet)
        return
    from kb.app.base import KnowledgeBase
    from kb.app.export import export_document

    document = export_document(KnowledgeBase.open(root, db), form or "", only, tags)
    if out is None:
        click.echo(document, nl=False)
    elif out.is_dir():
        raise click.BadParameter(f"{out} is a folder; name a file", param_hint="--out")
    else:
        out.write_bytes(document.encode("utf-8"))


def _crate(root: Path, db: Path | None, out: Path, license: str, snapshots: bool, quiet: bool) -> None:
    from datetime import UTC, datetime  # start-up time

    from kb.app.base import KnowledgeBase
    from kb.app.crate import export_crate

    kb = KnowledgeBase.open(root, db)
    count = export_crate(kb, out, datetime.now(UTC), license=license, snapshots=snapshots)
    if not quiet:
        click.echo(f"{out}: {count} files")


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
