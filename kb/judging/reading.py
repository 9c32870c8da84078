"""A page prepared for judging: which block speaks of which word, and the values in it, each found once."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from urllib.parse import unquote, urlsplit

from kb.judging.mention import Mention, date_mentions, figure_mentions, shape_mentions
from kb.judging.words import Token, keys, tokens
from kb.page import Block, Page

# How much a word counts where it stands around a value, against 1.0 beside it. The order is what
# matters: labels of the cell's own row and column say most, then the heading right above.
ROW = 1.0
COLUMN = 0.95
LABEL = 0.8
HEADING = (0.85, 0.6, 0.45)
PARENT = 0.7
CAPTION = 0.6
LEAD = 0.4
TITLE = 0.35

OPENING = 4  # blocks at the start that may say what the page is about

READING_BLOCKS = 200_000  # blocks of one page that are looked at; more is no page for people

_CACHED = 4


@dataclass(slots=True)
class PageReading:
    """What judging needs of one page, computed on demand and shared by all claims on it."""

    page: Page
    blocks: tuple[Block, ...]
    outer: list[dict[str, float]]
    own: list[list[Token]]
    spoken: dict[str, dict[int, float]]
    text: str
    _offsets: list[int | None]
    _figures: dict[int, tuple[Mention, ...]] = field(default_factory=dict)
    _dates: dict[int, tuple[Mention, ...]] = field(default_factory=dict)
    _shapes: dict[tuple[int, str], tuple[Mention, ...]] = field(default_factory=dict)

    def offset(self, index: int) -> int | None:
        """Where a block starts in `text`; None for one that is not visible."""
        return self._offsets[index]

    def figures(self, index: int) -> tuple[Mention, ...]:
        """The quantities and bare numbers of one block."""
        if index not in self._figures:
            self._figures[index] = figure_mentions(self.blocks[index], index, self.page.lang)
        return self._figures[index]

    def dates(self, index: int) -> tuple[Mention, ...]:
        """The dates of one block."""
        if index not in self._dates:
            self._dates[index] = date_mentions(self.blocks[index], index, self.page.lang)
        return self._dates[index]

    def shapes(self, index: int, shape: str) -> tuple[Mention, ...]:
        """The tokens of one block that are spelled like `shape` (see `mention.shape_of`)."""
        key = (index, shape)
        if key not in self._shapes:
            self._shapes[key] = shape_mentions(self.blocks[index], index, shape)
        return self._shapes[key]


def _topic(page: Page, blocks: tuple[Block, ...]) -> frozenset[str]:
    """The words that the whole page is about: its title, its first heading, its address, what it opens with."""
    words = set(keys(page.title))
    opening = [b for b in blocks[:OPENING] if b.role == "content" and len(b.text) <= 200]
    heading = next((b for b in blocks if b.kind in ("title", "heading") and b.role == "content"), None)
    for block in (*opening, *((heading,) if heading else ())):
        words |= keys(block.text)
    if page.url:
        words |= keys(unquote(urlsplit(page.url).path).replace("/", " ").replace("-", " "))
    return frozenset(words)


def _outer(page: Page, blocks: tuple[Block, ...]) -> list[dict[str, float]]:
    """For each block the words around it, with what each counts for."""
    rows: dict[tuple[int, int], list[int]] = defaultdict(list)
    for i, block in enumerate(blocks):
        if block.table is not None and block.row_index is not None:
            rows[block.table, block.row_index].append(i)
    headed: dict[tuple[str, ...], dict[str, float]] = {}
    title = _topic(page, blocks)
    out: list[dict[str, float]] = []
    parents: list[tuple[int, int]] = []  # (level, block) of the list items above
    lead = -1  # the last paragraph that may introduce what follows
    for i, block in enumerate(blocks):
        if block.headings not in headed:
            words = dict.fromkeys(title, TITLE)
            for depth, heading in enumerate(reversed(block.headings)):
                weight = HEADING[min(depth, len(HEADING) - 1)]
                for key in keys(heading):
                    words[key] = max(words.get(key, 0.0), weight)
            headed[block.headings] = words
        around = dict(headed[block.headings])

        def add(text: str, weight: float, around: dict[str, float] = around) -> None:
            for key in keys(text):
                if around.get(key, 0.0) < weight:
                    around[key] = weight

        if block.kind == "item":
            while parents and parents[-1][0] >= block.level:
                parents.pop()
            for distance, (_, parent) in enumerate(reversed(parents)):
                add(blocks[parent].text, PARENT if distance == 0 else LEAD)
        elif block.kind in ("heading", "paragraph", "title"):
            parents.clear()
        if lead >= 0 and block.headings == blocks[lead].headings:
            add(blocks[lead].text, PARENT if blocks[lead].text.rstrip().endswith(":") else LEAD)
        if block.caption:
            add(block.caption, CAPTION)
        for label in block.column:
            add(label, COLUMN)
        for label in block.row:
            add(label, ROW)
        if block.table is not None and block.row_index is not None and not block.header:
            for j in rows[block.table, block.row_index]:
                if j != i and len(blocks[j].text) <= 200:
                    add(blocks[j].text, LABEL)
        out.append(around)
        if block.kind == "item":
            parents.append((block.level, i))
        elif block.kind in ("paragraph", "definition"):
            lead = i
    return out


def _read(page: Page) -> PageReading:
    blocks = page.blocks[:READING_BLOCKS]
    outer = _outer(page, blocks)
    own = [tokens(b.text) for b in blocks]
    spoken: dict[str, dict[int, float]] = {}
    for i, (around, words) in enumerate(zip(outer, own, strict=True)):
        for key, weight in around.items():
            spoken.setdefault(key, {})[i] = weight
        for token in words:
            spoken.setdefault(token.key, {})[i] = 1.0
    offsets: list[int | None] = []
    at = 0
    for block in page.blocks:
        shown = bool(block.visible and block.text)
        offsets.append(at if shown else None)
        at += len(block.text) + 1 if shown else 0
    return PageReading(page, blocks, outer, own, spoken, page.text, offsets)


_cache: dict[int, PageReading] = {}


def reading_of(page: Page) -> PageReading:
    """The page prepared for judging; the last few are kept, as many claims share one page."""
    known = _cache.get(id(page))  # the page is held by its reading, so its id is not used again
    if known is not None and known.page is page:
        return known
    made = _read(page)
    while len(_cache) >= _CACHED:
        del _cache[next(iter(_cache))]
    _cache[id(page)] = made
    return made
