"""How captures are printed: as rows, as facts, as what a person reads, and as what differs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from kb.cli.output import paint, plain, table, wrapped

if TYPE_CHECKING:
    from kb.app.page_diff import Change
    from kb.app.snapshots import Compared
    from kb.page import Block, Page, Unread
    from kb.snapshots import Capture


def facts_of(capture: Capture, sources: Sequence[str]) -> dict[str, Any]:
    """All that is known of a capture but its body, for JSON."""
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


def row_of(capture: Capture, sources: Sequence[str], before: str = "") -> tuple[str, ...]:
    """A capture on one line; `before` is the digest of the body that its page had before, if any."""
    outcome = str(capture.reason) if capture.reason else str(capture.status)
    body = size_of(capture.length) if capture.digest else "-"
    if capture.revisit:
        body = "unchanged" if before in ("", capture.digest) else "seen before"
    digest = capture.digest.removeprefix("sha256:")[:12] or "-"
    name = ", ".join(sources) or capture.requested
    via = "" if capture.via == "live" else capture.via
    return f"{capture.time:%Y-%m-%d %H:%M:%SZ}", outcome, body, digest, plain(name), via


def about(capture: Capture, sources: Sequence[str]) -> list[str]:
    """Where a capture came from, line by line."""
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


def why_unread(unread: Unread) -> str:
    """Why a capture is not the page, in words."""
    detail = f" ({plain(unread.detail)})" if unread.detail else ""
    return f"not the page: {unread.reason.sentence}{detail}"


def text_of(page: Page) -> Iterator[str]:
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


def diff_facts(result: Compared) -> dict[str, Any]:
    """What differs between two captures, for JSON."""
    return {
        "before": facts_of(result.before, []),
        "after": facts_of(result.after, []),
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


def print_diff(result: Compared) -> None:
    """Print what differs between two captures."""
    for name, capture in (("before", result.before), ("after", result.after)):
        digest = capture.digest.removeprefix("sha256:")[:12]
        click.echo(f"{name + ':':8}{capture.time:%Y-%m-%d %H:%M:%SZ}  {digest}  {plain(capture.url)}")
    if any(result.unread):
        for name, unread in zip(("before", "after"), result.unread, strict=True):
            if unread:
                click.echo(wrapped(f"{name}: {why_unread(unread)}", ""))
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
            click.echo(_side("  - ", "red", _spans(change.before, change.lost)))
        if change.after:
            click.echo(_side("  + ", "green", _spans(change.after, change.new)))
    count = _count(result.changes)
    click.echo(f"\n{count}")


def _side(sign: str, colour: str, text: str) -> str:
    """What one capture says, within the terminal's width; what has lines of its own keeps them."""
    text = plain(text)
    lines = f"    {text}" if "\n" in text else wrapped(text, "    ")
    return paint(sign, fg=colour) + lines[len(sign) :]


def _count(changes: Sequence[Change]) -> str:
    numbers = sum(1 for c in changes if c.lost or c.new)
    return f"{many(len(changes), 'difference')}, {numbers} with a quantity"


def _spans(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """The text with the spans marked »…«."""
    for start, end in sorted(spans, reverse=True):
        text = f"{text[:start]}»{text[start:end]}«{text[end:]}"
    return text


def many(number: int, noun: str) -> str:
    """A number with its noun, `3 files`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def count_of(number: int) -> str:
    """So many captures."""
    return many(number, "capture")


def size_of(count: int) -> str:
    """So many bytes, in a unit that people read."""
    size = float(count)
    for unit in ("bytes", "KB", "MB"):
        if size < 1000:
            return f"{size:.0f} {unit}" if unit == "bytes" or size >= 10 else f"{size:.1f} {unit}"
        size /= 1000
    return f"{size:.1f} GB"
