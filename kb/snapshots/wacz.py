"""Captures packed as WACZ 1.1.1, which replayweb.page and other tools open as one file."""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import BinaryIO
from urllib.parse import parse_qsl, quote, urlsplit

from kb.errors import ArchiveError, UsageError
from kb.snapshots.archive import Archive
from kb.snapshots.capture import Capture
from kb.snapshots.entries import read_time
from kb.snapshots.group import copy_records, group
from kb.snapshots.records import utc
from kb.snapshots.scan import Record, scan, split_http
from kb.version import __version__

_WARC = "archive/kb.warc.gz"
_INDEX = "indexes/index.cdx"
_PAGES = "pages/pages.jsonl"


def export_wacz(
    archive: Archive,
    captures: Iterable[Capture],
    target: Path,
    now: datetime,
    titles: dict[str, str] | None = None,
) -> int:
    """Write the captures, with the records that they rest on, to a WACZ file; return how many pages it shows.

    Args:
        archive: where they are.
        captures: which ones; failures are packed too, but are no pages.
        target: written beside itself and swapped in when whole.
        now: goes into the file as the time it was made.
        titles: of requested URLs, for the list of pages.

    Raises:
        UsageError: there is nothing to export.
        ArchiveError: the file cannot be written, or a record cannot be read.
    """
    chosen = list(captures)
    if not chosen:
        raise UsageError("no capture to export; `kb snapshots list` shows what there is")
    scratch = target.with_name(f".{target.name}.part")
    warc = target.with_name(f".{target.name}.warc")
    try:
        with warc.open("w+b") as file:
            _collect(archive, chosen, file)
            index = _cdx(file)
        pages = [c for c in chosen if c.reason is None and c.status is not None]
        parts = {
            _INDEX: index,
            _PAGES: _page_list(pages, titles or {}),
        }
        with zipfile.ZipFile(scratch, "w", zipfile.ZIP_STORED) as bag:
            resources = []
            bag.write(warc, _WARC)
            with warc.open("rb") as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
            resources.append(_resource(_WARC, digest, warc.stat().st_size))
            for name, data in parts.items():
                bag.writestr(name, data)
                resources.append(_resource(name, hashlib.sha256(data).hexdigest(), len(data)))
            package = _package(resources, pages, now)
            bag.writestr("datapackage.json", package)
            summary = {"path": "datapackage.json", "hash": f"sha256:{hashlib.sha256(package).hexdigest()}"}
            bag.writestr("datapackage-digest.json", json.dumps(summary, indent=2).encode())
        scratch.replace(target)
    except OSError as error:
        if isinstance(error, ArchiveError):
            raise
        raise ArchiveError(
            f"cannot write {target}: {error.strerror or error}; name another file, or free some space"
        ) from error
    finally:
        scratch.unlink(missing_ok=True)
        warc.unlink(missing_ok=True)
    return len(pages)


def surt(url: str) -> str:
    """A URL as CDX files sort it: host reversed, lower case, query sorted."""
    parts = urlsplit(url)
    host = (parts.hostname or "").removeprefix("www.")
    port = f":{parts.port}" if parts.port and parts.port not in (80, 443) else ""
    query = sorted(parse_qsl(parts.query, keep_blank_values=True))
    words = "&".join(f"{quote(n.lower(), safe='')}={quote(v.lower(), safe='')}" for n, v in query)
    path = (parts.path or "/").lower()
    path = path.rstrip("/") or "/"
    return ",".join(reversed(host.split("."))) + port + ")" + path + (f"?{words}" if words else "")


def _collect(archive: Archive, captures: list[Capture], target: BinaryIO) -> None:
    """The records of the captures and of the originals of their revisits, file by file."""
    wanted: dict[str, set[int]] = {}
    for capture in captures:
        wanted.setdefault(capture.file, set()).add(capture.offset)
        if capture.body_offset >= 0:
            wanted.setdefault(capture.body_file, set()).add(capture.body_offset)
    for name in sorted(wanted):
        try:
            with archive.path(name).open("rb") as file:
                groups = group(file)
                copy_records(file, (groups.opening, *groups.holding(wanted[name])), target)
        except OSError as error:
            raise ArchiveError(
                f"{archive.folder.name}/{name} cannot be read: {error.strerror}; see kb snapshots verify"
            ) from error


def _cdx(file: BinaryIO) -> bytes:
    lines = []
    for record in scan(file):
        if not isinstance(record, Record) or record.type not in ("response", "revisit", "resource"):
            continue
        facts: dict[str, str] = {"url": record.target}
        kind, status = record.headers.get("content-type", ""), ""
        if record.block and record.type != "resource":
            try:
                first, headers, _ = split_http(record.block)
            except ValueError:
                continue
            kind = next((v for n, v in headers if n.lower() == "content-type"), "unk")
            status = next(iter(first.split()[1:2]), "")
        facts["mime"] = "warc/revisit" if record.type == "revisit" else kind.partition(";")[0].strip()
        if status and record.type != "revisit":
            facts["status"] = status
        facts["digest"] = record.headers.get("warc-payload-digest", "")
        facts["length"] = str(record.end - record.offset)
        facts["offset"] = str(record.offset)
        facts["filename"] = _WARC.rpartition("/")[2]
        when = read_time(record.headers.get("warc-date", ""))
        lines.append(f"{surt(record.target)} {when:%Y%m%d%H%M%S} {json.dumps(facts)}\n".encode())
    return b"".join(sorted(lines))


def _page_list(pages: list[Capture], titles: dict[str, str]) -> bytes:
    lines: list[dict[str, str]] = [{"format": "json-pages-1.0", "id": "pages", "title": "All captures"}]
    for number, capture in enumerate(pages, 1):
        line = {"id": f"page-{number}", "url": capture.url, "ts": capture.captured}
        if title := titles.get(capture.requested):
            line["title"] = title
        lines.append(line)
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode()


def _resource(path: str, digest: str, size: int) -> dict[str, str | int]:
    return {"name": path.rpartition("/")[2], "path": path, "hash": f"sha256:{digest}", "bytes": size}


def _package(resources: list[dict[str, str | int]], pages: list[Capture], now: datetime) -> bytes:
    package: dict[str, object] = {
        "profile": "data-package",
        "wacz_version": "1.1.1",
        "title": "Captures of a knowledge base",
        "software": f"kb {__version__} (citedrift)",
        "created": utc(now).isoformat().replace("+00:00", "Z"),
        "resources": resources,
    }
    if pages:
        package |= {"mainPageUrl": pages[-1].url, "mainPageDate": pages[-1].captured}
    return json.dumps(package, indent=2, ensure_ascii=False).encode()
