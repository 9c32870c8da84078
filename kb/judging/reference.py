"""References: the entry that the claim names to the letter speaks, and in it what states its default."""

from __future__ import annotations

import re
from collections.abc import Collection, Container, Sequence

from kb.claims.claim import Claim
from kb.judging.candidate import Anchor, Candidate, best_first
from kb.judging.default import default_slots, is_own_line, speaks_of_default
from kb.judging.entry import names_said, normal, plain
from kb.judging.reading import FIRST_TEXT, PageReading
from kb.judging.surroundings import TITLE
from kb.judging.words import keys

_CALLED = re.compile(r" (?:setting|parameter|option|directive|variable|key|field)$")
"""What a claim may call an entry, behind its name."""
_COMPOUND = re.compile(r"(?<![\w./-])[a-z]+(?:-[a-z]+)+(?=,?\s\w)")
"""Words that a hyphen ties before another: a high-availability plan."""

REFERENCE = 8  # names of one word from which on a page lists settings, options or the like
KEPT = 5  # names of an earlier page that are still there, from which on the page is the same reference
OTHER_ENTRY = 6.0  # what it costs to stand in another entry than the one that the claim names, in log odds
BARRED = 12.0  # likewise where the page has no entry of that name
SLOT = 2.5  # the least total of what an entry states as its default
BROAD = 4  # the share of a page from which on a name heads the page and no entry of it: one in four
FEW = 8  # blocks that an entry of the shortest page may have
BESIDE = 4.0  # by how much other values of that entry fall behind it


def entries_first(
    reading: PageReading,
    base: PageReading | None,
    claim: Claim,
    candidates: Sequence[Candidate],
    anchor: Anchor | None,
) -> list[Candidate]:
    """The candidates, best first, by the entries that they stand in, where the claim names one."""
    if not candidates:
        return list(candidates)
    wanted = Wanted(claim, reading)
    if not wanted.entries and base is not None and anchor is not None:
        wanted.follow(base, anchor)
    if any(wanted.is_in(c.mention.block) for c in candidates):
        out = _inside(reading, claim, candidates, wanted)
    elif not wanted.entries and wanted.is_missing(base, anchor):
        out = [
            c.with_total(c.total - BARRED) if wanted.is_elsewhere(c.mention.block) else c for c in candidates
        ]
    else:
        return list(candidates)
    return best_first(out)


def compounds(text: str) -> frozenset[str]:
    """The words in a text that a hyphen ties before another, which are no names."""
    return frozenset(_COMPOUND.findall(_CALLED.sub("", text)))


class Wanted:
    """The entry that a claim names on one page."""

    def __init__(self, claim: Claim, reading: PageReading) -> None:
        """Find the claim's names among those of the page's entries: the subject's, else the attribute's."""
        self.reading = reading
        self._entry_of = reading.entries()
        self.subject = _CALLED.sub("", f" {plain(claim.subject)}")
        self.names = names_said(claim.subject)
        self.compounds = compounds(claim.subject)
        self.entries: frozenset[int] = frozenset()
        self.phrase = ""
        known = reading.entry_names()
        broad = max(len(reading.blocks) / BROAD, FEW)
        for said in (self.names, names_said(claim.attribute)):
            found = {n: known.names[n] for n in said if n in known.names and not _heads(reading, n)}
            ids = {id(e) for its in found.values() if sum(len(e.blocks) for e in its) <= broad for e in its}
            if ids:
                self.names, self.entries = frozenset(found), frozenset(ids)
                return
        self.phrase = self._phrase(known.phrases)
        if self.phrase:
            self.entries = frozenset(id(e) for e in known.phrases[self.phrase])
        elif not self.names and len(known.marked) >= REFERENCE:
            self._plainly_named()

    def _plainly_named(self) -> None:
        """Want the entry of a reference whose name is a plain word, which the subject ends with: acks."""
        word = self.subject.rpartition(" ")[2]
        its = self.reading.entry_names().names.get(word, [])
        blocks = sorted(block for e in its for block in e.blocks)  # a row of a table is an entry of its own
        if not blocks or blocks[-1] - blocks[0] >= len(blocks) or _heads(self.reading, word):
            return
        if all(e.name.names == {word} for e in its):
            self.names, self.entries = frozenset({word}), frozenset(id(e) for e in its)

    def _phrase(self, phrases: Container[str]) -> str:
        """The longest of some phrases that the subject ends with."""
        at = self.subject.find(" ")
        while at >= 0:
            if (end := self.subject[at + 1 :]) in phrases:
                return end
            at = self.subject.find(" ", at + 1)
        return ""

    def follow(self, base: PageReading, anchor: Anchor) -> None:
        """Want the entry that our value stood in, where the claim names none and the page still has it."""
        stood = {id(e): e for s in anchor.spots if (e := base.entry(s.mention.block)) is not None}
        if len(stood) != 1:
            return
        (entry,) = stood.values()
        if not entry.name.marked or len(entry.name.names) != 1:
            return
        (name,) = entry.name.names
        its = self.reading.entry_names().names.get(name, [])
        if len(its) == 1 and not _heads(self.reading, name) and not _heads(base, name):
            self.names, self.entries = frozenset({name}), frozenset({id(its[0])})

    def is_in(self, index: int) -> bool:
        """Whether a block belongs to the entry that the claim names."""
        entry = self._entry_of[index]
        return entry is not None and id(entry) in self.entries

    def is_elsewhere(self, index: int) -> bool:
        """Whether a block belongs to an entry of another name, and says ours nowhere."""
        entry = self._entry_of[index]
        if entry is None or id(entry) in self.entries or not (entry.name.marked or self.phrase):
            return False
        if self.phrase:
            block = self.reading.blocks[index]
            said = (*block.row, *block.column, block.caption, *block.headings, block.text[:FIRST_TEXT])
            return not any(f" {self.phrase} " in f" {plain(text)} " for text in said)
        return not _is_said(self.names, self.reading.names(index))

    def _is_known(self, name: str) -> bool:
        """Whether the page has a name: as an entry's or its end (PBKDF2-HMAC-SHA512), or as its own."""
        names = self.reading.entry_names().names
        return name in names or _heads(self.reading, name) or any(n.endswith(f"-{name}") for n in names)

    def is_missing(self, base: PageReading | None, anchor: Anchor | None) -> bool:
        """Whether the page is a reference that has no entry of the name that the claim gives."""
        known = self.reading.entry_names()
        if base is None or anchor is None:
            lost = {n for n in self.names - self.compounds if is_odd(n) and not self._is_known(n)}
            return bool(lost) and len(known.marked) >= REFERENCE and _shaped(lost, known.marked)
        before, old = base.entry(anchor.mention.block), base.entry_names()
        if before is None:
            return False
        if before.name.marked:
            kept = len(old.names.keys() & known.names.keys())
            about = (base, self.reading)
            own = self.names & before.name.names
            self.names = frozenset(n for n in own if not any(_heads(page, n) for page in about))
            return bool(self.names) and self.names.isdisjoint(known.names) and kept >= KEPT
        kept = len(old.phrases.keys() & known.phrases.keys())
        self.phrase = before.name.phrase
        said = bool(self.phrase) and self.subject.endswith(f" {self.phrase}")
        return said and self.phrase not in known.phrases and kept >= KEPT


def _is_said(names: frozenset[str], said: frozenset[str]) -> bool:
    """Whether some names have one of ours, as it is or with the ending of a file: `finch-small-0.6.zip`."""
    if not said or not names:
        return False
    if not names.isdisjoint(said):
        return True
    begins = tuple(f"{name}." for name in names)
    return any(other.startswith(begins) for other in said)


def _heads(reading: PageReading, name: str) -> bool:
    """Whether a name is what the whole page is about: as a word of its title, or all its pieces there."""
    titled = [word for word, says in reading.topic.items() if says >= TITLE]
    if any(normal(word) == name for word in titled):
        return True
    return "-" in name and keys(name.replace("-", " ")) <= set(titled)


def is_odd(name: str) -> bool:
    """Whether a name is of several pieces, or an option of one letter: nothing else is called so."""
    return "-" in name or len(name) == 1


def _shaped(names: Collection[str], others: Collection[str]) -> bool:
    """Whether a reference's names have the form of ours: most of several pieces, or many of one letter."""
    if any("-" in name for name in names):
        return 2 * sum("-" in other for other in others) >= len(others)
    return sum(len(other) == 1 for other in others) >= REFERENCE


def _inside(
    reading: PageReading, claim: Claim, candidates: Sequence[Candidate], wanted: Wanted
) -> list[Candidate]:
    """The candidates where some stand in the entry that the claim names."""
    slots = _slots(reading, candidates, wanted) if speaks_of_default(_words(claim)) else []
    best = max((c.total for c in slots), default=0.0)
    sure = len({_value(c) for c in slots}) == 1
    chosen = {id(c) for c in slots}
    out = []
    for c in candidates:
        index = c.mention.block
        if id(c) in chosen:
            c = c.with_total(max(c.total, SLOT)) if sure else c
        elif wanted.is_in(index):
            if chosen and not (sure and _value(c) == _value(slots[0])):
                c = c.with_total(min(c.total, max(best, SLOT)) - BESIDE)
        elif wanted.is_elsewhere(index):
            c = c.with_total(c.total - OTHER_ENTRY)
        out.append(c)
    return out


def _slots(reading: PageReading, candidates: Sequence[Candidate], wanted: Wanted) -> list[Candidate]:
    """The candidates that the entry states as its default, without those that are of quite another kind."""
    found = []
    inside: dict[int, list[Candidate]] = {}
    for c in candidates:
        if wanted.is_in(c.mention.block):
            inside.setdefault(c.mention.block, []).append(c)
    for index, its in inside.items():
        spans = {(m.start, m.end) for m in default_slots(reading.blocks[index], [c.mention for c in its])}
        found += [c for c in its if (c.mention.start, c.mention.end) in spans]
    lines = [c for c in found if is_own_line(reading.blocks[c.mention.block], c.mention)]
    return lines or found


def _value(c: Candidate) -> str:
    if c.fit.answer.holds:
        return "ours"
    return str(c.fit.size) if c.fit.size is not None else c.mention.text


def _words(claim: Claim) -> str:
    return f"{claim.subject} {claim.attribute} {claim.where or ''}"
