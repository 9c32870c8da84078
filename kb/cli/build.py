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
@click.option("--anew", is_flag=True, help="Read and judge everything again, whatever was remembered.")
@quiet_option
def command(
    root: Path, db: Path | None, as_of: datetime | None, jobs: int | None, anew: bool, quiet: bool
) -> None:
    """Make kb.db from claims/ and snapshots/.

    Nothing is fetched. What follows from the last build is not made again, and the rows are the
    same as from nothing. The old database is replaced at once, when the new one is whole.
    With --as-of it holds what was known that day, until it is built again.
    """
    from kb.app.base import KnowledgeBase
    from kb.app.build import build, forget

    kb = KnowledgeBase.open(root, db)
    kb.archive.adopt()
    if anew:
        forget(kb)
    built = build(kb, until=as_of, jobs=jobs, go_on=not anew)
    for problem in built.problems:
        click.echo(problem, err=True)
    if quiet:
        return
    if built.went_on and not built.verdicts and not built.captures:
        told = "nothing is new"
    else:
        new = "new " if built.went_on else ""
        told = f"{built.verdicts} {new}verdicts on {built.captures} {new}captures"
    click.echo(f"{kb.database}: {told}")
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
