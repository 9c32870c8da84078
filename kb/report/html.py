"""The drift report as one HTML file, for mail, a telephone, paper and a screen reader."""

from __future__ import annotations

from functools import lru_cache
from importlib import resources
from typing import TYPE_CHECKING

from kb.report import words
from kb.report.entry import change_entry, doubt_entry
from kb.report.news import news
from kb.report.now import value_now
from kb.report.summary import Summary
from kb.report.text import why_unread

if TYPE_CHECKING:
    from jinja2 import Template


def render_html(summary: Summary) -> str:
    """The whole report: no script, no picture, nothing that is loaded from elsewhere."""
    parts = news(summary)
    return _template().render(
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


@lru_cache(maxsize=1)
def _template() -> Template:
    from jinja2 import Environment, StrictUndefined  # start-up time

    # Everything is scraped or written by strangers, so all of it is escaped.
    environment = Environment(
        autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined
    )
    text = resources.files("kb.report").joinpath("report.html.jinja").read_text(encoding="utf-8")
    return environment.from_string(text)
