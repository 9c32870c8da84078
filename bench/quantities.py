"""How fast quantities are read, that the time is linear in the text, and how many labelled phrases are right.

Rates are for one core, by the process's own time; what a search for digits alone
takes on the same text stands beside each, so that machines compare.
"""

from __future__ import annotations

import json
import random
import re
import runpy
import sys
import time
from collections.abc import Callable
from io import StringIO
from pathlib import Path

from kb.quantity import dates, quantities

ROOT = Path(__file__).resolve().parent.parent
CASES = ROOT.parent / "shared" / "cases" / "quantities-dev.jsonl"
SCORER = ROOT.parent / "shared" / "score_quantities.py"
FLOORS = {"right": 0.98, "fine": 0.93, "silent_wrong": 0.01, "no_quantity_right": 1.0, "dates_right": 0.95}
GOALS = {"prose": 5.0, "a table of values": 1.0, "a table of bare numbers": 1.0}

PLAIN = (
    "Nobody who has run such a network for long would say that its parts are the same as they were, or that "
    "the people who keep it running have an easy life. Links break, software grows old, and the plans that "
    "were made for it in the beginning hardly ever describe what stands there. The question is not whether "
    "to change it, but in which order, and who will pay for the work. Those who have done it before tell "
    "newcomers to begin with what is visible, because a change that no customer can see is hard to defend. "
)
FIGURED = "The hall holds {a} racks, each of them draws up to {b} kW, and its links carry {c} Gbps per port. "


def prose(size: int, random_: random.Random, *, dense: bool) -> str:
    """Paragraphs with three figures in about 1,700 characters, or in every hundred."""
    parts, total = [], 0
    while total < size:
        text = "" if dense else PLAIN * 3
        text += FIGURED.format(
            a=random_.randint(10, 900), b=random_.randint(10, 200), c=random_.randint(10, 1400)
        )
        parts.append(text)
        total += len(text) + 2
    return "\n\n".join(parts)


def table(size: int, random_: random.Random, *, units: bool) -> str:
    """Rows of six cells, no two alike."""
    rows, total = [], 0
    while total < size:
        a, b, c, d = (random_.randint(2, 9999) for _ in range(4))
        price = random_.random() * 100
        row = f"| m{a}.large | {b} Gbps | {c} MB/s | {price:.2f} | ${price:.2f}/hr | {d} GB |"
        rows.append(row if units else f"| m{a}.large | {b} | {c} | {price:.2f} | {price * 3:.2f} | {d} |")
        total += len(rows[-1]) + 1
    return "\n".join(rows)


def rate(work: Callable[[str], object], make: Callable[[], str]) -> float:
    """Megabytes in a second, the best of three texts that were never read before."""
    best = 0.0
    for _ in range(3):
        text = make()
        start = time.process_time()
        work(text)
        best = max(best, len(text.encode()) / (time.process_time() - start) / 1e6)
    return best


def read(text: str) -> object:
    """All quantities of an English text."""
    return quantities(text, lang="en")


def speed() -> None:
    """Print how fast texts of several sorts are read."""
    random_ = random.Random(1)
    digits = re.compile(r"\d")
    texts: dict[str, Callable[[], str]] = {
        "prose": lambda: prose(2_000_000, random_, dense=False),
        "prose, figures in each line": lambda: prose(200_000, random_, dense=True),
        "a table of values": lambda: table(500_000, random_, units=True),
        "a table of bare numbers": lambda: table(500_000, random_, units=False),
    }
    print(f"{'':30}{'MB/s':>8}{'goal':>6}{'digits alone':>15}{'ratio':>8}{'dates':>8}")
    read("400 Gbps")
    for name, make in texts.items():
        ours, plain = rate(read, make), rate(digits.findall, make)
        goal = f"{GOALS[name]:6.1f}" if name in GOALS else f"{'':6}"
        print(f"{name:30}{ours:8.2f}{goal}{plain:10.1f} MB/s{plain / ours:8.1f}{rate(dates, make):8.2f}")


def linear() -> None:
    """Print the time for twice the text over the time for the text, on hostile input."""
    print("\ntime for twice as much text (2.0 is linear)")
    for name, unit, size in (
        ("digits", "1", 2_000_000),
        ("no space at all", "abcdefgh", 10_000_000),
        ("letters and digits", "a1", 400_000),
        ("commas", "1,", 400_000),
        ("dashes", "1-", 40_000),
        ("money", "$1", 40_000),
        ("slashes", "1/", 40_000),
        ("words", "one half ", 200_000),
        ("open tags", "<a ", 400_000),
        ("ampersands", "&a;", 400_000),
    ):
        half, whole = unit * (size // 2 // len(unit)), unit * (size // len(unit))
        start = time.process_time()
        quantities(half, lang="en")
        middle = time.process_time()
        quantities(whole, lang="en")
        end = time.process_time()
        ratio = (end - middle) / (middle - start)
        print(f"{name:30}{len(whole) / 1e6:8.2f} MB {end - middle:7.2f} s   ratio {ratio:.2f}")


def accuracy() -> int:
    """Print how many labelled phrases are right; 1 if fewer than the floor, 0 also where there are none."""
    if not CASES.exists():
        print(f"\nno labelled phrases beside the project ({CASES.parent.name}/{CASES.name})")
        return 0
    out, arguments = StringIO(), sys.argv
    sys.argv = [str(SCORER), str(CASES), "--reader", "kb.quantity:quantities", "--dates", "--json"]
    stdout, sys.stdout = sys.stdout, out
    try:
        runpy.run_path(str(SCORER), run_name="__main__")
    except SystemExit:
        pass
    finally:
        sys.argv, sys.stdout = arguments, stdout
    got = json.loads(out.getvalue())
    print(f"\n{got['cases']} labelled phrases           reached    floor")
    failed = 0
    for name, floor in FLOORS.items():
        least = name != "silent_wrong"
        good = got[name] >= floor if least else got[name] <= floor
        failed |= not good
        print(f"{name:30}{got[name]:7.1%}  {floor:7.1%}{'' if good else '   below'}")
    return int(failed)


def main() -> int:
    """Print all tables; 1 if accuracy fell below its floor."""
    speed()
    linear()
    return accuracy()


if __name__ == "__main__":
    sys.exit(main())
