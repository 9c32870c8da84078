"""A claim's time line, as the shapes of an SVG."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from kb.publish.badge import clipped
from kb.publish.queries import Seen

WIDTH = 640
_LEFT, _RIGHT, _LEAST = 6, 634, 5


@dataclass(frozen=True, slots=True)
class Bar:
    """A stretch of readings that say the same, from `x` to `x + width`."""

    x: float
    width: float
    verdict: str
    label: str
    title: str


@dataclass(frozen=True, slots=True)
class Tick:
    """A capture that was not read."""

    x: float
    title: str


@dataclass(frozen=True, slots=True)
class TimeLine:
    """Bars for what was read, ticks for what was not, and the days at both ends."""

    bars: list[Bar]
    ticks: list[Tick]
    first: str
    last: str


def time_line(readings: Sequence[Seen]) -> TimeLine | None:
    """Draw `readings`, which are newest first; None where there are none."""
    ordered = list(reversed(readings))
    if not ordered:
        return None
    times = [datetime.fromisoformat(r.captured).timestamp() for r in ordered]
    span = max(times[-1] - times[0], 1.0)
    at = [_LEFT + (t - times[0]) / span * (_RIGHT - _LEFT - _LEAST) for t in times]
    ticks = [
        Tick(round(x, 1), f"{r.captured[:10]}: unread ({r.reason})")
        for x, r in zip(at, ordered, strict=True)
        if r.verdict == "unread"
    ]
    read = [(x, r) for x, r in zip(at, ordered, strict=True) if r.verdict != "unread"]
    runs: list[tuple[float, Seen, int]] = []
    for x, reading in read:
        if runs and (runs[-1][1].verdict, runs[-1][1].found) == (reading.verdict, reading.found):
            runs[-1] = (*runs[-1][:2], runs[-1][2] + 1)
        else:
            runs.append((x, reading, 1))
    ends = [*(x for x, _, _ in runs[1:]), _RIGHT][: len(runs)]  # a page never read has no bar
    bars = [_bar(x, end, reading, n) for (x, reading, n), end in zip(runs, ends, strict=True)]
    return TimeLine(bars, ticks, ordered[0].captured[:10], ordered[-1].captured[:10])


def _bar(x: float, end: float, reading: Seen, count: int) -> Bar:
    width = max(end - x - 1, _LEAST)
    value = clipped(reading.found or reading.verdict, 120)
    fits = int(width / 7)  # about so many letters of the label's size
    label = value if len(value) <= fits else f"{value[: fits - 1]}…" if fits > 3 else ""
    times = f"{count} reading{'' if count == 1 else 's'}"
    return Bar(
        round(x, 1),
        round(width, 1),
        reading.verdict,
        label,
        f"from {reading.captured[:10]}: {reading.verdict}, {value} ({times})",
    )
