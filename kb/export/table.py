"""Claims as a spreadsheet's CSV, which `kb verify --cases` and `kb add --from` read back."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from kb.claims import Check, Claim, ClaimSet, Source

if TYPE_CHECKING:
    from kb.store import ClaimNow

CLAIM_COLUMNS = (
    *("id", "url", "subject", "attribute", "figure", "date", "text", "list", "complete", "absent"),
    *("dimension", "per", "direction", "quote", "retrieved", "where", "formula", "publisher", "title"),
    *("note", "tags", "status", "was", "accepted"),
)
"""What a claim states and where, the keys of a case first; `title` and `publisher` are the source's."""

NOW_COLUMNS = ("verdict", "reason", "found", "since")
"""What kb.db says of it, for people only."""

SOURCE_COLUMNS = {
    "role": "role",
    "url_status": "url_status",
    "published": "published",
    "source_retrieved": "retrieved",
    "source_note": "note",
    "source_tags": "tags",
    "check": "check",
}
"""The source's other keys, by the column that has them."""

COLUMNS = (*CLAIM_COLUMNS, *NOW_COLUMNS, *SOURCE_COLUMNS)

_FORMULA = re.compile(r"'*[=+\-@\t\r]")


def as_csv(claims: ClaimSet, chosen: list[Claim], now: Mapping[str, ClaimNow]) -> str:
    """One row for each claim, with a header; lists are joined by `|`, or JSON where a member has one.

    A cell that a spreadsheet would take for a formula begins with an apostrophe:
    quotes and found values are other people's words.
    """
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, lineterminator="\r\n")
    writer.writeheader()
    for claim in chosen:
        row = claim_row(claim, claims.source(claim.source_id or ""))
        present = now.get(claim.id or "")
        if present:
            found = {"verdict": present.verdict, "reason": present.reason, "since": present.since}
            row |= {k: v for k, v in {**found, "found": present.found_text}.items() if v}
        writer.writerow({k: guarded(v) for k, v in row.items()})
    return out.getvalue()


def claim_row(claim: Claim, source: Source) -> dict[str, str]:
    """A claim and its source by column, without what is empty; `was`, `accepted` and `check` as in YAML."""
    from kb.claims.write import accepted_pairs, check_pairs, flow_mapping, was_pairs  # start-up time

    stated_by = "figure" if claim.kind == "formula" else claim.kind
    row: dict[str, str | None] = {
        "id": claim.id,
        "url": source.url,
        stated_by: claim.value if isinstance(claim.value, str) else joined(claim.value),
        "complete": "true" if claim.complete else None,
        "publisher": source.publisher,
        "title": source.title,
        "tags": joined(claim.tags),
    }
    names = ("subject", "attribute", "dimension", "per", "direction", "quote", "retrieved", "where")
    row |= {name: getattr(claim, name) for name in (*names, "formula", "note", "status")}
    if claim.was:
        row["was"] = "[" + ", ".join(flow_mapping(was_pairs(w, stated_by)) for w in claim.was) + "]"
    if claim.accepted:
        row["accepted"] = flow_mapping(accepted_pairs(claim.accepted))
    row |= {column: getattr(source, key) for column, key in SOURCE_COLUMNS.items() if key != "check"}
    row["source_tags"] = joined(source.tags)
    row["check"] = flow_mapping(check_pairs(source.check)) if source.check != Check() else None
    return {column: row[column] or "" for column in COLUMNS if row.get(column)}


def joined(members: tuple[str, ...]) -> str:
    """Members joined by `|`; as JSON where that would not read back."""
    plain = not any("|" in m or m != m.strip() or not m for m in members)
    if plain and not "|".join(members).startswith("["):
        return "|".join(members)
    return json.dumps(members, ensure_ascii=False)


def parted(text: str) -> tuple[str, ...]:
    """The members that `joined` wrote, or that a person joined by `|`."""
    if text.startswith("["):
        try:
            members = json.loads(text)
        except ValueError:
            members = None
        if isinstance(members, list) and all(isinstance(m, str) for m in members):
            return tuple(members)
    return tuple(m.strip() for m in text.split("|"))


def guarded(text: str) -> str:
    """A cell that no spreadsheet takes for a formula: with an apostrophe before what would begin one."""
    return f"'{text}" if _FORMULA.match(text) else text


def unguarded(text: str) -> str:
    """The text of a guarded cell."""
    return text[1:] if text.startswith("'") and _FORMULA.match(text) else text
