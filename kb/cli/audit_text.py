"""An audit for a terminal: the article's passages with marks, and under each what the claims say."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

import click

from kb.cli.output import colour_wanted, paint, plain

if TYPE_CHECKING:
    from kb.app.audit_evidence import Behind
    from kb.app.audit_lines import Place
    from kb.app.audit_mention import Mention
    from kb.page import Block

COLOURS = {"holds": "green", "drifted": "red", "other": "yellow", "derived": "blue", "source": "cyan"}
SIGNS = {"holds": "+", "drifted": "!", "other": "?", "derived": "=", "source": "@", "none": "-"}

WIDEST, NARROWEST = 100, 24

QUOTED = 160
"""Characters of the page's words that are shown."""

_Styled = list[tuple[str, str | None]]
"""Characters, each with the colour that it has; "" underlines alone."""


def show(
    mentions: Sequence[Mention], where: Sequence[Place | None], behind: Mapping[str, Behind]
) -> Iterator[str]:
    """The lines of an audit."""
    from kb.app.audit_report import SAYS, counts

    width = _width()
    lines = {id(m): p.line for m, p in zip(mentions, where, strict=True) if p}
    for _, group in groupby(mentions, key=_passage):
        found = list(group)
        line = next((lines[id(m)] for m in found if id(m) in lines), None)
        yield paint(_place(found[0].block, line), bold=True)
        yield from _wrapped(_marked(found), width, "  ")
        for mention in found:
            yield from _said(mention, behind, width)
    seen = counts(mentions)
    parts = [f"{SIGNS[str(s)]} {seen[str(s)]} {says}" for s, says in SAYS.items() if seen[str(s)]]
    yield paint(f"{len(mentions)} places", bold=True) + (":" if parts else ", nothing to match")
    yield from (f"  {part}" for part in parts)
    unread = sum(m.verdict == "unread" for m in mentions)
    if unread:
        yield f"  of these, {unread} rest on claims whose pages were not read yet"


def _width() -> int:
    columns = shutil.get_terminal_size((WIDEST, 24)).columns if sys.stdout.isatty() else WIDEST
    return max(NARROWEST, min(WIDEST, columns))


def _passage(mention: Mention) -> tuple[int, int]:
    """A paragraph, or a row of a table."""
    block = mention.block
    if block.table is not None and block.row_index is not None:
        return block.table, block.row_index
    return -1, id(block)


def _place(block: Block, line: int | None) -> str:
    if line:
        return f"line {line}"
    if block.page:
        return f"page {block.page}"
    return f"under {plain(block.headings[-1])}" if block.headings else "at the start"


def _marked(mentions: Sequence[Mention]) -> _Styled:
    """The passage with its places marked: in colour, else in brackets with a sign."""
    out: _Styled = []
    for _, group in groupby(mentions, key=lambda m: id(m.block)):
        found = sorted(group, key=lambda m: (m.start, -m.end))
        if out:
            out += [(c, None) for c in " | "]
        text, at = found[0].block.text, 0
        labels = [*found[0].block.row[-1:]] if found[0].block.table is not None and not out else []
        out += [(c, None) for label in labels for c in f"{label} | "]
        for m in found:
            if m.start < at:
                continue
            out += [(c, None) for c in text[at : m.start]]
            if colour_wanted():
                out += [(c, COLOURS.get(m.status, "")) for c in m.text]
            else:
                out += [(c, None) for c in f"[{SIGNS[m.status]}{m.text}]"]
            at = m.end
        out += [(c, None) for c in text[at:]]
    return out


def _wrapped(text: _Styled, width: int, indent: str) -> Iterator[str]:
    """Lines of at most the width; a word that is longer has one of its own."""
    words: list[_Styled] = [[]]
    for char, colour in text:
        if char.isspace():
            words.append([])
        else:
            words[-1].append((plain(char), colour))
    line: _Styled = []
    for word in filter(None, words):
        if line and len(indent) + len(line) + 1 + len(word) > width:
            yield indent + _painted(line)
            line = []
        if line:
            same = line[-1][1] == word[0][1]
            line.append((" ", line[-1][1] if same else None))
        line += word
    if line:
        yield indent + _painted(line)


def _painted(line: _Styled) -> str:
    out = []
    for colour, run in groupby(line, key=lambda c: c[1]):
        text = "".join(char for char, _ in run)
        out.append(text if colour is None else click.style(text, fg=colour or None, underline=True))
    return "".join(out)


def _said(mention: Mention, behind: Mapping[str, Behind], width: int) -> Iterator[str]:
    """What is said of one place: its claim; where a person should look, its evidence too."""
    text = f"{SIGNS[mention.status]} {' '.join(plain(mention.text).split())}"
    found = mention.derived_from
    if mention.claims and not found:
        text += f": {mention.claims[0]}"
    if mention.formula:
        text += f" = {mention.worked or mention.formula}"
    if found:
        text += f" ({', '.join(mention.claims)})"
    elif mention.status in ("other", "drifted"):
        text += f" states {mention.stated}"
        text += f"; its page says {plain(mention.found)}" if mention.found else ""
    if mention.gone or mention.verdict in ("unclear", "drifted", "gone"):
        text += f" ({'no longer holds' if mention.gone else mention.verdict})"
    if len(mention.claims) > 1 and not found:
        text += f" (also {', '.join(mention.claims[1:])})"
    first, *rest = _wrapped([(c, None) for c in text], width - 2, "    ")
    colour = COLOURS.get(mention.status)
    sign = first.lstrip()[0]
    yield first.replace(sign, paint(sign, fg=colour, bold=True), 1) if colour else first
    yield from (f"  {line}" for line in rest)
    if mention.gone or mention.doubtful:
        for id in mention.claims[:1]:
            yield from _evidence(behind[id], width)


def _evidence(one: Behind, width: int) -> Iterator[str]:
    day = f", retrieved {one.retrieved}" if one.retrieved else ""
    if one.name:
        yield from _wrapped([(c, None) for c in f"{one.name}{day}"], width, "        ")
    if one.quote:
        quote = " ".join(plain(one.quote).split())
        short = quote if len(quote) <= QUOTED else quote[: QUOTED - 1].rstrip() + "…"
        yield from _wrapped([(c, None) for c in f"»{short}«"], width, "        ")
    if one.link:
        yield f"        {plain(one.link)}"
