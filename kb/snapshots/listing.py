"""Rows of the index as captures: a revisit gets what its original holds."""

from __future__ import annotations

import functools
import json
from collections.abc import Sequence
from dataclasses import fields
from datetime import datetime
from typing import TYPE_CHECKING, Any

from kb.reasons import Reason
from kb.snapshots.capture import Capture, Hop
from kb.snapshots.entries import Entry
from kb.snapshots.records import Body

if TYPE_CHECKING:
    import sqlite3

_ENTRY = [f.name for f in fields(Entry)]


def captures_of(db: sqlite3.Connection, url: str | None) -> tuple[list[Capture], list[tuple[str, int, str]]]:
    """Captures of one URL or of all, sorted, and what is wrong as (file, offset, what)."""
    if url is None:
        rows = db.execute("SELECT * FROM captures ORDER BY time, file, offset").fetchall()
    else:
        ask = "SELECT * FROM captures WHERE requested = ? ORDER BY time, file, offset"
        rows = db.execute(ask, (url,)).fetchall()
    faults = db.execute("SELECT file, offset, what FROM faults ORDER BY 1, 2").fetchall()
    return _whole(db, rows, faults), faults


def captures_in(
    db: sqlite3.Connection, files: Sequence[str]
) -> tuple[list[Capture], list[tuple[str, int, str]]]:
    """Captures of some files, sorted, and what is wrong as (file, offset, what)."""
    rows: list[tuple[Any, ...]] = []
    for file in files:
        rows += db.execute("SELECT * FROM captures WHERE file = ?", (file,)).fetchall()
    faults = db.execute("SELECT file, offset, what FROM faults ORDER BY 1, 2").fetchall()
    found = _whole(db, rows, faults)
    return sorted(found, key=lambda c: (c.time, c.file, c.offset)), faults


def complete_others(db: sqlite3.Connection, files: Sequence[str]) -> bool:
    """Whether some files hold a body that a revisit in one of the others refers to."""
    ask = (
        "SELECT DISTINCT c.file FROM bodies b JOIN captures c ON c.payload = b.payload AND c.payload <> ''"
        " WHERE b.file = ?"
    )
    return any(file not in files for name in files for (file,) in db.execute(ask, (name,)))


def newest_of(db: sqlite3.Connection) -> list[Capture]:
    """The last capture of each requested URL."""
    ask = (
        "SELECT c.* FROM captures c JOIN"
        " (SELECT requested, max(time) AS time FROM captures GROUP BY requested) n"
        " ON c.requested = n.requested AND c.time = n.time ORDER BY c.time, c.file, c.offset"
    )
    last = {capture.requested: capture for capture in _whole(db, db.execute(ask).fetchall(), [])}
    return list(last.values())


def _whole(
    db: sqlite3.Connection, rows: list[tuple[Any, ...]], faults: list[tuple[str, int, str]]
) -> list[Capture]:
    """Captures of rows, revisits with what their originals hold; what has none goes to `faults`."""
    payload = _ENTRY.index("payload") + 1
    originals = _originals(db, {row[payload] for row in rows if row[payload]})
    runs = dict(db.execute("SELECT name, run FROM files WHERE own"))
    found: list[Capture] = []
    for row in rows:
        entry = Entry(*row[1:])
        original = _best(originals.get(entry.payload, []), entry) if entry.payload else None
        if entry.payload and original is None:
            what = f"the original of the revisit of {entry.url} ({entry.payload}) is not in the archive"
            faults.append((row[0], entry.offset, what))
            continue
        found.append(to_capture(entry, row[0], runs.get(row[0], ""), original))
    return found


def _originals(db: sqlite3.Connection, payloads: set[str]) -> dict[str, list[Body]]:
    found: dict[str, list[Body]] = {}
    if not payloads:
        return found
    db.execute("CREATE TEMP TABLE IF NOT EXISTS wanted (payload TEXT PRIMARY KEY)")
    db.execute("DELETE FROM wanted")
    db.executemany("INSERT INTO wanted VALUES (?)", [(p,) for p in payloads])
    for row in db.execute(
        "SELECT * FROM bodies WHERE payload IN (SELECT payload FROM wanted) ORDER BY time, file, offset"
    ):
        found.setdefault(row[2], []).append(Body(*row))
    return found


def to_capture(entry: Entry, file: str, run: str, original: Body | None) -> Capture:
    """A capture from what its file says and, for a revisit, from the record that holds its body."""
    status = entry.status
    headers = _headers(entry.headers)
    digest, length, body_file, body_offset = entry.digest, entry.length, file, entry.body
    extra = {"imported": entry.imported} if entry.imported else {}
    if original is not None:
        digest, length, body_file, body_offset = (
            original.digest,
            original.length,
            original.file,
            original.offset,
        )
        if status == 304:
            extra["http_status"] = "304"
            renewed = {name.lower() for name, _ in headers}
            kept = (h for h in _headers(original.headers) if h[0].lower() not in renewed)
            headers = (*kept, *headers)
        if status in (None, 304):
            status = original.status
            headers = headers or _headers(original.headers)
    return Capture(
        requested=entry.requested,
        url=entry.url,
        time=datetime.fromisoformat(entry.time),
        digest=digest,
        status=status,
        headers=headers,
        reason=Reason(entry.reason) if entry.reason else None,
        detail=entry.detail,
        via=entry.via,
        memento=entry.memento,
        file=file,
        offset=entry.offset,
        revisit=original is not None,
        length=length,
        run="" if entry.imported else run,
        extra=extra,
        hops=tuple(Hop(url, status) for url, status in json.loads(entry.hops)) if entry.hops != "[]" else (),
        body_file=body_file if body_offset >= 0 else "",
        body_offset=body_offset,
    )


@functools.lru_cache(4096)
def _headers(text: str) -> tuple[tuple[str, str], ...]:
    return tuple((str(name), str(value)) for name, value in json.loads(text))


def _best(bodies: list[Body], entry: Entry) -> Body | None:
    def far(body: Body) -> tuple[bool, bool, bool]:
        return (
            (body.url, body.time) != (entry.refers_url, entry.refers_time),
            body.url != entry.refers_url,
            body.time > entry.time,
        )

    return min(bodies, key=far, default=None)
