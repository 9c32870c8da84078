"""Make kb.db from claims/ and snapshots/: a pure function of the two."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime

from kb.app.base import KnowledgeBase
from kb.app.extend import Extended, extend, note
from kb.app.newest import newest_read
from kb.app.texts import page_texts
from kb.claims import Claim, ClaimSet, Source, formula_inputs
from kb.engine import (
    Elsewhere,
    Judged,
    JudgedCapture,
    Memory,
    Unit,
    derive,
    judge_units,
    siblings,
)
from kb.errors import Problem, StoreError
from kb.judging import Verdict
from kb.judging.stated import as_of, retrieved_later
from kb.reasons import Outcome
from kb.snapshots import Capture
from kb.store import BuildInput, Seen, open_rows, write_database

Progress = Callable[[int, int], None]
"""Told how many URLs are judged, and of how many."""


@dataclass(frozen=True, slots=True)
class Built:
    """What a build did.

    Attributes:
        captures: that were judged, of any source: all, or the new ones where it went on.
        verdicts: written.
        problems: what the archive complained of.
        differing: claims that the last build judged otherwise on the very same capture, with
            what it said and what is said now: the claims or the judge have changed since.
        not_yet: with `until`, claims that were not stated yet: retrieved later, or calculated from such.
        went_on: whether the rows were added to those that were there.
    """

    captures: int
    verdicts: int
    problems: tuple[str, ...]
    differing: tuple[tuple[str, str, str], ...] = ()
    not_yet: int = 0
    went_on: bool = False


def build(
    kb: KnowledgeBase,
    *,
    until: datetime | None = None,
    jobs: int | None = None,
    progress: Progress | None = None,
    claims: ClaimSet | None = None,
    go_on: bool = False,
) -> Built:
    """Judge the archive anew and swap in the database.

    Args:
        kb: the knowledge base.
        until: leave out later captures, and what `was` and `accepted` say of later days.
        jobs: processes that read and judge.
        progress: told after each URL.
        claims: those to judge, where not all (faulty files left out).
        go_on: where the database follows from what was there before, add only what is new; it
            has the same rows then.

    Raises:
        ClaimsError: the claims files have errors.
        ArchiveError: the archive cannot be read.
        StoreError: the database cannot be written.
    """
    claims = claims or kb.claims
    before = _present(kb)
    if go_on and until is None and (added := _added(kb, claims, jobs)) is not None:
        return Built(
            captures=added.captures,
            verdicts=added.verdicts,
            problems=tuple(str(p) for p in kb.archive.problems),
            differing=tuple(_differing(before, _present(kb))),
            went_on=True,
        )
    if until is not None:
        claims = claims_as_of(claims, until.astimezone(UTC).date())
    files = kb.archive.files()
    captures = [c for c in kb.archive.captures() if until is None or c.time <= until]
    units, others = _units(claims, captures)
    seen: dict[str, list[Seen]] = {}
    for capture in others:
        seen.setdefault(capture.requested, []).append(Seen(capture))
    written = 0

    def verdicts() -> Iterator[tuple[str, Capture, Verdict]]:
        """All verdicts, a URL at a time, so that memory holds no more; `seen` is filled on the way."""
        nonlocal written
        bases: dict[str, list[Judged]] = {
            i: [] for c in claims.claims for i in formula_inputs(c.formula or "")
        }
        related = siblings(claims)
        missed: list[Judged] = []  # what other sources say of it is known when all are read
        answers = zip(units, judge_units(units, kb.snapshots, jobs, kb.memory), strict=True)
        for number, (unit, judged) in enumerate(answers, 1):
            if len(judged) < len(unit.captures):
                _tell_what_is_lost(kb, unit, judged)
            seen[unit.url] = [_seen(one) for one in judged]
            for at, claim in enumerate(unit.claims):
                id = claim.id or ""
                if id in bases:
                    bases[id] += ((one.capture, one.verdicts[at]) for one in judged)
                for one in judged:
                    if id in related and one.verdicts[at].outcome is Outcome.GONE:
                        missed.append((one.capture, one.verdicts[at]))
                    else:
                        yield id, one.capture, one.verdicts[at]
                written += len(judged)
            if progress:
                progress(number, len(units))
        with Memory(kb.memory) as memory:
            look = Elsewhere(claims, newest_read(seen), kb.archive.read, memory, related)
            yield from ((v.id or "", capture, look.told(capture, v)) for capture, v in missed)
            bases = {i: [(c, look.told(c, v)) for c, v in its] for i, its in bases.items()}
            memory.keep()
        for id, its in derive(claims, bases).items():
            yield from ((id, capture, verdict) for capture, verdict in its)
            written += len(its)

    stamp = write_database(
        kb.database,
        BuildInput(
            sources=claims.sources,
            captures=seen,
            verdicts=verdicts(),
            confirm=kb.confirm,
            every=kb.settings.every,
            mode=kb.settings.captures,
            texts=page_texts(kb, claims, seen),
            name=kb.root.resolve().name,
        ),
    )
    if until is None:
        note(kb, claims, captures, files, stamp)
    return Built(
        captures=len(captures),
        verdicts=written,
        problems=tuple(str(p) for p in kb.archive.problems),
        differing=tuple(_differing(before, _present(kb))),
        not_yet=len(_not_yet(claims, until.astimezone(UTC).date())) if until is not None else 0,
    )


def forget(kb: KnowledgeBase) -> None:
    """Delete what was remembered of reading and judging, so that a build makes it all again.

    Raises:
        StoreError: the file cannot be deleted.
    """
    try:
        kb.memory.unlink(missing_ok=True)
    except OSError as error:
        raise StoreError(f"{kb.memory} cannot be deleted ({error.strerror}); move it away") from error


def claims_as_of(claims: ClaimSet, day: date) -> ClaimSet:
    """All claims, each with what it stated at the end of `day`."""
    return ClaimSet(replace(s, claims=tuple(as_of(c, day) for c in s.claims)) for s in claims.sources)


def _not_yet(claims: ClaimSet, day: date) -> set[str]:
    waiting = [c.id or "" for c in claims.claims if retrieved_later(c, day)]
    later = set(waiting)
    while waiting:
        new = {c.id or "" for c in claims.dependents(waiting.pop())} - later
        later |= new
        waiting += new
    return later


def _tell_what_is_lost(kb: KnowledgeBase, unit: Unit, judged: list[JudgedCapture]) -> None:
    """Let this process's archive find what a worker's found, so that it is told."""
    there = {(one.capture.file, one.capture.offset) for one in judged}
    for capture in unit.captures:
        if (capture.file, capture.offset) not in there:
            kb.archive.read(capture)


def _added(kb: KnowledgeBase, claims: ClaimSet, jobs: int | None) -> Extended | None:
    """What was added to the database; None where all is to be built anew."""
    try:
        return extend(kb, claims, jobs)
    except StoreError:
        return None  # a damaged database, or a full disk, which the whole build tells of


def _present(kb: KnowledgeBase) -> dict[str, tuple[str, str, str, str]]:
    try:
        with open_rows(kb.database) as rows:
            return rows.present()
    except StoreError:
        return {}  # none yet, or another version's


def _differing(
    before: dict[str, tuple[str, str, str, str]], now: dict[str, tuple[str, str, str, str]]
) -> Iterator[tuple[str, str, str]]:
    for id, (capture, *said) in now.items():
        old = before.get(id)
        if old is not None and old[0] == capture and list(old[1:]) != said:
            yield id, _told(old[1:]), _told(said)


def _told(said: Sequence[str]) -> str:
    verdict, reason, found = said
    return f"{verdict} ({reason})" + (f" {found}" if found else "")


def _units(claims: ClaimSet, captures: list[Capture]) -> tuple[list[Unit], list[Capture]]:
    """What is to be judged, one unit for each URL, and the captures that belong to no source."""
    wanted: dict[str, list[Claim]] = {}
    for source in claims.sources:
        if source.url:
            wanted.setdefault(source.url, []).extend(_judged(source))
    taken: dict[str, list[Capture]] = {url: [] for url in wanted}
    others = []
    for capture in captures:
        if capture.requested in taken:
            taken[capture.requested].append(capture)
        else:
            others.append(capture)
    return [Unit(url, tuple(wanted[url]), tuple(its)) for url, its in taken.items() if its], others


def _judged(source: Source) -> Iterator[Claim]:
    return (c for c in source.claims if c.kind != "formula") if source.fetched else iter(())


def _seen(one: JudgedCapture) -> Seen:
    why = one.unread
    return Seen(one.capture, why.reason, why.detail) if why else Seen(one.capture)


def claims_of(kb: KnowledgeBase, keep_going: bool) -> tuple[ClaimSet, tuple[Problem, ...]]:
    """The claims, and with `keep_going` those of the faultless files with what is wrong in the others.

    Raises:
        ClaimsError: there are errors, and `keep_going` is not asked for.
    """
    if not keep_going:
        return kb.claims, ()
    from kb.claims import read_claims

    sources, problems = read_claims(kb.root, kb.today)
    return ClaimSet(sources), tuple(p for p in problems if p.level == "error")
