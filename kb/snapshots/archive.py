"""All captures of a knowledge base, in the WARC files of one folder."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from kb.errors import ArchiveError, LockedError, Problem
from kb.snapshots.capture import Capture, Run
from kb.snapshots.entries import gather, payload_of
from kb.snapshots.index import OPEN, Index
from kb.snapshots.lock import ArchiveLock
from kb.snapshots.records import Body, sha256
from kb.snapshots.scan import Record, record_at, scan
from kb.snapshots.writer import RunWriter, sync_folder


class Archive:
    """Reads the folder, and begins runs that add to it.

    The folder need not exist before something is written. What is wrong with the files (a damaged
    record, a digest that does not fit, a revisit without its original) is left out of the answers
    and told in `problems`; it never hides anything else.
    """

    def __init__(self, folder: Path | str) -> None:
        self.folder = Path(folder)
        self.index = Index(self.folder)
        self._problems: dict[tuple[str, int, str], Problem] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        """Cross a process pool as the folder alone."""
        return Archive, (self.folder,)

    @property
    def problems(self) -> list[Problem]:
        """What was found wrong so far, sorted by file; each thing once."""
        return [self._problems[key] for key in sorted(self._problems)]

    def captures(self, url: str | None = None) -> list[Capture]:
        """All captures, or those of one requested URL, sorted by time, file and offset."""
        found, faults = self.index.captures(url)
        for file, offset, what in faults:
            self._tell(file, offset, what)
        return found

    def captures_in(self, files: Sequence[str]) -> list[Capture]:
        """The captures that some files hold, sorted by time, file and offset."""
        found, faults = self.index.captures_in(files)
        for file, offset, what in faults:
            self._tell(file, offset, what)
        return found

    def files(self) -> dict[str, tuple[int, int]]:
        """The archive's files, relative to its folder, with their sizes and times of last change."""
        return self.index.files()

    def complete_others(self, files: Sequence[str]) -> bool:
        """Whether some files hold a body that a revisit in one of the others refers to."""
        return self.index.complete_others(files)

    def newest(self) -> dict[str, Capture]:
        """The last capture of each requested URL, failures too."""
        return {capture.requested: capture for capture in self.index.newest()}

    def runs(self) -> list[Run]:
        """What wrote the files, oldest first."""
        return self.index.runs()

    def body(self, capture: Capture) -> bytes:
        """The body's bytes, content coding removed; of a rendered page the DOM; b"" where there is none.

        Reads one record, and checks it against `capture.digest`. Where that record is damaged and another
        one holds the same bytes, that one answers. ArchiveError (told in `problems` too) where none does.
        """
        if not capture.digest:
            return b""
        if not capture.length:
            return b""
        tried: list[tuple[str, int]] = []
        if capture.body_file:
            tried.append((capture.body_file, capture.body_offset))
            body = self._read(*tried[0], capture.digest)
            if body is not None:
                return body
        for place in self.index.places(capture.digest):
            if place not in tried:
                body = self._read(*place, capture.digest)
                if body is not None:
                    return body
        what = f"the body of {capture.url} as of {capture.captured} ({capture.digest}) cannot be read"
        problem = self._tell(capture.file, capture.offset, what)
        raise ArchiveError(f"{problem.file}: {what}; take the file from a backup", capture=capture)

    def read(self, capture: Capture) -> bytes | None:
        """As `body`, but None where it cannot be read, so that one damaged record ends no run."""
        try:
            return self.body(capture)
        except ArchiveError:
            return None

    def record(self, file: str, offset: int) -> Record:
        """One record as it stands in a file; ArchiveError where there is none."""
        try:
            with self.path(file).open("rb") as opened:
                return record_at(opened, offset)
        except (OSError, ValueError) as error:
            raise ArchiveError(
                f"{self._shown(file)}: no record at byte {offset} ({error}); kb snapshots verify tells more"
            ) from error

    def path(self, file: str) -> Path:
        """Where a file of the archive is now: under its own name, or still open."""
        path = self.folder / file
        if not path.exists():
            still_open = path.with_name(path.name + OPEN)
            if still_open.exists():
                return still_open
        return path

    def begin(
        self, now: datetime, settings: Mapping[str, Any] | None = None, purpose: str = "kb check"
    ) -> RunWriter:
        """Begin a run: take the lock, adopt what dead runs left, open a file.

        Args:
            now: when the run begins, aware.
            settings: what it runs with, for the `warcinfo` record.
            purpose: what to tell others who want the lock.

        LockedError says who holds the lock; ArchiveError that the folder cannot be written.
        """
        lock = ArchiveLock(self.folder)
        lock.take(now, purpose)
        try:
            self._adopt()
            self.index.hold()
            return RunWriter(self, lock, now, settings)
        except BaseException:
            self.index.release()
            lock.release()
            raise

    def adopt(self) -> list[str]:
        """Finish the open files of runs that no longer hold the lock; the names of those finished.

        A torn last record is cut off; a file in which nothing was kept is removed. While a run holds
        the lock, and where nothing is open, this does nothing.
        """
        if not any(True for _ in self._open_files()):
            return []
        lock = ArchiveLock(self.folder)
        try:
            lock.take(purpose="adopting files of dead runs")
        except LockedError:
            return []
        except ArchiveError as error:  # a read-only folder: the open files are read as they are
            self._tell("", 0, error.message)
            return []
        try:
            return self._adopt()
        finally:
            lock.release()

    def original(self, digest: str, url: str, before: datetime, coded: bool = False) -> Body | None:
        """A record of an earlier capture that holds this body and can be read now; None if there is none."""
        for found in self.index.original(digest, url, before, coded):
            if self._read(found.file, found.offset, digest) is not None:
                return found
        return None

    def _open_files(self) -> list[Path]:
        return sorted(p for p in self.folder.glob(f"**/*.warc.gz{OPEN}") if p.is_file())

    def _adopt(self) -> list[str]:
        adopted: list[str] = []
        for path in self._open_files():
            final = path.with_name(path.name.removesuffix(OPEN))
            try:
                with path.open("r+b") as file:
                    contents = gather(scan(file))
                    torn = [fault.offset for fault in contents.faults if fault.torn]
                    if torn:
                        file.truncate(torn[0])
                        os.fsync(file.fileno())
                if not contents.entries and not contents.bodies:
                    path.unlink()
                    continue
                if final.exists():
                    raise ArchiveError(f"{path} and {final.name} both exist; move one of them away")
                path.rename(final)
                sync_folder(final.parent)
            except OSError as error:
                if isinstance(error, ArchiveError):
                    raise
                raise ArchiveError(
                    f"cannot finish {path}, which a dead run left: {error.strerror}; "
                    "make it writable, or free some space, and start again"
                ) from error
            adopted.append(final.relative_to(self.folder).as_posix())
        return adopted

    def _read(self, file: str, offset: int, digest: str) -> bytes | None:
        """The body in one record, or None (and a problem told) where it is not what the digest says."""
        try:
            with self.path(file).open("rb") as opened:
                _, _, body, _ = payload_of(record_at(opened, offset))
        except (OSError, ValueError) as error:
            self._tell(file, offset, str(error))
            return None
        if sha256(body) != digest:
            self._tell(file, offset, f"the body is not the one that its digest {digest} names")
            return None
        return body

    def _tell(self, file: str, offset: int, what: str) -> Problem:
        where = f"record at byte {offset}: " if offset else ""
        problem = Problem(self._shown(file), 0, 0, where + what, rule="archive")
        self._problems[(file, offset, what)] = problem
        return problem

    def _shown(self, file: str) -> str:
        return f"{self.folder.name}/{file}" if file else self.folder.name
