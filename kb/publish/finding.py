"""Search: claims by words, and by a figure however it is spelled."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from fractions import Fraction

from kb.publish.queries import LISTED
from kb.quantity import Quantity, convert, quantities
from kb.store import ClaimNow
from kb.store.query import CLAIM_SQL, claim_now

_WORDS = 12  # more words than anybody types make a question dear

_BY_WORDS = " ".join(
    (
        CLAIM_SQL,
        "JOIN (SELECT rowid AS hit, rank FROM claims_fts WHERE claims_fts MATCH ? ORDER BY rank LIMIT ?)",
        "AS f ON f.hit = c.rowid ORDER BY f.rank, c.id",
    )
)

# The index leads from each unit to the next, so the claims themselves are not gone through.
_UNITS = """
WITH RECURSIVE known (unit) AS (
  SELECT min(unit) FROM claims WHERE unit IS NOT NULL
  UNION ALL
  SELECT (SELECT min(unit) FROM claims WHERE unit > known.unit) FROM known WHERE known.unit IS NOT NULL
)
SELECT unit FROM known WHERE unit IS NOT NULL LIMIT 2000
"""

_BY_SOURCE = "SELECT id FROM sources WHERE {} ORDER BY id LIMIT 20"
_HAS_WORD = "instr(lower(coalesce(title, '') || ' ' || coalesce(url, '')), ?)"
_OF_SOURCE = f"{CLAIM_SQL} WHERE c.source = ? ORDER BY c.id LIMIT {LISTED}"

_BY_FIGURE = f"{CLAIM_SQL} WHERE c.unit = ? AND c.value BETWEEN ? AND ?"
_WITH_WORDS = " AND c.rowid IN (SELECT rowid FROM claims_fts WHERE claims_fts MATCH ?)"
_NEAR = 1e-9  # the column holds floats


def search(db: sqlite3.Connection, asked: str) -> list[ClaimNow]:
    """Claims that state the figure in `asked` and have its other words; then those that have all its words;
    then those of sources that have them in title or address.

    Nothing in `asked` is an operator.
    """
    asked = " ".join(asked.replace("\x00", " ").split()[:_WORDS])
    found: dict[str, ClaimNow] = {}
    figure = _figure(asked)
    if figure is not None:
        rest = re.sub(r"(?i)\bper\b|/", " ", f"{asked[: figure.start]} {asked[figure.end :]}")
        for claim in _by_figure(db, figure, _match(rest)):
            found[claim.id] = claim
    words = _match(asked)
    if words and len(found) < LISTED:
        for row in db.execute(_BY_WORDS, (words, LISTED)):
            found.setdefault(row["id"], claim_now(row))
    for claim in _by_source(db, asked) if len(found) < LISTED else ():
        found.setdefault(claim.id, claim)
    return list(found.values())[:LISTED]


def _by_source(db: sqlite3.Connection, asked: str) -> Iterator[ClaimNow]:
    words = [w.lower() for w in asked.split() if any(c.isalnum() for c in w)]
    if words:
        sql = _BY_SOURCE.format(" AND ".join([_HAS_WORD] * len(words)))
        for (source,) in db.execute(sql, words).fetchall():
            yield from (claim_now(r) for r in db.execute(_OF_SOURCE, (source,)))


def _figure(asked: str) -> Quantity | None:
    """The first figure with a unit among the words."""
    return next((q for q in quantities(asked) if q.unit), None)


def _by_figure(db: sqlite3.Connection, figure: Quantity, words: str) -> list[ClaimNow]:
    out: list[ClaimNow] = []
    for (unit,) in db.execute(_UNITS).fetchall():
        there = convert(Fraction(figure.value), figure.unit, unit)
        if there is None:
            continue
        value = float(there)
        near = abs(value) * _NEAR
        sql = f"{_BY_FIGURE}{_WITH_WORDS if words else ''} ORDER BY c.id LIMIT {LISTED}"
        values = [unit, value - near, value + near, *([words] if words else [])]
        out += [claim_now(r) for r in db.execute(sql, values)]
    return sorted(out, key=lambda c: c.id)


def _match(words: str) -> str:
    """All of the words, for the full-text index; the last may be half written."""
    terms = ['"' + w.replace('"', '""') + '"' for w in words.split() if any(c.isalnum() for c in w)]
    return " ".join(terms) + "*" if terms else ""
