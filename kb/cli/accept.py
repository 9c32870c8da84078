"""`kb accept`: take over the page's value, keep ours knowingly, or follow a page that moved."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kb.cli.options import complete_ids, db_option, kb_option, quiet_option
from kb.cli.output import plain

if TYPE_CHECKING:
    from kb.app.accept import Accepting, Moved
    from kb.app.base import KnowledgeBase

_FOLLOW = "…"
"""What `--url` is where no address follows it: no address looks so."""


@click.command()
@click.argument("id", required=False, shell_complete=complete_ids)
@click.option("--why", metavar="TEXT", default="", help="Why; it is kept in the claims file.")
@click.option("--keep", is_flag=True, help="Keep our figure, and say that we know of the page's.")
@click.option(
    "--interactive", "-i", is_flag=True, help="Walk through all changes: show the evidence, and ask."
)
@click.option(
    "--url",
    metavar="[=URL]",
    is_flag=False,
    flag_value=_FOLLOW,
    default=None,
    help="Follow a page that moved: to where it was last read, or to URL (ID is a source or a claim).",
)
@kb_option
@db_option
@quiet_option
def command(
    id: str | None,
    why: str,
    keep: bool,
    interactive: bool,
    url: str | None,
    root: Path,
    db: Path | None,
    quiet: bool,
) -> None:
    """Take over the page's value for a claim that drifted.

    The claims file is edited in place: the old value goes into `was`. With --keep our figure
    stays, and `accepted` is written beside it. The database follows.
    """
    from kb.app.accept import accept, follow
    from kb.app.base import KnowledgeBase
    from kb.app.build import build

    kb = KnowledgeBase.open(root, db)
    if interactive:
        if id or why or keep or url:
            raise click.UsageError("--interactive asks for everything itself; leave the rest out")
        _walk(kb)
        return
    if not id:
        raise click.UsageError("say which claim: kb accept ID --why TEXT, or --interactive for all")
    if url is not None:
        if why or keep:
            raise click.UsageError("--url is about the address alone; give no --why or --keep with it")
        told = _told_moved(follow(kb, id, "" if url == _FOLLOW else url))
    else:
        if not why.strip():
            raise click.UsageError(f"say why: kb accept {id} --why TEXT")
        told = _told(accept(kb, id, why, datetime.now(UTC).date(), keep=keep), keep)
    if not quiet:
        click.echo(told)
    # A sum of ours may be wrong from now on: it is told, with what would be right, and the edit stands.
    build(KnowledgeBase.open(root, db), go_on=True)


def _walk(kb: KnowledgeBase) -> None:
    """Ask about each change and each page that moved; what was answered is kept, however it ends."""
    from kb.app.accept import accept, acceptable, follow, moved
    from kb.app.base import KnowledgeBase
    from kb.app.build import build
    from kb.report import entry_lines

    changes, gone = acceptable(kb)
    away = moved(kb)
    if not changes and not away:
        click.echo("There is nothing to accept." + _gone(gone))
        return
    written = 0
    try:
        for number, (claim, entry) in enumerate(changes, 1):
            click.echo(f"\n{number} of {len(changes)}")
            click.echo("\n".join(line for line in entry_lines(entry) if "kb accept" not in line))
            answer = _ask("[a]ccept the page's value, [k]eep ours, [s]kip, [q]uit", "aksq", number == 1)
            if answer == "q":
                return
            if answer == "s":
                continue
            why = click.prompt("Why")
            done = accept(kb, claim.id, why, datetime.now(UTC).date(), keep=answer == "k")
            written += 1
            click.echo(_told(done, answer == "k"))
        for number, one in enumerate(away):
            click.echo(f"\n{one.source} was last read at another address than the one we state:")
            click.echo(f"  stated  {plain(one.old)}\n  read at {plain(one.new)}")
            answer = _ask("[f]ollow, [s]kip, [q]uit", "fsq", number == 0 and not changes)
            if answer == "q":
                return
            if answer == "f":
                click.echo(_told_moved(follow(kb, one.source)))
                written += 1
    finally:
        if written:
            build(KnowledgeBase.open(kb.root, kb.database), go_on=True)
    if gone:
        click.echo(_gone(gone).strip())


def _ask(question: str, letters: str, first: bool) -> str:
    """Which of `letters` a person answers.

    Raises:
        UsageError: it is the first question, and nobody can answer it.
    """
    try:
        answer: str = click.prompt(question, type=click.Choice(list(letters)), show_choices=False)
    except click.Abort:
        if sys.stdin.isatty() or not first:
            raise
        raise click.UsageError(
            "nobody is there to answer; without a terminal, kb accept ID --why TEXT takes a value over, "
            "--keep beside it keeps ours, and kb accept SOURCE --url follows a page"
        ) from None
    return answer


def _gone(ids: list[str]) -> str:
    return f" Gone, so cite another source: {', '.join(ids)}." if ids else ""


def _told(done: Accepting, keep: bool) -> str:
    ours, theirs = done.claim.stated_text, plain(done.claim.found_text)
    told = (
        f"keeps {ours}, and knows of {theirs}" if keep else f"states {theirs} from now on, and {ours} before"
    )
    return f"{done.file}: {done.claim.id} {told}"


def _told_moved(done: Moved) -> str:
    return (
        f"{done.file}: {done.source} is read at {plain(done.new)} from now on, and no longer at "
        f"{plain(done.old)}; kb check reads it there"
    )
