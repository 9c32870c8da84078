"""Successors: what stands where a phrase stood, in the block that its own block has become."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

from kb.judging import thresholds as t
from kb.judging.candidate import Candidate, best_first
from kb.judging.form import form_of, tokens_of
from kb.judging.mention import Mention
from kb.judging.phrase import exact_pattern
from kb.judging.reading import PageReading
from kb.judging.slots import CLAUSE, trimmed
from kb.judging.words import STOP, keys

SUCCESSOR = 4.0
"""Log odds of what took our value's place between the same words, at least. By rule."""
BEHIND = 4.0  # log odds that all else is behind it
LONG = 1500  # characters of a block on each side of the phrase that are compared
NEAR = 2  # words from the phrase within which one is still there
BESIDE = 3  # words that name something, by which one side alone tells the place

_PIECE = re.compile(r"\d+(?:[.,]\d+)+|[^\W_]+(?:['’][^\W_]+)*|[^\w\s]|_")


def successor(base: PageReading, place: Mention, reading: PageReading, index: int) -> Mention | None:
    """What stands in a block where a phrase stood in its earlier edition; None where that is not plain."""
    old, text = base.blocks[place.block].text, reading.blocks[index].text
    if old == text or len(text) > t.SLOT_TEXT:
        return None
    span = _by_form(old, place, text) or _by_words(old, place, text)
    if span is None:
        return None
    start, end = trimmed(text, *span)
    its = text[start:end]
    if start >= end or exact_pattern(place.text).search(its):
        return None
    if any(its.count(a) != its.count(b) for a, b in ("()", "[]", "{}", "<>")):
        return None
    return Mention(index, start, end, its)


def successor_first(candidates: Sequence[Candidate], heir: Mention | None) -> list[Candidate]:
    """The candidates, best first; what took our value's place leads, or the value that it is a part of."""
    if heir is None:
        return list(candidates)
    there = [
        c
        for c in candidates
        if c.mention.block == heir.block
        and not c.fit.answer.holds
        and c.mention.start <= heir.start
        and heir.end <= c.mention.end
        and (c.mention == heir or not form_of(heir.text))
    ]
    if not there:
        return list(candidates)
    lead = max(there, key=lambda c: c.total)
    top = max(lead.total, SUCCESSOR)
    out = [c.with_total(top if c is lead else min(c.total, top - BEHIND)) for c in candidates]
    return best_first(out)


def _by_form(old: str, place: Mention, text: str) -> tuple[int, int] | None:
    """The only new token of the phrase's own form: another address, another name of a module."""
    form = form_of(place.text)
    if not form:
        return None
    before = {old[a:b] for a, b in tokens_of(form, old)}
    new = [(a, b) for a, b in tokens_of(form, text) if text[a:b] not in before]
    return new[0] if len({text[a:b] for a, b in new}) == 1 else None


def _by_words(old: str, place: Mention, text: str) -> tuple[int, int] | None:
    """What stands between the words that stood on both sides of the phrase, or behind those before it."""
    left = _pieces(old[max(0, place.start - LONG) : place.start])
    right = _pieces(old[place.end : place.end + LONG])
    now = [(m.group().casefold(), m.start(), m.end()) for m in _PIECE.finditer(text)]
    words = [*left, "\0", *right]
    at = len(left)
    kept: dict[int, int] = {}
    matcher = SequenceMatcher(None, words, [w for w, _, _ in now], autojunk=False)
    for a, b, size in matcher.get_matching_blocks():
        for k in range(size):
            kept[a + k] = b + k
    before = next((at - d for d in range(1, NEAR + 1) if at - d in kept), None)
    after = next((at + d for d in range(1, NEAR + 1) if at + d in kept), None)
    left_run, right_run = _run(words, kept, at, -1), _run(words, kept, at, 1)
    start = now[kept[before]][2] if before is not None else 0
    if (before is not None or not left) and (after is not None or not right):
        end = now[kept[after]][1] if after is not None else len(text)
        least = 1 if left else 2  # a list may have many lines that end alike
        if left_run + right_run < least and keys(place.text).isdisjoint(keys(text[start:end])):
            return None
    elif before is not None and left_run >= BESIDE:
        stop = CLAUSE.search(text, start + 1)
        end = stop.start() if stop else len(text)
    else:
        return None
    return (start, end) if start < end and _fits(place.text, text[start:end]) else None


def _run(words: Sequence[str], kept: dict[int, int], at: int, step: int) -> int:
    """How many words that name something are still there one by one on one side of the phrase."""
    count = 0
    place = at + step
    while place in kept and 0 <= place < len(words):
        word = words[place]
        count += word[0].isalnum() and word not in STOP
        if place + step in kept and kept[place + step] != kept[place] + step:
            break
        place += step
    return count


def _fits(ours: str, its: str) -> bool:
    """Whether a text is no longer than what may stand for ours."""
    return len(its.split()) <= t.SLOT_WORDS + len(ours.split()) and any(c.isalnum() for c in its)


def _pieces(text: str) -> list[str]:
    return [m.group().casefold() for m in _PIECE.finditer(text)]
