"""One verdict judged again from the archive, offline."""

from __future__ import annotations

import re
from datetime import datetime

from kb.app.base import KnowledgeBase
from kb.app.snapshots import chosen, find_capture
from kb.engine import Elsewhere, JudgedCapture, Memory, Unit, judge_unit
from kb.engine.elsewhere import NewestRead
from kb.errors import ArchiveError, UsageError
from kb.judging import Explained, Verdict, explained, stated_on
from kb.page import Page, read_body
from kb.reasons import Outcome
from kb.snapshots import Capture

_DIGEST = re.compile(r"(?:sha256:)?[0-9a-f]{4,64}", re.IGNORECASE)


def replay(kb: KnowledgeBase, name: str, id: str) -> Verdict:
    """Judge claim `id` on one capture of its source, as a build does.

    All earlier captures are judged too, as they decide from where a change is measured.

    Args:
        kb: the knowledge base.
        name: of the capture: a digest (`sha256:…`, or the first characters of its hexadecimal part) is the
            first with it, `DIGEST@TIME` the newest with it up to then; what else `kb snapshots`
            takes for a capture does, too. So the verdict on the same bytes is found for each day, as
            an older value may have been in force, or the claim held elsewhere.
        id: a claim that is no formula.

    Raises:
        UsageError: no such claim, or no such capture of its source.
        ArchiveError: the archive cannot give the body.
    """
    last = _judged(kb, name, id)[-1]
    look = Elsewhere(kb.claims, _read_of(kb), kb.archive.read, Memory(None))
    return look.told(last.capture, last.verdicts[0])


def replay_explained(kb: KnowledgeBase, name: str, id: str) -> tuple[Explained, ...]:
    """All that was in the race for the verdict that `replay` gives; nothing where the page was not read.

    Raises:
        UsageError, ArchiveError: as `replay`.
    """
    *before, last = _judged(kb, name, id)
    if last.unread is not None:
        return ()
    held = next((one for one in reversed(before) if one.verdicts[0].outcome is Outcome.HOLDS), None)
    claim = stated_on(kb.claims.claim(id), last.capture.time.date())
    page = _page(kb, last.capture)
    earlier = _page(kb, held.capture) if held is not None else None
    return explained(claim, page, earlier) if page is not None else ()


def _page(kb: KnowledgeBase, capture: Capture) -> Page | None:
    body = kb.archive.read(capture)
    page = None if body is None else read_body(body, capture.url, capture.content_type)
    return page if isinstance(page, Page) else None


def _judged(kb: KnowledgeBase, name: str, id: str) -> list[JudgedCapture]:
    """A claim on the capture of its source that is named, and on all before it."""
    claim = kb.claims.claim(id)
    source = kb.claims.source(claim.source_id or "")
    if claim.kind == "formula" or source.url is None:
        raise UsageError(f"{id} is judged on no capture; replay one of the claims that it rests on")
    captures = kb.archive.captures(source.url)
    wanted = _chosen(kb, captures, source.url, name)
    upto = captures[: captures.index(wanted) + 1]
    judged = judge_unit(Unit(source.url, (claim,), tuple(upto)), kb.archive.read)
    if not judged or judged[-1].capture != wanted:
        raise ArchiveError(f"the body of {wanted.digest} cannot be read; see kb snapshots verify")
    return judged


def _read_of(kb: KnowledgeBase) -> NewestRead:
    """Which capture of a page was the newest that can be read, found out by reading."""

    def newest(url: str, time: datetime) -> Capture | None:
        upto = tuple(c for c in kb.archive.captures(url) if c.time <= time)
        judged = judge_unit(Unit(url, (), upto), kb.archive.read)
        return next((one.capture for one in reversed(judged) if one.unread is None), None)

    return newest


def _chosen(kb: KnowledgeBase, captures: list[Capture], url: str, name: str) -> Capture:
    digest, _, when = name.partition("@")
    if not _DIGEST.fullmatch(digest):
        found = find_capture(kb, name)
        if found not in captures:
            what = f"{name} is a capture of {found.requested}, and the claim is about {url}"
            raise UsageError(f"{what}; see its own with kb snapshots list")
        return found
    start = f"sha256:{digest.removeprefix('sha256:').lower()}"
    with_it = [c for c in captures if c.digest.startswith(start)]
    if with_it:
        return chosen(with_it, digest, when) if when else with_it[0]
    known = ", ".join(sorted({c.digest[:19] for c in captures if c.digest}))
    if not known:
        raise UsageError(f"{url} has no capture with a body yet; kb check makes one")
    raise UsageError(f"no capture of {url} has the digest {digest}; name one of: {known}")
