"""The drift report: rows to one document, one file for each format."""

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
