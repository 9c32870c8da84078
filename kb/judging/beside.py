"""What stands beside our value, or in its label, and shows that it is stated of something else."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from kb.claims.claim import Claim
from kb.judging import thresholds as t
from kb.judging.candidate import Anchor, Candidate, best_first
from kb.judging.claimed import claimed_words
from kb.judging.fit import KIN_SAME, Answer
from kb.judging.reading import PageReading
from kb.judging.words import keys, words_of_labels
from kb.quantity import Quantity, same_basis
from kb.quantity.basis import noun_of, same_noun

BRACKETED = 6.0  # what it costs, in log odds, to stand in a bracket behind another value in a cell
EXCEPTED = 6.0  # what it costs, in log odds, to stand in a row that the claim excepts

_EXCEPT = re.compile(
    r"\b(?:outside|other than|except(?:ing)?(?: for)?|excluding|besides|apart from|aside from)\s"
    r"(?P<what>[^,;()]+)",
    re.IGNORECASE,
)
_REST = re.compile(
    r"\b(?:others?|rest|outside|except|excluding|not|non|remaining|everyone else)\b", re.IGNORECASE
)


def beside(
    reading: PageReading, claim: Claim, candidates: Sequence[Candidate], anchor: Anchor | None
) -> list[Candidate]:
    """The candidates, best first; those behind whose own text says that they are of something else.

    Our value in a bracket behind another (`2 (1 running)`), or of another noun beside what counts the very
    one that we ask for (`2 sockets, each with 1 CPU`); and any value in a row that the claim excepts.
    Our number of another thing than the earlier page counted is another value.
    """
    if not candidates:
        return []
    least = candidates[0].total - t.NO_RIVAL
    excepted = _excepted(claim)
    own = claimed_words(claim)
    there: dict[int, list[Candidate]] = {}
    for c in candidates:
        if c.total >= least:
            there.setdefault(c.mention.block, []).append(c)
    out = []
    for c in candidates:
        if c.total >= least and (c.fit.answer.holds or excepted):
            its = there[c.mention.block]
            if c.fit.answer.holds and (
                _of_another(reading, claim, c, anchor) or _without_basis(reading, claim, c, anchor)
            ):
                c = replace(c, fit=replace(c.fit, answer=Answer.OTHER))
            if c.fit.answer.holds and len(its) > 1:
                if _in_bracket(reading, c, its, own):
                    c = c.with_total(c.total - BRACKETED)
                elif _counts_another(c, its):
                    c = c.with_total(c.total - t.UNLABELLED)
            if excepted and _is_excepted(reading, c, excepted):
                c = c.with_total(c.total - EXCEPTED)
        out.append(c)
    changed = any(new is not old for new, old in zip(out, candidates, strict=True))
    return best_first(out) if changed else out


def _in_bracket(reading: PageReading, c: Candidate, its: Sequence[Candidate], own: frozenset[str]) -> bool:
    """Whether a value stands in a cell in a bracket, which none of our words opens, behind another value."""
    block = reading.blocks[c.mention.block]
    if not (block.row or block.column):
        return False
    text, start, end = block.text, c.mention.start, c.mention.end
    first, last = text.rfind("(", 0, start), text.find(")", end)
    if first < 0 or last < 0 or ")" in text[first:start]:
        return False
    said = keys(f"{text[first:start]} {text[start:last]}") - keys(c.mention.text)
    if said & own:
        return False
    return any(
        not o.fit.answer.holds and o.mention.end <= first and "(" not in text[o.mention.end : first]
        for o in its
    )


def _counts_another(c: Candidate, its: Sequence[Candidate]) -> bool:
    """Whether our value counts another noun than the claim's, which another value beside it counts."""
    q = c.mention.quantity
    if q is None or c.fit.kin >= KIN_SAME or not q.unit.startswith("count:"):
        return False
    return any(
        not o.fit.answer.holds
        and (o.mention.end <= c.mention.start or c.mention.end <= o.mention.start)  # no range of ours
        and o.fit.kin >= KIN_SAME
        and o.mention.quantity is not None
        and o.mention.quantity.unit.startswith("count:")
        for o in its
    )


def _of_another(reading: PageReading, claim: Claim, c: Candidate, anchor: Anchor | None) -> bool:
    """Whether a figure counts another thing than the claim does in so many words, as the earlier page did.

    Without an earlier page only short names are sure to be two things: OCPU, vCPU.
    """
    q, ours = c.mention.quantity, claim.quantity
    if q is None or ours is None or not (q.unit.startswith("count:") and ours.unit.startswith("count:")):
        return False
    mine, its = noun_of(ours.unit), noun_of(q.unit)
    if mine.partition("-")[1:] == its.partition("-")[1:]:  # vCPU-hours, OCPU-hours
        mine, its = mine.partition("-")[0], its.partition("-")[0]
    value = claim.value if isinstance(claim.value, str) else ""
    said = keys(mine.replace("-", " "))
    if same_noun(mine, its) is not False or not said <= keys(value):
        return False
    block = reading.blocks[c.mention.block]
    if not said.isdisjoint(words_of_labels((*block.row[-1:], *block.column, block.text))):
        return False
    if anchor is None:
        return _is_short(mine) and _is_short(its) and mine.casefold() not in its.casefold()
    return any(_same_thing(s.mention.quantity, mine) for s in anchor.spots)


def _same_thing(q: Quantity | None, noun: str) -> bool:
    return q is not None and noun_of(q.unit).partition("-")[0].casefold() == noun.casefold()


def _is_short(noun: str) -> bool:
    return sum(c.isupper() for c in noun) > 1


def _without_basis(reading: PageReading, claim: Claim, c: Candidate, anchor: Anchor | None) -> bool:
    """Whether a rate no longer says what it is for, as it did: 20 USD / user / month, 20 USD / month."""
    q = c.mention.quantity
    if anchor is None or not claim.per or q is None or q.per or "/" not in q.unit:
        return False
    before = [s.mention.quantity for s in anchor.spots]
    stated = any(b is not None and b.unit == q.unit and same_basis(claim.per, b.per) for b in before)
    return stated and keys(claim.per).isdisjoint(reading.words(c.mention.block))


def _excepted(claim: Claim) -> frozenset[str]:
    """The words of what a claim excepts: `roles outside engineering`, `plans besides the trial`."""
    out: set[str] = set()
    for text in (claim.subject, claim.attribute):
        for match in _EXCEPT.finditer(text):
            out |= keys(match["what"]) - keys(text[: match.start()])
    return frozenset(out)


def _is_excepted(reading: PageReading, c: Candidate, words: frozenset[str]) -> bool:
    """Whether a label of a candidate is what the claim excepts, and not the rest without it."""
    block = reading.blocks[c.mention.block]
    for label in (block.row, block.column, block.headings[-1:]):
        if label and not _REST.search(" ".join(label)):
            said = words_of_labels(label)
            if all(any(word.startswith(w[: max(t.WORD_BEGINS, len(w) - 2)]) for word in said) for w in words):
                return True
    return False
