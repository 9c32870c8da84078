"""What the site shows of claims whose pages were asked for and never read."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from kb.claims import Claim, Source
from kb.publish.drawing import time_line
from kb.publish.queries import Seen
from kb.publish.serve import make_datasette
from kb.quantity import parse_figure
from kb.reasons import Reason
from kb.snapshots import Capture
from kb.store import BuildInput, write_database
from kb.store import Seen as Row

URL = "https://host.example/sizes.html"


def claims() -> tuple[Source, ...]:
    memory = Claim(
        "sizes.memory",
        "Atlas",
        "figure",
        "640 GB",
        attribute="memory",
        quantity=parse_figure("640 GB"),
        source_id="sizes",
    )
    return (Source("sizes", title="Sizes", publisher="Example", url=URL, claims=(memory,)),)


def unread(times: int) -> dict[str, list[Row]]:
    captures = [
        Capture(URL, URL, datetime(2026, 1, day, tzinfo=UTC), reason=Reason.DNS, run=f"r{day}")
        for day in range(1, times + 1)
    ]
    return {URL: [Row(c, Reason.DNS) for c in captures]}


@pytest.mark.parametrize("times", [0, 1, 3])
def test_a_claim_that_was_never_read_has_its_page_and_says_so(tmp_path: Path, times: int) -> None:
    database = tmp_path / "kb.db"
    write_database(database, BuildInput(sources=claims(), captures=unread(times) if times else {}))

    async def ask() -> Any:
        datasette = make_datasette(database)
        await datasette.invoke_startup()
        return [await datasette.client.get(path) for path in ("/claims/sizes.memory", "/sources/sizes", "/")]

    answers = asyncio.run(ask())
    assert [a.status_code for a in answers] == [200, 200, 200]
    assert "stated, not checked here yet" in answers[0].text.lower()
    assert "The page says" not in answers[0].text
    assert "640 GB" in answers[0].text


def test_a_time_line_of_failures_alone_has_marks_and_no_bar() -> None:
    seen = [Seen(f"2026-01-0{n}T00:00:00Z", "unread", "dns", "", "640 GB", None, None) for n in (3, 2, 1)]
    drawn = time_line(seen)
    assert drawn is not None
    assert (drawn.bars, len(drawn.ticks)) == ([], 3)
