"""The sources behind an article: those of the claims that it states, and those that it lists or links to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from kb.app.article_sources import address_key, linked_sources, listed_sources
from kb.app.audit import audit_page
from kb.app.audit_mention import Status
from kb.app.audit_words import words_of
from kb.app.base import KnowledgeBase
from kb.app.from_article import read_with_links
from kb.claims import Source

ALIKE = 0.6
"""The part of the words of two titles that must be the same, where the titles are not."""

_BACKING = (Status.HOLDS, Status.DRIFTED, Status.DERIVED)


@dataclass(frozen=True, slots=True)
class Cited:
    """What an article stands on.

    Attributes:
        claims: the ids of the claims that it states, in its order.
        listed: the sources that it lists or links to, in its order.
        unknown: the entries of its list that no claims file has, in its words.
    """

    claims: tuple[str, ...]
    listed: tuple[Source, ...]
    unknown: tuple[str, ...]


def cited_in(kb: KnowledgeBase, article: Path) -> Cited:
    """The claims and sources behind an article.

    Raises:
        UsageError: the file cannot be opened.
        UnreadableError: it is nothing that kb reads.
    """
    linked, _ = read_with_links(article)
    mentions = audit_page(linked.page, kb.claims)
    stated = [i for m in mentions if m.status in _BACKING and m.claims for i in (m.claims[0], *m.together)]
    if any(m.derived_from for m in mentions):
        stated += [i for m in mentions if m.derived_from for i in m.claims]
    in_list = listed_sources(linked.page, linked.links)
    named = [*in_list, *linked_sources(linked.page, linked.links, in_list)]
    known = [_same(one.source, kb.claims.sources) for one in named]
    unknown = [n.words for n, source in zip(named, known, strict=True) if source is None and n in in_list]
    found = tuple(source for source in known if source is not None)
    return Cited(tuple(dict.fromkeys(stated)), found, tuple(unknown))


def _same(named: Source, sources: Sequence[Source]) -> Source | None:
    """The base's source that an article means: by its address, its title, or most words of both."""
    if named.url:
        by_url = [s for s in sources if s.url and address_key(s.url) == address_key(named.url)]
        if by_url:
            return _nearest(named, by_url)
    titled = [s for s in sources if s.title and s.title.casefold() == named.title.casefold()]
    if titled:
        return _nearest(named, titled)
    best = _nearest(named, sources)
    return best if best is not None and _alike(named, best) >= ALIKE else None


def _nearest(named: Source, sources: Sequence[Source]) -> Source | None:
    """Of some sources the one whose publisher, title and day are most like the named one's."""
    return max(sources, key=lambda s: (_alike(named, s), s.published == named.published), default=None)


def _alike(one: Source, other: Source) -> float:
    ours, theirs = _words(one), _words(other)
    return len(ours & theirs) / len(ours | theirs) if ours | theirs else 0.0


def _words(source: Source) -> set[str]:
    return {*words_of(source.title or ""), *words_of(source.publisher or "")}
