"""kb.db is a function of the two folders: step by step, from scratch, and as of an earlier day."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

from exchanges import page
from hypothesis import given, settings
from hypothesis import strategies as st

from kb.app.base import KnowledgeBase
from kb.app.build import build
from kb.app.prune import prune_plan
from kb.reasons import Reason
from kb.snapshots import Exchange
from kb.snapshots.importer import import_files
from kb.snapshots.prune import Policy, prune
from kb.snapshots.wacz import export_wacz

URL = "https://example.org/nd"
START = datetime(2026, 3, 1, 9, tzinfo=UTC)
CLAIMS = f"""source:
  title: ND H100 v5
  url: {URL}
  retrieved: 2026-03-01
claims:
  - id: per-gpu
    subject: ND H100 v5
    attribute: InfiniBand bandwidth
    figure: 400 Gbps
  - id: memory
    subject: ND H100 v5
    attribute: memory
    figure: 80 GB
  - id: twice
    subject: two of them
    attribute: bandwidth
    formula: "{{per-gpu}} * 2"
    figure: 800 Gbps
"""
PAGES = {
    "ours": "<p>Each ND H100 v5 has 400 Gbps InfiniBand bandwidth.</p><p>Its memory is 80 GB.</p>",
    "respelled": "<p>Each ND H100 v5 has 0.4 Tbps InfiniBand bandwidth.</p><p>Its memory is 80 GB.</p>",
    "faster": "<p>Each ND H100 v5 has 800 Gbps InfiniBand bandwidth.</p><p>Its memory is 80 GB.</p>",
    "less": "<p>Each ND H100 v5 has 400 Gbps InfiniBand bandwidth.</p>",
    "wall": "<title>Access denied</title><h1>Access denied</h1><p>You do not have permission to view this page.</p>",
}

steps = st.lists(
    st.one_of(
        st.tuples(st.just("read"), st.sampled_from(sorted(PAGES))),
        st.tuples(st.just("fail"), st.sampled_from([Reason.DNS, Reason.TIMEOUT])),
        st.tuples(st.just("same"), st.none()),
        st.tuples(st.just("import"), st.sampled_from(sorted(PAGES))),
        st.tuples(st.just("prune"), st.none()),
    ),
    min_size=2,
    max_size=7,
)
gaps = st.lists(st.sampled_from([10, 90, 24 * 60, 9 * 24 * 60, 40 * 24 * 60]), min_size=7, max_size=7)


def document(words: str) -> bytes:
    return f'<!doctype html><html lang="en"><h1>ND H100 v5</h1>{PAGES[words]}</html>'.encode()


@contextmanager
def knowledge_base() -> Iterator[KnowledgeBase]:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "claims").mkdir()
        (Path(folder) / "claims" / "nd.yaml").write_text(CLAIMS)
        yield KnowledgeBase.open(folder, today=date(2026, 11, 30))


def rows(database: Path) -> dict[str, list[tuple[Any, ...]]]:
    """All rows of all tables of people's interest."""
    tables = ("sources", "claims", "captures", "runs", "verdicts", "events")
    with closing(sqlite3.connect(database)) as db:
        return {name: sorted(db.execute(f"SELECT * FROM {name}").fetchall(), key=repr) for name in tables}


def step(kb: KnowledgeBase, what: str, how: Any, now: datetime) -> None:
    if what == "import":
        saved = kb.root / "saved.html"
        saved.write_bytes(document(how) + b"<!-- saved -->")
        import_files(kb.archive, [saved], now, url=URL, date=now - timedelta(days=3))
        return
    if what == "prune":
        plan = prune_plan(kb, Policy(timedelta(days=20), every=timedelta(days=60)), now)
        prune(kb.archive, plan, now, apply=True)
        return
    with kb.archive.begin(now) as run:
        if what == "fail":
            run.keep(Exchange(URL, URL, now, reason=how))
        elif what == "read":
            run.keep(page(URL, document(how), time=now))
        else:
            before = [c for c in kb.archive.captures(URL) if c.length]
            if before:
                digest = before[-1].digest
                run.keep(page(URL, b"", time=now, status=304, not_modified=True, digest=digest))
            else:
                run.keep(page(URL, document("ours"), time=now))


@settings(max_examples=12, deadline=None)
@given(steps, gaps)
def test_step_by_step_gives_the_rows_of_a_build_from_scratch(
    taken: list[tuple[str, Any]], waits: list[int]
) -> None:
    now = START
    with knowledge_base() as kb:
        for (what, how), minutes in zip(taken, waits, strict=False):
            now += timedelta(minutes=minutes)
            step(kb, what, how, now)
            build(kb, jobs=1, go_on=True)
        assert kb.archive.problems == []
        step_by_step = rows(kb.database)
        for leftover in (kb.database, kb.memory, kb.snapshots / ".index.sqlite"):
            leftover.unlink(missing_ok=True)
        build(KnowledgeBase.open(kb.root, today=kb.today), jobs=1)
        assert rows(kb.database) == step_by_step


@settings(max_examples=10, deadline=None)
@given(steps, gaps, st.integers(0, 6))
def test_as_of_a_day_equals_a_build_of_what_existed_then(
    taken: list[tuple[str, Any]], waits: list[int], number: int
) -> None:
    now = START
    times = []
    with knowledge_base() as kb, knowledge_base() as then:
        for (what, how), minutes in zip(taken, waits, strict=False):
            if what in ("import", "prune"):  # these change what is known of the past
                continue
            now += timedelta(minutes=minutes)
            times.append(now)
            step(kb, what, how, now)
        until = times[min(number, len(times) - 1)] if times else now
        build(kb, until=until, jobs=1)
        for run in kb.archive.runs():
            if run.started is not None and run.started <= until:
                target = then.snapshots / run.file
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(kb.snapshots / run.file, target)
        build(then, jobs=1)
        assert rows(kb.database) == rows(then.database)


@settings(max_examples=8, deadline=None)
@given(st.lists(st.sampled_from(sorted(PAGES)), min_size=8, max_size=14))
def test_pruning_changes_no_present_verdict_and_no_event(read: list[str]) -> None:
    now = START
    with knowledge_base() as kb:
        for words in read:
            now += timedelta(days=2)
            step(kb, "read", words, now)
        build(kb, jobs=1)
        before = rows(kb.database)
        plan = prune_plan(kb, Policy(timedelta(0), every=timedelta(days=60)), now)
        done = prune(kb.archive, plan, now, apply=True)
        build(kb, jobs=1)
        after = rows(kb.database)
        assert after["events"] == before["events"]
        assert after["claims"] == before["claims"]
        assert len(after["captures"]) == len(before["captures"]) - len(done.captures)


def test_what_was_exported_and_imported_elsewhere_is_judged_the_same(tmp_path: Path) -> None:
    now = START
    with knowledge_base() as kb, knowledge_base() as elsewhere:
        for words in ("ours", "faster", "wall", "faster", "faster", "ours", "respelled"):
            now += timedelta(days=2)
            step(kb, "read", words, now)
        build(kb, jobs=1)
        export_wacz(kb.archive, kb.archive.captures(), tmp_path / "all.wacz", now)
        import_files(elsewhere.archive, [tmp_path / "all.wacz"], now)
        build(elsewhere, jobs=1)
        assert verdicts(elsewhere.database) == verdicts(kb.database)
        assert rows(elsewhere.database)["runs"] == [], "an import is no run"
        ours, theirs = rows(kb.database)["events"], rows(elsewhere.database)["events"]
        assert [event[:-1] for event in theirs] == [event[:-1] for event in ours] and len(ours) == 2


def verdicts(database: Path) -> list[tuple[Any, ...]]:
    """All verdicts, without the names of the captures, which follow from where they are kept."""
    with closing(sqlite3.connect(database)) as db:
        ask = (
            "SELECT claim, captured, verdict, reason, found, evidence FROM verdicts ORDER BY claim, captured"
        )
        return db.execute(ask).fetchall()
