"""How well a place on a page names what a claim speaks of: words counted by how much they tell."""

from __future__ import annotations

import heapq
import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import log

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
                factor = t.SHARP if token.sharp and subject else 1.0
                if subject:
                    factor *= brand.get(token.key, 1.0)
                words[token.key] = (weight * factor, token.sharp, subject)
    return words


def _brand(subject: str) -> dict[str, float]:
    """Less weight for the name a subject begins with, which pages seldom repeat beside each value."""
    found = tokens(subject, stems=False)
    out: dict[str, float] = {}
    for token, factor in zip(found[:2], t.LEADING, strict=False):
        if token.sharp or not subject[token.start].isupper():
            break
        out[token.key] = factor
    return out if len(found) > len(out) else {}


def _tells(reading: PageReading, words: dict[str, tuple[float, bool, bool]]) -> dict[str, float]:
    """How much each word tells on a page: the subject's words which part of it, the others what in that part.

    So `default` tells much where a setting has ten lines and one of them is its default,
    though every setting on the page has one.
    """
    total = len(reading.blocks)
    out: dict[str, float] = {}
    score: dict[int, float] = {}
    for key, (weight, _, subject) in words.items():
        heard = reading.spoken.get(key)
        if heard is None:
            continue
        out[key] = log(1 + total / (0.5 + len(heard)))
        if subject:
            for block, presence in heard.items():
                score[block] = score.get(block, 0.0) + weight * out[key] * presence
    top = max(score.values(), default=0.0)
    part = {block for block, value in score.items() if value >= t.PART * top}
    if part:
        for key, (_, _, subject) in words.items():
            if not subject and key in out:
                heard = reading.spoken[key]
                inside = sum(1 for block in part if block in heard)
                local = log(1 + len(part) / (0.5 + inside))
                out[key] = (out[key] + t.LOCAL * local) / (1 + t.LOCAL)
    return out


def claim_terms(claim: Claim, reading: PageReading, base: PageReading | None, extra: str = "") -> list[Term]:
    """The claim's words weighed by what they tell on the page, or on the earlier one if it lost them."""
    words = claim_words(claim, extra)
    now = _tells(reading, words)
    before = _tells(base, words) if base is not None else {}
    most = log(1 + 2 * len(reading.blocks))
    names = frozenset(k.key for k in tokens(claim.subject)[1:] if claim.subject[k.start].isupper())
    strict = frozenset(
        k.key
        for k in tokens(claim.subject, stems=False)
        if k.sharp and is_strict(claim.subject[k.start : k.end])
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
    return out


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


def presence(
    reading: PageReading, mention: Mention, terms: Sequence[Term], rivals: Sequence[Mention]
) -> list[float]:
    """For each term how present it is at the mention, 0 to 1.

    A word in the same block counts by its distance, and less where it stands nearer to a rival value.
    """
    around = reading.outer[mention.block]
    block = reading.blocks[mention.block]
    wanted = {term.key for term in terms}
    spots: dict[str, list[Token]] = {}
    for token in reading.own[mention.block]:
        if token.key in wanted:
            spots.setdefault(token.key, []).append(token)
    out = []
    slot = mention.quantity is None and mention.date is None
    steps = _steps(block.text) if spots else ((0,), (0,))
    others = [m for m in rivals if m.start != mention.start and m.block == mention.block] if spots else []
    if len(others) > t.RIVALS_NEAR:  # only a neighbour can be nearer to a word
        others = heapq.nsmallest(t.RIVALS_NEAR, others, key=lambda m: (abs(m.start - mention.start), m.start))
    total = len(reading.blocks)
    for term in terms:
        best = around.get(term.key, 0.0)
        if best < t.TOPIC and not term.sharp:  # what the page speaks of all the time need not be said here
            best = max(best, min(t.TOPIC, t.OFTEN * len(reading.spoken.get(term.key, ())) / total))
        for token in spots.get(term.key, ()):
            start, end = token.start, token.end
            if start < mention.end and end > mention.start:
                if token.sharp or (slot and not term.subject):
                    continue  # the 2 of "2 Gbps" names no Falcon-2, nor a text its own attribute
                best = max(best, 1.0)
                continue
            gap = _gap(steps, start, end, mention)
            near = token.says * max(t.FAR, 1.0 - gap / t.REACH)
            if best < near and any(_gap(steps, start, end, m) < gap for m in others):
                near *= t.RIVAL
            best = max(best, near)
        out.append(best)
    return out


def _gap(steps: tuple[tuple[int, ...], tuple[int, ...]], start: int, end: int, mention: Mention) -> int:
    if end <= mention.start:
        return max(0, _far(steps, mention.start) - _far(steps, end))
    if start >= mention.end:
        return max(0, _far(steps, start) - _far(steps, mention.end))
    return 0


def coverage(
    terms: Sequence[Term], present: Sequence[float], caps: Sequence[float], *, subject: bool
) -> float:
    """The share of an earlier place's words of the subject (or of the others) that is present, 0 to 1."""
    total = got = 0.0
    for i, term in enumerate(terms):
        if term.subject is subject:
            total += term.weight * caps[i]
            got += term.weight * min(caps[i], present[i])
    return got / total if total else 0.5


def named_subject(terms: Sequence[Term], present: Sequence[float]) -> float:
    """How well the words around a value name the claim's subject, 0 to 1.

    A subject that has identifiers may be named by them alone: `session.timeout.ms` needs no
    "Kafka consumer setting" beside it.
    """
    subject = _share([(k, p) for k, p in zip(terms, present, strict=True) if k.subject])
    sharp = _share([(k, p) for k, p in zip(terms, present, strict=True) if k.subject and k.sharp])
    if subject is None:
        return 1.0
    if sharp is None:
        return subject
    return max(subject, t.SHARP_ALONE * sharp + (1 - t.SHARP_ALONE) * subject)


def named_attribute(terms: Sequence[Term], present: Sequence[float]) -> float:
    """How well the words around a value name the claim's attribute and basis, 0 to 1."""
    rest = _share([(k, p) for k, p in zip(terms, present, strict=True) if not k.subject])
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
    for i, term in enumerate(terms):
        if not term.subject:
            continue
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


def _share(pairs: Sequence[tuple[Term, float]]) -> float | None:
    total = sum(term.weight for term, _ in pairs)
    return sum(term.weight * p for term, p in pairs) / total if total else None


def likely_blocks(reading: PageReading, terms: Sequence[Term], most: int = t.LOOKED_AT) -> list[int]:
    """The blocks that say most of the claim's words, best first."""
    return [block for block, _ in _best(reading, _scores(reading, terms), most)]


def _scores(reading: PageReading, terms: Sequence[Term]) -> dict[int, float]:
    scores: dict[int, float] = {}
    for term in terms:
        for block, weight in reading.spoken.get(term.key, {}).items():
            scores[block] = scores.get(block, 0.0) + term.weight * weight
    return scores


def _best(reading: PageReading, scores: dict[int, float], most: int) -> list[tuple[int, float]]:
    best = heapq.nsmallest(most, scores.items(), key=lambda item: (-item[1], item[0]))
    return [(block, score) for block, score in best if reading.blocks[block].role != "meta"]


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
