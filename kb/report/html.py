"""The drift report as one HTML file, for mail, a telephone, paper and a screen reader."""

from __future__ import annotations

from functools import lru_cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from kb.report import words
from kb.report.entry import Entry, change_entry, doubt_entry
from kb.report.news import news
from kb.report.now import value_now
from kb.report.summary import Summary
from kb.report.text import why_unread

if TYPE_CHECKING:
    from jinja2 import Environment


def render_html(summary: Summary) -> str:
    """The whole report: no script, no picture, nothing that is loaded from elsewhere."""
    parts = news(summary)
    return (
        _environment()
        .get_template("report.html.jinja")
        .render(
            summary=summary,
            parts=parts,
            w=words,
            value_now=value_now,
            why_unread=why_unread,
            confirmed=[change_entry(c, summary.open[c.id], summary) for c in parts.confirmed],
            doubts=[
                (
                    "Suspected",
                    "A change, not confirmed yet; read again soon.",
                    list(map(doubt_entry, parts.suspected)),
                ),
                ("Unclear", "A person must look.", list(map(doubt_entry, parts.unclear))),
            ],
        )
    )


def render_entry(entry: Entry) -> str:
    """One change alone, for a feed: as in the report, without its style."""
    module: Any = _environment().get_template("entry.html.jinja").make_module({"w": words})
    return str(module.card(entry, "confirmed")).strip()


@lru_cache(maxsize=1)
def _environment() -> Environment:
    from jinja2 import Environment, FunctionLoader, StrictUndefined  # start-up time

    # Everything is scraped or written by strangers, so all of it is escaped.
    return Environment(
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        loader=FunctionLoader(
            lambda name: resources.files("kb.report").joinpath(name).read_text(encoding="utf-8")
        ),
    )
