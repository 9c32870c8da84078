"""Captures that nothing hangs on, found by a rule and left out of the files on demand."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby
from pathlib import Path

from kb.errors import ArchiveError
from kb.snapshots.archive import Archive
from kb.snapshots.capture import Capture
from kb.snapshots.group import Groups, copy_records, group
from kb.snapshots.lock import ArchiveLock
from kb.snapshots.writer import sync_folder

_SCRATCH = ".pruned-"

State = Callable[[Capture], Hashable]


@dataclass(frozen=True, slots=True)
class Policy:
    """Which captures may go.

    Attributes:
        older_than: younger captures stay.
        first: of captures in a row that say the same, so many stay at the start, `apart` from each other,
            as a change is confirmed by as many. The last one in the row always stays.
        apart: see first.
        every: in a long row, one in each such period stays, so that the history has no hole.
    """

    older_than: timedelta = timedelta(days=365)
    first: int = 3
    apart: timedelta = timedelta(hours=1)
    every: timedelta = timedelta(days=30)


@dataclass(frozen=True, slots=True)
class Pruned:
    """What goes, or went: the captures, and the bytes of the files before and after."""

    captures: tuple[Capture, ...]
    before: int = 0
    after: int = 0


def prunable(
    captures: Sequence[Capture],
    now: datetime,
    policy: Policy,
    state: State | None = None,
    needed: Collection[tuple[str, int]] = (),
) -> list[Capture]:
    """The captures that the policy lets go. Pure.

    Args:
        captures: all of the archive, sorted by time.
        now: what ages are measured from.
        policy: see there.
        state: what a capture says, equal for two that say the same; by default the body's digest or the
            reason of the failure, so that only repetitions go.
        needed: (file, offset) of captures that must stay whatever the policy says.

    A record that a remaining revisit refers to never goes.
    """
    says = state or (lambda capture: capture.digest or str(capture.reason))
    by_url: dict[str, list[Capture]] = {}
    for capture in captures:
        by_url.setdefault(capture.requested, []).append(capture)
    gone: list[Capture] = []
    for row in by_url.values():
        for _, same in groupby(row, key=says):
            gone += _middle(list(same), now - policy.older_than, policy)
    stay = set(needed)
    return _not_referred_to(captures, [capture for capture in gone if place(capture) not in stay])


def _not_referred_to(captures: Sequence[Capture], gone: Iterable[Capture]) -> list[Capture]:
    """Of `gone`, sorted, those to whose bodies no remaining capture refers."""
    dropped = {place(capture) for capture in gone}
    originals = {
        (c.body_file, c.body_offset) for c in captures if place(c) not in dropped and c.body_offset >= 0
    }
    return [
        c
        for c in captures
        if place(c) in dropped and (c.revisit or (c.body_file, c.body_offset) not in originals)
    ]


def place(capture: Capture) -> tuple[str, int]:
    """Where a capture stands: its file and offset."""
    return capture.file, capture.offset


def prune(archive: Archive, captures: Iterable[Capture], now: datetime, *, apply: bool = False) -> Pruned:
    """Leave the captures out of their files; a file of which nothing remains is removed.

    Each file is written anew beside the old one and swapped in by rename, so a crash leaves the one or the
    other. Files of other tools, and files with damaged records, are left alone. Unless `apply`, nothing
    changes.

    Raises:
        LockedError: a run is writing.
        ArchiveError: a file cannot be written; those before it are done.
    """
    lock = ArchiveLock(archive.folder)
    if apply:
        lock.take(now, "kb snapshots prune")
    try:
        for leftover in archive.folder.glob(f"**/{_SCRATCH}*"):
            if apply:
                leftover.unlink()
        own = {run.file for run in archive.runs() if run.software.startswith("kb/") and not run.open}
        chosen = [c for c in _not_referred_to(archive.captures(), captures) if c.file in own]
        done: list[Capture] = []
        before = after = 0
        for file, its in groupby(sorted(chosen, key=place), key=lambda c: c.file):
            path = archive.path(file)
            with path.open("rb") as opened:
                groups = group(opened)
            if not groups.whole:
                continue
            drop = [c for c in its if _alone(groups, c)]
            was, now_is = _rewrite(path, groups, {c.offset for c in drop}, apply)
            before, after = before + was, after + now_is
            done += drop
        return Pruned(tuple(sorted(done, key=lambda c: (c.time, c.file, c.offset))), before, after)
    except OSError as error:
        if isinstance(error, ArchiveError):
            raise
        raise ArchiveError(
            f"cannot prune {error.filename or archive.folder}: {error.strerror}; make it writable"
        ) from error
    finally:
        lock.release()


def _alone(groups: Groups, capture: Capture) -> bool:
    """Whether its records hold no body besides (what a rendered page came from) that others may refer to."""
    return all(page.bodies <= {capture.offset} for page in groups.holding([capture.offset]))


def _middle(same: list[Capture], until: datetime, policy: Policy) -> list[Capture]:
    """Of captures in a row that say the same: those that neither begin nor end it, nor mark a period."""
    spaced = 0
    last_kept: Capture | None = None
    gone: list[Capture] = []
    for number, capture in enumerate(same):
        is_last = number == len(same) - 1
        if spaced < policy.first:
            if last_kept is None or capture.time - last_kept.time >= policy.apart:
                spaced += 1
                last_kept = capture
            continue  # even those too close to count: which one confirms depends on them
        assert last_kept is not None
        if is_last or capture.time > until or capture.time - last_kept.time >= policy.every:
            last_kept = capture
            continue
        gone.append(capture)
    return gone


def _rewrite(path: Path, groups: Groups, drop: set[int], apply: bool) -> tuple[int, int]:
    """Sizes of the file before and after."""
    remaining = [page for page in groups.pages if not page.offsets & drop]
    size = path.stat().st_size
    lengths = (end - offset for part in (groups.opening, *remaining) for offset, end in part.records)
    left = sum(lengths) if remaining else 0
    if not apply:
        return size, left
    if not remaining:
        path.unlink()
        sync_folder(path.parent)
        return size, 0
    scratch = path.with_name(_SCRATCH + path.name)
    try:
        with path.open("rb") as old, scratch.open("wb") as new:
            copy_records(old, (groups.opening, *remaining), new)
            new.flush()
            os.fsync(new.fileno())
        scratch.replace(path)
    except BaseException:
        scratch.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)
    return size, left
