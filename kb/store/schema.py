"""kb.db: its tables, views and indexes, and how a file is told to be one."""

from __future__ import annotations

from pathlib import Path

APPLICATION_ID = 0x6B626462  # "kbdb"
USER_VERSION = 3
"""Raised whenever a table or view changes; a file with another one is built anew."""

TABLES = ("sources", "claims", "captures", "runs", "verdicts", "events")
VIEWS = ("claims_now", "drift", "to_review", "unread_sources", "by_publisher")

STATES = (
    "holds",
    "confirmed",
    "suspected",
    "accepted",
    "unclear",
    "unread",
    "unchecked",
    "proposed",
)
"""What a claim asks of people: `confirmed` has an open event, `suspected` a change not confirmed yet,
`proposed` waits for a person to read it, whatever its page says."""

COLUMNS: dict[str, dict[str, str]] = {
    "sources": {
        "id": "TEXT PRIMARY KEY",
        "title": "TEXT",
        "publisher": "TEXT",
        "url": "TEXT",
        "url_status": "TEXT",
        "published": "TEXT",
        "retrieved": "TEXT",
        "role": "TEXT",
        "every": "INTEGER",
        "browser": "INTEGER",
        "archive": "INTEGER",
        "off": "TEXT",
        "tags": "TEXT",
        "note": "TEXT",
        "file": "TEXT",
        "claims": "INTEGER",
        "fetched": "INTEGER",
        "captures": "INTEGER",
        "captured": "TEXT",
        "tried": "TEXT",
        "unread": "TEXT",
        "unread_detail": "TEXT",
        "unread_since": "TEXT",
        "unread_tries": "INTEGER",
        "stale_after": "TEXT",
    },
    "claims": {
        "id": "TEXT PRIMARY KEY",
        "source": "TEXT REFERENCES sources(id)",
        "publisher": "TEXT",
        "kind": "TEXT",
        "subject": "TEXT",
        "attribute": "TEXT",
        "figure": "TEXT",
        "date": "TEXT",
        "text": "TEXT",
        "list": "TEXT",
        "complete": "INTEGER",
        "absent": "TEXT",
        "dimension": "TEXT",
        "formula": "TEXT",
        "inputs": "TEXT",
        "per": "TEXT",
        "direction": "TEXT",
        "quote": "TEXT",
        "retrieved": "TEXT",
        "where": "TEXT",
        "note": "TEXT",
        "tags": "TEXT",
        "was": "TEXT",
        "accepted": "TEXT",
        "status": "TEXT",
        "stated": "TEXT",
        "value": "REAL",
        "high": "REAL",
        "unit": "TEXT",
        "verdict": "TEXT",
        "reason": "TEXT",
        "detail": "TEXT",
        "found": "TEXT",
        "score": "REAL",
        "state": "TEXT",
        "confirmed": "INTEGER",
        "since": "TEXT",
        "changed_from": "TEXT",
        "changed_to": "TEXT",
        "captured": "TEXT",
        "digest": "TEXT",
        "stale_after": "TEXT",
        "unread": "TEXT",
        "unread_since": "TEXT",
        "unread_tries": "INTEGER",
        "passage": "TEXT",
        "link": "TEXT",
        "evidence": "TEXT",
        "others": "TEXT",
        "capture": "TEXT REFERENCES captures(id)",
        "file": "TEXT",
        "line": "INTEGER",
    },
    "captures": {
        "id": "TEXT PRIMARY KEY",
        "requested": "TEXT",
        "url": "TEXT",
        "captured": "TEXT",
        "status": "INTEGER",
        "read": "INTEGER",
        "reason": "TEXT",
        "detail": "TEXT",
        "digest": "TEXT",
        "type": "TEXT",
        "length": "INTEGER",
        "revisit": "INTEGER",
        "via": "TEXT",
        "memento": "TEXT",
        "run": "TEXT REFERENCES runs(id)",
        "file": "TEXT",
        "offset": "INTEGER",
    },
    "runs": {
        "id": "TEXT PRIMARY KEY",
        "started": "TEXT",
        "ended": "TEXT",
        "captures": "INTEGER",
        "read": "INTEGER",
        "unread": "INTEGER",
    },
    "verdicts": {
        "claim": "TEXT REFERENCES claims(id)",
        "capture": "TEXT REFERENCES captures(id)",
        "captured": "TEXT",
        "stated": "TEXT",
        "verdict": "TEXT",
        "reason": "TEXT",
        "detail": "TEXT",
        "found": "TEXT",
        "score": "REAL",
        "digest": "TEXT",
        "evidence": "TEXT",
        "others": "TEXT",
    },
    "events": {
        "id": "TEXT PRIMARY KEY",
        "claim": "TEXT REFERENCES claims(id)",
        "opened": "TEXT",
        "closed": "TEXT",
        "how": "TEXT",
        "stated": "TEXT",
        "verdict": "TEXT",
        "reason": "TEXT",
        "found": "TEXT",
        "since": "TEXT",
        "updated": "TEXT",
        "reopened": "INTEGER",
        "capture": "TEXT REFERENCES captures(id)",
    },
    # What a page says, one for each address; filled with `captures = "full"` alone, and shown by a page
    # of the site's own, so not among the tables.
    "texts": {"url": "TEXT PRIMARY KEY", "capture": "TEXT", "text": "TEXT"},
    # How the rows came to be: not data about claims, and hidden from the list of tables.
    "about": {"name": "TEXT PRIMARY KEY", "value": "TEXT"},
}
"""Table to column to SQL type. Lists, `was`, `accepted`, `evidence` and `others` are JSON."""

_SUFFIX = {"verdicts": ", PRIMARY KEY (claim, capture)"}

# Verdicts lie in the order of claim and time, which is the order in which they are asked for.
_OPTIONS = {"verdicts": " WITHOUT ROWID"}

INDEXES = """
CREATE INDEX claims_source ON claims (source);
CREATE INDEX claims_publisher ON claims (publisher);
CREATE INDEX claims_state ON claims (state, verdict, unread, stale_after);
CREATE INDEX claims_verdict ON claims (verdict);
CREATE INDEX claims_kind ON claims (kind);
CREATE INDEX claims_subject ON claims (subject, attribute);
CREATE INDEX claims_figure ON claims (unit, value) WHERE unit IS NOT NULL;
CREATE INDEX claims_stale ON claims (stale_after);
CREATE INDEX claims_unread ON claims (unread) WHERE unread IS NOT NULL;
CREATE INDEX sources_publisher ON sources (publisher);
CREATE INDEX sources_url ON sources (url);
CREATE INDEX captures_requested ON captures (requested, captured);
CREATE INDEX captures_run ON captures (run);
CREATE INDEX events_claim ON events (claim, opened);
CREATE INDEX events_opened ON events (opened);
CREATE INDEX events_closed ON events (closed);
"""

# Full text search reads what we state, and the evidence beside it.
SEARCH = """
CREATE VIRTUAL TABLE claims_fts USING fts5 (
  id, subject, attribute, stated, per, publisher, quote, passage, found, note,
  content="claims", tokenize="porter unicode61 remove_diacritics 2"
);
INSERT INTO claims_fts (claims_fts) VALUES ('rebuild');
"""

_VIEW_SQL = """
CREATE VIEW claims_now AS
SELECT c.id, c.publisher, c.subject, c.attribute, c.stated, c.per, c.direction, c.kind,
  c.verdict, c.reason, c.detail, c.found, c.state, c.confirmed, c.score, c.captured, c.since,
  c.changed_from, c.changed_to, c.stale_after, c.unread, c.unread_since, c.unread_tries,
  c.passage AS evidence, c.link, c.source, s.title, s.url, c.retrieved, c.tags
FROM claims AS c LEFT JOIN sources AS s ON s.id = c.source;

CREATE VIEW drift AS
SELECT e.claim AS id, c.publisher, c.subject, c.attribute, e.stated, e.found, c.per, c.direction,
  e.verdict, e.reason, e.opened, e.since, e.updated, e.reopened,
  c.verdict AS verdict_now, c.found AS found_now, c.passage AS evidence, c.link,
  c.source, s.title, s.url
FROM events AS e JOIN claims AS c ON c.id = e.claim LEFT JOIN sources AS s ON s.id = c.source
WHERE e.closed IS NULL;

CREATE VIEW to_review AS
SELECT c.id, c.publisher, c.subject, c.attribute, c.stated, c.per, c.direction, c.state AS why,
  c.verdict, c.reason, c.detail, c.found, c.captured, c.since, c.unread, c.unread_since,
  c.unread_tries, c.passage AS evidence, c.link, c.source, s.title, s.url
FROM claims AS c LEFT JOIN sources AS s ON s.id = c.source
WHERE c.state IN ('suspected', 'unclear', 'unread', 'proposed') OR c.unread IS NOT NULL;

CREATE VIEW unread_sources AS
SELECT id, publisher, title, url, unread AS reason, unread_detail AS detail, unread_since AS since,
  unread_tries AS tries, captured AS last_read, claims
FROM sources WHERE fetched AND (captured IS NULL OR unread IS NOT NULL);

CREATE VIEW by_publisher AS
SELECT publisher, count(*) AS claims, count(DISTINCT source) AS sources,
  sum(said IS 'holds') AS holds, sum(said IS 'drifted') AS drifted, sum(said IS 'gone') AS gone,
  sum(said IS 'unclear') AS unclear, sum(said IS 'unread') AS unread,
  sum(state IS 'suspected') AS suspected, sum(said IS NULL) AS unchecked, sum(said IS 'proposed') AS proposed
FROM (
  SELECT publisher, source, state, iif(state IS 'proposed', state, verdict) AS said FROM claims
) GROUP BY publisher;
"""


def table_sql() -> str:
    """The statements that make the empty tables."""
    out = []
    for table, columns in COLUMNS.items():
        body = ",\n  ".join(f'"{name}" {kind}' for name, kind in columns.items())
        out.append(f"CREATE TABLE {table} (\n  {body}{_SUFFIX.get(table, '')}\n){_OPTIONS.get(table, '')};")
    return "\n".join(out)


def finish_sql() -> str:
    """The statements that follow when the rows are in: indexes, search, views."""
    return INDEXES + SEARCH + _VIEW_SQL


def insert_sql(table: str) -> str:
    """The statement that adds one row of `table`, its columns in order."""
    columns = COLUMNS[table]
    names = ", ".join(f'"{c}"' for c in columns)
    # S608: the names are those above.
    return f"INSERT INTO {table} ({names}) VALUES ({', '.join('?' * len(columns))})"  # noqa: S608


def marks(path: Path) -> tuple[int, int] | None:
    """The `application_id` and `user_version` of an SQLite file; None where it is none.

    Reads the file's first bytes alone, so nothing is locked or changed.
    """
    try:
        with path.open("rb") as file:
            head = file.read(100)
    except OSError:
        return None
    if len(head) < 100 or not head.startswith(b"SQLite format 3\x00"):
        return None
    return int.from_bytes(head[68:72], "big"), int.from_bytes(head[60:64], "big")
