"""Each quantity, date and named list of an article against the claims."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from kb.app.audit_absences import Absences
from kb.app.audit_derive import Derivations, calculable
from kb.app.audit_figures import ABOUT_IT, FEW, HINTED_AT, SURELY_ABOUT_IT, Figures, Scored
from kb.app.audit_idioms import stated
from kb.app.audit_lists import Lists
from kb.app.audit_mention import Mention, Status
from kb.app.audit_near import REACH, Passage, Spans
from kb.app.audit_score import Vocabulary, WordIndex
from kb.claims import Claim, ClaimSet
from kb.judging.lapsed import lapsed
from kb.page import Block, Page
from kb.quantity import Date, FigureError, Quantity, dates, parse_date

if TYPE_CHECKING:
    from kb.store import ClaimNow

__all__ = ["Mention", "Status", "audit_page"]

_ISO = re.compile(r"\d{4}(?:-\d\d){0,2}")

DRAWN = 2
"""How many times as often an article must draw on another claim's source for that claim to come first."""

EXACTLY = 2.0
"""What speaks for a claim whose date is written at its own precision."""


def audit_page(page: Page, claims: ClaimSet, now: Mapping[str, ClaimNow] | None = None) -> list[Mention]:
    """Match each quantity, date and named list of an article to a claim.

    Costs time in proportion to the article's length; each place looks only at claims with its value, or
    with rare words near it.

    Args:
        page: the article.
        claims: the claims.
        now: the present verdicts by the claim's id, from kb.db.
    """
    auditor = _Auditor(claims, now or {}, page.lang)
    rows = _rows(page)
    read: list[tuple[Passage, list[tuple[Quantity | None, Mention]]]] = []
    before: list[Block] = []
    for block in page.blocks:
        if not (block.visible and block.role == "content" and block.text):
            continue
        row = rows.get((block.table, block.row_index), "") if block.table is not None else ""
        passage = Passage(block, row, before)
        read.append((passage, auditor.passage(passage)))
        if block.table is None:
            before = [block, *(b for b in before[:1] if b.kind != "heading")]
    return list(auditor.drawn_on([m for mentions in auditor.derived(read) for m in mentions]))


def _rows(page: Page) -> dict[tuple[int | None, int | None], str]:
    rows: dict[tuple[int | None, int | None], str] = {}
    for block in page.blocks:
        if block.table is not None:
            key = (block.table, block.row_index)
            rows[key] = f"{rows.get(key, '')} | {block.text}"
    return rows


class _Auditor:
    def __init__(self, claims: ClaimSet, now: Mapping[str, ClaimNow], lang: str | None) -> None:
        self._claims = claims
        self._now = now
        self._lang = lang
        self._words = Vocabulary(claims)
        self._figures = Figures(claims, self._words, now)
        self._lists = Lists(claims, self._words)
        self._absences = Absences(claims, self._words)
        self._dates: dict[str, list[tuple[Claim, str]]] = {}
        for claim, value in _dated(claims.claims):
            for end in {4, 7, len(value)}:
                self._dates.setdefault(value[:end], []).append((claim, value))
        self._dates_before: dict[str, list[Claim]] = {}
        for claim in claims.claims:
            for was in claim.was:
                if (was.kind or claim.kind) == "date" and isinstance(was.value, str):
                    self._dates_before.setdefault(was.value, []).append(claim)
        dated = [c for c, _ in _dated(claims.claims)]
        self._sure_dates = WordIndex(self._words, dated, SURELY_ABOUT_IT)
        self._known = {d for s in claims.sources for d in (s.retrieved, s.published) if d}

    def passage(self, passage: Passage) -> list[tuple[Quantity | None, Mention]]:
        """What a passage states, in order, with its values."""
        block = passage.block
        days = dates(block.text, self._lang)
        taken = Spans((d.start, d.end) for d in days)
        read = stated(block.text, _joined(block.column), _joined(block.row), self._lang)
        found = [q for q in read if not taken.cross(q.start, q.end)]
        out: list[tuple[Quantity | None, Mention]] = [(None, self._date(passage, d)) for d in days]
        figures = self._figures.passage(passage, found)
        out += figures
        taken.add((m.start, m.end) for _, m in figures)
        out += [(None, m) for m in self._figures.numbers(passage, taken)]
        listed = list(self._lists.mentions(passage))
        present = {c.id for _, c, now in listed if now}
        for m, c, now in listed:
            if now:
                near = passage.near(m.start, m.end)
                out.append((None, self._figures.backed(m, [Scored(1.0, c)], near)))
            elif c.id not in present and not lapsed(block.text, m.start, m.end):
                out.append((None, self._figures.otherwise(m, c, gone=True)))
        for m, absent in self._absences.mentions(passage):
            first, *others = (c.id or "" for c in absent)
            backed = self._figures.backed(m, [Scored(1.0, absent[0])], passage.near(m.start, m.end))
            out.append((None, replace(backed, claims=(first, *others), together=tuple(others))))
        return sorted(out, key=lambda found: (found[1].start, found[1].end))

    # --- dates -----------------------------------------------------------------------------------

    def _date(self, passage: Passage, day: Date) -> Mention:
        mention = passage.mention("date", day.start, day.end)
        near = passage.near(day.start, day.end)
        scored = []
        for claim, value in {
            c.id: (c, v) for text in (day.value, *day.readings) for c, v in self._dates.get(text, ())
        }.values():
            score, cover = self._words.score(claim, near)
            exact = EXACTLY if value == day.value else 0.0
            scored.append((Scored(score + exact, claim, cover), cover, bool(exact)))
        same = [s for s, cover, _ in scored if cover >= ABOUT_IT]
        if not same and len(scored) <= FEW:
            same = [s for s, cover, exact in scored if cover >= HINTED_AT and exact]
        if same:
            return self._figures.backed(mention, same, near)
        before = [(self._words.score(c, near), c) for c in self._dates_before.get(day.value, ())]
        meant = [(score, c) for (score, cover), c in before if cover >= ABOUT_IT]
        if meant and not lapsed(passage.block.text, day.start, day.end):
            return self._figures.otherwise(mention, max(meant, key=lambda m: m[0])[1], gone=True)
        if day.value in self._known:
            return replace(mention, status=Status.SOURCE)
        return self._other_date(passage, day, mention)

    def _other_date(self, passage: Passage, day: Date, mention: Mention) -> Mention:
        """Where words surely speak of a claim that has another date."""
        near = passage.near(day.start, day.end).without_own()
        for claim in self._sure_dates.near(passage.around):
            value = _iso(claim)
            if len(value) != len(day.value) or not self._words.attributed(claim, near):
                continue
            if self._words.covered(claim, near) >= SURELY_ABOUT_IT and self._words.named(claim, near):
                return self._figures.otherwise(mention, claim, gone=False)
        return mention

    # --- calculations ------------------------------------------------------------------------------

    def derived(
        self, read: Sequence[tuple[Passage, list[tuple[Quantity | None, Mention]]]]
    ) -> Iterator[list[Mention]]:
        """The mentions of each passage, with calculations where no claim states a figure."""
        backing = [i for _, found in read for _, m in found if m.status is not Status.OTHER for i in m.claims]
        sums = Derivations(self._claims, backing, self._now)
        for number, (passage, found) in enumerate(read):
            row = [
                m
                for other, more in read[max(0, number - 12) : number + 12]
                if passage.row and other.row == passage.row and other is not passage
                for _, m in more
            ]
            here = [m for _, m in found]
            yield [self._explained(sums, passage, q, m, here, row) for q, m in found]

    def _explained(
        self,
        sums: Derivations,
        passage: Passage,
        q: Quantity | None,
        mention: Mention,
        here: Sequence[Mention],
        row: Sequence[Mention],
    ) -> Mention:
        """A figure that no claim states with its calculation; `here` are the passage's mentions, in order."""
        unsettled = mention.status in (Status.NONE, Status.OTHER) and not mention.gone
        if q is None or not unsettled or not calculable(q):
            return mention
        _, high = passage.sentence(mention.start)
        low, _ = passage.sentence(max(0, passage.sentence(mention.start)[0] - 2))
        first = bisect_left(here, max(low, mention.start - REACH), key=lambda m: m.start)
        last = bisect_left(here, min(high, mention.start + REACH), key=lambda m: m.start)
        beside = sorted(here[first:last], key=lambda m: abs(m.start - mention.start))
        near = [*row, *beside]
        ids = [i for m in near if m.kind == "figure" and m.status is not Status.OTHER for i in m.claims]
        return sums.explain(mention, q, list(dict.fromkeys(ids)))

    # --- the whole article -------------------------------------------------------------------------

    def drawn_on(self, mentions: Sequence[Mention]) -> Iterator[Mention]:
        """The mentions, each that may be of several sources given to one that the article draws on elsewhere.

        An article that cites a source for a figure mostly does so more than once; a claim that says the
        same in a file that nothing else in the article leads to is rather another article's.
        """
        drawn: Counter[str] = Counter()
        for m in mentions:
            if m.claims and len(m.claims) == 1 + len(m.together):
                drawn.update({self._claims.claim(i).source_id or "" for i in m.claims})
        for m in mentions:
            rivals = [i for i in m.claims if i not in m.together]
            if len(rivals) > 1 and m.status in (Status.HOLDS, Status.DERIVED) and not m.derived_from:
                files = [drawn[self._claims.claim(i).source_id or ""] for i in rivals]
                best = rivals[files.index(max(files))]
                if max(files) >= DRAWN * (files[0] + 1):
                    yield self._figures.led_by(m, best)
                    continue
            yield m


def _dated(claims: Sequence[Claim]) -> Iterator[tuple[Claim, str]]:
    for claim in claims:
        value = _iso(claim)
        if value:
            yield claim, value


def _iso(claim: Claim) -> str:
    if claim.kind != "date" or not isinstance(claim.value, str):
        return ""
    if _ISO.fullmatch(claim.value):
        return claim.value
    try:
        return parse_date(claim.value).value
    except FigureError:
        return ""


def _joined(labels: tuple[str, ...]) -> str | None:
    return " ".join(labels) or None
