"""A page prepared for judging: which block speaks of which word, and the values in it, each found once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from kb.judging import thresholds as t
from kb.judging.default import stated_as_default
from kb.judging.entry import Entry, EntryNames, entries_of, entry_names, names_said
from kb.judging.language import language_of
from kb.judging.lapsed import lapsed, may_be_past, of_past_range, past_releases
from kb.judging.line_names import line_names
from kb.judging.mention import Mention, date_mentions, figure_mentions, shape_mentions
from kb.judging.note import Note, note_of
from kb.judging.place import Place, alike, masked_place
from kb.judging.sentence import sentence_around
from kb.judging.steps import Steps, far, steps_of
from kb.judging.surroundings import surroundings, topic
from kb.judging.words import INSIDE, Labels, Token, keys, masked, tokens, words_of_labels
from kb.page import Block, Page
from kb.quantity import numbers_of

READING_BLOCKS = 200_000  # blocks of one page that are looked at; more is no page for people

_CACHED = 4


FIRST_TEXT = 2000  # characters of a block whose words tell it from others


def row_of(block: Block) -> Labels:
    """What names the row of a block: of a cell all its row's headers, else the innermost label."""
    return block.row if block.table is not None else block.row[-1:]


Spot = tuple[Token, int, int]
"""A word, and how many steps into its block it begins and ends."""


@dataclass(slots=True)
class PageReading:
    """What judging needs of one page, computed on demand and shared by all claims on it.

    Attributes:
        outer: for each block the words around it, with what each counts for.
        own: for each block the words in it.
        heard: for each word the blocks that say more of it than the whole page does, and how much.
        topic: the words that the whole page is about, with how much every block says of each.
        numbers: the language tag that its numbers are read by, where they group by full stops.
        text: the visible text.
    """

    page: Page
    blocks: tuple[Block, ...]
    outer: list[dict[str, float]]
    own: list[list[Token]]
    heard: dict[str, dict[int, float]]
    topic: Mapping[str, float]
    lang: str | None
    numbers: str | None
    text: str
    _offsets: list[int | None]
    _figures: dict[int, tuple[Mention, ...]] = field(default_factory=dict)
    _dates: dict[int, tuple[Mention, ...]] = field(default_factory=dict)
    _shapes: dict[tuple[int, str], tuple[Mention, ...]] = field(default_factory=dict)
    _said: dict[int, dict[str, list[Token]]] = field(default_factory=dict)
    _spots: dict[tuple[int, str], list[Spot]] = field(default_factory=dict)
    _steps: dict[int, Steps] = field(default_factory=dict)
    _words: dict[int, frozenset[str]] = field(default_factory=dict)
    _notes: dict[Mention, Note] = field(default_factory=dict)
    _sentences: dict[Mention, str] = field(default_factory=dict)
    _alike: dict[Mention, Labels] = field(default_factory=dict)
    _numbers: dict[Mention, frozenset[str]] = field(default_factory=dict)
    _places: dict[tuple[Mention, frozenset[str]], Place] = field(default_factory=dict)
    _lapsed: dict[Mention, bool] = field(default_factory=dict)
    _pasts: dict[int, bool] = field(default_factory=dict)
    _slots: dict[Mention, bool] = field(default_factory=dict)
    _names: dict[int, frozenset[str]] = field(default_factory=dict)
    _roles: dict[str, int] = field(default_factory=dict)
    _masked: tuple[str, ...] | None = None
    _entries: list[Entry | None] | None = None
    _entry_names: EntryNames | None = None
    _line_names: frozenset[str] | None = None
    _worded: dict[str, list[int]] | None = None
    _unmoved: dict[tuple[str, Labels, Labels], list[int]] | None = None
    _row_names: dict[tuple[int | None, Labels], set[frozenset[str]]] | None = None
    _fresh: tuple[PageReading, Mapping[int, str]] | None = None
    _labels: frozenset[frozenset[str]] | None = None
    _sections: frozenset[frozenset[str]] | None = None
    _rows: frozenset[tuple[frozenset[str], frozenset[str]]] | None = None
    _labelled: dict[tuple[Labels, Labels, Labels], list[int]] | None = None

    def offset(self, index: int) -> int | None:
        """Where a block starts in `text`; None for one that is not visible."""
        return self._offsets[index]

    def often(self, word: str) -> int:
        """How many blocks speak of a word."""
        return len(self.blocks) if word in self.topic else len(self.heard.get(word, ()))

    def share(self, role: str) -> float:
        """The share of the page's blocks that play this role."""
        if not self._roles:
            for block in self.blocks:
                self._roles[block.role] = self._roles.get(block.role, 0) + 1
        return self._roles.get(role, 0) / len(self.blocks) if self.blocks else 0.0

    def steps(self, index: int) -> Steps:
        """How far apart the places in one block are."""
        known = self._steps.get(index)
        if known is None:
            known = self._steps[index] = steps_of(self.blocks[index].text)
        return known

    def said(self, index: int) -> dict[str, list[Token]]:
        """The words of one block, each wherever it stands."""
        known = self._said.get(index)
        if known is None:
            known = self._said[index] = {}
            for token in self.own[index]:
                its = known.get(token.key)
                if its is None:
                    known[token.key] = [token]
                else:
                    its.append(token)
        return known

    def spots(self, index: int, key: str) -> list[Spot]:
        """The places of a word that one block has."""
        known = self._spots.get((index, key))
        if known is None:
            steps = self.steps(index)
            its = self.said(index)[key]
            known = [(token, far(steps, token[1]), far(steps, token[2])) for token in its]
            self._spots[index, key] = known
        return known

    def words(self, index: int) -> frozenset[str]:
        """The words around one block, and its first own ones, by which places are compared."""
        known = self._words.get(index)
        if known is None:
            text = self.blocks[index].text
            if len(text) > FIRST_TEXT:
                first = keys(text[:FIRST_TEXT])
            else:  # whose words are known; parts of identifiers are left out
                first = frozenset([token.key for token in self.own[index] if token.says != INSIDE])
            known = self._words[index] = first.union(self.outer[index])
        return known

    def note(self, mention: Mention) -> Note:
        """What can be said of a mention whatever the claim is."""
        known = self._notes.get(mention)
        if known is None:
            past = self._may_be_past(mention.block)
            known = self._notes[mention] = note_of(self.blocks[mention.block], mention, past=past)
        return known

    def _may_be_past(self, index: int) -> bool:
        """Whether one block has a word by which its values may be past, planned or withdrawn."""
        known = self._pasts.get(index)
        if known is None:
            known = self._pasts[index] = may_be_past(self.blocks[index].text)
        return known

    def masked(self) -> tuple[str, ...]:
        """The text of each block with its numbers masked."""
        if self._masked is None:
            self._masked = tuple(masked(b.text) for b in self.blocks)
        return self._masked

    def entries(self) -> list[Entry | None]:
        """For each block the entry of a reference that it belongs to."""
        if self._entries is None:
            self._entries = entries_of(self.blocks)
        return self._entries

    def entry(self, index: int) -> Entry | None:
        """The entry that a block belongs to; None where it stands under no name."""
        return self.entries()[index]

    def is_slot(self, mention: Mention) -> bool:
        """Whether an entry states a value as its default, or in its title."""
        known = self._slots.get(mention)
        if known is None:
            known = self.entry(mention.block) is not None
            known = known and stated_as_default(self.blocks[mention.block], mention)
            self._slots[mention] = known
        return known

    def names(self, index: int) -> frozenset[str]:
        """The identifiers in a block's labels and the beginning of its text, as they are compared."""
        known = self._names.get(index)
        if known is None:
            block = self.blocks[index]
            said = (*block.row, *block.column, block.caption, *block.headings, block.text[:FIRST_TEXT])
            known = self._names[index] = frozenset().union(*map(names_said, said))
        return known

    def entry_names(self) -> EntryNames:
        """The entries by their names."""
        if self._entry_names is None:
            self._entry_names = entry_names(self.entries())
        return self._entry_names

    def line_names(self) -> frozenset[str]:
        """The names that lines begin with: settings of snippets, options of lists."""
        if self._line_names is None:
            self._line_names = line_names(self.blocks)
        return self._line_names

    def worded(self, text: str) -> Sequence[int]:
        """The blocks whose text with its numbers masked is `text`."""
        if self._worded is None:
            self._worded = {}
            for index, masked_text in enumerate(self.masked()):
                self._worded.setdefault(masked_text, []).append(index)
        return self._worded.get(text, ())

    def unmoved(self, text: str, row: Labels, column: Labels) -> Sequence[int]:
        """The blocks whose text with its numbers masked is `text`, under these labels."""
        if self._unmoved is None:
            self._unmoved = {}
            for index, (masked_text, b) in enumerate(zip(self.masked(), self.blocks, strict=True)):
                self._unmoved.setdefault((masked_text, b.row, b.column), []).append(index)
        return self._unmoved.get((text, row, column), ())

    def labelled(self, block: Block) -> Sequence[int]:
        """The blocks of this page that have the labels of a block, and its heading."""
        if self._labelled is None:
            self._labelled = {}
            for index, b in enumerate(self.blocks):
                self._labelled.setdefault((b.row, b.column, b.headings[-1:]), []).append(index)
        return self._labelled.get((block.row, block.column, block.headings[-1:]), ())

    def rows(self) -> frozenset[tuple[frozenset[str], frozenset[str]]]:
        """The words of the innermost label and of the column of each block in a row."""
        if self._rows is None:
            labels = {(b.row[-1:], b.column) for b in self.blocks if b.row}
            self._rows = frozenset((words_of_labels(r), words_of_labels(c)) for r, c in labels)
        return self._rows

    def columns(self, index: int) -> tuple[frozenset[str], frozenset[str]]:
        """The words of a cell's column, and those of the other columns of its row."""
        block = self.blocks[index]
        if block.table is None or not block.column:
            return frozenset(), frozenset()
        others = frozenset[str]().union(*(words_of_labels(b.column) for b in self.beside(index)))
        return words_of_labels(block.column), others

    def beside(self, index: int) -> Iterator[Block]:
        """The cells of a cell's row that stand in other columns."""
        block = self.blocks[index]
        for step in (-1, 1):
            i = index + step
            while 0 <= i < len(self.blocks):
                other = self.blocks[i]
                if other.table != block.table or other.row_index != block.row_index:
                    break
                if other.column != block.column:
                    yield other
                i += step

    def row_names(self, block: Block) -> set[frozenset[str]]:
        """The words of each row's name in the table of a block, or beside it under its headings."""
        if self._row_names is None:
            self._row_names = {}
            for b in self.blocks:
                if b.row:
                    place = b.table, b.headings if b.table is None else ()
                    name = words_of_labels(row_of(b))
                    self._row_names.setdefault(place, set()).add(name)
        return self._row_names.get((block.table, block.headings if block.table is None else ()), set())

    def fresh(self, base: PageReading) -> Mapping[int, str]:
        """The blocks whose text, numbers aside, stood in no earlier block, with how each begins."""
        if self._fresh is None or self._fresh[0] is not base:
            new = {i: text[: t.COMPARED] for i, text in enumerate(self.masked()) if not base.worded(text)}
            self._fresh = base, new
        return self._fresh[1]

    def labels(self) -> frozenset[frozenset[str]]:
        """The words of each label that rows, columns and headings have."""
        if self._labels is None:
            labels = {part for b in self.blocks for part in (b.row, b.row[-1:], b.column, b.headings[-1:])}
            self._labels = frozenset(words_of_labels(part) for part in labels) - {frozenset()}
        return self._labels

    def sections(self) -> frozenset[frozenset[str]]:
        """The words of the two innermost headings of each section."""
        if self._sections is None:
            headings = {b.headings[-2:] for b in self.blocks if b.kind != "heading" and b.headings}
            self._sections = frozenset(words_of_labels(part) for part in headings)
        return self._sections

    def place(self, mention: Mention, keep: frozenset[str]) -> Place:
        """What stands around a mention; digits in it are masked but for the words in `keep`."""
        numbers = self._numbers.get(mention)
        known = self._places.get((mention, keep & numbers)) if numbers is not None else None
        if known is None:
            words = self.words(mention.block)
            known, numbers = masked_place(self.blocks[mention.block], mention, words, keep)
            self._numbers[mention] = numbers
            self._places[mention, keep & numbers] = known
        return known

    def sentence(self, mention: Mention) -> str:
        """The sentence of a mention, or some words around it."""
        known = self._sentences.get(mention)
        if known is None:
            text = self.blocks[mention.block].text
            first, last = sentence_around(text, mention.start, mention.end)
            known = self._sentences[mention] = text[first:last]
        return known

    def alike(self, mention: Mention) -> Labels:
        """What the place of a mention has in common with those like it, as `place.alike` says."""
        known = self._alike.get(mention)
        if known is None:
            block = self.blocks[mention.block]
            known = self._alike[mention] = alike(block, self.sentence(mention)) if block.headings else ()
        return known

    def lapsed(self, mention: Mention) -> bool:
        """Whether the sentence of a mention says that it is past, planned or withdrawn."""
        known = self._lapsed.get(mention)
        if known is None:
            block = self.blocks[mention.block]
            if self._may_be_past(mention.block):
                past = lapsed(block.text, mention.start, mention.end)
            else:
                past = of_past_range(block.text, mention.start)
            known = self._lapsed[mention] = past or any(past_releases(label) for label in block.row[-1:])
        return known

    def figures(self, index: int) -> tuple[Mention, ...]:
        """The quantities and bare numbers of one block."""
        known = self._figures.get(index)
        if known is None:
            known = self._figures[index] = figure_mentions(self.blocks[index], index, self.numbers)
        return known

    def dates(self, index: int) -> tuple[Mention, ...]:
        """The dates of one block."""
        known = self._dates.get(index)
        if known is None:
            known = self._dates[index] = date_mentions(self.blocks[index], index, self.lang)
        return known

    def shapes(self, index: int, shape: str) -> tuple[Mention, ...]:
        """The tokens of one block that are spelled like `shape` (see `mention.shape_of`)."""
        key = (index, shape)
        if key not in self._shapes:
            self._shapes[key] = shape_mentions(self.blocks[index], index, shape)
        return self._shapes[key]


def _read(page: Page) -> PageReading:
    blocks = page.blocks[:READING_BLOCKS]
    own = [tokens(b.text) for b in blocks]
    about = topic(page, blocks, {token.key for words in own for token in words if token.sharp})
    outer = surroundings(blocks, about)
    heard: dict[str, dict[int, float]] = {}
    everywhere = about.get
    for i, (around, words) in enumerate(zip(outer, own, strict=True)):
        for key, weight in around.items():
            if weight != everywhere(key):
                heard.setdefault(key, {})[i] = weight
        for token in words:
            key, says = token.key, token.says
            if says > around.get(key, 0.0):
                louder = heard.setdefault(key, {})
                if says > louder.get(i, 0.0):
                    louder[i] = says
    offsets: list[int | None] = []
    at = 0
    for block in page.blocks:
        shown = bool(block.visible and block.text)
        offsets.append(at if shown else None)
        at += len(block.text) + 1 if shown else 0
    lang = page.lang or language_of(b.text for b in blocks)
    numbers = numbers_of(page.text, lang)
    return PageReading(page, blocks, outer, own, heard, about, lang, numbers, page.text, offsets)


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
