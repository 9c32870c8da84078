"""The records of one WARC file put together into captures, and the bodies they stand on.

Files of kb say in a `metadata` record which records belong together. In files of other tools each
response is a capture of its own address, and a redirect leads to what the same file holds at its target.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from urllib.parse import urljoin

from kb.reasons import Reason
from kb.snapshots.metadata import Said, read_metadata
from kb.snapshots.records import Body, received_headers, sha256
from kb.snapshots.scan import MAX_RECORD, Fault, Record, header_lines, split_http

_REDIRECTS = (301, 302, 303, 307, 308)
_SAME_VISIT = timedelta(days=1)
_TRUNCATED = {"length": Reason.TOO_LARGE, "time": Reason.TIMEOUT}


@dataclass(frozen=True, slots=True)
class Entry:
    """One capture as its file alone tells it; a revisit's body is yet to be looked up by `payload`."""

    offset: int
    requested: str
    url: str
    time: str
    digest: str = ""
    status: int | None = None
    headers: str = "[]"
    reason: str = ""
    detail: str = ""
    via: str = "live"
    memento: str = ""
    imported: str = ""
    hops: str = "[]"
    length: int = 0
    body: int = -1
    payload: str = ""
    refers_url: str = ""
    refers_time: str = ""


@dataclass(slots=True)
class Contents:
    """What one file, or its new end, holds. `upto` is the offset to go on from when it has grown."""

    entries: list[Entry] = field(default_factory=list)
    bodies: list[Body] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    run: str = ""
    started: str = ""
    software: str = ""
    settings: str = ""
    own: bool = False
    upto: int = 0


def stamp(time: datetime) -> str:
    """A time as the index sorts it: UTC, always with microseconds."""
    return time.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def read_time(words: str) -> datetime:
    """A WARC-Date (also of 14 digits); ValueError where it is none."""
    if words.isdigit() and len(words) == 14:
        return datetime.strptime(words, "%Y%m%d%H%M%S").replace(tzinfo=UTC)
    time = datetime.fromisoformat(words)
    return time.replace(tzinfo=UTC) if time.tzinfo is None else time.astimezone(UTC)


def gather(found: Iterable[Record | Fault], start: int = 0, own: bool = False) -> Contents:
    """Put the records of a file together, from `start` on; `own`: the part before was kb's."""
    reader = Gatherer(Contents(upto=start, own=own))
    for item in found:
        if isinstance(item, Fault):
            reader.contents.faults.append(item)
            continue
        try:
            reader.take(item)
        except ValueError as error:
            reader.contents.faults.append(Fault(item.offset, str(error)))
    contents = reader.contents
    if not contents.own:
        at: dict[str, list[Entry]] = {}
        for entry in contents.entries:
            at.setdefault(entry.url, []).append(entry)
        contents.entries = [_arrival(entry, at) for entry in contents.entries]
    return contents


def payload_of(record: Record) -> tuple[int | None, tuple[tuple[str, str], ...], bytes, bool]:
    """Status, headers as received, decoded body, and whether the body is stored without a coding.

    ValueError where the record holds no body that can be read.
    """
    if not record.headers.get("content-type", "").startswith("application/http"):
        kind = record.headers.get("content-type", "application/octet-stream")
        return 200, (("Content-Type", kind),), record.block, True
    first, stored, payload = split_http(record.block)
    words = first.split()
    if len(words) < 2 or not words[0].startswith("HTTP") or not words[1].isdigit():
        raise ValueError("a response without a status")
    codings = [v.lower().strip() for n, v in stored if n.lower() in ("content-encoding", "transfer-encoding")]
    plain = not any(coding and coding != "identity" for coding in codings)
    body = payload if plain else _decoded(record)
    return int(words[1]), received_headers(stored), body, plain


def _decoded(record: Record) -> bytes:
    from warcio.archiveiterator import ArchiveIterator  # start-up time

    try:
        parsed = next(iter(ArchiveIterator(io.BytesIO(record.raw + b"\r\n\r\n"))))
        coding = (parsed.http_headers.get_header("content-encoding") or "identity").lower().strip()
        stream = parsed.content_stream()
        parts: list[bytes] = []
        total = 0
        while part := stream.read(1 << 20):
            total += len(part)
            if total > MAX_RECORD:
                raise ValueError(f"a body of more than {MAX_RECORD} bytes")
            parts.append(part)
    except ValueError:
        raise
    except Exception as error:  # whatever warcio and zlib say of a hostile record
        raise ValueError(f"a body that cannot be decoded ({error})") from error
    if coding not in ("identity", "gzip", "deflate") and coding not in _readable_codings():
        raise ValueError(f"a body in the content coding {coding}, which kb does not read")
    return b"".join(parts)


def _readable_codings() -> list[str]:
    from warcio.bufferedreaders import BufferedReader  # start-up time

    return list(BufferedReader.get_supported_decompressors())


class Gatherer:
    """Takes the records of one file in order, and gathers `contents`."""

    def __init__(self, contents: Contents | None = None) -> None:
        self.contents = contents or Contents()
        self.awaited: dict[str, Said] = {}
        self.parts: dict[str, Said] = {}
        self.answers: dict[str, tuple[int | None, str]] = {}
        self.hops: set[str] = set()

    def take(self, record: Record) -> None:
        """Take the next record; ValueError says why nothing can be made of it."""
        kind = record.type
        if kind == "warcinfo":
            self._warcinfo(record)
        elif kind == "metadata":
            self._metadata(record)
        elif kind in ("response", "revisit", "resource"):
            self._answer(record)
        if not self.awaited:
            self.contents.upto = record.end

    def _warcinfo(self, record: Record) -> None:
        contents = self.contents
        fields = dict(reversed(header_lines(record.block)))
        if contents.started:
            return
        contents.software = fields.get("software", "")
        contents.own = contents.software.startswith("kb/")
        contents.run = fields.get("run", "") if contents.own else ""
        contents.settings = fields.get("settings", "") if contents.own else ""
        contents.started = _date(record)

    def _metadata(self, record: Record) -> None:
        said = read_metadata(record.block)
        if said is None:
            return
        self.hops.update(hop for _, hop in said.hops)
        if said.main:
            self.awaited[said.main] = said
            if said.response:
                self.parts[said.response] = said
            return
        self.contents.entries.append(
            _with_words(
                Entry(record.offset, said.requested, said.url, _date(record)),
                said,
            )
        )

    def _answer(self, record: Record) -> None:
        said = self.awaited.pop(record.id, None)
        target = record.target
        if not said and not self.contents.own and not target.lower().startswith(("http:", "https:")):
            return
        entry = self._revisit(record) if record.type == "revisit" else self._whole(record)
        if record.id in self.hops:
            return
        if record.id in self.parts:
            self.answers[record.id] = (entry.status, entry.headers)
            del self.parts[record.id]
            return
        if said is not None:
            if record.headers.get("content-type", "").startswith("text/html"):
                status, headers = self.answers.pop(said.response, (None, "[]"))
                entry = replace(entry, status=status, headers=rendered_headers(headers))
            if said.unchanged is not None:
                entry = replace(entry, status=304, headers=json.dumps(said.unchanged))
            entry = _with_words(entry, said)
        if entry.reason and not entry.length and record.type != "revisit":
            entry = replace(entry, digest="", body=-1)
        self.contents.entries.append(entry)

    def _whole(self, record: Record) -> Entry:
        time = _date(record)
        stated = record.headers.get("warc-payload-digest", "")
        trouble = (
            _TRUNCATED.get(cut, Reason.BROKEN) if (cut := record.headers.get("warc-truncated")) else None
        )
        try:
            status, headers, body, plain = payload_of(record)
        except ValueError as error:
            if not str(error).startswith("a body"):
                raise
            first, stored, _ = split_http(record.block)
            return Entry(
                record.offset,
                record.target,
                record.target,
                time,
                status=int(first.split()[1]),
                headers=json.dumps(received_headers(stored)),
                reason=Reason.UNDECODABLE,
                detail=str(error),
            )
        digest = stated if plain and is_sha256(stated) else sha256(body)
        entry = Entry(
            record.offset,
            record.target,
            record.target,
            time,
            digest=digest,
            status=status,
            headers=json.dumps(headers),
            reason=trouble or "",
            length=len(body),
            body=record.offset,
        )
        if body:
            self.contents.bodies.append(
                Body(
                    "",
                    digest,
                    stated or digest,
                    record.offset,
                    record.target,
                    time,
                    len(body),
                    status,
                    entry.headers,
                )
            )
        return entry

    def _revisit(self, record: Record) -> Entry:
        status: int | None = None
        stored: list[tuple[str, str]] = []
        if record.block:
            first, stored, _ = split_http(record.block)
            words = first.split()
            status = int(words[1]) if len(words) > 1 and words[1].isdigit() else None
        refers = record.headers.get("warc-refers-to-date", "")
        return Entry(
            record.offset,
            record.target,
            record.target,
            _date(record),
            status=status,
            headers=json.dumps(received_headers(stored)),
            payload=record.headers.get("warc-payload-digest", ""),
            refers_url=record.headers.get("warc-refers-to-target-uri", record.target).strip("<>"),
            refers_time=stamp(read_time(refers)) if refers else "",
        )


def _date(record: Record) -> str:
    try:
        return stamp(read_time(record.headers.get("warc-date", "")))
    except ValueError as error:
        raise ValueError("a record without a readable WARC-Date") from error


def is_sha256(digest: str) -> bool:
    """Whether it is a digest in the one spelling that kb writes."""
    return len(digest) == 71 and digest.startswith("sha256:") and digest == digest.lower()


def rendered_headers(headers: str) -> str:
    """Headers (as JSON) of a page whose body is the rendered DOM."""
    kept = [(n, v) for n, v in json.loads(headers) if n.lower() != "content-type"]
    return json.dumps([*kept, ("Content-Type", "text/html; charset=utf-8")])


def _with_words(entry: Entry, said: Said) -> Entry:
    return replace(
        entry,
        requested=said.requested or entry.requested,
        url=said.url or entry.url,
        reason=said.reason or "",
        detail=said.detail,
        via=said.via,
        memento=said.memento,
        imported=said.imported,
        hops=json.dumps([(hop.url, hop.status) for hop, _ in said.hops]),
    )


def _arrival(entry: Entry, at: dict[str, list[Entry]]) -> Entry:
    """Where a redirect in another tool's file leads, if that file holds it; else the entry itself."""
    hops: list[tuple[str, int]] = []
    here = entry
    while here.status in _REDIRECTS and len(hops) < 20:
        location = next((v for n, v in json.loads(here.headers) if n.lower() == "location"), "")
        try:
            target = urljoin(here.url, location).partition("#")[0]
        except ValueError:
            break
        when = read_time(here.time)
        near = [
            (abs(read_time(e.time) - when), e.offset, e)
            for e in at.get(target, ())
            if e is not here and abs(read_time(e.time) - when) <= _SAME_VISIT
        ]
        if not location or not near:
            break
        hops.append((here.url, here.status or 0))
        here = min(near, key=lambda n: n[:2])[2]
    if here is entry or here.status in _REDIRECTS:
        return entry
    return replace(here, requested=entry.requested, hops=json.dumps(hops))
