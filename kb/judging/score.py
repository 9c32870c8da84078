"""How well a place on a page names what a claim speaks of: words counted by how much they tell."""

from __future__ import annotations

import heapq
import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import log
from operator import mul

from kb.claims.claim import Claim
from kb.judging import thresholds as t
from kb.judging.mention import Finder, Mention
from kb.judging.reading import PageReading
from kb.judging.words import Token, is_strict, tokens


@dataclass(frozen=True, slots=True)
class Term:
    """One word of a claim: `weight` is what its presence counts.

    `sharp` words answer only to themselves, and `strict` ones are what the subject is called.
    """

    key: str
    weight: float
    sharp: bool
    subject: bool
    strict: bool = False


_Part = tuple[tuple[int, ...], tuple[float, ...], float]
"""Some of a claim's terms: their numbers, their weights, and the sum of those."""


class Terms(tuple[Term, ...]):
    """The terms of one claim, with what all places on a page ask of them worked out once."""

    subject: _Part
    sharp: _Part
    rest: _Part

    def __init__(self, terms: Iterable[Term]) -> None:
        """Sort the terms given to `tuple` into the subject's, its identifiers, and the rest."""
        self.subject = self._part([i for i, k in enumerate(self) if k.subject])
        self.sharp = self._part([i for i, k in enumerate(self) if k.subject and k.sharp])
        self.rest = self._part([i for i, k in enumerate(self) if not k.subject])

    def _part(self, numbers: list[int]) -> _Part:
        weights = tuple(self[i].weight for i in numbers)
        return tuple(numbers), weights, sum(weights)


def _sorted(terms: Sequence[Term]) -> Terms:
    return terms if isinstance(terms, Terms) else Terms(terms)


def claim_words(claim: Claim, extra: str = "") -> dict[str, tuple[float, bool, bool]]:
    """The claim's words: the weight of the part they stand in, whether sharp, whether of the subject."""
    words: dict[str, tuple[float, bool, bool]] = {}
    brand = _brand(claim.subject)
    parts = (
        (claim.subject, t.SUBJECT, True),
        (claim.attribute, t.ATTRIBUTE, False),
        (extra, t.ATTRIBUTE, False),
        (claim.per or "", t.BASIS, False),
        (claim.where or "", t.WHERE, False),
        (claim.quote or "", t.QUOTE, False),
        (claim.context or "", t.CONTEXT, False),
    )
    for text, weight, subject in parts:
        for token in tokens(text, stems=False):
            if token.key not in words:
                sharp = token.sharp and not (subject and token.key in brand)
                factor = t.SHARP if sharp and subject else 1.0
                if subject:
                    factor *= brand.get(token.key, 1.0)
                words[token.key] = (weight * factor, sharp, subject)
    return words


def _brand(subject: str) -> dict[str, float]:
    """Less weight for the name a subject begins with, which pages seldom repeat beside each value."""
    found = tokens(subject, stems=False)
    out: dict[str, float] = {}
    for token, factor in zip(found[:2], t.LEADING, strict=False):
        if not subject[token.start].isupper() or (token.sharp and not _maker(subject, token, found)):
            break
        out[token.key] = factor
    return out if len(found) > len(out) else {}


_MAKER = re.compile(r"(?:[A-Z]+[a-z]*){2,}")  # PgBouncer, OpenSSL, HikariCP
_OF_MAKERS = re.compile(r"[a-z]+[A-Z]|[_\d]")


def _maker(subject: str, token: Token, found: Sequence[Token]) -> bool:
    """Whether a name in capitals within is whose thing this is: `PgBouncer server_lifetime`.

    Only where an identifier of another form follows, as `KeepAliveTimeout` may be a setting itself.
    """
    if not _MAKER.fullmatch(subject[token.start : token.end]):
        return False
    later = [k for k in found if k.sharp and k.start > token.start]
    return any(
        _OF_MAKERS.search(subject[k.start : k.end]) and is_strict(subject[k.start : k.end]) for k in later
    )


def _tells(reading: PageReading, words: dict[str, tuple[float, bool, bool]]) -> dict[str, float]:
    """How much each word tells on a page: the subject's words which part of it, the others what in that part.

    So `default` tells much where a setting has ten lines and one of them is its default,
    though every setting on the page has one.
    """
    total = len(reading.blocks)
    out: dict[str, float] = {}
    score: dict[int, float] = {}
    get = score.get
    for key, (weight, _, subject) in words.items():
        heard = reading.spoken.get(key)
        if heard is None:
            continue
        out[key] = log(1 + total / (0.5 + len(heard)))
        if subject:
            tells = weight * out[key]
            for block, presence in heard.items():
                score[block] = get(block, 0.0) + tells * presence
    top = max(score.values(), default=0.0)
    part = {block for block, value in score.items() if value >= t.PART * top}
    if part:
        for key, (_, _, subject) in words.items():
            if not subject and key in out:
                heard = reading.spoken[key]
                inside = len(part & heard.keys())
                local = log(1 + len(part) / (0.5 + inside))
                out[key] = (out[key] + t.LOCAL * local) / (1 + t.LOCAL)
    return out


def claim_terms(claim: Claim, reading: PageReading, base: PageReading | None, extra: str = "") -> Terms:
    """The claim's words weighed by what they tell on the page, or on the earlier one if it lost them."""
    words = claim_words(claim, extra)
    now = _tells(reading, words)
    before = _tells(base, words) if base is not None else {}
    most = log(1 + 2 * len(reading.blocks))
    names = frozenset(k.key for k in tokens(claim.subject)[1:] if claim.subject[k.start].isupper())
    strict = frozenset(
        k.key
        for k in tokens(claim.subject, stems=False)
        if k.sharp and words[k.key][1] and is_strict(claim.subject[k.start : k.end])
    )
    out = []
    for key, (weight, sharp, subject) in words.items():
        if key in now and key in before:
            tells = max(now[key], min(before[key], 2 * now[key]))
        elif key in before:
            tells = before[key]
        elif key in now:
            tells = now[key] if base is None else t.NEW_WORD * now[key]
        elif base is not None:
            continue  # our own word for it: neither page has it
        else:
            name = subject and not sharp and key in names
            tells = most * (t.ABSENT_SHARP if sharp else t.ABSENT_NAME if name else t.ABSENT_PLAIN)
        if key in reading.topic:
            tells *= t.ON_TOPIC
        out.append(Term(key, weight * tells, sharp, subject, key in strict))
    return Terms(out)


_STEP = re.compile(
    r"[^\W_]+(?:[._][^\W_]+)*|[,:()/|–—]|;|[.!?](?=\s|$)|\n",
)
_JOIN = frozenset({"and", "or", "while", "but", "whereas", "versus", "vs"})


@lru_cache(maxsize=8192)
def _steps(text: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Positions in a text and how far each is from its start: words count one, joints of a sentence more."""
    places, far, total = [0], [0], 0
    for match in _STEP.finditer(text):
        piece = match.group()
        if piece == "\n":
            total += t.STEP_LINE
        elif piece in ".!?":
            total += t.STEP_SENTENCE
        elif piece == ";":
            total += t.STEP_CLAUSE
        elif piece in ",:()/|–—":
            total += t.STEP_COMMA
        elif piece.lower() in _JOIN:
            total += t.STEP_CLAUSE
        else:
            total += 1
        places.append(match.end())
        far.append(total)
    return tuple(places), tuple(far)


def _far(steps: tuple[tuple[int, ...], tuple[int, ...]], position: int) -> int:
    places, far = steps
    return far[max(0, bisect_right(places, position) - 1)]


@dataclass(frozen=True, slots=True)
class _Heard:
    """What one block says of a claim's words, wherever in it the value stands.

    Attributes:
        around: for each term how present it is without the block's own words.
        own: the terms that the block itself has, by number, each with its tokens and how far
            into the text each token begins and ends.
        steps: see `_steps`.
    """

    around: tuple[float, ...]
    own: tuple[tuple[int, tuple[tuple[Token, int, int], ...]], ...]
    steps: tuple[tuple[int, ...], tuple[int, ...]]


@dataclass(slots=True)
class _Hearing:
    """What the blocks of a page say of one claim's words, found out on demand.

    `often` holds each word and how present it is everywhere.
    """

    terms: Sequence[Term]
    often: tuple[tuple[str, float], ...]
    blocks: dict[int, _Heard] = field(default_factory=dict)


def _heard(reading: PageReading, terms: Sequence[Term], index: int) -> _Heard:
    """What a block says of the terms; kept while the same terms are asked for."""
    hearing = reading.hearing
    if not isinstance(hearing, _Hearing) or hearing.terms is not terms:
        total = len(reading.blocks)
        # What the page speaks of all the time need not be said here.
        often = [
            0.0 if term.sharp else min(t.TOPIC, t.OFTEN * len(reading.spoken.get(term.key, ())) / total)
            for term in terms
        ]
        hearing = reading.hearing = _Hearing(
            terms, tuple((k.key, o) for k, o in zip(terms, often, strict=True))
        )
    known = hearing.blocks.get(index)
    if known is not None:
        return known
    get = reading.outer[index].get
    around = []
    for key, floor in hearing.often:
        here = get(key, 0.0)
        around.append(here if here > floor else floor)
    said = reading.said(index)
    found = [(i, said[term.key]) for i, term in enumerate(terms) if term.key in said]
    if not found:
        made = _Heard(tuple(around), (), ((0,), (0,)))
    else:
        steps = _steps(reading.blocks[index].text)
        own = tuple(
            (i, tuple((k, _far(steps, k.start), _far(steps, k.end)) for k in spots)) for i, spots in found
        )
        made = _Heard(tuple(around), own, steps)
    hearing.blocks[index] = made
    return made


def presence(
    reading: PageReading, mention: Mention, terms: Sequence[Term], rivals: Sequence[Mention]
) -> list[float]:
    """For each term how present it is at the mention, 0 to 1.

    A word in the same block counts by its distance, and less where it stands nearer to a rival value.
    """
    heard = _heard(reading, terms, mention.block)
    out = list(heard.around)
    if not heard.own:
        return out
    slot = mention.quantity is None and mention.date is None
    steps = heard.steps
    first, last = mention.start, mention.end
    ours = first, last, _far(steps, first), _far(steps, last)
    others: list[tuple[int, int, int, int]] | None = None
    for i, spots in heard.own:
        best = out[i]
        for token, begins, ends in spots:
            start, end = token.start, token.end
            if start < last and end > first:
                if token.sharp or (slot and not terms[i].subject):
                    continue  # the 2 of "2 Gbps" names no Falcon-2, nor a text its own attribute
                best = max(best, 1.0)
                continue
            gap = _gap(start, end, begins, ends, ours)
            near = token.says * max(t.FAR, 1.0 - gap / t.REACH)
            if best < near:
                if others is None:
                    others = _rivals_near(steps, mention, rivals)
                for other in others:
                    if _gap(start, end, begins, ends, other) < gap:
                        near *= t.RIVAL
                        break
                best = max(best, near)
        out[i] = best
    return out


def _rivals_near(
    steps: tuple[tuple[int, ...], tuple[int, ...]], mention: Mention, rivals: Sequence[Mention]
) -> list[tuple[int, int, int, int]]:
    """The rival values in the block, in characters and in steps: only a neighbour can be nearer to a word."""
    others = [m for m in rivals if m.start != mention.start and m.block == mention.block]
    if len(others) > t.RIVALS_NEAR:
        others = heapq.nsmallest(t.RIVALS_NEAR, others, key=lambda m: (abs(m.start - mention.start), m.start))
    return [(m.start, m.end, _far(steps, m.start), _far(steps, m.end)) for m in others]


def _gap(start: int, end: int, begins: int, ends: int, value: tuple[int, int, int, int]) -> int:
    """How many steps lie between a word and a value, each in characters and in steps."""
    first, last, far_first, far_last = value
    if end <= first:
        return max(0, far_first - ends)
    if start >= last:
        return max(0, begins - far_last)
    return 0


def coverage(
    terms: Sequence[Term], present: Sequence[float], caps: Sequence[float], *, subject: bool
) -> float:
    """The share of an earlier place's words of the subject (or of the others) that is present, 0 to 1."""
    known = _sorted(terms)
    numbers, weights, _ = known.subject if subject else known.rest
    total = got = 0.0
    for i, weight in zip(numbers, weights, strict=True):
        cap, here = caps[i], present[i]
        total += weight * cap
        got += weight * (cap if cap <= here else here)
    return got / total if total else 0.5


def named_subject(terms: Sequence[Term], present: Sequence[float]) -> float:
    """How well the words around a value name the claim's subject, 0 to 1.

    A subject that has identifiers may be named by them alone: `session.timeout.ms` needs no
    "Kafka consumer setting" beside it.
    """
    known = _sorted(terms)
    subject, sharp = _share(known.subject, present), _share(known.sharp, present)
    if subject is None:
        return 1.0
    if sharp is None:
        return subject
    return max(subject, t.SHARP_ALONE * sharp + (1 - t.SHARP_ALONE) * subject)


def named_attribute(terms: Sequence[Term], present: Sequence[float]) -> float:
    """How well the words around a value name the claim's attribute and basis, 0 to 1."""
    rest = _share(_sorted(terms).rest, present)
    return 0.5 if rest is None else rest


def identified(
    terms: Sequence[Term],
    present: Sequence[float],
    marks: Sequence[float] | None,
    caps: Sequence[float] | None = None,
) -> tuple[float, float, float]:
    """How much of what tells the subject from others is there, and what is not: H100 is not H200.

    `marks` says how much each word told it from others on the earlier page; without one
    the subject's identifiers count. Where nothing tells it apart, all is there. The second
    is the most telling word that is lost, the third the most telling identifier.
    """
    total = got = lost = gone = 0.0
    for i in _sorted(terms).subject[0]:
        term = terms[i]
        mark = float(term.sharp) if marks is None else marks[i]
        here = min(1.0, present[i] / t.ENOUGH)
        if term.strict and (mark > 0 or (caps is not None and caps[i] >= t.OWN_LABEL)):
            gone = max(gone, 1 - here)
        if mark > 0:
            total += term.weight * mark
            got += term.weight * mark * here
            lost = max(lost, mark * (1 - here))
    return (got / total if total else 1.0), lost, gone


def marks_of(caps: Sequence[float], rivals: Sequence[Sequence[float]]) -> tuple[float, ...]:
    """How much each word told one place from the others: it was there, and at few of them."""
    out = []
    for i, cap in enumerate(caps):
        if cap < t.LEAST_CAP or not rivals:
            out.append(0.0)
            continue
        lacking = sum(1 for r in rivals if r[i] < t.LACKING * cap) / len(rivals)
        out.append(cap * max(0.0, (lacking - t.MARK_FROM) / (1 - t.MARK_FROM)))
    return tuple(out)


def _share(part: _Part, present: Sequence[float]) -> float | None:
    numbers, weights, total = part
    return sum(map(mul, weights, [present[i] for i in numbers])) / total if total else None


def likely_blocks(reading: PageReading, terms: Sequence[Term], most: int = t.LOOKED_AT) -> list[int]:
    """The blocks that say most of the claim's words, best first."""
    return [block for block, _ in _best(reading, _scores(reading, terms), most)]


def _scores(reading: PageReading, terms: Sequence[Term]) -> dict[int, float]:
    scores: dict[int, float] = {}
    get = scores.get
    for term in terms:
        tells = term.weight
        for block, weight in reading.spoken.get(term.key, {}).items():
            scores[block] = get(block, 0.0) + tells * weight
    return scores


def _best(reading: PageReading, scores: dict[int, float], most: int) -> list[tuple[int, float]]:
    best = sorted([(-score, block) for block, score in scores.items()])[:most]
    return [(block, -score) for score, block in best if reading.blocks[block].role != "meta"]


def likely_mentions(
    reading: PageReading, terms: Sequence[Term], find: Finder, *, most: int = t.BLOCKS
) -> list[Mention]:
    """The mentions in the blocks that say most of the claim's words."""
    scores = _scores(reading, terms)
    found: list[Mention] = []
    filled, enough = 0, 0.0
    for block, score in _best(reading, scores, t.LOOKED_AT):
        if filled >= t.BLOCKS_LEAST and score < enough:
            break
        mentions = list(find(block))
        if mentions:
            enough = max(enough, t.PRUNE * score)
            found.extend(mentions)
            filled += 1
            if filled >= most:
                break
    return found
