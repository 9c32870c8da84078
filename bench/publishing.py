"""Our pages against Datasette's own, on a knowledge base with many verdicts: ratios in one run.

    python -m bench.publishing [CLAIMS [READINGS]]   (10,000 and 100: a million verdicts)

Each figure is the processor time of all of the process's threads, so that what else the machine does
does not count. Goals: a claim's page within 1.5 of Datasette's row page, search within 1.5 of its full-text
table page, the first page within 2 of its first page of a table.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from kb.claims import Claim, Source
from kb.judging import Verdict
from kb.judging.verdict import Evidence
from kb.publish.serve import make_datasette
from kb.quantity import parse_figure
from kb.reasons import Reason
from kb.snapshots import Capture
from kb.store import BuildInput, Seen, write_database

ROUNDS = 25
PER_SOURCE = 20
START = datetime(2024, 1, 1, tzinfo=UTC)

PAIRS = (
    ("claim / row", "/claims/s7.c3", "/kb/claims/s7~2Ec3", 1.5),
    ("search / full-text table", "/search?q=memory+s7", "/kb/claims?_search=memory+s7", 1.5),
    ("search by figure / same", "/search?q=0.107+TB", "/kb/claims?_search=memory+s7", 1.5),
    ("home / table", "/", "/kb/claims_now", 2.0),
)


def sources(count: int) -> tuple[Source, ...]:
    out = []
    for n in range(count // PER_SOURCE):
        claims = []
        for m in range(PER_SOURCE):
            figure = f"{n % 400 + 100} GB"
            given: dict[str, Any] = {"attribute": "memory", "quantity": parse_figure(figure)}
            claims.append(Claim(f"s{n}.c{m}", f"Node s{n} {m}", "figure", figure, source_id=f"s{n}", **given))
        url = f"https://s{n}.example/"
        facts: dict[str, Any] = {
            "title": f"Page {n}",
            "publisher": f"Works {n % 50}",
            "claims": tuple(claims),
        }
        out.append(Source(f"s{n}", url=url, **facts))
    return tuple(out)


def captures(url: str, readings: int) -> list[Capture]:
    return [
        Capture(url, url, START + timedelta(days=7 * r), status=200, digest=f"sha256:{r:064x}", run=f"r{r}")
        for r in range(readings)
    ]


def build(path: Path, claims: int, readings: int) -> None:
    given = sources(claims)
    taken = {s.url: captures(s.url, readings) for s in given if s.url}

    def verdicts() -> Iterator[tuple[str, Capture, Verdict]]:
        for source in given:
            for claim in source.claims:
                held = Verdict(
                    Reason.VERBATIM.outcome,
                    Reason.VERBATIM,
                    found=str(claim.value),
                    score=0.9,
                    evidence=Evidence(f"It has {claim.value} of memory."),
                )
                for capture in taken[str(source.url)]:
                    yield claim.id, capture, held

    seen = {url: [Seen(c) for c in all_] for url, all_ in taken.items()}
    write_database(path, BuildInput(sources=given, captures=seen, verdicts=verdicts(), name="bench"))


async def measured(path: Path) -> list[tuple[str, float, float, float]]:
    datasette = make_datasette(path)
    await datasette.invoke_startup()

    async def took(address: str) -> float:
        started = time.process_time()
        answer = await datasette.client.get(address)
        answer.raise_for_status()
        return (time.process_time() - started) * 1000

    out = []
    for name, ours, theirs, goal in PAIRS:
        await took(ours), await took(theirs)
        pairs = [(await took(ours), await took(theirs)) for _ in range(ROUNDS)]
        mine, other = (statistics.median(column) for column in zip(*pairs, strict=True))
        out.append((name, mine, other, goal))
    return out


def main() -> None:
    given = [int(a) for a in sys.argv[1:3]]
    claims, readings = (*given, *(10_000, 100)[len(given) :])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "kb.db"
        build(path, claims, readings)
        print(f"{claims * readings:,} verdicts on {claims:,} claims")
        for name, mine, other, goal in asyncio.run(measured(path)):
            print(f"{name:28}{mine:>7.1f} ms{other:>8.1f} ms   {mine / other:.2f} x   goal: at most {goal}")


if __name__ == "__main__":
    main()
