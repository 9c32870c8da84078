"""Captures from elsewhere: WARC and WACZ files of other tools, and pages that a person saved."""

from __future__ import annotations

import json
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Protocol
from urllib.parse import urlsplit

from kb.errors import InputError, KbError, UsageError
from kb.reasons import Reason
from kb.snapshots.archive import Archive
from kb.snapshots.capture import Capture, Exchange, Hop
from kb.snapshots.entries import Entry, gather, payload_of, read_time, stamp
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
    """Add what the files hold to the archive, as one run, in the order of time, with one body in memory.

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
    with tempfile.TemporaryDirectory(prefix="kb-import-") as scratch:
        reader = _Reader(archive, Path(scratch), _Wanted(targets), result)
        found: list[_Found] = []
        for path in paths:
            found += reader.found_in(Path(path), url, date)
        limit = utc(now) + _CLOCKS_DIFFER
        result.problems += [
            f"{one.shown}: {one.requested} is dated {one.time:%Y-%m-%d %H:%M:%SZ}, in the future; left out"
            for one in found
            if one.time > limit
        ]
        found = sorted((o for o in found if o.time <= limit), key=lambda o: (o.time, o.requested))
        if not found:
            return result
        with archive.begin(now, purpose="kb snapshots import") as run:
            there = {_identity(capture) for capture in archive.captures()}
            for one in found:
                exchange = one.read()
                if isinstance(exchange, str):
                    result.problems.append(f"{one.shown}: {exchange}")
                    continue
                mark = _mark(exchange)
                if mark in there:
                    result.known += 1
                    continue
                there.add(mark)
                result.kept.append(run.keep(exchange))
    return result


@dataclass(frozen=True, slots=True)
class _Found:
    """A capture in a file that is imported; its body is read when its turn comes.

    `read` gives what happened, or what is wrong with it. `shown` is the file as people know it.
    """

    requested: str
    time: datetime
    shown: str
    read: Callable[[], Exchange | str]


class _Reader:
    """Finds captures in files of all sorts; what is packed is unpacked to `scratch`."""

    def __init__(self, archive: Archive, scratch: Path, wanted: _Wanted, result: Imported) -> None:
        self.archive = archive
        self.scratch = scratch
        self.wanted = wanted
        self.result = result

    def found_in(self, path: Path, url: str | None, date: datetime | None) -> list[_Found]:
        """The captures in one file that are wanted."""
        name = path.name.lower()
        try:
            if name.endswith((".warc", ".warc.gz", ".warc.gz.open")):
                return list(self._in_warc(path, path.name))
            if name.endswith((".wacz", ".zip")):
                return list(self._in_wacz(path))
        except (OSError, zipfile.BadZipFile, zlib.error) as error:
            raise _unreadable(path, error) from error
        kind = SAVED_TYPES.get(path.suffix.lower())
        if kind is None:
            known = " ".join([".warc", ".warc.gz", ".wacz", *SAVED_TYPES])
            raise InputError(f"{path}: a kind of file that kb does not import; it would import {known}")
        if not url or date is None:
            raise UsageError(f"{path} is a saved page: say with --url and --date where and when it was saved")
        requested = self.wanted.spelling(url) or url
        return [
            _Found(requested, utc(date), path.name, partial(_saved, path, requested, url, kind, utc(date)))
        ]

    def _in_wacz(self, path: Path) -> Iterator[_Found]:
        with zipfile.ZipFile(path) as bag:
            names = [
                n for n in bag.namelist() if n.startswith("archive/") and n.endswith((".warc", ".warc.gz"))
            ]
            if not names:
                raise InputError(
                    f"{path}: no WACZ file, as it has no WARC files under archive/; name another"
                )
            for name in sorted(names):
                unpacked = self._scratch_file()
                with bag.open(name) as packed, unpacked.open("wb") as file:
                    _copy(packed, file, f"{path}: {name}")
                yield from self._in_warc(unpacked, f"{path.name}/{name}")

    def _in_warc(self, path: Path, shown: str) -> Iterator[_Found]:
        with path.open("rb") as file:
            contents = gather(scan(file))
        if any("several records in one gzip member" in fault.what for fault in contents.faults):
            import gzip  # start-up time

            packed_in, path = path, self._scratch_file()
            with gzip.open(packed_in) as packed, path.open("wb") as unpacked:
                _copy(packed, unpacked, shown)
            with path.open("rb") as file:
                contents = gather(scan(file))
        if not contents.entries and not contents.faults:
            self.result.problems.append(f"{shown}: holds no captures")
        self.result.problems += [f"{shown}: record at byte {f.offset}: {f.what}" for f in contents.faults]
        bodies: dict[str, Body] = {}
        for body in contents.bodies:
            bodies.setdefault(body.payload, body)
        for entry in contents.entries:
            spellings = self.wanted.spellings(entry.requested)
            if not spellings:
                self.result.others += 1
            original = bodies.get(entry.payload) if entry.payload else None
            for spelling in spellings:
                read = partial(self._exchange, path, entry, original, contents.own, shown, spelling)
                yield _Found(spelling, read_time(entry.time), shown, read)

    def _scratch_file(self) -> Path:
        return Path(tempfile.mkdtemp(dir=self.scratch)) / "unpacked"

    def _exchange(
        self, path: Path, entry: Entry, original: Body | None, own: bool, shown: str, requested: str
    ) -> Exchange | str:
        """What happened, as an entry of another file tells it; or what is wrong with it."""
        body, status, headers = b"", entry.status, entry.headers
        try:
            if original is not None:
                body = _body_at(path, original.offset)
                status = original.status if status in (None, 304) else status
                headers = original.headers if entry.status in (None, 304) else headers
            elif entry.payload:
                there = self.archive.index.places(entry.payload)
                if not there:
                    return (
                        f"record at byte {entry.offset}: the original of the revisit of {entry.url}"
                        " is not in the file"
                    )
                body = payload_of(self.archive.record(*there[0]))[2]
                status = 200 if status in (None, 304) else status
            elif entry.body >= 0:
                body = _body_at(path, entry.body)
        except ValueError as error:
            return f"record at byte {entry.offset}: {error}"
        except (OSError, zlib.error) as error:
            raise _unreadable(path, error) from error
        return Exchange(
            requested=requested,
            url=entry.url,
            time=read_time(entry.time),
            status=status,
            headers=tuple((n, v) for n, v in json.loads(headers)),
            body=body,
            hops=_hops(entry),
            reason=Reason(entry.reason) if entry.reason else None,
            detail=entry.detail,
            via=entry.via if own else "import",
            memento=entry.memento,
            imported=entry.imported or shown,
        )


def _saved(path: Path, requested: str, url: str, kind: str, time: datetime) -> Exchange:
    try:
        body = path.read_bytes()
    except OSError as error:
        raise _unreadable(path, error) from error
    return Exchange(
        requested=requested,
        url=url,
        time=time,
        status=200,
        headers=(("Content-Type", kind),),
        body=body,
        via="import",
        imported=path.name,
    )


def _body_at(path: Path, offset: int) -> bytes:
    with path.open("rb") as file:
        return payload_of(record_at(file, offset))[2]


def _unreadable(path: Path, error: Exception) -> Exception:
    if isinstance(error, KbError):
        return error
    return InputError(f"{path}: cannot be read ({error}); take a whole copy of it")


def _hops(entry: Entry) -> tuple[Hop, ...]:
    """The redirects, each with the Location that it must have had."""
    steps = [(str(url), int(status)) for url, status in json.loads(entry.hops)]
    led_to = [*(url for url, _ in steps[1:]), entry.url]
    return tuple(Hop(u, s, (("Location", to),)) for (u, s), to in zip(steps, led_to, strict=False))


class _Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...


class _Writable(Protocol):
    def write(self, data: bytes, /) -> int: ...


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


def _copy(source: _Readable, target: _Writable, shown: str) -> None:
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
