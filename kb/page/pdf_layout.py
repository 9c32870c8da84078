"""Where words stand on the pages of a PDF, to paragraphs, headings, items and tables."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from kb.page.flow import Flow, labelled
from kb.page.page import Block
from kb.page.part import Part, Table, fold, plain_table
from kb.page.pdf_tables import Ruled, Tables, laid_out, ruled_table
from kb.page.tables import table_blocks

_BULLET = re.compile(r"(?:[•‣▪●○◦–*]|-(?=\s)|\(?\d{1,2}[.)](?=\s))\s*")
_HEADING = 1.15
"""How much larger than the body a heading's letters are."""

_MAX_HEADING = 150
_PARAGRAPH_GAP = 1.75
"""Lines further apart than this many letter sizes belong to two paragraphs."""


class Segment(NamedTuple):
    """A run of words on one line: its left end, baseline, right end, letter size and text, and its cell."""

    left: float
    y: float
    right: float
    size: float
    text: str
    cell: int = -1
    """Of those of its page's ruled tables; -1 outside of them."""


Line = list[Segment]


def pdf_blocks(pages: list[list[Segment]], tables: dict[int, Tables] | None = None) -> list[Block]:
    """Blocks of all pages in order, each with its page number; `tables` by the index of their page."""
    parts = [_parts(page, (tables or {}).get(number, [])) for number, page in enumerate(pages)]
    lines = [[line for part in page if isinstance(part, list) for line in part] for page in parts]
    body = _body_size(pages)
    sizes = sorted({round(s.size) for page in pages for s in page if s.size > body * _HEADING}, reverse=True)[
        :6
    ]
    running = _running(lines)
    reader = _Reader(body, {size: level for level, size in enumerate(sizes, 1)}, running)
    for number, each in enumerate(parts, 1):
        for part in each:
            reader.read(part, number)
    return reader.blocks


def _parts(page: list[Segment], boxes: Tables) -> list[list[Line] | Ruled]:
    """Lines and ruled tables in the order of the page, each table where its first words are."""
    if not boxes:
        return [_lines(page)]
    words: dict[int, list[str]] = {}
    for segment in page:
        words.setdefault(segment.cell, []).append(segment.text)
    owner: dict[int, Ruled] = {}
    first = 0
    for table in boxes:
        ruled = ruled_table([(box, _joined(words.get(first + n, []))) for n, box in enumerate(table)])
        if ruled is not None:
            owner.update(dict.fromkeys(range(first, first + len(table)), ruled))
        first += len(table)
    parts: list[list[Line] | Ruled] = []
    run: list[Segment] = []
    placed: set[int] = set()
    for segment in page:
        found = owner.get(segment.cell)
        if found is None:
            run.append(segment)
        elif id(found) not in placed:
            placed.add(id(found))
            parts += [_lines(run), found]
            run = []
    return [*parts, _lines(run)]


def _lines(page: list[Segment]) -> list[Line]:
    """Segments that follow each other on one baseline."""
    lines: list[Line] = []
    for segment in page:
        last = lines[-1][-1] if lines else None
        if last is not None and abs(last.y - segment.y) <= 0.45 * last.size and segment.left >= last.left:
            lines[-1].append(segment)
        else:
            lines.append([segment])
    return lines


def _body_size(pages: list[list[Segment]]) -> float:
    sizes: Counter[float] = Counter()
    for page in pages:
        for segment in page:
            sizes[segment.size] += len(segment.text)
    return sizes.most_common(1)[0][0] if sizes else 1.0


def _masked(line: Line) -> str:
    return re.sub(r"\d+", "#", " ".join(s.text for s in line))


def _running(pages: list[list[Line]]) -> set[str]:
    """Heads and feet that stand on most pages, figures aside."""
    seen: Counter[str] = Counter()
    for page in pages:
        if page:
            seen.update({_masked(page[0]), _masked(page[-1])})
    enough = max(3, len(pages) // 2)
    return {text for text, count in seen.items() if count >= enough}


class _Reader:
    """Goes through the pages; headings last over them."""

    def __init__(self, body: float, levels: dict[int, int], running: set[str]) -> None:
        self.body = body
        self.levels = levels
        self.running = running
        self.flow = Flow()
        self.blocks: list[Block] = []
        self.tables = 0
        self.page = 1

    def read(self, lines: list[Line] | Ruled, page: int) -> None:
        self.page = page
        if not isinstance(lines, list):
            self._emit(laid_out(lines, self.tables, self.flow.heading_texts))
            return
        at = 0
        while at < len(lines):
            end = _table_end(lines, at)
            if end:
                self._table(lines[at:end])
                at = end
                continue
            end = at + 1
            while (
                end < len(lines) and not _table_end(lines, end) and self._goes_on(lines[end - 1], lines[end])
            ):
                end += 1
            self._text(lines[at:end])
            at = end

    def _goes_on(self, above: Line, line: Line) -> bool:
        if _masked(line) in self.running or _masked(above) in self.running or _BULLET.match(line[0].text):
            return False
        first, size = above[0], line[0].size
        if abs(first.size - size) > 0.1 * max(first.size, size):
            return False
        return 0 < first.y - line[0].y <= _PARAGRAPH_GAP * size

    def _text(self, lines: list[Line]) -> None:
        text = fold(_joined([" ".join(s.text for s in line) for line in lines]))
        if not text:
            return
        if _masked(lines[0]) in self.running:
            self._add(Part("paragraph", text, "footer"))
            return
        level = self.levels.get(round(lines[0][0].size), 0)
        if level and len(text) <= _MAX_HEADING and re.search(r"[^\W\d_]", text):
            self.flow.go_under(tuple(h for h in self.flow.headings if h[0] < level))
            self._add(Part("heading", text, "content", level, self.flow.heading_texts))
            self.flow.set_heading(level, text)
            return
        bullet = _BULLET.match(text)
        kind = "item" if bullet and bullet.end() < len(text) else "paragraph"
        words = text[bullet.end() :] if bullet and kind == "item" and not text[0].isdigit() else text
        part = Part(
            kind, words, self.flow.section_role or "content", int(kind == "item"), self.flow.heading_texts
        )
        for each in labelled(part):
            self._add(each)

    def _table(self, lines: list[Line]) -> None:
        columns = _columns(lines)
        rows: list[list[str]] = []
        for line in lines:
            row = [""] * len(columns)
            for segment in line:
                at = next(n for n, (a, b) in enumerate(columns) if a <= segment.left <= b)
                row[at] = f"{row[at]} {segment.text}".strip()
            if rows and not row[0] and len([c for c in row if c]) < len(row) - 1 and len(line) == 1:
                rows[-1] = [f"{a} {b}".strip() for a, b in zip(rows[-1], row, strict=True)]
            else:
                rows.append([fold(cell) for cell in row])
        self._emit(plain_table(rows, 0, self.tables, self.flow.heading_texts))

    def _emit(self, table: Table) -> None:
        self.tables += 1
        self.blocks.extend(replace(block, page=self.page) for block in table_blocks(table))

    def _add(self, part: Part) -> None:
        self.blocks.append(replace(part.block(), page=self.page))


def _table_end(lines: list[Line], at: int) -> int:
    """Where a run of lines in columns ends; 0 where none begins."""
    if len(lines[at]) < 2:
        return 0
    end = at + 1
    while end < len(lines) and _same_columns(lines, at, end):
        end += 1
    return end if end - at > 1 and len(_columns(lines[at:end])) > 1 else 0


def _same_columns(lines: list[Line], at: int, end: int) -> bool:
    above, line = lines[end - 1], lines[end]
    if not 0 < above[0].y - line[0].y <= 3 * line[0].size + above[0].size:
        return False
    if len(line) < 2:
        first = lines[at]
        return line[0].left > first[0].right and end > at + 1  # the second line of a cell
    starts = [segment.left for segment in lines[at]]
    shared = sum(1 for s in line if any(abs(s.left - x) < 2 * s.size for x in starts))
    ends = [segment.right for segment in lines[at]]
    shared = max(shared, sum(1 for s in line if any(abs(s.right - x) < 2 * s.size for x in ends)))
    return shared * 2 >= len(line) and shared > 0


def _columns(lines: list[Line]) -> list[tuple[float, float]]:
    """Stretches of the page that hold the segments of one column, those that overlap joined."""
    spans = sorted((segment.left, segment.right) for line in lines for segment in line)
    joined: list[tuple[float, float]] = []
    for left, right in spans:
        if joined and left <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(joined[-1][1], right))
        else:
            joined.append((left, right))
    return joined


def _joined(lines: list[str]) -> str:
    """Lines as one text, a word that was parted at a line's end whole again."""
    text = lines[0] if lines else ""
    for above, line in pairwise(lines):
        word = above.split()[-1] if above.split() else ""
        parted = word.endswith("-") and "-" not in word[:-1] and word[-2:-1].isalpha() and line[:1].islower()
        if parted or above.endswith(("\u00ad", "\ufffe", "\x02")):
            text = text[:-1] + line
        else:
            text += " " + line
    return text.replace("\ufffe", "").replace("\x02", "")
