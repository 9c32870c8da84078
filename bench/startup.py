"""What `kb --help` costs over an empty Python, in milliseconds and as a ratio."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time

ROUNDS = 15
GOAL_MS = 150


def milliseconds(*arguments: str) -> float:
    """How long one run of Python takes."""
    started = time.perf_counter()
    subprocess.run([sys.executable, *arguments], check=True, capture_output=True)
    return (time.perf_counter() - started) * 1000


def main() -> None:
    """Time the two in turn, so that a slow moment meets both."""
    pairs = [
        (milliseconds("-c", "pass"), milliseconds("-c", "from kb.cli.main import main; main(['--help'])"))
        for _ in range(ROUNDS)
    ]
    empty, help_ = (statistics.median(column) for column in zip(*pairs, strict=True))
    over = statistics.median(b - a for a, b in pairs)
    print(f"{'':24}{'median':>10}")
    print(f"{'python -c pass':24}{empty:>7.0f} ms")
    print(f"{'kb --help':24}{help_:>7.0f} ms   {help_ / empty:.1f} x")
    print(f"{'more':24}{over:>7.0f} ms   goal: at most {GOAL_MS} ms")


if __name__ == "__main__":
    main()
