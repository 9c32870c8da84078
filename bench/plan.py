"""Planning a run over 10,000 sources of which none is due: the goal is under a second.

Timed is all that lies between the claims and the list of what is due: the newest capture of each
URL from the archive, what is suspected or unread from the database, and the plan itself; then the
plan alone. The claims files are read first, as every command does (bench/claims.py).
"""

from __future__ import annotations

import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

from kb.app.base import KnowledgeBase
from kb.app.check import CheckOptions, what_is_due
from kb.app.plan import plan
from kb.claims import Claim, ClaimSet, Source
from kb.snapshots import Exchange
from kb.store import BuildInput, Seen, write_database

SOURCES = 10_000
HOSTS = 200
ROUNDS = 3
GOAL = 1.0
NOW = datetime(2026, 1, 10, 9, tzinfo=UTC)


def _url(number: int) -> str:
    return f"https://host{number % HOSTS}.example/page/{number}"


def _claims() -> ClaimSet:
    return ClaimSet(
        Source(
            id=f"page-{n}",
            url=_url(n),
            claims=(Claim(id=f"page-{n}.memory", subject=f"Unit {n}", kind="text", value=f"Unit {n}"),),
        )
        for n in range(SOURCES)
    )


def _exchanges(when: datetime) -> list[Exchange]:
    head = (("Content-Type", "text/plain"),)
    return [
        Exchange(
            _url(n),
            _url(n),
            when,
            status=200,
            headers=head,
            body=b"Unit %d has a memory of %d GB." % (n, n),
        )
        for n in range(SOURCES)
    ]


def main() -> int:
    """Print the figures."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "claims").mkdir()
        kb = KnowledgeBase.open(folder, today=NOW.date())
        claims = _claims()
        with kb.archive.begin(NOW - timedelta(days=1)) as run:
            run.keep_all(_exchanges(NOW - timedelta(days=1)))
        write_database(
            kb.database,
            BuildInput(
                sources=claims.sources,
                captures={c.requested: [Seen(c)] for c in kb.archive.captures()},
                verdicts=(),
                confirm=kb.confirm,
                every=kb.settings.every,
                mode=kb.settings.captures,
                name="bench",
            ),
        )
        options = CheckOptions(clock=lambda: NOW)
        took, alone = [], []
        for _ in range(ROUNDS):
            fresh = KnowledgeBase.open(folder, today=NOW.date())
            started = time.perf_counter()
            due = what_is_due(fresh, claims, options)
            took.append(time.perf_counter() - started)
            assert due == [], due[0].why
            newest = fresh.archive.newest()
            started = time.perf_counter()
            plan(claims.sources, newest, NOW, fresh.settings.every)
            alone.append(time.perf_counter() - started)
    print(
        f"{SOURCES:,} sources on {HOSTS} hosts, none due, best of {ROUNDS}: planned in {min(took):.2f} s "
        f"(goal under {GOAL:g} s), of which the plan itself {min(alone):.2f} s"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
