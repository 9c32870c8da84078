"""Whether a page still states a claim, and where it says so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kb.later import later

if TYPE_CHECKING:
    from kb.judging.contest import Explained, explained
    from kb.judging.events import Confirm, Event, History, Reading
    from kb.judging.history import tell
    from kb.judging.judgement import JUDGE_VERSION, judge, judge_page
    from kb.judging.recomputed import recompute
    from kb.judging.stated import found_key, in_force, stated_on
    from kb.judging.verdict import Evidence, Found, Other, Selector, Verdict, verdict_from_json

__all__ = [
    "JUDGE_VERSION",
    "Confirm",
    "Event",
    "Evidence",
    "Explained",
    "Found",
    "History",
    "Other",
    "Reading",
    "Selector",
    "Verdict",
    "explained",
    "found_key",
    "in_force",
    "judge",
    "judge_page",
    "recompute",
    "stated_on",
    "tell",
    "verdict_from_json",
]

__getattr__ = later(
    __name__,
    {
        "contest": ("Explained", "explained"),
        "events": ("Confirm", "Event", "History", "Reading"),
        "history": ("tell",),
        "judgement": ("JUDGE_VERSION", "judge", "judge_page"),
        "recomputed": ("recompute",),
        "stated": ("found_key", "in_force", "stated_on"),
        "verdict": ("Evidence", "Found", "Other", "Selector", "Verdict", "verdict_from_json"),
    },
)
"""Load on first use: the judge stands on all rooms below, and most commands need only a few words."""
