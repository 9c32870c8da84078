"""`kb init`: start a knowledge base."""

from __future__ import annotations

from pathlib import Path

import click

from kb.cli.options import quiet_option


@click.command()
@click.argument("folder", metavar="[DIR]", type=click.Path(file_okay=False, path_type=Path), default=Path())
@quiet_option
def command(folder: Path, quiet: bool) -> None:
    """Start a knowledge base in DIR (this folder, if none is given).

    Makes claims/, snapshots/ and a commented kb.toml. What is there already stays as it is.
    """
    from kb.app.init import start_knowledge_base

    made = start_knowledge_base(folder)
    if quiet:
        return
    for path in made:
        click.echo(f"made {path}")
    if not made:
        click.echo("nothing to make: claims/, snapshots/ and kb.toml are there")
    click.echo("next: `kb add --from ARTICLE`, `kb add URL`, or write claims/<source>.yaml; then `kb check`")
