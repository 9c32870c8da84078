"""Archived copies by the Memento protocol (RFC 7089): a TimeGate, or else a TimeMap."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import format_datetime, parsedate_to_datetime
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from kb.reasons import Reason
from kb.snapshots.capture import Exchange

if TYPE_CHECKING:
    from kb.fetch.client import Fetcher
    from kb.fetch.settings import FetchRequest

MAPS = 5
"""Pages of a TimeMap that are read for one address."""

_LINK = re.compile(
    r'<([^<>]*)>((?:\s*;\s*[\w!#$&+.^`|~*-]+\s*(?:=\s*(?:"[^"]*"|[^\s",;]+))?)*)\s*(?:,|$)', re.S
)
_PARAMETER = re.compile(r';\s*([\w-]+)\s*=\s*(?:"([^"]*)"|([^\s",;]+))')
_STAMPED = re.compile(r"/(\d{14})(?:[a-z]{2}_)?/(?=\w+:)")


@dataclass(frozen=True, slots=True)
class Link:
    """One link of a Link header or a TimeMap."""

    url: str
    relations: tuple[str, ...]
    time: datetime | None = None
    since: datetime | None = None
    until: datetime | None = None


def links(text: str, base: str = "") -> Iterator[Link]:
    """Read links in the form of RFC 8288, which a TimeMap has too.

    >>> [link.relations for link in links('<http://a.example/>; rel="original", <b>; rel="first memento"')]
    [('original',), ('first', 'memento')]
    """
    for match in _LINK.finditer(text):
        given = {name.lower(): quoted or bare for name, quoted, bare in _PARAMETER.findall(match.group(2))}
        yield Link(
            url=urljoin(base, match.group(1).strip()) if base else match.group(1).strip(),
            relations=tuple(given.get("rel", "").lower().split()),
            time=http_date(given.get("datetime", "")),
            since=http_date(given.get("from", "")),
            until=http_date(given.get("until", "")),
        )


def http_date(text: str) -> datetime | None:
    """A date of HTTP; None where there is none."""
    try:
        found = parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)


def raw_copy(address: str) -> str:
    """The address of the copy without banner and rewritten links, by the usual form of such addresses.

    >>> raw_copy("https://archive.example/web/20260101000000/https://site.example/a")
    'https://archive.example/web/20260101000000id_/https://site.example/a'
    """
    return _STAMPED.sub(r"/\1id_/", address, count=1)


def copied_at(memento: str) -> datetime | None:
    """When an archived copy was made, by what `Exchange.memento` says; None where it says nothing.

    >>> copied_at("https://archive.example/a of 2026-03-01T04:05:06Z")
    datetime.datetime(2026, 3, 1, 4, 5, 6, tzinfo=datetime.timezone.utc)
    """
    try:
        return datetime.fromisoformat(memento.rpartition(" of ")[2])
    except ValueError:
        return None


async def archived(fetcher: Fetcher, request: FetchRequest) -> Exchange:
    """The copy nearest to `request.at` (None: now), as an exchange of the original address.

    Archives are asked with the same manners and limits as any site.
    """
    when = request.at or fetcher.clock()
    found = await _ask(fetcher, fetcher.settings.timegate + request.url, when)
    if found.reason is None and not _is_memento(found):
        # Some gates answer with a page of their own around the copy, and name the copy in a link.
        nearest = _named(found) or await _nearest(fetcher, request.url, when)
        if nearest is None:
            return replace(
                found,
                requested=request.url,
                url=request.url,
                body=b"",
                reason=Reason.NOT_FOUND,
                detail="the archive has no copy of it",
                via="memento",
            )
        found = await _ask(fetcher, nearest)
    plain = raw_copy(found.url)
    if _is_memento(found) and plain != found.url:
        original = await _ask(fetcher, plain)
        if _is_memento(original):
            found = original
    return _of_the_original(found, request.url)


def _is_memento(exchange: Exchange) -> bool:
    return exchange.reason is None and exchange.status == 200 and bool(_header(exchange, "memento-datetime"))


def _of_the_original(found: Exchange, requested: str) -> Exchange:
    if found.reason is None and not _is_memento(found):
        found = replace(
            found,
            body=b"",
            reason=Reason.NOT_FOUND,
            detail=f"the archive answered {found.status} without a copy",
        )
    time = http_date(_header(found, "memento-datetime"))
    original = next(
        (k.url for k in links(_header(found, "link"), found.url) if "original" in k.relations), requested
    )
    memento = f"{found.url} of {time:%Y-%m-%dT%H:%M:%SZ}" if time and found.reason is None else ""
    return replace(found, requested=requested, url=original, via="memento", memento=memento)


def _header(exchange: Exchange, wanted: str) -> str:
    return ", ".join(value for name, value in exchange.headers if name.lower() == wanted)


def _named(gate: Exchange) -> str | None:
    if gate.status != 200:
        return None
    return next((k.url for k in links(_header(gate, "link"), gate.url) if "memento" in k.relations), None)


async def _ask(fetcher: Fetcher, address: str, when: datetime | None = None) -> Exchange:
    from kb.fetch.client import Visit
    from kb.fetch.settings import FetchRequest

    # Only the gate is told the date: another address that hears it may take itself for a gate.
    stamp = (("Accept-Datetime", format_datetime(when.astimezone(UTC), usegmt=True)),) if when else ()
    visit = Visit(fetcher, FetchRequest(address), headers=stamp)
    try:
        return await visit.run()
    finally:
        visit.release()


async def _nearest(fetcher: Fetcher, url: str, when: datetime) -> str | None:
    """The copy nearest in time, by the archive's TimeMap and its further pages."""
    waiting, seen = [fetcher.settings.timemap + url], 0
    best: tuple[float, str] | None = None
    while waiting and seen < MAPS:
        address = waiting.pop(0)
        seen += 1
        answer = await _ask(fetcher, address)
        if answer.reason is not None or answer.status != 200:
            continue
        for link in links(answer.body.decode("utf-8", "replace"), answer.url):
            if "memento" in link.relations and link.time is not None:
                away = abs((link.time - when).total_seconds())
                best = min(best, (away, link.url)) if best else (away, link.url)
            elif "timemap" in link.relations and link.url not in (address, answer.url):
                inside = link.since and link.until and link.since <= when <= link.until
                waiting.insert(0 if inside else len(waiting), link.url)
    return best[1] if best else None
