"""How commands print: marks, colours, and one width for all."""

from __future__ import annotations

import json
import os
import shutil
import sys
import textwrap
from collections.abc import Iterable
from typing import Any

import click

from kb.report import plain as _plain

COLOURS = {"holds": "green", "drifted": "red", "gone": "magenta", "unclear": "yellow", "unread": "cyan"}


def colour_wanted() -> bool:
    """Whether standard output is a terminal that wants colour (NO_COLOR, https://no-color.org)."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def paint(text: str, **style: Any) -> str:
    """`text` in a style where the terminal wants it, else as it is."""
    return click.style(text, **style) if colour_wanted() else text


def outcome_word(outcome: str) -> str:
    """An outcome in its colour."""
    return paint(outcome, fg=COLOURS.get(outcome), bold=True)


def marked(text: str, part: str) -> str:
    """`text` with `part` marked: reversed on a terminal, in »…« elsewhere."""
    if not part or part not in text:
        return text
    before, _, after = text.partition(part)
    return before + (click.style(part, reverse=True) if colour_wanted() else f"»{part}«") + after


def wrapped(text: str, indent: str = "  ") -> str:
    """Lines of at most the terminal's width (100 at most, and where there is none), indented."""
    width = min(100, shutil.get_terminal_size((100, 24)).columns) if sys.stdout.isatty() else 100
    return textwrap.fill(text, width, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False)


def plain(text: str) -> str:
    """Scraped text for a terminal: what it would act on left out, line ends and spaces kept."""
    return _plain(text, lines=True)


def print_json(data: Any) -> None:
    """One JSON document, indented, as UTF-8 characters."""
    click.echo(json.dumps(data, ensure_ascii=False, indent=2))


def json_line(data: Any) -> str:
    """One JSON document on one line."""
    return json.dumps(data, ensure_ascii=False)


def table(rows: Iterable[tuple[str, ...]], gap: str = "  ") -> list[str]:
    """Rows of texts as lines with aligned columns."""
    rows = list(rows)
    widths = [max(len(r[i]) for r in rows) for i in range(len(rows[0]))] if rows else []
    return [gap.join(c.ljust(w) for c, w in zip(r, widths, strict=True)).rstrip() for r in rows]
