"""What one claims file gave, and how its faults are told."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache

from yaml import Node

from kb.claims.source import Source
from kb.claims.yaml import place
from kb.errors import Problem

Place = tuple[int, int]

_FULL_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_ISO_DATE = re.compile(r"\d{4}(?:-\d{2}(?:-\d{2})?|-Q[1-4])?|FY\d{4}|--\d{2}-\d{2}")


@dataclass(slots=True)
class Draft:
    """One file as far as it could be read, and the places to complain at.

    Attributes:
        file: path relative to the knowledge base.
        id: of its source, from the file's name.
        today: ISO date; later days are in the future.
        sourced: whether the file has a `source`.
        places: of each claim's own value, in the order of `source.claims`.
        formulas: of each formula, by claim id.
    """

    file: str
    id: str
    today: str
    sourced: bool = True
    source: Source | None = None
    problems: list[Problem] = field(default_factory=list)
    places: list[Place] = field(default_factory=list)
    formulas: dict[str, Place] = field(default_factory=dict)

    @property
    def faulty(self) -> bool:
        """Whether the file has an error, and so is left out."""
        return any(p.level == "error" for p in self.problems)

    def told(self, at: Node | Place, what: str, remedy: str, rule: str) -> None:
        """An error at a node."""
        where = at if isinstance(at, tuple) else place(at)
        self.problems.append(Problem(self.file, *where, what, remedy, rule=rule))

    def warned(self, at: Node | Place, what: str, remedy: str, rule: str) -> None:
        """A warning at a node."""
        where = at if isinstance(at, tuple) else place(at)
        self.problems.append(Problem(self.file, *where, what, remedy, "warning", rule))

    def day(self, text: str, at: Node, key: str) -> None:
        """Check a day on which somebody did something: whole, possible, not in the future."""
        if not _FULL_DAY.fullmatch(text):
            self.told(at, f'"{key}" needs a day, not "{text}"', _better_date(text, True), "bad-date")
        elif not _possible(text):
            self.told(at, f"there is no day {text}", "put the day that is meant", "impossible-date")
        elif text > self.today:
            self.future(text, at, key)

    def when(self, text: str, at: Node, key: str, past: bool = False) -> None:
        """Check a date at its precision."""
        if not _ISO_DATE.fullmatch(text):
            self.told(at, f'"{text}" is no date that a claims file knows', _better_date(text), "bad-date")
        elif not _possible(text):
            self.told(at, f"there is no date {text}", "put the date that is meant", "impossible-date")
        elif past and text[:1].isdigit() and "Q" not in text and text > self.today[: len(text)]:
            self.future(text, at, key)

    def future(self, text: str, at: Node, key: str) -> None:
        """An error for a day that is yet to come."""
        what = f'"{key}" is {text}, in the future (today is {self.today})'
        self.told(at, what, "put the day that is meant", "future-date")


@lru_cache(4096)
def _possible(text: str) -> bool:
    if text.startswith("FY"):
        return True
    if text.startswith("--"):
        text = f"2000{text[1:]}"  # a leap year, as 29 February exists
    year, _, rest = text.partition("-")
    if not rest or rest.startswith("Q"):
        return int(year) > 0
    try:
        date.fromisoformat(text if len(rest) > 2 else f"{text}-01")
    except ValueError:
        return False
    return True


@lru_cache(256)
def _better_date(text: str, whole: bool = False) -> str:
    from kb.quantity import FigureError, parse_date

    form = "write it as 2024-03-18" if whole else "write it as 2024-03-18, 2024-03 or 2024"
    try:
        read = parse_date(text)
    except FigureError:
        return form
    values = [v for v in (read.value, *read.readings) if not whole or _FULL_DAY.fullmatch(v)]
    return "write " + " or ".join(dict.fromkeys(values)) if values else form
