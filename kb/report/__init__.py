"""The drift report: rows to one document, one file for each format."""

from kb.report.json import claim_json, report_json
from kb.report.markdown import render_markdown
from kb.report.summary import Coverage, Summary, exit_code, summarise
from kb.report.text import render_summary, render_text
from kb.report.words import headline

__all__ = [
    "Coverage",
    "Summary",
    "claim_json",
    "exit_code",
    "headline",
    "render_markdown",
    "render_summary",
    "render_text",
    "report_json",
    "summarise",
]
