"""Candidates: mentions that could answer one claim, each with what speaks for it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import log
from operator import mul

from kb.judging import thresholds as t
from kb.judging.align import LabelsAlike, Likeness, labels_alike, likeness, most_alike, place_of
from kb.judging.aside import ROLE, label_of
from kb.judging.considered import Considered, Fitter, considered
from kb.judging.fit import Answer, Fit
from kb.judging.mention import Finder, Mention
from kb.judging.naming import Named, Naming
from kb.judging.nearness import Hearing, Rivals
from kb.judging.note import Note
from kb.judging.numbered import is_anothers
from kb.judging.off_subject import Spoken, is_off, is_unnamed
from kb.judging.place import Place
from kb.judging.reading import PageReading
from kb.judging.score import (
    Known,
    Telling,
    Term,
    Terms,
    coverage,
    identified,
)
from kb.judging.words import keys, tokens
from kb.page import Block


@dataclass(frozen=True, slots=True)
class Candidate:
    """One mention in the race.

    Attributes:
        fit: how its value answers the claim's.
        named: how well the words around it name the claim's subject, 0 to 1.
        signs: what speaks for and against it, in the order of `thresholds.WEIGHTS` or `WEIGHTS_PLACED`.
        total: the signs weighed: log odds against the page not stating the claim at all.
        off: whether the page does not speak of the claim there; False where its earlier place is known.
        unnamed: whether it is our value, and next to nothing of the claim is said there; False likewise.
    """

    mention: Mention
    fit: Fit
    named: float
    signs: tuple[float, ...] = ()
    total: float = 0.0
    off: bool = False
    unnamed: bool = False

    def with_total(self, total: float) -> Candidate:
        """The same with another total."""
        return Candidate(self.mention, self.fit, self.named, self.signs, total, self.off, self.unnamed)


@dataclass(frozen=True, slots=True)
class Spot:
    """One place on the earlier page that had our value, and how well it was named.

    `subject` and `others` are the claim's words that were present there; `telling` those that told
    it from the other values of its kind.
    """

    mention: Mention
    place: Place
    named: float
    subject: Known
    others: Known
    telling: Telling


@dataclass(frozen=True, slots=True)
class Anchor:
    """Where the claim may have stood on the earlier page, the likeliest spot first, and the other places.

    `counterpart` is the block that its block is now (None where none is), and `row_lost` how surely its
    row is gone, 0 to 1; see `anchor.anchor_of`. `renumbered`:
    its own labels had our name with another number, which says nothing then. `stays`: it named the claim
    well, and its place is as it was, numbers aside, so that no other need be looked at.
    """

    spots: tuple[Spot, ...]
    rivals: tuple[Place, ...] = ()
    unnamed: int = 0
    counterpart: int | None = None
    row_lost: float = 0.0
    renumbered: bool = False
    stays: bool = False

    @property
    def mention(self) -> Mention:
        """The likeliest mention."""
        return self.spots[0].mention


_WEIGHTS = tuple(t.WEIGHTS.values())
_WEIGHTS_PLACED = tuple(t.WEIGHTS_PLACED.values())

DATE_DIGITS = 2  # a date is there by chance as often as a short number, however many digits it has

_Around = tuple[float, float, float, float, float, float]
"""The signs of a block: its part, unnamed identifiers, how row and column are named, if a cell, and how far
it is behind."""


@dataclass(slots=True)
class _Draft:
    """A candidate before it is compared with the others.

    `page`: what the heaviest word of the subject weighs that it lacks, and that the page lacks, and how far
    its block is behind. `another`: its labels have our name with another number. `unsaid`: see `Naming`.
    """

    mention: Mention
    fit: Fit
    common: tuple[float, ...]
    subject: float
    attribute: float
    known: tuple[float, float, float]
    named: Named
    page: tuple[float, float, float]
    another: bool
    unsaid: float = 0.0
    like: Likeness | None = None


def gather(
    reading: PageReading,
    terms: Terms,
    find: Finder,
    fit: Fitter,
    anchor: Anchor | None,
    *,
    more: Sequence[Mention] = (),
    stood: Collection[Mention] = (),
) -> list[Candidate]:
    """The candidates of a page, best first; equal ones in reading order.

    Where the place of an `anchor` stays they are those of its block alone.
    """
    only = anchor.counterpart if anchor is not None and anchor.stays else None
    return weighed(reading, terms, considered(reading, terms, find, fit, more, stood, only), anchor)


def weighed(reading: PageReading, terms: Terms, values: Considered, anchor: Anchor | None) -> list[Candidate]:
    """The values considered as candidates, best first; equal ones in reading order."""
    run = _Run(reading, terms, values, anchor)
    drafts = [run.draft(mention, answer, note) for mention, (answer, note) in values.fits.items()]
    return best_first(_placed(drafts, anchor) if anchor is not None else _unplaced(drafts, run.naming))


def off_last(candidates: Sequence[Candidate]) -> list[Candidate]:
    """The candidates, best first, of which those that stand off the claim's subject hardly answer it."""
    if not any(c.off or c.unnamed for c in candidates):
        return list(candidates)
    return best_first(c.with_total(_off(c)) if c.off or c.unnamed else c for c in candidates)


def _off(c: Candidate) -> float:
    """The total of a value off the subject; ours may be left to a person instead."""
    same = c.fit.answer in (Answer.VERBATIM, Answer.SAME)
    if not c.off or (same and c.signs[t.ATTRIBUTE_SIGN] >= t.ATTRIBUTE_SAID):
        return min(c.total, t.OFF_OURS)
    return c.total - t.OFF_THE_SUBJECT


def best_first(candidates: Iterable[Candidate]) -> list[Candidate]:
    """The candidates, the likeliest first; equal ones in reading order."""
    return sorted(candidates, key=lambda c: (-c.total, c.mention.block, c.mention.start))


def unnamed(block: Block, own: frozenset[str]) -> int:
    """How many identifiers in the labels of a value the claim does not name: the 2x of "2x Nvidia A10G"."""
    return len(_identifiers(block.row or block.headings[-1:]) - own)


@lru_cache(maxsize=8192)
def _identifiers(labels: tuple[str, ...]) -> frozenset[str]:
    return frozenset(k.key for label in labels for k in tokens(label, stems=False) if k.sharp)


def label_named(labels: tuple[str, ...], own: frozenset[str]) -> float:
    """The share of a row's or column's label that the claim says: none where it is about something else."""
    if not labels:
        return 0.5
    words = _words(labels)
    return len(words & own) / len(words) if words else 0.5


@lru_cache(maxsize=8192)
def _words(labels: tuple[str, ...]) -> frozenset[str]:
    return frozenset(key for label in labels for key in keys(label))


def sharp_words(terms: Sequence[Term]) -> frozenset[str]:
    """The claim's identifiers, which no mask may hide."""
    return frozenset(term.key for term in terms if term.sharp)


class _Run:
    """What all drafts for one claim on one page share: its words, its identifiers, and signs of blocks."""

    def __init__(self, reading: PageReading, terms: Terms, values: Considered, anchor: Anchor | None) -> None:
        """Begin, with nothing known of any block."""
        self.reading, self.anchor = reading, anchor
        self.own = values.own
        self.keep = sharp_words(terms)
        self.naming = Naming(reading, terms, values.said)
        self.numbered = frozenset() if anchor is not None and anchor.renumbered else terms.numbered
        self.hearing = Hearing(reading, terms)
        self.rivals = Rivals(reading, values.rivals)
        self._blocks: dict[int, _Around] = {}
        self._labels: dict[int, list[LabelsAlike]] = {}
        self._covered: dict[tuple[float, ...], list[tuple[float, float]]] = {}

    def around(self, index: int) -> _Around:
        """The signs of a block."""
        known = self._blocks.get(index)
        if known is None:
            block, anchor = self.reading.blocks[index], self.anchor
            role = ROLE.get(block.role, 1.0)
            extra = unnamed(block, self.own)
            if anchor is not None:
                role = 1.0 if anchor.spots[0].place.role == block.role else role
                extra = max(0, extra - anchor.unnamed)
            known = self._blocks[index] = (
                log(role),
                float(min(2, extra)),
                label_named(block.row, self.own),
                label_named(block.column, self.own),
                float(block.table is not None or block.kind in ("pair", "definition")),
                self.naming.behind(index),
            )
        return known

    def draft(self, mention: Mention, fit: Fit, note: Note) -> _Draft:
        """A value with what speaks for it by itself."""
        reading, anchor, naming = self.reading, self.anchor, self.naming
        present = self.hearing.at(mention, self.rivals)
        part, extra, row, column, cell, behind = self.around(mention.block)
        label = label_of(note.label, self.own)
        crowd = log(1 + self.rivals.crowd(mention, labelled=label > 0))
        ours = float(fit.answer.holds)
        digits = note.digits if mention.date is None else DATE_DIGITS
        common = (
            1.0,
            log(fit.kin),
            part,
            float(note.aside),
            float(label < 0),
            float(label > 0),
            extra,
            row,
            column,
            fit.near,
            ours,
            ours * (0 if digits < 1 else 4 if digits > 5 else digits - 1),
            cell,
            crowd,
        )
        block = reading.blocks[mention.block]
        named = naming.named(block, note.label)
        another = bool(self.numbered) and is_anothers(reading, mention, self.numbered)
        if anchor is None:
            subject, attribute, known, lost, unsaid = naming.told(present)
            page = lost, naming.nowhere, behind
            return _Draft(mention, fit, common, subject, attribute, known, named, page, another, unsaid)
        page = naming.lost(present), naming.nowhere, behind
        subject, attribute, known, like = self._best_spot(anchor, present, mention)
        return _Draft(mention, fit, common, subject, attribute, known, named, page, another, like=like)

    def _best_spot(
        self, anchor: Anchor, present: Sequence[float], mention: Mention
    ) -> tuple[float, float, tuple[float, float, float], Likeness]:
        """How well a candidate is the best of the earlier spots: subject, attribute, identified, likeness."""
        place = place_of(self.reading, mention, self.keep)
        labels = self._labels.get(mention.block)
        if labels is None:  # which all values of a block share
            labels = self._labels[mention.block] = [labels_alike(s.place, place) for s in anchor.spots]
        best: tuple[float, float, Spot, Likeness] | None = None
        most = -1.0
        for spot, alike, covered in zip(anchor.spots, labels, self._coverage(anchor, present), strict=True):
            sure = spot.named / anchor.spots[0].named  # a spot that named the claim less counts less
            like = likeness(spot.place, place, alike).scaled(sure)
            subject, attribute = sure * covered[0], sure * covered[1]
            whole = subject + attribute + 2 * like.whole
            if whole > most:
                most = whole
                best = subject, attribute, spot, like
        assert best is not None
        subject, attribute, spot, like = best
        return subject, attribute, identified(spot.telling, present), like

    def _coverage(self, anchor: Anchor, present: Sequence[float]) -> list[tuple[float, float]]:
        """The share of each spot's words that is present, the subject's and the others."""
        key = tuple(present)
        known = self._covered.get(key)
        if known is None:
            known = [(coverage(s.subject, present), coverage(s.others, present)) for s in anchor.spots]
            self._covered[key] = known
        return known


def _unplaced(drafts: Sequence[_Draft], naming: Naming) -> list[Candidate]:
    subject, attribute = _best_named(drafts)
    slot = _best_slot(drafts)
    out = []
    for d in drafts:
        signs = (
            *d.common,
            d.subject,
            d.attribute,
            *d.known[1:],
            d.subject - subject,
            min(0.0, d.attribute - attribute),
            d.subject * d.attribute,
            d.named.owner,
            d.named.other_column,
            min(0.0, d.named.slot - slot),
            *d.page,
        )
        total = _weighed(signs, _WEIGHTS) - _nameless(d)
        said = _spoken(d, naming.says(d.mention.block))
        off, unnamed = is_off(d.mention, d.fit, said), is_unnamed(d.mention, d.fit, said)
        out.append(Candidate(d.mention, d.fit, d.subject, signs, total, off, unnamed))
    return out


def _spoken(draft: _Draft, says: float) -> Spoken:
    """What is said of the claim at a value whose block says so much of its words."""
    _, nowhere, behind = draft.page
    labelled = bool(draft.common[t.LABEL_SIGN])
    named = draft.subject, draft.attribute, nowhere, behind, says, draft.unsaid
    return Spoken(*named, draft.named.called, labelled)


def _best_named(drafts: Sequence[_Draft]) -> tuple[float, float]:
    """The best subject of all, and the best attribute of those about that subject."""
    subject = max((d.subject for d in drafts), default=0.0)
    near = [d.attribute for d in drafts if d.subject >= subject - t.SAME_SUBJECT]
    return subject, max(near, default=0.0)


def _best_slot(drafts: Sequence[_Draft]) -> float:
    """How well a label is the attribute where labels name the subject best."""
    owner = max((d.named.owner for d in drafts), default=0.0) - t.SAME_OWNER
    return max((d.named.slot for d in drafts if d.named.owner >= owner), default=0.0)


def _placed(drafts: Sequence[_Draft], anchor: Anchor) -> list[Candidate]:
    subject, attribute = _best_named(drafts)
    whole = max((d.like.whole for d in drafts if d.like), default=0.0)
    first = sorted(drafts, key=lambda d: -(d.subject + (d.like.whole if d.like else 0.0)))[: t.CLAIMED_TOP]
    taken = {id(d): _taken(d, anchor) for d in first}
    slot, now = _best_slot(drafts), anchor.counterpart
    columns = {spot.place.column for spot in anchor.spots}
    out = []
    for d in drafts:
        assert d.like is not None
        signs = (
            *d.common,
            d.subject,
            d.attribute,
            *d.known[1:],
            d.subject - subject,
            min(0.0, d.attribute - attribute),
            d.like.whole,
            d.like.whole - whole,
            d.like.text,
            d.subject * d.like.whole,
            float(d.like.whole > t.SAME_PLACE),
            taken.get(id(d), 0.0),
            whole,
            d.named.owner,
            0.0 if d.like.place.column in columns else d.named.other_column,
            min(0.0, d.named.slot - slot),
            *d.page,
            0.0 if now is None else 1.0 if now == d.mention.block else -1.0,
            anchor.row_lost,
        )
        out.append(
            Candidate(d.mention, d.fit, d.subject, signs, _weighed(signs, _WEIGHTS_PLACED) - _nameless(d))
        )
    return out


def _taken(draft: _Draft, anchor: Anchor) -> float:
    """By how much the place was rather another value's before."""
    assert draft.like is not None
    place = draft.like.place
    return most_alike(anchor.rivals, place, draft.like.whole) - draft.like.whole


def _nameless(draft: _Draft) -> float:
    """What the lack of the subject's identifier costs, by rule and not by measure: H100 is not H200."""
    return t.IDENTIFIER_LOST * (1.0 if draft.another else max(0.0, 2 * draft.known[2] - 1))


def _weighed(signs: Sequence[float], weights: Sequence[float]) -> float:
    return float(sum(map(mul, signs, weights)))
