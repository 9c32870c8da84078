"""The sections of a report and their order, once for all formats that are made of lines."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from kb.report.news import News, news
from kb.report.summary import Summary

ORDER = (
    "confirmed",
    "suspected",
    "unclear",
    "unread",
    "stale",
    "archived",
    "contradictions",
    "accepted",
    "proposed",
    "closed",
    "undelivered",
)
"""First what needs a person, then what is in doubt, then what is known and merely told."""

Section = Callable[[Summary, News], list[str]]
"""A section in one format: its lines, a blank one first; none where there is nothing to tell."""


def in_order(summary: Summary, sections: Mapping[str, Section]) -> list[str]:
    """The lines of all sections, which must be those of `ORDER`."""
    parts = news(summary)
    return [line for name in ORDER for line in sections[name](summary, parts)]
