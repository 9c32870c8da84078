"""A value that its own page does not state, looked for in our other sources about the same subject.

Runs over verdicts that are given: only a miss is looked into, and only the newest capture that was read
of each such source at that moment, so that later captures change nothing that was said (decision 0040).
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from hashlib import sha256

from kb.claims import Claim, ClaimSet, Source, claim_digest
from kb.claims.claim import folded
from kb.engine.memory import Memory, headers_text, key
from kb.engine.unit import LoadBody
from kb.judging import Other, Verdict, judge, stated_on, verdict_from_json
from kb.page import Page, read_body
from kb.reasons import Outcome, Reason
from kb.snapshots import Capture

SIBLINGS = 5
"""Sources that are looked into for one claim, those that state the same attribute first."""

PAGES_KEPT = 8
QUOTE = 160  # characters of the other page's words in the verdict's detail

NewestRead = Callable[[str, datetime], Capture | None]
"""The newest capture of a URL up to a time that was read; None where there is none."""

_SOUGHT = ("figure", "date", "text", "list")


def siblings(claims: ClaimSet) -> dict[str, tuple[Source, ...]]:
    """For each claim that has any, the sources at other addresses that state something of its subject."""
    about: dict[str, list[tuple[Source, str]]] = {}
    for source in claims.sources:
        if source.fetched and source.url:
            for subject, attribute in dict.fromkeys(
                (folded(c.subject), folded(c.attribute)) for c in source.claims
            ):
                about.setdefault(subject, []).append((source, attribute))
    out: dict[str, tuple[Source, ...]] = {}
    for source in claims.sources:
        for claim in source.claims if source.fetched else ():
            others = [pair for pair in about[folded(claim.subject)] if pair[0].url != source.url]
            if others and claim.kind in _SOUGHT and claim.id:
                others.sort(key=lambda pair: (pair[1] != folded(claim.attribute), pair[0].id))
                out[claim.id] = tuple({s.url: s for s, _ in reversed(others)}.values())[::-1][:SIBLINGS]
    return out


def siblings_name(related: Mapping[str, Sequence[Source]]) -> str:
    """A name for which claim is looked for in which sources."""
    told = [(claim, [(s.id, s.url) for s in its]) for claim, its in sorted(related.items())]
    return sha256(json.dumps(told, ensure_ascii=False).encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(slots=True)
class Elsewhere:
    """Looks for lost values in captures of other sources.

    Attributes:
        claims: all claims.
        newest_read: which captures there are.
        load_body: gives their bodies.
        memory: what was found before.
    """

    claims: ClaimSet
    newest_read: NewestRead
    load_body: LoadBody
    memory: Memory
    related: Mapping[str, Sequence[Source]] = field(default_factory=dict)
    _pages: OrderedDict[tuple[str, int], Page | None] = field(default_factory=OrderedDict)

    def __post_init__(self) -> None:
        self.related = self.related or siblings(self.claims)

    def asks(self, verdict: Verdict) -> bool:
        """Whether a verdict is one that other sources are asked about."""
        return verdict.outcome is Outcome.GONE and verdict.id in self.related

    def told(self, capture: Capture, verdict: Verdict) -> Verdict:
        """The verdict, or that it is `unclear` as another source has the value."""
        if not self.asks(verdict):
            return verdict
        others = self.related[verdict.id or ""]
        claim = stated_on(self.claims.claim(verdict.id or ""), capture.time.date())
        for source in others:
            at = self.newest_read(source.url or "", capture.time)
            there = self._verdict(claim, at) if at is not None else None
            if there is not None and there.outcome is Outcome.HOLDS and there.evidence is not None:
                return _unclear(verdict, there, source)
        return verdict

    def _verdict(self, claim: Claim, capture: Capture) -> Verdict | None:
        """What the other page says of the claim; None where the archive cannot give the page."""
        name = key(
            "elsewhere",
            claim_digest(claim),
            capture.digest,
            headers_text(dict(capture.headers)),
            capture.url,
        )
        known = self.memory.get(name)
        if known is None:
            page = self._page(capture)
            if page is None:
                return None
            known = json.dumps(judge(claim, page).named(None).to_json(), ensure_ascii=False)
            self.memory.put(name, known)
        return verdict_from_json(json.loads(known))

    def _page(self, capture: Capture) -> Page | None:
        at = capture.file, capture.offset
        if at not in self._pages:
            body = self.load_body(capture)
            page = None if body is None else read_body(body, capture.url, capture.content_type)
            self._pages[at] = page if isinstance(page, Page) else None
            while len(self._pages) > PAGES_KEPT:
                self._pages.popitem(last=False)
        return self._pages[at]


def _unclear(verdict: Verdict, there: Verdict, source: Source) -> Verdict:
    """The miss with what the other source says, which stands first among the others in the race."""
    quote = " ".join(there.evidence.quote.split()) if there.evidence else ""
    quote = quote if len(quote) <= QUOTE else quote[: QUOTE - 1] + "…"
    said = f"not here, but in {source.id}: “{quote}”"
    return replace(
        verdict,
        outcome=Outcome.UNCLEAR,
        reason=Reason.FOUND_ELSEWHERE,
        detail=f"{said}; {verdict.detail}" if verdict.detail else said,
        score=round(min(verdict.score, there.score), 4),
        others=(Other(there.found, there.score, there.evidence), *verdict.others),
    )
