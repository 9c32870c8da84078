"""The lock that lets one run at a time write to an archive.

It is the operating system's (`flock`), so a dead run holds none, whatever killed it.
What the file says about the holder is for the message alone.
"""

from __future__ import annotations

import os
import weakref
from datetime import datetime
from pathlib import Path

from kb.errors import ArchiveError, LockedError

LOCK_NAME = ".lock"

_held: weakref.WeakSet[ArchiveLock] = weakref.WeakSet()


class ArchiveLock:
    """Held from `take` to `release`; `flock` keeps out other processes and other holders in this one."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / LOCK_NAME
        self._fd: int | None = None

    def take(self, now: datetime | None = None, purpose: str = "run") -> None:
        """Take the lock, or raise LockedError at once with who holds it.

        `now` and `purpose` go into the file, for the message that another would get.
        """
        import fcntl

        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            fd = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        except OSError as error:
            raise ArchiveError(
                f"cannot open the lock {self.path}: {error.strerror}; make the folder writable"
            ) from error
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            holder = _holder(fd)
            os.close(fd)
            if not isinstance(error, BlockingIOError):
                raise ArchiveError(
                    f"cannot lock {self.path}: {error.strerror}; keep kb on a disk that has locks"
                ) from error
            raise LockedError(
                f"another run holds the lock of {self.path.parent} ({holder}); "
                "wait until it has ended, then start again",
                holder=holder,
            ) from error
        self._fd = fd
        _held.add(self)
        since = f", since {now.isoformat().replace('+00:00', 'Z')}" if now else ""
        try:
            os.ftruncate(fd, 0)
            os.pwrite(fd, f"{purpose}, process {os.getpid()}{since}\n".encode(), 0)
        except OSError:  # a full disk: the lock holds without words
            pass

    def release(self) -> None:
        """Give the lock up; does nothing when it is not held."""
        if self._fd is not None:
            import fcntl

            fd, self._fd = self._fd, None
            fcntl.flock(fd, fcntl.LOCK_UN)  # a worker just forked may hold a copy of the descriptor yet
            os.close(fd)
            _held.discard(self)

    def _forget(self) -> None:
        if self._fd is not None:
            os.close(self._fd)  # the parent's descriptor keeps the lock
            self._fd = None


def _holder(fd: int) -> str:
    try:
        words = os.pread(fd, 300, 0).decode("utf-8", "replace").strip()
    except OSError:
        words = ""
    return words or "it did not say who it is"


def _in_child() -> None:
    # A forked worker that outlives a killed run would keep the run's lock with its copy of the descriptor.
    for lock in list(_held):
        lock._forget()
    _held.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_in_child)
