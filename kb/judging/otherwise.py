"""What a page says of a claimed text's subject and attribute in one sentence, where it has no slot for it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from kb.judging import thresholds as t
from kb.judging.denial import denied
from kb.judging.evidence import evidence_at
from kb.judging.mention import Finder, Mention
from kb.judging.nearness import Hearing, Rivals
from kb.judging.reading import PageReading
from kb.judging.score import Terms, likely_blocks, named_attribute, named_subject
from kb.judging.slots import trimmed
from kb.judging.verdict import Verdict
from kb.judging.words import keys
from kb.reasons import Outcome, Reason

# Of 35 labelled texts without an earlier page that no slot answers, 12 are gone; of none of those a sentence
# says so much. Of the 6 of which one does, that has a value of the kind, 4 have their new value in it.
BOTH = 1.45  # how well a sentence names subject and attribute together
EACH = 0.5  # and how well either
BLOCKS = 20  # likely blocks whose sentences are looked at
SCORE = 0.6
_SENTENCE = re.compile(r"[^.!?\n]+(?:[.!?](?!\s)[^.!?\n]*)*")
_MARKED = re.compile(r"(?<![\w-])[\w-]*[A-Z0-9_][\w-]*")
"""A word that is a name: with a capital, a digit or a low line."""
_OPENS = re.compile(r"(?:[^:]{1,60}:\s)?\W*\w")
"""What a sentence begins with in capitals, whatever it is: a lead, and its first letter."""
_PROSE = ("paragraph", "item", "definition", "caption")


def said_otherwise(
    claimed: str, reading: PageReading, terms: Terms, verdict: Verdict, find: Finder | None
) -> Verdict:
    """A loss, or the change that a sentence shows which says nearly all of the claim but its value.

    `find` finds values of our kind, one of which it must have then; without it, a name where ours is one.
    """
    if denied(claimed):
        return verdict  # which is looked for by itself
    found = _sentence(reading, terms, likely_blocks(reading, terms)[:BLOCKS])
    if found is not None and find is not None:
        inside = [m for m in find(found.block) if found.start <= m.start and m.end <= found.end]
        found = inside[0] if len({m.text for m in inside}) == 1 else None
    elif found is not None and _MARKED.match(claimed):
        own = {term.key for term in terms}
        opens = _OPENS.match(found.text)
        names = (m.group() for m in _MARKED.finditer(found.text, opens.end() if opens else 0))
        found = found if any(not keys(name) <= own for name in names) else None
    if found is None:
        return verdict
    return replace(
        verdict,
        outcome=Outcome.DRIFTED,
        reason=Reason.DIFFERS,
        found=found.text,
        detail=f"{claimed} claimed, and the page says: {found.text}",
        score=SCORE,
        evidence=evidence_at(reading, found.block, found.start, found.end),
    )


def _sentence(reading: PageReading, terms: Terms, blocks: Sequence[int]) -> Mention | None:
    """The sentence in some blocks that says most of the claim, if it says enough."""
    hearing, rivals = Hearing(reading, terms), Rivals(reading, {})
    best, most = None, BOTH
    for index in blocks:
        block = reading.blocks[index]
        if block.header or block.kind not in _PROSE or block.role != "content":
            continue
        for match in _SENTENCE.finditer(block.text[: t.SLOT_TEXT]):
            start, end = trimmed(block.text, *match.span())
            here = Mention(index, start, end, block.text[start:end])
            own = keys(here.text)
            present = [
                1.0 if term.key in own else there
                for term, there in zip(terms, hearing.at(here, rivals), strict=True)
            ]
            subject, attribute = named_subject(terms, present), named_attribute(terms, present)
            if min(subject, attribute) >= EACH and subject + attribute > most:
                best, most = here, subject + attribute
    return best
