"""Where a claim stood on an earlier page: the places that have its value and name it best."""

from __future__ import annotations

from dataclasses import replace

from kb.judging import thresholds as t
from kb.judging.align import place_of
from kb.judging.candidate import Anchor, Candidate, Fitter, Spot, gather, sharp_words, unnamed
from kb.judging.counterpart import counterpart, row_lost
from kb.judging.fit import Answer
from kb.judging.mention import Finder, Mention
from kb.judging.nearness import presence, spans
from kb.judging.numbered import is_anothers
from kb.judging.reading import PageReading
from kb.judging.score import Terms, known_words, marks_of, telling


def followed(anchor: Anchor, base: PageReading, reading: PageReading, terms: Terms) -> Anchor:
    """The anchor, with what became of its block on the page."""
    block, mention = anchor.mention.block, anchor.mention
    return replace(
        anchor,
        counterpart=counterpart(base, block, reading),
        row_lost=row_lost(base, block, reading),
        renumbered=is_anothers(base.blocks[block], mention, terms.numbered),
    )


def anchor_of(base: PageReading, terms: Terms, find: Finder, fit: Fitter) -> Anchor | None:
    """The places on the earlier page that state the claim's value and name the claim best, if any does."""
    everything = [(_naming(c), c) for c in gather(base, terms, find, fit, None)]
    everything.sort(key=lambda pair: -pair[0])
    best = [(n, c) for n, c in everything if c.fit.answer in _OURS]
    near = t.ANCHOR_NEAR * best[0][0] if best else 0.0
    if any(c.fit.answer is Answer.VERBATIM and n >= near for n, c in best):
        best = [(n, c) for n, c in best if c.fit.answer is Answer.VERBATIM]  # as the claim took it over
    if not best or best[0][0] < t.ANCHOR:
        return None
    keep = sharp_words(terms)
    beside: dict[int, list[Mention]] = {}
    for _, c in everything:
        beside.setdefault(c.mention.block, []).append(c.mention)
    stand = {block: spans(base, block, its) for block, its in beside.items()}

    def present(c: Candidate) -> list[float]:
        return presence(base, c.mention, terms, stand[c.mention.block])

    near = t.ANCHOR_NEAR * best[0][0]
    chosen = [(n, c) for n, c in best[: t.ANCHORS] if n >= near]
    stood = {c.mention for _, c in chosen}
    others = [c for _, c in everything[: t.RIVALS] if c.mention not in stood]
    rivals = [present(o) for o in others if not o.fit.answer.holds]
    spots = []
    for named, c in chosen:
        caps = present(c)
        spots.append(
            Spot(
                c.mention,
                place_of(base, c.mention, keep),
                named,
                known_words(terms, caps, subject=True),
                known_words(terms, caps, subject=False),
                telling(terms, marks_of(caps, rivals), caps),
            )
        )
    own = frozenset(term.key for term in terms)
    places = tuple(place_of(base, c.mention, keep) for c in others)
    return Anchor(tuple(spots), places, unnamed(base.blocks[spots[0].mention.block], own))


def _naming(c: Candidate) -> float:
    """How well the place of a value names the claim, on the page where the claim was made."""
    attribute = c.signs[t.ATTRIBUTE_SIGN]
    named = (0.05 + 0.95 * c.named) ** t.SUBJECT_SHARE * (0.15 + 0.85 * attribute) ** (1 - t.SUBJECT_SHARE)
    spelled = 1.0 if c.fit.answer is Answer.VERBATIM else t.RESPELLED
    labelled = t.LABELLED if c.signs[t.LABEL_SIGN] else 1.0
    return float(named) * c.fit.kin * spelled * labelled


_OURS = (Answer.VERBATIM, Answer.SAME)
