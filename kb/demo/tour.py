"""The tour: all of kb on a small site that changes, told as a person would tell it."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from importlib import resources
from pathlib import Path

from kb.app.base import KnowledgeBase
from kb.app.check import CheckOptions, check
from kb.app.init import start_knowledge_base
from kb.demo.server import DemoSite
from kb.report import Summary, exit_code, headline, render_text, summarise
from kb.store import ClaimNow, open_rows

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Step:
    """One visit to the site.

    `verdicts` holds what the tour promises: for a claim `verdict reason`, with
    ` suspected` or ` confirmed` behind it where it is a change; `events` how many
    are open and closed then; `code` the exit code.
    """

    day: int
    hour: int
    story: str
    verdicts: dict[str, str]
    events: tuple[int, int]
    code: int


STORY = (
    Step(1, 9, "Every page is read for the first time, and archived.", {}, (0, 0), 0),
    Step(
        8,
        9,
        "A week later the site has changed. What looks like a change is only suspected as yet.",
        {
            "hgx.b200-networking": "drifted changed suspected",
            "aws-p5.instance": "drifted changed suspected",
            "azure-nd-h100-v5.per-gpu": "holds respelled",
            "ibta.members": "gone removed suspected",
            "gb200-nvl72.nvlink": "holds verbatim",
            "our-sums.p5-per-gpu": "drifted input-drifted suspected",
            "prices.h100": "holds verbatim, unread blocked",
            "colossus.build": "holds verbatim, unread soft-404",
            "ultra-ethernet.founders": "holds verbatim, unread moved",
        },
        (0, 0),
        3,
    ),
    Step(
        8,
        11,
        "Two hours on, only the doubtful pages are asked again. "
        "The drifts are confirmed; a loss needs a third look.",
        {
            "hgx.b200-networking": "drifted changed confirmed",
            "aws-p5.instance": "drifted changed confirmed",
            "ibta.members": "gone removed suspected",
            "our-sums.hgx-b200-ratio": "drifted input-drifted confirmed",
        },
        (4, 0),
        1,
    ),
    Step(
        9,
        9,
        "The next day the loss is confirmed, too.",
        {"ibta.members": "gone removed confirmed"},
        (5, 0),
        1,
    ),
    Step(
        15,
        12,
        "The P5 page is back at its old figure, so its event closes. The price list answers again.",
        {
            "aws-p5.instance": "holds verbatim",
            "our-sums.p5-per-gpu": "holds recomputed",
            "hgx.b200-networking": "drifted changed confirmed",
            "prices.h100": "holds verbatim",
            "colossus.build": "holds verbatim, unread soft-404",
        },
        (3, 2),
        1,
    ),
)


def prepare(folder: Path, url: str, first_day: datetime) -> None:
    """Write the tour's claims files into `folder`, for a site at `url`."""
    start_knowledge_base(folder)
    for file in sorted((resources.files("kb.demo") / "claims").iterdir(), key=lambda f: f.name):
        text = file.read_text(encoding="utf-8")
        text = text.replace("BASE/", f"{url}/").replace("RETRIEVED", first_day.date().isoformat())
        (folder / "claims" / file.name).write_text(text, encoding="utf-8")


def tour(folder: Path, say: Say, today: datetime) -> list[str]:
    """Tell the whole story in `folder`; return what did not go as told (nothing, if all is well).

    The tour's clock is its own: its day 15 is `today`.
    """
    first = today.replace(hour=0, minute=0, second=0, microsecond=0) - timedelta(days=14)
    wrong: list[str] = []
    with DemoSite() as site:
        prepare(folder, site.url, first)
        say("A site of 16 pages on loopback, and claims on what they say.")
        for step in STORY:
            site.day = step.day
            moment = first + timedelta(days=step.day - 1, hours=step.hour)
            wrong += _visit(folder, step, moment, say)
    kb = KnowledgeBase.open(folder, today=today.date())
    say("")
    say("The drift report (kb report):")
    say("")
    end = first + timedelta(days=STORY[-1].day - 1, hours=STORY[-1].hour)
    with open_rows(kb.database) as rows:
        say(render_text(summarise(rows, end)))
    return wrong


def _visit(folder: Path, step: Step, moment: datetime, say: Say) -> list[str]:
    started = time.monotonic()

    def clock() -> datetime:
        return moment + timedelta(seconds=time.monotonic() - started)

    kb = KnowledgeBase.open(folder, today=moment.date())
    before = _states(kb) if kb.database.exists() else {}
    checked = check(kb, CheckOptions(allow_private=True, clock=clock, jobs=1))
    with open_rows(kb.database) as rows:
        summary = summarise(rows, clock())
    code = exit_code(summary)
    say("")
    say(f"Day {step.day}, {step.hour:02}:00. {step.story}")
    say(f"  kb check asks for {len(checked.captures)} pages")
    for claim in summary.claims:
        state = _state(claim)
        if (before and state != before.get(claim.id)) or claim.id in step.verdicts:
            say(_line(claim, state))
    say(f"  {headline(summary)}")
    say(f"  exit code {code}: {CODES[code]}")
    return _compare(step, summary, code)


CODES = {
    0: "all read, fresh and holding",
    1: "a change is confirmed",
    3: "nothing confirmed, but a person should look",
}


def _states(kb: KnowledgeBase) -> dict[str, str]:
    with open_rows(kb.database) as rows:
        return {c.id: _state(c) for c in rows.claims()}


def _state(claim: ClaimNow) -> str:
    """`verdict reason`, whether a change is confirmed, and why the newest capture was not read."""
    text = f"{claim.verdict} {claim.reason}"
    if claim.verdict in ("drifted", "gone"):
        text += " confirmed" if claim.confirmed else " suspected"
    if claim.unread and claim.verdict != "unread":
        text += f", unread {claim.unread['reason']}"
    return text


def _line(claim: ClaimNow, state: str) -> str:
    found = claim.found_text
    values = claim.stated_text + (f" -> {found}" if found and found != claim.stated_text else "")
    return f"    {claim.id:26} {values:42} {state}"


def _compare(step: Step, summary: Summary, code: int) -> list[str]:
    """What is otherwise than the story says."""
    at = f"day {step.day}, {step.hour:02}:00"
    states = {c.id: _state(c) for c in summary.claims}
    wrong = [
        f"{at}: {id} is {states.get(id)!r}, not {told!r}"
        for id, told in step.verdicts.items()
        if states.get(id) != told
    ]
    if not step.verdicts:
        wrong += [f"{at}: {id} is {state!r}" for id, state in states.items() if not state.startswith("holds")]
    events = (len(summary.open), sum(1 for e in summary.events if e.closed))
    if events != step.events:
        wrong.append(f"{at}: events open and closed are {events}, not {step.events}")
    if code != step.code:
        wrong.append(f"{at}: the exit code is {code}, not {step.code}")
    return wrong


def now() -> datetime:
    """The time, aware, UTC."""
    return datetime.now(UTC)
