"""The words around each block of a page, with what each counts for."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence, Set
from urllib.parse import unquote, urlsplit

from kb.judging.words import keys, speech
from kb.page import Block, Page

# How much a word counts where it stands around a value, against 1.0 beside it. The order is what
# matters: labels of the cell's own row and column say most, then the heading right above.
ROW = 1.0
COLUMN = 0.95
LABEL_LEFT = 0.9
LABEL_RIGHT = 0.7
LABEL_STEP = 0.06
LABEL_LEAST = 0.3
NEIGHBOUR = 0.8
HEADING = (0.85, 0.6, 0.45)
PARENT = 0.7
CAPTION = 0.6
LEAD = 0.4
BELOW = 0.7  # a paragraph below the facts of what it tells of
TITLE = 0.7
OPENED = 0.35

_WORD = re.compile(r"[^\W_]{2,}")
_DIGIT = re.compile(r"\d")

OPENING = 4  # blocks at the start that may say what the page is about

WIDE = 24  # cells of a row; of a wider one only the first and the nearest are read as labels
FIRST = 3
LINES = 3  # lines below a setting's that say what it does
_FACTS = ("item", "pair", "definition")
MANY = 8  # facts that a section may begin with
LONG_LABEL = 200  # a longer cell is no label of its row

Around = dict[str, float]


def topic(page: Page, blocks: Sequence[Block], names: Set[str] = frozenset()) -> dict[str, float]:
    """The words that the whole page is about, with what each counts for at every block.

    Its title, its first heading and its address name it everywhere, in any case where it is one of the
    page's `names`: the `hikaricp` of an address is HikariCP. What it opens with counts less.
    """
    heading = next((b for b in blocks if b.kind in ("title", "heading") and b.role == "content"), None)
    said = [page.title, heading.text if heading else ""]
    if page.url:
        said.append(unquote(urlsplit(page.url).path).replace("/", " ").replace("-", " "))
    named = {key for text in said for key in keys(text)}
    named |= {word for text in said for word in _WORD.findall(text.lower()) if word in names}
    opening: set[str] = set()
    for block in blocks[:OPENING]:
        if block.kind in ("pair", "code", "heading", "title") and len(block.text) <= LONG_LABEL:
            opening |= keys(block.text)
    return dict.fromkeys(opening, OPENED) | dict.fromkeys(named, TITLE)


def surroundings(blocks: Sequence[Block], about: Mapping[str, float]) -> list[Around]:
    """For each block the words around it: headings, labels, caption, and what leads to it."""
    rows: dict[tuple[int, int], list[int]] = defaultdict(list)
    for i, block in enumerate(blocks):
        if block.table is not None and block.row_index is not None:
            rows[block.table, block.row_index].append(i)
    headed: dict[tuple[str, ...], Around] = {}
    out: list[Around] = []
    parents: list[tuple[int, int]] = []  # (level, block) of the list items above
    lead = -1  # the last paragraph that may introduce what follows
    above = -1  # the last item or pair, if no other is right before it: such a one titles a table
    told = told_below(blocks)
    for i, block in enumerate(blocks):
        if block.headings not in headed:
            headed[block.headings] = _under(block.headings, about)
        around = dict(headed[block.headings])
        if block.kind == "item":
            while parents and parents[-1][0] >= block.level:
                parents.pop()
            for distance, (_, parent) in enumerate(reversed(parents)):
                _add(around, blocks[parent].text, PARENT if distance == 0 else LEAD)
        elif block.kind in ("heading", "paragraph", "title"):
            parents.clear()
        if lead >= 0 and block.headings == blocks[lead].headings:
            leads = blocks[lead].text.rstrip().endswith(":")
            _add(around, blocks[lead].text, PARENT if leads else LEAD)
            for label in blocks[lead].row if i == lead + 1 else ():
                _add(around, label, PARENT)  # a definition that goes on in a second paragraph
        if block.table is not None and above >= 0 and block.headings == blocks[above].headings:
            _add(around, blocks[above].text, CAPTION)
        if i in told:
            _add(around, blocks[told[i]].text, BELOW)
        _add_labels(around, block, blocks, rows)
        if block.kind == "code" and block.row and block.text.startswith(block.row[-1]):
            for below in blocks[i + 1 : i + 1 + LINES]:  # what a setting's line is told to do
                if below.row != block.row:
                    break
                _add(around, below.text, PARENT)
        out.append(around)
        if block.kind in ("item", "pair"):
            above = -1 if i and blocks[i - 1].kind == block.kind else i
        if block.kind == "item":
            parents.append((block.level, i))
        elif block.kind in ("paragraph", "definition"):
            lead = i
    return out


def told_below(blocks: Sequence[Block]) -> dict[int, int]:
    """For the facts that a setting's section begins with, the paragraph right below: what the setting does.

    Only where a default is one of them, as other facts need not be what the text is about.
    """
    out: dict[int, int] = {}
    facts: list[int] = []
    opened = False
    for i, block in enumerate(blocks):
        if block.kind in ("heading", "title"):
            facts, opened = [], True
        elif opened and block.kind in _FACTS and len(facts) < MANY:
            facts.append(i)
        elif opened:
            opened = False
            if block.kind == "paragraph" and any(_is_default(blocks[fact]) for fact in facts):
                out.update(dict.fromkeys(facts, i))
    return out


def _is_default(block: Block) -> bool:
    return bool(block.row) and block.row[-1].lower().startswith("default")


def _under(headings: tuple[str, ...], about: Mapping[str, float]) -> Around:
    words = dict(about)
    for depth, heading in enumerate(reversed(headings)):
        _add(words, heading, HEADING[min(depth, len(HEADING) - 1)])
    return words


def _add_labels(
    around: Around, block: Block, blocks: Sequence[Block], rows: dict[tuple[int, int], list[int]]
) -> None:
    """The labels of a cell: its headers, and the other cells of its row, the nearer the more."""
    if block.caption:
        _add(around, block.caption, CAPTION)
    for label in block.column:
        _add(around, label, COLUMN)
    for label in block.row:
        _add(around, label, ROW)
    if block.table is None or block.row_index is None or block.column_index is None:
        return
    if block.header and not (block.column and _DIGIT.search(block.text)):
        return  # but where a row begins with a value, the others say of what
    for j in _beside(rows[block.table, block.row_index], block):
        other = blocks[j]
        if other.column_index is None or other.column_index == block.column_index:
            continue
        if len(other.text) > LONG_LABEL:
            continue
        gap = block.column_index - other.column_index
        start = LABEL_LEFT if gap > 0 else LABEL_RIGHT
        _add(around, other.text, max(LABEL_LEAST, start - LABEL_STEP * (abs(gap) - 1)))
        if gap == 1:  # what the number to the left counts: "Dispatch #EP" beside a bandwidth
            for label in other.column:
                _add(around, label, NEIGHBOUR)


def _beside(row: Sequence[int], block: Block) -> Sequence[int]:
    """The cells of a row that may label one of its cells: of a wide row the first and the near ones."""
    if len(row) <= WIDE or block.column_index is None:
        return row
    at = min(len(row), block.column_index)
    return (*row[:FIRST], *row[max(FIRST, at - WIDE // 2) : at + WIDE // 2])


def _add(around: Around, text: str, weight: float) -> None:
    for key, says in speech(text).items():
        if around.get(key, 0.0) < weight * says:
            around[key] = weight * says
