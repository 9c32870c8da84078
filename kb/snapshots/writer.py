"""One run's file: each page is on the disk before it is told as kept."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import threading
import uuid
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from kb.errors import ArchiveError, UsageError
from kb.reasons import Reason
from kb.snapshots.capture import Capture, Exchange
from kb.snapshots.entries import Gatherer, stamp
from kb.snapshots.index import OPEN
from kb.snapshots.listing import to_capture
from kb.snapshots.records import Body, page_records, sha256, utc, warcinfo
from kb.snapshots.scan import Fault, Record, scan
from kb.version import __version__

if TYPE_CHECKING:
    from kb.snapshots.archive import Archive
    from kb.snapshots.lock import ArchiveLock

_sync = getattr(os, "fdatasync", os.fsync)


class RunWriter:
    """Adds captures to the archive, from `Archive.begin` to `close`; may be called from several threads.

    Attributes:
        run: the run's id.
        file: name of its file, relative to the archive's folder.
    """

    def __init__(
        self, archive: Archive, lock: ArchiveLock, now: datetime, settings: Mapping[str, Any] | None
    ) -> None:
        now = utc(now)
        self.run = uuid.uuid4().hex[:12]
        self.file = f"{now:%Y}/{now:%Y-%m-%dT%H%M%SZ}-{self.run}.warc.gz"
        self._archive = archive
        self._lock = lock
        self._guard = threading.Lock()  # for writing
        self._flushing = threading.Lock()
        self._gatherer = Gatherer()
        self._bodies: dict[str, Body] = {}
        self._path = archive.folder / (self.file + OPEN)
        self._size = 0  # written
        self._safe = 0  # on the disk
        self._failed = False
        self._told = True  # whether all that was written was taken in, too
        self._fd: int | None = None
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._fd = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
            name = self._path.name.removesuffix(OPEN)
            first = warcinfo(now, self.run, name, f"kb/{__version__} (citedrift)", settings)
            self._write(first)
            self._flush(len(first))
        except OSError as error:
            self._abandon()
            raise (error if isinstance(error, ArchiveError) else _cannot_write(self._path, error)) from error
        self._opening = len(first)
        self._read_back(first, 0)

    def __enter__(self) -> RunWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self.close()
        except ArchiveError:
            if error is None:
                raise

    def keep(self, exchange: Exchange) -> Capture:
        """Write what happened, and give it back as the archive now has it.

        When this returns, the page is on the disk; calls from several threads share one flush. A body
        that an earlier capture holds already, byte for byte, is not written again. ArchiveError (disk
        full) leaves all before as it was, and the run over.
        """
        capture, end = self._add(exchange)
        self._flush(end)
        return capture

    def keep_all(self, exchanges: Iterable[Exchange]) -> list[Capture]:
        """As `keep` for several pages, with one flush for all: none is on the disk before this returns.

        Where one cannot be written, those before it are kept (`facts["kept"]` of the ArchiveError).
        """
        kept: list[Capture] = []
        end = self._safe
        try:
            for exchange in exchanges:
                capture, end = self._add(exchange)
                kept.append(capture)
        except ArchiveError as error:
            self._flush(end, anyhow=True)
            error.facts["kept"] = kept
            raise
        self._flush(end)
        return kept

    def close(self) -> None:
        """Finish the file under its own name and give the lock up; a run that kept nothing leaves none."""
        with self._guard:
            if self._fd is None:
                return
            fd, self._fd = self._fd, None
            self._archive.index.release()
            contents = self._gatherer.contents
            final = self._archive.folder / self.file
            try:
                if os.fstat(fd).st_size != self._size:
                    os.ftruncate(fd, self._size)
                os.fsync(fd)
                if self._size <= self._opening:
                    self._path.unlink()
                    return
                self._path.rename(final)
            except OSError as error:
                raise _cannot_write(self._path, error) from error
            finally:
                os.close(fd)
                self._lock.release()
            sync_folder(final.parent)
            if self._told:  # else (interrupted between the two) the file is read when it is next needed
                contents.upto = self._size
                self._archive.index.add(self.file, contents)

    def _add(self, exchange: Exchange) -> tuple[Capture, int]:
        """Write a page without waiting for the disk; the capture, and the file's size then."""
        with self._guard:
            if self._fd is None:
                raise UsageError("the run is closed; begin another one")
            if self._failed:
                raise ArchiveError(f"{self._path.name} could not be written before; begin another run")
            exchange, original, found = self._originals(exchange)
            data = b"".join(piece.data for piece in page_records(exchange, original, found))
            start = self._size
            self._told = False
            try:
                self._write(data)
            except OSError as error:
                self._failed = self._told = True
                raise _cannot_write(self._path, error) from error
            capture = self._taken_in(data, start, original)
            self._told = True
            return capture, self._size

    def _originals(self, exchange: Exchange) -> tuple[Exchange, Body | None, Body | None]:
        """Where the bodies stand already: of the page itself, and of what a rendered page came from."""
        if exchange.not_modified:
            original = self._earlier(exchange.digest, exchange, coded=True)
            if original is None:
                detail = (
                    f"the server said that nothing changed since {exchange.digest or 'before'}, not archived"
                )
                exchange = replace(
                    exchange, not_modified=False, body=b"", reason=Reason.BROKEN, detail=detail
                )
            return exchange, original, None
        answered = self._earlier(sha256(exchange.body), exchange) if exchange.body else None
        if exchange.rendered is None:
            return exchange, answered if exchange.status is not None and not exchange.reason else None, None
        rendered = self._earlier(sha256(exchange.rendered), exchange) if exchange.rendered else None
        return exchange, rendered, answered

    def _earlier(self, digest: str, exchange: Exchange, coded: bool = False) -> Body | None:
        own = self._bodies.get(digest)
        if own is not None and own.time <= stamp(exchange.time):
            return own
        return self._archive.original(digest, exchange.url, exchange.time, coded)

    def _write(self, data: bytes) -> None:
        assert self._fd is not None
        view = memoryview(data)
        try:
            while view:
                view = view[os.write(self._fd, view) :]
        except BaseException:
            self._cut(self._size)
            raise
        self._size += len(data)

    def _flush(self, end: int, anyhow: bool = False) -> None:
        """Wait until the file is on the disk up to `end`, which another thread may see to.

        After a failed write nothing is promised any more, unless `anyhow`.
        """
        with self._flushing:
            if self._safe >= end:
                return
            written = self._size
            try:
                if (self._failed and not anyhow) or self._fd is None:
                    raise ArchiveError(f"{self._path.name} could not be written; begin another run")
                _sync(self._fd)
            except ArchiveError:
                raise
            except OSError as error:
                with self._guard:
                    self._failed, self._told = True, False
                    self._size = self._safe
                    self._cut(self._safe)
                raise _cannot_write(self._path, error) from error
            self._safe = written

    def _cut(self, size: int) -> None:
        """Take off what is not to be there; what this cannot do, `close` or the next run does."""
        if self._fd is not None:
            with contextlib.suppress(OSError):
                os.ftruncate(self._fd, size)
                os.lseek(self._fd, size, os.SEEK_SET)

    def _taken_in(self, data: bytes, start: int, original: Body | None) -> Capture:
        """Read back what was written, by the same way that the archive is read."""
        contents = self._gatherer.contents
        before = len(contents.bodies)
        self._read_back(data, start)
        for body in contents.bodies[before:]:
            self._bodies.setdefault(body.digest, replace(body, file=self.file))
        entry = contents.entries[-1]
        return to_capture(entry, self.file, self.run, original if entry.payload else None)

    def _read_back(self, data: bytes, start: int) -> None:
        for record in _moved(scan(io.BytesIO(data)), start):
            self._gatherer.take(record)

    def _abandon(self) -> None:
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None
            with contextlib.suppress(OSError):
                self._path.unlink()


def sync_folder(folder: Path) -> None:
    """Make a rename in the folder last through a power cut, where the system can."""
    with contextlib.suppress(OSError):
        fd = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(fd)
        finally:
            os.close(fd)


def _moved(found: Iterator[Record | Fault], start: int) -> Iterator[Record]:
    for item in found:
        if isinstance(item, Fault):
            raise ArchiveError(
                f"what was written cannot be read back: {item.what}; see to the disk, and run it again"
            )
        yield replace(item, offset=item.offset + start, end=item.end + start)


def _cannot_write(path: Path, error: OSError) -> ArchiveError:
    full = error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
    remedy = "free some space" if full else "see to it"
    return ArchiveError(
        f"cannot write {path.parent.parent.name}/{path.parent.name}/{path.name}: {error.strerror or error}; "
        f"all pages before are kept; {remedy}, and run it again",
        errno=error.errno,
    )
