"""Lists: where a page names the members, which are missing there, and which are new."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from kb.claims.claim import Claim
from kb.judging import thresholds as t
from kb.judging.align import likeness, place_of
from kb.judging.candidate import sharp_words
from kb.judging.entries import headings_of, under_anothers
from kb.judging.evidence import evidence_at
from kb.judging.fit import squeezed
from kb.judging.mention import Mention
from kb.judging.nearness import Hearing, Rivals
from kb.judging.phrase import exact_pattern
from kb.judging.place import Place
from kb.judging.reading import PageReading
from kb.judging.score import (
    Term,
    claim_terms,
    coverage,
    identified,
    known_words,
    likely_blocks,
    named_attribute,
    named_subject,
    telling,
)
from kb.judging.spans import JOINED, Span, spans_of, spread
from kb.judging.verdict import Verdict
from kb.judging.words import keys
from kb.page import Block
from kb.reasons import Reason


@dataclass(frozen=True, slots=True)
class Region:
    """A part of the page that may be the list: one sentence or cell, or several items in a row.

    Attributes:
        spans: in reading order.
        items: what it lists, in the page's spelling.
        had: the claimed members in it.
        place: what stands around it.
        present: how present each word of the claim is there.
        score: how well it is the list that the claim speaks of.
    """

    spans: tuple[Span, ...]
    items: tuple[str, ...]
    had: tuple[str, ...]
    place: Place
    present: tuple[float, ...]
    score: float

    @property
    def order(self) -> tuple[float, int, int]:
        """Best first, then in reading order."""
        return -self.score, self.spans[0][0], self.spans[0][1]


def judge_list(claim: Claim, reading: PageReading, base: PageReading | None) -> Verdict:
    """Say whether the page still names the members of a claimed list."""
    members = members_of(claim)
    regions, old = listed(claim, reading, base)
    best = regions[0] if regions else None
    floor = t.LIST_PLACED if old is not None else t.LIST_NAMED
    if old is None and best is not None and best.had and set(best.had) == _said(reading, members):
        floor = t.LIST_LEFT  # what it lacks is nowhere on the page, so it has left the list
    if old is not None and best is not None and 1 < len(members) == len(best.had):
        floor = t.LIST_WHOLE
    seen = old is not None or bool(claim.quote)
    if best is None or best.score < floor:
        reason = Reason.REMOVED if seen else Reason.NEVER_FOUND
        near = evidence_at(reading, *best.spans[0]) if best is not None else None
        stood = f"it listed: {', '.join(old.items)}" if old is not None else ""
        return Verdict(reason.outcome, reason, detail=stood, score=0.7, evidence=near)
    missing, added = differing(members, best)
    added = [item for item in added if old is None or item not in old.items]
    block, start, end = best.spans[0]
    score, evidence = round(min(1.0, best.score), 4), evidence_at(reading, block, start, end)
    parts = (("missing", missing), ("added", added))
    detail = "; ".join(f"{word}: {', '.join(which)}" for word, which in parts if which)
    if missing or (claim.complete and added):
        reason = Reason.CHANGED if seen else Reason.DIFFERS
    else:
        verbatim = all(squeezed(m) in squeezed(" ".join(best.items)) for m in members)
        reason = Reason.VERBATIM if verbatim else Reason.RESPELLED
    return Verdict(
        reason.outcome, reason, detail=detail, found=best.items or best.had, score=score, evidence=evidence
    )


def _said(reading: PageReading, members: Sequence[str]) -> set[str]:
    """The members that are anywhere on a page."""
    return {m for m in members if exact_pattern(m).search(reading.text)}


def members_of(claim: Claim) -> tuple[str, ...]:
    """The members that a claim lists."""
    return tuple(claim.value) if isinstance(claim.value, tuple) else (claim.value,)


def listed(
    claim: Claim, reading: PageReading, base: PageReading | None
) -> tuple[list[Region], Region | None]:
    """The parts of a page that may be a claim's list, best first, and the earlier page's that was it."""
    members = members_of(claim)
    terms = claim_terms(claim, reading, base)
    old = None
    if base is not None:
        whole = [r for r in _regions(base, terms, members, None) if len(r.had) == len(members)]
        old = min(whole, key=lambda r: r.order, default=None)
    found = _regions(reading, terms, members, old)
    if base is not None and old is not None:  # what listed others before, beside ours, is none of ours now
        stood = {_labelled(b) for b in base.blocks}
        found = [
            r for r in found if r.had or not all(_labelled(reading.blocks[s[0]]) in stood for s in r.spans)
        ]
    subject, headings = keys(claim.subject), headings_of(reading)
    own = [r for r in found if not under_anothers(reading.blocks[r.spans[0][0]], headings, subject)]
    if base is not None and old is not None and (lead := _lead(base, old)):
        own = [r for r in own if _lead(reading, r) == lead] or own
    return sorted(own, key=lambda r: r.order), old


def _lead(reading: PageReading, region: Region) -> str:
    """The words that open a list of several items: `The present members are`."""
    before = region.spans[0][0] - 1
    if len(region.spans) == 1 or before < 0:
        return ""
    block = reading.blocks[before]
    return block.text if block.kind == "paragraph" and len(block.text) > len("such as:") else ""


def _labelled(block: Block) -> tuple[object, ...]:
    return block.text, block.row, block.column, *block.headings[-1:]


def differing(members: Sequence[str], region: Region) -> tuple[list[str], list[str]]:
    """The claimed members that a part of the page lacks, and what it lists beside them."""
    missing = [m for m in members if m not in region.had]
    added = [i for i in region.items if not any(_has(i, m) for m in members)]
    return missing, added


def _has(text: str, member: str) -> bool:
    """Whether a text names a member, in any case and with or without accents, hyphens and spaces."""
    return exact_pattern(member).search(text) is not None or _plain(text) == _plain(member)


@lru_cache(maxsize=4096)
def _plain(text: str) -> str:
    """A name's letters and digits alone, without accents; `&` is and."""
    bare = unicodedata.normalize("NFKD", text.replace("&", "and")).casefold()
    return "".join(c for c in bare if c.isalnum())


def _may_replace(block: Block, spans: Sequence[Span], old: Region) -> bool:
    """Whether a part of the page with none of our members may be what the list became."""
    if block.table is None or len(spans) == 1:
        return True
    return bool(block.column) and " / ".join(block.column).lower() == old.place.column


def _regions(
    reading: PageReading, terms: Sequence[Term], members: Sequence[str], old: Region | None
) -> list[Region]:
    subject = sharp_words(terms)
    versions = len(members) >= SEVERAL and all(_VERSION.fullmatch(m) for m in members)
    out = []
    left = _said(reading, members) if old is None else set()
    known = 0.0 if old is None else identified(telling(terms), old.present)[0]
    hearing, alone = Hearing(reading, terms), Rivals(reading, {})
    for spans in spans_of(reading, likely_blocks(reading, terms), members):
        texts = [reading.blocks[b].text[s:e] for b, s, e in spans]
        if len(spans) == 1:
            texts = [_apart(texts[0], members)]
        had = tuple(m for m in members if any(_has(x, m) for x in texts))
        told = versions and len(_VERSION.findall(" ".join(texts))) >= SEVERAL
        if not had and not (told if old is None else _may_replace(reading.blocks[spans[0][0]], spans, old)):
            continue
        apart = len(spans) == 1 and len(had) == len(members) > 1 and spread(texts[0], members)
        items = had if apart else _items(texts, members, subject)
        if len(items) < 2 and len(had) < len(members) and not (had and set(had) == left):
            continue
        block, start, end = spans[0]
        first = reading.blocks[block].text.find(items[0], start) if items else -1
        at = first if start <= first < end else start  # the words before its first member name the list
        mention = Mention(block, at, max(at, end), "") if len(spans) == 1 else Mention(block, start, end, "")
        present = tuple(hearing.at(mention, alone))
        place = place_of(reading, mention)
        if old is None:
            score = 0.62 * named_subject(terms, present) + 0.38 * named_attribute(terms, present)
            score *= 1 - t.UNIDENTIFIED * (1 - identified(telling(terms), present)[0])
            score *= t.LIST_SHARE + (1 - t.LIST_SHARE) * len(had) / len(members)
        else:
            score = (
                t.NAMED
                * (
                    coverage(known_words(terms, old.present, subject=True), present)
                    + coverage(known_words(terms, old.present, subject=False), present)
                )
                / 2
                + (1 - t.NAMED) * likeness(old.place, place).whole
            )
            here = identified(telling(terms), present)[0]
            score *= 1 - t.UNIDENTIFIED * max(known - here, t.LIST_UNTOLD * (1 - here))
            alike = (len(spans) > 1) == (len(old.spans) > 1)
            score *= (1.0 if alike or had else t.LIST_FORM) * (
                t.LIST_KEPT + (1 - t.LIST_KEPT) * len(had) / len(members)
            )
        out.append(Region(spans, items, had, place, present, score))
    return out


SEVERAL = 2


def _apart(text: str, members: Sequence[str]) -> str:
    """A text with the names that strokes join as with commas: `7B/40B/180B`, `Go 1.15/1.16`."""
    if "/" not in text or any("/" in m for m in members):
        return text
    if JOINED.fullmatch(text):
        return text.replace("/", ", ")
    return JOINED.sub(
        lambda m: m[0].replace("/", ", ") if len(set(m[0].split("/")).intersection(members)) > 1 else m[0],
        text,
    )


_SPLIT = re.compile(r"\s*(?:,|;|\||\s/\s|\n|\band\b|\bor\b|&)\s*")
_BRACKETS = re.compile(r"\s*\([^()]*\)")
_VERSION = re.compile(
    r"(?<![\w.])v?\d+(?:\.\d+)+(?:\.[x*]|[.-]?(?:dev|rc|alpha|beta|post|a|b)[.-]?\d*)?(?!\w|\.\w)"
)
_EDGE = " .:;`*\"'[]<>"


def _items(texts: Sequence[str], members: Sequence[str], subject: frozenset[str]) -> tuple[str, ...]:
    """What a region lists, in its order and spelling, without glosses and the label before it."""
    if all(_VERSION.fullmatch(m) for m in members):  # versions are found by their shape, whatever names them
        found = [m.group() for x in texts for m in _VERSION.finditer(x)]
        if all(m.endswith(".x") for m in members):  # lines of releases, beside which their newest may stand
            found = [v for v in found if v.endswith(".x")] or found
        if found:
            return tuple(dict.fromkeys(found))
    if len(texts) > 1:
        return tuple(filter(None, (_BRACKETS.sub("", x).strip(_EDGE) for x in texts)))
    text = _BRACKETS.sub("", texts[0])
    if not any(_has(text, m) for m in members):  # a list in brackets: `the large nodes (512GB and 1TB)`
        listing = [b[0] for b in _BRACKETS.finditer(texts[0]) if all(_has(b[0], m) for m in members)]
        text = listing[0].strip(" ()") if listing else text
    label, colon, rest = text.partition(": ")
    if colon and not any(_has(label, m) for m in members):
        text = rest
    longest = max(len(m.split()) for m in members)
    parts = [p.strip(_EDGE).removeprefix("- ") for p in _SPLIT.split(text)]
    if len(parts := [p for p in parts if p]) == 1:
        if not any(exact_pattern(m).search(text) for m in members):
            return ()  # a sentence, and no list
        parts = [p.strip(_EDGE) for p in text.split()] if longest == 1 else parts
    out = []
    for part in parts:
        if not part or part.lower() in subject:
            continue
        inside = [m for m in members if exact_pattern(m).search(part)]
        if inside and len(part.split()) > longest + 2:
            out.extend(inside)
        elif inside or len(part.split()) <= longest + 1:
            out.append(part)
    return tuple(dict.fromkeys(out))
