"""Which source a figure in an article is from: by the nearest mark, else by the names around it."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import urlsplit

from kb.app.article_sources import READ, Named, address_key
from kb.app.audit_words import WORD, key_of, sentence_at
from kb.page import Page
from kb.page.links import Link
from kb.quantity import dates

PUBLISHER, TITLE, DAY = 1.0, 0.8, 2.5
"""What a word of a source's publisher or title counts for where the article has it, and the day it is of."""

NAMED = 0.5
"""How near a word must be for its source to be named by it: in the sentence, the row or the column."""

WHOLE, STRONG = 0.6, 4.0
"""The part of a title, and its worth, that name a source without its publisher."""

UNSAID = 0.3
"""What a word of a source tells that the article never uses, by the most that a word can."""

LEAST = 0.4
"""The least score of a source that is meant."""

AHEAD = 1.15
"""How many times the next source's score the best one's must be, or nothing is said."""

TOLD, FAR = 0.45, 2.0
"""Where a publisher has several sources, this part of a title must be named, or the next be so far behind."""

TOGETHER, TOGETHER_NAMED = 1.6, 0.75
"""Sources are cited together where their titles are named so far, and none is so many times better."""

SEEN = 0.4
"""How near a publisher must be in what surrounds a sentence that names no source itself."""

BYLESS = 0.6
"""What the score of a source counts for whose publisher is not named."""

SHORT = 80
"""Characters of a cell that names a row, and does not tell a story of its own."""

_BRACKETED = re.compile(r"\[\^?([\w.-]{1,12}(?:\s*[,;–-]\s*[\w.-]{1,12})*)\]")
_RAISED = re.compile(r"(?<=[\w.,;:)”\"’])([¹²³⁰⁴-⁹]+)")
_DIGITS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_ASIDE = re.compile(r"\(([^()]{3,200})\)")
_RUN = re.compile(r"[A-Z][\w'’-]*(?:\s+(?:of|for|and|the|over)?\s*[A-Z][\w'’-]*){2,}")


@dataclass(frozen=True, slots=True)
class Cited:
    """The sources of a place in the article: their ids, and how that shows; or why there is none."""

    sources: tuple[str, ...] = ()
    how: str = ""
    why: str = ""


class Citations:
    """The marks and names in an article that point to its sources."""

    def __init__(self, page: Page, links: Sequence[tuple[Link, ...]], named: Sequence[Named]) -> None:
        self.page = page
        self.links = links
        self.named = {n.source.id: n for n in named}
        self._by_mark: dict[str, str] = {}
        self._marked: dict[int, list[tuple[int, str]]] = {}
        for one in named:
            for name in one.names:
                self._by_mark.setdefault(name, one.source.id)
            if one.source.url:
                self._by_mark.setdefault(address_key(one.source.url), one.source.id)
        self._rows: dict[tuple[int | None, int | None], list[int]] = {}
        for number, block in enumerate(page.blocks):
            if block.table is not None:
                self._rows.setdefault((block.table, block.row_index), []).append(number)
        self._worth = _worth(named, page)
        self._having: dict[str, list[str]] = {}
        for id, words in self._worth.items():
            for word in words:
                self._having.setdefault(word, []).append(id)
        self._publishers = {n.source.id: _words(_publisher(n)) for n in named}
        self._titles = {n.source.id: _words(n.source.title) for n in named}

    def source_of(self, number: int, start: int, end: int) -> Cited:
        """The source of the words from `start` to `end` in the block of that number."""
        if not self.named:
            return Cited(why="the article names no sources")
        block = self.page.blocks[number]
        low, high = sentence_at(block.text, start)
        marks = self._marks(number)
        inside = [(at, id) for at, id in marks if low <= at <= high]
        after = [m for m in inside if m[0] >= end]
        if inside:
            return Cited(((after[0] if after else inside[-1])[1],), "mark")
        if block.table is not None:
            others = [i for i in self._rows[block.table, block.row_index] if i != number]
            cited = [m[1] for i in others for m in self._marks(i)]
            if cited and len(set(cited)) == 1:
                return Cited((cited[0],), "mark")
        ids = {id for _, id in marks}
        by_name = self._by_name(number, start, end)
        if not by_name.sources and len(ids) == 1:
            return Cited((ids.pop(),), "mark")
        return by_name

    def _marks(self, number: int) -> list[tuple[int, str]]:
        """Offsets and sources of the marks in a block, in its order."""
        if number not in self._marked:
            self._marked[number] = self._read_marks(number)
        return self._marked[number]

    def _read_marks(self, number: int) -> list[tuple[int, str]]:
        text = self.page.blocks[number].text
        found = []
        for link in self.links[number]:
            if not link.anchor:
                name = link.target if link.target.startswith("#") else ""
                id = self._by_mark.get(name or address_key(link.target) if name or _web(link.target) else "")
                found += [(link.offset, id)] if id else []
        for mark in _BRACKETED.finditer(text):
            for name in re.split(r"\s*[,;–-]\s*", mark[1]):
                found += [(mark.start(), id) for id in [self._by_mark.get(name)] if id]
        for mark in _RAISED.finditer(text):
            found += [(mark.start(), id) for id in [self._by_mark.get(mark[1].translate(_DIGITS))] if id]
        return sorted(found)

    def _by_name(self, number: int, start: int, end: int) -> Cited:
        """By the names in the sentence, the row and the column; where they name none, by those around it."""
        near = self._sentence(number, start, end)
        first = self._decided(near, self._scored(near))
        if first.sources:
            return first
        near |= self._around(number, start, near)
        second = self._decided(near, [s for s in self._scored(near) if s.by >= SEEN or s.day])
        return second if second.sources or not first.why else first

    def _decided(self, near: Mapping[str, float], scored: Sequence[_Score]) -> Cited:
        if not scored or scored[0].score < LEAST:
            return Cited(why="nothing near it names a source")
        best = scored[0]
        near_it = [s for s in scored if s.score * TOGETHER > best.score and self._alike(s.id, best.id)]
        together = [s.id for s in near_it if s.title >= TOGETHER_NAMED]
        if len(together) in (2, 3) and best.title >= TOGETHER_NAMED:
            return Cited(tuple(together), "name")  # "H100 v5 and H200 v5": of both pages
        close = [s for s in scored[1:] if s.score * AHEAD > best.score]
        lead = best.score / scored[1].score if len(scored) > 1 else FAR
        vague = best.title < TOLD and not best.day and lead < FAR and self._shared(best.id)
        if not close and not vague:
            return Cited((best.id,), "name")
        others = [s.id for s in (close or scored[1:2])]
        either = " or ".join(_called(self.named[id]) for id in (best.id, *others[:1]))
        return Cited(why=f"it may be from {either}")

    def _scored(self, near: Mapping[str, float]) -> list[_Score]:
        """The sources whose publisher or title stands near, the best one first."""
        out = []
        ids = {id for word in near for id in self._having.get(word, ())}
        for id in sorted(ids):
            worth = self._worth[id]
            had = sum(w * near.get(word, 0.0) for word, w in worth.items())
            whole = sum(w for word, w in worth.items() if word[:2] != "d:")
            by = max((near.get(word, 0.0) for word in self._publishers[id]), default=0.0)
            title = _cover(self._titles[id], worth, near)
            said = sum(worth[w] for w in self._titles[id] if near.get(w, 0.0) >= NAMED)
            telling = said >= STRONG or not self._publishers[id]
            by = by if self._publishers[id] else title
            day = any(near.get(word, 0.0) >= NAMED for word in worth if word[:2] == "d:")
            listed = self.named[id].block is not None or bool(self.named[id].names)
            if not listed and not (by >= NAMED and (day or title >= TOGETHER_NAMED)):
                continue  # of the base alone: the article must name it outright
            if by >= NAMED or day or (title >= WHOLE and telling):
                score = had * (0.3 + 0.7 * min(1.0, had / whole)) * (1.0 if by >= SEEN else BYLESS)
                out.append(_Score(score, id, by, title, day))
        return sorted(out, key=lambda s: (-s.score, s.id))

    def _rows_start(self, number: int) -> int:
        table = self.page.blocks[number].table
        while number and self.page.blocks[number - 1].table == table:
            number -= 1
        return number

    def _alike(self, one: str, other: str) -> bool:
        return bool(self._publishers[one] & self._publishers[other])

    def _shared(self, id: str) -> bool:
        """Whether another source is by the same publisher."""
        beside = {other for word in self._publishers[id] for other in self._having.get(word, ())}
        return any(self._alike(other, id) for other in beside if other != id)

    def _sentence(self, number: int, start: int, end: int) -> dict[str, float]:
        """Words and days of the sentence, the row and the column, each with its nearness from 0 to 1."""
        block = self.page.blocks[number]
        near: dict[str, float] = {}
        low, high = sentence_at(block.text, start)
        for word, first, last in _telling(block.text[low:high]):
            gap = max(start - low - last, low + first - end, 0)
            weight = 0.5 + 0.5 / (1 + gap / 40)
            if word[:2] == "d:":
                gap *= 2 if low + first >= end else 1  # what follows is rather of another statement
                own = start - low < last and first < end - low
                weight = 2.0 if own else 0.3 + 1.0 / (1 + gap / 40)
            near[word] = max(near.get(word, 0.0), weight)
        for aside in _ASIDE.finditer(block.text, low, high):
            if aside.start() >= end and dates(aside[1]):
                _add(near, aside[1], 1.2)
        if block.table is not None:
            for other in self._rows[block.table, block.row_index]:
                text = self.page.blocks[other].text
                _add(near, text, 0.6 if len(text) <= SHORT else 0.1)
            for label in (*block.row, *block.column):
                _add(near, label, 0.9)
        return near

    def _around(self, number: int, start: int, near: Mapping[str, float]) -> dict[str, float]:
        """The words of the same block, and of the heading and caption above it, as far as they are new."""
        block = self.page.blocks[number]
        low, _ = sentence_at(block.text, start)
        around: dict[str, float] = {}
        for text, weight in (
            (" ".join(block.headings[-1:]), NAMED),
            (block.caption, NAMED),
            (block.text, 0.3),
        ):
            _add(around, text, weight)
        if block.table is not None:  # a table is often introduced with where it is from
            first = self._rows_start(number)
            _add(around, self.page.blocks[first - 1].text if first else "", NAMED)
        if low:
            before, _ = sentence_at(block.text, low - 2)
            _add(around, block.text[before:low], NAMED)
        return {w: weight for w, weight in around.items() if weight > near.get(w, 0.0)}


@dataclass(frozen=True, slots=True)
class _Score:
    """How much speaks for a source: how near its publisher is, how much of its title, whether its day."""

    score: float
    id: str
    by: float
    title: float
    day: bool


def _add(near: dict[str, float], text: str, weight: float) -> None:
    for word, _, _ in _telling(text):
        near[word] = max(near.get(word, 0.0), weight)


def _web(target: str) -> bool:
    return bool(urlsplit(target).hostname)


def _called(named: Named) -> str:
    source = named.source
    return f"“{source.publisher}: {source.title}”" if source.publisher else f"“{source.title}”"


def _cover(words: frozenset[str], worth: Mapping[str, float], near: Mapping[str, float]) -> float:
    """Which part of some words, by what they are worth, stands near."""
    whole = sum(worth[w] for w in words)
    return sum(worth[w] for w in words if near.get(w, 0.0) >= NAMED) / whole if whole else 0.0


@lru_cache(4096)
def _telling(text: str) -> list[tuple[str, int, int]]:
    """Words with their spans, acronyms of names of three words or more, and days as `d:2024-03-12`."""
    found = []
    for day in dates(text):
        if not READ.search(text[: day.start]):
            found.append((f"d:{day.value}", day.start, day.end))
            found.append((f"y:{day.value[:4]}", day.start, day.end))
        text = text[: day.start] + " " * (day.end - day.start) + text[day.end :]
    for run in _RUN.finditer(text):
        initials = "".join(w[0] for w in run[0].split() if w[0].isupper())
        found.append((initials.casefold(), *run.span()))
    for word in WORD.finditer(text):
        key = key_of(word[0])
        found += [(key, *word.span())] if key else []
    return found


def _words(text: str) -> frozenset[str]:
    return frozenset(word for word, _, _ in _telling(text) if word[:2] != "d:")


def _worth(named: Sequence[Named], page: Page) -> dict[str, dict[str, float]]:
    """What each word of each source tells: one that few sources and few parts of the article have, much."""
    parts: dict[str, dict[str, float]] = {}
    for one in named:
        source = one.source
        words = dict.fromkeys(_words(source.title), TITLE)
        words |= dict.fromkeys(_words(_publisher(one)), PUBLISHER)
        if source.published:
            words |= {f"d:{source.published}": DAY, f"y:{source.published[:4]}": TITLE}
        parts[source.id] = words
    listed = {n.block for n in named}
    seen = Counter(word for words in parts.values() for word in words)
    said = Counter(w for i, b in enumerate(page.blocks) if i not in listed for w in _words(b.text))
    blocks = len(page.blocks) - len(listed) + 1

    def worth(word: str) -> float:
        rare = 1.0 if word[:2] == "d:" else math.log(1 + blocks / (1 + said[word])) / math.log(1 + blocks)
        if not said[word] and word[:2] != "d:":
            rare = UNSAID
        return rare * math.log(1 + len(parts) / seen[word])

    return {id: {word: part * worth(word) for word, part in words.items()} for id, words in parts.items()}


def _publisher(named: Named) -> str:
    source = named.source
    host = urlsplit(source.url).hostname or "" if source.url else ""
    return source.publisher or host.removeprefix("www.").rpartition(".")[0]
