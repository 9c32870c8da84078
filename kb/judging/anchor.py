"""Where a claim stood on an earlier page: the places that have its value and name it best."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice

from kb.judging import thresholds as t
from kb.judging.align import place_of
from kb.judging.aside import label_of
from kb.judging.candidate import Anchor, Spot, sharp_words, unnamed, weighed
from kb.judging.considered import Considered, Fitter, considered
from kb.judging.counterpart import counterpart, row_lost, stays
from kb.judging.fit import Answer, Fit
from kb.judging.mention import Finder, Mention
from kb.judging.nearness import Hearing, Rivals
from kb.judging.numbered import is_anothers
from kb.judging.reading import PageReading
from kb.judging.score import Terms, known_words, marks_of, named_attribute, named_subject, telling


def anchor_of(
    base: PageReading,
    terms: Terms,
    find: Finder,
    fit: Fitter,
    reading: PageReading,
    *,
    whole: bool = False,
) -> Anchor | None:
    """The places on the earlier page that state the claim's value and name the claim best, if any does.

    With what became of the best on the page. Of the other values only what tells them from ours is worked
    out, as most claims stood in one place, and nothing where that place stays as it was, unless the claim
    is answered by the `whole` page.
    """
    values = considered(base, terms, find, fit)
    ours = [m for m, (answer, _) in values.fits.items() if answer.answer in _OURS]
    alone = False
    if not ours:  # in none of the blocks that say most of the claim
        every = (m for i in range(len(base.blocks)) for m in find(i) if _is_ours(fit(m)))
        ours = list(islice(every, t.ANCHORS))
        values = considered(base, terms, find, fit, ours)
        ours = [m for m in ours if m in values.fits]
        alone = len(ours) == 1
        if not ours:
            return None
    stage = _Stage(base, terms, values)
    best = stage.ranked(ours)
    near = t.ANCHOR_NEAR * stage.naming(best[0])
    verbatim = [m for m in best if values.fits[m][0].answer is Answer.VERBATIM]
    if any(stage.naming(m) >= near for m in verbatim):
        best = verbatim  # as the claim took it over
    if stage.naming(best[0]) < (t.ANCHOR_ALONE if alone else t.ANCHOR):
        return None
    near = t.ANCHOR_NEAR * stage.naming(best[0])
    stood = [m for m in best[: t.ANCHORS] if stage.naming(m) >= near]
    block = best[0].block
    now = counterpart(base, block, reading)
    stay = (
        now is not None
        and not whole
        and len(stood) == 1
        and not best[0].textual
        and stage.naming(best[0]) >= t.STAYS_NAMED
        and stays(base, block, reading, now)
    )
    near_ours = (m for m in values.fits if not stay or m.block == block)
    likeliest = islice(near_ours, t.RIVALS)  # the blocks that say most of the claim come first
    others = [m for m in likeliest if m not in stood]
    caps = [stage.present(m) for m in stood]
    rivals = stage.rivals(others, caps)
    keep = sharp_words(terms)
    spots = tuple(
        Spot(
            mention,
            place_of(base, mention, keep),
            stage.naming(mention),
            known_words(terms, cap, subject=True),
            known_words(terms, cap, subject=False),
            telling(terms, marks_of(cap, rivals), cap),
        )
        for mention, cap in zip(stood, caps, strict=True)
    )
    return Anchor(
        spots,
        rivals=tuple(place_of(base, m, keep) for m in others),
        unnamed=unnamed(base.blocks[block], values.own),
        counterpart=now,
        row_lost=0.0 if stay else row_lost(base, block, reading),
        renumbered=is_anothers(base, best[0], terms.numbered),
        stays=stay,
    )


def _is_ours(fit: Fit | None) -> bool:
    return fit is not None and fit.answer in _OURS


class _Stage:
    """How well the places of the earlier page's values name a claim, worked out where it is asked for."""

    def __init__(self, base: PageReading, terms: Terms, values: Considered) -> None:
        """Sort the values by their blocks."""
        self._base, self._terms, self._values = base, terms, values
        self._hearing = Hearing(base, terms)
        self._labelled = Rivals(base, values.rivals)
        beside: dict[int, list[Mention]] = {}
        for mention in values.fits:
            beside.setdefault(mention.block, []).append(mention)
        self._beside = Rivals(base, beside)
        self._named: dict[Mention, float] = {}
        self._order: dict[Mention, int] = {}

    def naming(self, mention: Mention) -> float:
        """How well the place of a value names the claim, on the page where the claim was made."""
        known = self._named.get(mention)
        if known is None:
            fit, note = self._values.fits[mention]
            present = self._hearing.at(mention, self._labelled)
            subject, attribute = named_subject(self._terms, present), named_attribute(self._terms, present)
            share = t.SUBJECT_SHARE
            named = (0.05 + 0.95 * subject) ** share * (0.15 + 0.85 * attribute) ** (1 - share)
            spelled = 1.0 if fit.answer is Answer.VERBATIM else t.RESPELLED
            labelled = t.LABELLED if label_of(note.label, self._values.own) > 0 else 1.0
            known = self._named[mention] = float(named) * fit.kin * spelled * labelled
        return known

    def present(self, mention: Mention) -> list[float]:
        """For each term how present it is at a value, all others of its block being rivals."""
        return self._hearing.at(mention, self._beside)

    def ranked(self, mentions: list[Mention]) -> list[Mention]:
        """Some values, those that name the claim best first; equal ones as candidates are ordered."""
        if len({self.naming(m) for m in mentions}) == len(mentions):
            return sorted(mentions, key=self.naming, reverse=True)
        if not self._order:
            candidates = weighed(self._base, self._terms, self._values, None)
            self._order = {c.mention: place for place, c in enumerate(candidates)}
        return sorted(mentions, key=lambda m: (-self.naming(m), self._order[m]))

    def rivals(self, others: Iterable[Mention], caps: Sequence[Sequence[float]]) -> list[Sequence[float]]:
        """How present the terms are at other values than ours, so far as that tells them from some places.

        `caps` say how present they are at those.
        """
        most = [t.LACKING * max(each) for each in zip(*caps, strict=True)]
        asked = {i for i in self._terms.subject[0] if most[i]}
        out: list[Sequence[float]] = []
        for mention in others:
            if self._values.fits[mention][0].answer.holds:
                continue
            around, own = self._hearing.block(mention.block)
            near = any(i in asked and around[i] < most[i] for i in own)
            out.append(self.present(mention) if near else around)
        return out


_OURS = (Answer.VERBATIM, Answer.SAME)
