"""What the pages ask of kb.db. None of it goes through all verdicts."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from kb.publish.allowed import is_full
from kb.report.now import would_be
from kb.store import ClaimNow, EventNow, Rows, SourceNow
from kb.store.query import CLAIM_SQL, claim_now, event_now, source_now

READINGS = 200
"""How many readings of a claim its page shows; the table of verdicts has them all."""

LISTED = 200
"""How many claims or events a list shows."""

_EVENTS = "SELECT e.*, c.kind FROM events AS e JOIN claims AS c ON c.id = e.claim"


MANY, ALL = 1000, 20_000
"""How many claims the list of all shows: where there is search beside it, and in a site of files."""


@dataclass(frozen=True, slots=True)
class Seen:
    """One reading of a claim, for its time line; `found` in words."""

    captured: str
    verdict: str
    reason: str
    detail: str
    stated: str | None
    found: str | None
    status: int | None


@dataclass(frozen=True, slots=True)
class Before:
    """The last reading that held before the page changed; `stated` is what was in force then."""

    captured: str
    stated: str | None
    found: str | None
    evidence: dict[str, Any]


@dataclass(frozen=True, slots=True)
class ClaimPage:
    """All that a claim's page shows. `readings` are newest first.

    `before` is there where the page gives our value no more; `computed` says what a
    calculation comes to with what the pages say now, where that is something else.
    """

    claim: ClaimNow
    source: SourceNow | None
    events: list[EventNow]
    readings: list[Seen]
    inputs: list[ClaimNow]
    dependents: list[ClaimNow]
    alike: list[ClaimNow]
    before: Before | None
    computed: str
    kb: str

    @property
    def event(self) -> EventNow | None:
        """The open event."""
        return next((e for e in self.events if e.closed is None), None)


@dataclass(frozen=True, slots=True)
class SourcePage:
    """All that a source's page shows."""

    source: SourceNow
    claims: list[ClaimNow]
    captures: list[dict[str, Any]]
    kb: str


@dataclass(frozen=True, slots=True)
class Home:
    """All that the first page shows. `verdicts` and `states` count claims.

    `some` are claims that were not checked yet.
    """

    kb: str
    verdicts: dict[str | None, int]
    states: dict[str, int]
    unread: int
    unseen: int
    stale: int
    sources: int
    read: int
    last: str | None
    changes: list[tuple[EventNow, ClaimNow]]
    publishers: list[tuple[str, int]]
    some: list[ClaimNow]

    @property
    def checked(self) -> int:
        """Claims that something is fetched for."""
        return sum(n for v, n in self.verdicts.items() if v is not None)

    @property
    def known(self) -> int:
        """Claims whose newest capture was read."""
        return self.checked - self.unread - self.unseen


def claim_page(db: sqlite3.Connection, claim_id: str) -> ClaimPage | None:
    """What the page of a claim shows; None where there is no such claim."""
    rows = Rows(db)
    claim = rows.claim(claim_id)
    if claim is None:
        return None
    source = db.execute("SELECT * FROM sources WHERE id = ?", (claim.source,)).fetchone()
    readings = db.execute(
        "SELECT v.captured, v.verdict, v.reason, v.detail, v.stated, v.found, c.status FROM verdicts AS v "
        "LEFT JOIN captures AS c ON c.id = v.capture WHERE v.claim = ? ORDER BY v.capture DESC LIMIT ?",
        (claim_id, READINGS),
    )
    return ClaimPage(
        claim=claim,
        source=None if source is None else source_now(source),
        events=_events(db, "WHERE e.claim = ? ORDER BY e.opened DESC", (claim_id,)),
        readings=[_seen(claim.kind, r) for r in readings],
        inputs=[c for c in (rows.claim(i) for i in claim.inputs) if c is not None],
        dependents=_claims(
            db,
            "WHERE c.kind = 'formula' AND EXISTS (SELECT 1 FROM json_each(c.inputs) WHERE value = ?) "
            "ORDER BY c.id",
            (claim_id,),
        ),
        alike=_claims(
            db,
            "WHERE c.subject = ? AND c.attribute IS ? AND c.id != ? ORDER BY c.id LIMIT 20",
            (claim.subject, claim.attribute, claim_id),
        ),
        before=_before(db, claim) if claim.verdict in ("drifted", "gone") else None,
        computed=computed(db, claim),
        kb=rows.about().name,
    )


def _seen(kind: str, row: sqlite3.Row) -> Seen:
    seen = Seen(*row)
    if kind == "list" and seen.found and seen.found.startswith("["):
        return replace(seen, found=", ".join(json.loads(seen.found)))
    return seen


def _before(db: sqlite3.Connection, claim: ClaimNow) -> Before | None:
    found = db.execute(
        "SELECT captured, stated, found, evidence FROM verdicts WHERE claim = ? AND verdict = 'holds' "
        "AND capture < ? AND evidence IS NOT NULL ORDER BY capture DESC LIMIT 1",
        (claim.id, claim.capture or ""),
    ).fetchone()
    return None if found is None else Before(found[0], found[1], found[2], json.loads(found[3]))


def computed(db: sqlite3.Connection, claim: ClaimNow) -> str:
    """What a calculation gives with what its inputs' pages say now; empty where that is nothing new."""
    if claim.verdict != "drifted" or claim.kind != "formula":
        return ""
    rows = Rows(db)
    by_id: dict[str, ClaimNow] = {}
    waiting = [*claim.inputs]
    while waiting and len(by_id) < LISTED:
        given = rows.claim(waiting.pop())
        if given is not None and given.id not in by_id:
            by_id[given.id] = given
            waiting += given.inputs
    found = would_be(claim, by_id)
    return found.result if found else ""


def sums(db: sqlite3.Connection, changes: list[tuple[EventNow, ClaimNow]]) -> dict[str, str]:
    """Of each calculation with an open event, what it comes to now."""
    open_ = {e.claim: c for e, c in changes if e.closed is None}
    return {name: result for name, claim in open_.items() if (result := computed(db, claim))}


@dataclass(frozen=True, slots=True)
class TextPage:
    """All that a source's page says, as it was last read."""

    source: SourceNow
    captured: str
    text: str


def text_page(db: sqlite3.Connection, source_id: str) -> TextPage | None:
    """A source's text; None where there is none, or the public may not see it."""
    found = db.execute("SELECT * FROM sources WHERE id = ? AND fetched", (source_id,)).fetchone()
    if found is None or not is_full(db):
        return None
    text = db.execute(
        "SELECT c.captured, t.text FROM texts AS t JOIN captures AS c ON c.id = t.capture WHERE t.url = ?",
        (found["url"],),
    ).fetchone()
    return None if text is None else TextPage(source_now(found), text[0], text[1])


def source_page(db: sqlite3.Connection, source_id: str) -> SourcePage | None:
    """What the page of a source shows; None where there is no such source."""
    found = db.execute("SELECT * FROM sources WHERE id = ?", (source_id,)).fetchone()
    if found is None:
        return None
    captures = db.execute(
        "SELECT id, captured, status, read, reason, detail, digest, type, length, via FROM captures "
        "WHERE requested = ? ORDER BY captured DESC LIMIT ?",
        (found["url"], READINGS),
    )
    return SourcePage(
        source=source_now(found),
        claims=_claims(db, "WHERE c.source = ? ORDER BY c.id", (source_id,)),
        captures=[dict(c) for c in captures],
        kb=Rows(db).about().name,
    )


def home(db: sqlite3.Connection, now: str) -> Home:
    """What the first page shows at `now` (ISO 8601)."""

    def one(sql: str, *values: str) -> Any:
        return db.execute(sql, values).fetchone()[0]

    reviewed = "FROM claims WHERE state != 'proposed'"
    unseen = one(f"SELECT count(*) {reviewed} AND verdict = 'unread' AND unread IS NULL")
    return Home(
        kb=Rows(db).about().name,
        verdicts=dict(db.execute(f"SELECT verdict, count(*) {reviewed} GROUP BY verdict").fetchall()),
        states=dict(db.execute("SELECT state, count(*) FROM claims GROUP BY state").fetchall()),
        unread=one(f"SELECT count(*) {reviewed} AND unread IS NOT NULL"),
        unseen=unseen,
        stale=one(f"SELECT count(*) {reviewed} AND stale_after < ?", now),
        sources=one("SELECT count(*) FROM sources WHERE fetched"),
        read=one("SELECT count(*) FROM sources WHERE fetched AND captured IS NOT NULL AND unread IS NULL"),
        last=one("SELECT (SELECT captured FROM captures ORDER BY id DESC LIMIT 1)"),
        changes=changes(db, 8),
        publishers=[
            (r[0], r[1])
            for r in db.execute(
                "SELECT publisher, count(*) FROM claims WHERE publisher IS NOT NULL "
                "GROUP BY publisher ORDER BY 2 DESC, 1 LIMIT 40"
            )
        ],
        some=_some(db) if unseen else [],
    )


def _some(db: sqlite3.Connection) -> list[ClaimNow]:
    """A first claim of some sources, for a knowledge base that has nothing to tell yet."""
    return _claims(
        db,
        "WHERE c.id IN (SELECT min(id) FROM claims WHERE state = 'unread' AND publisher IS NOT NULL "
        "GROUP BY source LIMIT 8) ORDER BY c.id LIMIT ?",
        (8,),
    )


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which changes a visitor asks for; empty is all. Days are `2026-11-28`, both included."""

    since: str = ""
    until: str = ""
    publisher: str = ""
    tag: str = ""


@dataclass(frozen=True, slots=True)
class PublisherPage:
    """All that a publisher's page shows. `states` counts claims."""

    name: str
    claims: list[ClaimNow]
    sources: list[SourceNow]
    states: dict[str, int]
    changes: list[tuple[EventNow, ClaimNow]]


def changes(
    db: sqlite3.Connection, limit: int = LISTED, wanted: Wanted | None = None
) -> list[tuple[EventNow, ClaimNow]]:
    """The newest events with their claims."""
    rows = Rows(db)
    wanted = wanted or Wanted()
    terms = (
        ("e.opened >= ?", wanted.since),
        ("e.opened < date(?, '+1 day')", wanted.until),
        ("c.publisher = ?", wanted.publisher),
        ("EXISTS (SELECT 1 FROM json_each(c.tags) WHERE value = ?)", wanted.tag),
    )
    asked = [(sql, value) for sql, value in terms if value]
    where = "WHERE " + " AND ".join(sql for sql, _ in asked) if asked else ""
    values = (*(value for _, value in asked), limit)
    events = _events(db, f"{where} ORDER BY e.opened DESC, e.id LIMIT ?", values)
    return [(e, c) for e in events if (c := rows.claim(e.claim)) is not None]


def choices(db: sqlite3.Connection) -> tuple[list[str], list[str]]:
    """The publishers and the tags of claims that ever changed."""
    publishers = db.execute(
        "SELECT DISTINCT c.publisher FROM events AS e JOIN claims AS c ON c.id = e.claim "
        "WHERE c.publisher IS NOT NULL ORDER BY 1 LIMIT 500"
    )
    tags = db.execute(
        "SELECT DISTINCT t.value FROM events AS e JOIN claims AS c ON c.id = e.claim, "
        "json_each(c.tags) AS t ORDER BY 1 LIMIT 500"
    )
    return [r[0] for r in publishers], [str(r[0]) for r in tags]


def publisher_page(db: sqlite3.Connection, publisher: str) -> PublisherPage | None:
    """What the page of a publisher shows; None where nothing is by it."""
    found = db.execute("SELECT * FROM sources WHERE publisher = ? ORDER BY id LIMIT 500", (publisher,))
    its = [source_now(s) for s in found]
    if not its:
        return None
    states = "SELECT state, count(*) FROM claims WHERE publisher = ? GROUP BY state"
    return PublisherPage(
        name=publisher,
        claims=_claims(db, "WHERE c.publisher = ? ORDER BY c.id LIMIT ?", (publisher, LISTED)),
        sources=its,
        states=dict(db.execute(states, (publisher,)).fetchall()),
        changes=changes(db, 20, Wanted(publisher=publisher)),
    )


def name(db: sqlite3.Connection) -> str:
    """The knowledge base's name."""
    return Rows(db).about().name


@dataclass(frozen=True, slots=True)
class Review:
    """What a person should look at, each claim in the first list that it belongs to."""

    suspected: list[ClaimNow]
    unclear: list[ClaimNow]
    unread: list[ClaimNow]
    stale: list[ClaimNow]
    proposed: list[ClaimNow]
    unseen: list[ClaimNow]


def to_review(db: sqlite3.Connection, now: str) -> Review:
    """Claims that are suspected, unclear, unread or proposed, and those stale at `now` (ISO 8601)."""

    def those(where: str, *values: str) -> list[ClaimNow]:
        return _claims(db, f"WHERE {where} ORDER BY c.source, c.id LIMIT ?", (*values, LISTED))

    others = "c.state NOT IN ('suspected', 'unclear', 'proposed')"
    return Review(
        suspected=those("c.state = 'suspected'"),
        unclear=those("c.state = 'unclear'"),
        unread=those(f"c.unread IS NOT NULL AND {others}"),
        stale=those(f"c.stale_after < ? AND c.unread IS NULL AND {others}", now),
        proposed=those("c.state = 'proposed'"),
        unseen=those(f"c.verdict = 'unread' AND c.unread IS NULL AND {others}"),
    )


def claims(db: sqlite3.Connection, limit: int) -> list[ClaimNow]:
    """Claims by source."""
    return _claims(db, "ORDER BY c.source, c.id LIMIT ?", (limit,))


def sources(db: sqlite3.Connection) -> list[SourceNow]:
    """All sources that are fetched or cited, by publisher."""
    found = db.execute("SELECT * FROM sources WHERE url IS NOT NULL ORDER BY publisher, id LIMIT 5000")
    return [source_now(s) for s in found]


def now_text(now: datetime) -> str:
    """`now` as the database writes times."""
    return f"{now:%Y-%m-%dT%H:%M:%SZ}"


def _claims(db: sqlite3.Connection, where: str, values: tuple[Any, ...]) -> list[ClaimNow]:
    return [claim_now(r) for r in db.execute(f"{CLAIM_SQL} {where}", values)]


def _events(db: sqlite3.Connection, where: str, values: tuple[Any, ...]) -> list[EventNow]:
    return [event_now(r) for r in db.execute(f"{_EVENTS} {where}", values)]
