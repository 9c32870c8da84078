"""Tables of one page with equal rows and columns: the heading that the claim says tells which it means."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kb.claims.claim import Claim
from kb.judging.candidate import Candidate, best_first
from kb.judging.reading import PageReading
from kb.judging.words import keys

OTHER_SECTION = 6.0  # what it costs a cell to stand under another heading than the one that the claim says
SHORT = 2  # characters of a heading in a script without blanks


def tables_apart(reading: PageReading, claim: Claim, candidates: Sequence[Candidate]) -> list[Candidate]:
    """The candidates, best first; of cells with equal labels those under a heading that the claim says lead.

    Nothing changes where the claim says none of the headings that tell such cells apart.
    """
    said = f"{claim.subject} {claim.attribute} {claim.where or ''} {claim.context or ''}".casefold()
    words = keys(said)
    alike: dict[tuple[str, ...], list[Candidate]] = {}
    for c in candidates:
        block = reading.blocks[c.mention.block]
        if block.table is not None and block.row and block.column and block.headings:
            alike.setdefault((block.row[-1].casefold(), block.column[-1].casefold()), []).append(c)
    behind: set[int] = set()
    for its in alike.values():
        headings = {reading.blocks[c.mention.block].headings for c in its}
        if len(headings) < 2:
            continue
        common = set.intersection(*(set(h) for h in headings))
        named = {h for h in headings if any(_says(said, words, one) for one in h if one not in common)}
        if named and named != headings:
            behind |= {id(c) for c in its if reading.blocks[c.mention.block].headings not in named}
    if not behind:
        return list(candidates)
    out = [replace(c, total=c.total - OTHER_SECTION) if id(c) in behind else c for c in candidates]
    return best_first(out)


def _says(said: str, words: frozenset[str], heading: str) -> bool:
    """Whether a claim says a heading: all its words, or in a script without blanks its characters."""
    heading = heading.casefold().strip(" :：.。")
    if not heading.isascii() and len(heading) >= SHORT and " " not in heading:
        return heading in said
    own = keys(heading)
    return bool(own) and own <= words
