"""An article's figures and dates as proposed claims, each under the source that the article names for it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from kb.app.article_cited import Citations
from kb.app.article_sources import READ, Named, linked_sources, listed_sources, with_ids
from kb.app.article_wording import SHORT, wording
from kb.app.audit import audit_page
from kb.app.audit_lines import places
from kb.app.audit_mention import Mention, Status
from kb.app.audit_read import read_article
from kb.app.audit_words import sentence_at
from kb.app.base import KnowledgeBase
from kb.app.figure_words import as_figure
from kb.app.incoming import Incoming, Unplaced, free, slug
from kb.claims import Claim, ClaimSet, Source
from kb.page import Page, Unread
from kb.page.links import Link, LinkedPage, read_linked
from kb.quantity import Date, Quantity, dates, quantities

LONGEST = 300
"""Characters of a sentence in a note."""

_LINKED = ("text/html", "text/markdown")
_YEAR = re.compile(r"(?:19|20)\d\d [^\W\d]")
_RESULT = re.compile(r"=\s*$")


@dataclass(frozen=True, slots=True)
class _Found:
    """A figure or date at a place of the article, and what it would state."""

    block: int
    start: int
    end: int
    kind: str
    value: str
    per: str | None
    quantity: Quantity | None


def propose_claims(kb: KnowledgeBase, path: Path) -> Incoming:
    """What an article states, as claims with `status: proposed` under the sources that it names.

    Its sources are those of its list or footnotes, those that its links lead to, and those of the
    base that its sentences name. A figure goes to the source of the nearest mark in its sentence, else
    to the one that the words around it name; where that may be two, it is left out and told.

    Raises:
        UsageError: the file cannot be opened.
        UnreadableError: it is nothing that kb reads.
    """
    linked, text = read_with_links(path)
    page = linked.page
    return _Proposer(kb.claims, page, linked.links, path.as_posix(), text, kb.today.isoformat()).incoming()


def read_with_links(path: Path) -> tuple[LinkedPage, str]:
    """An article with its links, and the text of its file (empty for PDF and Word).

    Raises:
        UsageError: the file cannot be opened.
        UnreadableError: it is nothing that kb reads.
    """
    page, text = read_article(path)
    if page.content_type in _LINKED and path.suffix.lower() not in (".txt", ".text", ""):
        linked = read_linked(text.encode(), path.name, page.content_type)
        if not isinstance(linked, Unread):
            return linked, text
    return LinkedPage(page, ((),) * len(page.blocks)), text


@dataclass
class _Proposer:
    claims: ClaimSet
    page: Page
    links: Sequence[tuple[Link, ...]]
    name: str
    text: str
    today: str
    unplaced: list[Unplaced] = field(default_factory=list)
    known: int = 0
    seen: set[tuple[str | None, ...]] = field(default_factory=set)
    taken: dict[str, set[str]] = field(default_factory=dict)

    def incoming(self) -> Incoming:
        """Sources and claims; a source of the list is there even without a claim."""
        listed = listed_sources(self.page, self.links)
        own = re.sub(r"^https?://", "", self.page.canonical or "").partition("/")[0]
        named = [*listed, *linked_sources(self.page, self.links, listed, own)]
        named = [replace(n, source=_of_the_past(n.source, self.today)) for n in named]
        known = {(s.url, s.title.casefold()) for s in self.claims.sources}
        more = [_of_base(s) for s in self.claims.sources if s.url or s.title]
        fresh = [n for n in named if (n.source.url, n.source.title.casefold()) not in known]
        same = [n for n in named if n not in fresh]
        named = [*with_ids(fresh), *(_with_names(m, same) for m in more)]
        citations = Citations(self.page, self.links, named)
        found = self._found({n.block for n in listed})
        lines = self._lines(found)
        claims: dict[str, list[Claim]] = {}
        spots: dict[str, str] = {}
        for one, line in zip(found, lines, strict=True):
            cited = citations.source_of(one.block, one.start, one.end)
            spot = f"{self.name}:{line}" if line else self.name
            if not cited.sources:
                self.unplaced.append(Unplaced(spot, self._around(one), cited.why))
            for id in cited.sources:
                claim = self._claim(one, citations.named[id].source, line)
                if claim is not None:
                    claims.setdefault(id, []).append(claim)
                    spots[claim.id or ""] = spot
        given = [n.source for n in named if claims.get(n.source.id) or n.block in {x.block for x in listed}]
        sources = [replace(s, claims=tuple(claims.get(s.id, ()))) for s in given if s.id not in self._ours]
        ours = [
            replace(s, claims=tuple(claims[s.id])) for s in given if s.id in self._ours and claims.get(s.id)
        ]
        all_of_them = (*sources, *ours)
        return Incoming(all_of_them, places=spots, unplaced=tuple(self.unplaced), known=self.known)

    @property
    def _ours(self) -> set[str]:
        return {s.id for s in self.claims.sources}

    def _found(self, listed: set[int | None]) -> list[_Found]:
        """The figures and dates of the article's own text, in its order, without what the base states."""
        stated = self._stated()
        out = []
        for number, block in enumerate(self.page.blocks):
            if number in listed or not block.visible or block.role != "content":
                continue
            if block.kind in ("heading", "title") or block.header:
                continue
            days = dates(block.text, self.page.lang)
            out += [f for d in days if (f := self._date(number, d)) is not None]
            header, row = " ".join(block.column) or None, " ".join(block.row) or None
            for q in quantities(block.text, header, row, self.page.lang):
                if not any(q.start < d.end and d.start < q.end for d in days):
                    figure = self._figure(number, q)
                    out += [figure] if figure else []
        out.sort(key=lambda f: (f.block, f.start, f.end))
        fresh = [f for f in out if (f.block, f.start) not in stated]
        self.known = len(out) - len(fresh)
        return fresh

    def _stated(self) -> set[tuple[int, int]]:
        """Places that a claim of the base backs already."""
        if not self.claims.claims:
            return set()
        numbers = {id(b): i for i, b in enumerate(self.page.blocks)}
        known = (Status.HOLDS, Status.DRIFTED, Status.DERIVED)
        return {
            (numbers[id(m.block)], m.start) for m in audit_page(self.page, self.claims) if m.status in known
        }

    def _date(self, number: int, day: Date) -> _Found | None:
        text = self.page.blocks[number].text
        if READ.search(text[: day.start]) or day.readings or not re.match(r"\d{4}", day.value):
            return None  # the day on which a person read the page states nothing of it
        return _Found(number, day.start, day.end, "date", day.value, None, None)

    def _figure(self, number: int, q: Quantity) -> _Found | None:
        block = self.page.blocks[number]
        if _RESULT.search(block.text[: q.start]):
            return None  # a sum of the article's own: its inputs are the claims
        if q.unit.startswith("count") and _YEAR.match(q.text):
            return None  # "the 2024 paper"
        figure = as_figure(block, q)
        if figure is None:
            return None
        return _Found(number, q.start, q.end, "figure", figure.value, figure.per, figure.quantity)

    def _lines(self, found: Sequence[_Found]) -> list[int]:
        """The line of each in the article's file; 0 where that cannot be told."""
        if not self.text:
            return [0] * len(found)
        blocks = self.page.blocks
        mentions = [
            Mention(f.kind, blocks[f.block].text[f.start : f.end], f.start, f.end, blocks[f.block], "")
            for f in found
        ]
        return [p.line if p else 0 for p in places(self.text, mentions)]

    def _around(self, one: _Found) -> str:
        """The sentence, or a table's row, cut to what a note can hold."""
        block = self.page.blocks[one.block]
        text = block.text
        if block.table is not None and len(text) <= SHORT and (block.row or block.column):
            return f"{' / '.join((*block.row, *block.column))}: {text}"
        low, high = sentence_at(text, one.start)
        if high - low > LONGEST:
            low = max(low, min(one.start - LONGEST // 2, high - LONGEST))
            return f"…{text[low : low + LONGEST].strip()}…"
        return text[low:high].strip()

    def _claim(self, one: _Found, source: Source, line: int) -> Claim | None:
        """The claim; None where the same is proposed already."""
        block = self.page.blocks[one.block]
        subject, attribute = wording(block, one.start, one.end, source.publisher)
        subject = subject or source.title or source.publisher
        spot = f"{self.name}:{line}" if line else self.name
        content = (source.id, one.kind, one.value, one.per, subject.casefold())
        if content in self.seen:
            return None
        self.seen.add(content)
        name = free(slug(f"{subject} {attribute}", 6), self.taken.setdefault(source.id, set()))
        self.taken[source.id].add(name)
        return Claim(
            id=f"{source.id}.{name}",
            subject=subject,
            attribute=attribute,
            kind=one.kind,
            value=one.value,
            quantity=one.quantity,
            per=one.per,
            retrieved=source.retrieved,
            note=f"{spot}: {self._around(one)}",
            status="proposed",
            source_id=source.id,
            file=source.file,
        )


def _of_the_past(source: Source, today: str) -> Source:
    """Without days that are yet to come: nobody read or published anything then."""
    retrieved = source.retrieved if source.retrieved and source.retrieved <= today else None
    published = source.published
    if published and published > today[: len(published)]:
        published = None
    return replace(source, retrieved=retrieved, published=published)


def _of_base(source: Source) -> Named:
    return Named(replace(source, claims=()), None, frozenset(), f"{source.publisher} {source.title}")


def _with_names(of_base: Named, same: Sequence[Named]) -> Named:
    """A source of the base with the marks by which the article's list calls it."""
    source = of_base.source
    key = (source.url, source.title.casefold())
    names = [n.names for n in same if (n.source.url, n.source.title.casefold()) == key]
    return replace(of_base, names=frozenset().union(*names))
