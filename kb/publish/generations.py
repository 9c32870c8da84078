"""A database that is swapped by rename while it is served: each request sees one generation of it.

Datasette keeps a connection for each thread for ever, so it would go on serving
the file that is gone; and a page makes several queries, so reopening on change
alone would mix two files on one page.
"""

from __future__ import annotations

import asyncio
import queue
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any, TypeVar

from datasette.database import Database

from kb.publish.allowed import SETTINGS_FILE, TOO_MUCH, Allowed, WithheldError, is_full
from kb.store.schema import APPLICATION_ID, marks

T = TypeVar("T")
Identity = tuple[int, int, int]

_TRIES = 50  # a file that is renamed over so often while being opened is not worth waiting for

_taken: ContextVar[dict[SwappedDatabase, Generation] | None] = ContextVar("kb_generations", default=None)


class Generation:
    """Connections to one file, all opened together. Closed when nobody uses it and a newer one is there.

    `full` says whether the file holds more of the pages than quotes.
    """

    def __init__(self, identity: Identity, connections: list[sqlite3.Connection], full: bool) -> None:
        self.identity = identity
        self.full = full
        self.users = 0
        self.retired = False
        self._all = connections
        self._idle: queue.SimpleQueue[sqlite3.Connection] = queue.SimpleQueue()
        for connection in connections:
            self._idle.put(connection)

    def run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Do `work` with one of the connections, which no other thread has meanwhile."""
        connection = self._idle.get()
        try:
            return work(connection)
        finally:
            self._idle.put(connection)

    def close(self) -> None:
        """Close all connections; nobody may be using them."""
        for connection in self._all:
            connection.close()


class SwappedDatabase(Database):  # type: ignore[misc] # Datasette has no types
    """Datasette's database, over the generations of one path."""

    def __init__(self, datasette: Any, path: str, settings: Path | None = None) -> None:
        """`settings` is the kb.toml that says what may be shown; None: the one beside the database."""
        super().__init__(datasette, path=path, is_mutable=True)
        self._lock = threading.Lock()
        self._current: Generation | None = None
        self._allowed = Allowed(settings or Path(path).parent / SETTINGS_FILE)

    async def execute(self, sql: str, params: Any = None, **options: Any) -> Any:
        """As Datasette's, without a line in the log for each address that names no column.

        The error is raised all the same, and answered.
        """
        return await super().execute(sql, params, **{**options, "log_sql_errors": False})

    async def execute_fn(self, fn: Callable[[sqlite3.Connection], T]) -> T:
        """Run `fn` with a connection of the request's generation, or of the newest outside a request."""
        taken = _taken.get()
        if taken is None:
            generation = self.take()
            try:
                return await self._run(generation, fn)
            finally:
                self.give_back(generation)
        if self not in taken:
            # At once and not in a thread: a page's first queries may start side by side.
            taken[self] = self.take()
        return await self._run(taken[self], fn)

    async def _run(self, generation: Generation, fn: Callable[[sqlite3.Connection], T]) -> T:
        if self.ds.executor is None:
            return generation.run(fn)
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self.ds.executor, generation.run, fn)

    def take(self) -> Generation:
        """The newest generation, to be given back.

        Raises:
            sqlite3.OperationalError: there is no file, and none was ever opened.
            WithheldError: the file holds more of the pages than kb.toml allows by now.
        """
        with self._lock:
            current = self._current
            if current is None or _identity(self.path) != current.identity:
                newer = self._open()
                if newer is not None:
                    self._current = newer
                    if current is not None:
                        current.retired = True
                        if not current.users:
                            current.close()
            if self._current is None:
                raise sqlite3.OperationalError(f"unable to open {Path(self.path).name}")
            if self._current.full and not self._allowed.full():
                raise WithheldError(f"{Path(self.path).name} {TOO_MUCH}")
            self._current.users += 1
            return self._current

    def give_back(self, generation: Generation) -> None:
        """End one use of `generation`."""
        with self._lock:
            generation.users -= 1
            if generation.retired and not generation.users:
                generation.close()

    def close(self) -> None:
        """Close the newest generation's connections."""
        with self._lock:
            if self._current is not None:
                self._current.close()
                self._current = None

    def _open(self) -> Generation | None:
        """Open the file that is at the path now; None where there is none, or it is not kb's."""
        for _ in range(_TRIES):
            before = _identity(self.path)
            found = marks(Path(self.path))
            if before is None or found is None or found[0] != APPLICATION_ID:
                return None
            size = max(1, self.ds.setting("num_sql_threads"))
            connections: list[sqlite3.Connection] = []
            try:
                for _ in range(size):
                    connections.append(self.connect())
                    connections[-1].execute("SELECT count(*) FROM sqlite_master").fetchone()
            except sqlite3.OperationalError:
                before = None
            finally:
                self._all_file_connections.clear()  # its own list would keep each one for ever
            if before is not None and _identity(self.path) == before:
                full = is_full(connections[0])
                for connection in connections:
                    self.ds._prepare_connection(connection, self.name)
                return Generation(before, connections, full)
            for connection in connections:
                connection.close()
        return None


@contextmanager
def one_generation() -> Iterator[None]:
    """Within, every database shows one generation of its file."""
    taken: dict[SwappedDatabase, Generation] = {}
    token = _taken.set(taken)
    try:
        yield
    finally:
        _taken.reset(token)
        for database, generation in taken.items():
            database.give_back(generation)


def _identity(path: str) -> Identity | None:
    try:
        found = Path(path).stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino, found.st_mtime_ns
