"""Captures from elsewhere: WARC and WACZ files of other tools, and pages that a person saved."""

from __future__ import annotations

import contextlib
import json
import tempfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import BinaryIO, Protocol
from urllib.parse import urlsplit

from kb.errors import InputError, UsageError
from kb.reasons import Reason
from kb.snapshots.archive import Archive
from kb.snapshots.capture import Capture, Exchange, Hop
from kb.snapshots.entries import Contents, Entry, gather, payload_of, read_time, stamp
from kb.snapshots.records import Body, sha256, utc
from kb.snapshots.scan import record_at, scan

SAVED_TYPES = {
    ".html": "text/html",
    ".htm": "text/html",
    ".xhtml": "application/xhtml+xml",
    ".md": "text/markdown",
    ".markdown": "text/markdown",
    ".rst": "text/plain",
    ".txt": "text/plain",
    ".pdf": "application/pdf",
    ".docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    ".json": "application/json",
    ".csv": "text/csv",
}
"""File name endings of saved pages, and the type they are kept with."""

MAX_UNPACKED = 8 * 1024**3
"""Bytes of WARC files taken out of one WACZ or gzip file; a bomb ends here."""

_CLOCKS_DIFFER = timedelta(days=1)


@dataclass(slots=True)
class Imported:
    """What an import did: captures kept, how many were there already or not asked for, and what was wrong."""

    kept: list[Capture] = field(default_factory=list)
    known: int = 0
    others: int = 0
    problems: list[str] = field(default_factory=list)


def import_files(
    archive: Archive,
    paths: Iterable[Path],
    now: datetime,
    *,
    targets: Sequence[str] | None = None,
    url: str | None = None,
    date: datetime | None = None,
) -> Imported:
    """Add what the files hold to the archive, as one run, in the order of time.

    Args:
        archive: where to.
        paths: WARC (`.warc`, `.warc.gz`) and WACZ files, or saved pages (see `SAVED_TYPES`).
        now: when the import happens; captures from the future are refused.
        targets: URLs whose captures are wanted; scheme, fragment, `www.` and a last slash do not
            count. A capture is kept under the target's own spelling. None: everything.
        url: of a saved page: where it was saved from.
        date: of a saved page: when.

    What the archive has already (same URL, time and body) is not kept again, so an import can be repeated.

    Raises:
        UsageError: a saved page without URL or date.
        InputError: a file that cannot be read at all.
    """
    result = Imported()
    wanted = _Wanted(targets)
    exchanges: list[Exchange] = []
    with tempfile.TemporaryDirectory(prefix="kb-import-") as scratch:
        for path in paths:
            exchanges += _exchanges(archive, Path(path), Path(scratch), wanted, url, date, result)
        late = [e for e in exchanges if e.time > utc(now) + _CLOCKS_DIFFER]
        for exchange in late:
            result.problems.append(
                f"{exchange.imported}: {exchange.url} is dated {exchange.time}, in the future"
            )
        exchanges = sorted((e for e in exchanges if e not in late), key=lambda e: (e.time, e.requested))
        if not exchanges:
            return result
        with archive.begin(now, purpose="kb snapshots import") as run:
            there = {_identity(capture) for capture in archive.captures()}
            for exchange in exchanges:
                mark = _mark(exchange)
                if mark in there:
                    result.known += 1
                    continue
                there.add(mark)
                result.kept.append(run.keep(exchange))
    return result


def _exchanges(
    archive: Archive,
    path: Path,
    scratch: Path,
    wanted: _Wanted,
    url: str | None,
    date: datetime | None,
    result: Imported,
) -> list[Exchange]:
    name = path.name.lower()
    try:
        if name.endswith((".warc", ".warc.gz", ".warc.gz.open")):
            return list(_from_warc(archive, path, path.name, scratch, wanted, result))
        if name.endswith((".wacz", ".zip")):
            return list(_from_wacz(archive, path, scratch, wanted, result))
        kind = SAVED_TYPES.get(path.suffix.lower())
        if kind is None:
            known = " ".join([".warc", ".warc.gz", ".wacz", *SAVED_TYPES])
            raise InputError(f"{path}: a kind of file that kb does not import; it would import {known}")
        if not url or date is None:
            raise UsageError(f"{path} is a saved page: say with --url and --date where and when it was saved")
        body = path.read_bytes()
        saved = Exchange(
            requested=wanted.spelling(url) or url,
            url=url,
            time=utc(date),
            status=200,
            headers=(("Content-Type", kind),),
            body=body,
            via="import",
            imported=path.name,
        )
        return [saved]
    except (OSError, zipfile.BadZipFile, zlib.error) as error:
        if isinstance(error, OSError) and hasattr(error, "exit_code"):
            raise
        raise InputError(f"{path}: cannot be read ({error}); take a whole copy of it") from error


def _from_wacz(
    archive: Archive, path: Path, scratch: Path, wanted: _Wanted, result: Imported
) -> Iterator[Exchange]:
    with zipfile.ZipFile(path) as bag:
        inside = [n for n in bag.namelist() if n.startswith("archive/") and n.endswith((".warc", ".warc.gz"))]
        if not inside:
            raise InputError(f"{path}: no WACZ file, as it has no WARC files under archive/; name another")
        for number, name in enumerate(sorted(inside)):
            unpacked = scratch / f"{path.name}-{number}{'.warc.gz' if name.endswith('.gz') else '.warc'}"
            with bag.open(name) as packed, unpacked.open("wb") as file:
                _copy(packed, file, f"{path}: {name}")
            yield from _from_warc(archive, unpacked, f"{path.name}/{name}", scratch, wanted, result)
            unpacked.unlink()


def _from_warc(
    archive: Archive, path: Path, shown: str, scratch: Path, wanted: _Wanted, result: Imported
) -> Iterator[Exchange]:
    with contextlib.ExitStack() as opened:
        file: BinaryIO = opened.enter_context(path.open("rb"))
        contents = gather(scan(file))
        if any("several records in one gzip member" in fault.what for fault in contents.faults):
            import gzip  # start-up time

            plain = scratch / "unpacked.warc"
            with gzip.open(path) as packed, plain.open("wb") as unpacked:
                _copy(packed, unpacked, shown)
            file = opened.enter_context(plain.open("rb"))
            contents = gather(scan(file))
        if not contents.entries and not contents.faults:
            result.problems.append(f"{shown}: holds no captures")
        result.problems += [f"{shown}: record at byte {f.offset}: {f.what}" for f in contents.faults]
        bodies: dict[str, Body] = {}
        for body in contents.bodies:
            bodies.setdefault(body.payload, body)
        for entry in contents.entries:
            spellings = wanted.spellings(entry.requested)
            if not spellings:
                result.others += 1
                continue
            exchange = _exchange(archive, file, entry, bodies, contents, shown)
            if isinstance(exchange, str):
                result.problems.append(f"{shown}: record at byte {entry.offset}: {exchange}")
                continue
            yield from (replace(exchange, requested=spelling) for spelling in spellings)


def _exchange(
    archive: Archive, file: BinaryIO, entry: Entry, bodies: dict[str, Body], contents: Contents, shown: str
) -> Exchange | str:
    """What happened, as an entry of another file tells it; or what is wrong with it."""
    body, status, headers = b"", entry.status, entry.headers
    try:
        if entry.payload:
            original = bodies.get(entry.payload)
            if original is not None:
                body = payload_of(record_at(file, original.offset))[2]
                status = original.status if status in (None, 304) else status
                headers = original.headers if entry.status in (None, 304) else headers
            else:
                there = archive.index.places(entry.payload)
                if not there:
                    return f"the original of the revisit of {entry.url} is not in the file"
                body = payload_of(archive.record(*there[0]))[2]
                status = 200 if status in (None, 304) else status
        elif entry.body >= 0:
            body = payload_of(record_at(file, entry.body))[2]
    except ValueError as error:
        return str(error)
    return Exchange(
        requested=entry.requested,
        url=entry.url,
        time=read_time(entry.time),
        status=status,
        headers=tuple((n, v) for n, v in json.loads(headers)),
        body=body,
        hops=_hops(entry),
        reason=Reason(entry.reason) if entry.reason else None,
        detail=entry.detail,
        via=entry.via if contents.own else "import",
        memento=entry.memento,
        imported=entry.imported or shown,
    )


def _hops(entry: Entry) -> tuple[Hop, ...]:
    """The redirects, each with the Location that it must have had."""
    steps = [(str(url), int(status)) for url, status in json.loads(entry.hops)]
    led_to = [*(url for url, _ in steps[1:]), entry.url]
    return tuple(Hop(u, s, (("Location", to),)) for (u, s), to in zip(steps, led_to, strict=False))


class _Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...


class _Wanted:
    """Which URLs an import is for, and how the knowledge base spells them."""

    def __init__(self, targets: Sequence[str] | None) -> None:
        self._by_key: dict[str, list[str]] | None = None
        if targets is not None:
            self._by_key = {}
            for target in dict.fromkeys(targets):
                self._by_key.setdefault(page_key(target), []).append(target)

    def spellings(self, url: str) -> list[str]:
        if self._by_key is None:
            return [url]
        return self._by_key.get(page_key(url), [])

    def spelling(self, url: str) -> str | None:
        exact = self.spellings(url)
        return url if url in exact else next(iter(exact), None)


def page_key(url: str) -> str:
    """A URL without what does not tell pages apart: scheme, `www.`, a last slash, the fragment."""
    try:
        parts = urlsplit(url.strip())
    except ValueError:
        return url
    host = parts.netloc.lower().removeprefix("www.").removesuffix(":80").removesuffix(":443")
    return f"{host}{parts.path.rstrip('/')}?{parts.query}"


def _copy(source: _Readable, target: BinaryIO, shown: str) -> None:
    total = 0
    while part := source.read(1 << 20):
        total += len(part)
        if total > MAX_UNPACKED:
            raise InputError(f"{shown}: unpacks to more than {MAX_UNPACKED} bytes; split it")
        target.write(part)


def _identity(capture: Capture) -> tuple[str, str, str]:
    return capture.requested, stamp(capture.time), capture.digest or str(capture.reason)


def _mark(exchange: Exchange) -> tuple[str, str, str]:
    failed = exchange.reason is not None and not exchange.body
    return exchange.requested, stamp(exchange.time), str(exchange.reason) if failed else sha256(exchange.body)
