"""Where the mentions of an audit stand in the article's file, and the edit that brings it up to date."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass

from kb.app.audit_mention import Mention, Status

CONTEXT = (4, 2, 1, 0)
"""Words on each side that must be the same in the file; fewer are tried where the marks differ."""

_BETWEEN = r"(?:[\W_]|&\w+;|<[^<>]*>){0,60}"
_WORDS = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Place:
    """A span of the article's file: offsets, and line and column from 1."""

    start: int
    end: int
    line: int
    column: int


def places(source: str, mentions: Sequence[Mention]) -> list[Place | None]:
    """Where each mention stands in the file; None where it cannot be told.

    Mentions come in reading order, so each is looked for from the one before on.
    """
    out: list[Place | None] = []
    cursor = 0
    for mention in mentions:
        found = _find(source, mention, cursor) or _find(source, mention, 0)
        out.append(found)
        if found:
            line_start = source.rfind("\n", 0, found.start) + 1
            cursor = max(cursor, line_start)
    return out


def _find(source: str, mention: Mention, cursor: int) -> Place | None:
    text = mention.block.text
    before, after = _WORDS.findall(text[: mention.start]), _WORDS.findall(text[mention.end :])
    exact = r"\s+".join(re.escape(p) for p in mention.text.split())
    for count in CONTEXT:
        left = "".join(re.escape(w) + _BETWEEN for w in before[len(before) - count :] if count)
        right = "".join(_BETWEEN + re.escape(w) for w in after[:count])
        found = re.compile(f"{left}(?P<it>{exact}){right}").search(source, cursor)
        if found:
            start, end = found.span("it")
            line_start = source.rfind("\n", 0, start) + 1
            return Place(start, end, source.count("\n", 0, start) + 1, start - line_start + 1)
    return None


def fixed(source: str, mentions: Sequence[Mention], where: Sequence[Place | None]) -> str:
    """The article with what no longer holds replaced by what the page or the claim states now."""
    edits: dict[tuple[int, int], str] = {}
    for mention, place in zip(mentions, where, strict=True):
        new = replacement(mention)
        if place is not None and new:
            edits[place.start, place.end] = new
    for (start, end), new in sorted(edits.items(), reverse=True):
        source = source[:start] + new + source[end:]
    return source


def replacement(mention: Mention) -> str:
    """What should stand there; empty where the article need not change, or nothing is known."""
    if not mention.gone or mention.kind == "list" or mention.formula:
        return ""
    new = mention.found or (mention.stated if mention.status is Status.OTHER else "")
    bare = new.partition(" per ")[0]
    return bare if " per " not in mention.text else new


def edit_as_diff(name: str, before: str, after: str) -> str:
    """A unified diff that `git apply` and `patch` take; empty where nothing changes."""
    lines = difflib.unified_diff(
        before.splitlines(keepends=True), after.splitlines(keepends=True), f"a/{name}", f"b/{name}"
    )
    out = []
    for line in lines:
        out.append(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n")
    return "".join(out)
