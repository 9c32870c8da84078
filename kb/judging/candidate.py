"""Candidates: mentions that could answer one claim, each with how well it does."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from kb.judging import thresholds as t
from kb.judging.align import Place, likeness, place_of
from kb.judging.fit import Answer, Fit
from kb.judging.mention import Finder, Mention
from kb.judging.reading import PageReading
from kb.judging.score import Term, coverage, identified, likely_mentions, marks_of, naming, presence
from kb.judging.words import keys, speech


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
    against: float = 1.0


@dataclass(frozen=True, slots=True)
class Spot:
    """One place on the earlier page that had our value, and how present each word was there.

    `marks` is how much each word told it from the other values of its kind.
    """

    mention: Mention
    place: Place
    caps: tuple[float, ...]
    named: float
    marks: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Anchor:
    """Where the claim may have stood on the earlier page, the likeliest spot first, and what stood elsewhere."""

    spots: tuple[Spot, ...]
    rivals: tuple[Place, ...] = ()

    @property
    def mention(self) -> Mention:
        """The likeliest mention."""
        return self.spots[0].mention


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
    r"originally|until (?:v(?:ersion)?\.? ?)?\d)\b",
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
    own = frozenset(term.key for term in terms)
    for mention in mentions:
        answer = fit(mention)
        if answer is None or (not answer.answer.holds and keys(mention.text) <= own):
            continue  # of another kind, or a part of the claim's own words: 32 in "EP 32"
        fits[mention] = answer
        if _owned(reading, mention, own) == 1.0:
            rivals.setdefault(mention.block, []).append(mention)
    keep = sharp_words(terms)
    out = []
    for mention, answer in fits.items():
        against = _against(reading, mention, answer, anchor)
        if against == 0:
            continue
        present = presence(reading, mention, terms, rivals.get(mention.block, ()))
        if anchor is None:
            named, placed = naming(terms, present), None
            known = identified(terms, present, None)
        else:
            named, placed, known = _best_spot(anchor, terms, present, place_of(reading, mention, keep))
        against *= _owned(reading, mention, own)
        against *= 1 - t.UNIDENTIFIED * (1 - known)
        out.append(
            Candidate(mention, answer, named, placed, (named + t.NEAR_VALUE * answer.near) * against, against)
        )
    if anchor is not None:
        out = _placed(reading, out, anchor, keep)
    out.sort(key=lambda c: (-c.total, c.mention.block, c.mention.start))
    return out


_LABEL = re.compile(r"([A-Za-z][\w .-]{0,40}?)\s?[=:]\s?[`'\"]?$")


def _owned(reading: PageReading, mention: Mention, own: frozenset[str]) -> float:
    """Less than 1 where a value is said to be something else's: `maxDets=100`."""
    match = _LABEL.search(reading.blocks[mention.block].text[max(0, mention.start - 50) : mention.start])
    if match is None:
        return 1.0
    label = speech(match[1].rpartition(". ")[2])
    return t.OWNED if label and not any(key in own for key in label) else 1.0


def _best_spot(
    anchor: Anchor, terms: Sequence[Term], present: Sequence[float], place: Place
) -> tuple[float, float, float]:
    """How well a candidate is the best of the earlier spots: named, placed, and identified."""
    best = (0.0, 0.0, 0.0)
    for spot in anchor.spots:
        sure = spot.named / anchor.spots[0].named  # a spot that named the claim less counts less
        here = (
            sure * coverage(terms, present, spot.caps),
            sure * likeness(spot.place, place),
            identified(terms, present, spot.marks),
        )
        best = max(best, here)
    return best


def sharp_words(terms: Sequence[Term]) -> frozenset[str]:
    """The claim's identifiers, which no mask may hide."""
    return frozenset(term.key for term in terms if term.sharp)


def _against(reading: PageReading, mention: Mention, fit: Fit, anchor: Anchor | None) -> float:
    """What the part of the page, the kind of value and the words before it leave of a candidate's total."""
    block = reading.blocks[mention.block]
    role = _ROLE.get(block.role, 1.0)
    if anchor is not None and anchor.spots[0].place.role == block.role and role > 0:
        role = 1.0
    return role * fit.kin**t.KIN * set_aside(block.text, mention)


def trust_in_place(candidates: Sequence[Candidate]) -> float:
    """How much the earlier place can be relied on, 0 to 1: little where nothing on the page looks like it."""
    best = max((c.placed or 0.0 for c in candidates), default=0.0)
    return min(1.0, max(0.0, (best - t.PLACE_LOST) / (t.PLACE_SURE - t.PLACE_LOST)))


def _placed(
    reading: PageReading, candidates: list[Candidate], anchor: Anchor, keep: frozenset[str]
) -> list[Candidate]:
    """The candidates with their place weighed in."""
    weight = (1 - t.NAMED) * trust_in_place(candidates)
    out = []
    for c in candidates:
        placed = c.placed or 0.0
        total = ((1 - weight) * c.named + weight * placed + t.NEAR_VALUE * c.fit.near) * c.against
        out.append(replace(c, total=total))
    out.sort(key=lambda c: (-c.total, c.mention.block, c.mention.start))
    for i, c in enumerate(out[: t.CLAIMED_TOP]):
        place = place_of(reading, c.mention, keep)
        other = max((likeness(rival, place) for rival in anchor.rivals), default=0.0)
        lead = other - (c.placed or 0.0)
        if lead > 0:  # that place was another value's before
            taken = min(1.0, lead / t.TAKEN_LEAD) * min(1.0, t.TAKEN_UNNAMED * (1 - c.named))
            out[i] = replace(c, total=c.total * (1 - t.TAKEN * taken))
    return out


def anchor_of(base: PageReading, terms: Sequence[Term], find: Finder, fit: Fitter) -> Anchor | None:
    """The places on the earlier page that state the claim's value and name the claim best; None if none does."""
    everything = gather(base, terms, find, fit, None)
    best = [c for c in everything if c.fit.answer in _OURS and c.named >= t.ANCHOR]
    if not best:
        return None
    keep = sharp_words(terms)
    presences = {c.mention: _presence_of(base, c.mention, terms, everything) for c in everything[: t.RIVALS]}
    chosen = [c for c in best[: t.ANCHORS] if c.total >= t.ANCHOR_NEAR * best[0].total]
    others = [c for c in everything[: t.RIVALS] if all(c.mention != o.mention for o in chosen)]
    spots = []
    for c in chosen:
        caps = presences.get(c.mention) or _presence_of(base, c.mention, terms, everything)
        marks = marks_of(caps, [presences[o.mention] for o in others if not o.fit.answer.holds])
        spots.append(Spot(c.mention, place_of(base, c.mention, keep), caps, c.named, marks))
    return Anchor(tuple(spots), tuple(place_of(base, c.mention, keep) for c in others))


def _presence_of(
    reading: PageReading, mention: Mention, terms: Sequence[Term], among: Sequence[Candidate]
) -> tuple[float, ...]:
    beside = [c.mention for c in among if c.mention.block == mention.block]
    return tuple(presence(reading, mention, terms, beside))


_OURS = (Answer.VERBATIM, Answer.SAME)
