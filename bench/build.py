"""What one new capture costs a build over 100,000 verdicts: against none, step by step and anew.

A hundred pages with ten claims each are captured a hundred times; a tenth of the captures has other
bytes than the one before. `kb build` and `kb check` go on from the last database; without one, all rows
are written anew from the memory of what was judged. Both are timed with nothing new and with one new capture,
in turns.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from kb.app.base import KnowledgeBase
from kb.app.build import Built, build
from kb.snapshots import Exchange

PAGES = 100
CLAIMS = 10
DAYS = 100
ROUNDS = 3
GOAL = 1.0
"""Seconds that one new capture may take more than none."""

FIRST = datetime(2026, 1, 1, 6, tzinfo=UTC)
RECEIVED = (("Content-Type", "text/html; charset=utf-8"),)


def url(number: int) -> str:
    """Of one page."""
    return f"https://example.org/{number}"


def write_claims(root: Path) -> None:
    """One file for each page."""
    (root / "claims").mkdir()
    for number in range(PAGES):
        lines = [
            f"source:\n  title: Sizes {number}\n  url: {url(number)}\n  retrieved: 2026-01-01\nclaims:\n"
        ]
        lines += [
            f"  - id: c{n}\n    subject: Atlas {number}-{n}\n    attribute: memory\n    "
            f"figure: {64 * (n + 1)} GB\n"
            for n in range(CLAIMS)
        ]
        (root / "claims" / f"page-{number}.yaml").write_text("".join(lines), encoding="utf-8")


def page(number: int, edition: int) -> bytes:
    """A table with what is stated, in one of many editions."""
    rows = "".join(f"<tr><td>Atlas {number}-{n}<td>{64 * (n + 1)} GB" for n in range(CLAIMS))
    return (
        f"<!doctype html><html lang=en><title>Sizes {number}</title><h1>Sizes {number}</h1>"
        f"<p>Edition {edition}.</p><table><tr><th>type<th>memory{rows}</table></html>"
    ).encode()


def capture(root: Path, day: int, numbers: range) -> None:
    """One run on that day."""
    now = FIRST + timedelta(days=day)
    with opened(root).archive.begin(now) as run:
        for number in numbers:
            edition = (day + number) // 10
            time = now + timedelta(seconds=number)
            run.keep(Exchange(url(number), url(number), time, 200, RECEIVED, page(number, edition)))


def opened(root: Path) -> KnowledgeBase:
    """The knowledge base, as a new process has it."""
    return KnowledgeBase.open(root, today=date(2027, 1, 1))


def timed(root: Path, go_on: bool) -> tuple[float, Built]:
    """Seconds, and what was built."""
    started = time.perf_counter()
    built = build(opened(root), go_on=go_on)
    return time.perf_counter() - started, built


def main() -> int:
    """Print the table."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        write_claims(root)
        for day in range(DAYS):
            capture(root, day, range(PAGES))
        first, built = timed(root, True)
        print(f"{built.verdicts:,} verdicts on {built.captures:,} captures, median of {ROUNDS} rounds")
        print(f"{'first build, nothing in memory':36} {first:8.2f} s")
        times: dict[tuple[bool, bool], list[float]] = {}
        for number in range(ROUNDS):
            for go_on in (True, False):
                build(opened(root), go_on=True)
                times.setdefault((go_on, False), []).append(timed(root, go_on)[0])
                build(opened(root), go_on=True)
                capture(root, DAYS + 2 * number + go_on, range(number, number + 1))
                times.setdefault((go_on, True), []).append(timed(root, go_on)[0])
    print(f"{'':36} {'none new':>10} {'one new':>10} {'more':>8}")
    late = False
    for go_on, name in ((True, "going on from kb.db"), (False, "anew, from what is remembered")):
        none, one = (statistics.median(times[go_on, new]) for new in (False, True))
        late = late or one - none > GOAL
        print(f"{name:36} {none:8.2f} s {one:8.2f} s {one - none:6.2f} s")
    print(f"goal: under {GOAL:.0f} s more{' (missed; times fail nothing)' if late else ''}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
