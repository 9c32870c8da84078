"""What reading a page costs over `BeautifulSoup(body, "lxml")` alone on the same bytes, and its peak memory.

Tables, and prose with a link or a tag every few words, in three sizes; each pair is timed in turn,
after a garbage collection.
"""

from __future__ import annotations

import gc
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

SIZES = (50_000, 500_000, 5_000_000)
GOAL = 1.5
GOAL_QUANTITIES = 2.0
GOAL_MEMORY = 1.5
SENTENCE = "the node moves data between racks over a fabric of switches and costs less than before"
WORDS = SENTENCE.split()
HEAD = "<!doctype html><html lang=en><head><meta charset=utf-8><title>Page</title></head><body><h1>Nodes</h1>"


def table_page(size: int) -> bytes:
    """Tables of 50 rows and 8 columns, a header row and a caption each."""
    pick = random.Random(1)
    out = [HEAD]
    length = 0
    while length < size:
        rows = ["<h2>Group</h2><table class='data'><caption>Node sizes</caption><thead><tr>"]
        rows += [f"<th>Column {c} (Gbps)</th>" for c in range(8)] + ["</tr></thead><tbody>"]
        for r in range(50):
            cells = "".join(f"<td>{pick.randint(1, 9_999):,} Gbps</td>" for _ in range(7))
            rows.append(f"<tr><th scope=row>node-{r}</th>{cells}</tr>\n")
        out.append("".join(rows) + "</tbody></table>")
        length += len(out[-1])
    return "".join(out).encode()[:size]


def prose_page(size: int) -> bytes:
    """Paragraphs with a link or another element every few words, as real pages have."""
    pick = random.Random(2)
    out = [HEAD]
    length = 0
    while length < size:
        words = []
        for n in range(60):
            word = pick.choice(WORDS)
            if n % 5 == 2:
                tag = pick.choice(("b", "em", "code", "span class='x'"))
                word = f"<{tag}>{word} {pick.randint(1, 999)} GB</{tag.split()[0]}>"
            elif n % 5 == 4:
                word = f'<a href="/docs/{n}" title="t">{word}</a>'
            words.append(word)
        out.append(f"<div class='body'><p>{' '.join(words)}.</p></div>\n")
        length += len(out[-1])
    return "".join(out).encode()[:size]


PAGES = {"tables": table_page, "prose": prose_page}


def soup(body: bytes) -> object:
    """The yardstick."""
    from bs4 import BeautifulSoup

    return BeautifulSoup(body, "lxml")


def page(body: bytes) -> object:
    """Ours."""
    from kb.page import read_page

    return read_page(body, content_type="text/html")


def page_and_quantities(body: bytes) -> object:
    """Ours, with all quantities of all blocks."""
    from kb.page import read_page
    from kb.quantity import quantities

    read = read_page(body, content_type="text/html")
    return read, [
        quantities(b.text, header=" ".join(b.column) or None, row=" ".join(b.row) or None, lang=read.lang)
        for b in read.blocks
    ]


WAYS: dict[str, Callable[[bytes], object]] = {"soup": soup, "page": page, "both": page_and_quantities}


def seconds(way: Callable[[bytes], object], body: bytes) -> float:
    """One timing, garbage collected before it."""
    gc.collect()
    started = time.perf_counter()
    way(body)
    return time.perf_counter() - started


def peak(way: str, kind: str, size: int) -> int:
    """Peak memory of a process of its own, in kilobytes."""
    done = subprocess.run(
        [sys.executable, "-m", "bench.reading", "peak", way, kind, str(size)],
        check=True,
        capture_output=True,
        text=True,
    )
    return int(done.stdout)


def main() -> None:
    """Print ratios."""
    if sys.argv[1:2] == ["peak"]:
        kept = WAYS[sys.argv[2]](PAGES[sys.argv[3]](int(sys.argv[4])))
        status = Path("/proc/self/status").read_text()  # getrusage would tell what the parent used, too
        print(next(line.split()[1] for line in status.splitlines() if line.startswith("VmHWM")), end="")
        del kept
        return
    print(f"{'':8}{'bytes':>10}{'soup':>10}{'page':>9}{'':>7}{'with quantities':>17}{'':>7}")
    for kind, make in PAGES.items():
        for size in SIZES:
            body = make(size)
            rounds = 7 if size < 100_000 else 3 if size < 1_000_000 else 1
            times = [[seconds(way, body) for way in WAYS.values()] for _ in range(rounds)]
            base, ours, both = (statistics.median(column) for column in zip(*times, strict=True))
            print(
                f"{kind:8}{size:>10,}{base:>8.3f} s{ours:>7.3f} s{ours / base:>6.2f}x"
                f"{both:>15.3f} s{both / base:>6.2f}x"
            )
        if Path("/proc/self/status").exists():
            base_kb, ours_kb = (peak(way, kind, SIZES[-1]) for way in ("soup", "page"))
            print(f"{kind:8}{SIZES[-1]:>10,} peak memory {ours_kb / base_kb:.2f}x (goal {GOAL_MEMORY}x)")
    print(f"goals: page at most {GOAL}x of soup, with quantities {GOAL_QUANTITIES}x")


if __name__ == "__main__":
    main()
