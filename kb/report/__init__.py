"""The drift report: rows to one document, one file for each format."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

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

_LATER = {
    "Coverage": "summary",
    "Entry": "entry",
    "Published": "atom",
    "Summary": "summary",
    "change_entry": "entry",
    "claim_json": "json",
    "doubt_entry": "entry",
    "entry_lines": "text",
    "entry_markdown": "markdown",
    "exit_code": "summary",
    "feed_summary": "atom",
    "headline": "words",
    "render_atom": "atom",
    "render_html": "html",
    "render_junit": "junit",
    "render_markdown": "markdown",
    "render_summary": "text",
    "render_text": "text",
    "report_json": "json",
    "summarise": "summary",
}
"""Names whose modules load jinja2, or the claims and the judge: on first use, as printing needs none."""

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


def __getattr__(name: str) -> Any:
    if name == "words":
        return importlib.import_module("kb.report.words")
    if name in _LATER:
        return getattr(importlib.import_module(f"kb.report.{_LATER[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
