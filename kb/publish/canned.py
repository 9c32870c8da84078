"""Ready questions about kb.db that everybody may ask through Datasette."""

from __future__ import annotations

from typing import Any

CANNED: dict[str, Any] = {
    "changes": {
        "title": "Confirmed changes, newest first",
        "sql": "SELECT claim AS id, opened, closed, how, stated, found, verdict, reason FROM events "
        "ORDER BY opened DESC LIMIT 200",
    },
    "history": {
        "title": "All readings of one claim",
        "sql": "SELECT captured, verdict, reason, stated, found, score FROM verdicts "
        "WHERE claim = :claim ORDER BY capture DESC",
    },
    "longest_unread": {
        "title": "Sources that could not be read, the longest first",
        "sql": "SELECT id, publisher, url, reason, since, tries, last_read, claims FROM unread_sources "
        "ORDER BY since LIMIT 200",
    },
    "values_of": {
        "title": "What sources state for one subject",
        "sql": "SELECT id, attribute, stated, per, direction, publisher, verdict, found FROM claims_now "
        "WHERE subject = :subject ORDER BY attribute, id",
    },
}
"""Queries that everybody may run, by name."""
