"""Claims, captures and verdicts as kb.db, and kb.db as typed rows."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from kb.store.query import About, ClaimNow, EventNow, Rows, SourceNow, open_rows
from kb.store.schema import marks
from kb.store.tally import Tally

if TYPE_CHECKING:
    from kb.store.build import BuildInput, write_database
    from kb.store.extend import Extension, extend_database, judged_before
    from kb.store.rows import Seen
    from kb.store.swap import Stamp, stamp_of

_LATER = {
    "BuildInput": "build",
    "Extension": "extend",
    "Seen": "rows",
    "extend_database": "extend",
    "judged_before": "extend",
    "Stamp": "swap",
    "stamp_of": "swap",
    "write_database": "build",
}
"""Names whose modules load the claims, the judge and the archive: on first use, as reading needs none."""

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


def __getattr__(name: str) -> Any:
    if name in _LATER:
        return getattr(importlib.import_module(f"kb.store.{_LATER[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
