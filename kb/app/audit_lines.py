"""Where the mentions of an audit stand in the article's file, and the edit that brings it up to date."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass

from kb.app.audit_mention import Mention, Status

CONTEXT = (4, 2, 1, 0)
"""Words on each side that must be the same in the file; fewer are tried where the marks differ."""

NEAR = 400
"""Characters on each side in which these words are."""

_BETWEEN = r"(?:[\W_]|&\w+;|<[^<>]*>){0,60}"
_SPACE = r"(?:\s|&nbsp;|&#160;|&#x[aA]0;|[*_`]{1,3}|<[^<>]{0,200}>)+"
_LINES = re.compile(r"[^\n]*\n|[^\n]+")
_BODY = re.compile(r"<body\b", re.IGNORECASE)
_WORDS = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Place:
    """A span of the article's file: offsets, and lines and columns from 1; the end is the first after it."""

    start: int
    end: int
    line: int
    column: int
    end_line: int
    end_column: int


def places(source: str, mentions: Sequence[Mention]) -> list[Place | None]:
    """Where each mention stands in the file; None where it cannot be told.

    Mentions come in reading order, so each is looked for from the one before on.
    """
    out: list[Place | None] = []
    body = _BODY.search(source)
    cursor = body.start() if body else 0
    last: tuple[Mention, Place] | None = None
    for mention in mentions:
        if last is not None:
            before, place = last
            inside = mention.block is before.block and mention.start < before.end
            cursor = max(cursor, place.start if inside else place.end)
        found = _find(source, mention, cursor) or _find(source, mention, 0)
        out.append(found)
        if found and found.start >= cursor:
            last = mention, found
    return out


def _find(source: str, mention: Mention, cursor: int) -> Place | None:
    text = mention.block.text
    before = _WORDS.findall(text[max(0, mention.start - NEAR) : mention.start])
    after = _WORDS.findall(text[mention.end : mention.end + NEAR])
    if mention.start > NEAR:
        before = before[1:]  # it may be cut
    if len(text) - mention.end > NEAR:
        after = after[:-1]
    exact = _SPACE.join("".join(map(_spelled, part)) for part in mention.text.split())
    for count in CONTEXT:
        left = "".join(re.escape(w) + _BETWEEN for w in before[len(before) - count :] if count)
        right = "".join(_BETWEEN + re.escape(w) for w in after[:count])
        found = re.compile(f"{left}(?P<it>{_whole(mention.text, exact)}){right}").search(source, cursor)
        if found:
            start, end = found.span("it")
            return Place(start, end, *_at(source, start), *_at(source, end))
    return None


def _spelled(char: str) -> str:
    """A character as a file may write it: itself, escaped in Markdown, or as an entity in HTML."""
    if char.isalnum() and char.isascii():
        return char
    return rf"(?:\\?{re.escape(char)}|&#?\w+;)"


def _whole(text: str, pattern: str) -> str:
    """The pattern where it is no part of a longer word or number."""
    left = r"(?<![^\W_])(?<!\d[.,])" if text[:1].isalnum() else ""
    right = r"(?![^\W_])(?![.,]\d)" if text[-1:].isalnum() else ""
    return f"{left}{pattern}{right}"


def _at(source: str, offset: int) -> tuple[int, int]:
    return source.count("\n", 0, offset) + 1, offset - source.rfind("\n", 0, offset)


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
    bare = new if " per " in mention.text else new.partition(" per ")[0]
    if re.search(r"\d-[^\W\d_]", mention.text):  # "an 8-GPU server"
        bare = re.sub(r"(?<=\d) ([^\W\d_]+?)s?$", r"-\1", bare)
    return bare


def unmended(mentions: Sequence[Mention], where: Sequence[Place | None]) -> list[Mention]:
    """What no longer holds, and no edit brings up to date: a person must."""
    both = zip(mentions, where, strict=True)
    return [m for m, p in both if m.gone and (p is None or not replacement(m))]


def edit_as_diff(name: str, before: str, after: str) -> str:
    """A unified diff that `git apply` and `patch` take; empty where nothing changes."""
    old, new = _LINES.findall(before), _LINES.findall(after)
    end = "\t" if " " in name else ""  # as git writes it, so that the name ends where it ends
    out = []
    for line in difflib.unified_diff(old, new, f"a/{name}{end}", f"b/{name}{end}"):
        out.append(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n")
    return "".join(out)
