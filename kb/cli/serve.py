"""`kb serve`: kb.db as a read-only site."""

from __future__ import annotations

from pathlib import Path

import click

from kb.cli.options import db_option, kb_option, quiet_option


@click.command()
@kb_option
@db_option
@click.option(
    "--port",
    metavar="N",
    type=click.IntRange(0, 65535),
    default=8001,
    show_default=True,
    help="The port; 0 takes any free one.",
)
@click.option(
    "--host",
    metavar="ADDRESS",
    default="127.0.0.1",
    show_default=True,
    help="The address to listen on. Others can reach the site only on one that is not loopback.",
)
@quiet_option
def command(root: Path, db: Path | None, port: int, host: str, quiet: bool) -> None:
    """Serve kb.db as a read-only site, until Ctrl-C.

    A database that kb check or kb build swaps in meanwhile is taken up at once. The same
    site comes from: datasette kb.db -m datasette-metadata.json
    """
    from kb.publish.allowed import SETTINGS_FILE
    from kb.publish.serve import METADATA, serve

    metadata = root / METADATA

    def ready(address: str) -> None:
        click.echo(address if quiet else f"{address}  (Ctrl-C ends it)")

    serve(
        db or root / "kb.db",
        host,
        port,
        metadata if metadata.exists() else None,
        root / SETTINGS_FILE,
        ready,
    )
