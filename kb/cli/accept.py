"""`kb accept`: take over the page's value, or keep ours knowingly."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import click

from kb.cli.options import db_option, kb_option, quiet_option


@click.command()
@click.argument("id")
@click.option("--why", metavar="TEXT", required=True, help="Why; it is kept in the claims file.")
@click.option("--keep", is_flag=True, help="Keep our figure, and say that we know of the page's.")
@kb_option
@db_option
@quiet_option
def command(id: str, why: str, keep: bool, root: Path, db: Path | None, quiet: bool) -> None:
    """Take over the page's value for a claim that drifted.

    The claims file is edited in place: the old value goes into `was`. With --keep our figure
    stays, and `accepted` is written beside it. The database follows.
    """
    from kb.app.accept import accept
    from kb.app.base import KnowledgeBase
    from kb.app.build import build
    from kb.cli.output import plain

    kb = KnowledgeBase.open(root, db)
    done = accept(kb, id, why, datetime.now(UTC).date(), keep=keep)
    build(KnowledgeBase.open(root, db))
    if not quiet:
        ours, theirs = done.claim.stated_text, plain(done.claim.found_text)
        told = (
            f"keeps {ours}, and knows of {theirs}"
            if keep
            else f"states {theirs} from now on, and {ours} before"
        )
        click.echo(f"{done.file}: {id} {told}")
