"""`kb check`: fetch what is due, archive, judge, store, summarise."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

import click

from kb.cli.options import (
    allow_private_option,
    confirm_option,
    day_option_type,
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
from kb.cli.progress import CheckProgress

if TYPE_CHECKING:
    from kb.app.base import KnowledgeBase
    from kb.app.check import Checked, CheckOptions
    from kb.notify import Delivery

_NOW = "now"
"""What `--archive` is where no date follows it."""


class _Day(click.ParamType):  # type: ignore[type-arg]  # generic since click 8.2 only
    name = "date"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return value if value == _NOW else day_option_type.convert(value, param, ctx)


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
@click.option(
    "--archive",
    metavar="[=DATE]",
    type=_Day(),
    is_flag=False,
    flag_value=_NOW,
    default=None,
    help="Let a web archive's copy stand in for what cannot be read: the nearest to now, or to DATE.",
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
    from kb.app.check import CheckOptions, check, utc_now
    from kb.app.names import why_none
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
    progress = CheckProgress(options["quiet"])
    day: datetime | str | None = options["archive"]
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
        progress=progress.asking,
        archive=day is not None,
        at=day if isinstance(day, datetime) else None,
    )
    if options["only_plan"]:
        _print_plan(kb, wanted)
        ctx.exit(0)
    with progress:
        done = check(kb, wanted)
    for problem in (*done.problems, *done.archive_problems):
        click.echo(str(problem), err=True)
    if not options["no_alerts"]:
        try:
            _tell_of(alert(kb, whole=not done.problems), options["quiet"])
        except LockedError as error:  # the other run tells of all there is
            click.echo(f"alerts: {error}", err=True)
    with open_rows(kb.database) as rows:
        summary = summarise(rows, utc_now(), done.selected)
    if not summary.claims and not summary.proposed:
        for why in why_none(kb.root, options["only"], options["tags"]):
            click.echo(f"kb: {plain(why)}", err=True)
    if options["as_json"]:
        print_json({**report_json(summary), **_facts(done)})
    else:
        for line in (*_asked(done), render_summary(summary), *_to_follow(done)):
            click.echo(line)
    code = exit_code(summary, strict=options["strict"])
    ctx.exit(2 if done.problems else code)


def _print_plan(kb: KnowledgeBase, wanted: CheckOptions) -> None:
    """What would be fetched and why, host by host."""
    from urllib.parse import urlsplit

    from kb.app.check import what_is_due

    due = sorted(what_is_due(kb, kb.claims, wanted), key=lambda one: urlsplit(one.url).netloc.lower())
    for one in due:
        where = " (in an archive)" if one.archived else ""
        click.echo(f"{plain(one.url)}{where}\n  {', '.join(s.id for s in one.sources)}: {one.why}")
    click.echo(f"{len(due)} pages are due")


def _asked(done: Checked) -> list[str]:
    """What was asked for, and what was not reached."""
    lines = [f"asked for {len(done.captures)} of {len(done.due)} pages due"]
    if done.left:
        lines.append(f"{len(done.left)} not reached in time; the next run asks for them")
    if done.stand_ins.captures:
        lines.append(f"archived copies stand in for {len(done.stand_ins.captures)}")
    lines += [f"  no archived copy of {plain(url)}: {plain(why)}" for url, why in done.stand_ins.without]
    return lines


def _to_follow(done: Checked) -> list[str]:
    """How to follow the pages that moved for good."""
    lines = []
    for one in done.moved:
        lines += [
            f"{one.source} moved for good, and was read at {plain(one.now)}",
            f"  to change its url: kb accept {one.source} --url",
        ]
    return lines


def _facts(done: Checked) -> dict[str, Any]:
    """What the run did, beside the report."""
    return {
        "asked": {"due": len(done.due), "kept": len(done.captures), "left": list(done.left)},
        "archived": [{"url": c.requested, "memento": c.memento} for c in done.stand_ins.captures],
        "not_archived": [{"url": url, "why": why} for url, why in done.stand_ins.without],
        "moved": [{"source": m.source, "url": m.url, "now": m.now} for m in done.moved],
    }


def _tell_of(deliveries: list[Delivery], quiet: bool) -> None:
    """Say who was told, and what could not be delivered."""
    sent = sum(1 for d in deliveries if d.ok)
    if sent and not quiet:
        click.echo(f"alerts: {sent} sent", err=True)
    for why in dict.fromkeys(f"{d.channel}: {d.detail}" for d in deliveries if not d.ok):
        click.echo(f"alerts: not delivered, tried again next time: {plain(why)}", err=True)
