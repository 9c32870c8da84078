"""Writing kb.db: claims, captures and verdicts go in, and their histories are told on the way.

A pure function of its input: equal input gives equal rows, on any day. The file
is written beside the old one and takes its place when it is whole.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

from kb.claims.claim import Claim
from kb.claims.source import Source
from kb.judging.events import Confirm, History, Reading
from kb.judging.history import tell
from kb.judging.stated import found_key, in_force
from kb.judging.verdict import Found, Verdict
from kb.reasons import Outcome, Reason
from kb.snapshots.capture import Capture
from kb.store import rows, schema
from kb.store.rows import Row, Seen
from kb.store.swap import Stamp, swapped_in


@dataclass(frozen=True, slots=True)
class BuildInput:
    """All that kb.db is made from.

    Attributes:
        sources: all, with their claims.
        captures: of each requested URL, in any order; none may be missing that a verdict names. May be
            filled while `verdicts` is gone through, and is looked at afterwards.
        verdicts: claim id, capture, verdict, in any order; each pair once. What a capture that
            was not read means for its source's claims follows from `captures`, so such verdicts
            are needed for formulas alone, which may come without a capture, their own
            `captured` saying when. Consumed once, as a stream.
        confirm: the rule of confirmation.
        every: the default interval, in seconds.
        mode: what the public sees of a capture: `quote` or `full`.
        texts: with `full`, what pages say: URL, capture, text. Consumed once.
        name: of the knowledge base, for titles.
    """

    sources: Sequence[Source]
    captures: Mapping[str, Sequence[Seen]]
    verdicts: Iterable[tuple[str, Capture | None, Verdict]] = ()
    confirm: Confirm = field(default_factory=Confirm)
    every: int = 7 * 86400
    mode: str = "quote"
    texts: Iterable[tuple[str, Capture, str]] = ()
    name: str = ""


def write_database(path: Path, build: BuildInput) -> Stamp:
    """Write kb.db at `path`, in place of the one that may be there; the stamp of the new one.

    Raises:
        StoreError: the file cannot be written; the old one is as it was.
    """
    with swapped_in(path) as swap:
        _write(swap.db, build)
    return swap.stamp


def _write(db: sqlite3.Connection, build: BuildInput) -> None:
    for pragma in (
        "cache_size = -65536",
        f"application_id = {schema.APPLICATION_ID}",
        f"user_version = {schema.USER_VERSION}",
    ):
        db.execute(f"PRAGMA {pragma}")
    db.executescript(schema.table_sql())
    db.execute("BEGIN")
    writer = Writer(db, build)
    writer.verdicts()
    writer.sources_and_claims()
    writer.texts()
    writer.about()
    db.execute("COMMIT")
    db.executescript(schema.finish_sql())


class Writer:
    """Holds what the tables have in common while they are written."""

    def __init__(self, db: sqlite3.Connection, build: BuildInput) -> None:
        self.db = db
        self.build = build
        self.sources = sorted(build.sources, key=lambda s: s.id)
        self.claims: dict[str, Claim] = {}
        self.source_of: dict[str, Source] = {}
        for source in self.sources:
            for claim in source.claims:
                if claim.id is not None:
                    self.claims[claim.id] = claim
                    self.source_of[claim.id] = source
        self.seen: dict[str, list[tuple[str, Seen]]] = {}
        self.told: dict[int, tuple[Capture, str, str]] = {}  # by id(), with the object, so that it stays
        self.stated = {i: rows.shown(c.value) for i, c in self.claims.items()}
        self.inputs: dict[str, tuple[str, ...]] = {
            i: _inputs(c.formula) for i, c in self.claims.items() if c.formula
        }
        self.checked = {i: self._is_checked(i) for i in self.claims}

    # -- captures and runs ----------------------------------------------------------------

    def captures(self) -> None:
        """Write the tables `captures` and `runs`."""
        lines = self._capture_rows()
        self._insert("captures", lines)
        self._insert("runs", rows.run_rows(lines))

    def _capture_rows(self) -> list[Row]:
        """The rows of the captures, sorted, which are noted in `seen` by their URL."""
        lines: list[Row] = []
        for url, all_seen in self.build.captures.items():
            named = sorted(((self._named(s.capture)[0], s) for s in all_seen), key=_by_time)
            self.seen[url] = named
            lines += (rows.capture_row(name, seen) for name, seen in named)
        lines.sort()
        return lines

    # -- verdicts -------------------------------------------------------------------------

    def verdicts(self) -> None:
        """Write the table `verdicts`, and with it `captures` and `runs`, which may be known only then."""
        self._insert("verdicts", self._judged_rows())
        self.captures()
        self._insert("verdicts", self._unread_rows())

    def _unread_rows(self) -> Iterator[Row]:
        for source in self.sources:
            if source.fetched and source.url:
                unread = [(n, s) for n, s in self.seen.get(source.url, ()) if not s.read]
                for claim in source.claims:
                    if claim.kind != "formula" and claim.id is not None:
                        for name, seen in unread:
                            yield self._unread_row(claim, name, seen)

    def _judged_rows(self) -> Iterator[Row]:
        # Captures with the same bytes share what was found, which is told once.
        evidence, found, told = None, None, None
        for claim_id, capture, verdict in self.build.verdicts:
            known = self.claims.get(claim_id)
            if (
                known is None
                or not self.checked[claim_id]
                or (verdict.outcome is Outcome.UNREAD and known.kind != "formula")
            ):
                continue
            captured = verdict.captured or ""
            if capture is not None:
                name, captured = self._named(capture)
            else:
                name = rows.time_id(datetime.fromisoformat(captured))
            if verdict.evidence is not evidence or verdict.found is not found:
                evidence, found = verdict.evidence, verdict.found
                told = rows.evidence_json(verdict, self.build.mode == "full")
            yield (
                claim_id,
                name,
                captured,
                self._stated(known, datetime.fromisoformat(captured) if known.was else None),
                verdict.outcome.value,
                verdict.reason.value,
                verdict.detail,
                rows.shown(verdict.found),
                round(verdict.score, 4),
                capture.digest or None if capture else verdict.digest,
                told,
                rows.others_json(verdict, self.build.mode == "full"),
            )

    def _named(self, capture: Capture) -> tuple[str, str]:
        """A capture's id and time; made once for each, as a digest for each verdict would cost."""
        known = self.told.get(id(capture))
        if known is None:
            known = capture, rows.capture_id(capture), capture.captured
            self.told[id(capture)] = known
        return known[1:]

    def _unread_row(self, claim: Claim, name: str, seen: Seen) -> Row:
        capture = seen.capture
        return (
            claim.id,
            name,
            capture.captured,
            self._stated(claim, capture.time),
            Outcome.UNREAD.value,
            seen.reason.value if seen.reason else None,
            seen.detail,
            None,
            0.0,
            capture.digest or None,
            None,
            None,
        )

    def _stated(self, claim: Claim, time: datetime | None) -> str | None:
        was = in_force(claim, time.astimezone(UTC).date()) if time and claim.was else None
        return self.stated[claim.id or ""] if was is None else rows.shown(was.value)

    # -- claims and sources ---------------------------------------------------------------

    def sources_and_claims(self) -> None:
        """Write the tables `sources`, `claims` and `events`; needs the verdicts."""
        histories = self._histories()
        fresh = self._freshness(histories)
        claims: list[Row] = []
        events: list[Row] = []
        for claim_id in sorted(self.claims):
            history = histories.get(claim_id)
            row = rows.claim_row(self.claims[claim_id], self.source_of[claim_id], self.inputs.get(claim_id))
            row["state"] = rows.state(self.claims[claim_id], history)
            row["stale_after"] = rows.iso(fresh.get(claim_id))
            if history is not None:
                row |= self._present(claim_id, history)
            claims.append(tuple(row.get(column) for column in schema.COLUMNS["claims"]))
            events += rows.event_rows(self.claims[claim_id], history)
        self._insert(
            "sources",
            (rows.source_row(s, self._captures_of(s), self.build.every) for s in self.sources),
        )
        self._insert("claims", claims)
        self._insert("events", events)

    def _captures_of(self, source: Source) -> Sequence[tuple[str, Seen]]:
        return self.seen.get(source.url, ()) if source.fetched and source.url else ()

    def _is_checked(self, claim_id: str) -> bool:
        """Whether anything is fetched for it; a formula lives on its inputs."""
        claim = self.claims.get(claim_id)
        if claim is None:
            return False
        if claim.kind == "formula":
            return any(self._is_checked(i) for i in self.inputs.get(claim_id, ()))
        return self.source_of[claim_id].fetched

    def _every(self, claim_id: str) -> timedelta:
        return timedelta(seconds=self.source_of[claim_id].check.every or self.build.every)

    def _histories(self) -> dict[str, History]:
        """Of every checked claim. Goes through the verdicts in the order in which they lie."""
        out: dict[str, History] = {}
        cursor = self.db.execute(
            "SELECT claim, capture, captured, verdict, reason, found FROM verdicts ORDER BY claim, capture"
        )
        for claim_id, lines in groupby(cursor, key=itemgetter(0)):
            claim = self.claims[claim_id]
            readings = [reading_of(claim, row) for row in lines]
            out[claim_id] = tell(claim, readings, self.build.confirm, self._every(claim_id))
        for claim_id, claim in self.claims.items():
            if claim_id not in out and self.checked[claim_id]:
                out[claim_id] = tell(claim, ())
        return out

    def _bases(self, claim_id: str) -> set[str]:
        """The claims at the bottom of a formula."""
        out: set[str] = set()
        for name in self.inputs.get(claim_id, ()):
            out |= self._bases(name) if name in self.inputs else {name}
        return out

    def _freshness(self, histories: Mapping[str, History]) -> dict[str, datetime | None]:
        """When each claim becomes stale: a formula with the first of its inputs."""
        out = {i: h.stale_after for i, h in histories.items()}
        for claim_id in self.inputs:
            ends = [out.get(i) for i in self._bases(claim_id) if self.checked.get(i)]
            known = [e for e in ends if e is not None]
            if claim_id in out:
                out[claim_id] = min(known) if known and len(known) == len(ends) else None
        return out

    def _present(self, claim_id: str, history: History) -> dict[str, Any]:
        """The columns of the present verdict."""
        row: dict[str, Any] = {
            "verdict": history.outcome.value,
            "reason": history.reason.value if history.reason else None,
            "confirmed": None if history.confirmed is None else int(history.confirmed),
            "since": rows.iso(history.since),
            "changed_from": rows.iso(history.changed[0]) if history.changed else None,
            "changed_to": rows.iso(history.changed[1]) if history.changed else None,
        }
        if history.unread is not None:
            row["unread"] = history.unread.reason.value
            row["unread_since"] = rows.iso(history.unread.since)
            row["unread_tries"] = history.unread.tries
        name = history.present.capture if history.present else self._last_try(claim_id)
        at = self.db.execute(
            "SELECT detail, found, score, captured, digest, evidence, others, capture FROM verdicts"
            " WHERE claim = ? AND capture = ?",
            (claim_id, name),
        ).fetchone()
        if at is not None:
            names = ("detail", "found", "score", "captured", "digest", "evidence", "others", "capture")
            row |= zip(names, at, strict=True)
            row |= rows.passage_of(row["evidence"])
        return row

    def _last_try(self, claim_id: str) -> str | None:
        found = self.db.execute("SELECT max(capture) FROM verdicts WHERE claim = ?", (claim_id,)).fetchone()
        return None if found is None else found[0]

    def texts(self) -> None:
        """Write what pages say, where that is public."""
        self._insert("texts", self._text_rows())

    def _text_rows(self) -> Iterator[Row]:
        if self.build.mode == "full":
            for url, capture, text in self.build.texts:
                yield url, self._named(capture)[0], text

    def about(self) -> None:
        """Write the table `about`."""
        confirm = self.build.confirm
        facts = {
            "name": self.build.name,
            "confirm_drifted": confirm.drifted,
            "confirm_gone": confirm.gone,
            "confirm_apart": int(confirm.apart.total_seconds()),
            "every": self.build.every,
            "captures": self.build.mode,
        }
        self._insert("about", [(name, str(value)) for name, value in sorted(facts.items())])

    def _insert(self, table: str, lines: Iterable[Row]) -> None:
        self.db.executemany(schema.insert_sql(table), lines)


def _by_time(named: tuple[str, Seen]) -> tuple[datetime, str]:
    return named[1].capture.time, named[0]


def reading_of(claim: Claim, row: Row) -> Reading:
    """A reading from the columns claim, capture, captured, verdict, reason and found."""
    _, capture, captured, verdict, reason, found = row
    outcome = Outcome(verdict)
    value: Found = found
    if found is not None and claim.kind == "list" and found.startswith("["):
        value = tuple(json.loads(found))
    key = found_key(claim, value) if outcome is Outcome.DRIFTED else ""
    return Reading(datetime.fromisoformat(captured), outcome, Reason(reason), value, key, capture)


def _inputs(formula: str) -> tuple[str, ...]:
    from kb.claims import formula_inputs  # start-up time

    return tuple(formula_inputs(formula))
