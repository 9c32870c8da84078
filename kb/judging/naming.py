"""How well the labels of a value, and the block that it stands in, name what a claim speaks of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from kb.judging.reading import PageReading, row_of
from kb.judging.score import Said, Terms, identified, named_attribute, named_subject, telling
from kb.judging.words import Labels, words_of_labels
from kb.page import Block


class Named(NamedTuple):
    """What the labels of one value say of a claim, each 0 to 1.

    Attributes:
        slot: how well one of them is the attribute: `Default` of "default value".
        owner: how well a row, a column or the heading above is the subject.
        other_column: 1.0 where its column is called by none of the claim's words.
        called: whether its row or column is called by words of the subject alone.
    """

    slot: float
    owner: float
    other_column: float
    called: bool


class Told(NamedTuple):
    """What the words present at one value say of a claim, each 0 to 1.

    Attributes:
        subject: how well they name the subject.
        attribute: likewise the attribute.
        known: see `score.identified`.
        lost: what the heaviest word of the subject weighs that is not there.
        unsaid: what of both parts is lacking though the page says it, by each one's heaviest word.
    """

    subject: float
    attribute: float
    known: tuple[float, float, float]
    lost: float
    unsaid: float


class Naming:
    """What all labels on one page are asked for one claim, each worked out once."""

    def __init__(self, reading: PageReading, terms: Terms, said: Said) -> None:
        """Weigh the words of the claim's two parts, and see what the page has of them anywhere."""
        self._terms = terms
        self._told: dict[tuple[float, ...], Told] = {}
        self._own = frozenset(term.key for term in terms)
        self._subject = {term.key: term.weight for term in terms if term.subject}
        self._rest = {term.key: term.weight for term in terms if not term.subject}
        self._known: dict[tuple[Labels, Labels, Labels], Named] = {}
        self._likeness: dict[tuple[frozenset[str], bool], float] = {}
        self._wholes = sum(self._rest.values()), sum(self._subject.values())
        heaviest = max(self._subject.values(), default=0.0) or 1.0
        self.rarest = tuple((i, term.weight / heaviest) for i, term in enumerate(terms) if term.subject)
        """The subject's words by number, and what each weighs against the heaviest."""
        self._said_of = tuple(self._said_anywhere(reading, terms, subject=part) for part in (True, False))
        """Of the subject and of the rest: the words that the page says, by number and weight."""
        missing = [weight for key, weight in self._subject.items() if not reading.often(key)]
        self.nowhere = max(missing, default=0.0) / heaviest
        """What the heaviest word of the subject weighs that the page has nowhere, 0 to 1."""
        self._said, self._usual = said
        self._all = sum(term.weight for term in terms) or 1.0
        self._most = max(self._said.values(), default=self._usual)

    def behind(self, block: int) -> float:
        """How far a block is behind the one that says most of the claim's words, 0 (it is that one) to -1."""
        return (self._said.get(block, self._usual) - self._most) / self._all

    def says(self, block: int) -> float:
        """How much of the claim's words a block says, 0 to 1."""
        return self._said.get(block, self._usual) / self._all

    def lost(self, present: Sequence[float]) -> float:
        """What the heaviest word of the subject weighs that is not at a value, 0 to 1."""
        return _most_lacking(self.rarest, present)

    def told(self, present: Sequence[float]) -> Told:
        """What the words present at a value say; at many values of a page they are the same."""
        key = tuple(present)
        known = self._told.get(key)
        if known is None:
            terms, (subject, rest) = self._terms, self._said_of
            known = self._told[key] = Told(
                named_subject(terms, present),
                named_attribute(terms, present),
                identified(telling(terms), present),
                self.lost(present),
                min(_most_lacking(subject, present), _most_lacking(rest, present)),
            )
        return known

    def _said_anywhere(
        self, reading: PageReading, terms: Terms, *, subject: bool
    ) -> tuple[tuple[int, float], ...]:
        part = self._subject if subject else self._rest
        heaviest = max(part.values(), default=0.0) or 1.0
        return tuple(
            (i, term.weight / heaviest)
            for i, term in enumerate(terms)
            if term.subject is subject and reading.often(term.key)
        )

    def named(self, block: Block, label: frozenset[str]) -> Named:
        """What the labels of a value say; `label` are the words right before it (`Default: 60`)."""
        column = block.column if block.table is not None else ()
        key = row_of(block), column, block.headings[-1:]
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._of(*key)
        if label:
            slot = self._like(label, self._rest, subject=False)
            if slot > known.slot:
                return known._replace(slot=slot)
        return known

    def _of(self, row: Labels, column: Labels, heading: Labels) -> Named:
        slot = owner = 0.0
        called = False
        for label in (row, column):
            if label and (words := words_of_labels(label)):
                slot = max(slot, self._like(words, self._rest, subject=False))
                owner = max(owner, self._like(words, self._subject, subject=True))
                called = called or words <= self._subject.keys()
        if heading and (above := words_of_labels(heading)):
            owner = max(owner, self._like(above, self._subject, subject=True))
        other = bool(column and (its := words_of_labels(column)) and its.isdisjoint(self._own))
        return Named(slot, owner, float(other), called)

    def _like(self, words: frozenset[str], part: Mapping[str, float], *, subject: bool) -> float:
        """How much of a part a label says, and how much of the label is ours: their harmonic mean."""
        known = self._likeness.get((words, subject))
        if known is None:
            if words.isdisjoint(part):  # as most labels of a page are
                known = 0.0
            else:
                whole = self._wholes[subject]
                said = sum([weight for key, weight in part.items() if key in words]) / whole if whole else 0.0
                ours = len(words & self._own) / len(words)
                known = 2 * said * ours / (said + ours) if said + ours else 0.0
            self._likeness[words, subject] = known
        return known


def _most_lacking(words: Sequence[tuple[int, float]], present: Sequence[float]) -> float:
    """What the heaviest of some words weighs that is not at a value, or of it what is lacking, 0 to 1."""
    return max([weight * (1.0 - present[i]) for i, weight in words], default=0.0)
