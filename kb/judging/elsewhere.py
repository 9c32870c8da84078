"""Values that belong to a neighbour: another place of the earlier page, column, section, a sibling row."""

from __future__ import annotations

from collections.abc import Sequence

from kb.claims.claim import Claim
from kb.judging import thresholds as t
from kb.judging.candidate import Anchor, Candidate, best_first
from kb.judging.claimed import claimed_words
from kb.judging.reading import PageReading, row_of
from kb.judging.words import keys, tokens, words_of_labels

LABEL = 8  # words of a label in which one word tells it from its siblings
OTHER_ROW = 6.0  # what it costs, in log odds, to stand in a sibling's row
SECTION = 2  # innermost headings that name the section of a value
SENTENCE = 20  # characters of a sentence without labels and headings that one place alone has


def without_neighbours(
    reading: PageReading,
    base: PageReading | None,
    claim: Claim,
    candidates: Sequence[Candidate],
    anchor: Anchor | None,
) -> list[Candidate]:
    """The candidates but those that another place of the earlier page had, and those of another part.

    A sentence or cell that stands as it did, when ours stood elsewhere, says what it said then: it is no
    new value of ours, nor our value in a new place. And where the word that told our column from
    those beside it is not there, another value is another column's; where the name of our section is
    not there, though the page still has that section, any value is another section's.
    """
    if base is None or anchor is None or not candidates:
        return list(candidates)
    least = candidates[0].total - t.NO_RIVAL
    told = _told(base, claim, anchor)
    section = _section(reading, base, claim, anchor)
    return [
        c
        for c in candidates
        if c.total < least
        or not (
            _is_anothers(reading, base, anchor, c)
            or _is_other_row(reading, base, anchor, c)
            or (told and _lacks(reading, c, told))
            or (section and _is_outside(reading, c.mention.block, section))
        )
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
    sentence = reading.sentence(mention)
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


def _is_other_row(reading: PageReading, base: PageReading, anchor: Anchor, candidate: Candidate) -> bool:
    """Whether another value stands in a row that the earlier page had beside ours, which is gone."""
    block = reading.blocks[candidate.mention.block]
    if candidate.fit.answer.holds or not block.row:
        return False
    stood = [base.blocks[s.mention.block] for s in anchor.spots]
    if not all(b.row for b in stood):
        return False
    row, column = words_of_labels(block.row[-1:]), words_of_labels(block.column)
    if not row or any(words_of_labels(b.row[-1:]) == row for b in stood):
        return False
    if (row, column) not in base.rows():
        return False
    names = {name for name, _ in reading.rows()}
    return not any(words_of_labels(b.row[-1:]) in names for b in stood)


def _told(base: PageReading, claim: Claim, anchor: Anchor) -> frozenset[str]:
    """The claim's words that told the column of our value from the others of its table."""
    column, others = base.columns(anchor.mention.block)
    if not column or not others:
        return frozenset()
    return (column - others) & (keys(claim.subject) | keys(claim.attribute))


def _lacks(reading: PageReading, candidate: Candidate, told: frozenset[str]) -> bool:
    """Whether another value than ours has nothing of what told our column."""
    return not candidate.fit.answer.holds and told.isdisjoint(reading.words(candidate.mention.block))


def _section(reading: PageReading, base: PageReading, claim: Claim, anchor: Anchor) -> frozenset[str]:
    """The claim's names that the headings of our value had, of other sections not, and the page still has."""
    own = _names(claim.subject) | _names(claim.where or "")
    for spot in anchor.spots:
        own &= words_of_labels(base.blocks[spot.mention.block].headings[-SECTION:])
    return frozenset(
        w
        for w in own
        if w not in base.topic
        and w not in reading.topic
        and any(w not in words for words in base.sections())
        and any(w in words for words in reading.sections())
    )


def _names(text: str) -> frozenset[str]:
    """The words of a text that are names: with a capital, or identifiers."""
    return frozenset(k.key for k in tokens(text, stems=True) if k.sharp or text[k.start].isupper())


def _is_outside(reading: PageReading, index: int, section: frozenset[str]) -> bool:
    """Whether a block names a section neither in its headings and labels nor in its text."""
    block = reading.blocks[index]
    return section.isdisjoint(reading.said(index)) and section.isdisjoint(
        words_of_labels((*block.headings, *block.row, *block.column, block.caption))
    )


def siblings_apart(reading: PageReading, claim: Claim, candidates: Sequence[Candidate]) -> list[Candidate]:
    """The candidates, best first; of two rows that differ in one place, that with our word there leads.

    `Per-query SELECT timeout` and `Per-query DML timeout`: a claim on SELECT is never on DML.
    """
    own = claimed_words(claim)
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
    out = [c.with_total(c.total - OTHER_ROW) if id(c) in behind else c for c in candidates]
    return best_first(out)


def _fills(label: frozenset[str], other: frozenset[str], own: frozenset[str]) -> bool:
    """Whether a label has our word where the other, alike in most of the rest, has one that is not ours."""
    mine, theirs = label - other, other - label
    alike = len(label & other) >= max(len(mine), len(theirs), 1)
    return alike and bool(theirs) and not mine.isdisjoint(own) and theirs.isdisjoint(own)
