"""Where a list may stand on a page: a sentence, a cell, items, cells, headings or lines in a row."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from kb.judging import thresholds as t
from kb.judging.phrase import exact_pattern
from kb.judging.reading import PageReading
from kb.page import Block

Span = tuple[int, int, int]
"""Block, start and end."""

_SENTENCES = re.compile(r"[^.!?;\n]+(?:[.!?](?!\s)[^.!?;\n]*)*")


def spans_of(reading: PageReading, likely: Sequence[int], members: Sequence[str]) -> list[tuple[Span, ...]]:
    """Sentences and cells of likely blocks, and what stands in a row there: items, cells, headings, lines."""
    out: list[tuple[Span, ...]] = []
    runs: set[tuple[int, ...]] = set()
    tables = _tables(reading)
    for index in likely[: 2 * t.BLOCKS]:
        block = reading.blocks[index]
        if block.role in _UNSAID:
            continue
        for run in (_run(reading, index), *_table_runs(reading, index, tables)):
            texts = [reading.blocks[i].text for i in run]
            listing = block.table is None or not _are_lists(texts) or _one_each(texts, members)
            if len(run) > 1 and run not in runs and listing:
                runs.add(run)
                out.append(tuple((i, 0, len(reading.blocks[i].text)) for i in run))
        if block.kind in ("heading", "title"):
            if block.kind == "heading" and len(members) > 1 and _all_in(block.text, members):
                out.append(((index, 0, len(block.text)),))
            continue
        if block.kind == "cell" and len(block.text) <= 4 * t.SLOT:
            out.append(((index, 0, len(block.text)),))
            continue
        if block.kind == "code":
            out += [((index, m.start(), m.end()),) for m in _DASHED.finditer(block.text)]
            keys = _key_run(reading, index)
            if len(keys) > 1 and tuple(i for i, _, _ in keys) not in runs:
                runs.add(tuple(i for i, _, _ in keys))
                out.append(keys)
        out += [((index, *m.span()),) for m in _SENTENCES.finditer(block.text)]
        if block.kind == "code" and len(members) > 1 and spread(block.text, members):
            out.append(((index, 0, len(block.text)),))
    return out


_DASHED = re.compile(r"^[ \t]*- .+(?:\n[ \t]*- .+)+", re.MULTILINE)
"""A list in a snippet: a line for each member."""


def _are_lists(cells: Sequence[str]) -> bool:
    """Whether cells list several things each, so that together they are no list."""
    joined = sum(JOINED.fullmatch(text) is not None for text in cells)
    return 2 * joined > len(cells) or any(_SEVERAL.search(text) for text in cells)


def _one_each(texts: Sequence[str], members: Sequence[str]) -> bool:
    """Whether each of several members has a cell without the others, whatever else that says."""
    if len(members) < 2:
        return False
    patterns = [exact_pattern(m) for m in members]
    said = [{n for n, pattern in enumerate(patterns) if pattern.search(text)} for text in texts]
    alone = {n for each in said if len(each) == 1 for n in each}
    return len(alone) == len(members)


def spread(text: str, members: Sequence[str]) -> bool:
    """Whether a snippet names all members, and no line of it does."""
    if not _all_in(text, members):
        return False
    return not any(_all_in(sentence, members) for sentence in _SENTENCES.findall(text))


def _all_in(text: str, members: Sequence[str]) -> bool:
    return all(exact_pattern(m).search(text) for m in members)


def _key_run(reading: PageReading, index: int) -> tuple[Span, ...]:
    """The names that the settings of one section begin with: `b = "build"`, `t = "test"`."""
    block = reading.blocks[index]
    if not block.row:
        return ()
    found: list[Span] = []
    for step in (-1, 1):
        i = index if step < 0 else index + 1
        while 0 <= i < len(reading.blocks):
            other = reading.blocks[i]
            if other.kind != "code" or other.headings != block.headings:
                break
            if other.row[:-1] == block.row[:-1] and other.row and (at := other.text.find(other.row[-1])) >= 0:
                found.append((i, at, at + len(other.row[-1])))
            i += step
    return tuple(sorted(found))


JOINED = re.compile(r"[^\s/:]+(?:/[^\s/]+)+")
_SEVERAL = re.compile(r"[,;\n]\s")
_UNSAID = ("struck", "meta")


def _run(reading: PageReading, index: int) -> tuple[int, ...]:
    """The items of a list that one belongs to; what is below them is left out."""
    block = reading.blocks[index]
    if block.kind == "heading":
        return _heading_run(reading, index)
    if not _is_item(block):
        return ()
    run = [index]
    for step in (-1, 1):
        i = index + step
        while 0 <= i < len(reading.blocks):
            other = reading.blocks[i]
            if other.kind != block.kind or other.level < block.level or other.headings != block.headings:
                break
            if block.kind == "paragraph" and not _is_item(other):
                break
            if other.level == block.level and other.role not in _UNSAID:
                run.append(i)
            i += step
    return tuple(sorted(run))


def _heading_run(reading: PageReading, index: int) -> tuple[int, ...]:
    """The headings of one level under one heading."""
    block = reading.blocks[index]
    same = (block.level, block.headings)
    return tuple(
        i for i, b in enumerate(reading.blocks) if b.kind == "heading" and (b.level, b.headings) == same
    )


def _is_item(block: Block) -> bool:
    """Whether a block is an item of a list, or a line of a paragraph's length that says no sentence."""
    if block.kind == "item":
        return len(block.text) <= t.SLOT
    return block.kind == "paragraph" and len(block.text) <= LINE and not _OPENS.search(block.text)


_OPENS = re.compile(r"(?:[.:?!]|\b(?:are|is|was|were|includes?|following))$")
LINE = 60  # characters of a name that stands in a paragraph of its own


def _tables(reading: PageReading) -> dict[int, list[int]]:
    """The cells of each table."""
    out: dict[int, list[int]] = {}
    for i, block in enumerate(reading.blocks):
        if block.table is not None and block.role not in _UNSAID:
            out.setdefault(block.table, []).append(i)
    return out


def _table_runs(reading: PageReading, index: int, tables: dict[int, list[int]]) -> Iterator[tuple[int, ...]]:
    """The cells under a cell's column header, and those beside its row header."""
    block = reading.blocks[index]
    if block.table is None or len(tables.get(block.table, ())) > t.LOOKED_AT:
        return
    cells = [(i, reading.blocks[i]) for i in tables.get(block.table, ())]
    if block.column:
        yield tuple(i for i, b in cells if b.column_index == block.column_index and b.column and b.text)
    if block.row:
        yield tuple(i for i, b in cells if b.row_index == block.row_index and b.row and b.text)
