"""Cells with equal labels, and equal sentences: the heading that the claim says tells which it means."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from kb.claims.claim import Claim
from kb.judging.candidate import Candidate, best_first
from kb.judging.reading import PageReading
from kb.judging.words import keys

OTHER_SECTION = 6.0  # what it costs a cell to stand under another heading than the one that the claim says
SHORT = 2  # characters of a heading in a script without blanks


def tables_apart(reading: PageReading, claim: Claim, candidates: Sequence[Candidate]) -> list[Candidate]:
    """The candidates, best first; of cells with equal labels those under a heading that the claim says lead.

    So do sentences that are equal but for their numbers. Nothing changes where the claim says none of
    the headings that tell such places apart.
    """
    alike: dict[tuple[str, ...], list[Candidate]] = {}
    for c in candidates:
        if key := reading.alike(c.mention):
            alike.setdefault(key, []).append(c)
    groups = [its for its in alike.values() if len(its) > 1]
    if not groups:
        return list(candidates)
    said = f"{claim.subject} {claim.attribute} {claim.where or ''} {claim.context or ''}".casefold()
    words = keys(said)
    behind: set[int] = set()
    for its in groups:
        headings = {reading.blocks[c.mention.block].headings for c in its}
        if len(headings) < 2:
            continue
        common = set.intersection(*(set(h) for h in headings))
        often = Counter(word for h in headings for word in {w for one in h for w in keys(one)})
        shared = frozenset(word for word, count in often.items() if count > 1)
        named = {
            h for h in headings if any(one not in common and _says(said, words, shared, one) for one in h)
        }
        if named and named != headings:
            behind |= {id(c) for c in its if reading.blocks[c.mention.block].headings not in named}
    if not behind:
        return list(candidates)
    out = [c.with_total(c.total - OTHER_SECTION) if id(c) in behind else c for c in candidates]
    return best_first(out)


def _says(said: str, words: frozenset[str], shared: frozenset[str], heading: str) -> bool:
    """Whether a claim says a heading: all its words but those that several have (`Compute Nodes`).

    In a script without blanks it is its characters.
    """
    heading = heading.casefold().strip(" :：.。")
    if not heading.isascii() and len(heading) >= SHORT and " " not in heading:
        return heading in said
    own = keys(heading)
    return bool(own) and (own <= words or (bool(own - shared) and own - shared <= words))
