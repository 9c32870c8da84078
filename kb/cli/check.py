"""`kb check`: fetch what is due, archive, judge, store, summarise."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from kb.cli.options import (
    allow_private_option,
    confirm_option,
    db_option,
    jobs_option,
    json_option,
    kb_option,
    offline_option,
    only_option,
    quiet_option,
    strict_option,
    tag_option,
)
from kb.cli.output import plain, print_json

if TYPE_CHECKING:
    from kb.notify import Delivery
    from kb.snapshots import Capture


@click.command()
@kb_option
@db_option
@only_option
@tag_option
@click.option("--all", "everything", is_flag=True, help="Ask for all sources, due or not.")
@click.option(
    "--plan", "only_plan", is_flag=True, help="List what would be fetched and why, and fetch nothing."
)
@click.option(
    "--keep-going",
    is_flag=True,
    help="Check the whole claims files where others are faulty (exit 2 all the same).",
)
@click.option(
    "--max-time", metavar="SECONDS", type=click.FloatRange(1), default=None, help="Stop asking after so long."
)
@click.option("--no-alerts", is_flag=True, help="Tell nobody; the next run, or kb alert, does.")
@confirm_option
@offline_option
@allow_private_option
@jobs_option
@strict_option
@json_option
@quiet_option
@click.pass_context
def command(ctx: click.Context, /, **options: Any) -> None:
    """Fetch what is due, archive it, judge it, store it, and summarise.

    Exit codes: 0 all read, fresh and holding; 1 a change is confirmed; 2 faulty claims
    files; 3 something suspected, unclear, unread or stale; 4 could not run.
    """
    from dataclasses import replace

    from kb.app.alert import alert
    from kb.app.base import KnowledgeBase
    from kb.app.check import CheckOptions, check, utc_now, what_is_due
    from kb.app.select import Selection
    from kb.errors import LockedError
    from kb.report import exit_code, render_summary, report_json, summarise
    from kb.store import open_rows

    kb = KnowledgeBase.open(options["root"], options["db"])
    if options["confirm"]:
        kb = replace(
            kb,
            settings=replace(
                kb.settings, confirm_drifted=options["confirm"], confirm_gone=options["confirm"]
            ),
        )
    progress = _Progress(options["quiet"])
    wanted = CheckOptions(
        selection=Selection(options["only"], options["tags"]),
        everything=options["everything"],
        offline=options["offline"],
        allow_private=options["allow_private"],
        keep_going=options["keep_going"],
        jobs=options["jobs"],
        max_time=options["max_time"],
        told=progress.captured,
        building=progress.judged,
    )
    if options["only_plan"]:
        due = what_is_due(kb, kb.claims, wanted)
        for one in due:
            click.echo(f"{one.url}\n  {', '.join(s.id for s in one.sources)}: {one.why}")
        click.echo(f"{len(due)} pages are due")
        ctx.exit(0)
    done = check(kb, wanted)
    progress.end()
    for problem in (*done.problems, *done.archive_problems):
        click.echo(str(problem), err=True)
    if not options["no_alerts"]:
        try:
            _tell_of(alert(kb, whole=not done.problems), options["quiet"])
        except LockedError as error:  # the other run tells of all there is
            click.echo(f"alerts: {error}", err=True)
    with open_rows(kb.database) as rows:
        summary = summarise(rows, utc_now(), done.selected)
    if options["as_json"]:
        print_json(report_json(summary))
    else:
        click.echo(f"asked for {len(done.captures)} of {len(done.due)} pages due")
        click.echo(render_summary(summary))
    code = exit_code(summary, strict=options["strict"])
    ctx.exit(2 if done.problems else code)


def _tell_of(deliveries: list[Delivery], quiet: bool) -> None:
    """Say who was told, and what could not be delivered."""
    sent = sum(1 for d in deliveries if d.ok)
    if sent and not quiet:
        click.echo(f"alerts: {sent} sent", err=True)
    for why in dict.fromkeys(f"{d.channel}: {d.detail}" for d in deliveries if not d.ok):
        click.echo(f"alerts: not delivered, tried again next time: {plain(why)}", err=True)


class _Progress:
    """A bar on a terminal, a line for each source elsewhere, on standard error."""

    def __init__(self, quiet: bool) -> None:
        self.quiet = quiet
        self.bar: Any = None
        self.task: Any = None

    def captured(self, capture: Capture, done: int, of: int) -> None:
        if self.quiet:
            return
        if not sys.stderr.isatty():
            said = str(capture.reason) if capture.reason else f"{capture.status}"
            click.echo(f"{done}/{of} {said:12} {plain(capture.requested)}", err=True)
            return
        if self.bar is None:
            from rich.console import Console  # start-up time
            from rich.progress import Progress

            self.bar = Progress(console=Console(stderr=True), transient=True)
            self.bar.start()
            self.task = self.bar.add_task("asking", total=of)
        self.bar.update(self.task, completed=done, description=f"asking {plain(capture.requested)[:50]}")

    def judged(self, done: int, of: int) -> None:
        if self.bar is not None:
            self.bar.update(self.task, completed=done, total=of, description="judging")

    def end(self) -> None:
        if self.bar is not None:
            self.bar.stop()
