"""Whether a page still states a claim: the front of the room."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from kb.claims.claim import Claim
from kb.errors import ClaimsError
from kb.judging import thresholds as t
from kb.judging.absence import judge_absence
from kb.judging.alternatives import with_alternatives
from kb.judging.anchor import anchor_of
from kb.judging.beside import beside
from kb.judging.candidate import Anchor, Candidate, gather, off_last
from kb.judging.columns import columns_apart
from kb.judging.decide import Claimed, decide, gone, settle
from kb.judging.denial import denials
from kb.judging.doubt import doubted
from kb.judging.elsewhere import siblings_apart, without_neighbours
from kb.judging.entry_unit import with_entry_units
from kb.judging.far import likely_ones_first
from kb.judging.frame import framed
from kb.judging.kindred import kindred
from kb.judging.labelled import slots_first
from kb.judging.members import judge_list
from kb.judging.mention import Mention
from kb.judging.offered import apart_from_offers
from kb.judging.other_lines import lines_apart
from kb.judging.otherwise import said_otherwise
from kb.judging.parallel import parallel
from kb.judging.phrase import phrases
from kb.judging.quoted import with_quote
from kb.judging.reading import PageReading, reading_of
from kb.judging.reference import entries_first
from kb.judging.score import claim_terms, likely_blocks
from kb.judging.search import search_for
from kb.judging.sections import tables_apart
from kb.judging.series import is_of_series, last_of_series
from kb.judging.settled import kept_slot, settled, slot_mentions, whole_slot
from kb.judging.standing import standing
from kb.judging.successor import successor, successor_first
from kb.judging.vanished import vanished
from kb.judging.verdict import Verdict
from kb.page import Page
from kb.quantity import unit_dimension
from kb.reasons import Outcome, Reason

JUDGE_VERSION = "9"
"""Changes whenever some claim on some page may be judged otherwise: part of every cache key."""


def judge(claim: Claim, page: Page, baseline: Page | None = None) -> Verdict:
    """Say whether `page` still states `claim`, and show where.

    Pure and deterministic: equal arguments give equal verdicts, without clock,
    network or disk.

    Args:
        claim: compared by value, unit and dimension, so 400 Gb/s answers
            "400 Gbps" and 400 GB/s does not.
        page: the source as read (what could not be read never gets here).
        baseline: an earlier reading; the place where the claim stood is looked
            up first. None: the claim's quote and words lead alone.

    Returns:
        A verdict with `score` in [0, 1]. Two answers in a close race give
        `unclear`, with both as evidence.

    Raises:
        ClaimsError: `claim` is a formula, which no single page can answer.
    """
    if claim.kind == "formula":
        raise ClaimsError(
            "a formula follows from its inputs' verdicts, and no single page can answer it; judge those"
        )
    base = reading_of(baseline) if baseline is not None else None
    verdict = _judge(claim, reading_of(page), base)
    if verdict.reason is Reason.NEVER_FOUND:
        verdict = replace(verdict, score=min(verdict.score, t.NEVER_FOUND_SCORE))
    return verdict.named(claim.id)


def judge_page(
    claims: Iterable[Claim], page: Page, baselines: Mapping[str | None, Page] | None = None
) -> list[Verdict]:
    """The verdicts on several claims of one page, in order; what they share is computed once."""
    known = baselines or {}
    return [judge(claim, page, known.get(claim.id)) for claim in claims]


def _judge(claim: Claim, reading: PageReading, base: PageReading | None) -> Verdict:
    if claim.kind == "list":
        return judge_list(claim, reading, base)
    if claim.kind == "absent":
        return judge_absence(claim, reading, base)
    candidates, anchor = race(claim, reading, base)
    seen, stated = anchor is not None or bool(claim.quote), _stood(base, anchor)
    claimed = Claimed(
        claim.value if isinstance(claim.value, str) else ", ".join(claim.value),
        claim.per,
        claim.direction,
        claim.quantity is not None and unit_dimension(claim.quantity.unit) == "data rate",
    )
    verdict = decide(reading, candidates, anchor, seen=seen, stated=stated, claimed=claimed)
    if verdict.reason in (Reason.SEVERAL_VALUES, Reason.WEAK_MATCH):
        placed = anchor is not None
        verdict = settle(reading, candidates, placed=placed, seen=seen, claimed=claimed) or verdict
    if verdict.outcome is Outcome.GONE and any(c.off and c.total > -t.OFF_THE_SUBJECT for c in candidates):
        verdict = replace(verdict, score=min(verdict.score, t.OFF_SCORE))
    if verdict.outcome is Outcome.GONE and claim.kind == "text" and base is None:
        search = search_for(claim)
        find = None if search.textual else search.find(reading)
        terms = claim_terms(claim, reading, base, search.words)
        verdict = said_otherwise(claimed.value, reading, terms, verdict, find)
    verdict = doubted(claim, reading, base, candidates, verdict)
    lost = verdict
    if _may_be_a_neighbours(verdict, candidates, anchor) or _is_unheard_of(verdict, candidates, anchor):
        lost = gone(reading, candidates, seen=seen, stated=stated, score=t.VANISHED_SCORE)
    elif verdict.outcome is not Outcome.GONE:
        return verdict
    word = vanished(claim, reading, base, anchor)
    if not word:
        return verdict
    said = f"the page says {word} nowhere"
    return replace(lost, detail=f"{lost.detail}; {said}" if lost.detail else said)


def _may_be_a_neighbours(verdict: Verdict, candidates: Sequence[Candidate], anchor: Anchor | None) -> bool:
    """Whether the value found is another than ours, and none that is sure to be stated of our subject."""
    if verdict.outcome is Outcome.UNCLEAR and candidates[0].fit.answer.holds:
        return False
    if anchor is not None and candidates and candidates[0].signs[t.PLACED_SIGN] >= t.VANISHED_PLACED:
        return False
    return verdict.outcome in (Outcome.DRIFTED, Outcome.UNCLEAR) and verdict.score < t.VANISHED_SURE


def _is_unheard_of(verdict: Verdict, candidates: Sequence[Candidate], anchor: Anchor | None) -> bool:
    """Whether the page has nowhere what tells most of the subject, where no earlier place is known.

    A label that says the rest of it well still names it; so do the words around our own value that say half.
    """
    if anchor is not None or not candidates or candidates[0].mention.textual:
        return False
    if verdict.outcome not in (Outcome.HOLDS, Outcome.DRIFTED):
        return False
    if verdict.outcome is Outcome.HOLDS and candidates[0].named >= t.VANISHED_NAMED:
        return False
    signs = candidates[0].signs
    return signs[t.NOWHERE_SIGN] >= t.VANISHED_NAME and signs[t.OWNER_SIGN] < t.VANISHED_OWNER


def race(
    claim: Claim, reading: PageReading, base: PageReading | None
) -> tuple[list[Candidate], Anchor | None]:
    """All candidates for a claim of kind figure, date or text, best first, and where it stood before."""
    search = search_for(claim)
    terms = claim_terms(claim, reading, base, search.words)
    anchor = None
    if base is not None:
        fit = apart_from_offers(base, claim, with_entry_units(base, claim, search.fit(base)))
        anchor = anchor_of(base, terms, search.find(base), fit, reading, whole=is_of_series(claim))
    more: list[Mention] = []
    filled: list[Mention] = []
    if search.textual and isinstance(claim.value, str):
        likely = likely_blocks(reading, terms)
        more = phrases(reading, claim.value)
        if anchor is not None and base is not None:
            places = [spot.mention for spot in anchor.spots]
            if not claim.value.islower() or " " in claim.value:
                places += phrases(base, claim.value)
            filled = framed(base, places, reading, likely)
            kept = kept_slot(base, anchor, reading)
            more += filled
            more += whole_slot(reading, kept, search.find(reading)) if kept is not None else []
        more += slot_mentions(reading, likely[: t.SLOT_BLOCKS], claim)
        more += kindred(reading, likely[: t.SLOT_BLOCKS], claim.value)
        more += denials(reading, likely[: t.SLOT_BLOCKS], claim.value)
        more = list(dict.fromkeys(more))
    heir = None
    if anchor is not None and anchor.counterpart is not None:
        more += search.find(reading)(anchor.counterpart)
        if claim.kind == "text" and base is not None and not vanished(claim, reading, base, anchor):
            heir = successor(base, anchor.mention, reading, anchor.counterpart)
            if heir is not None:
                more.append(heir)
                filled.append(heir)
    fit = apart_from_offers(reading, claim, with_entry_units(reading, claim, search.fit(reading)))
    candidates = off_last(gather(reading, terms, search.find(reading), fit, anchor, more=more, stood=filled))
    if claim.quote:
        candidates = with_quote(reading, candidates, claim.quote)
    candidates = standing(reading, base, claim, candidates, anchor)
    if claim.kind != "text":
        candidates = without_neighbours(reading, base, claim, candidates, anchor)
        candidates = siblings_apart(reading, claim, candidates)
        candidates = beside(reading, claim, candidates, anchor)
        candidates = parallel(reading, claim, candidates)
    if claim.kind == "figure":
        candidates = slots_first(reading, candidates, claim.attribute)
        if anchor is None:
            candidates = columns_apart(reading, claim, candidates)
            candidates = likely_ones_first(reading, claim, candidates)
    if search.textual:
        candidates = settled(reading, base, claim, candidates, anchor, filled)
    candidates = tables_apart(reading, claim, candidates)
    candidates = entries_first(reading, base, claim, candidates, anchor)
    candidates = with_alternatives(reading, base, claim, candidates, anchor)
    candidates = lines_apart(reading, claim, candidates)
    before = search.find(base) if base is not None else None
    candidates = last_of_series(reading, base, claim, candidates, anchor, before)
    return successor_first(candidates, heir), anchor


def _stood(base: PageReading | None, anchor: Anchor | None) -> str:
    if base is None or anchor is None:
        return ""
    return base.sentence(anchor.mention)
