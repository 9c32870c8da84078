"""Units judged on this machine, in this process or in several."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from kb.engine.unit import JudgedCapture, Unit, judge_unit
from kb.snapshots import Archive

WORTH_A_POOL = 24
"""Units below which starting processes (0.6 s each, measured) costs more than it saves."""


def judge_units(
    units: Sequence[Unit], snapshots: Path, jobs: int | None = None
) -> Iterator[list[JudgedCapture]]:
    """Judge all units and give their results in the order of `units`.

    Args:
        units: what to judge; each is one URL.
        snapshots: the archive's folder.
        jobs: processes; None for one a processor, and one where the work is small.
    """
    workers = jobs or (os.cpu_count() or 1)
    if workers == 1 or (jobs is None and len(units) < WORTH_A_POOL) or len(units) < 2:
        archive = Archive(snapshots)
        for unit in units:
            yield judge_unit(unit, archive.read)
        return
    from concurrent.futures import ProcessPoolExecutor  # start-up time
    from multiprocessing import get_context

    with ProcessPoolExecutor(workers, get_context("spawn"), _open_archive, (snapshots,)) as pool:
        yield from pool.map(_judge, units, chunksize=max(1, min(16, len(units) // (workers * 4))))


_archive: list[Archive] = []  # the worker's own, opened once


def _open_archive(snapshots: Path) -> None:
    _archive[:] = [Archive(snapshots)]


def _judge(unit: Unit) -> list[JudgedCapture]:
    return judge_unit(unit, _archive[0].read)


def count(units: Iterable[Unit]) -> int:
    """How many captures the units have, for progress."""
    return sum(len(u.captures) for u in units)
