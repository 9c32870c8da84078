"""Claims with what became of them, in a database, for alerts to be told of."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

from knowledge import a_capture, a_claim, a_source, a_verdict, at

from kb.judging import Verdict
from kb.reasons import Reason
from kb.report import Summary, summarise
from kb.store import BuildInput, Seen, open_rows, write_database

HELD = a_verdict(Reason.VERBATIM, "1 GB")
DRIFT = a_verdict(Reason.CHANGED, "2 GB", "The size of 2 GB, as @somebody wrote in #12.")
OTHER = a_verdict(Reason.CHANGED, "3 GB", "The size of 3 GB.")
GONE = a_verdict(Reason.REMOVED, None)
NOW = at(40)


def told_by(folder: Path, *claims: list[Verdict], apart: float = 0.25, first: float = 0) -> Summary:
    """A summary of claims `x.size0`, `x.size1` …, each with its verdicts `apart` days after each other."""
    days = max(len(c) for c in claims)
    captures = [a_capture("x", first + i * apart) for i in range(days)]
    build = BuildInput(
        sources=(
            a_source("x", *(a_claim(f"x.size{n}", "1 GB", attribute="size") for n in range(len(claims)))),
        ),
        captures={"https://x.example/page": [Seen(c) for c in captures]},
        verdicts=[
            (f"x.size{n}", c, v)
            for n, verdicts in enumerate(claims)
            for c, v in zip(captures, verdicts, strict=False)
        ],
        name="sizes",
    )
    write_database(folder / "kb.db", build)
    with open_rows(folder / "kb.db") as rows:
        return summarise(rows, NOW)


class Clock:
    """Time that goes on by a second whenever it is asked."""

    def __init__(self, start: datetime = NOW) -> None:
        self.time = start

    def __call__(self) -> datetime:
        self.time += timedelta(seconds=1)
        return self.time
