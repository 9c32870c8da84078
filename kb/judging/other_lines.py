"""Values in a line that begins with another name than the claim's: another setting's, another option's."""

from __future__ import annotations

from collections.abc import Sequence

from kb.claims.claim import Claim
from kb.judging.candidate import Candidate, best_first
from kb.judging.entry import names_said
from kb.judging.line_names import names_before
from kb.judging.reading import PageReading
from kb.judging.reference import BARRED, OTHER_ENTRY, REFERENCE, compounds, is_odd


def lines_apart(reading: PageReading, claim: Claim, candidates: Sequence[Candidate]) -> list[Candidate]:
    """The candidates, best first; those in a line that begins with another name than the claim's are behind.

    So far as the claim gives a name, and the page has a line of that name, or the name nowhere at all.
    """
    names = _odd(claim.subject) or _odd(claim.attribute)
    if not names or not candidates:
        return list(candidates)
    called = {id(c): its for c in candidates if (its := _before(reading, c))}
    if not called:
        return list(candidates)
    ours = names & reading.line_names()
    cost = OTHER_ENTRY
    if not ours:
        if not _is_lost(reading, names):
            return list(candidates)
        cost = BARRED
    behind = {id(c) for c in candidates if id(c) in called and called[id(c)].isdisjoint(ours or names)}
    return best_first(c.with_total(c.total - cost) if id(c) in behind else c for c in candidates)


def _odd(text: str) -> frozenset[str]:
    """The names in a text that nothing else is called by: of several pieces, or options of one letter."""
    return frozenset(name for name in names_said(text) if is_odd(name)) - compounds(text)


def _before(reading: PageReading, candidate: Candidate) -> frozenset[str]:
    mention = candidate.mention
    return names_before(reading.blocks[mention.block].text, mention.start)


def _is_lost(reading: PageReading, names: frozenset[str]) -> bool:
    """Whether the page has one of some names nowhere, though it has lines of names like it."""
    letters = {name for name in names if len(name) == 1}
    if letters:
        return sum(len(name) == 1 for name in reading.line_names()) >= REFERENCE
    return all(names.isdisjoint(reading.names(index)) for index in range(len(reading.blocks)))
