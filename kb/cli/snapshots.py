"""`kb snapshots`: list, show, compare, import, verify, prune and export captures."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kb.cli.captures import (
    about,
    count_of,
    diff_facts,
    facts_of,
    many,
    print_diff,
    row_of,
    size_of,
    text_of,
    why_unread,
)
from kb.cli.options import (
    as_of_option,
    complete_sources,
    json_option,
    kb_option,
    quiet_option,
    since_option,
)
from kb.cli.output import plain, print_json, table, wrapped

if TYPE_CHECKING:
    from kb.snapshots import Capture


@click.group()
def command() -> None:
    """List, show, compare, import, verify, prune or export captures.

    A capture is named by its digest (its first six digits or more), or by its source: the
    source's id or URL for the newest one, SOURCE@2026-11-30 for the newest up to the end of that day,
    SOURCE@-1 for the one before the newest. DIGEST@2026-11-30 and DIGEST@-1 choose among captures
    with the same bytes.
    """


@command.command("list", short_help="List captures, oldest first.")
@click.argument("source", required=False, shell_complete=complete_sources)
@kb_option
@as_of_option
@since_option
@json_option
def list_(
    source: str | None, root: Path, as_of: datetime | None, since: datetime | None, as_json: bool
) -> None:
    """List captures, oldest first: all, or those of one SOURCE (its id or URL)."""
    from kb.app.snapshots import listed, sources_by_url

    kb = _open(root)
    captures = listed(kb, source, as_of)
    before = _digests_before(captures)
    captures = [c for c in captures if since is None or c.time > since]
    names = sources_by_url(kb)
    _tell(kb.archive.problems)
    if as_json:
        print_json([facts_of(capture, names.get(capture.requested, [])) for capture in captures])
        return
    rows = [row_of(c, names.get(c.requested, []), before.get((c.file, c.offset), "")) for c in captures]
    for line in table(rows):
        click.echo(line)
    if not captures:
        click.echo("no captures yet; kb check makes them", err=True)


@command.command(short_help="Show a capture as a person reads it.")
@click.argument("capture", shell_complete=complete_sources)
@click.option("--headers", is_flag=True, help="Print the headers of the answer, too.")
@click.option("--raw", is_flag=True, help="Print the body's bytes and nothing else.")
@kb_option
@as_of_option
@json_option
def show(capture: str, headers: bool, raw: bool, root: Path, as_of: datetime | None, as_json: bool) -> None:
    """Show a CAPTURE: where it came from, and what a person reads on it."""
    from kb.app.snapshots import find_capture, seen
    from kb.page import Unread

    kb = _open(root)
    found = find_capture(kb, capture, as_of)
    if raw:
        sys.stdout.buffer.write(kb.archive.body(found))
        sys.stdout.buffer.flush()
        return
    shown = seen(kb, found)
    unread = shown.page if isinstance(shown.page, Unread) else None
    if as_json:
        facts = facts_of(found, shown.sources) | {"headers": [list(h) for h in found.headers]}
        facts["unread"] = {"reason": unread.reason, "detail": unread.detail} if unread else None
        facts["text"] = None if isinstance(shown.page, Unread) else shown.page.text
        print_json(facts)
        return
    for line in about(found, shown.sources):
        click.echo(line)
    if headers:
        click.echo("")
        for name, value in found.headers:
            click.echo(f"{plain(name)}: {plain(value)}")
    click.echo("")
    if isinstance(shown.page, Unread):
        click.echo(wrapped(why_unread(shown.page), ""))
        if shown.instead is not None:
            click.echo("\nwhat stands there instead:")
            for line in text_of(shown.instead):
                click.echo(line)
        return
    for line in text_of(shown.page):
        click.echo(line)


@command.command(short_help="Compare what people see on two captures.")
@click.argument("before", shell_complete=complete_sources)
@click.argument("after", required=False, shell_complete=complete_sources)
@click.option("--html", is_flag=True, help="Print an HTML document.")
@kb_option
@json_option
def diff(before: str, after: str | None, html: bool, root: Path, as_json: bool) -> None:
    """Compare what people see on two captures, BEFORE and AFTER.

    With one SOURCE alone its newest capture is compared with the last one that had other bytes.
    Quantities that changed are marked; table cells are compared by their row and column.
    """
    from kb.app.snapshots import compared, find_capture, last_two, listed

    kb = _open(root)
    if after is None:
        old, new = last_two(listed(kb, before), before)
    else:
        old, new = find_capture(kb, before), find_capture(kb, after)
    result = compared(kb, old, new)
    if as_json:
        print_json(diff_facts(result))
    elif html:
        from kb.app.page_diff_html import as_html

        click.echo(as_html(result))
    else:
        print_diff(result)


@command.command("import", short_help="Take in captures of other tools, or saved pages.")
@click.argument(
    "files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path)
)
@click.option("--url", metavar="URL", help="Where a saved page is from.")
@click.option(
    "--date", "when", metavar="DATE", help="When a saved page was saved: 2026-11-30, or with a time."
)
@click.option("--all", "everything", is_flag=True, help="Import pages that no source has, too.")
@kb_option
@json_option
def import_(
    files: tuple[Path, ...], url: str | None, when: str | None, everything: bool, root: Path, as_json: bool
) -> None:
    """Import captures from WARC or WACZ FILES of other tools, or pages saved as HTML, PDF or Markdown.

    Of WARC and WACZ files, the pages of our sources are imported. What is there already is left out, so
    an import can be repeated.
    """
    from kb.app.snapshots import source_urls
    from kb.snapshots.importer import import_files

    kb = _open(root)
    targets = None if everything else source_urls(kb) + ([url] if url else [])
    now = datetime.now(UTC)
    date_ = _when(when, now) if when else None
    done = import_files(kb.archive, files, now, targets=targets, url=url, date=date_)
    for problem in done.problems:
        click.echo(plain(problem), err=True)
    if as_json:
        kept = [facts_of(capture, []) for capture in done.kept]
        print_json({"kept": kept, "known": done.known, "others": done.others, "problems": done.problems})
        return
    said = [f"{count_of(len(done.kept))} imported"]
    if done.known:
        said.append(f"{done.known} were there already")
    if done.others:
        said.append(f"{done.others} are of pages that no source has (--all imports them)")
    click.echo("; ".join(said))
    if done.problems:
        raise click.exceptions.Exit(4)


@command.command(short_help="Read the whole archive, and check it.")
@kb_option
@json_option
@quiet_option
def verify(root: Path, as_json: bool, quiet: bool) -> None:
    """Read the whole archive and check digests, missing originals and torn records (exit 4 when damaged)."""
    from kb.snapshots.verify import verify as verify_archive

    kb = _open(root)
    result = verify_archive(kb.archive)
    if as_json:
        facts = {"files": result.files, "records": result.records, "bytes": result.bytes}
        print_json(facts | {"captures": result.captures, "problems": [str(p) for p in result.problems]})
    else:
        _tell(result.problems)
        if not quiet:
            found = many(len(result.problems), "problem") if result.problems else "nothing wrong"
            read = (many(result.files, "file"), many(result.records, "record"), count_of(result.captures))
            click.echo(f"{', '.join(read)}, {size_of(result.bytes)}: {found}")
    if result.problems:
        raise click.exceptions.Exit(4)


@command.command(short_help="Leave out captures that say nothing new.")
@click.argument("source", required=False, shell_complete=complete_sources)
@click.option("--older-than", metavar="DAYS", type=click.IntRange(0), default=365, show_default=True)
@click.option(
    "--every",
    metavar="DAYS",
    type=click.IntRange(1),
    default=30,
    show_default=True,
    help="Keep one in so many.",
)
@click.option("--apply", "really", is_flag=True, help="Do it; without this it is only told.")
@kb_option
@json_option
def prune(source: str | None, older_than: int, every: int, really: bool, root: Path, as_json: bool) -> None:
    """Leave out captures that say what their neighbours say, of one SOURCE or of all.

    A capture on which a verdict's change hangs never goes, nor one whose body others refer to. Tells
    what would go; --apply does it.
    """
    from kb.app.prune import prune_plan
    from kb.snapshots.prune import Policy
    from kb.snapshots.prune import prune as prune_archive

    kb = _open(root)
    now = datetime.now(UTC)
    policy = Policy(timedelta(days=older_than), every=timedelta(days=every))
    plan = prune_plan(kb, policy, now, source)
    done = prune_archive(kb.archive, plan, now, apply=really)
    freed = done.before - done.after
    if as_json:
        facts = [facts_of(capture, []) for capture in done.captures]
        print_json({"captures": facts, "bytes": freed, "applied": really})
        return
    for line in table([row_of(capture, []) for capture in done.captures]):
        click.echo(line)
    if not done.captures:
        click.echo(f"nothing can go: no capture older than {older_than} days says what those around it say")
        return
    word = "left out" if really else "would go (--apply does it)"
    click.echo(f"{count_of(len(done.captures))} {word}, {size_of(freed)}")


@command.command(short_help="Pack captures into one WACZ file.")
@click.argument("target", type=click.Path(dir_okay=False, path_type=Path))
@click.argument("sources", nargs=-1, shell_complete=complete_sources)
@kb_option
@as_of_option
@since_option
def export(
    target: Path, sources: tuple[str, ...], root: Path, as_of: datetime | None, since: datetime | None
) -> None:
    """Pack captures (of SOURCES, or all) into one WACZ file TARGET, for replayweb.page and others."""
    from kb.app.snapshots import of_sources, titles
    from kb.snapshots.wacz import export_wacz

    kb = _open(root)
    captures = [c for c in of_sources(kb, sources, as_of) if since is None or c.time > since]
    pages = export_wacz(kb.archive, captures, target, datetime.now(UTC), titles(kb))
    click.echo(f"{target}: {many(pages, 'page')}, {size_of(target.stat().st_size)}")


def _open(root: Path) -> Any:
    from kb.app.base import KnowledgeBase

    return KnowledgeBase.open(root)


def _tell(problems: Sequence[object]) -> None:
    for problem in problems:
        click.echo(plain(str(problem)), err=True)


def _digests_before(captures: Sequence[Capture]) -> dict[tuple[str, int], str]:
    """Of each capture, by its place, the digest of the body that its page had before."""
    last: dict[str, str] = {}
    before: dict[tuple[str, int], str] = {}
    for capture in captures:
        before[capture.file, capture.offset] = last.get(capture.requested, "")
        if capture.digest:
            last[capture.requested] = capture.digest
    return before


def _when(words: str, now: datetime) -> datetime:
    try:
        if "T" not in words and " " not in words:
            moment = datetime.combine(date.fromisoformat(words), time(12), tzinfo=UTC)
        else:
            moment = datetime.fromisoformat(words)
    except ValueError:
        raise click.BadParameter(
            f"{words!r} is no date; write it as 2026-11-30", param_hint="--date"
        ) from None
    moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment
    if moment > now + timedelta(days=1):
        raise click.BadParameter(f"{words!r} lies in the future; say when it was saved", param_hint="--date")
    return moment
