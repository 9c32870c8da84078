"""The last of a series: the value that "latest" or "largest" asks for where several are listed alike."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from operator import itemgetter
from typing import Any

from kb.claims.claim import Claim
from kb.judging import thresholds as t
from kb.judging.candidate import Anchor, Candidate, best_first
from kb.judging.ends import HIGH, LOW
from kb.judging.fit import KIN_BARE
from kb.judging.mention import Finder, Mention
from kb.judging.reading import PageReading
from kb.page import Block

NOT_THE_LAST = 6.0  # what it costs, in log odds, to be another of the series than the one asked for
EVEN = 0.05  # of how well it is named, that is no difference
LEAST = 3  # values under one another that are a series; in one text two are

_LATEST = re.compile(r"\b(?:latest|newest|most recent)\b", re.IGNORECASE)
_FIRST = re.compile(r"\b(?:earliest|oldest)\b", re.IGNORECASE)
_LARGEST = re.compile(r"\b(?:largest|highest|longest|greatest|biggest|fastest)\b", re.IGNORECASE)
_SMALLEST = re.compile(r"\b(?:smallest|lowest|shortest|slowest)\b", re.IGNORECASE)
_PRESENT = re.compile(r"\b(?:current(?:ly)?|next|last|first|cheapest)\b", re.IGNORECASE)
_JOINED = re.compile(r"(?:\s\([^()\n]{0,40}\))?(?:,\s(?:and\s|or\s)?|\s(?:and|or|/)\s)(?:[^\W\d_]+\s)?")
_VERSION = re.compile(r"v?(\d+(?:\.\d+)+)", re.IGNORECASE)
_LISTED = ("heading", "item", "term", "paragraph")
_LEAD = 2  # characters before the value that a block begins with

_Key = tuple[str, Any]


def last_of_series(
    reading: PageReading,
    base: PageReading | None,
    claim: Claim,
    candidates: list[Candidate],
    anchor: Anchor | None,
    find: Finder | None,
) -> list[Candidate]:
    """The candidates, best first: of several listed, the latest or largest where a claim asks for it.

    Of releases under one another, of the values of one column, or of dates that one sentence enumerates; all
    must be named as well, as rows of their own are of other things. Not where our value was not the one
    asked for in the series it stood in before.

    Args:
        reading: the page.
        base: the earlier page, `anchor` where the claim stood on it, and `find` its values.
        claim: what is asked for.
        candidates: the candidates, best first.
        anchor: see base.
        find: see base.
    """
    end, of_thing = _asked(claim), ""
    if not end and base is not None:  # of the largest thing it may be any property
        end = of_thing = _end(claim.subject)
    if not end or not candidates:
        return candidates
    top = candidates[0]
    key = _key(top.mention)
    if key is None or top.fit.kin < KIN_BARE:
        return candidates
    known = {c.mention: c for c in candidates if c.fit.kin >= KIN_BARE}
    listed = [known[m] for m in _series(reading, top.mention, known)]
    its = [c for c in listed if of_thing or _as_named(c, top)]
    last = _extreme([c.mention for c in its], end)
    if last is None or _key(last) == key:
        return candidates
    if base is not None and anchor is not None and find is not None:
        before = _series(base, anchor.mention, _values(base, anchor.mention, find))
        was = _extreme(before, end)
        if (was is None and of_thing) or (was is not None and _key(was) != _key(anchor.mention)):
            return candidates
    elif of_thing:
        return candidates
    others = {id(c) for c in its if _key(c.mention) != _key(last)}
    return best_first(
        c.with_total(c.total - NOT_THE_LAST)
        if id(c) in others
        else c.with_total(max(c.total, top.total))
        if c.mention == last
        else c
        for c in candidates
    )


def is_of_series(claim: Claim) -> bool:
    """Whether a claim is on the last of several: its place alone says nothing, as others may follow."""
    words = f"{claim.subject} {claim.attribute}"
    return any(end.search(words) for end in (_LATEST, _FIRST, _LARGEST, _SMALLEST, _PRESENT))


def _asked(claim: Claim) -> str:
    """Which end of a series a claim asks for; "" for none."""
    words = claim.attribute
    first, last = (_FIRST, _LATEST) if claim.kind == "date" else (_SMALLEST, _LARGEST)
    if claim.kind == "text" and _LATEST.search(words):
        return HIGH
    return _end(words, first, last)


def _end(words: str, first: re.Pattern[str] = _SMALLEST, last: re.Pattern[str] = _LARGEST) -> str:
    low, high = first.search(words), last.search(words)
    return "" if bool(low) == bool(high) else LOW if low else HIGH


def _key(mention: Mention) -> _Key | None:
    """What a value is ordered by, among those of one kind: a number of one unit, a date, a version."""
    if mention.date is not None:
        value = mention.date.value
        return (f"date {len(value)}", value) if value[0].isdigit() and not mention.date.readings else None
    if (q := mention.quantity) is not None:
        return None if q.high is not None or q.readings else (q.unit, q.value)
    version = _VERSION.fullmatch(mention.text.strip())
    return ("version", tuple(map(int, version[1].split(".")))) if version else None


def _extreme(mentions: Sequence[Mention], end: str) -> Mention | None:
    keyed = [(key, m) for m in mentions if (key := _key(m)) is not None]
    if len({key[0] for key, _ in keyed}) != 1:
        return None
    pick = min if end == LOW else max
    return pick(keyed, key=itemgetter(0))[1]


def _as_named(c: Candidate, top: Candidate) -> bool:
    """Whether subject and attribute are named as well at a value as at the best."""
    return all(c.signs[i] >= top.signs[i] - EVEN for i in (t.SUBJECT_SIGN, t.ATTRIBUTE_SIGN))


def _values(reading: PageReading, mention: Mention, find: Finder) -> list[Mention]:
    block = reading.blocks[mention.block]
    return [
        m for i, b in enumerate(reading.blocks) if i == mention.block or _alike(b, block) for m in find(i)
    ]


def _series(reading: PageReading, mention: Mention, values: Iterable[Mention]) -> list[Mention]:
    """The values that one is listed with, itself among them; empty where it is in no series."""
    key = _key(mention)
    if key is None:
        return []
    block = reading.blocks[mention.block]
    same = [m for m in values if (other := _key(m)) is not None and other[0] == key[0]]
    here = sorted((m for m in same if m.block == mention.block), key=lambda m: m.start)
    if len(here) > 1:
        return _enumerated(block.text, here, mention)
    if mention.start > _LEAD:
        return []
    its = [m for m in same if m.start <= _LEAD and _alike(reading.blocks[m.block], block)]
    return its if len(its) >= LEAST else []


def _enumerated(text: str, here: Sequence[Mention], mention: Mention) -> list[Mention]:
    """The values of one text that are joined to one by commas and `and`."""
    run: list[Mention] = []
    for m in here:
        if run and not _JOINED.fullmatch(text, run[-1].end, m.start):
            if mention in run:
                break
            run = []
        run.append(m)
    return run if mention in run and len(run) > 1 else []


def _alike(block: Block, other: Block) -> bool:
    """Whether two blocks are cells of one column, or stand alike under one heading."""
    if block.table is not None or other.table is not None:
        return (block.table, block.column_index, block.header, block.column) == (
            other.table,
            other.column_index,
            other.header,
            other.column,
        )
    return block.kind in _LISTED and (block.kind, block.level, block.headings) == (
        other.kind,
        other.level,
        other.headings,
    )
