"""Which values of a page are considered for a claim: those of its kind in the blocks that say most of it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from kb.judging import thresholds as t
from kb.judging.aside import ROLE
from kb.judging.fit import Fit
from kb.judging.mention import Finder, Mention
from kb.judging.note import Note
from kb.judging.reading import PageReading
from kb.judging.score import Said, Terms, likely_mentions, said_by_blocks

Fitter = Callable[[Mention], Fit | None]


@dataclass(frozen=True, slots=True)
class Considered:
    """The values in the race, before anything is asked of where they stand.

    Attributes:
        said: how much each block says of the claim's words.
        own: those words.
        fits: how each value answers the claim's, and what can be said of it whatever the claim is.
        rivals: of each block its values but those that other words than the claim's label.
    """

    said: Said
    own: frozenset[str]
    fits: dict[Mention, tuple[Fit, Note]]
    rivals: dict[int, list[Mention]]


def considered(
    reading: PageReading,
    terms: Terms,
    find: Finder,
    fit: Fitter,
    more: Sequence[Mention] = (),
    stood: Collection[Mention] = (),
    only: int | None = None,
) -> Considered:
    """The values that could answer a claim, those in the likeliest blocks first; or those of block `only`.

    Those in `stood`, which stand where ours stood, may be words of the claim.
    """
    if only is None:
        said = said_by_blocks(reading, terms)
        mentions = likely_mentions(reading, said, find, most=t.BLOCKS)
    else:  # no block is asked how far it is behind another
        said, mentions = ({}, 0.0), list(find(only))
    known = set(mentions) if more else set()
    mentions.extend(m for m in more if m not in known)
    own = frozenset([term.key for term in terms])
    fits: dict[Mention, tuple[Fit, Note]] = {}
    rivals: dict[int, list[Mention]] = {}
    blocks = reading.blocks
    for mention in mentions:
        answer = fit(mention)
        if answer is None:
            continue  # of another kind
        note = reading.note(mention)
        if not answer.answer.holds and note.words and note.words <= own and mention not in stood:
            continue  # a part of the claim's own words: 32 in "EP 32"
        if ROLE.get(blocks[mention.block].role, 1.0) == 0:
            continue
        fits[mention] = answer, note
        if not note.label or not note.label.isdisjoint(own):
            rivals.setdefault(mention.block, []).append(mention)
    return Considered(said, own, fits, rivals)
