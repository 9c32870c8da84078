"""Peak memory of a build as its history grows: one size of archive against four times as much.

Each build runs in a process of its own, whose peak is compared with that of one which has the
archive's list of captures alone. What grows with the captures is that list, and not what was read or judged.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from bench.build import capture, opened, write_claims
from kb.app.build import build

PAGES = 50
DAYS = 20
GOAL = 1.5
"""Times as much memory that four times the captures may take."""

WAYS = ("listing", "anew", "remembered", "going on")


def measured(root: Path, way: str) -> float:
    """The peak in MB of a new process that does it."""
    done = subprocess.run(
        [sys.executable, "-m", "bench.memory", str(root), way], check=True, capture_output=True, text=True
    )
    return float(done.stdout)


def once(root: Path, way: str) -> None:
    """Do it, and print the peak."""
    kb = opened(root)
    if way == "listing":
        kb.archive.captures()
    else:
        build(kb, jobs=1, go_on=way == "going on")
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


def main() -> int:
    """Print the table."""
    peaks: list[dict[str, float]] = []
    for days in (DAYS, 4 * DAYS):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            write_claims(root)
            for day in range(days):
                capture(root, day, range(PAGES))
            found = {}
            for way in WAYS:
                if way == "going on":
                    capture(root, days, range(1))
                found[way] = measured(root, way)
            peaks.append(found)
    small, large = peaks
    print(f"{'':24} {PAGES * DAYS:,} captures  {4 * PAGES * DAYS:,} captures   ratio")
    for way in WAYS:
        print(f"{way:24} {small[way]:11.0f} MB {large[way]:14.0f} MB {large[way] / small[way]:7.2f}")
    over = any(large[way] > GOAL * small[way] for way in WAYS)
    print(f"goal: at most {GOAL}{' (missed; it fails nothing)' if over else ''}")
    return 0


if __name__ == "__main__":
    if len(sys.argv) == 3:
        once(Path(sys.argv[1]), sys.argv[2])
        sys.exit(0)
    sys.exit(main())
