"""The drift report as an Atom feed (RFC 4287): an entry for each confirmed change."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from kb.report import words
from kb.report.entry import change_entry
from kb.report.html import render_entry
from kb.report.summary import Summary, last_told
from kb.report.xml import add, document
from kb.store import ClaimNow, EventNow

if TYPE_CHECKING:
    from datetime import datetime

SPACE = "http://www.w3.org/2005/Atom"
_NAMES = uuid.UUID("6a1f7f9c-7c1e-5d7b-9d0a-3d1f0c1b5e2e")
"""The name space of this program's own identifiers, drawn once."""


@dataclass(frozen=True, slots=True)
class Published:
    """A feed on a public site: of what, where it lies itself, and where its entries' claims have pages.

    Readers of such a feed are not those who settle a change, so commands are left out.
    """

    of: str
    address: str
    page: str
    claims: str


def render_atom(summary: Summary, published: Published | None = None) -> str:
    """The feed: newest told first; an entry keeps its id when it is updated, closed or reopened."""
    feed = ElementTree.Element("feed", {"xmlns": SPACE, "xml:lang": "en"})
    events = sorted(summary.events, key=last_told, reverse=True)
    add(
        feed,
        "id",
        _urn(f"{words.plain(summary.kb)} feed {published.of}" if published else words.plain(summary.kb)),
    )
    add(feed, "title", f"Drift report: {words.plain((published.of if published else '') or summary.kb)}")
    if published is None:
        add(feed, "subtitle", words.headline(summary))
    add(feed, "updated", _time(last_told(events[0]).isoformat() if events else _newest(summary)))
    add(add(feed, "author"), "name", words.plain(summary.kb) or "kb")
    add(feed, "generator", "kb")
    if published:
        add(feed, "link", rel="self", type="application/atom+xml", href=_address(published.address))
        add(feed, "link", rel="alternate", type="text/html", href=_address(published.page))
    claims = {c.id: c for c in summary.claims}
    for event in events:
        _entry(feed, event, claims[event.claim], summary, published)
    return document(feed)


def feed_summary(kb: str, now: datetime, changes: Sequence[tuple[EventNow, ClaimNow]]) -> Summary:
    """What a feed of `changes` is made of, without asking for every claim."""
    claims = {c.id: c for _, c in changes}
    return Summary(
        kb=kb,
        now=now,
        claims=tuple(claims.values()),
        events=tuple(e for e, _ in changes),
        open={e.claim: e for e, _ in changes if e.closed is None},
        sources=(),
    )


def _entry(
    feed: ElementTree.Element,
    event: EventNow,
    claim: ClaimNow,
    summary: Summary,
    published: Published | None,
) -> None:
    entry = change_entry(claim, event, summary)
    if published:
        entry = replace(entry, actions=())
    node = add(feed, "entry")
    add(node, "id", _urn(f"{words.plain(summary.kb)} {event.id}"))
    state = "closed: " if event.closed else ""
    add(node, "title", f"{state}{entry.title}: {entry.stated}, found {entry.found}")
    add(node, "published", _time(event.opened))
    add(node, "updated", _time(last_told(event).isoformat()))
    if published:
        add(node, "link", rel="alternate", type="text/html", href=_address(f"{published.claims}{claim.id}"))
    if entry.link:
        add(node, "link", rel="via" if published else "alternate", href=_address(entry.link))
    add(node, "category", term=event.verdict)
    add(node, "category", term="closed" if event.closed else "open")
    add(node, "content", render_entry(entry), type="html")


def _urn(name: str) -> str:
    return uuid.uuid5(_NAMES, name.encode("utf-8", "replace").decode()).urn


def _newest(summary: Summary) -> str:
    """When there is no event: the newest capture; else the time of the report itself."""
    return max((c.captured for c in summary.claims if c.captured), default=summary.now.isoformat())


def _time(time: str) -> str:
    from datetime import UTC, datetime  # the one place that needs them

    return f"{datetime.fromisoformat(time).astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


def _address(link: str) -> str:
    """The address with what no IRI may have in it written as `%XX`."""
    from urllib.parse import quote  # start-up time

    return quote(link, safe="%/:=&?~#+!$,;'@()*[]-._")
