"""`python -m bench [NAME ...]`: run the benches named, or all, each in a process of its own.

Times are ratios of two things in one run and fail nothing; accuracy below its
floor fails (exit 1).
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent


def names() -> list[str]:
    """All benches."""
    return sorted(p.stem for p in HERE.glob("*.py") if not p.stem.startswith("_"))


def main() -> int:
    """Run them one after the other; 1 if any failed."""
    wanted = sys.argv[1:] or names()
    unknown = [n for n in wanted if n not in names()]
    if unknown:
        print(f"no bench named {', '.join(unknown)}; there are: {', '.join(names())}", file=sys.stderr)
        return 2
    failed = []
    for name in wanted:
        print(f"\n== {name}", flush=True)
        if subprocess.run([sys.executable, "-m", f"bench.{name}"], cwd=HERE.parent, check=False).returncode:
            failed.append(name)
    if failed:
        print(f"\nfailed: {', '.join(failed)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
