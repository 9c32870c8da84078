"""Claims as a spreadsheet's CSV, which `kb verify --cases` reads back."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from typing import TYPE_CHECKING

from kb.claims import Claim, ClaimSet, Source

if TYPE_CHECKING:
    from kb.store import ClaimNow

COLUMNS = (
    *("id", "url", "subject", "attribute", "figure", "date", "text", "list", "complete", "absent"),
    *("dimension", "per", "direction", "quote", "retrieved", "where"),
    *("formula", "publisher", "title", "note", "tags", "verdict", "reason", "found", "since"),
)
"""The keys of a case first, then what is for people only."""

_STARTS = ("=", "+", "-", "@", "\t", "\r")


def as_csv(claims: ClaimSet, chosen: list[Claim], now: Mapping[str, ClaimNow]) -> str:
    """One row for each claim, with a header; lists are joined by `|`.

    A cell that a spreadsheet would take for a formula begins with an apostrophe:
    quotes and found values are other people's words.
    """
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, lineterminator="\r\n")
    writer.writeheader()
    for claim in chosen:
        row = _row(claim, claims.source(claim.source_id or ""), now.get(claim.id or ""))
        writer.writerow({k: _safe(v) for k, v in row.items() if v})
    return out.getvalue()


def _row(claim: Claim, source: Source, present: ClaimNow | None) -> dict[str, str | None]:
    value = claim.value if isinstance(claim.value, str) else "|".join(claim.value)
    row = {
        "id": claim.id,
        "url": source.url,
        "figure" if claim.kind == "formula" else claim.kind: value,
        "complete": "true" if claim.complete else None,
        "publisher": source.publisher,
        "title": source.title,
        "tags": "|".join(claim.tags),
    }
    names = ("subject", "attribute", "dimension", "per", "direction", "quote", "retrieved", "where")
    row |= {name: getattr(claim, name) for name in (*names, "formula", "note")}
    if present:
        row |= {"verdict": present.verdict, "reason": present.reason, "since": present.since}
        row["found"] = present.found_text
    return row


def _safe(text: str) -> str:
    return f"'{text}" if text.startswith(_STARTS) else text
