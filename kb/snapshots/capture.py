"""One response, or one failure, from one URL at one time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from kb.reasons import Reason


@dataclass(frozen=True, slots=True)
class Hop:
    """One request that was answered with a redirect, on the way to the page."""

    url: str
    status: int
    headers: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Exchange:
    """What happened when a URL was asked for: what the fetcher hands to the archive.

    Attributes:
        requested: the source's URL.
        url: the address that answered last, after redirects.
        time: when the answer had come, aware, UTC.
        status: HTTP status; None where no answer came.
        headers: of the answer, in order, as received.
        body: as received with content coding removed, never more than the limit; b"" for none.
        request_headers: as sent, without credentials.
        hops: the redirects before.
        http_version: "1.1" or "2".
        reason: why there is no usable answer (dns, timeout …); None where there is one.
        detail: more on the reason.
        via: "live", "memento" or "browser".
        memento: for an archived copy: its own address and time in words; else "".
        not_modified: the server said that the capture with `digest` still stands (304).
        digest: of the body that a 304 refers to; else "".
        rendered: the DOM after scripts, as UTF-8 HTML, where a browser rendered the page.
        imported: where it was imported from, in words; else "".
    """

    requested: str
    url: str
    time: datetime
    status: int | None = None
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""
    request_headers: tuple[tuple[str, str], ...] = ()
    hops: tuple[Hop, ...] = ()
    http_version: str = "1.1"
    reason: Reason | None = None
    detail: str = ""
    via: str = "live"
    memento: str = ""
    not_modified: bool = False
    digest: str = ""
    rendered: bytes | None = None
    imported: str = ""


@dataclass(frozen=True, slots=True)
class Capture:
    """One response or failure as the archive keeps it; the body is read on demand.

    Attributes:
        requested: the URL that was asked for: captures belong to a source by this.
        url: the address that answered last.
        time: aware, UTC, whole seconds or finer.
        digest: `sha256:<hex>` of the body; "" for a failure without a body.
        status: HTTP status, None where no answer came.
        headers: of the answer, in order, as received.
        reason: of a failure to get any usable answer; None where there is one.
        detail: more on the reason.
        via: "live", "memento", "browser" or "import".
        file: WARC file, relative to `snapshots/`.
        offset: of its record in that file, in bytes.
        revisit: whether the body is an earlier capture's, byte for byte.
        length: bytes of the body.
        run: id of the run that made it; "" for what was imported, and in files of other tools.
        extra: further facts: `http_status` (304 where the server said that nothing changed),
            `imported` (what it was imported from).
        hops: the redirects before, without their headers.
        body_file: the file that holds the bytes of the body: `file`, but for a revisit.
        body_offset: of the record there; -1 where there is no body.
    """

    requested: str
    url: str
    time: datetime
    digest: str = ""
    status: int | None = None
    headers: tuple[tuple[str, str], ...] = ()
    reason: Reason | None = None
    detail: str = ""
    via: str = "live"
    memento: str = ""
    file: str = ""
    offset: int = 0
    revisit: bool = False
    length: int = 0
    run: str = ""
    extra: Mapping[str, str] = field(default_factory=dict, hash=False, compare=False)
    hops: tuple[Hop, ...] = ()
    body_file: str = field(default="", compare=False)
    body_offset: int = field(default=-1, compare=False)

    @property
    def captured(self) -> str:
        """The time as ISO 8601 in UTC, to the second at least: `2026-11-30T17:00:00Z`."""
        return self.time.isoformat().replace("+00:00", "Z")

    @property
    def content_type(self) -> str | None:
        """The Content-Type header, as received."""
        for name, value in self.headers:
            if name.lower() == "content-type":
                return value
        return None


@dataclass(frozen=True, slots=True)
class Run:
    """One file of the archive: what one execution of `kb check` (or an import, or another tool) wrote.

    Attributes:
        id: as in `Capture.run`; for another tool's file, its name.
        file: relative to `snapshots/`.
        started: aware, UTC; None where the file does not say.
        software: what wrote it, in its own words.
        settings: as given to `Archive.begin`, as JSON; "" where the file has none.
        open: whether the file is still being written, or waits to be adopted.
    """

    id: str
    file: str
    started: datetime | None
    software: str = ""
    settings: str = ""
    open: bool = False
