"""Slots: where a page labels a value (a row, a column, `Default:`, `defaults to`), and what stands there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from kb.judging import thresholds as t
from kb.judging.reading import PageReading
from kb.judging.words import Token
from kb.page import Block


@dataclass(frozen=True, slots=True)
class Slot:
    """A labelled value: `text[start:end]` of a block.

    Attributes:
        label: says which property it is; "" where only its other labels may.
        beside: what else names it, nearest first: the other header of a cell, the last heading.
        worded: whether a word in a sentence labels it: `the room is …`.
    """

    block: int
    start: int
    end: int
    label: str
    beside: tuple[str, ...]
    worded: bool = False

    def has(self, block: int, start: int, end: int) -> bool:
        """Whether a span lies within the value."""
        return self.block == block and self.start <= start and end <= self.end


_LABELLED = ("cell", "pair", "definition", "item", "paragraph")
_LABEL = re.compile(r"(?:^|(?<=[.;]\s)|(?<=\n))(?P<label>[^\W\d_][\w /-]{0,30}?)\s?[:=]\s+")
_END = re.compile(r"[.;](?=\s|$)|\n")
_QUOTES = "`'\"“”‘’*"
CLAUSE = re.compile(
    r"[,;)\n]|\.(?=\s|$)|\s\(|\s(?:if|unless|when|where|which|and|or|but|on|for|in)\s", re.IGNORECASE
)
_SAYS = re.compile(r"(?:\s(?:value|setting))?\s(?:is|are)\s(?:the\s)?|(?<=s)\sto\s", re.IGNORECASE)
_CHOICE = re.compile(r"default|recommended|current|latest|preferred|selected|active|primary|standard")
"""What marks one of several as chosen, behind its name."""
_VERB = re.compile(r"(?:to|not)\s|[a-z]+(?:ed|ing)\s+\w")
"""What says something of a label, and gives it no value: `the default is used`."""
_MARK = re.compile(r"\(\s?(?:(?:the|by|as)\s)?$")
_ITEM = re.compile(
    r"(?:^|[,;:.(\n]|\b(?:is|are|or|and|either|of|to)\b)\s*(?P<value>[^,;:(\n]+?)\s*\(\s?(?:\w+\s)?$"
)


def value_span(block: Block) -> tuple[int, int]:
    """Where the value of a labelled block stands: without label, the name that it is set to, and quotes."""
    text = block.text
    start, end = 0, len(text)
    if block.row and block.kind != "cell":
        label = block.row[-1].rstrip(" :=")
        if text.startswith(label) and (after := re.match(r"\s?[:=]\s?", text[len(label) :])):
            start = len(label) + after.end()
    first = re.match(r"\S+\s+", text[start:])
    if first is not None and _is_name(first.group().strip(_QUOTES + " :="), block):
        start += first.end()
    return trimmed(text, start, end)


_SET = re.compile(r"""[\s=:]+['"]?([^\s'"].*?)['"]?[\s,;]*$""")
"""What a line of settings gives the name that it begins with: `--mode 'fast'`, `mode = fast`."""


def set_span(block: Block) -> tuple[int, int] | None:
    """Where a line of settings has the value of the name that it begins with."""
    name = block.row[-1]
    value = _SET.match(block.text, block.text.find(name) + len(name))
    return value.span(1) if value and len(value[1]) <= t.SLOT else None


def _is_name(word: str, block: Block) -> bool:
    """Whether a value begins with what its block is headed by: `Timeout 60` under `Timeout Directive`."""
    titles = (*block.headings[-1:], *block.row[:1])
    if "_" in word:
        return True
    return len(word) > 1 and any(word in title.split() for title in titles) and not word.islower()


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """A span without white space, quotes and the stop around its value."""
    while start < end and (text[start].isspace() or text[start] in _QUOTES):
        start += 1
    while end > start and (text[end - 1].isspace() or text[end - 1] in _QUOTES + ".;,"):
        end -= 1
    return start, end


def slots(reading: PageReading, index: int, own: frozenset[str]) -> Iterator[Slot]:
    """The labelled values of one block; `own` are the words that may label one in a sentence."""
    block = reading.blocks[index]
    if block.kind == "code" and block.row and (value := set_span(block)):
        yield Slot(index, *value, block.row[-1].lstrip("-"), (*reversed(block.headings[-2:]), "default"))
    if block.kind not in _LABELLED or len(block.text) > t.SLOT_TEXT:
        return
    heading = tuple(reversed(block.headings[-2:]))
    whole = len(block.text) <= t.SLOT
    if whole and not block.header and (block.row or block.kind in ("cell", "pair", "definition")):
        start, end = value_span(block)
        if start < end:
            for label, others in _labels(block):
                yield Slot(index, start, end, label, (*others, *heading))
    entry = (*reversed(block.row), *block.column, *heading)
    if block.kind != "cell":
        for match in _LABEL.finditer(block.text):
            stop = _END.search(block.text, match.end())
            start, end = trimmed(block.text, match.end(), stop.start() if stop else len(block.text))
            if start < end <= start + t.SLOT and not (block.row and match.start() == 0):
                yield Slot(index, start, end, match["label"], entry)
    for token in reading.own[index]:
        if token.key in own and (span := _worded(block, token)):
            yield Slot(index, *span, block.text[token.start : token.end], entry, worded=True)


def _labels(block: Block) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each label of a block with its other ones."""
    for i, label in enumerate(block.row[::-1]):
        yield label, (*(r for j, r in enumerate(block.row[::-1]) if j != i), *block.column)
    for label in block.column:
        yield label, (*reversed(block.row), *(c for c in block.column if c != label))
    if not block.row and not block.column and block.kind != "cell":
        yield "", ()


def _worded(block: Block, token: Token) -> tuple[int, int] | None:
    """The value that a word in a text labels: `defaults to json`, `json (the default)`, `json default`."""
    text = block.text
    says = _SAYS.match(text, token.end)
    if says is not None:
        stop = CLAUSE.search(text, says.end())
        start, end = trimmed(text, says.end(), stop.start() if stop else len(text))
    elif text[token.end : token.end + 1] == ")" and _MARK.search(text, 0, token.start):
        before = _ITEM.search(text, max(0, token.start - t.SLOT), token.start)
        if before is None:
            return None
        start, end = trimmed(text, before.start("value"), before.end("value"))
    elif block.kind in ("cell", "item") and token.end == len(text) and _CHOICE.fullmatch(text, token.start):
        start, end = trimmed(text, 0, len(text[: token.start].rstrip(" -–—,;:")))
    else:
        return None
    value = text[start:end]
    if not value or len(value.split()) > t.SLOT_WORDS or (says is not None and _VERB.match(text, start)):
        return None
    return start, end
