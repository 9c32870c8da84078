"""The rows of kb.db: one function for each table, and how values become text in a column."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any

from kb.claims.claim import Claim
from kb.claims.source import Source
from kb.judging.events import History
from kb.judging.verdict import Found, Verdict
from kb.reasons import Reason
from kb.snapshots.capture import Capture
from kb.store import schema

Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Seen:
    """One capture and what reading it came to: `reason` is None where it was read."""

    capture: Capture
    reason: Reason | None = None
    detail: str = ""

    @property
    def read(self) -> bool:
        """Whether it was read."""
        return self.reason is None


def claim_row(claim: Claim, source: Source, inputs: Sequence[str] | None) -> dict[str, Any]:
    """The columns that say what a claim states; those of its verdict come from its history."""
    own = "figure" if claim.kind == "formula" else claim.kind
    q = claim.quantity
    return {
        own: shown(claim.value),
        "id": claim.id,
        "source": source.id,
        "publisher": source.publisher or None,
        "kind": claim.kind,
        "subject": claim.subject,
        "attribute": claim.attribute or None,
        "complete": int(claim.complete) if claim.kind == "list" else None,
        "dimension": claim.dimension,
        "formula": claim.formula,
        "inputs": None if inputs is None else as_json(list(inputs)),
        "per": claim.per,
        "direction": claim.direction,
        "quote": claim.quote,
        "retrieved": claim.retrieved,
        "where": claim.where,
        "note": claim.note,
        "tags": as_json(sorted({*claim.tags, *source.tags})) if claim.tags or source.tags else None,
        "was": as_json([{"value": w.value, "until": w.until, "why": w.why} for w in claim.was])
        if claim.was
        else None,
        "accepted": as_json(
            {"found": claim.accepted.found, "on": claim.accepted.on, "why": claim.accepted.why}
        )
        if claim.accepted
        else None,
        "status": claim.status,
        "stated": stated_text(claim),
        "value": None if q is None else float(q.value),
        "high": None if q is None or q.high is None else float(q.high),
        "unit": None if q is None else q.unit,
        "file": claim.file or source.file or None,
        "line": claim.line or None,
    }


def source_row(source: Source, captures: Sequence[tuple[str, Seen]], default: int) -> Row:
    """A source with what its captures came to; `default` is the interval where it states none."""
    read = [s.capture for _, s in captures if s.read]
    unread: list[Seen] = []
    for _, one in captures:
        unread = [] if one.read else [*unread, one]
    every = source.check.every or default
    return (
        source.id,
        source.title or None,
        source.publisher or None,
        source.url,
        source.url_status,
        source.published,
        source.retrieved,
        source.role,
        source.check.every,
        int(source.check.browser),
        int(source.check.archive),
        source.check.off,
        as_json(list(source.tags)) if source.tags else None,
        source.note,
        source.file or None,
        len(source.claims),
        int(source.fetched),
        len(captures),
        read[-1].captured if read else None,
        captures[-1][1].capture.captured if captures else None,
        unread[-1].reason.value if unread and unread[-1].reason else None,
        unread[-1].detail or None if unread else None,
        unread[0].capture.captured if unread else None,
        len(unread) if unread else None,
        iso(read[-1].time + timedelta(seconds=2 * every)) if read else None,
    )


def capture_id(capture: Capture) -> str:
    """A capture's name: its time to the microsecond, and a digest of where it is from.

    Names sort by time, and never change when other captures come.
    """
    parts = (capture.requested, capture.captured, capture.digest, capture.file, str(capture.offset))
    tail = sha256("\n".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:10]
    return f"{time_id(capture.time)}-{tail}"


def time_id(time: datetime) -> str:
    """How a capture's name starts; the whole name of a formula's moment, which has no capture."""
    return f"{time:%Y%m%dT%H%M%S%f}"


def shown(value: Found) -> str | None:
    """A stated or found value as its column holds it: a list as JSON."""
    return as_json(list(value)) if isinstance(value, tuple) else value


def stated_text(claim: Claim) -> str:
    """What a claim states, in words for people."""
    if isinstance(claim.value, tuple):
        return ", ".join(claim.value)
    return f"no {claim.value}" if claim.kind == "absent" else claim.value


def state(claim: Claim, history: History | None) -> str:
    """What a claim asks of people, one of `schema.STATES`."""
    if claim.status == "proposed":
        return "proposed"
    if history is None:
        return "unchecked"
    if history.event is not None:
        return "confirmed"
    if history.accepted:
        return "accepted"
    if history.suspected:
        return "suspected"
    return history.outcome.value


def capture_row(name: str, seen: Seen) -> Row:
    """One capture, under the name that `capture_id` gives it."""
    c = seen.capture
    return (
        name,
        c.requested,
        c.url,
        c.captured,
        c.status,
        int(seen.read),
        seen.reason.value if seen.reason else None,
        seen.detail or None,
        c.digest or None,
        c.content_type,
        c.length,
        int(c.revisit),
        c.via,
        c.memento or None,
        c.run or None,
        c.file or None,
        c.offset,
    )


def run_rows(captures: Sequence[Row]) -> list[Row]:
    """The runs that made `captures`, which are in the order of time."""
    columns = list(schema.COLUMNS["captures"])
    run, at, read = columns.index("run"), columns.index("captured"), columns.index("read")
    groups: dict[str, list[Row]] = {}
    for row in captures:
        if row[run]:
            groups.setdefault(row[run], []).append(row)
    return [
        (
            name,
            rows[0][at],
            rows[-1][at],
            len(rows),
            sum(r[read] for r in rows),
            sum(1 - r[read] for r in rows),
        )
        for name, rows in sorted(groups.items())
    ]


def event_rows(claim: Claim, history: History | None) -> list[Row]:
    """The events of a claim; an id names the claim and when the event opened.

    What is only proposed has none: events are what people are told.
    """
    if claim.status == "proposed":
        return []
    claim_id = claim.id or ""
    return [
        (
            f"{claim_id}@{iso(e.opened)}",
            claim_id,
            iso(e.opened),
            iso(e.closed),
            e.how,
            shown(e.stated),
            e.outcome.value,
            e.reason.value,
            shown(e.found),
            iso(e.since),
            iso(e.updated),
            e.reopened,
            e.capture or None,
        )
        for e in (history.events if history else ())
    ]


PASSAGE = 600
"""Characters of a page that anybody may see around a figure; more only with `captures = "full"`."""


def evidence_json(verdict: Verdict, full: bool = False) -> str | None:
    """The evidence as its column holds it; cut to `PASSAGE`, unless `full`."""
    if verdict.evidence is None:
        return None
    said = verdict.evidence.to_json()
    return as_json(said if full else _cut(said, verdict.found))


def others_json(verdict: Verdict, full: bool = False) -> str | None:
    """What else was in the race, as its column holds it; cut likewise."""
    said = [o.to_json() for o in verdict.others]
    if not full:
        for other in said:
            if other["evidence"]:
                other["evidence"] = _cut(other["evidence"], other["found"])
    return as_json(said) if said else None


def _cut(evidence: dict[str, Any], found: Found | list[str]) -> dict[str, Any]:
    """The evidence with so much of each text as `PASSAGE` allows, the quote around the value."""
    quote = evidence["quote"]
    if len(quote) > PASSAGE:
        selector = evidence["selector"] or {"exact": ""}
        wanted = [found] if isinstance(found, str) else [*(found or ()), selector["exact"]]
        at = min((i for w in wanted if w and (i := quote.find(w)) >= 0), default=0)
        start = max(0, min(at - PASSAGE // 2, len(quote) - PASSAGE + 2))
        evidence = {**evidence, "quote": _elided(quote, start)}
    names = {n: _first(evidence[n]) for n in ("headings", "row", "column")}
    return {**evidence, **names, "selector": _short_selector(evidence["selector"])}


def _elided(quote: str, start: int) -> str:
    before = "…" if start else ""
    after = "…" if start + PASSAGE - len(before) < len(quote) else ""
    return f"{before}{quote[start : start + PASSAGE - len(before) - len(after)]}{after}"


def _first(texts: list[str]) -> list[str]:
    """The texts, so far as they have `PASSAGE` characters together."""
    kept, room = [], PASSAGE
    for text in texts:
        if room > 0:
            kept.append(text[:room])
        room -= len(text)
    return kept


def _short_selector(selector: dict[str, str] | None) -> dict[str, str] | None:
    """A selector of whole texts, or none: half of one would find nothing."""
    return None if selector is None or sum(map(len, selector.values())) > PASSAGE else selector


def passage_of(evidence: str | None) -> dict[str, str | None]:
    """What the columns `passage` and `link` take from the column `evidence`."""
    found = json.loads(evidence) if evidence else {}
    return {"passage": found.get("quote"), "link": found.get("link")}


def as_json(value: Any) -> str:
    """Compact JSON with letters as they are."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def iso(time: datetime | None) -> str | None:
    """ISO 8601 in UTC, with a Z."""
    return None if time is None else time.isoformat().replace("+00:00", "Z")
