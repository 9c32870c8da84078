"""Cells of one row: another value than ours under a column that says less of the claim is no answer."""

from __future__ import annotations

from collections.abc import Sequence

from kb.claims.claim import Claim
from kb.judging import thresholds as t
from kb.judging.candidate import Candidate, best_first
from kb.judging.claimed import claimed_words
from kb.judging.reading import PageReading
from kb.judging.words import words_of_labels

OTHER_COLUMN = 12.0  # what it costs, in log odds, that another column of the row says more of the claim


def columns_apart(reading: PageReading, claim: Claim, candidates: Sequence[Candidate]) -> list[Candidate]:
    """The candidates, best first; another value falls behind in whose row a column says more of the claim.

    It says what theirs says, and a word more: that cell is ours, though it may state no number at all
    (`Depends on revision`).
    """
    if not candidates:
        return []
    own = claimed_words(claim)
    least = candidates[0].total - t.NO_RIVAL
    behind = {
        id(c)
        for c in candidates
        if c.total >= least and not c.fit.answer.holds and _is_outdone(reading, c.mention.block, own)
    }
    if not behind:
        return list(candidates)
    return best_first(c.with_total(c.total - OTHER_COLUMN) if id(c) in behind else c for c in candidates)


def _is_outdone(reading: PageReading, index: int, own: frozenset[str]) -> bool:
    block = reading.blocks[index]
    if block.table is None or not block.column:
        return False
    own = own - words_of_labels((*block.row, *block.headings))
    said = own & words_of_labels(block.column)
    return bool(said) and any(
        said < own & words_of_labels(other.column)
        for other in reading.beside(index)
        if not other.header and other.text.strip()
    )
