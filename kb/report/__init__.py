"""The drift report: rows to one document, one file for each format."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kb.later import later
from kb.report.phrases import plain

if TYPE_CHECKING:
    from kb.report import words
    from kb.report.atom import Published, feed_summary, render_atom
    from kb.report.entry import Entry, change_entry, doubt_entry
    from kb.report.html import render_html
    from kb.report.json import claim_json, report_json
    from kb.report.junit import render_junit
    from kb.report.markdown import entry_markdown, render_markdown
    from kb.report.summary import Coverage, Summary, exit_code, summarise
    from kb.report.text import entry_lines, render_summary, render_text
    from kb.report.words import headline

__all__ = [
    "Coverage",
    "Entry",
    "Published",
    "Summary",
    "change_entry",
    "claim_json",
    "doubt_entry",
    "entry_lines",
    "entry_markdown",
    "exit_code",
    "feed_summary",
    "headline",
    "plain",
    "render_atom",
    "render_html",
    "render_junit",
    "render_markdown",
    "render_summary",
    "render_text",
    "report_json",
    "summarise",
    "words",
]

__getattr__ = later(
    __name__,
    {
        "atom": ("Published", "feed_summary", "render_atom"),
        "entry": ("Entry", "change_entry", "doubt_entry"),
        "html": ("render_html",),
        "json": ("claim_json", "report_json"),
        "junit": ("render_junit",),
        "markdown": ("entry_markdown", "render_markdown"),
        "summary": ("Coverage", "Summary", "exit_code", "summarise"),
        "text": ("entry_lines", "render_summary", "render_text"),
        "words": ("headline",),
    },
)
"""What loads jinja2, or the claims and the judge: on first use, as printing needs none."""
