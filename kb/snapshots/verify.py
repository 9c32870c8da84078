"""Every byte of the archive read and held against what the files say of themselves."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from kb.errors import Problem
from kb.snapshots.archive import Archive
from kb.snapshots.entries import payload_of
from kb.snapshots.index import OPEN
from kb.snapshots.scan import Fault, Record, scan, split_http


@dataclass(slots=True)
class Verified:
    """How much was read, and what is wrong with it, sorted by file."""

    files: int = 0
    records: int = 0
    bytes: int = 0
    captures: int = 0
    problems: list[Problem] = field(default_factory=list)


def verify(archive: Archive, told: Callable[[str], None] | None = None) -> Verified:
    """Check digests, missing originals and torn records, without believing the index.

    `told` is called with each file's name before it is read. Nothing is changed.
    """
    result = Verified()
    files: dict[str, Path] = {run.file: archive.path(run.file) for run in archive.runs()}
    for name, path in sorted(files.items()):
        if told:
            told(name)
        result.files += 1
        try:
            with path.open("rb") as file:
                for item in scan(file):
                    result.records += 1
                    for what in _wrong(item, still_open=path.name.endswith(OPEN)):
                        result.problems.append(_problem(archive, name, item.offset, what))
                result.bytes += file.seek(0, 2)
        except OSError as error:
            result.problems.append(_problem(archive, name, 0, f"cannot be read: {error.strerror}"))
    fresh = Archive(archive.folder)
    fresh.index.drop()
    captures = fresh.captures()
    result.captures = len(captures)
    bodies = {(c.body_file, c.body_offset): c for c in captures if c.digest and c.length}
    for _, capture in sorted(bodies.items()):
        fresh.read(capture)
    seen = {(p.file, p.what) for p in result.problems}
    result.problems = sorted([*result.problems, *(p for p in fresh.problems if (p.file, p.what) not in seen)])
    return result


def _problem(archive: Archive, name: str, offset: int, what: str) -> Problem:
    where = f"record at byte {offset}: " if offset else ""
    return Problem(f"{archive.folder.name}/{name}", 0, 0, where + what, rule="archive")


def _wrong(item: Record | Fault, still_open: bool) -> Iterator[str]:
    if isinstance(item, Fault):
        if not (item.torn and still_open):
            yield item.what
        return
    stated = item.headers.get("warc-block-digest", "")
    if stated and item.type != "revisit" and not _fits(stated, item.block):
        yield f"the block is not the one that its digest {stated} names"
    stated = item.headers.get("warc-payload-digest", "")
    if stated and item.type in ("response", "resource") and not item.headers.get("warc-segment-number"):
        try:
            payload = split_http(item.block)[2] if item.type == "response" else item.block
        except ValueError:
            payload = item.block
        if not _fits(stated, payload) and not _fits_decoded(stated, item):
            yield f"the payload is not the one that its digest {stated} names"


def _fits_decoded(stated: str, record: Record) -> bool:
    """Some tools take the digest after the transfer coding, some after the content coding."""
    try:
        return _fits(stated, payload_of(record)[2])
    except ValueError:
        return True  # in a coding that kb cannot undo: nothing can be said


def _fits(stated: str, data: bytes) -> bool:
    name, _, value = stated.partition(":")
    try:
        digest = hashlib.new(name.replace("-", "").lower(), data, usedforsecurity=False).digest()
    except (ValueError, TypeError):
        return True  # a digest that this Python does not know
    spellings = (digest.hex(), base64.b32encode(digest).decode().lower().rstrip("="))
    return value.lower().rstrip("=") in spellings or value == base64.b64encode(digest).decode()
