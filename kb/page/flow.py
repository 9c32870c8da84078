"""Running text to blocks: what is collected between two block boundaries becomes one.

A reader of any markup drives it: it opens and closes runs, and says what role
and kind the text has. Text of another role inside a sentence (struck through,
hidden, an image's alt text) becomes a block of its own after that sentence,
so that the sentence stays whole and reads as a person reads it.
"""

from __future__ import annotations

import re

from kb.page.commented import commented_parts
from kb.page.labels import MAX_LABEL, MAX_LABELS, is_pair, label_of, lead_label
from kb.page.listings import named_lines
from kb.page.literals import is_placeholder, literal_tables, without_tags
from kb.page.page import Block
from kb.page.part import BREAK, Part, fold
from kb.page.roles import role_of_heading

Headings = tuple[tuple[int, str], ...]

PSEUDO = 7
"""Level of what acts as a heading without being one: a bold line, a summary, a tab."""

SEAM = "\x01"
"""Stands where one inline element ends and its like begins, with nothing between."""

_SEAM = re.compile("(?<=[^\\W\\d_]{3})\x01(?=[A-Z0-9$€£¥])")
_VALUE = re.compile(r"\s*[^\w\s]{0,3}\s?\d")
_MAX_BOLD_LINE = 100


class Flow:
    """Collects text; `sink` gets the blocks."""

    def __init__(self) -> None:
        self.out: list[Part | Block] = []
        self.sink = self.out
        self.buf: list[str] = []
        self.cur = self.buf
        self.asides: list[tuple[str, list[str]]] = []
        self.generation = 0
        """Counts flushes: a run that was opened in another generation has lost its text to a block."""
        self.role = "content"
        self.block_role = "content"
        self.kind = "paragraph"
        self.level = 0
        self.row: tuple[str, ...] = ()
        self.headings: Headings = ()
        self.heading_texts: tuple[str, ...] = ()
        self.section_role = ""
        self.pre = 0
        self.bold = 0
        self.lead = 0
        """How many pieces of `buf` are its bold beginning."""
        self.coded = 0
        """How many pieces of `buf` are code that it begins with."""
        self.links = 0
        """Characters of `buf` that are in links, and whether all of these lead to places on the page."""
        self.local = True
        self.in_cell = False
        self.raised: list[list[str]] = []
        self.table_count = 0
        self.tags: list[str] = []
        """Template tags that stood in the block that ends."""
        self.terms: list[tuple[tuple[str, ...], list[str]]] = []
        """For each open definition list: the labels around it, and its last terms."""

    def flush(self) -> None:
        """End the block that is being collected."""
        if self.buf:
            pieces = self.buf
            self.buf = []
            while self.raised:
                self.lower()
            joined = "".join(pieces)
            if self.pre:
                text = code_lines(joined)
            else:
                if "{%" in joined:
                    joined = self._without_tags(joined)
                if SEAM in joined:
                    seamed = joined.split(SEAM)
                    joined = _SEAM.sub(" ", joined).replace(SEAM, "")
                    if len(seamed) == 2 and not self.lead and _VALUE.match(seamed[1]):
                        pieces, self.lead = seamed, 1
                text = _pairs(joined) if self.kind == "paragraph" and "\n" in joined else ""
                text = text or fold(joined)
            if text:
                self._emit(text, self.block_role, pieces)
            if self.tags:
                self._add_tags()
        if self.asides:
            asides = self.asides
            self.asides = []
            for role, words in asides:
                text = fold("".join(words).replace(SEAM, ""))
                if text:
                    self._add(Part(self.kind, text, role, self.level, self.heading_texts, self.row))
        self.cur = self.buf
        self.block_role = self.role
        self.lead = self.links = self.coded = 0
        self.local = True
        self.generation += 1

    def _without_tags(self, joined: str) -> str:
        """The words without a template's tags, which are kept for later, as are bare values."""
        text, self.tags = without_tags(joined)
        if is_placeholder(text):
            self.tags.append(fold(text))
            return ""
        return text

    def _add_tags(self) -> None:
        """Rows that a template lists are a table; the tags themselves are never shown."""
        tags, self.tags = self.tags, []
        for block in literal_tables("\n".join(tags), self.table_count, self.heading_texts):
            self.sink.append(block)
            self.table_count = (block.table or 0) + 1
        self._add(Part("paragraph", fold(" ".join(tags)), "meta", 0, self.heading_texts))

    def lower(self) -> None:
        """End a raised run, keeping raised digits recognisable."""
        words = "".join(self.cur)
        self.cur = self.raised.pop()
        self.cur.append(raise_digits(words))

    def _emit(self, text: str, role: str, pieces: list[str]) -> None:
        kind = self.kind
        part = Part(kind, text, role, self.level, self.heading_texts, self.row)
        if self.bold:
            part.bold = True
        elif self.lead:
            lead = fold("".join(pieces[: self.lead]))
            if lead == text:
                part.bold = True
            else:
                part.lead = lead
        if self.coded and fold("".join(pieces[: self.coded])) == text:
            part.coded = True
        if self.links * 10 >= len(text) * 8:
            part.linked = "page" if self.local else "away"
        if part.linked == "page" and kind == "paragraph" and role == "content" and not self.in_cell:
            part.role = "navigation"  # "back to top" and its like
        elif role == "content" and self.section_role:
            part.role = self.section_role
        if self.in_cell:
            self.sink.append(part)
        elif kind == "paragraph" or kind == "item":
            self._add_labelled(part)
        elif kind == "code":
            self._add_code(part)
        else:
            self._add(part)
        if kind == "heading":
            self.set_heading(self.level, text)
        elif kind == "term" and self.terms and len(self.terms[-1][1]) < MAX_LABELS:
            self.terms[-1][1].append(text)

    def _add(self, part: Part) -> None:
        self.sink.append(part)

    def _add_labelled(self, part: Part) -> None:
        if part.kind == "paragraph" and part.bold and part.role == "content" and self._is_heading(part.text):
            part.kind = "heading"
            part.level = 6
            part.headings = tuple(t for level, t in self.headings if level < PSEUDO)
            self._add(part)
            self.set_heading(PSEUDO, part.text)
            return
        found = labelled(part)
        for each in found:
            self._add(each)
        if part.kind == "item" and not self.in_cell and len(found) == 1:
            self._item_said(found[0])

    def _item_said(self, part: Part) -> None:
        """The label that opens a list item stands for all blocks in it."""

    def _is_heading(self, text: str) -> bool:
        return len(text) <= _MAX_BOLD_LINE and text[-1] not in ".!?;," and "\n" not in text and len(text) > 1

    def _add_code(self, part: Part) -> None:
        lines = named_lines(part.text) or commented_parts(part.text)
        if lines is None:
            self._add(part)
            return
        for line, names in lines:
            self._add(Part("code", line, part.role, part.level, part.headings, (*part.row, *names)))

    def set_heading(self, level: int, text: str) -> None:
        """A heading was read: what follows stands under it."""
        self.go_under((*(h for h in self.headings if h[0] < level), (level, text)))

    def go_under(self, headings: Headings) -> None:
        """Stand under these headings."""
        if headings is self.headings:
            return
        self.headings = headings
        self.heading_texts = tuple(t for _, t in headings)
        self.section_role = next((r for level, t in headings if level > 1 and (r := role_of_heading(t))), "")


def labelled(part: Part) -> list[Part]:
    """A paragraph or item with its label; lines `label: value` are told apart."""
    text = part.text
    if part.kind == "paragraph" and ("\n" in text or text.count(": ") > 1):
        lines = text.split("\n") if "\n" in text else _pieces(text)
        labels = [label_of(line) for line in lines]
        if len(lines) > 1 and sum(1 for one in labels if one) * 2 > len(lines):
            found = []
            for line, label in zip(lines, labels, strict=True):
                kind = "pair" if label else part.kind
                row = (*part.row, label) if label else part.row
                found.append(Part(kind, line, part.role, part.level, part.headings, row))
            return found
    label = lead_label(text, part.lead) if part.lead and text.startswith(part.lead) else None
    if label is None and (":" in text[: MAX_LABEL + 2] or "：" in text[: MAX_LABEL + 2]):
        label = label_of(text)
    if label:
        if part.kind == "paragraph" and is_pair(text, label):
            part.kind = "pair"
            part.row = (*part.row, label)
        elif part.kind != "paragraph" or part.lead:
            part.row = (*part.row, label)
    return [part]


_BETWEEN_PAIRS = re.compile(r"\s*[;,·•|]\s+")
_MOST_WORDS = 6  # of a value that others follow on its line


def _pieces(text: str) -> list[str]:
    """`Cores: 8, Memory: 16 GB` in its parts, where each of them is a label with a short value.

    A first label with a digit is a name that all the others are of: `m5.large: 2 cores, Memory: 8 GB`.
    """
    pieces = _BETWEEN_PAIRS.split(text)
    labels = [label_of(piece) for piece in pieces]
    if labels[0] and re.search(r"\d", labels[0]):
        return [text]
    short = all(
        label and len(piece.split()) <= _MOST_WORDS + len(label.split())
        for piece, label in zip(pieces, labels, strict=True)
    )
    return pieces if short else [text]


_MOST_PAIRS = 40


def _pairs(text: str) -> str:
    """The lines of a paragraph that its source writes as `label: value` each; "" for running text."""
    if BREAK in text or not 0 < text.count("\n") <= _MOST_PAIRS or ":" not in text:
        return ""
    lines = [line for line in map(fold, text.split("\n")) if line]
    for line in lines:
        label = label_of(line)
        if label is None or not is_pair(line, label):
            return ""
    return "\n".join(lines) if len(lines) > 1 else ""


def code_lines(text: str) -> str:
    """The lines of code, tabs spread, without blank ones at both ends."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").replace("\x00", "\n").replace(SEAM, "")
    kept = [line.rstrip() for line in lines.expandtabs(8).split("\n")]
    start, end = 0, len(kept)
    while start < end and not kept[start]:
        start += 1
    while end > start and not kept[end - 1]:
        end -= 1
    return "\n".join(kept[start:end])


_RAISED = str.maketrans("0123456789+-−()", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁽⁾")
_MAX_RAISED = 24
_RAISABLE = re.compile(r"[\d+\-−(),\s]*\d[\d+\-−(),\s]*\Z")


def raise_digits(text: str) -> str:
    """Raised digits as the characters for them (`10⁹`, `$4⁹⁹`, `Gbps¹`); other raised text as it is."""
    return text.strip().translate(_RAISED) if len(text) <= _MAX_RAISED and _RAISABLE.match(text) else text
