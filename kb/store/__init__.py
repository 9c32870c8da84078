"""Claims, captures and verdicts as kb.db, and kb.db as typed rows."""

from kb.store.build import BuildInput, write_database
from kb.store.extend import Extension, extend_database, judged_before
from kb.store.query import About, ClaimNow, EventNow, Rows, SourceNow, open_rows
from kb.store.rows import Seen
from kb.store.schema import marks

__all__ = [
    "About",
    "BuildInput",
    "ClaimNow",
    "EventNow",
    "Extension",
    "Rows",
    "Seen",
    "SourceNow",
    "extend_database",
    "judged_before",
    "marks",
    "open_rows",
    "write_database",
]
