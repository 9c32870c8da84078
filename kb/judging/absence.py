"""Absences: whether a figure has appeared where we had found none."""

from __future__ import annotations

from collections.abc import Iterator

from kb.claims.claim import Claim
from kb.judging import thresholds as t
from kb.judging.candidate import Candidate, gather
from kb.judging.decide import found_text
from kb.judging.entries import Siblings, anothers, siblings
from kb.judging.evidence import evidence_at
from kb.judging.novel import novelty
from kb.judging.reading import PageReading
from kb.judging.score import Terms, brand_of, claim_terms
from kb.judging.sought import Sought
from kb.judging.sought_place import rank
from kb.judging.verdict import Other, Verdict
from kb.judging.words import is_strict, keys, masked, words_of_labels
from kb.reasons import Reason


def judge_absence(claim: Claim, reading: PageReading, base: PageReading | None) -> Verdict:
    """Say whether the page still states no such figure."""
    words = _words(claim)
    sought = Sought.of(claim)
    found = [c for c, why in figures(claim, sought, reading, base) if not why]
    plain = bool(found) and (sought.named(reading, found[0].mention) == 1 or found[0].total >= SURE)
    if not plain and base is not None and (new := novelty(words, sought, reading, base)):
        return Verdict(
            Reason.APPEARED.outcome,
            Reason.APPEARED,
            found=new.text,
            score=t.NOVEL_SCORE,
            evidence=evidence_at(reading, new.block, new.start, new.end),
        )
    if not found:
        return Verdict(
            Reason.VERBATIM.outcome,
            Reason.VERBATIM,
            detail=f"the page states no {words} for it",
            score=t.ABSENT_SCORE,
        )
    best = found[0]
    m = best.mention
    return Verdict(
        Reason.APPEARED.outcome,
        Reason.APPEARED,
        found=found_text(reading, best),
        score=round(min(1.0, best.named), 4),
        evidence=evidence_at(reading, m.block, m.start, m.end),
        others=tuple(
            Other(
                found_text(reading, c),
                round(min(1.0, c.named), 4),
                evidence_at(reading, c.mention.block, c.mention.start, c.mention.end),
            )
            for c in found[1:4]
        ),
    )


ANOTHERS = "stands in a row about something else"
UNNAMED = "is not named as the claim's"
KNOWN = "stood there before"
OTHER_END = "is another end than the sought one"
PAST = "is past or planned"
ASIDE = "stands beside what the page is for"

_BESIDE = ("navigation", "footer", "cookie", "related", "changelog", "comment")


def figures(
    claim: Claim, sought: Sought, reading: PageReading, base: PageReading | None
) -> list[tuple[Candidate, str]]:
    """All figures of the kind, best first, each with why it ends no absence; "" where it does."""
    beside = siblings(reading)
    found = [
        (
            c,
            _against(claim, sought, reading, c, beside)
            or (_vague(sought, reading, c) if base is None or sought.open else ""),
        )
        for c in _figures(claim, sought, reading, base)
    ]
    if base is not None and not all(why for _, why in found):
        known = {said for c in _figures(claim, sought, base, None) for said in _said(base, c)}
        found = [
            (c, why or (KNOWN if any(said in known for said in _said(reading, c)) else ""))
            for c, why in found
        ]
    found.sort(key=lambda pair: (bool(pair[1]), -rank(sought, reading, pair[0])))
    return found


def _words(claim: Claim) -> str:
    return claim.value if isinstance(claim.value, str) else " ".join(claim.value)


def _figures(claim: Claim, sought: Sought, reading: PageReading, base: PageReading | None) -> list[Candidate]:
    terms = claim_terms(claim, reading, None, _words(claim))
    if base is not None:
        terms = _known_by_either(terms, claim_terms(claim, reading, base, _words(claim)))
    find = sought.find(reading)
    more = [m for index in sought.labelled_blocks(reading)[:LABELLED] for m in find(index)]
    return gather(reading, terms, find, lambda m: sought.fit(reading, m), None, more=more)


def _known_by_either(terms: Terms, known: Terms) -> Terms:
    """The terms that either page knows, and those of the thing: our own word for its owner names no place."""
    said = {k.key for k in known}
    made = Terms((*known, *(k for k in terms if not k.subject and k.key not in said)))
    made.numbered = terms.numbered
    return made


LABELLED = 40  # blocks looked at because their labels say all of the thing, however little they say else
WHOLE = 0.66  # of a thing's words, beside a figure of it
HALF = 0.5
SURE = 3.0  # log odds from which on all signs together name it, whatever words are beside it
SURE_ENTRY = 2.0  # likewise, where an entry beside it has a word of ours
FLOOR = -5.0  # log odds below which another thing is named: one word of ours beside another's number
SEVERAL = 2  # words of a thing that are all said name it better than our words for its owner
APPEARED_NAMED = 0.35  # how well its owner must be named then


def _vague(sought: Sought, reading: PageReading, c: Candidate) -> str:
    """Why a figure is too vague an answer where no earlier page shows that it is new, or any may be one."""
    if sought.open and sought.head and sought.head.isdisjoint(sought.said(reading, c.mention)):
        return UNNAMED  # of a "quorum of the vote" the vote alone
    if sought.plain or not sought.thing or c.total >= SURE or sought.named(reading, c.mention) >= HALF:
        return ""
    return "" if sought.slot(reading, c.mention) or sought.counted(reading, c.mention) else UNNAMED


def _known(sought: Sought, c: Candidate) -> bool:
    return len(sought.thing) >= SEVERAL and c.named >= APPEARED_NAMED


def _against(claim: Claim, sought: Sought, reading: PageReading, c: Candidate, beside: Siblings) -> str:
    """Why a figure is not plainly the subject's: a figure in another row ends no absence."""
    block = reading.blocks[c.mention.block]
    if block.role in _BESIDE:
        return ASIDE
    if reading.lapsed(c.mention):
        return PAST
    if sought.other_end(reading, c.mention):
        return OTHER_END
    own = keys(f"{claim.subject} {claim.attribute} {_words(claim)}")
    subject = keys(claim.subject)
    thing = sought.thing
    itself = bool(thing) and block.table is None and thing <= sought.text(reading, c.mention)
    named = sought.named(reading, c.mention)
    if not itself and named < WHOLE and block.row and own.isdisjoint(words_of_labels(block.row)):
        return ANOTHERS
    itself = itself or sought.is_labelled_date(block)
    apart = not itself and anothers(block, beside, subject, thing)
    if apart or (not itself and c.total < SURE_ENTRY and anothers(block, beside, thing, thing)):
        return ANOTHERS
    label = reading.note(c.mention).label
    named_so = bool(thing) and thing <= label
    if (
        label & subject
        and label - own
        and not named_so
        and not subject <= label | words_of_labels(block.headings)
    ):
        return ANOTHERS  # the Rowan node of `Rowan node: $4.00`
    telling = len(thing) >= SEVERAL or any(is_strict(word) for word in thing)
    if c.total < FLOOR and not (named == 1 and telling):
        return UNNAMED
    if c.total >= SURE:
        return ""
    said = sought.said(reading, c.mention)
    its = subject - brand_of(claim.subject).keys() or subject
    if named >= WHOLE and (its & said or subject & reading.topic.keys() or _known(sought, c)):
        return ""
    whole = reading.said(c.mention.block).keys() | said
    if not (its | sought.thing) & whole:
        return UNNAMED
    return "" if c.named >= t.APPEARED and c.total > -1 else UNNAMED


def _said(reading: PageReading, candidate: Candidate) -> Iterator[tuple[str, ...]]:
    """A figure by its nearest words and labels, to know it again on another edition, its digits aside."""
    m = candidate.mention
    block = reading.blocks[m.block]
    before, after = block.text[max(0, m.start - 20) : m.start], block.text[m.end : m.end + 20]
    yield m.text, before, *block.row
    long = block.text[max(0, m.start - 40) : m.start]
    yield masked(f"{long}#{after}"), *block.row, *block.column, *block.headings[-1:]
