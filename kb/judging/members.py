"""Lists: where a page names the members, which are missing there, and which are new."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from kb.claims.claim import Claim
from kb.judging import thresholds as t
from kb.judging.align import likeness, place_of
from kb.judging.evidence import evidence_at
from kb.judging.fit import squeezed
from kb.judging.mention import Mention
from kb.judging.phrase import exact_pattern
from kb.judging.reading import PageReading
from kb.judging.score import Term, claim_terms, coverage, likely_blocks, presence
from kb.judging.verdict import Verdict
from kb.reasons import Reason


@dataclass(frozen=True, slots=True)
class Region:
    """A part of the page that may be the list: one sentence, cell or line, or several items in a row.

    `spans` are (block, start, end) in reading order; `had` the claimed members in it; `score`
    how well it is the list that the claim speaks of.
    """

    spans: tuple[tuple[int, int, int], ...]
    had: tuple[str, ...]
    score: float

    @property
    def first(self) -> tuple[int, int, int]:
        """The span where it begins."""
        return self.spans[0]


_SENTENCES = re.compile(r"[^.!?;\n]+(?:[.!?](?!\s)[^.!?;\n]*)*")


def judge_list(claim: Claim, reading: PageReading, base: PageReading | None) -> Verdict:
    """Say whether the page still names the members of a claimed list."""
    members = tuple(claim.value) if isinstance(claim.value, tuple) else (claim.value,)
    terms = claim_terms(claim, reading, base)
    old = None
    if base is not None:
        known = [r for r in _regions(base, terms, members, None) if len(r.had) == len(members)]
        old = max(known, key=lambda r: (r.score, -r.first[0]), default=None)
    regions = _regions(reading, terms, members, (base, old) if base is not None and old is not None else None)
    best = max(regions, key=lambda r: (r.score, -r.first[0]), default=None)
    floor = t.FLOOR_PLACED if old is not None else t.FLOOR_NAMED
    if best is None or best.score < floor * t.LIST_FLOOR:
        reason = Reason.REMOVED if old is not None else Reason.NEVER_FOUND
        return Verdict(reason.outcome, reason, score=0.7)
    items = _items(reading, best, members)
    missing = [m for m in members if m not in best.had]
    added = [i for i in items if not any(exact_pattern(m).search(i) for m in members)]
    block, start, end = best.first
    evidence = evidence_at(reading, block, start, end)
    if missing or (claim.complete and added):
        reason = Reason.CHANGED if old is not None else Reason.DIFFERS
        detail = "; ".join(
            f"{word}: {', '.join(which)}" for word, which in (("missing", missing), ("added", added)) if which
        )
        return Verdict(
            reason.outcome, reason, detail=detail, found=tuple(items), score=best.score, evidence=evidence
        )
    verbatim = all(squeezed(m) in squeezed(" ".join(items)) for m in members)
    reason = Reason.VERBATIM if verbatim else Reason.RESPELLED
    return Verdict(reason.outcome, reason, found=tuple(items), score=best.score, evidence=evidence)


def _regions(
    reading: PageReading,
    terms: Sequence[Term],
    members: Sequence[str],
    old: tuple[PageReading, Region] | None,
) -> list[Region]:
    patterns = [(m, exact_pattern(m)) for m in members]
    place = None
    if old is not None:
        base, region = old
        block, start, end = region.first
        place = place_of(base, Mention(block, start, end, ""))
    out = []
    for spans in _spans(reading, likely_blocks(reading, terms)):
        texts = [reading.blocks[b].text[s:e] for b, s, e in spans]
        had = tuple(m for m, p in patterns if any(p.search(x) for x in texts))
        block, start, end = spans[0]
        mention = Mention(block, start, end, "")
        named = coverage(terms, presence(reading, mention, terms, ()))
        score = named
        if place is not None:
            score = t.NAMED * named + (1 - t.NAMED) * likeness(place, place_of(reading, mention))
        share = len(had) / len(members)
        if len(_split(" ".join(texts))) < 2 and share < 1:
            continue
        if not had and place is None:
            continue
        score = score * (0.6 + 0.4 * share)
        out.append(Region(spans, had, score))
    return out


def _spans(reading: PageReading, likely: Sequence[int]) -> list[tuple[tuple[int, int, int], ...]]:
    """Sentences and cells of likely blocks, and runs of list items under one heading."""
    out: list[tuple[tuple[int, int, int], ...]] = []
    runs: set[int] = set()
    for index in likely[: t.BLOCKS]:
        block = reading.blocks[index]
        if block.kind == "item" and len(block.text) <= t.SLOT:
            first = index
            while first > 0 and _same_run(reading, first - 1, index):
                first -= 1
            last = index
            while last + 1 < len(reading.blocks) and _same_run(reading, last + 1, index):
                last += 1
            if last > first and first not in runs:
                runs.add(first)
                out.append(tuple((i, 0, len(reading.blocks[i].text)) for i in range(first, last + 1)))
        if block.kind in ("heading", "title"):
            continue
        for m in _SENTENCES.finditer(block.text):
            out.append(((index, m.start(), m.end()),))
    return out


def _same_run(reading: PageReading, index: int, other: int) -> bool:
    a, b = reading.blocks[index], reading.blocks[other]
    return a.kind == "item" and a.level == b.level and a.headings == b.headings


_SPLIT = re.compile(r"\s*(?:,|;|\||/(?=\s)|\n|\band\b|\bor\b|&)\s*")
_BRACKETS = re.compile(r"\s*\([^()]*\)")


def _split(text: str) -> list[str]:
    parts = [p.strip(" .:`*\"'") for p in _SPLIT.split(_BRACKETS.sub("", text))]
    return [p for p in parts if p]


def _items(reading: PageReading, region: Region, members: Sequence[str]) -> list[str]:
    """The members that the page names in a region, in its order and spelling."""
    texts = [reading.blocks[b].text[s:e] for b, s, e in region.spans]
    if len(texts) > 1:
        return [_BRACKETS.sub("", x).strip(" .:`*") for x in texts]
    text = texts[0]
    label, colon, rest = text.partition(": ")
    if colon and not any(exact_pattern(m).search(label) for m in members):
        text = rest
    parts = _split(text)
    if len(parts) == 1:
        parts = text.split()
    out = []
    for part in parts:
        words = part.split()
        inside = [m for m in members if exact_pattern(m).search(part)]
        if inside and len(words) > 2 * max(len(m.split()) for m in inside):
            out.extend(inside)
        elif len(words) <= 1 + max(len(m.split()) for m in members):
            out.append(part)
    return out
