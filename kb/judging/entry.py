"""Entries: the parts of a reference that a name heads, and what that name is, to the letter."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from kb.page import Block

LONG = 160  # characters of a heading or term that may be an entry's name
_PHRASE = 6  # words of a name in plain words

_ARGUMENTS = 2  # words behind a name that say what it takes
_KIND = re.compile(
    r"\s*(?:#+\s*)?(?:TAG|[Oo]ption|[Ss]etting|[Pp]arameter|[Dd]irective|[Vv]ariable|[Kk]ey|[Pp]roperty):\s+(?=\S)"
)
_CUT = re.compile(r"\s*(?:=|:(?=\s|$)|\s\(|[<\[({]|\s[-–—]\s)")
_BETWEEN = re.compile(r"\s*[,|]\s*|\s+(?:or|and)\s+|\s+")
_NAME = re.compile(r"-{0,2}[A-Za-z_/][\w./:*-]*", re.ASCII)
_INSIDE = re.compile(r"[A-Za-z0-9*][_./:-]+[A-Za-z0-9*]|^-{1,2}\w|^/\w|[a-z][A-Z]|[A-Z]{2}[a-z]", re.ASCII)
_ABBREVIATION = re.compile(r"[A-Z]+s")
_JOINTS = re.compile(r"[_/-]+")
_EACH = re.compile(r"[\d.,]+/(?=[A-Za-z])")
"""A number before what it is per: 20/PutShuttle request."""
_SIGN = re.compile(r"[`*\"'“”‘’¶]+")
_WORDS = re.compile(r"[^\W_]+(?:[-_.][^\W_]+)*")


def normal(name: str) -> str:
    """A name as it is compared: `--max-size`, `MAX_SIZE` and `max_size` are one, `-s` and `-S` two."""
    name = name.strip("-:./")
    return name if len(name) == 1 else _JOINTS.sub("-", name.lower())


def is_identifier(word: str) -> bool:
    """Whether a word is a name that a program knows, by its form: `cache_size`, `--size`, `cacheSize`."""
    if not _NAME.fullmatch(word) or not _INSIDE.search(word):
        return False
    return not _ABBREVIATION.fullmatch(word) and any(c.isalpha() for c in word)


@dataclass(frozen=True, slots=True)
class Name:
    """What a heading, term or row is called.

    Attributes:
        names: its names that are one word each, as they are compared; an entry may have several.
        phrase: a name in plain words (`name cache size`), as it is compared; empty where it has none.
        marked: whether its names have the form of identifiers.
        value: where a value that it states itself begins in it (`name = 60`); None where it states none.
    """

    names: frozenset[str] = frozenset()
    phrase: str = ""
    marked: bool = False
    value: int | None = None

    @property
    def known(self) -> bool:
        """Whether it is a name at all."""
        return bool(self.names or self.phrase)


@lru_cache(maxsize=16384)
def name_of(label: str) -> Name:
    """The name that a heading, a term or the label of a row gives to what stands under it."""
    if not label or len(label) > LONG:
        return Name()
    kind = _KIND.match(label)
    first = kind.end() if kind else 0
    cut = _CUT.search(label, first)
    head = _SIGN.sub("", label[first : cut.start() if cut else len(label)]).strip(" .:")
    value = cut.end() if cut is not None and cut.group().strip() == "=" else None
    if not head:
        return Name()
    pieces = [p.partition("=")[0] for p in _BETWEEN.split(head) if p]
    if any(p.startswith("-") for p in pieces):
        pieces = [p for p in pieces if p.startswith("-")]
    words = next((n for n, p in enumerate(pieces) if not is_identifier(p)), len(pieces))
    if words > 0 and len(pieces) - words <= _ARGUMENTS:
        pieces = pieces[:words]  # `max_messages count`: what the setting takes stands behind it
        names = {normal(p) for p in pieces}
        names |= {normal(p.rpartition("/")[2]) for p in pieces if p.startswith("/")}
        return Name(frozenset(n for n in names if n), "", True, value)
    if len(pieces) == 1 and _NAME.fullmatch(pieces[0]):
        return Name(frozenset({normal(pieces[0])}), "", False, value)
    phrase = plain(head)
    return Name(frozenset(), phrase, False, value) if 2 <= len(phrase.split()) <= _PHRASE else Name()


def plain(text: str) -> str:
    """The words of a text in lower case, one blank between two."""
    return " ".join(_WORDS.findall(text)).lower()


@lru_cache(maxsize=4096)
def names_said(text: str) -> frozenset[str]:
    """The identifiers in a text, as they are compared."""
    return frozenset([name for word in text.split() for name in _names_of(word)])


@lru_cache(maxsize=16384)
def _names_of(word: str) -> tuple[str, ...]:
    """A word of a text as names are compared, and without what it is set to; empty for no identifier."""
    word = _SIGN.sub("", word).strip(",;:()[]{}<>.!?")
    if word[:1].isdigit():
        word = _EACH.sub("", word, count=1)
    if not is_identifier(word):
        return ()
    return tuple(n for n in (normal(word), normal(word.partition("=")[0])) if n)


@dataclass(frozen=True, slots=True)
class Entry:
    """What stands under one name.

    Attributes:
        name: the innermost name.
        names: all one-word names that it stands under, the innermost and those around it.
        phrases: likewise, in plain words.
        blocks: the numbers of its blocks, its title first.
    """

    name: Name
    names: frozenset[str]
    phrases: frozenset[str]
    blocks: tuple[int, ...]


def entries_of(blocks: Sequence[Block]) -> list[Entry | None]:
    """For each block the entry that it belongs to; None where it stands under no name."""
    unnamed = _everywhere(blocks)
    unnamed |= _sections(blocks, unnamed)
    keys: list[tuple[object, ...]] = []
    members: dict[tuple[object, ...], list[int]] = {}
    under: dict[tuple[object, ...], tuple[str, ...]] = {}
    run = 0
    last: tuple[object, ...] = ()
    for i, block in enumerate(blocks):
        labels, opens = _named(block, unnamed)
        row = (block.table, block.row_index) if block.table is not None else ()
        key: tuple[object, ...] = (labels, row)
        if key != last or opens:
            run += 1
            last = key
        key = (run, *key) if labels else ()
        keys.append(key)
        under[key] = labels
        members.setdefault(key, []).append(i)
    made = {key: _entry(under[key], tuple(its)) if key else None for key, its in members.items()}
    return [made[key] for key in keys]


_OFTEN = 3  # places that one label stands at, from which on it says what is told of each and not of which


def _everywhere(blocks: Sequence[Block]) -> frozenset[str]:
    """The labels that stand under many names and name none: Default, Type, Example."""
    places: dict[str, set[tuple[str, ...]]] = {}
    for block in blocks:
        labels = _labels(block)
        for n, label in enumerate(labels[:-1]):
            at = places.setdefault(label, set())
            if len(at) < _OFTEN:
                at.add(labels[n + 1 :])
    return frozenset(label for label, at in places.items() if len(at) >= _OFTEN and not name_of(label).marked)


def _sections(blocks: Sequence[Block], everywhere: frozenset[str]) -> frozenset[str]:
    """The headings that several titles stand under: parts of the page, no entries."""
    titles: dict[str, set[str]] = {}
    for block in blocks:
        if block.kind in ("heading", "term") and block.text not in everywhere:
            for heading in block.headings:
                its = titles.setdefault(heading, set())
                if len(its) < _OFTEN:
                    its.add(block.text)
    return frozenset(heading for heading, its in titles.items() if len(its) >= _OFTEN)


def _labels(block: Block) -> tuple[str, ...]:
    """What a block stands under, innermost first; its own words where it is a heading or a term."""
    own = (block.text,) if block.kind in ("heading", "term") else ()
    return (*own, *reversed(block.row), *reversed(block.headings))


def _named(block: Block, unnamed: frozenset[str]) -> tuple[tuple[str, ...], bool]:
    """The labels of a block from its innermost name outwards, and whether it is that name's title."""
    labels = _labels(block)
    names = [(n, name_of(label)) for n, label in enumerate(labels) if label not in unnamed]
    at = next((n for n, name in names if name.marked), None)
    if at is None:
        at = next((n for n, name in names if name.known), None)
    if at is None:
        return (), False
    return labels[at:], at == 0 and block.kind in ("heading", "term")


def _entry(labels: Sequence[str], blocks: tuple[int, ...]) -> Entry:
    found = [name_of(label) for label in labels]
    names = frozenset(one for n in found for one in n.names)
    return Entry(found[0], names, frozenset(n.phrase for n in found if n.phrase), blocks)


@dataclass(frozen=True, slots=True)
class EntryNames:
    """The entries of a page by their names; `marked` are the names that have the form of identifiers."""

    names: dict[str, list[Entry]]
    phrases: dict[str, list[Entry]]
    marked: frozenset[str]


def entry_names(entries: Sequence[Entry | None]) -> EntryNames:
    """The entries of a page by all names that they stand under."""
    names: dict[str, list[Entry]] = {}
    phrases: dict[str, list[Entry]] = {}
    marked: set[str] = set()
    for entry in {id(e): e for e in entries if e is not None}.values():
        for name in entry.names:
            names.setdefault(name, []).append(entry)
        if entry.name.phrase:
            phrases.setdefault(entry.name.phrase, []).append(entry)
        if entry.name.marked:
            marked |= entry.name.names
    return EntryNames(names, phrases, frozenset(marked))
