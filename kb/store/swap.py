"""A new kb.db is written beside the old one, and takes its place when it is whole."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from kb.errors import KbError, StoreError

Stamp = tuple[int, ...]
"""What tells a very file from any other, and from itself after a change: device, inode, size, times.

The last of them is the time of the last change of any sort, which no program can set.
"""

_FAST = ("journal_mode = OFF", "synchronous = OFF", "locking_mode = EXCLUSIVE", "temp_store = MEMORY")


class OtherFileError(Exception):
    """The file that was to be gone on from is another one by now."""


@dataclass(slots=True)
class Swap:
    """The new file while it is written; `stamp` is its own once it is in place.

    It stays empty where another program put its file there in the same moment.
    """

    db: sqlite3.Connection
    stamp: Stamp = ()


def stamp_of(path: Path) -> Stamp:
    """The stamp of a file; empty where there is none."""
    try:
        return _stamp(path.stat())
    except OSError:
        return ()


def _stamp(found: os.stat_result) -> Stamp:
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns


@contextmanager
def swapped_in(path: Path, go_on_from: Stamp = ()) -> Iterator[Swap]:
    """A new file beside `path`, which takes its place after the block.

    Readers of the old file go on reading it; nobody ever sees half of the new one.

    Args:
        path: of kb.db.
        go_on_from: begin with a copy of the file that is there, which must have this stamp.

    Raises:
        StoreError: the file cannot be written; the old one is as it was.
        OtherFileError: the file that is there has another stamp.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with _beside(path) as new:
            if go_on_from:
                _copy(path, new, go_on_from)
            with closing(sqlite3.connect(new, isolation_level=None)) as db:
                # A crash leaves a file that nobody reads, so it needs no journal.
                for pragma in _FAST:
                    db.execute(f"PRAGMA {pragma}")
                swap = Swap(db)
                yield swap
                db.execute("PRAGMA journal_mode = DELETE")
            _settle(new)
            ours = stamp_of(new)
            os.replace(new, path)  # noqa: PTH105 - the pair of names reads better so
        _settle(path.parent)
        there = stamp_of(path)
        if there[:-1] == ours[:-1]:  # the renaming is a change, too
            swap.stamp = there
    except KbError:
        raise  # of what is written, which may be read from elsewhere meanwhile
    except (sqlite3.Error, OSError) as error:
        raise StoreError(
            f"{path} cannot be written ({error}); free disk space or choose another with --db FILE"
        ) from error


def _copy(path: Path, new: Path, stamp: Stamp) -> None:
    with path.open("rb") as old, new.open("xb") as file:
        if _stamp(os.fstat(old.fileno())) != stamp:
            raise OtherFileError
        shutil.copyfileobj(old, file, 1 << 20)


@contextmanager
def _beside(path: Path) -> Iterator[Path]:
    """A new name beside `path`, gone again if it was not renamed; leftovers of the dead go first."""
    for left in path.parent.glob(f".{path.name}.*.new"):
        pid = left.name.rpartition(".new")[0].rpartition(".")[2]
        if not _alive(pid):
            left.unlink(missing_ok=True)
    new = path.parent / f".{path.name}.{os.getpid()}.new"
    new.unlink(missing_ok=True)
    try:
        yield new
    finally:
        new.unlink(missing_ok=True)


def _alive(pid: str) -> bool:
    if not pid.isdigit() or os.name != "posix":
        return True
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def _settle(path: Path) -> None:
    """Have the system put a file or a folder on the disk itself."""
    with suppress(PermissionError):  # some systems let no folder be opened
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
