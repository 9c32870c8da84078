"""Sources and claims that come from elsewhere, and how they get into the claims files."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from urllib.parse import urlsplit

from kb.app.base import KnowledgeBase
from kb.claims import Claim, Source, add_claims, read_claims, write_source
from kb.errors import ClaimsError, Problem, UsageError


@dataclass(frozen=True, slots=True)
class Unplaced:
    """Something that was found and could not be proposed: where, its words, and why."""

    place: str
    text: str
    why: str


@dataclass(frozen=True, slots=True)
class Incoming:
    """What a file of others gives.

    Attributes:
        sources: with their claims; ids are those the file gives, or proposed ones.
        given: ids of sources that the file gives itself: they are kept, or refused.
        places: by the id of a source or claim, where it stands in the file, as `file:line`.
        unplaced: what could not be proposed.
        known: how many places of the file only say what the base states already.
    """

    sources: tuple[Source, ...]
    given: frozenset[str] = frozenset()
    places: Mapping[str, str] = field(default_factory=dict)
    unplaced: tuple[Unplaced, ...] = ()
    known: int = 0


@dataclass(frozen=True, slots=True)
class Change:
    """One claims file as it will be, and what of it is new.

    `same` are claims that the base states already, `left` those whose id it has with another content.
    """

    file: str
    text: str
    source: Source
    claims: tuple[Claim, ...]
    new_source: bool
    same: tuple[str, ...] = ()
    left: tuple[str, ...] = ()

    @property
    def empty(self) -> bool:
        """Whether nothing is to be written."""
        return not self.new_source and not self.claims


def changes(kb: KnowledgeBase, incoming: Incoming) -> list[Change]:
    """What would be written, file by file; the files are read as kb will read them first.

    Raises:
        ClaimsError: a claim that came could not be read back; the problems name its place in the file
            that it came from.
        UsageError: an id of the file is another source's here.
    """
    taken = {s.id for s in kb.claims.sources} | {p.stem for p in _claims_files(kb.root)}
    out: list[Change] = []
    for source in incoming.sources:
        known = _known(kb, source)
        if known is not None:
            out.append(_added(kb, known, source))
            continue
        if source.id in taken:
            if source.id in incoming.given:
                where = incoming.places.get(source.id, source.id)
                raise UsageError(
                    f'{where}: the id "{source.id}" is another source\'s here; give one of the two another id'
                )
            source = renamed(source, free(source.id, taken))
        taken.add(source.id)
        file = f"claims/{source.id}.yaml"
        source = replace(
            source, file=file, claims=tuple(replace(c, source_id=source.id, file=file) for c in source.claims)
        )
        out.append(Change(file, write_source(source), source, source.claims, new_source=True))
    problems = trial(kb, {c.file: c.text for c in out if not c.empty})
    wrong = [p for p in problems if p.level == "error" and p.file in {c.file for c in out}]
    if wrong:
        raise ClaimsError([_at_its_place(p, out, incoming) for p in wrong])
    return out


def _known(kb: KnowledgeBase, source: Source) -> Source | None:
    """The source of this base that is the same: by its id and address, else by its address alone."""
    same = [s for s in kb.claims.sources if s.url == source.url]
    if source.url is None:  # without an address: the name tells
        same = [s for s in same if s.id == source.id and s.title == source.title]
    return next((s for s in same if s.id == source.id), same[0] if same else None)


def _added(kb: KnowledgeBase, known: Source, source: Source) -> Change:
    by_name = {(c.id or "").rpartition(".")[2]: c for c in known.claims}
    stated = {_content(c) for c in known.claims}
    new: list[Claim] = []
    same: list[str] = []
    left: list[str] = []
    for claim in renamed(source, known.id).claims:
        name = (claim.id or "").rpartition(".")[2]
        if _content(claim) in stated:
            same.append(claim.id or "")
        elif name in by_name:
            left.append(claim.id or "")
        else:
            new.append(replace(claim, source_id=known.id, file=known.file))
    text = (kb.root / known.file).read_bytes().decode("utf-8")
    if new:
        text = add_claims(text, known, new)
    return Change(known.file, text, known, tuple(new), False, tuple(same), tuple(left))


def _content(claim: Claim) -> tuple[object, ...]:
    """What makes two claims of one source the same statement."""
    value = claim.value if isinstance(claim.value, str) else tuple(sorted(claim.value))
    return claim.kind, claim.subject.casefold(), claim.attribute.casefold(), value, claim.per, claim.formula


def renamed(source: Source, id: str) -> Source:
    """The source under another id, and its claims with it, in their formulas too."""
    if id == source.id:
        return source
    old = "{" + source.id + "."
    claims = tuple(
        replace(
            c,
            id=f"{id}.{(c.id or '').rpartition('.')[2]}",
            source_id=id,
            formula=c.formula.replace(old, "{" + id + ".") if c.formula else None,
        )
        for c in source.claims
    )
    return replace(source, id=id, claims=claims)


def trial(kb: KnowledgeBase, texts: Mapping[str, str]) -> list[Problem]:
    """What `kb lint` would say, were these files written; nothing is."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "claims").mkdir()
        for path in _claims_files(kb.root):
            copy = root / path.relative_to(kb.root)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy)
        for file, text in texts.items():
            (root / file).write_bytes(text.encode("utf-8"))
        return read_claims(root, kb.today)[1]


def _claims_files(root: Path) -> Iterable[Path]:
    return (p for p in (root / "claims").rglob("*.yaml") if p.is_file())


def _at_its_place(problem: Problem, changed: Iterable[Change], incoming: Incoming) -> Problem:
    """A problem of a file that is not written, told at the place that its claim came from."""
    change = next(c for c in changed if c.file == problem.file)
    claim = None
    for number, line in enumerate(change.text.splitlines(), 1):
        found = re.match(r"\s*- id: (\S+)$", line)
        if found and number <= problem.line:
            claim = f"{change.source.id}.{found[1]}"
    place = incoming.places.get(claim or "") or incoming.places.get(change.source.id)
    if place is None:
        return problem
    file, _, line = place.rpartition(":")
    return replace(problem, file=file, line=int(line), column=0)


def write_changes(kb: KnowledgeBase, changed: Iterable[Change]) -> None:
    """Write the files, each whole or not at all."""
    for change in changed:
        if not change.empty:
            write_file(kb.root / change.file, change.text)


def write_file(path: Path, text: str) -> None:
    """Write a claims file beside its place, then put it there."""
    new = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        new.write_bytes(text.encode("utf-8"))
        new.replace(path)
    finally:
        new.unlink(missing_ok=True)


# --- names ----------------------------------------------------------------------------------------


def source_name(title: str, url: str | None, publisher: str = "") -> str:
    """An id for a new source: its publisher or host, and its title."""
    host = (urlsplit(url).hostname or "").removeprefix("www.") if url else ""
    return slug(f"{publisher or host.rpartition('.')[0] or host} {title}", 5)


def slug(text: str, words: int) -> str:
    """The first words of a text as an id, letters without their accents."""
    bare = unicodedata.normalize("NFKD", text.casefold()).encode("ascii", "ignore").decode()
    found = list(dict.fromkeys(re.findall(r"[a-z0-9]+", bare)))[:words]
    return "-".join(found) or "claim"


def free(name: str, taken: Iterable[str]) -> str:
    """The name, or the first `name-2`, `name-3` that is not taken."""
    taken = taken if isinstance(taken, set | dict) else set(taken)
    number, found = 1, name
    while found in taken:
        number += 1
        found = f"{name}-{number}"
    return found
