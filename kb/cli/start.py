"""What `kb` alone prints: where you are, how things stand, and what to do next."""

from __future__ import annotations

import shutil
import textwrap
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from kb.cli.output import paint, plain
from kb.report.phrases import asking, count, listed

if TYPE_CHECKING:
    from kb.app.here import Here
    from kb.store import Tally

SHOWN = 3
"""Faults that are shown; `kb lint` has them all."""


def greet(root: Path = Path()) -> None:
    """Print what is in `root` and what to do next, in a few lines no wider than the terminal."""
    from kb.app.here import look_around, next_steps

    now = datetime.now(UTC)
    here = look_around(root, now)
    width = min(80, shutil.get_terminal_size((80, 24)).columns)
    for line in _standing(here, now):
        click.echo(_wrap(line, width))
    click.echo()
    click.echo(paint("Next:", bold=True))
    for line in _steps(next_steps(here, now), width):
        click.echo(line)
    click.echo()
    click.echo(_wrap("kb --help lists every command, kb COMMAND --help its options.", width))


def _standing(here: Here, now: datetime) -> list[str]:
    """Where this is and how it is with it, a line for each thing."""
    if not here.base:
        lines = ["kb keeps cited figures with their sources, and says whether they still hold.", ""]
        if here.above is not None:
            return [
                *lines,
                f"This folder lies in the knowledge base {plain(here.above.name)}, and is none itself.",
            ]
        return [*lines, "This folder is no knowledge base: there is no claims/ in it."]
    lines = [f"Knowledge base {plain(here.name)}: {_stated(here)}"]
    if here.problems:
        lines += ["", f"{count(len(here.problems), 'fault')} in what you wrote:"]
        lines += [f"  {plain(str(p))}" for p in here.problems[:SHOWN]]
        more = len(here.problems) - SHOWN
        lines += [f"  and {more} more"] if more > 0 else []
        lines.append("")
    if here.trouble:
        lines.append(f"{plain(here.trouble)}.")
    if here.tally is not None and here.tally.last_run is not None:
        lines += _verdicts(here.tally, now)
    elif here.runs:
        lines.append(f"{count(here.runs, 'file')} of captures in snapshots/, and no kb.db made from them.")
    elif here.files:
        lines.append("Nothing was read yet.")
    return lines


def _stated(here: Here) -> str:
    if not here.files:
        return "no claims yet."
    if here.claims is not None:
        rest = ", those in faulty files left out" if here.problems else ""
        return f"{count(here.claims, 'claim')} from {count(here.sources or 0, 'source')}{rest}."
    if here.tally is not None:
        tally = here.tally
        unchecked = f" ({tally.unchecked} not checked)" if tally.unchecked else ""
        total = count(tally.claims + tally.unchecked + tally.proposed, "claim")
        return f"{total}{unchecked} from {count(tally.sources, 'source')} that are read."
    return f"{count(here.files, 'claims file')}; kb lint reads them."


def _verdicts(tally: Tally, now: datetime) -> list[str]:
    from kb.app.here import is_due

    age = _age((now - datetime.fromisoformat(tally.last_run or "")).total_seconds())
    due = f", and sources are read every {_age(tally.every)}" if is_due(tally, now) else ""
    lines = [
        f"Last read {age} ago{due}: checked {tally.checked} of {count(tally.claims, 'claim')}, "
        f"{tally.read} of {count(tally.sources, 'source')} read.",
        "",
    ]
    said = asking(
        {
            "confirmed": tally.confirmed,
            "suspected": tally.suspected,
            "unclear": tally.unclear,
            "unread": tally.unread,
            "unseen": tally.unseen,
            "stale": tally.stale,
        }
    )
    if tally.proposed:
        said.append(count(tally.proposed, "is only proposed", "are only proposed"))
    holds = f"{count(tally.holds, 'claim holds', 'claims hold')}"
    return [*lines, f"{holds}; {listed(said)}." if said else f"{holds}, and nothing needs a look."]


def _age(seconds: float) -> str:
    """`3 hours`, in the largest unit that fits."""
    for word, size in (("day", 86400), ("hour", 3600), ("minute", 60)):
        if seconds >= size:
            return count(int(seconds // size), word)
    return count(max(0, int(seconds)), "second")


def _steps(steps: list[tuple[str, str]], width: int) -> list[str]:
    """Each command with what it does behind it; below it where the terminal is narrow."""
    column = max(len(command) for command, _ in steps) + 4
    if width - column < 30:
        return [line for command, what in steps for line in (f"  {command}", _wrap(f"    {what}", width))]
    lines = []
    for command, what in steps:
        wrapped = textwrap.wrap(what, width - column)
        lines.append(f"  {command:{column - 2}}{wrapped[0]}")
        lines += [" " * column + rest for rest in wrapped[1:]]
    return lines


def _wrap(text: str, width: int) -> str:
    indent = text[: len(text) - len(text.lstrip())]
    return textwrap.fill(
        text.strip(),
        width,
        initial_indent=indent,
        subsequent_indent=indent,
        break_on_hyphens=False,
        break_long_words=False,
    )
