"""Bring kb.db up to date with new captures, without going through all that was there before.

What the database was made from is noted beside it, with the memory of what was read
and judged. Where only captures were added, or a few claims edited, the rows that
follow are written into a copy; where anything else differs, or the note is not
there or is about another file, all is built anew. Both give the same rows.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any

from kb.app.base import KnowledgeBase
from kb.app.newest import newest_read, read_before
from kb.app.texts import page_texts
from kb.claims import Claim, ClaimSet, Source, formula_inputs
from kb.engine import (
    Elsewhere,
    Judged,
    Memory,
    Unit,
    can_go_on,
    derive,
    judge_units,
    place,
    siblings,
    siblings_name,
)
from kb.engine.memory import key
from kb.judging import Verdict, verdict_from_json
from kb.snapshots import Capture
from kb.store import (
    BuildInput,
    Extension,
    Seen,
    Stamp,
    extend_database,
    judged_before,
    open_rows,
    stamp_of,
)


@dataclass(frozen=True, slots=True)
class Extended:
    """What was added: verdicts, and captures of all sources."""

    verdicts: int
    captures: int


def note(
    kb: KnowledgeBase,
    claims: ClaimSet,
    captures: Iterable[Capture],
    files: Mapping[str, Sequence[int]],
    stamp: Stamp,
) -> None:
    """Note what kb.db was just made from, so that the next build may go on from there.

    `files` are those of the archive as `Archive.files` gives them, from before `captures` were listed:
    what another run added meanwhile is then new to the next build. `stamp` is the database's.
    """
    last: dict[str, Capture] = {}
    for capture in captures:
        if capture.requested not in last or _order(capture) > _order(last[capture.requested]):
            last[capture.requested] = capture
    with Memory(kb.memory) as memory:
        _note(kb, claims, {url: place(c) for url, c in last.items()}, files, stamp, memory)


def _order(capture: Capture) -> tuple[object, str, int]:
    return capture.time, capture.file, capture.offset


def _note(
    kb: KnowledgeBase,
    claims: ClaimSet,
    last: Mapping[str, str],
    files: Mapping[str, Sequence[int]],
    stamp: Stamp,
    memory: Memory,
) -> None:
    if not stamp:
        return  # another build put its database there in the same moment
    basis = {
        "database": stamp,
        "settings": _settings(kb),
        "sources": {s.id: _digest(s) for s in claims.sources},
        "urls": {s.id: s.url for s in claims.sources if s.fetched},
        "files": {name: list(state) for name, state in files.items()},
        "last": dict(last),
        "siblings": siblings_name(siblings(claims)),
    }
    memory.put(_name(kb), json.dumps(basis, ensure_ascii=False))
    memory.keep()


def extend(kb: KnowledgeBase, claims: ClaimSet, jobs: int | None) -> Extended | None:
    """Add what is new to kb.db; None where only a whole build can do it."""
    with Memory(kb.memory) as memory:
        text = memory.get(_name(kb))
        basis: dict[str, Any] = json.loads(text) if text else {}
        files = kb.archive.files()
        known: dict[str, list[int]] = basis.get("files", {})
        stamp = stamp_of(kb.database)
        if (
            not basis
            or not stamp
            or tuple(basis["database"]) != stamp
            or basis["settings"] != _settings(kb)
            or any(list(files.get(name, ())) != state for name, state in known.items())
        ):
            return None
        edited = _edited(claims, basis)
        added = [name for name in files if name not in known]
        if edited is None or kb.archive.complete_others(added):
            return None
        new = kb.archive.captures_in(added)
        anew = frozenset(s.url for s in edited if s.url)
        units, others = _units(kb, claims, new, anew, basis["last"])
        if not all(can_go_on(u, memory) for u in units if u.after):
            return None
        related = siblings(claims)
        if basis.get("siblings") != siblings_name(related) or (related and _comes_between(kb, new)):
            return None
    seen: dict[str, list[Seen]] = {}
    for capture in others:
        seen.setdefault(capture.requested, []).append(Seen(capture))
    verdicts: list[tuple[str, Capture | None, Verdict]] = []
    for judged in judge_units(units, kb.snapshots, jobs, kb.memory):
        for one in judged:
            why = one.unread
            seen.setdefault(one.capture.requested, []).append(
                Seen(one.capture, why.reason, why.detail) if why else Seen(one.capture)
            )
            verdicts += [(v.id or "", one.capture, v) for v in one.verdicts]
    with Memory(kb.memory) as memory:
        look = Elsewhere(claims, newest_read(seen, read_before(kb)), kb.archive.read, memory, related)
        verdicts = [(id, at, look.told(at, v) if at else v) for id, at, v in verdicts]
        memory.keep()
    formulas = _affected(claims, {c for c, _, _ in verdicts})
    derived = _derived(kb, claims, formulas, verdicts, anew)
    verdicts += [(c, capture, v) for c, its in derived.items() for capture, v in its]
    if new or anew:
        build = BuildInput(
            sources=claims.sources,
            captures=seen,
            verdicts=verdicts,
            confirm=kb.confirm,
            every=kb.settings.every,
            mode=kb.settings.captures,
            texts=page_texts(kb, claims, seen),
            name=kb.root.resolve().name,
        )
        stamp = extend_database(kb.database, Extension(build, anew, frozenset(formulas)), stamp)
        if not stamp:
            return None
        last = basis["last"] | {
            url: place(max((s.capture for s in its), key=_order)) for url, its in seen.items()
        }
        with Memory(kb.memory) as memory:
            _note(kb, claims, last, files, stamp, memory)
    return Extended(len(verdicts), len(new))


def _comes_between(kb: KnowledgeBase, new: Iterable[Capture]) -> bool:
    """Whether a capture is no newer than one that is there, on whose page a value may have been sought."""
    with open_rows(kb.database) as rows:
        return any(rows.comes_between(c.time) for c in new)


def _edited(claims: ClaimSet, basis: Mapping[str, Any]) -> list[Source] | None:
    """The sources whose claims were edited; None where more than that has changed."""
    now = {s.id: s for s in claims.sources}
    if set(now) != set(basis["sources"]):
        return None
    changed = [s for s in claims.sources if basis["sources"][s.id] != _digest(s)]
    for source in changed:
        used = any(claims.dependents(c.id or "") for c in source.claims)
        if basis["urls"].get(source.id) != source.url or not source.fetched or used:
            return None
        if any(c.kind == "formula" for c in source.claims):
            return None
    urls = {s.url for s in changed}
    together = [s for s in claims.sources if s.fetched and s.url in urls]
    if any(c.kind == "formula" or claims.dependents(c.id or "") for s in together for c in s.claims):
        return None
    return together


def _units(
    kb: KnowledgeBase,
    claims: ClaimSet,
    new: Iterable[Capture],
    anew: frozenset[str],
    last: Mapping[str, str],
) -> tuple[list[Unit], list[Capture]]:
    """What is to be judged, and the captures that belong to no source."""
    wanted: dict[str, list[Claim]] = {}
    for source in claims.sources:
        if source.fetched and source.url:
            wanted.setdefault(source.url, []).extend(c for c in source.claims if c.kind != "formula")
        elif source.url:
            wanted.setdefault(source.url, [])
    taken: dict[str, list[Capture]] = {}
    others = []
    for capture in new:
        if capture.requested not in wanted:
            others.append(capture)
        elif capture.requested not in anew:
            taken.setdefault(capture.requested, []).append(capture)
    units = [Unit(u, tuple(wanted[u]), tuple(its), last.get(u, "")) for u, its in taken.items()]
    for url in sorted(anew):
        its = tuple(kb.archive.captures(url))
        if its:
            units.append(Unit(url, tuple(wanted[url]), its))
    return units, others


def _affected(claims: ClaimSet, ids: set[str]) -> list[str]:
    """The formula claims that rest on any of these, directly or not."""
    found: list[str] = []
    waiting = sorted(ids)
    while waiting:
        for user in claims.dependents(waiting.pop()):
            if user.id and user.id not in found:
                found.append(user.id)
                waiting.append(user.id)
    return found


def _derived(
    kb: KnowledgeBase,
    claims: ClaimSet,
    formulas: list[str],
    verdicts: Iterable[tuple[str, Capture | None, Verdict]],
    anew: frozenset[str],
) -> dict[str, list[Judged]]:
    """All verdicts of some formula claims, from all of their inputs': a sum's history is not kept apart."""
    if not formulas:
        return {}
    bases: dict[str, None] = {}
    waiting = list(formulas)
    while waiting:
        for name in formula_inputs(claims.claim(waiting.pop()).formula or ""):
            if claims.claim(name).kind == "formula":
                waiting.append(name)
            else:
                bases[name] = None
    histories: dict[str, list[Judged]] = {}
    for name, capture, data in judged_before(kb.database, list(bases)):
        histories.setdefault(name, []).append((capture, verdict_from_json(data)))
    for name, at, verdict in verdicts:
        if name in bases and at is not None:
            histories.setdefault(name, []).append((at, verdict))
    return {name: its for name, its in derive(claims, histories).items() if name in formulas}


def _name(kb: KnowledgeBase) -> bytes:
    return key("made from", kb.database.name)


def _settings(kb: KnowledgeBase) -> str:
    """All that rows follow from beside claims and captures, the code that writes them included."""
    total = hashlib.sha256()
    for file in sorted((resources.files("kb") / "store").iterdir(), key=lambda f: f.name):
        if file.name.endswith(".py"):
            total.update(file.read_bytes())
    told = (kb.confirm, kb.settings.every, kb.settings.captures, kb.root.resolve().name)
    return total.hexdigest() + repr(told)


def _digest(source: Source) -> str:
    return hashlib.sha256(repr(source).encode("utf-8", "surrogatepass")).hexdigest()
