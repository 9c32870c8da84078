"""Which captures nothing hangs on, as the verdicts on them say."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from kb.app.base import KnowledgeBase
from kb.app.newest import newest_read
from kb.app.snapshots import url_named
from kb.claims import Claim
from kb.engine import Elsewhere, JudgedCapture, Memory, Unit, judge_units
from kb.snapshots import Capture
from kb.snapshots.prune import Policy, place, prunable
from kb.store import Seen


def prune_plan(kb: KnowledgeBase, policy: Policy, now: datetime, words: str | None = None) -> list[Capture]:
    """The captures that may go, of one source or URL or of all: see `kb.snapshots.prune`.

    Captures say the same when all verdicts on them are equal. Each page is judged once more without what
    would go, and where any verdict on what stays would be another, everything of that page stays.

    Raises:
        ClaimsError: the claims files have errors, so it is not known what hangs on a capture.
        ArchiveError: a body cannot be read.
    """
    captures = kb.archive.captures()
    units, judged_now, look, sought = _judged(kb, captures)
    states = {place(one.capture): _says(one, look) for one in judged_now}
    gone = prunable(
        captures,
        now,
        policy,
        lambda c: states.get(place(c), c.digest or str(c.reason)),
        _tries_now(units, states) | sought,
    )
    if words is not None:
        url = url_named(kb, words)
        gone = [c for c in gone if c.requested == url]
    leaving = {place(c) for c in gone}
    affected = [unit for unit in units if any(place(c) in leaving for c in unit.captures)]
    after = [replace(u, captures=tuple(c for c in u.captures if place(c) not in leaving)) for u in affected]
    for unit, judged in zip(after, judge_units(after, kb.snapshots), strict=True):
        if any(_says(one, look) != states[place(one.capture)] for one in judged):
            gone = [c for c in gone if c.requested != unit.url]
    return gone


def _tries_now(units: Sequence[Unit], states: Mapping[tuple[str, int], Hashable]) -> set[tuple[str, int]]:
    """The captures after the last one that was read: they are told as so many tries since then."""
    places: set[tuple[str, int]] = set()
    for unit in units:
        for capture in reversed(unit.captures):
            said = states.get(place(capture))
            if not isinstance(said, tuple) or said[0] is None:
                break
            places.add(place(capture))
    return places


def _judged(
    kb: KnowledgeBase, captures: Sequence[Capture]
) -> tuple[list[Unit], list[JudgedCapture], Elsewhere, set[tuple[str, int]]]:
    """What is judged, the answers, who seeks lost values elsewhere, and the captures looked into for it."""
    claims: dict[str, list[Claim]] = {}
    for source in kb.claims.sources:
        if source.url and source.fetched:
            claims.setdefault(source.url, []).extend(c for c in source.claims if c.kind != "formula")
    its: dict[str, list[Capture]] = {}
    for capture in captures:
        if claims.get(capture.requested):
            its.setdefault(capture.requested, []).append(capture)
    units = [Unit(url, tuple(claims[url]), tuple(row)) for url, row in its.items()]
    answers = [one for judged in judge_units(units, kb.snapshots) for one in judged]
    seen: dict[str, list[Seen]] = {}
    for one in answers:
        seen.setdefault(one.capture.requested, []).append(
            Seen(one.capture, one.unread.reason if one.unread else None)
        )
    newest, sought = newest_read(seen), set[tuple[str, int]]()

    def noted(url: str, time: datetime) -> Capture | None:
        capture = newest(url, time)
        if capture is not None:
            sought.add(place(capture))
        return capture

    return units, answers, Elsewhere(kb.claims, noted, kb.archive.read, Memory(None)), sought


def _says(judged: JudgedCapture, look: Elsewhere) -> Hashable:
    """What one capture says of all claims, apart from where on the page."""
    unread = judged.unread.reason if judged.unread else None
    said = (look.told(judged.capture, v) for v in judged.verdicts)
    return unread, tuple((v.id, v.outcome, v.reason, v.found) for v in said)
