"""Captures looked at: found by a person's words, shown as text, and compared."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING

from kb.app.base import KnowledgeBase
from kb.errors import UsageError
from kb.page import Page, Unread
from kb.snapshots import Capture

if TYPE_CHECKING:
    from kb.app.page_diff import Change

_DIGEST = re.compile(r"(?:sha256:)?([0-9a-f]{6,64})$")
_AT = re.compile(r"(.+)@(-\d+|\d{4}-\d\d-\d\d(?:T[0-9:.]+Z?)?)$")


@dataclass(frozen=True, slots=True)
class Seen:
    """A capture with what kb reads in it, and the sources that it belongs to.

    `instead` is what a person reads where it is not the page: a wall's words, as an example.
    """

    capture: Capture
    page: Page | Unread
    sources: tuple[str, ...]
    instead: Page | None = None


@dataclass(frozen=True, slots=True)
class Compared:
    """Two captures and what differs; `unread` says of each why it could not be read, None where it was."""

    before: Capture
    after: Capture
    same_bytes: bool
    changes: tuple[Change, ...] = ()
    unread: tuple[Unread | None, Unread | None] = (None, None)


def sources_by_url(kb: KnowledgeBase) -> dict[str, list[str]]:
    """Ids of sources by URL; faulty claims files are left out."""
    from kb.claims import read_claims

    found: dict[str, list[str]] = {}
    for source in read_claims(kb.root, kb.today)[0]:
        if source.url:
            found.setdefault(source.url, []).append(source.id)
    return found


def listed(kb: KnowledgeBase, words: str | None, until: datetime | None = None) -> list[Capture]:
    """Captures of a source, a URL or everything, sorted by time.

    Raises:
        UsageError: no source and no capture is so named.
    """
    if words is None:
        found = kb.archive.captures()
    else:
        found = kb.archive.captures(url_named(kb, words))
    return [c for c in found if until is None or c.time <= until]


def find_capture(kb: KnowledgeBase, words: str, until: datetime | None = None) -> Capture:
    """The capture that `words` name.

    A digest (or its first six digits or more) gives the newest capture with it; a source's id or a URL
    its newest capture; `NAME@2026-11-30` the newest up to the end of that day, or up to that second with
    a time; `NAME@-1` the one before the newest.

    Raises:
        UsageError: nothing is so named; the message says what would be right.
    """
    at = _AT.match(words)
    name = at[1] if at else words
    captures = _with_digest(kb, name, until) or listed(kb, name, until)
    if at:
        return chosen(captures, name, at[2])
    if not captures:
        raise UsageError(f"{words} has no capture yet; kb check makes one")
    return captures[-1]


def _with_digest(kb: KnowledgeBase, words: str, until: datetime | None) -> list[Capture]:
    """The captures whose digest starts so; none where that is no digest."""
    digest = _DIGEST.match(words)
    if not digest:
        return []
    captures = [c for c in kb.archive.captures() if c.digest.startswith(f"sha256:{digest[1]}")]
    captures = [c for c in captures if until is None or c.time <= until]
    if len({c.digest for c in captures}) > 1:
        raise UsageError(f"{words} is the start of several digests; give more of it")
    return captures


def chosen(captures: Sequence[Capture], name: str, when: str) -> Capture:
    """The capture that `when` picks: the newest up to a day's end or a second, or so many before the newest.

    Raises:
        UsageError: there is none; `name` is what the captures are called by.
    """
    if when.startswith("-"):
        back = int(when)
        if len(captures) < 1 - back:
            raise UsageError(
                f"{name} has {len(captures)} captures, not {1 - back}; see kb snapshots list {name}"
            )
        return captures[back - 1]
    moment = _moment(when)
    captures = [c for c in captures if c.time <= moment]
    if not captures:
        raise UsageError(f"{name} has no capture up to {when}; see kb snapshots list {name}")
    return captures[-1]


def seen(kb: KnowledgeBase, capture: Capture) -> Seen:
    """Read a capture as `kb build` does.

    Raises:
        ArchiveError: its body cannot be read.
    """
    sources = tuple(sources_by_url(kb).get(capture.requested, ()))
    page = _read(kb, capture)
    instead = None
    if isinstance(page, Unread) and capture.length:
        from kb.page import read_body  # start-up time

        said = read_body(kb.archive.body(capture), capture.url, capture.content_type)
        instead = None if isinstance(said, Unread) else said
    return Seen(capture, page, sources, instead)


def compared(kb: KnowledgeBase, before: Capture, after: Capture) -> Compared:
    """Compare what people see on two captures.

    Raises:
        ArchiveError: a body cannot be read.
    """
    if before.digest and before.digest == after.digest:
        return Compared(before, after, True)
    old, new = _read(kb, before), _read(kb, after)
    if isinstance(old, Unread) or isinstance(new, Unread):
        unread = (old if isinstance(old, Unread) else None, new if isinstance(new, Unread) else None)
        return Compared(before, after, False, (), unread)
    from kb.app.page_diff import page_diff  # start-up time

    return Compared(before, after, False, tuple(page_diff(old, new)))


def last_two(captures: Sequence[Capture], words: str) -> tuple[Capture, Capture]:
    """The newest capture that was answered, and the newest before it with another body.

    Raises:
        UsageError: there are no two such.
    """
    answered = [c for c in captures if c.reason is None and c.digest]
    for earlier in reversed(answered[:-1]):
        if earlier.digest != answered[-1].digest:
            return earlier, answered[-1]
    if len(answered) > 1:
        raise UsageError(f"all {len(answered)} captures of {words} have the same bytes; it never changed")
    raise UsageError(f"{words} has no two captures to compare; name two: kb snapshots diff A B")


def source_urls(kb: KnowledgeBase) -> list[str]:
    """The URLs that sources have."""
    return list(sources_by_url(kb))


def titles(kb: KnowledgeBase) -> dict[str, str]:
    """Titles of sources by URL."""
    from kb.claims import read_claims

    return {s.url: s.title for s in read_claims(kb.root, kb.today)[0] if s.url and s.title}


def of_sources(kb: KnowledgeBase, words: Iterable[str], until: datetime | None = None) -> list[Capture]:
    """Captures of several sources or URLs (of all where none is named), each once, sorted by time."""
    named = list(words)
    if not named:
        return listed(kb, None, until)
    found = {(c.file, c.offset, c.requested): c for name in named for c in listed(kb, name, until)}
    return sorted(found.values(), key=lambda c: (c.time, c.file, c.offset))


def url_named(kb: KnowledgeBase, words: str) -> str:
    """The URL that a source's id or a URL names.

    Raises:
        UsageError: no source and no capture is so named.
    """
    by_url = sources_by_url(kb)
    for url, ids in by_url.items():
        if words in ids:
            return url
    if words in by_url or kb.archive.captures(words):
        return words
    import difflib

    near = difflib.get_close_matches(words, [id for ids in by_url.values() for id in ids], 1)
    hint = f'; did you mean "{near[0]}"?' if near else "; see kb snapshots list"
    raise UsageError(f'no source and no captured URL is called "{words}"{hint}')


def _moment(words: str) -> datetime:
    try:
        if "T" not in words:
            return datetime.combine(date.fromisoformat(words), time.max, tzinfo=UTC)
        moment = datetime.fromisoformat(words)
    except ValueError as error:
        raise UsageError(f'"{words}" is no time; write it as 2026-11-30 or 2026-11-30T17:00:00Z') from error
    moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment
    whole = "." not in words  # a time to the second means that second to its end
    return moment + timedelta(microseconds=999_999) if whole else moment


def _read(kb: KnowledgeBase, capture: Capture) -> Page | Unread:
    if capture.reason is not None:
        return Unread(capture.reason, capture.detail)
    from kb.page import read_response  # start-up time

    return read_response(
        status=capture.status if capture.status is not None else 200,
        headers=dict(capture.headers),
        requested=capture.requested,
        url=capture.url,
        body=kb.archive.body(capture),
    )
