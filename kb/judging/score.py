"""How well a place on a page names what a claim speaks of: words counted by how much they tell."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from math import inf, log
from operator import mul

from kb.claims.claim import Claim
from kb.judging import thresholds as t
from kb.judging.mention import Finder, Mention
from kb.judging.numbered import Numbered, numbered
from kb.judging.other_name import other_names, product_of
from kb.judging.pages_name import is_pages_own
from kb.judging.reading import PageReading
from kb.judging.words import Token, claim_tokens, is_strict
from kb.quantity import is_symbol


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
    telling: Telling
    numbered: Numbered = frozenset()
    """The subject's names that end in a number."""

    def __init__(self, terms: Iterable[Term]) -> None:
        """Sort the terms given to `tuple` into the subject's, its identifiers, and the rest."""
        self.subject = self._part([i for i, k in enumerate(self) if k.subject])
        self.sharp = self._part([i for i, k in enumerate(self) if k.subject and k.sharp])
        self.rest = self._part([i for i, k in enumerate(self) if not k.subject])
        self.telling = tuple(
            (i, k.weight, float(k.sharp), k.strict) for i, k in enumerate(self) if k.subject and k.sharp
        )

    def _part(self, numbers: list[int]) -> _Part:
        weights = tuple(self[i].weight for i in numbers)
        return tuple(numbers), weights, sum(weights)


def _sorted(terms: Sequence[Term]) -> Terms:
    return terms if isinstance(terms, Terms) else Terms(terms)


def claim_words(claim: Claim, extra: str = "") -> dict[str, tuple[float, bool, bool]]:
    """The claim's words: the weight of the part they stand in, whether sharp, whether of the subject."""
    words: dict[str, tuple[float, bool, bool]] = {}
    brand = brand_of(claim.subject)
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
        for token in claim_tokens(text):
            if token.key not in words:
                sharp = token.sharp and not (subject and token.key in brand)
                factor = t.SHARP if sharp and subject else 1.0
                if subject:
                    factor *= brand.get(token.key, 1.0)
                words[token.key] = (weight * factor, sharp, subject)
    return words


def brand_of(subject: str) -> dict[str, float]:
    """Less weight for the name a subject begins with, which pages seldom repeat beside each value."""
    found = claim_tokens(subject)
    out: dict[str, float] = {}
    for token, factor in zip(found[:2], t.LEADING, strict=False):
        named = subject[token.start].isupper() or _NUMBERED_MAKER.match(subject, token.start)
        if not named or (token.sharp and not _maker(subject, token, found)):
            break
        out[token.key] = factor
    return out if len(found) > len(out) else {}


_NUMBERED_MAKER = re.compile(r"\d+[A-Za-z]{3,}\b")  # 7zip, where 7B is no maker
_MAKER = re.compile(r"(?:[A-Z]+[a-z]*){2,}")  # PgBouncer, OpenSSL, HikariCP
_OF_MAKERS = re.compile(r"[a-z]+[A-Z]|[_\d]")


def _maker(subject: str, token: Token, found: Sequence[Token]) -> bool:
    """Whether a name in capitals within is whose thing this is: `PgBouncer server_lifetime`.

    Only where an identifier of another form follows, as `KeepAliveTimeout` may be a setting itself.
    """
    if _NUMBERED_MAKER.fullmatch(subject[token.start : token.end]):
        return True
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
    floor = 0.0
    for key, (weight, _, subject) in words.items():
        often = reading.often(key)
        if not often:
            continue
        out[key] = log(1 + total / (0.5 + often))
        if subject:
            floor = _hear(reading, key, weight * out[key], score, floor)
    least = t.PART * max(floor, max(score.values(), default=0.0))
    whole = 0 < least <= floor
    part = () if whole else {block for block, value in score.items() if value >= least}
    size = total if whole else len(part)
    if size:
        for key, (_, _, subject) in words.items():
            if not subject and key in out:
                if whole or key in reading.topic:
                    inside = min(size, reading.often(key))
                else:
                    inside = len(reading.heard[key].keys() & part)
                local = log(1 + size / (0.5 + inside))
                out[key] = (out[key] + t.LOCAL * local) / (1 + t.LOCAL)
    return out


def _hear(reading: PageReading, key: str, weight: float, score: dict[int, float], floor: float) -> float:
    """Add to the blocks' scores how much each says of a word.

    `floor` is the score of all blocks that are not in `score`, and what comes back is what it is then.
    """
    louder = reading.heard.get(key, _NOWHERE)
    everywhere = reading.topic.get(key)
    if not score and floor == 0.0:
        floor = weight * (everywhere or 0.0)
        score.update({block: weight * presence for block, presence in louder.items()})
        return floor
    if everywhere is None:
        get = score.get
        for block, presence in louder.items():
            score[block] = get(block, floor) + weight * presence
        return floor
    usual = weight * everywhere
    for block in score:
        score[block] += weight * louder[block] if block in louder else usual
    for block, presence in louder.items():
        if block not in score:
            score[block] = floor + weight * presence
    return floor + usual


_NOWHERE: dict[int, float] = {}


_PRODUCT = re.compile(r"(?:[A-Z][a-z]+){2}\s[A-Z]")
"""A name of two words in one that another follows: MacBook Pro, GitHub Actions."""


@lru_cache(maxsize=4096)
def _subject_words(subject: str, placed: bool) -> tuple[frozenset[str], frozenset[str]]:
    """The names in a subject, its first word aside, and its identifiers that nothing else is called by."""
    brand, again = brand_of(subject), other_names(subject) | ({product_of(subject)} if not placed else set())
    names = frozenset(k.key for k in claim_tokens(subject, stems=True)[1:] if subject[k.start].isupper())
    strict = frozenset(
        k.key
        for k in claim_tokens(subject)
        if k.sharp and k.key not in brand and k.start not in again
        if is_strict(word := subject[k.start : k.end]) and not is_symbol(word)  # GHz is nobody's name
        if not _PRODUCT.match(subject, k.start)
    )
    return names, strict


def claim_terms(claim: Claim, reading: PageReading, base: PageReading | None, extra: str = "") -> Terms:
    """The claim's words weighed by what they tell on the page, or on the earlier one if it lost them."""
    words = claim_words(claim, extra)
    now = _tells(reading, words)
    before = _tells(base, words) if base is not None else {}
    most = log(1 + 2 * len(reading.blocks))
    names, strict = _subject_words(claim.subject, base is not None)
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
        out.append(
            Term(key, weight * tells, sharp, subject, key in strict and not is_pages_own(reading, key))
        )
    made = Terms(out)
    made.numbered = numbered(claim.subject)
    return made


Known = tuple[tuple[tuple[int, float, float], ...], float]
"""Of some words of an earlier place: their numbers, what they weigh, how present they were; and the whole."""


def known_words(terms: Sequence[Term], caps: Sequence[float], *, subject: bool) -> Known:
    """The words of the subject (or the others) that an earlier place had, `caps` saying how much of each."""
    ordered = _sorted(terms)
    numbers, weights, _ = ordered.subject if subject else ordered.rest
    words = tuple((i, w, caps[i]) for i, w in zip(numbers, weights, strict=True) if caps[i])
    total = 0.0
    for _, weight, cap in words:
        total += weight * cap
    return words, total


def coverage(known: Known, present: Sequence[float]) -> float:
    """The share of an earlier place's words that is present, 0 to 1."""
    words, total = known
    got = 0.0
    for i, weight, cap in words:
        here = present[i]
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


Telling = tuple[tuple[int, float, float, bool], ...]
"""Words that tell a subject from others: number, weight, how much it tells, if an identifier."""


def telling(
    terms: Sequence[Term], marks: Sequence[float] | None = None, caps: Sequence[float] | None = None
) -> Telling:
    """The words that tell the subject from others.

    `marks` says how much each word told it from others on the earlier page, and `caps` how present it
    was there; without them the subject's identifiers count.
    """
    ordered = _sorted(terms)
    if marks is None:
        return ordered.telling
    out = []
    for i in ordered.subject[0]:
        term, mark = ordered[i], marks[i]
        strict = term.strict and (mark > 0 or (caps is not None and caps[i] >= t.OWN_LABEL))
        if strict or mark > 0:
            out.append((i, term.weight, mark, strict))
    return tuple(out)


def identified(words: Telling, present: Sequence[float]) -> tuple[float, float, float]:
    """How much of what tells the subject from others is there, and what is not: H100 is not H200.

    Where nothing tells it apart, all is there. The second is the most telling word that is lost,
    the third the most telling identifier.
    """
    total = got = lost = gone = 0.0
    for i, weight, mark, strict in words:
        here = min(1.0, present[i] / t.ENOUGH)
        if strict:
            gone = max(gone, 1 - here)
        if mark > 0:
            total += weight * mark
            got += weight * mark * here
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
    return [block for block, _ in _best(reading, said_by_blocks(reading, terms), most)]


Said = tuple[dict[int, float], float]
"""How much each block says of some terms, by their weights, and how much every other block says."""


def said_by_blocks(reading: PageReading, terms: Sequence[Term]) -> Said:
    """What the blocks say of the terms."""
    scores: dict[int, float] = {}
    floor = 0.0
    heard = reading.heard
    for term in sorted(terms, key=lambda k: -len(heard.get(k.key, _NOWHERE))):  # the longest begins: cheapest
        floor = _hear(reading, term.key, term.weight, scores, floor)
    return scores, floor


SORTED_FIRST = 0.5  # of what the best block says: blocks that say less are put in order only where asked for


def _best(reading: PageReading, said: Said, most: int) -> Iterator[tuple[int, float]]:
    """The first `most` blocks by how much they say, and how much; what is never shown is left out."""
    scores, floor = said
    blocks = reading.blocks
    cut = SORTED_FIRST * max(scores.values(), default=0.0)
    left, ranked = most, []
    for low, high in ((cut, inf), (-inf, cut)):  # the first blocks mostly suffice, of many on a long page
        its = sorted([block for block, score in scores.items() if low <= score < high and score > floor])
        its.sort(key=scores.__getitem__, reverse=True)  # equal ones stay in reading order
        for block in its[: max(0, left)]:
            if blocks[block].role != "meta":
                yield block, scores[block]
        left -= len(its)
        ranked += its
    if floor <= 0 or left <= 0:
        return
    seen = set(ranked)
    for block in islice((i for i in range(len(blocks)) if i not in seen), left):
        if blocks[block].role != "meta":
            yield block, floor


def likely_mentions(reading: PageReading, said: Said, find: Finder, *, most: int = t.BLOCKS) -> list[Mention]:
    """The mentions in the blocks that say most of the claim's words."""
    found: list[Mention] = []
    filled, enough = 0, 0.0
    for block, score in _best(reading, said, t.LOOKED_AT):
        if filled >= t.BLOCKS_LEAST and score < enough:
            break
        before = len(found)
        found.extend(find(block))
        if len(found) > before:
            enough = max(enough, t.PRUNE * score)
            filled += 1
            if filled >= most:
                break
    return found
