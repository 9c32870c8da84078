"""What was read and judged before, kept in a file that may be deleted at any time.

Nothing in it is ever needed: each entry is named by a digest of all that it
follows from, the code that read and judged included, and carries a sum over its
name and its text, so that an entry that is found is right, and one that is not
there, or was damaged, is made anew.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Mapping
from functools import lru_cache
from importlib import metadata, resources
from pathlib import Path
from types import TracebackType

from kb.reasons import Reason

APPLICATION_ID = 0x6B626D65  # "kbme"

_ROOMS = ("quantity", "claims", "page", "judging", "engine")
_LIBRARIES = ("beautifulsoup4", "lxml", "markdown-it-py", "pypdfium2", "pdfplumber", "rapidfuzz", "pint")

Entry = tuple[bytes, str]
"""A key and what is kept under it."""


@lru_cache(maxsize=1)
def code_digest() -> str:
    """A digest of everything that decides how a page is read and a claim judged.

    Taken from the code itself, as a version number can be forgotten.
    """
    total = hashlib.sha256()
    root = resources.files("kb")
    for room in _ROOMS:
        waiting = [root / room]
        while waiting:
            for entry in sorted(waiting.pop().iterdir(), key=lambda e: e.name):
                if entry.is_dir():
                    waiting.append(entry)
                elif not entry.name.endswith(".pyc"):
                    total.update(entry.name.encode() + b"\0" + entry.read_bytes())
    for name in _LIBRARIES:
        total.update(f"{name} {metadata.version(name)}\0".encode())
    return total.hexdigest()


def key(*parts: str) -> bytes:
    """The name of an entry that follows from `parts` and from the code."""
    text = json.dumps([code_digest(), *parts], ensure_ascii=False)
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=20).digest()


class Memory:
    """Entries by key. Reads from the file, and holds what is new until `keep` writes it.

    A file that is missing, damaged, another program's or of other code is started
    anew; where none can be written, everything is simply made again next time.
    """

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.new: dict[bytes, str] = {}
        self.hits = 0
        self._db = _open(path) if path else None

    def __enter__(self) -> Memory:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def get(self, name: bytes) -> str | None:
        """What is kept under a key, or None."""
        found = self.new.get(name)
        if found is None and self._db is not None:
            try:
                row = self._db.execute("SELECT value, sum FROM entries WHERE key = ?", (name,)).fetchone()
            except sqlite3.DatabaseError:  # damaged: do without
                self._db.close()
                self._db = None
                return None
            if row is not None and isinstance(row[0], str) and row[1] == _sum(name, row[0]):
                found = row[0]
        if found is not None:
            self.hits += 1
        return found

    def put(self, name: bytes, value: str) -> None:
        """Hold an entry until `keep`."""
        self.new[name] = value

    def take(self) -> list[Entry]:
        """The new entries, to be carried to the process that keeps them."""
        entries = list(self.new.items())
        self.new.clear()
        return entries

    def keep(self, entries: Iterable[Entry] = ()) -> None:
        """Write the new entries, and `entries` with them, to the file."""
        lines = [*self.new.items(), *entries]
        if not lines or self.path is None:
            return
        if self._db is not None:
            self._db.close()
        self._db = _write(self.path, lines)
        if self._db is not None:
            self.new.clear()

    def close(self) -> None:
        """Let the file go; what `keep` did not write is lost, and will be made again."""
        if self._db is not None:
            self._db.close()
            self._db = None


def reading_text(reason: Reason | None, detail: str, says: str = "") -> str:
    """How a reading is kept: why it is not the page, or what stands for all that the page says."""
    return json.dumps([str(reason), detail] if reason else [says], ensure_ascii=False)


def reading_back(text: str) -> tuple[Reason, str] | str:
    """Read back `reading_text`: the reason and its detail; for a page, what stands for what it says."""
    data = json.loads(text)
    return (Reason(data[0]), data[1]) if len(data) == 2 else str(data[0])


def headers_text(headers: Mapping[str, str]) -> str:
    """Headers as part of a key."""
    return json.dumps(sorted(headers.items()), ensure_ascii=False)


def _open(path: Path) -> sqlite3.Connection | None:
    """The file for reading, if it is ours and of this code."""
    if not path.is_file():
        return None
    db = None
    try:
        db = sqlite3.connect(path, isolation_level=None)
        (application,) = db.execute("PRAGMA application_id").fetchone()
        if application == APPLICATION_ID and db.execute("SELECT code FROM made_by").fetchone() == (
            code_digest(),
        ):
            return db
    except sqlite3.DatabaseError:
        pass  # no database, or a damaged one: it is started anew when there is something to keep
    if db is not None:
        db.close()
    return None


def _sum(name: bytes, value: str) -> bytes:
    return hashlib.blake2b(name + value.encode("utf-8", "surrogatepass"), digest_size=8).digest()


def _write(path: Path, lines: list[Entry]) -> sqlite3.Connection | None:
    """Add entries to the file, which is started anew where it is damaged; None where it cannot be written."""
    try:
        return _added(path, lines)
    except sqlite3.OperationalError:
        return None  # a full disk or a read-only folder: nothing is lost, it is made again next time
    except sqlite3.DatabaseError:
        path.unlink(missing_ok=True)
    except OSError:
        return None
    try:
        return _added(path, lines)
    except (sqlite3.Error, OSError):
        return None


def _added(path: Path, lines: list[Entry]) -> sqlite3.Connection:
    db = _open(path)
    if db is None:
        path.unlink(missing_ok=True)
        db = sqlite3.connect(path, isolation_level=None)
    try:
        if not db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            db.execute("CREATE TABLE made_by (code TEXT)")
            db.execute("INSERT INTO made_by VALUES (?)", (code_digest(),))
            db.execute("CREATE TABLE entries (key BLOB PRIMARY KEY, value TEXT, sum BLOB) WITHOUT ROWID")
        db.execute("PRAGMA synchronous = OFF")
        db.execute("BEGIN")
        rows = ((name, value, _sum(name, value)) for name, value in sorted(lines))
        db.executemany("INSERT OR REPLACE INTO entries VALUES (?, ?, ?)", rows)
        db.execute("COMMIT")
    except BaseException:
        db.close()
        raise
    return db
