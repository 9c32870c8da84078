"""What `kb --help`, and `kb` alone, cost over an empty Python, in milliseconds and as a ratio."""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROUNDS = 15
GOAL_MS = 150


def milliseconds(script: str, folder: Path) -> float:
    """How long one run of Python takes."""
    started = time.perf_counter()
    subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, cwd=folder)
    return (time.perf_counter() - started) * 1000


def main() -> None:
    """Time them in turn, so that a slow moment meets all."""
    with tempfile.TemporaryDirectory() as scratch:
        outside, base = Path(scratch), Path(scratch) / "base"
        kb = "import sys; sys.path.insert(0, {!r}); from kb.cli.main import main; main({})"
        start = [kb.format(str(Path(__file__).parent.parent), words) for words in (["--help"], [])]
        demo = [sys.executable, "-m", "kb", "demo", "--no-serve", "--keep", str(base)]
        subprocess.run(demo, check=True, capture_output=True)
        runs = {
            "python -c pass": ("pass", outside),
            "kb --help": (start[0], outside),
            "kb, outside a base": (start[1], outside),
            "kb, in the tour's base": (start[1], base),
        }
        rounds = [[milliseconds(*run) for run in runs.values()] for _ in range(ROUNDS)]
    empty = statistics.median(one[0] for one in rounds)
    print(f"{'':24}{'median':>10}{'more':>14}")
    for at, name in enumerate(runs):
        middle = statistics.median(one[at] for one in rounds)
        over = statistics.median(one[at] - one[0] for one in rounds)
        more = f"{over:>11.0f} ms   {middle / empty:.1f} x" if at else ""
        print(f"{name:24}{middle:>7.0f} ms{more}")
    print(f"goal: kb --help at most {GOAL_MS} ms more")


if __name__ == "__main__":
    main()
