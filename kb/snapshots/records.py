"""An Exchange as WARC records: what is written for one page, in the order that is safe to cut off anywhere.

Where a page needs a `metadata` record (redirects, a failure, an archived copy, a rendered page), it comes
first and names the records that follow. So wherever a crash cuts a file, no redirect's response is
ever taken for the page, and a page counts from the moment its main record is whole.
"""

from __future__ import annotations

import functools
import hashlib
import io
import re
import uuid
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

from kb.errors import UsageError
from kb.reasons import Reason
from kb.snapshots.capture import Exchange, Hop
from kb.snapshots.metadata import Said, metadata_fields, needs_words

KEPT = "X-Kb-Orig-"
"""Before the name of a header that no longer fits the stored body; taken off again when it is read."""

_BODY_HEADERS = ("content-encoding", "transfer-encoding", "content-length")
_SECRET_HEADERS = ("authorization", "proxy-authorization", "cookie")
_CONTROLS = re.compile(r"[\x00-\x1f\x7f]+")
_NAME = re.compile(r"[^!#$%&'*+\-.^_`|~0-9A-Za-z]")
_PROFILE = "http://netpreserve.org/warc/1.1/revisit/"
_TRUNCATED = {
    Reason.TOO_LARGE: "length",
    Reason.TIMEOUT: "time",
    Reason.UNREACHABLE: "disconnect",
    Reason.BROKEN: "disconnect",
    Reason.UNSUPPORTED_TYPE: "unspecified",
    Reason.UNDECODABLE: "unspecified",
}


@dataclass(frozen=True, slots=True)
class Body:
    """One record that holds a body, which revisits can refer to.

    `payload` is its digest as the record writes it, `digest` that of the decoded body; `time` as the
    index sorts it; `headers` as received, in JSON. `file` is "" while it is being read.
    """

    file: str
    digest: str
    payload: str
    offset: int
    url: str
    time: str
    length: int
    status: int | None
    headers: str


@dataclass(slots=True)
class Piece:
    """One record of a page, ready to be written; `main` marks the one that holds or stands for its body."""

    data: bytes
    main: bool = False


def sha256(body: bytes) -> str:
    """A body's digest as the archive writes it everywhere: `sha256:<hex>`."""
    return "sha256:" + hashlib.sha256(body).hexdigest()


def utc(time: datetime) -> datetime:
    """`time` in UTC; UsageError where it does not know its zone."""
    if time.tzinfo is None:
        raise UsageError(f"the time {time.isoformat()} has no zone; give an aware one, in UTC")
    return time.astimezone(UTC)


def warc_date(time: datetime) -> str:
    """As WARC 1.1 writes it: UTC, with a fraction only where there is one."""
    return utc(time).isoformat().replace("+00:00", "Z")


def one_line(words: str) -> str:
    """`words` with each run of control characters as one space, and nothing that is not Unicode text."""
    return _CONTROLS.sub(" ", words).encode("utf-8", "replace").decode().strip()


def clean_url(url: str) -> str:
    """`url` fit for a header line."""
    return one_line(url)


def clean_headers(headers: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Headers as they can be written on lines; pseudo headers of HTTP/2 are left out."""
    return [(_NAME.sub("_", name), one_line(value)) for name, value in headers if name and name[0] != ":"]


def stored_headers(headers: Iterable[tuple[str, str]], length: int) -> list[tuple[str, str]]:
    """Headers that agree with the body as stored: decoded, whole, `length` bytes."""
    cleaned = clean_headers(headers)
    lower = [(name.lower(), value) for name, value in cleaned]
    coded = any(name in _BODY_HEADERS[:2] for name, _ in lower)
    misfit = coded or any(name == "content-length" and value != str(length) for name, value in lower)
    stored = [
        (KEPT + name, value)
        if name.lower().startswith(KEPT.lower()) or (misfit and name.lower() in _BODY_HEADERS)
        else (name, value)
        for name, value in cleaned
    ]
    if misfit:
        stored.append(("Content-Length", str(length)))
    return stored


def received_headers(stored: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """The headers as received, from those that `stored_headers` made."""
    stored = list(stored)
    moved = {name.lower()[len(KEPT) :] for name, _ in stored if name.lower().startswith(KEPT.lower())}
    own_length = any(name in moved for name in _BODY_HEADERS)
    return tuple(
        (name[len(KEPT) :] if name.lower().startswith(KEPT.lower()) else name, value)
        for name, value in stored
        if not (own_length and name.lower() == "content-length")
    )


def warcinfo(
    now: datetime, run: str, filename: str, software: str, settings: Mapping[str, Any] | None
) -> bytes:
    """The first record of a run's file."""
    import json

    fields = [
        ("software", software),
        ("format", "WARC File Format 1.1"),
        ("conformsTo", "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/"),
        ("run", run),
    ]
    if settings:
        fields.append(("settings", json.dumps(settings, sort_keys=True, default=str)))
    headers = [("WARC-Date", warc_date(now)), ("WARC-Filename", filename)]
    return _warc("warcinfo", new_id(), headers, "application/warc-fields", _fields(fields))


def page_records(exchange: Exchange, original: Body | None, found: Body | None) -> list[Piece]:
    """All records of one page, each a whole gzip member.

    Args:
        exchange: what happened.
        original: where the body (of a rendered page, the rendered one) stands already, or None.
        found: for a rendered page, where the body that came over the network stands already.
    """
    said = Said(
        requested=clean_url(exchange.requested),
        url=clean_url(exchange.url or exchange.requested),
        via=exchange.via,
        reason=exchange.reason,
        detail=one_line(exchange.detail),
        memento=one_line(exchange.memento),
        imported=one_line(exchange.imported),
        unchanged=clean_headers(exchange.headers) if exchange.not_modified and original else None,
    )
    pieces: list[Piece] = []
    for hop in exchange.hops:
        response = new_id()
        said.hops.append((Hop(clean_url(hop.url), hop.status), response))
        pieces.append(
            Piece(_response(exchange, clean_url(hop.url), response, hop.status, hop.headers, b"", None))
        )
        pieces.append(Piece(_request(exchange, clean_url(hop.url), response)))
    response = ""
    if exchange.status is not None:
        response = new_id()
        rendered = exchange.rendered is not None
        pieces.append(
            Piece(
                _response(
                    exchange,
                    said.url,
                    response,
                    exchange.status,
                    exchange.headers,
                    exchange.body,
                    found if rendered else original,
                ),
                main=not rendered,
            )
        )
        if exchange.request_headers:
            pieces.append(Piece(_request(exchange, said.url, response)))
        said.main = response
    if exchange.rendered is not None:
        said.main, said.response = new_id(), response
        pieces.append(Piece(_rendered(exchange, said, original), main=True))
    if exchange.rendered is not None or needs_words(said):
        pieces.insert(0, Piece(_metadata(exchange, said), main=not said.main))
    return pieces


def new_id() -> str:
    """A fresh WARC-Record-ID."""
    return f"<urn:uuid:{uuid.uuid4()}>"


def _metadata(exchange: Exchange, said: Said) -> bytes:
    headers = [("WARC-Date", warc_date(exchange.time)), ("WARC-Target-URI", said.url)]
    if said.main:
        headers.append(("WARC-Concurrent-To", said.main))
    return _warc("metadata", new_id(), headers, "application/warc-fields", _fields(metadata_fields(said)))


def _response(
    exchange: Exchange,
    url: str,
    record_id: str,
    status: int,
    headers: Sequence[tuple[str, str]],
    body: bytes,
    original: Body | None,
) -> bytes:
    try:
        phrase = HTTPStatus(status).phrase
    except ValueError:
        phrase = ""
    stored = stored_headers(headers, len(body))
    http = (
        f"HTTP/1.1 {status} {phrase}\r\n" + "".join(f"{name}: {value}\r\n" for name, value in stored) + "\r\n"
    )
    head = http.encode("utf-8", "replace")
    warc = [("WARC-Target-URI", url), ("WARC-Date", warc_date(exchange.time))]
    if exchange.http_version.startswith("2"):
        warc.append(("WARC-Protocol", "h2"))
    kind = "application/http; msgtype=response"
    if original is not None and exchange.not_modified:
        # Replay takes a revisit's status for the page's own, so the 304 stands in the metadata record.
        return _warc("revisit", record_id, warc + _refers(original, "server-not-modified"), kind, b"")
    if original is not None:
        refers = _refers(original, "identical-payload-digest")
        return _warc("revisit", record_id, warc + refers, kind, head)
    if exchange.reason in _TRUNCATED and (status, url) == (exchange.status, clean_url(exchange.url)):
        warc.append(("WARC-Truncated", _TRUNCATED[exchange.reason]))
    warc.append(("WARC-Payload-Digest", sha256(body)))
    warc.append(("WARC-Block-Digest", sha256(head + body)))
    return _warc("response", record_id, warc, kind, head + body)


def _rendered(exchange: Exchange, said: Said, original: Body | None) -> bytes:
    body = exchange.rendered or b""
    warc = [("WARC-Target-URI", said.url), ("WARC-Date", warc_date(exchange.time))]
    if said.response:
        warc.append(("WARC-Concurrent-To", said.response))
    kind = "text/html; charset=utf-8"
    if original is not None:
        return _warc("revisit", said.main, warc + _refers(original, "identical-payload-digest"), kind, b"")
    digest = sha256(body)
    warc += [("WARC-Payload-Digest", digest), ("WARC-Block-Digest", digest)]
    return _warc("resource", said.main, warc, kind, body)


def _refers(original: Body, profile: str) -> list[tuple[str, str]]:
    return [
        ("WARC-Profile", _PROFILE + profile),
        ("WARC-Refers-To-Target-URI", original.url),
        ("WARC-Refers-To-Date", original.time.replace(".000000Z", "Z")),
        ("WARC-Payload-Digest", original.payload),
    ]


def _request(exchange: Exchange, url: str, response: str) -> bytes:
    parts = urlsplit(url)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    sent = [(n, v) for n, v in clean_headers(exchange.request_headers) if n.lower() not in _SECRET_HEADERS]
    if url != clean_url(exchange.url) or not any(name.lower() == "host" for name, _ in sent):
        host = parts.netloc.rpartition("@")[2]
        sent = [("Host", host), *((n, v) for n, v in sent if n.lower() != "host")]
    lines = [f"GET {path} HTTP/1.1", *(f"{name}: {value}" for name, value in sent), "", ""]
    block = "\r\n".join(lines).encode("utf-8", "replace")
    warc = [
        ("WARC-Target-URI", url),
        ("WARC-Date", warc_date(exchange.time)),
        ("WARC-Concurrent-To", response),
    ]
    return _warc("request", new_id(), warc, "application/http; msgtype=request", block)


def _fields(fields: Iterable[tuple[str, str]]) -> bytes:
    return "".join(f"{name}: {one_line(value)}\r\n" for name, value in fields).encode()


def _warc(
    kind: str, record_id: str, headers: list[tuple[str, str]], content_type: str, block: bytes
) -> bytes:
    from warcio.recordloader import ArcWarcRecord  # start-up time
    from warcio.statusandheaders import StatusAndHeaders

    head = [("WARC-Type", kind), ("WARC-Record-ID", record_id), *headers]
    record = ArcWarcRecord(
        "warc",
        kind,
        StatusAndHeaders("", head, protocol="WARC/1.1"),
        io.BytesIO(b"" if kind == "revisit" else block),
        _AsIs(block) if kind == "revisit" and block else None,
        content_type,
        len(block),
    )
    out = io.BytesIO()
    _writer_class()(out, gzip=False).write_record(record)
    return squeezed(out.getvalue())


def squeezed(record: bytes) -> bytes:
    """One record as a gzip member of its own."""
    # Level 6 costs half of warcio's 9 on HTML and keeps within 1 % of its size.
    squeeze = zlib.compressobj(6, zlib.DEFLATED, 31)
    return squeeze.compress(record) + squeeze.flush()


class _AsIs:
    """HTTP headers that are already bytes: warcio would percent-encode what is not ASCII."""

    def __init__(self, block: bytes) -> None:
        self.headers_buff = block

    def compute_headers_buffer(self, _filter: object = None) -> None:
        """Nothing to compute."""


@functools.cache
def _writer_class() -> Any:
    from warcio.warcwriter import WARCWriter  # start-up time

    class Writer(WARCWriter):  # type: ignore[misc]
        def ensure_digest(self, record: object, block: bool = True, payload: bool = True) -> None:
            """Digests are set where they say something; gzip guards the other records."""

    return Writer
