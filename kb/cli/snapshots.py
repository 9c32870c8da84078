"""`kb snapshots`: list, show, compare, import, verify, prune and export captures."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kb.cli.options import (
    as_of_option,
    complete_sources,
    json_option,
    kb_option,
    quiet_option,
    since_option,
)
from kb.cli.output import paint, plain, print_json, table, wrapped

if TYPE_CHECKING:
    from kb.app.page_diff import Change
    from kb.app.snapshots import Compared
    from kb.page import Block, Page, Unread
    from kb.snapshots import Capture


@click.group()
def command() -> None:
    """List, show, compare, import, verify, prune or export captures.

    A capture is named by its digest (its first six digits or more), or by its source: the
    source's id or URL for the newest one, SOURCE@2026-11-30 for the newest up to the end of that day,
    SOURCE@-1 for the one before the newest. DIGEST@2026-11-30 and DIGEST@-1 choose among captures
    with the same bytes.
    """


@command.command("list")
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
    captures = [c for c in listed(kb, source, as_of) if since is None or c.time > since]
    names = sources_by_url(kb)
    _tell(kb.archive.problems)
    if as_json:
        print_json([_facts(capture, names.get(capture.requested, [])) for capture in captures])
        return
    rows = [_row(capture, names.get(capture.requested, [])) for capture in captures]
    for line in table(rows):
        click.echo(line)
    if not captures:
        click.echo("no captures yet; kb check makes them", err=True)


@command.command()
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
        facts = _facts(found, shown.sources) | {"headers": [list(h) for h in found.headers]}
        facts["unread"] = {"reason": unread.reason, "detail": unread.detail} if unread else None
        facts["text"] = None if isinstance(shown.page, Unread) else shown.page.text
        print_json(facts)
        return
    for line in _about(found, shown.sources):
        click.echo(line)
    if headers:
        click.echo("")
        for name, value in found.headers:
            click.echo(f"{plain(name)}: {plain(value)}")
    click.echo("")
    if isinstance(shown.page, Unread):
        click.echo(_why(shown.page))
        return
    for line in _text(shown.page):
        click.echo(line)


@command.command()
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
        print_json(_diff_facts(result))
    elif html:
        from kb.app.page_diff_html import as_html

        click.echo(as_html(result))
    else:
        _print_diff(result)


@command.command("import")
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
    date_ = _when(when) if when else None
    done = import_files(kb.archive, files, datetime.now(UTC), targets=targets, url=url, date=date_)
    for problem in done.problems:
        click.echo(plain(problem), err=True)
    if as_json:
        kept = [_facts(capture, []) for capture in done.kept]
        print_json({"kept": kept, "known": done.known, "others": done.others, "problems": done.problems})
        return
    said = [f"{_captures(len(done.kept))} imported"]
    if done.known:
        said.append(f"{done.known} were there already")
    if done.others:
        said.append(f"{done.others} are of pages that no source has (--all imports them)")
    click.echo("; ".join(said))


@command.command()
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
            found = _many(len(result.problems), "problem") if result.problems else "nothing wrong"
            read = (_many(result.files, "file"), _many(result.records, "record"), _captures(result.captures))
            click.echo(f"{', '.join(read)}, {_size(result.bytes)}: {found}")
    if result.problems:
        raise click.exceptions.Exit(4)


@command.command()
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
        facts = [_facts(capture, []) for capture in done.captures]
        print_json({"captures": facts, "bytes": freed, "applied": really})
        return
    for line in table([_row(capture, []) for capture in done.captures]):
        click.echo(line)
    word = "left out" if really else "would go (--apply does it)"
    click.echo(f"{_captures(len(done.captures))} {word}, {_size(freed)}")


@command.command()
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
    click.echo(f"{target}: {_many(pages, 'page')}, {_size(target.stat().st_size)}")


def _open(root: Path) -> Any:
    from kb.app.base import KnowledgeBase

    return KnowledgeBase.open(root)


def _tell(problems: Sequence[object]) -> None:
    for problem in problems:
        click.echo(plain(str(problem)), err=True)


def _facts(capture: Capture, sources: Sequence[str]) -> dict[str, Any]:
    return {
        "requested": capture.requested,
        "url": capture.url,
        "sources": list(sources),
        "captured": capture.captured,
        "status": capture.status,
        "reason": capture.reason,
        "detail": capture.detail or None,
        "digest": capture.digest or None,
        "length": capture.length,
        "type": capture.content_type,
        "revisit": capture.revisit,
        "via": capture.via,
        "memento": capture.memento or None,
        "run": capture.run,
        "file": capture.file,
        "offset": capture.offset,
    }


def _row(capture: Capture, sources: Sequence[str]) -> tuple[str, ...]:
    outcome = str(capture.reason) if capture.reason else str(capture.status)
    body = "unchanged" if capture.revisit else _size(capture.length) if capture.digest else "-"
    digest = capture.digest.removeprefix("sha256:")[:12] or "-"
    name = ", ".join(sources) or capture.requested
    via = "" if capture.via == "live" else capture.via
    return f"{capture.time:%Y-%m-%d %H:%M:%SZ}", outcome, body, digest, plain(name), via


def _about(capture: Capture, sources: Sequence[str]) -> list[str]:
    answer = f"status {capture.status}" if capture.status is not None else "no answer"
    if capture.extra.get("http_status") == "304":
        answer += " (the server said that nothing had changed)"
    rows = [
        ("source", ", ".join(sources)),
        ("asked for", capture.requested),
        *(("redirected", f"{hop.status} by {hop.url}") for hop in capture.hops),
        ("answered by", capture.url if capture.url != capture.requested else ""),
        ("captured", capture.captured),
        ("answer", answer),
        ("type", capture.content_type or ""),
        ("via", capture.via if capture.via != "live" else ""),
        ("archived copy", capture.memento),
        ("imported from", capture.extra.get("imported", "")),
        ("body", f"{capture.length} bytes, {capture.digest}" if capture.digest else ""),
        ("first seen in", f"{capture.body_file}, byte {capture.body_offset}" if capture.revisit else ""),
        ("kept in", f"{capture.file}, byte {capture.offset}"),
    ]
    return table([(f"{name}:", plain(value)) for name, value in rows if value])


def _why(unread: Unread) -> str:
    detail = f" ({plain(unread.detail)})" if unread.detail else ""
    return f"not the page: {unread.reason.sentence}{detail}"


def _text(page: Page) -> Iterator[str]:
    """What a person reads on the page, a table's row on one line."""
    row: list[str] = []
    place: tuple[int | None, int | None] = (None, None)
    for block in (*page.blocks, None):
        here = (block.table, block.row_index) if block else (None, None)
        if row and here != place:
            yield wrapped(" | ".join(row))
            row = []
        if block is None or not block.visible or not block.text or block.kind == "title":
            continue
        place = here
        if block.table is not None:
            row.append(plain(block.text).replace("\n", " "))
        else:
            yield _block(block)


def _block(block: Block) -> str:
    text = plain(block.text)
    if block.kind == "heading":
        return "\n" + paint("#" * max(1, block.level) + " " + text.replace("\n", " "), bold=True)
    if block.kind == "item":
        return wrapped(f"- {text}", "  " * max(1, block.level))
    if block.kind == "code":
        return "\n".join(f"    {line}" for line in text.split("\n"))
    label = f"{plain(' / '.join(block.row))}: " if block.kind in ("pair", "definition") and block.row else ""
    return wrapped(label + text)


def _diff_facts(result: Compared) -> dict[str, Any]:
    return {
        "before": _facts(result.before, []),
        "after": _facts(result.after, []),
        "same_bytes": result.same_bytes,
        "unread": [{"reason": u.reason, "detail": u.detail} if u else None for u in result.unread],
        "changes": [
            {
                "what": c.what,
                "kind": c.kind,
                "headings": list(c.headings),
                "row": list(c.row),
                "column": list(c.column),
                "before": c.before or None,
                "after": c.after or None,
                "quantities": {"before": list(c.said[0]), "after": list(c.said[1])},
            }
            for c in result.changes
        ],
    }


def _print_diff(result: Compared) -> None:
    for name, capture in (("before", result.before), ("after", result.after)):
        digest = capture.digest.removeprefix("sha256:")[:12]
        click.echo(f"{name + ':':8}{capture.time:%Y-%m-%d %H:%M:%SZ}  {digest}  {plain(capture.url)}")
    if any(result.unread):
        for name, unread in zip(("before", "after"), result.unread, strict=True):
            if unread:
                click.echo(f"{name}: {_why(unread)}")
        return
    if not result.changes:
        same = (
            "the bytes are the same" if result.same_bytes else "the bytes differ, the visible text does not"
        )
        click.echo(f"no difference: {same}")
        return
    headings: tuple[str, ...] | None = None
    for change in result.changes:
        if change.headings != headings:
            headings = change.headings
            click.echo("\n" + paint(plain(" > ".join(headings)) or "(top of the page)", bold=True))
        where = " · ".join(x for x in (" / ".join(change.row), " / ".join(change.column)) if x)
        if where:
            click.echo(f"  {plain(where)}")
        if change.before:
            click.echo(paint("  - ", fg="red") + plain(_spans(change.before, change.lost)))
        if change.after:
            click.echo(paint("  + ", fg="green") + plain(_spans(change.after, change.new)))
    count = _count(result.changes)
    click.echo(f"\n{count}")


def _count(changes: Sequence[Change]) -> str:
    numbers = sum(1 for c in changes if c.lost or c.new)
    return f"{_many(len(changes), 'difference')}, {numbers} with a quantity"


def _many(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _captures(number: int) -> str:
    return _many(number, "capture")


def _spans(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """The text with the spans marked »…«."""
    for start, end in sorted(spans, reverse=True):
        text = f"{text[:start]}»{text[start:end]}«{text[end:]}"
    return text


def _when(words: str) -> datetime:
    try:
        if "T" not in words and " " not in words:
            return datetime.combine(date.fromisoformat(words), time(12), tzinfo=UTC)
        moment = datetime.fromisoformat(words)
    except ValueError:
        raise click.BadParameter(
            f"{words!r} is no date; write it as 2026-11-30", param_hint="--date"
        ) from None
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment


def _size(count: int) -> str:
    size = float(count)
    for unit in ("bytes", "KB", "MB"):
        if size < 1000:
            return f"{size:.0f} {unit}" if unit == "bytes" or size >= 10 else f"{size:.1f} {unit}"
        size /= 1000
    return f"{size:.1f} GB"
