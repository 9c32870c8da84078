"""Candidates: mentions that could answer one claim, each with how well it does."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from kb.judging import thresholds as t
from kb.judging.align import Place, likeness, place_of
from kb.judging.fit import Answer, Fit
from kb.judging.mention import Finder, Mention
from kb.judging.reading import PageReading
from kb.judging.score import Term, coverage, likely_mentions, presence


@dataclass(frozen=True, slots=True)
class Candidate:
    """One mention in the race.

    Attributes:
        fit: how its value answers the claim's.
        named: how well the words around it name the claim, 0 to 1.
        placed: how much it stands where the claim stood, 0 to 1; None without an earlier place.
        total: the two together, with what speaks against it.
    """

    mention: Mention
    fit: Fit
    named: float
    placed: float | None
    total: float


@dataclass(frozen=True, slots=True)
class Anchor:
    """Where the claim stood on the earlier page: the place, and how present each word was there."""

    mention: Mention
    place: Place
    caps: tuple[float, ...]
    named: float


Fitter = Callable[[Mention], Fit | None]

_ROLE = {
    "content": 1.0,
    "hidden": 0.93,
    "alt": 0.85,
    "noscript": 0.85,
    "data": 0.85,
    "navigation": 0.8,
    "footer": 0.8,
    "cookie": 0.7,
    "related": 0.75,
    "changelog": 0.7,
    "comment": 0.6,
    "struck": 0.0,
    "meta": 0.0,
}

_PAST = re.compile(
    r"\b(?:previously|formerly|prior to|before (?:v(?:ersion)?\.? ?)?\d|used to be|no longer|earlier versions?|"
    r"older versions?|old(?:er)? (?:value|default|limit)|instead of|up from|down from|changed from|rather than|"
    r"originally|replac(?:es|ed|ing)|until (?:v(?:ersion)?\.? ?)?\d)\b",
    re.IGNORECASE,
)
_PLANNED = re.compile(
    r"\b(?:will be|planned|plans? to|upcoming|in (?:a )?future|starting (?:in|from)|from next|to be (?:raised|lowered))\b",
    re.IGNORECASE,
)


def set_aside(text: str, mention: Mention) -> float:
    """Less than 1 where the words just before a value say that it is past or only planned."""
    start = max(0, mention.start - t.ASIDE)
    before = text[start : mention.start]
    cut = max(before.rfind(". "), before.rfind("; "), before.rfind("\n"))
    before = before[cut + 1 :]
    if _PAST.search(before):
        return t.PAST
    if _PLANNED.search(before):
        return t.PLANNED
    return 1.0


def gather(
    reading: PageReading,
    terms: Sequence[Term],
    find: Finder,
    fit: Fitter,
    anchor: Anchor | None,
    *,
    most: int = t.BLOCKS,
    more: Sequence[Mention] = (),
) -> list[Candidate]:
    """The candidates of a page, best first; equal ones in reading order."""
    mentions = likely_mentions(reading, terms, find, most=most)
    mentions.extend(m for m in more if m not in mentions)
    fits: dict[Mention, Fit] = {}
    rivals: dict[int, list[Mention]] = {}
    for mention in mentions:
        answer = fit(mention)
        if answer is not None:
            fits[mention] = answer
            rivals.setdefault(mention.block, []).append(mention)
    out = []
    for mention, answer in fits.items():
        block = reading.blocks[mention.block]
        present = presence(reading, mention, terms, rivals[mention.block])
        named = coverage(terms, present, anchor.caps if anchor else None)
        placed = None
        total = named
        if anchor is not None:
            placed = likeness(anchor.place, place_of(reading, mention))
            total = t.NAMED * named + (1 - t.NAMED) * placed
        role = _ROLE.get(block.role, 1.0)
        if anchor is not None and anchor.place.role == block.role and role > 0:
            role = 1.0
        total *= role * answer.kin**t.KIN * set_aside(block.text, mention)
        if total > 0:
            out.append(Candidate(mention, answer, named, placed, total))
    out.sort(key=lambda c: (-c.total, c.mention.block, c.mention.start))
    return out


def anchor_of(base: PageReading, terms: Sequence[Term], find: Finder, fit: Fitter) -> Anchor | None:
    """The place on the earlier page that states the claim's value and names the claim best; None if none does."""
    best = [c for c in gather(base, terms, find, fit, None) if c.fit.answer in _OURS]
    if not best or best[0].named < t.ANCHOR:
        return None
    mention = best[0].mention
    present = presence(base, mention, terms, [c.mention for c in best])
    return Anchor(mention, place_of(base, mention), tuple(present), best[0].named)


_OURS = (Answer.VERBATIM, Answer.SAME)
