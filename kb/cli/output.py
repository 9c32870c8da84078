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


_OPENS, _CLOSES, _TIES = "\x0e", "\x0f", "\x1f"  # one character each, so that lines break as they are seen
_SHORT = 40  # characters of a marked part that stays on one line


def marked(text: str, part: str) -> str:
    """`text` with `part` marked, for `wrapped`: reversed on a terminal, in »…« elsewhere."""
    if not part or part not in text:
        return text
    before, _, after = text.partition(part)
    if not colour_wanted():
        return f"{before}»{part}«{after}"
    part = part.replace(" ", _TIES) if len(part) <= _SHORT else part
    return f"{before}{_OPENS}{part}{_CLOSES}{after}"


def wrapped(text: str, indent: str = "  ", *, first: str | None = None) -> str:
    """Lines of at most the terminal's width (100 at most, and where there is none), indented.

    `first` indents the first line, where it is not as the others.
    """
    width = min(100, shutil.get_terminal_size((100, 24)).columns) if sys.stdout.isatty() else 100
    begin = indent if first is None else first
    lines = textwrap.wrap(text, width, initial_indent=begin, subsequent_indent=indent, break_on_hyphens=False)
    out, inside = [], False
    for line in lines:  # what is marked is marked on each line anew, and the indent is not
        bare = line.lstrip(" ")
        head = line[: len(line) - len(bare)]
        opened = f"{_OPENS}{bare}" if inside else bare
        inside = opened.rfind(_OPENS) > opened.rfind(_CLOSES)
        out.append(head + opened + (_CLOSES if inside else ""))
    return "\n".join(out).replace(_TIES, " ").replace(_OPENS, "\x1b[7m").replace(_CLOSES, "\x1b[0m")


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
