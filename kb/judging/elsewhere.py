"""Values that belong to a neighbour: another place of the earlier page, another column, a sibling row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kb.claims.claim import Claim
from kb.judging import thresholds as t
from kb.judging.candidate import Anchor, Candidate, best_first
from kb.judging.evidence import sentence_around
from kb.judging.reading import PageReading, row_of
from kb.judging.words import keys, words_of_labels

LABEL = 8  # words of a label in which one word tells it from its siblings
OTHER_ROW = 6.0  # what it costs, in log odds, to stand in a sibling's row
SENTENCE = 20  # characters of a sentence without labels and headings that one place alone has


def without_neighbours(
    reading: PageReading,
    base: PageReading | None,
    claim: Claim,
    candidates: Sequence[Candidate],
    anchor: Anchor | None,
) -> list[Candidate]:
    """The candidates but those that another place of the earlier page had, and those of another column.

    A sentence or cell that stands as it did, when ours stood elsewhere, says what it said then: it is no
    new value of ours, nor our value in a new place. And where the word that told our column from
    those beside it is not there, another value is another column's.
    """
    if base is None or anchor is None or not candidates:
        return list(candidates)
    least = candidates[0].total - t.NO_RIVAL
    told = _told(base, claim, anchor)
    return [
        c
        for c in candidates
        if c.total < least
        or not (_is_anothers(reading, base, anchor, c) or (told and _lacks(reading, c, told)))
    ]


def _is_anothers(reading: PageReading, base: PageReading, anchor: Anchor, candidate: Candidate) -> bool:
    """Whether the place of a candidate stood on the earlier page, and was not ours."""
    mention = candidate.mention
    block = reading.blocks[mention.block]
    places = base.labelled(block)
    if not places:
        return False
    cell = bool(block.row and block.column)
    if cell and len(places) == 1:
        return not any(spot.mention.block == places[0] for spot in anchor.spots)
    first, last = sentence_around(block.text, mention.start, mention.end)
    sentence = block.text[first:last]
    if not (block.row or block.column or block.headings) and len(sentence) < SENTENCE:
        return False
    found = False
    for index in places:
        at = base.blocks[index].text.find(sentence)
        if at < 0:
            continue
        end = at + len(sentence)
        if any(s.mention.block == index and at <= s.mention.start < end for s in anchor.spots):
            return False
        found = True
    return found


def _told(base: PageReading, claim: Claim, anchor: Anchor) -> frozenset[str]:
    """The claim's words that told the column of our value from the others of its table."""
    column, others = base.columns(anchor.mention.block)
    if not column or not others:
        return frozenset()
    return (column - others) & (keys(claim.subject) | keys(claim.attribute))


def _lacks(reading: PageReading, candidate: Candidate, told: frozenset[str]) -> bool:
    """Whether another value than ours has nothing of what told our column."""
    return not candidate.fit.answer.holds and told.isdisjoint(reading.words(candidate.mention.block))


def siblings_apart(reading: PageReading, claim: Claim, candidates: Sequence[Candidate]) -> list[Candidate]:
    """The candidates, best first; of two rows that differ in one place, that with our word there leads.

    `Per-query SELECT timeout` and `Per-query DML timeout`: a claim on SELECT is never on DML.
    """
    own = keys(f"{claim.subject} {claim.attribute} {claim.where or ''} {claim.value}")
    rows: dict[tuple[object, ...], list[tuple[frozenset[str], Candidate]]] = {}
    least = candidates[0].total - t.NO_RIVAL if candidates else 0.0
    for c in candidates:
        block = reading.blocks[c.mention.block]
        if block.row and c.total >= least:
            words = frozenset(w for w in words_of_labels(row_of(block)) if "_" not in w and "-" not in w)
            if len(words) <= LABEL:
                rows.setdefault((block.table, block.column, block.headings), []).append((words, c))
    behind = {
        id(c)
        for its in rows.values()
        if len(its) > 1
        for words, c in its
        if any(_fills(other, words, own) for other, _ in its)
    }
    if not behind:
        return list(candidates)
    out = [replace(c, total=c.total - OTHER_ROW) if id(c) in behind else c for c in candidates]
    return best_first(out)


def _fills(label: frozenset[str], other: frozenset[str], own: frozenset[str]) -> bool:
    """Whether a label has our word where the other, alike in most of the rest, has one that is not ours."""
    mine, theirs = label - other, other - label
    alike = len(label & other) >= max(len(mine), len(theirs), 1)
    return alike and bool(theirs) and not mine.isdisjoint(own) and theirs.isdisjoint(own)
