"""Claims, captures and verdicts as kb.db, and kb.db as typed rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kb.later import later
from kb.store.query import About, ClaimNow, EventNow, Rows, SourceNow, open_rows
from kb.store.schema import marks
from kb.store.tally import Tally

if TYPE_CHECKING:
    from kb.store.build import BuildInput, write_database
    from kb.store.extend import Extension, extend_database, judged_before
    from kb.store.rows import Seen
    from kb.store.swap import Stamp, stamp_of

__all__ = [
    "About",
    "BuildInput",
    "ClaimNow",
    "EventNow",
    "Extension",
    "Rows",
    "Seen",
    "SourceNow",
    "Stamp",
    "Tally",
    "extend_database",
    "judged_before",
    "marks",
    "open_rows",
    "stamp_of",
    "write_database",
]

__getattr__ = later(
    __name__,
    {
        "build": ("BuildInput", "write_database"),
        "extend": ("Extension", "extend_database", "judged_before"),
        "rows": ("Seen",),
        "swap": ("Stamp", "stamp_of"),
    },
)
"""What loads the claims, the judge and the archive: on first use, as reading needs none."""
