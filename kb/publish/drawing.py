"""A claim's time line, as the shapes of an SVG."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from kb.publish.badge import clipped
from kb.publish.queries import Seen

_WHOLE, _LEAST, _GAP = 100.0, 0.8, 0.2  # per cent of the width

# So many of a label's letters fit into the whole width of a small and of a large screen. A label
# that does not fit is left out and never cut: half a figure is another figure.
_SMALL, _LARGE = 29, 100


@dataclass(frozen=True, slots=True)
class Bar:
    """A stretch of readings that say the same, from `x` to `x + width`, in per cent.

    `room` is `small` where the label fits on any screen, `large` where on a large one alone.
    """

    x: float
    width: float
    verdict: str
    label: str
    room: str
    title: str


@dataclass(frozen=True, slots=True)
class Tick:
    """A capture that was not read, at `x` per cent."""

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
    at = [(t - times[0]) / span * (_WHOLE - _LEAST) for t in times]
    ticks = [
        Tick(round(x, 2), f"{r.captured[:10]}: unread ({r.reason})")
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
    ends = [*(x for x, _, _ in runs[1:]), _WHOLE][: len(runs)]  # a page never read has no bar
    bars = [_bar(x, end, reading, n) for (x, reading, n), end in zip(runs, ends, strict=True)]
    return TimeLine(bars, ticks, ordered[0].captured[:10], ordered[-1].captured[:10])


def _bar(x: float, end: float, reading: Seen, count: int) -> Bar:
    width = max(end - x - _GAP, _LEAST)
    value = clipped(reading.found or reading.verdict, 120)
    letters = len(value) + 2
    room = next(
        (n for n, all_ in (("small", _SMALL), ("large", _LARGE)) if letters <= all_ * width / 100), ""
    )
    times = f"{count} reading{'' if count == 1 else 's'}"
    return Bar(
        round(x, 2),
        round(width, 2),
        reading.verdict,
        value if room else "",
        room,
        f"from {reading.captured[:10]}: {reading.verdict}, {value} ({times})",
    )
