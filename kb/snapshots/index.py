"""What the WARC files hold, kept beside them in SQLite so that listing need not read them.

A cache and nothing more: a file that is new, gone or of another size or time than when it was read is
read again, and an index that is missing, damaged, of another version or not kb's is made anew.
Where none can be written (a read-only disk), it lives in memory.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import astuple, fields
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from kb.snapshots.capture import Capture, Run
from kb.snapshots.entries import Contents, Entry, gather, stamp
from kb.snapshots.listing import captures_in, captures_of, complete_others, newest_of
from kb.snapshots.records import Body
from kb.snapshots.scan import Fault, scan

if TYPE_CHECKING:
    import sqlite3

INDEX_NAME = ".index.sqlite"
OPEN = ".open"
_SUFFIXES = (".warc.gz", ".warc", ".warc.gz" + OPEN)
_APPLICATION = 0x6B626978  # "kbix"
_VERSION = 2  # of the tables and of what `gather` makes of a file
_HEAD = 512
_SYNC = "PRAGMA synchronous = NORMAL"  # as in a cache the last change may be lost: it is made again

T = TypeVar("T")

_ENTRY = [f.name for f in fields(Entry)]
_BODY = [f.name for f in fields(Body)]
_ENTRY_COLUMNS = ", ".join(_ENTRY)
_BODY_COLUMNS = ", ".join(_BODY)
_SCHEMA = f"""
CREATE TABLE files (
  name TEXT PRIMARY KEY, size INTEGER, mtime INTEGER, upto INTEGER, head TEXT,
  run TEXT, started TEXT, software TEXT, settings TEXT, own INTEGER, open INTEGER
) WITHOUT ROWID;
CREATE TABLE captures (file TEXT, {_ENTRY_COLUMNS});
CREATE INDEX captures_requested ON captures (requested);
CREATE INDEX captures_file ON captures (file);
CREATE INDEX captures_payload ON captures (payload, file) WHERE payload <> '';
CREATE TABLE bodies ({_BODY_COLUMNS});
CREATE INDEX bodies_digest ON bodies (digest);
CREATE INDEX bodies_payload ON bodies (payload);
CREATE INDEX bodies_file ON bodies (file);
CREATE TABLE faults (file TEXT, offset INTEGER, what TEXT);
PRAGMA application_id = {_APPLICATION};
PRAGMA user_version = {_VERSION};
"""


class _OnDisk(NamedTuple):
    path: Path
    size: int
    mtime: int
    open: bool


class Index:
    """Read and kept up to date by `Archive`; each call sees the files as they are then."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._memory: sqlite3.Connection | None = None
        self._no_folder = False
        self._held: sqlite3.Connection | None = None

    def captures(self, url: str | None = None) -> tuple[list[Capture], list[tuple[str, int, str]]]:
        """Captures sorted by time, file and offset, and what is wrong as (file, offset, what)."""
        return self._ask(lambda db: captures_of(db, url))

    def captures_in(self, files: Sequence[str]) -> tuple[list[Capture], list[tuple[str, int, str]]]:
        """As `captures`, of some files alone."""
        return self._ask(lambda db: captures_in(db, files))

    def files(self) -> dict[str, tuple[int, int]]:
        """All files with their sizes, and the times of their last changes in nanoseconds."""
        return {
            name: (size, mtime) for name, size, mtime in self._rows("SELECT name, size, mtime FROM files")
        }

    def complete_others(self, files: Sequence[str]) -> bool:
        """Whether some files hold a body that a revisit in one of the others refers to."""
        return bool(files) and self._ask(lambda db: complete_others(db, files))

    def newest(self) -> list[Capture]:
        """The last capture of each requested URL."""
        return self._ask(newest_of)

    def runs(self) -> list[Run]:
        """All files, sorted by start and name."""
        rows = self._rows(
            "SELECT run, name, started, software, settings, open FROM files ORDER BY started, name"
        )
        return [
            Run(r[0], r[1], datetime.fromisoformat(r[2]) if r[2] else None, r[3], r[4], bool(r[5]))
            for r in rows
        ]

    def original(self, digest: str, url: str, before: datetime, coded: bool = False) -> list[Body]:
        """Records that hold the body already, the best first: those of `url`, then the oldest.

        Only records not later than `before`, so that what came later is never needed to read what was
        earlier; unless `coded`, only bodies stored as they are, which any reader can pair with a revisit.
        """
        ask = (
            "SELECT * FROM bodies WHERE digest = ? AND time <= ? AND (? OR payload = digest)"
            " ORDER BY url <> ?, time, file, offset LIMIT 5"
        )
        values = (digest, stamp(before), coded, url)
        if self._held is not None:
            import sqlite3  # start-up time

            with contextlib.suppress(sqlite3.Error):
                return [Body(*row) for row in self._held.execute(ask, values)]
        return [Body(*row) for row in self._rows(ask, values)]

    def hold(self) -> None:
        """Bring the index up to date, and keep it open for `original`: during a run nobody else writes."""
        import sqlite3  # start-up time

        self.runs()
        self.release()
        if self._in_place():
            with contextlib.suppress(sqlite3.Error):
                self._held = _open(self.folder / INDEX_NAME)

    def release(self) -> None:
        """End what `hold` began."""
        if self._held is not None:
            self._held.close()
            self._held = None

    def places(self, digest: str) -> list[tuple[str, int]]:
        """All records that hold the body."""
        return self._rows("SELECT file, offset FROM bodies WHERE digest = ? ORDER BY file, offset", (digest,))

    def add(self, name: str, contents: Contents) -> None:
        """Take in a file that was just written and closed, without reading it again."""

        def store(db: sqlite3.Connection) -> None:
            with _change(db):
                there = self._on_disk().get(name)
                if there is not None:
                    _forget(db, name)
                    _store(db, name, there, contents)

        self._ask(store, sync=False)

    def drop(self) -> None:
        """Delete the index, so that the next look makes it anew."""
        if self._memory is not None:
            self._memory.close()
            self._memory = None
        with contextlib.suppress(OSError):
            (self.folder / INDEX_NAME).unlink(missing_ok=True)

    def _rows(self, query: str, values: tuple[object, ...] = ()) -> list[tuple[Any, ...]]:
        return self._ask(lambda db: db.execute(query, values).fetchall())

    def _ask(self, question: Callable[[sqlite3.Connection], T], sync: bool = True) -> T:
        """Put a question to the index, brought up to date; made anew where it is damaged or foreign."""
        import sqlite3  # start-up time

        if self._in_place():
            for _ in range(2):
                try:
                    with contextlib.closing(_open(self.folder / INDEX_NAME)) as db:
                        if sync:
                            self._sync(db)
                        return question(db)
                except sqlite3.OperationalError:
                    break  # it cannot be written here, or not now
                except sqlite3.DatabaseError:
                    self.drop()
        if self._memory is None:
            self._memory = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
            self._memory.executescript(_SCHEMA)
            sync = True
        if sync:
            self._sync(self._memory)
        return question(self._memory)

    def _in_place(self) -> bool:
        """Whether to use the file; without a folder (yet) there is nothing to keep."""
        there = self.folder.is_dir()
        if there and self._no_folder:
            self._memory = None
        self._no_folder = not there
        return there and self._memory is None

    def _sync(self, db: sqlite3.Connection) -> None:
        if not self._stale(db):
            return
        with _change(db):
            stale = self._stale(db)  # again: another process may have done it meanwhile
            for name, there in sorted(stale.items()):
                if there is None:
                    _forget(db, name)
                    db.execute("DELETE FROM files WHERE name = ?", (name,))
                else:
                    self._take_in(db, name, there)

    def _stale(self, db: sqlite3.Connection) -> dict[str, _OnDisk | None]:
        known = {r[0]: r[1:] for r in db.execute("SELECT name, size, mtime, open FROM files")}
        there = self._on_disk()
        stale: dict[str, _OnDisk | None] = {n: f for n, f in there.items() if known.get(n) != tuple(f[1:])}
        return stale | {name: None for name in known if name not in there}

    def _take_in(self, db: sqlite3.Connection, name: str, there: _OnDisk) -> None:
        row = db.execute(
            "SELECT size, upto, head, run, started, software, settings, own, open FROM files WHERE name = ?",
            (name,),
        ).fetchone()
        grown = False
        try:
            with there.path.open("rb") as file:
                grown = bool(
                    row and row[8] and there.size >= row[0] and _head(file.read(min(row[0], _HEAD))) == row[2]
                )
                if not grown:
                    _forget(db, name)
                contents = gather(scan(file, row[1]), row[1], bool(row[7])) if grown else gather(scan(file))
        except OSError as error:
            _forget(db, name)
            contents = Contents(faults=[Fault(0, f"cannot be read: {error.strerror}")])
        if grown and not contents.started:
            contents.run, contents.started, contents.software, contents.settings = row[3:7]
        if there.open:
            contents.faults = [fault for fault in contents.faults if not fault.torn]  # the page in flight
        _store(db, name, there, contents)

    def _on_disk(self) -> dict[str, _OnDisk]:
        found: dict[str, _OnDisk] = {}
        for parent, folders, names in os.walk(self.folder):
            folders[:] = sorted(f for f in folders if not f.startswith("."))
            for filename in names:
                if filename.startswith(".") or not filename.endswith(_SUFFIXES):
                    continue
                path = Path(parent, filename)
                try:
                    stat = path.stat()
                except OSError:
                    continue  # renamed or removed since it was listed
                name = path.relative_to(self.folder).as_posix()
                is_open = name.endswith(OPEN)
                name = name.removesuffix(OPEN)
                if not (is_open and name in found):
                    found[name] = _OnDisk(path, stat.st_size, stat.st_mtime_ns, is_open)
        return found


def _open(path: Path) -> sqlite3.Connection:
    import sqlite3  # start-up time

    db = sqlite3.connect(path, timeout=60, isolation_level=None, check_same_thread=False)
    try:
        db.execute(_SYNC)
        made = db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        marks = (
            db.execute("PRAGMA application_id").fetchone()[0],
            db.execute("PRAGMA user_version").fetchone()[0],
        )
        if made and marks != (_APPLICATION, _VERSION):
            raise sqlite3.DatabaseError("another program's or version's")
        if not made:
            with _change(db):
                if not db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                    for statement in _SCHEMA.split(";\n"):
                        db.execute(statement)
    except BaseException:
        db.close()
        raise
    return db


@contextlib.contextmanager
def _change(db: sqlite3.Connection) -> Iterator[None]:
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        db.execute("ROLLBACK")
        raise
    db.execute("COMMIT")


def _forget(db: sqlite3.Connection, name: str) -> None:
    db.execute("DELETE FROM captures WHERE file = ?", (name,))
    db.execute("DELETE FROM bodies WHERE file = ?", (name,))
    db.execute("DELETE FROM faults WHERE file = ?", (name,))


def _store(db: sqlite3.Connection, name: str, there: _OnDisk, contents: Contents) -> None:
    stem = there.path.name.partition(".warc")[0]
    head = ""
    with contextlib.suppress(OSError), there.path.open("rb") as file:
        head = _head(file.read(min(there.size, _HEAD)))
    db.execute(
        "INSERT OR REPLACE INTO files VALUES (?,?,?,?,?,?,?,?,?,?,?)",
        (
            name,
            there.size,
            there.mtime,
            contents.upto,
            head,
            contents.run or stem,
            contents.started,
            contents.software,
            contents.settings,
            int(contents.own),
            int(there.open),
        ),
    )
    _insert(db, "captures", [(name, *astuple(entry)) for entry in contents.entries])
    _insert(db, "bodies", [(name, *astuple(body)[1:]) for body in contents.bodies])
    _insert(db, "faults", [(name, fault.offset, fault.what) for fault in contents.faults])


def _insert(db: sqlite3.Connection, table: str, rows: list[tuple[object, ...]]) -> None:
    if rows:
        marks = ",".join("?" * len(rows[0]))
        db.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)  # noqa: S608 - a table of ours


def _head(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
