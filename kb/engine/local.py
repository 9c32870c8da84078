"""Units judged on this machine, in this process or in several."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from kb.engine.memory import Entry, Memory
from kb.engine.unit import JudgedCapture, Unit, is_remembered, judge_unit
from kb.snapshots import Archive

WORTH_A_POOL = 24
"""Units below which starting processes (0.6 s each, measured) costs more than it saves."""

BATCH = 20_000
"""Entries of the memory that are written together."""


def judge_units(
    units: Sequence[Unit], snapshots: Path, jobs: int | None = None, memory: Path | None = None
) -> Iterator[list[JudgedCapture]]:
    """Judge all units and give their results in the order of `units`.

    Args:
        units: what to judge; each is one URL.
        snapshots: the archive's folder.
        jobs: processes; None for one a processor, and one where little is to be made.
        memory: file of what was read and judged before; what is new is added at the end.
    """
    workers = jobs or (os.cpu_count() or 1)
    if workers == 1 or len(units) < 2 or (jobs is None and not _worth_a_pool(units, memory)):
        archive = Archive(snapshots)
        with Memory(memory) as kept:
            for unit in units:
                yield judge_unit(unit, archive.read, kept)
                if len(kept.new) >= BATCH:
                    kept.keep()
            kept.keep()
        return
    from concurrent.futures import ProcessPoolExecutor  # start-up time
    from multiprocessing import get_context

    with (
        Memory(memory) as kept,
        ProcessPoolExecutor(workers, get_context("spawn"), _begin, (snapshots, memory)) as pool,
    ):
        new: list[Entry] = []
        for judged, entries in pool.map(
            _judge, units, chunksize=max(1, min(16, len(units) // (workers * 4)))
        ):
            new += entries
            yield judged
        kept.keep(new)


def _worth_a_pool(units: Sequence[Unit], memory: Path | None) -> bool:
    """Whether enough is to be made: what is remembered comes quicker from the file than from a process."""
    if len(units) < WORTH_A_POOL:
        return False
    with Memory(memory) as kept:
        new = (unit for unit in units if not is_remembered(unit, kept))
        return sum(1 for _ in islice(new, WORTH_A_POOL)) == WORTH_A_POOL


_worker: list[tuple[Archive, Memory]] = []  # the worker's own, opened once


def _begin(snapshots: Path, memory: Path | None) -> None:
    _worker[:] = [(Archive(snapshots), Memory(memory))]


def _judge(unit: Unit) -> tuple[list[JudgedCapture], list[Entry]]:
    archive, memory = _worker[0]
    judged = judge_unit(unit, archive.read, memory)
    return judged, memory.take()
