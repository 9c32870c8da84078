"""Each quantity, date and named list of an article against the claims."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING

from kb.app.audit_values import (
    WORDED,
    calculable,
    closeness,
    coarse,
    either_way,
    stated_before,
    telling,
    worded_number,
)
from kb.app.audit_words import Nearness, Vocabulary, list_in, sentence_at
from kb.claims import Claim, ClaimSet
from kb.errors import KbError
from kb.page import Block, Page
from kb.quantity import (
    Comparison,
    Date,
    FigureError,
    Quantity,
    compare,
    dates,
    parse_date,
    quantities,
    unit_dimension,
)

if TYPE_CHECKING:
    from kb.store import ClaimNow

ABOUT_IT = 0.3
"""The least part of a claim's words that must be near a figure with the claim's own value."""

SURELY_ABOUT_IT = 0.62
"""The same, where the value is another: only then is the figure said to contradict the claim."""

HINTED_AT = 0.1
"""The same for a value that no other claim has, and for a list of three members: they tell themselves."""

AS_GOOD = 0.8
"""Claims whose score reaches this part of the best one's are named with it."""

TWIN = 0.6
"""The same for claims of the best one's subject or source: an article seldom tells them apart."""


BARE = 0.5
"""The same for a number without a unit."""

_BARE = re.compile(r"(?<![\w.,:/-])\d{1,3}(?:,\d{3})+(?![\w-])|(?<![\w.,:/-])\d+(?:\.\d+)?(?![\w-])")


class Status(StrEnum):
    """What the claims say of a place in the article."""

    HOLDS = "holds"
    DRIFTED = "drifted"
    OTHER = "other"
    DERIVED = "derived"
    SOURCE = "source"
    NONE = "none"


Scored = tuple[float, Claim, bool]
"""How much speaks for a claim, and whether its whole subject stands beside the figure."""


@dataclass(frozen=True, slots=True)
class Mention:
    """A quantity, a date or a list in an article.

    Attributes:
        kind: `figure`, `date` or `list` (a text of a claim too).
        text: the words, `block.text[start:end]`.
        sentence: the sentence around it.
        status: see `Status`; `holds` says that a claim backs it and is not known to have drifted.
        claims: the claims it was matched to, the best one first.
        verdict: what kb.db says of the first one; "" where it says nothing.
        stated: what the first claim states.
        found: what its page says now, where that is something else.
        formula: how the value follows from claims, with their ids.
        gone: whether the article states what is known not to hold any more.
        row: other cells of its row in a table.
    """

    kind: str
    text: str
    start: int
    end: int
    block: Block
    sentence: str
    status: Status = Status.NONE
    claims: tuple[str, ...] = ()
    verdict: str = ""
    stated: str = ""
    found: str = ""
    formula: str = ""
    gone: bool = False
    row: str = ""

    @property
    def doubtful(self) -> bool:
        """Whether a person should look, though nothing is known to be wrong."""
        return not self.gone and (self.status in (Status.OTHER, Status.DRIFTED) or self.verdict == "unclear")


def audit_page(page: Page, claims: ClaimSet, now: Mapping[str, ClaimNow] | None = None) -> list[Mention]:
    """Match each quantity, date and named list of an article to a claim.

    Args:
        page: the article.
        claims: the claims.
        now: the present verdicts by the claim's id, from kb.db.
    """
    auditor = _Auditor(claims, now or {}, page.lang)
    rows = _rows(page)
    out: list[Mention] = []
    for block in page.blocks:
        if block.visible and block.role == "content" and block.text:
            row = rows.get((block.table, block.row_index), "") if block.table is not None else ""
            out += auditor.block(block, row)
    return out


def _rows(page: Page) -> dict[tuple[int | None, int | None], str]:
    rows: dict[tuple[int | None, int | None], str] = {}
    for block in page.blocks:
        if block.table is not None:
            key = (block.table, block.row_index)
            rows[key] = f"{rows.get(key, '')} | {block.text}"
    return rows


@dataclass
class _Auditor:
    claims: ClaimSet
    now: Mapping[str, ClaimNow]
    lang: str | None = None
    words: Vocabulary = field(init=False)

    def __post_init__(self) -> None:
        self.words = Vocabulary(self.claims)

    def block(self, block: Block, row: str) -> list[Mention]:
        days = dates(block.text, self.lang)
        taken = [(d.start, d.end) for d in days]
        figures = [
            replace(q, unit="multiple") if q.unit == "count:time" else q  # "18 times"
            for q in quantities(block.text, _joined(block.column), _joined(block.row), self.lang)
            if not any(q.start < end and start < q.end for start, end in taken)
        ]
        out = [self._date(block, row, d) for d in days]
        read = [(q, self._figure(block, row, q)) for q in figures]
        backed = {m.claims[0] for _, m in read if m.claims and m.status is not Status.OTHER}
        for q, m in read:
            said = m
            if m.status is Status.OTHER and not m.gone and m.claims[0] in backed:
                said = replace(m, status=Status.NONE, claims=(), verdict="", stated="", found="")
            unsettled = said.status in (Status.NONE, Status.OTHER) and not said.gone
            out.append(self._derived(said, q, read) if unsettled and calculable(q) else said)
        out += self._lists(block, row)
        out += self._bare(block, row, [(m.start, m.end) for m in out])
        return sorted(out, key=lambda m: (m.start, m.end))

    # --- figures ---------------------------------------------------------------------------------

    def _figure(self, block: Block, row: str, q: Quantity) -> Mention:
        mention = _mention("figure", block, row, q.start, q.end)
        near = Nearness.around(block, q.start, q.end, row)
        same, other = self._scored(q, near)
        if same:
            return self._with_times(self._backed(mention, same), q, near)
        if q.high is not None:  # a range whose ends are two claims
            ends = [self._scored(replace(q, value=v, high=None), near)[0] for v in (q.value, q.high)]
            if all(ends):
                backed = self._backed(mention, ends[0])
                more = tuple(c.id or "" for c in _best(ends[1]))
                return replace(backed, claims=tuple(dict.fromkeys((*backed.claims, *more))))
        return self._contradicted(mention, other, q) if other else mention

    def _with_times(self, mention: Mention, q: Quantity, near: Nearness) -> Mention:
        """With the claim that states the first factor of `8x400G`, if there is one."""
        if q.times is None:
            return mention
        count = Quantity(q.times, None, "number", text=str(q.times))
        source = self.claims.claim(mention.claims[0]).source_id
        more = [s for s in self._scored(count, near)[0] if s[1].source_id == source]
        return replace(mention, claims=(*mention.claims, more[0][1].id or "")) if more else mention

    def _scored(self, q: Quantity, near: Nearness) -> tuple[list[Scored], list[Scored]]:
        """The claims near by with this value, and those that are surely meant and have another."""
        same: list[Scored] = []
        other: list[Scored] = []
        hinted: list[Scored] = []
        dimension = coarse(q.unit)
        for claim, ours in self._quantities:
            if coarse(ours.unit) != dimension:
                continue
            answer = either_way(ours, q)
            if not answer.holds and answer is not Comparison.DIFFERS:
                continue
            score, cover = self.words.score(claim, near)
            if answer.holds:
                entry = (score + closeness(ours, q), claim, self.words.named(claim, near))
                if cover >= ABOUT_IT:
                    same.append(entry)
                hinted.append(entry if cover >= HINTED_AT else (-1.0, claim, False))
            elif cover >= SURELY_ABOUT_IT:
                other.append((score, claim, False))
        alone = len(hinted) == 1 and hinted[0][0] >= 0 and telling(q)
        return same or (hinted if alone else []), other

    @cached_property
    def _quantities(self) -> list[tuple[Claim, Quantity]]:
        return [(c, c.quantity) for c in self.claims.claims if c.quantity is not None]

    def _contradicted(self, mention: Mention, scored: list[Scored], q: Quantity) -> Mention:
        best = _best(scored)[0]
        if q.unit == "number" or unit_dimension(q.unit).startswith("count"):
            # Small numbers stand everywhere: only one that we stated before tells anything.
            before = [c for _, c, _ in scored if stated_before(c, q)]
            if not before:
                return mention
            best = before[0]
        present = self.now.get(best.id or "")
        page_says = present.found_text if present and present.verdict == "drifted" else ""
        return replace(
            mention,
            status=Status.OTHER,
            claims=(best.id or "",),
            verdict=present.verdict or "" if present else "",
            stated=_stated(best),
            found=page_says,
            gone=stated_before(best, q),
        )

    def _backed(self, mention: Mention, scored: list[Scored]) -> Mention:
        best = _best(scored)
        claim = best[0]
        present = self.now.get(claim.id or "")
        verdict = present.verdict or "" if present else ""
        bad = verdict in ("drifted", "gone")
        status = Status.DRIFTED if bad else Status.DERIVED if claim.formula else Status.HOLDS
        return replace(
            mention,
            status=status,
            claims=tuple(c.id or "" for c in best),
            verdict=verdict,
            stated=_stated(claim),
            found=present.found_text if present and bad else "",
            formula=claim.formula or "",
            gone=bool(bad and present and present.confirmed),
        )

    def _derived(self, mention: Mention, q: Quantity, read: list[tuple[Quantity, Mention]]) -> Mention:
        """The one operation on two claims that the same passage cites which gives the value."""
        from kb.claims import evaluate  # start-up time

        ids = list(dict.fromkeys(i for _, m in read for i in m.claims[:1] if m.status is not Status.OTHER))
        inputs = [c for c in (self.claims.claim(i) for i in ids[:12]) if c.quantity is not None]
        for formula, used in _formulas(inputs):
            values = {c.id or "": c.quantity for c in used if c.quantity is not None}
            try:
                value = evaluate(formula, values)
            except (KbError, ValueError, ArithmeticError):
                continue
            if coarse(value.unit) == coarse(q.unit) and compare(replace(q, per=None), value).holds:
                bad = [
                    n for c in used if (n := self.now.get(c.id or "")) and n.verdict in ("drifted", "gone")
                ]
                return replace(
                    mention,
                    status=Status.DRIFTED if bad else Status.DERIVED,
                    claims=tuple(c.id or "" for c in used),
                    verdict=bad[0].verdict or "" if bad else "",
                    stated=mention.text,
                    formula=formula,
                    gone=any(bool(n.confirmed) for n in bad),
                )
        return mention

    def _bare(self, block: Block, row: str, taken: list[tuple[int, int]]) -> Iterator[Mention]:
        """Numbers that no unit follows (a port's, a version's): found by the claims that state them."""
        worded = ((m.span(), worded_number(m), ABOUT_IT) for m in WORDED.finditer(block.text))
        plain = ((m.span(), m[0].replace(",", ""), BARE) for m in _BARE.finditer(block.text))
        for (start, end), value, least in (*worded, *plain):
            claims = self._numbers.get(value)
            if claims is None or any(start < e and s < end for s, e in taken):
                continue
            near = Nearness.around(block, start, end, row)
            scored = [
                (s, c, False) for c in claims for s, cover in [self.words.score(c, near)] if cover >= least
            ]
            if scored:
                yield self._backed(_mention("figure", block, row, start, end), scored)

    @cached_property
    def _numbers(self) -> dict[str, list[Claim]]:
        out: dict[str, list[Claim]] = {}
        for claim, q in self._quantities:
            if q.high is None and coarse(q.unit) == "plain":
                out.setdefault(f"{q.value:f}" if isinstance(q.value, Decimal) else str(q.value), []).append(
                    claim
                )
        return out

    # --- dates -----------------------------------------------------------------------------------

    def _date(self, block: Block, row: str, day: Date) -> Mention:
        mention = _mention("date", block, row, day.start, day.end)
        near = Nearness.around(block, day.start, day.end, row)
        same, hinted = [], []
        for claim, value in self._dates:
            if any(v == value or value.startswith(f"{v}-") for v in (day.value, *day.readings)):
                score, cover = self.words.score(claim, near)
                if cover >= ABOUT_IT:
                    same.append((score + (2.0 if value == day.value else 0.0), claim, False))
                if cover >= HINTED_AT and value == day.value:
                    hinted.append((score, claim, False))
        same = same or (hinted if len(hinted) == 1 and "-" in day.value else [])
        if same:
            return self._backed(mention, same)
        known = {d for s in self.claims.sources for d in (s.retrieved, s.published) if d}
        return replace(mention, status=Status.SOURCE) if day.value in known else mention

    @cached_property
    def _dates(self) -> list[tuple[Claim, str]]:
        out = []
        for claim in self.claims.claims:
            if claim.kind == "date" and isinstance(claim.value, str):
                try:
                    out.append((claim, parse_date(claim.value).value))
                except FigureError:
                    continue
        return out

    # --- lists and texts -------------------------------------------------------------------------

    def _lists(self, block: Block, row: str) -> Iterator[Mention]:
        for claim in self.claims.claims:
            if claim.kind not in ("list", "text"):
                continue
            members = (claim.value,) if isinstance(claim.value, str) else claim.value
            span = list_in(members, block.text)
            if span is None:
                continue
            start, end = span
            _, cover = self.words.score(claim, Nearness.around(block, start, end, row))
            if cover >= (HINTED_AT if len(members) > 2 else ABOUT_IT):
                yield self._backed(_mention("list", block, row, start, end), [(1.0, claim, False)])


def _formulas(claims: list[Claim]) -> Iterator[tuple[str, tuple[Claim, ...]]]:
    for a in claims:
        for b in claims:
            if a is not b:
                yield f"{{{a.id}}} / {{{b.id}}}", (a, b)
                if (a.id or "") < (b.id or ""):
                    yield f"{{{a.id}}} * {{{b.id}}}", (a, b)
                    yield f"{{{a.id}}} + {{{b.id}}}", (a, b)
                yield f"{{{a.id}}} - {{{b.id}}}", (a, b)
    for a in claims:
        yield f"{{{a.id}}} / 2", (a,)
        yield f"{{{a.id}}} * 2", (a,)


def _mention(kind: str, block: Block, row: str, start: int, end: int) -> Mention:
    low, high = sentence_at(block.text, start)
    return Mention(kind, block.text[start:end], start, end, block, block.text[low:high], row=row)


def _best(scored: list[Scored]) -> list[Claim]:
    scored = sorted(scored, key=lambda s: -s[0])
    top, best, _ = scored[0]
    twins = {best.subject, best.source_id if best.sourced else ""}
    return [best] + [
        c
        for score, c, named in scored[1:]
        if score > 0 and (named or score >= top * (TWIN if {c.subject, c.source_id} & twins else AS_GOOD))
    ]


def _stated(claim: Claim) -> str:
    value = claim.value if isinstance(claim.value, str) else ", ".join(claim.value)
    return f"{value} per {claim.per}" if claim.per and claim.per != "unspecified" else value


def _joined(labels: tuple[str, ...]) -> str | None:
    return " ".join(labels) or None
