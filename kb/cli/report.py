"""`kb report`: the drift report, from kb.db alone."""

from __future__ import annotations

from contextlib import AbstractContextManager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from kb.cli.options import (
    as_of_option,
    day_option_type,
    db_option,
    json_option,
    kb_option,
    only_option,
    strict_option,
    tag_option,
)
from kb.cli.output import plain

if TYPE_CHECKING:
    from kb.report import Summary
    from kb.store import Rows

FORMATS = ("text", "md", "html", "json", "junit", "atom")

LAST = "LAST"


class _Since(click.ParamType):  # type: ignore[type-arg]  # generic since click 8.2 only
    """A day, or LAST for the newest run."""

    name = "date"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> datetime | Literal["LAST"]:
        if str(value).upper() == LAST:
            return "LAST"
        try:
            return day_option_type.convert(value, param, ctx)
        except click.BadParameter as error:
            raise click.BadParameter(f"{error.message}, or LAST for the newest run", ctx, param) from error


@click.command()
@kb_option
@db_option
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    default=None,
    help="How to write it: for a terminal, a wiki or an issue, mail or print, programs, CI, "
    "feed readers. [default: text]",
)
@json_option
@click.option(
    "--out",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    default=None,
    help="Write into FILE, in place of standard output.",
)
@click.option(
    "--since",
    "since",
    metavar="DATE|LAST",
    type=_Since(),
    default=None,
    help="Only what happened after that day, or in the newest run (LAST).",
)
@as_of_option
@only_option
@tag_option
@strict_option
@click.pass_context
def command(
    ctx: click.Context,
    root: Path,
    db: Path | None,
    form: str | None,
    as_json: bool,
    out: Path | None,
    since: datetime | Literal["LAST"] | None,
    as_of: datetime | None,
    only: tuple[str, ...],
    tags: tuple[str, ...],
    strict: bool,
) -> None:
    """Print what needs a person, what is in doubt, and how much is known.

    It reads kb.db alone, so it works while a claims file is faulty, and asks nothing
    of the network. With --as-of it judges the captures up to that day anew, aside.

    Exit codes: 0 all read, fresh and holding; 1 a change is confirmed; 3 something is
    suspected, unclear, unread or stale; 4 there is no kb.db that can be read.
    """
    from kb.notify import undelivered
    from kb.report import exit_code, summarise

    if as_json and form not in (None, "json"):
        raise click.UsageError(f"--json and --format {form} ask for two things; give one")
    with _rows(root, db, as_of) as rows:
        now = as_of or datetime.now(UTC)
        selected = _selected(rows, only, tags) if only or tags else None
        summary = summarise(
            rows,
            now,
            selected,
            since=_last_run(rows) if since == "LAST" else since,
            as_of=as_of.date().isoformat() if as_of else None,
            undelivered=() if as_of else undelivered(root / "snapshots"),
        )
    if not summary.claims and not summary.proposed and as_of is None:
        from kb.app.names import why_none  # start-up time

        for why in why_none(root, only, tags):
            click.echo(f"kb: {plain(why)}", err=True)
    document = _document(summary, "json" if as_json else form or "text", strict)
    if out is None:
        click.echo(document)
    else:
        _write(out, document + "\n")
    ctx.exit(exit_code(summary, strict))


def _document(summary: Summary, form: str, strict: bool) -> str:
    import kb.report as report  # start-up time

    if form == "json":
        import json  # start-up time

        return json.dumps(report.report_json(summary), ensure_ascii=False, indent=2)
    if form == "junit":
        return report.render_junit(summary, strict)
    render = {
        "md": report.render_markdown,
        "html": report.render_html,
        "atom": report.render_atom,
        "text": report.render_text,
    }
    return render[form](summary)


def _rows(root: Path, db: Path | None, as_of: datetime | None) -> AbstractContextManager[Rows]:
    """kb.db; or, for another day, one of only the captures up to then."""
    if as_of is None:
        from kb.store import open_rows  # start-up time

        return open_rows(db or root / "kb.db")
    from kb.app.as_of import looking_back  # start-up time
    from kb.app.base import KnowledgeBase

    return looking_back(KnowledgeBase.open(root, db), as_of)


def _last_run(rows: Rows) -> datetime | None:
    """The moment before the newest run, so that what it found is news; None where nothing ever ran."""
    started = rows.last_run()
    return datetime.fromisoformat(started) - timedelta(microseconds=1) if started else None


def _selected(rows: Rows, only: tuple[str, ...], tags: tuple[str, ...]) -> set[str]:
    """The claims that `--only` and `--tag` name, as kb.db knows them."""
    from fnmatch import fnmatchcase  # start-up time

    return {
        c.id
        for c in rows.claims()
        if (not only or any(fnmatchcase(c.id, p) or fnmatchcase(c.source, p) for p in only))
        and (not tags or set(tags) & set(c.tags))
    }


def _write(out: Path, document: str) -> None:
    """Write beside and rename, so that a mailer never sends half a report."""
    import os  # start-up time

    new = out.with_name(f".{out.name}.{os.getpid()}.new")
    try:
        new.write_text(document, encoding="utf-8")
        new.replace(out)
    finally:
        new.unlink(missing_ok=True)
