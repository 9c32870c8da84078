"""Counts over kb.db by SQL alone, so that a knowledge base of any size is greeted at once."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from datetime import UTC, datetime


@dataclass(frozen=True, slots=True)
class Tally:
    """How things stand at one moment: the lengths of the groups that `report.Summary` lists.

    Attributes:
        name: the knowledge base's.
        every: seconds between checks where a source says nothing.
        last_run: when the newest run started, ISO 8601 in UTC; None where there was none.
        claims: all that something is fetched for; `unchecked` are the others.
        checked: those whose newest capture was read.
        sources: all that are fetched.
        read: those whose newest capture was read.
        holds: claims that hold by their present verdict.
        confirmed: claims with an open event.
        suspected: claims with a change that is not confirmed.
        unclear: claims that a person must look at.
        unread: claims whose newest capture was not read.
        unseen: claims that were never asked for.
        stale: claims last read longer ago than twice their interval.
        proposed: claims that nobody has reviewed yet, which no other count has in it.
    """

    name: str
    every: int
    last_run: str | None
    claims: int
    unchecked: int
    checked: int
    sources: int
    read: int
    holds: int
    confirmed: int
    suspected: int
    unclear: int
    unread: int
    unseen: int
    stale: int
    proposed: int


_CLAIMS = """
SELECT
  count(c.verdict) AS claims,
  sum(c.verdict IS NULL) AS unchecked,
  sum(c.verdict IS 'holds') AS holds,
  sum(c.verdict IS NOT NULL AND c.id IN (SELECT claim FROM events WHERE closed IS NULL)) AS confirmed,
  sum(c.state IS 'suspected') AS suspected,
  sum(c.state IS 'unclear') AS unclear,
  sum(c.verdict IS NOT NULL AND c.unread IS NOT NULL) AS unread,
  sum(c.verdict IS 'unread' AND c.unread IS NULL) AS unseen,
  sum(c.verdict IS NOT NULL AND julianday(c.stale_after) < julianday(?)) AS stale
FROM claims AS c WHERE c.status IS NOT 'proposed'
"""

_SOURCES = """
SELECT count(*) AS sources, sum(captured IS NOT NULL AND unread IS NULL) AS read
FROM sources WHERE fetched
"""

_PROPOSED = "SELECT count(*) AS proposed FROM claims WHERE status IS 'proposed'"


def tally(db: sqlite3.Connection, now: datetime) -> Tally:
    """Count the claims and sources of kb.db at `now`, which is aware."""
    about = dict(db.execute("SELECT name, value FROM about").fetchall())
    moment = now.astimezone(UTC).isoformat().replace("+00:00", "Z")
    counts: dict[str, int] = {}
    asked = (db.execute(_CLAIMS, (moment,)), db.execute(_SOURCES), db.execute(_PROPOSED))
    for row in (cursor.fetchone() for cursor in asked):
        counts |= {name: row[name] or 0 for name in row.keys()}  # noqa: SIM118 - a Row is no dict
    return Tally(
        name=about["name"],
        every=int(about["every"]),
        last_run=db.execute("SELECT max(started) FROM runs").fetchone()[0],
        checked=counts["claims"] - counts["unread"] - counts["unseen"],
        **counts,
    )
