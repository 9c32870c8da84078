"""What reading the claims files costs over PyYAML's C composer on the same files; formulas aside.

Three sorts of files: claims of all kinds, as people write them; figures alone, each with its own
number; and figures whose attribute is never the same twice, which no shortcut helps.
"""

from __future__ import annotations

import gc
import random
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path

import yaml

from kb.claims import read_claims

TODAY = date(2026, 11, 30)
ALL = 100_000
PER_FILE = 50
GOAL = 1.5


def main() -> int:
    """Print times and ratios."""
    few = _written(1000, _mixed)
    first = _timed(lambda: read_claims(few, TODAY))
    again = _timed(lambda: read_claims(few, TODAY))
    print(f"1,000 claims in process: first {first:.3f} s (imports and all), again {again:.3f} s; goal 0.3 s")
    print(f"\n{ALL:,} claims in {ALL // PER_FILE:,} files     compose   kb reads   ratio (goal {GOAL})")
    for name, make in (("all kinds", _mixed), ("figures", _figures), ("figures, no two alike", _distinct)):
        root = _written(ALL, make)
        compose, ours = [], []
        for _ in range(3):
            compose.append(_timed(lambda root=root: _compose(root)))
            ours.append(_timed(lambda root=root: read_claims(root, TODAY)))
        a, b = sorted(compose)[1], sorted(ours)[1]
        print(f"{name:34}{a:6.2f} s {b:8.2f} s   {b / a:5.2f}")
    return 0


def _timed(work: Callable[[], object]) -> float:
    gc.collect()
    start = time.perf_counter()
    result = work()
    took = time.perf_counter() - start
    del result
    return took


def _compose(root: Path) -> None:
    for file in sorted((root / "claims").iterdir()):
        yaml.compose(file.read_text("utf-8"), Loader=yaml.CSafeLoader)


_folders: list[tempfile.TemporaryDirectory[str]] = []


def _written(count: int, make: Callable[[int, random.Random], str]) -> Path:
    """A knowledge base of `count` claims in a folder that goes with the process."""
    folder = tempfile.TemporaryDirectory()
    _folders.append(folder)
    claims = Path(folder.name) / "claims"
    claims.mkdir()
    chance = random.Random(7)
    for n in range(count // PER_FILE):
        lines = [
            "source:",
            f"  title: Data sheet {n}",
            f"  publisher: Vendor {n % 97}",
            f"  url: https://vendor{n % 97}.example/sheets/{n}",
            "  retrieved: 2026-09-28",
            "  role: vendor",
            "claims:",
            *(f"  - id: c{i}\n{make(n * PER_FILE + i, chance)}" for i in range(PER_FILE)),
        ]
        (claims / f"sheet-{n}.yaml").write_text("\n".join(lines) + "\n", "utf-8")
    return Path(folder.name)


def _figures(i: int, chance: random.Random) -> str:
    number = chance.randrange(1, 1_000_000)
    return f"    subject: Product {i}\n    attribute: bandwidth\n    figure: {number:,} Gbps\n    per: GPU"


def _distinct(i: int, chance: random.Random) -> str:
    number = chance.randrange(1, 1_000_000)
    return f"    subject: Product {i}\n    attribute: bandwidth of port {i}\n    figure: {number} Gbps"


def _mixed(i: int, chance: random.Random) -> str:
    number = chance.randrange(2, 5000)
    values = (
        f"figure: {number} Gbps\n    per: GPU\n    quote: each GPU has {number} Gbps of bandwidth",
        f"figure: ${number}.50\n    per: hour",
        f"figure: {number} to {number * 2} GB",
        f"figure: at least {number} members",
        f"date: 20{i % 20 + 10}-0{i % 9 + 1}-{i % 18 + 10}",
        f"text: Quantum-{number % 9} InfiniBand\n    note: as the sheet names it",
        "list: [HPE, IBM, Intel, NVIDIA]",
        "absent: data rate",
    )
    attribute = ("bandwidth", "price", "memory", "members", "announced", "fabric", "members", "fabric")
    return f"    subject: Product {i}\n    attribute: {attribute[i % 8]}\n    {values[i % 8]}"


if __name__ == "__main__":
    sys.exit(main())
