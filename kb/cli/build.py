"""`kb build`: kb.db from claims/ and snapshots/."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import click

from kb.cli.options import as_of_option, db_option, jobs_option, kb_option, quiet_option
from kb.cli.output import plain


@click.command()
@kb_option
@db_option
@as_of_option
@jobs_option
@quiet_option
def command(root: Path, db: Path | None, as_of: datetime | None, jobs: int | None, quiet: bool) -> None:
    """Make kb.db anew from claims/ and snapshots/.

    Nothing is fetched. The old database is replaced at once, when the new one is whole.
    With --as-of it holds what was known that day, until it is built again.
    """
    from kb.app.base import KnowledgeBase
    from kb.app.build import build

    kb = KnowledgeBase.open(root, db)
    kb.archive.adopt()
    built = build(kb, until=as_of, jobs=jobs)
    for problem in built.problems:
        click.echo(problem, err=True)
    if quiet:
        return
    click.echo(f"{kb.database}: {built.verdicts} verdicts on {built.captures} captures")
    if as_of is not None:
        told = f"as of {as_of.date().isoformat()}: kb build without --as-of gives the present again"
        click.echo(f"{told}; not yet stated {built.not_yet}" if built.not_yet else told)
    if built.differing:
        many = len(built.differing)
        click.echo(f"{many} verdict{'s differ' if many > 1 else ' differs'} from the last build:")
        for id, was, now in built.differing[:20]:
            click.echo(f"  {id}: was {plain(was)}, now {plain(now)}")
        if many > 20:
            click.echo(f"  and {many - 20} more")
