"""A page prepared for judging: which block speaks of which word, and the values in it, each found once."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from kb.judging.aside import is_aside, label_before
from kb.judging.language import language_of
from kb.judging.mention import Mention, date_mentions, figure_mentions, shape_mentions
from kb.judging.surroundings import surroundings, topic
from kb.judging.words import Token, keys, tokens
from kb.page import Block, Page

READING_BLOCKS = 200_000  # blocks of one page that are looked at; more is no page for people

_CACHED = 4


FIRST_TEXT = 2000  # characters of a block whose words tell it from others

_NO_DIGIT = re.compile(r"\D")


@dataclass(frozen=True, slots=True)
class Note:
    """What can be said of a mention whatever the claim is: its words, label, standing and digits."""

    words: frozenset[str]
    label: frozenset[str]
    aside: bool
    digits: int


@dataclass(slots=True)
class PageReading:
    """What judging needs of one page, computed on demand and shared by all claims on it."""

    page: Page
    blocks: tuple[Block, ...]
    outer: list[dict[str, float]]
    own: list[list[Token]]
    spoken: dict[str, dict[int, float]]
    topic: Mapping[str, float]
    lang: str | None
    text: str
    _offsets: list[int | None]
    _figures: dict[int, tuple[Mention, ...]] = field(default_factory=dict)
    _dates: dict[int, tuple[Mention, ...]] = field(default_factory=dict)
    _shapes: dict[tuple[int, str], tuple[Mention, ...]] = field(default_factory=dict)
    _said: dict[int, dict[str, list[Token]]] = field(default_factory=dict)
    _words: dict[int, frozenset[str]] = field(default_factory=dict)
    _notes: dict[Mention, Note] = field(default_factory=dict)
    hearing: object = None  # what the blocks say of the claim judged last: `score` knows its form

    def offset(self, index: int) -> int | None:
        """Where a block starts in `text`; None for one that is not visible."""
        return self._offsets[index]

    def said(self, index: int) -> dict[str, list[Token]]:
        """The words of one block, each with its places."""
        if index not in self._said:
            words: dict[str, list[Token]] = {}
            for token in self.own[index]:
                words.setdefault(token.key, []).append(token)
            self._said[index] = words
        return self._said[index]

    def words(self, index: int) -> frozenset[str]:
        """The words around one block, and its first own ones, by which places are compared."""
        if index not in self._words:
            self._words[index] = frozenset(self.outer[index]) | keys(self.blocks[index].text[:FIRST_TEXT])
        return self._words[index]

    def note(self, mention: Mention) -> Note:
        """What can be said of a mention whatever the claim is."""
        known = self._notes.get(mention)
        if known is None:
            block = self.blocks[mention.block]
            known = self._notes[mention] = Note(
                keys(mention.text),
                label_before(block, mention),
                is_aside(block.text, mention),
                len(_NO_DIGIT.sub("", mention.text).strip("0")),
            )
        return known

    def figures(self, index: int) -> tuple[Mention, ...]:
        """The quantities and bare numbers of one block."""
        if index not in self._figures:
            self._figures[index] = figure_mentions(self.blocks[index], index, self.lang)
        return self._figures[index]

    def dates(self, index: int) -> tuple[Mention, ...]:
        """The dates of one block."""
        if index not in self._dates:
            self._dates[index] = date_mentions(self.blocks[index], index, self.lang)
        return self._dates[index]

    def shapes(self, index: int, shape: str) -> tuple[Mention, ...]:
        """The tokens of one block that are spelled like `shape` (see `mention.shape_of`)."""
        key = (index, shape)
        if key not in self._shapes:
            self._shapes[key] = shape_mentions(self.blocks[index], index, shape)
        return self._shapes[key]


def _read(page: Page) -> PageReading:
    blocks = page.blocks[:READING_BLOCKS]
    about = topic(page, blocks)
    outer = surroundings(blocks, about)
    own = [tokens(b.text) for b in blocks]
    spoken: dict[str, dict[int, float]] = {}
    for i, (around, words) in enumerate(zip(outer, own, strict=True)):
        for key, weight in around.items():
            spoken.setdefault(key, {})[i] = weight
        for token in words:
            heard = spoken.setdefault(token.key, {})
            heard[i] = max(heard.get(i, 0.0), token.says)
    offsets: list[int | None] = []
    at = 0
    for block in page.blocks:
        shown = bool(block.visible and block.text)
        offsets.append(at if shown else None)
        at += len(block.text) + 1 if shown else 0
    return PageReading(
        page,
        blocks,
        outer,
        own,
        spoken,
        about,
        page.lang or language_of(b.text for b in blocks),
        page.text,
        offsets,
    )


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
