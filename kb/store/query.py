"""kb.db read back as typed rows, for reports and pages."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

from kb.errors import StoreError
from kb.store import schema
from kb.store.tally import Tally, tally


@dataclass(frozen=True, slots=True)
class About:
    """How the database was built."""

    name: str
    confirm_drifted: int
    confirm_gone: int
    confirm_apart: int
    every: int
    captures: str


@dataclass(frozen=True, slots=True)
class ClaimNow:
    """A claim with its present verdict. Times are ISO 8601 in UTC; see `judging.events.History`.

    `verdict` is None for a claim that is not checked, `reason` None where nothing was
    ever tried. `stated` and `found` are texts, or several for a list. `state` is one of
    `schema.STATES`.
    """

    id: str
    source: str
    title: str | None
    url: str | None
    publisher: str | None
    role: str | None
    kind: str
    subject: str
    attribute: str | None
    stated: str | list[str]
    formula: str | None
    inputs: tuple[str, ...]
    per: str | None
    direction: str | None
    quote: str | None
    retrieved: str | None
    note: str | None
    tags: tuple[str, ...]
    was: list[dict[str, Any]]
    accepted: dict[str, Any] | None
    status: str | None
    verdict: str | None
    reason: str | None
    detail: str | None
    found: str | list[str] | None
    score: float | None
    state: str
    confirmed: bool | None
    since: str | None
    changed: tuple[str, str] | None
    captured: str | None
    digest: str | None
    stale_after: str | None
    unread: dict[str, Any] | None
    evidence: dict[str, Any] | None
    others: list[dict[str, Any]]
    capture: str | None
    memento: str | None = None

    @property
    def suspected(self) -> bool:
        """Whether there is a change that is not confirmed, and so is to be read again soon."""
        return self.verdict in ("drifted", "gone") and self.confirmed is False

    @property
    def stated_text(self) -> str:
        """What is stated, in words for people."""
        text = ", ".join(self.stated) if isinstance(self.stated, list) else self.stated
        return f"no {text}" if self.kind == "absent" else text

    @property
    def found_text(self) -> str:
        """What was found, in words for people; empty where nothing was."""
        return ", ".join(self.found) if isinstance(self.found, list) else self.found or ""


@dataclass(frozen=True, slots=True)
class EventNow:
    """One event; see `judging.events.Event`."""

    id: str
    claim: str
    opened: str
    closed: str | None
    how: str | None
    stated: str | list[str] | None
    verdict: str
    reason: str
    found: str | list[str] | None
    since: str
    updated: str | None
    reopened: int
    capture: str | None


@dataclass(frozen=True, slots=True)
class SourceNow:
    """One source with what its captures came to; `unread` is the reason where the newest was not read."""

    id: str
    title: str | None
    publisher: str | None
    url: str | None
    url_status: str | None
    published: str | None
    retrieved: str | None
    role: str | None
    off: str | None
    note: str | None
    claims: int
    fetched: bool
    captures: int
    captured: str | None
    tried: str | None
    unread: str | None
    unread_detail: str | None
    unread_since: str | None
    unread_tries: int | None
    stale_after: str | None


class Rows:
    """kb.db, open for reading; leaving its `with` block closes it."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self.db = db
        db.row_factory = sqlite3.Row

    def __enter__(self) -> Rows:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Let the file go."""
        self.db.close()

    def about(self) -> About:
        """How the database was built."""
        facts = dict(self.db.execute("SELECT name, value FROM about").fetchall())
        return About(
            facts["name"],
            int(facts["confirm_drifted"]),
            int(facts["confirm_gone"]),
            int(facts["confirm_apart"]),
            int(facts["every"]),
            facts["captures"],
        )

    def tally(self, now: datetime) -> Tally:
        """How things stand at `now`, in counts alone."""
        return tally(self.db, now)

    def files(self) -> set[str]:
        """The claims files that the database was made from, as seen from the knowledge base."""
        return {row[0] for row in self.db.execute("SELECT file FROM sources WHERE file IS NOT NULL")}

    def claims(self) -> list[ClaimNow]:
        """All claims, by id."""
        return [claim_now(row) for row in self.db.execute(f"{CLAIM_SQL} ORDER BY c.id")]

    def present(self) -> dict[str, tuple[str, str, str, str]]:
        """Of each claim that was read: its capture, and verdict, reason and found on it."""
        sql = "SELECT id, capture, verdict, reason, coalesce(found, '') FROM claims WHERE capture IS NOT NULL"
        return {row[0]: (row[1], row[2], row[3], row[4]) for row in self.db.execute(sql)}

    def comes_between(self, time: datetime) -> bool:
        """Whether a capture of that time would not be newer than all that there are."""
        from kb.store.rows import time_id  # start-up time

        (newest,) = self.db.execute("SELECT max(id) FROM captures").fetchone()
        return newest is not None and time_id(time) <= newest[: len(time_id(time))]

    def read_before(self, url: str, time: datetime) -> tuple[str, int] | None:
        """File and offset of the newest capture of a URL up to `time` that was read."""
        from kb.store.rows import time_id  # start-up time

        sql = (
            "SELECT file, offset FROM captures WHERE requested = ? AND read AND id < ? "
            "ORDER BY captured DESC, file DESC, offset DESC LIMIT 1"
        )
        found = self.db.execute(sql, (url, f"{time_id(time)}~")).fetchone()
        return None if found is None else (found[0], found[1])

    def wanted_again(self) -> list[tuple[str, str, str, bool]]:
        """Claims to be read again soon: id, URL, verdict, and whether that is a change to confirm.

        The others' newest capture was not read.
        """
        sql = (
            "SELECT c.id, s.url, c.verdict, "
            "c.verdict IN ('drifted', 'gone') AND c.confirmed = 0 AS suspected "
            "FROM claims AS c JOIN sources AS s ON s.id = c.source "
            "WHERE s.url IS NOT NULL AND (suspected OR c.unread IS NOT NULL) ORDER BY c.id"
        )
        return [(row[0], row[1], row[2] or "", bool(row[3])) for row in self.db.execute(sql)]

    def claim(self, claim_id: str) -> ClaimNow | None:
        """One claim by its id."""
        row = self.db.execute(f"{CLAIM_SQL} WHERE c.id = ?", (claim_id,)).fetchone()
        return None if row is None else claim_now(row)

    def last_run(self) -> str | None:
        """When the newest run started; None where there was none."""
        found: str | None = self.db.execute("SELECT max(started) FROM runs").fetchone()[0]
        return found

    def sources(self) -> list[SourceNow]:
        """All sources, by id."""
        return [source_now(row) for row in self.db.execute("SELECT * FROM sources ORDER BY id")]

    def readings(self, columns: Sequence[str]) -> Iterator[tuple[Any, ...]]:
        """All verdicts, by claim and capture: these columns of them."""
        names = ", ".join(f'"{c}"' for c in columns if c in schema.COLUMNS["verdicts"])
        # S608: the names are those of the table.
        for row in self.db.execute(f"SELECT {names} FROM verdicts ORDER BY claim, capture"):  # noqa: S608
            yield tuple(row)

    def events(self) -> list[EventNow]:
        """All events, newest first."""
        sql = "SELECT e.*, c.kind FROM events AS e JOIN claims AS c ON c.id = e.claim"
        return [event_now(row) for row in self.db.execute(f"{sql} ORDER BY e.opened DESC, e.id")]


CLAIM_SQL = (
    "SELECT c.*, s.title, s.url, s.role, (SELECT memento FROM captures WHERE id = c.capture) AS memento "
    "FROM claims AS c LEFT JOIN sources AS s ON s.id = c.source"
)
"""What `claim_now` needs; a WHERE may follow."""


def open_rows(path: Path) -> Rows:
    """Open kb.db at `path` for reading.

    Raises:
        StoreError: it is missing, no database of kb's, or another kb wrote it.
    """
    check_file(path)
    try:
        return Rows(sqlite3.connect(f"file:{quote(str(path.absolute()))}?mode=ro", uri=True))
    except sqlite3.Error as error:
        raise StoreError(f"{path} cannot be read ({error}); delete it and run kb build") from error


def check_file(path: Path) -> None:
    """See that `path` is a kb.db that this kb can read.

    Raises:
        StoreError: saying what to do.
    """
    found = schema.marks(path)
    if found is None:
        if path.exists():
            raise StoreError(f"{path} is no database; delete it and run kb build")
        raise StoreError(f"{path} is not there; make it with kb check or kb build")
    if found[0] != schema.APPLICATION_ID:
        raise StoreError(f"{path} is a database, but not one of kb's; name kb's with --db FILE")
    if found[1] != schema.USER_VERSION:
        raise StoreError(f"{path} was written by another version of kb; run kb build")


def claim_now(row: sqlite3.Row) -> ClaimNow:
    """A row of `CLAIM_SQL` as a claim."""
    kind = row["kind"]
    there = set(row.keys())
    facts: dict[str, Any] = {name: row[name] for name in _plain(ClaimNow) if name in there}
    facts |= {
        "stated": _value(row["figure" if kind == "formula" else kind], kind) or "",
        "found": _value(row["found"], kind),
        "inputs": tuple(_json(row["inputs"]) or ()),
        "tags": tuple(_json(row["tags"]) or ()),
        "was": _json(row["was"]) or [],
        "accepted": _json(row["accepted"]),
        "confirmed": None if row["confirmed"] is None else bool(row["confirmed"]),
        "changed": (row["changed_from"], row["changed_to"]) if row["changed_from"] else None,
        "unread": {"reason": row["unread"], "since": row["unread_since"], "tries": row["unread_tries"]}
        if row["unread"]
        else None,
        "evidence": _json(row["evidence"]),
        "others": _json(row["others"]) or [],
    }
    return ClaimNow(**facts)


def source_now(row: sqlite3.Row) -> SourceNow:
    """A row of `sources`."""
    return SourceNow(**{**{name: row[name] for name in _plain(SourceNow)}, "fetched": bool(row["fetched"])})


def event_now(row: sqlite3.Row) -> EventNow:
    """A row of `events` with its claim's `kind`."""
    facts = {name: row[name] for name in _plain(EventNow)}
    kind = row["kind"]
    return EventNow(**{**facts, "stated": _value(row["stated"], kind), "found": _value(row["found"], kind)})


@lru_cache
def _plain(kind: type) -> Sequence[str]:
    return [f.name for f in fields(kind)]


def _value(text: str | None, kind: str) -> str | list[str] | None:
    if text is not None and kind == "list" and text.startswith("["):
        members: list[str] = json.loads(text)
        return members
    return text


def _json(text: str | None) -> Any:
    return None if text is None else json.loads(text)
