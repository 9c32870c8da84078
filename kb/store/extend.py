"""kb.db with new captures added: what a whole build would write, at the cost of what is new.

The old file is copied, and only the rows that new captures or edited claims touch are
written again. Where a claim held and holds still, its row follows from the new
reading alone; for the others the history is told anew from their own verdicts.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import chain
from operator import itemgetter
from pathlib import Path
from typing import Any
from urllib.parse import quote

from kb.errors import StoreError
from kb.judging.history import tell
from kb.snapshots.capture import Capture
from kb.store import rows, schema
from kb.store.build import BuildInput, Writer, reading_of
from kb.store.rows import Row, Seen
from kb.store.swap import OtherFileError, Stamp, swapped_in

_PRESENT = (
    *("verdict", "reason", "detail", "found", "score", "state", "confirmed", "since"),
    *("changed_from", "changed_to", "captured", "digest", "stale_after"),
    *("unread", "unread_since", "unread_tries", "passage", "link", "evidence", "others", "capture"),
)
"""The columns of a claim that its readings decide."""

_SEARCHED = ("passage", "found")  # of these, what the full text search looks at

_READING = ("detail", "found", "score", "captured", "digest", "evidence", "others", "capture")


@dataclass(frozen=True, slots=True)
class Extension:
    """What is new.

    Attributes:
        build: as for a whole build, but with `captures` and `verdicts` holding only what is added,
            and for the URLs in `anew` everything.
        anew: URLs whose claims were edited, so that all rows about them are made again.
        formulas: the formula claims whose verdicts `build` has, all of them.
    """

    build: BuildInput
    anew: frozenset[str] = frozenset()
    formulas: frozenset[str] = frozenset()


def extend_database(path: Path, extension: Extension, stamp: Stamp) -> Stamp:
    """Write kb.db at `path` with what is new, and give its new stamp; an empty one where that failed.

    Only a whole build can do it then: the file there has not the stamp that it should have, or
    something that is added is not newer than all of its URL.

    Raises:
        StoreError: the file cannot be written; the old one is as it was.
    """
    try:
        with swapped_in(path, go_on_from=stamp) as swap:
            _Extender(swap.db, extension).write()
    except (OtherFileError, _OlderError):
        return ()
    return swap.stamp


class _OlderError(Exception):
    """What is to be added is older than something that is there."""


class _Extender(Writer):
    def __init__(self, db: sqlite3.Connection, extension: Extension) -> None:
        super().__init__(db, extension.build)
        self.anew = extension.anew
        self.formulas = sorted(extension.formulas)
        self.touched: dict[str, list[Row]] = {}

    def write(self) -> None:
        """Write everything; _OlderError where that is not to be done so."""
        self.db.execute("BEGIN")
        self._forget()
        if not self._are_new():
            raise _OlderError
        self.captures()
        self.verdicts()
        self._claims()
        self._sources()
        self._texts()
        self.db.execute("COMMIT")

    def _forget(self) -> None:
        """Drop the rows that are made anew."""
        for source in self.sources:
            if source.url in self.anew:
                for table in ("verdicts", "events"):
                    self.db.execute(
                        f"DELETE FROM {table} WHERE claim IN (SELECT id FROM claims WHERE source = ?)",  # noqa: S608
                        (source.id,),
                    )
        for url in self.anew:
            self.db.execute("DELETE FROM captures WHERE requested = ?", (url,))

    def _are_new(self) -> bool:
        """Whether every capture that is added is newer than all of its URL, and of a run of its own."""
        for url, seen in self.build.captures.items():
            last = self.db.execute("SELECT max(id) FROM captures WHERE requested = ?", (url,)).fetchone()[0]
            if last is not None and any(rows.capture_id(s.capture) <= last for s in seen):
                return False
        return True

    def captures(self) -> None:
        """Add to the tables `captures` and `runs`."""
        self._insert("captures", self._capture_rows())
        runs = {s.capture.run for its in self.build.captures.values() for s in its}
        columns = ", ".join(f'"{c}"' for c in schema.COLUMNS["captures"])
        for run in sorted(runs - {""}):
            its = self.db.execute(
                f"SELECT {columns} FROM captures WHERE run = ? ORDER BY id",  # noqa: S608 - our columns
                (run,),
            ).fetchall()
            self.db.execute("DELETE FROM runs WHERE id = ?", (run,))
            self._insert("runs", rows.run_rows(its))

    def verdicts(self) -> None:
        """Add to the table `verdicts`, where those of formulas are written anew."""

        def noted() -> Iterator[Row]:
            for row in chain(self._unread_rows(), self._judged_rows()):
                self.touched.setdefault(row[0], []).append(row)
                yield row

        self.db.executemany("DELETE FROM verdicts WHERE claim = ?", [(i,) for i in self.formulas])
        self._insert("verdicts", noted())

    # -- claims ---------------------------------------------------------------------------

    def _claims(self) -> None:
        for source in self.sources:
            if source.url in self.anew:
                self._claims_anew(source.id)
                for claim in source.claims:
                    self.touched.setdefault(claim.id or "", [])
        fresh_text = bool(self.anew)
        for claim_id in sorted(self.touched):
            if claim_id not in self.inputs:
                fresh_text |= self._follow(claim_id)
        for claim_id in self.formulas:
            fresh_text |= self._told(claim_id, self._first_stale(claim_id))
        if fresh_text:
            self.db.execute("INSERT INTO claims_fts (claims_fts) VALUES ('rebuild')")

    def _claims_anew(self, source_id: str) -> None:
        """The rows of a source's claims as its file has them now, in their old places where they had one."""
        before = dict(
            self.db.execute("SELECT id, rowid FROM claims WHERE source = ?", (source_id,)).fetchall()
        )
        self.db.execute("DELETE FROM claims WHERE source = ?", (source_id,))
        names = schema.COLUMNS["claims"]
        columns = ", ".join(f'"{c}"' for c in names)
        marks = ", ".join("?" * (len(names) + 1))
        for claim_id, source in self.source_of.items():
            if source.id == source_id:
                row = rows.claim_row(self.claims[claim_id], source, self.inputs.get(claim_id))
                row["state"] = rows.state(self.claims[claim_id], None)
                self.db.execute(
                    f"INSERT INTO claims (rowid, {columns}) VALUES ({marks})",  # noqa: S608 - our columns
                    (before.get(claim_id), *(row.get(c) for c in names)),
                )

    def _follow(self, claim_id: str) -> bool:
        """Bring one claim's row up to date; whether what is searched has changed."""
        old = self.db.execute(
            "SELECT verdict, unread, capture, passage, found FROM claims WHERE id = ?", (claim_id,)
        ).fetchone()
        new = self.touched[claim_id]
        quiet = (
            old is not None
            and old[:2] == ("holds", None)
            and old[2] is not None
            and not self.claims[claim_id].was
            and self.source_of[claim_id].url not in self.anew
            and all(row[4] == "holds" for row in new)
        )
        if not quiet:
            return self._told(claim_id)
        newest: Row = sorted(new, key=itemgetter(1))[-1]
        row = dict(zip(schema.COLUMNS["verdicts"], newest, strict=True))
        time = datetime.fromisoformat(row["captured"])
        values = {name: row[name] for name in ("reason", *_READING)}
        values["stale_after"] = rows.iso(time + 2 * self._every(claim_id))
        values |= rows.passage_of(row["evidence"])
        self._update(claim_id, values)
        return (values["passage"], values["found"]) != tuple(old[3:])

    def _told(self, claim_id: str, stale_after: str | None = "") -> bool:
        """Tell one claim's history from all its verdicts; `stale_after` in place of its own where given."""
        claim = self.claims[claim_id]
        ask = (
            "SELECT claim, capture, captured, verdict, reason, found FROM verdicts"
            " WHERE claim = ? ORDER BY capture"
        )
        readings = [reading_of(claim, r) for r in self.db.execute(ask, (claim_id,))]
        every = self._every(claim_id)
        history = tell(claim, readings, self.build.confirm, every) if readings else tell(claim, ())
        row: dict[str, Any] = dict.fromkeys(_PRESENT)
        row |= self._present(claim_id, history)
        row["state"] = rows.state(claim, history)
        row["stale_after"] = rows.iso(history.stale_after) if stale_after == "" else stale_after
        old = self.db.execute("SELECT passage, found FROM claims WHERE id = ?", (claim_id,)).fetchone()
        self._update(claim_id, {name: row[name] for name in _PRESENT})
        self.db.execute("DELETE FROM events WHERE claim = ?", (claim_id,))
        self._insert("events", rows.event_rows(claim, history))
        return old is None or tuple(old) != tuple(row[name] for name in _SEARCHED)

    def _first_stale(self, claim_id: str) -> str | None:
        """When a formula becomes stale: with the first of its inputs."""
        ends = [
            self.db.execute("SELECT stale_after FROM claims WHERE id = ?", (i,)).fetchone()[0]
            for i in self._bases(claim_id)
            if self.checked.get(i)
        ]
        known = [e for e in ends if e is not None]
        return min(known, key=datetime.fromisoformat) if known and len(known) == len(ends) else None

    def _update(self, claim_id: str, values: Mapping[str, Any]) -> None:
        sets = ", ".join(f'"{name}" = ?' for name in values)
        self.db.execute(f"UPDATE claims SET {sets} WHERE id = ?", (*values.values(), claim_id))  # noqa: S608

    def _texts(self) -> None:
        for row in self._text_rows():
            self.db.execute("DELETE FROM texts WHERE url = ?", (row[0],))
            self._insert("texts", [row])

    # -- sources --------------------------------------------------------------------------

    def _sources(self) -> None:
        for source in self.sources:
            seen = self._captures_of(source)
            if source.url in self.anew:
                row = rows.source_row(source, seen, self.build.every)
                self.db.execute("DELETE FROM sources WHERE id = ?", (source.id,))
                self._insert("sources", [row])
            elif seen:
                every = timedelta(seconds=source.check.every or self.build.every)
                self._source_follows(source.id, seen, every)

    def _source_follows(self, source_id: str, seen: Sequence[tuple[str, Seen]], every: timedelta) -> None:
        unread = ("unread", "unread_detail", "unread_since", "unread_tries")
        names = ("captures", "captured", "tried", *unread, "stale_after")
        asked = ", ".join(names)
        found = self.db.execute(f"SELECT {asked} FROM sources WHERE id = ?", (source_id,)).fetchone()  # noqa: S608
        row = dict(zip(names, found, strict=True))
        row["captures"] += len(seen)
        for _, one in seen:
            row["tried"] = one.capture.captured
            if one.read:
                row |= dict.fromkeys(unread)
                row["captured"] = one.capture.captured
                row["stale_after"] = rows.iso(one.capture.time + 2 * every)
            else:
                row["unread"] = one.reason.value if one.reason else None
                row["unread_detail"] = one.detail or None
                row["unread_since"] = row["unread_since"] or one.capture.captured
                row["unread_tries"] = (row["unread_tries"] or 0) + 1
        sets = ", ".join(f"{name} = ?" for name in names)
        self.db.execute(f"UPDATE sources SET {sets} WHERE id = ?", (*row.values(), source_id))  # noqa: S608


def judged_before(path: Path, claim_ids: Sequence[str]) -> Iterator[tuple[str, Capture, dict[str, Any]]]:
    """The verdicts of some claims in kb.db, in order, each with as much of its capture as it knows.

    Raises:
        StoreError: the file cannot be read.
    """
    ask = (
        "SELECT v.captured, v.verdict, v.reason, v.detail, v.found, v.score, v.digest, v.evidence, v.others,"
        " c.requested, c.url, c.run, c.file, c.offset, k.kind FROM verdicts v"
        " JOIN captures c ON c.id = v.capture JOIN claims k ON k.id = v.claim"
        " WHERE v.claim = ? ORDER BY v.capture"
    )
    try:
        with closing(sqlite3.connect(f"file:{quote(str(path.absolute()))}?mode=ro", uri=True)) as db:
            for claim_id in claim_ids:
                for row in db.execute(ask, (claim_id,)):
                    yield claim_id, *_judged(claim_id, row)
    except sqlite3.Error as error:
        raise StoreError(f"{path} cannot be read ({error}); delete it and run kb build") from error


def _judged(claim_id: str, row: Row) -> tuple[Capture, dict[str, Any]]:
    captured, verdict, reason, detail, found, score, digest, evidence, others, *at, kind = row
    requested, url, run, file, offset = at
    if found is not None and kind == "list" and found.startswith("["):
        found = json.loads(found)
    capture = Capture(
        requested=requested,
        url=url,
        time=datetime.fromisoformat(captured),
        digest=digest or "",
        run=run or "",
        file=file or "",
        offset=offset,
    )
    return capture, {
        "id": claim_id,
        "verdict": verdict,
        "reason": reason,
        "detail": detail,
        "found": found,
        "score": score,
        "captured": captured,
        "digest": digest,
        "evidence": json.loads(evidence) if evidence else None,
        "others": json.loads(others) if others else [],
    }
