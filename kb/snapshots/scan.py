"""WARC files read record by record, past what is torn or damaged."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

MAX_RECORD = 512 * 1024 * 1024
"""Bytes of one record, decompressed, that are read into memory; the fetcher's limit is far below."""

_CHUNK = 64 * 1024
_MAGIC = b"\x1f\x8b\x08"
_HEAD_END = re.compile(rb"\r?\n\r?\n")


@dataclass(frozen=True, slots=True)
class Record:
    """One WARC record. Names in `headers` are lower case; `end` is the offset after it."""

    offset: int
    end: int
    headers: dict[str, str]
    block: bytes
    raw: bytes

    @property
    def type(self) -> str:
        """The kind of record: response, metadata …"""
        return self.headers.get("warc-type", "").lower()

    @property
    def id(self) -> str:
        """The WARC-Record-ID, as written."""
        return self.headers.get("warc-record-id", "")

    @property
    def target(self) -> str:
        """The WARC-Target-URI, without the brackets that some tools put around it."""
        return self.headers.get("warc-target-uri", "").strip("<>")


@dataclass(frozen=True, slots=True)
class Fault:
    """A place in a file that holds no whole record. `torn`: nothing whole follows up to the end."""

    offset: int
    what: str
    torn: bool = False


class _Damaged(Exception):
    def __init__(self, what: str, torn: bool = False) -> None:
        super().__init__(what)
        self.what = what
        self.torn = torn


def scan(file: BinaryIO, start: int = 0) -> Iterator[Record | Fault]:
    """All records from `start` on, in order. Damage gives a Fault, and reading goes on after it."""
    file.seek(start)
    magic = file.read(len(_MAGIC))
    file.seek(start)
    if magic.startswith(_MAGIC[:2]):
        yield from _scan_gzip(file, start)
    elif magic:
        yield from _scan_plain(file, start)


def record_at(file: BinaryIO, offset: int) -> Record:
    """The record at `offset`, reading no other; ValueError says what is wrong with it."""
    file.seek(offset)
    pending = file.read(_CHUNK)
    try:
        if pending.startswith(_MAGIC[:2]):
            data, end, _ = _member(file, offset, pending)
            return _record(data, offset, end)
        file.seek(offset)
        return _plain(file, offset)
    except _Damaged as damage:
        raise ValueError(damage.what) from damage


def _scan_gzip(file: BinaryIO, offset: int) -> Iterator[Record | Fault]:
    pending = file.read(_CHUNK)
    while pending:
        try:
            data, end, pending = _member(file, offset, pending)
            if data:
                yield from _within(data, offset, end)
            offset = end
            if not pending:
                pending = file.read(_CHUNK)
        except _Damaged as damage:
            after = _resync(file, offset + 1)
            if after is None:  # nothing follows: as a power cut leaves the end of a file
                yield Fault(offset, damage.what, torn=True)
                return
            yield Fault(offset, f"{damage.what}, {after - offset} bytes skipped")
            offset = after
            file.seek(offset)
            pending = file.read(_CHUNK)


def _within(data: bytes, offset: int, end: int) -> Iterator[Record | Fault]:
    """The one record of a gzip member, or a Fault where the member holds anything else."""
    try:
        record = _record(data, offset, end)
    except _Damaged as damage:
        yield Fault(offset, damage.what)
        return
    yield record
    if len(data) - len(record.raw) > 4 and data[len(record.raw) :].strip():
        yield Fault(
            offset, "several records in one gzip member, only the first is read; import the file anew"
        )


def _member(file: BinaryIO, offset: int, pending: bytes) -> tuple[bytes, int, bytes]:
    """One gzip member from `offset`: its bytes, the offset after it, and what was read past it."""
    inflate = zlib.decompressobj(31)
    parts: list[bytes] = []
    total = taken = 0
    while True:
        if not pending:
            raise _Damaged("the last record is cut short", torn=True)
        try:
            part = inflate.decompress(pending)
        except zlib.error as error:
            raise _Damaged("damaged record") from error
        taken += len(pending)
        total += len(part)
        if total > MAX_RECORD:
            raise _Damaged(f"a record of more than {MAX_RECORD} bytes")
        parts.append(part)
        if inflate.eof:
            rest = inflate.unused_data
            return b"".join(parts), offset + taken - len(rest), rest
        pending = file.read(_CHUNK)


def _resync(file: BinaryIO, start: int) -> int | None:
    """Offset of the next gzip member that begins like a WARC record, at or after `start`."""
    base = start
    file.seek(base)
    window = file.read(_CHUNK)
    while window:
        at = window.find(_MAGIC)
        while at != -1:
            file.seek(base + at)
            try:
                if zlib.decompressobj(31).decompress(file.read(4096), 16).startswith(b"WARC/"):
                    return base + at
            except zlib.error:
                pass
            at = window.find(_MAGIC, at + 1)
        base += max(1, len(window) - len(_MAGIC) + 1)
        file.seek(base)
        window = file.read(_CHUNK)
        if len(window) < len(_MAGIC):
            return None
    return None


def _scan_plain(file: BinaryIO, offset: int) -> Iterator[Record | Fault]:
    while True:
        file.seek(offset)
        blank = file.read(4)
        if not blank:
            return
        if blank[:1] in b"\r\n":  # the empty lines between records
            offset += len(blank) - len(blank.lstrip(b"\r\n"))
            continue
        file.seek(offset)
        try:
            record = _plain(file, offset)
        except _Damaged as damage:
            yield Fault(offset, damage.what, damage.torn)
            return
        yield record
        offset = record.end


def _plain(file: BinaryIO, offset: int) -> Record:
    head = b""
    while not (end := _HEAD_END.search(head)):
        more = file.read(_CHUNK)
        if not more or len(head) > 1_000_000:
            raise _Damaged("the last record is cut short" if head else "no record here", torn=not more)
        head += more
    headers = _headers(head[: end.start()])
    length = _length(headers)
    data = head[: end.end() + length]
    while len(data) < end.end() + length:
        more = file.read(end.end() + length - len(data))
        if not more:
            raise _Damaged("the last record is cut short", torn=True)
        data += more
    return Record(offset, offset + len(data), headers, data[end.end() :], data)


def _record(data: bytes, offset: int, end: int) -> Record:
    border = _HEAD_END.search(data)
    if border is None:
        raise _Damaged("not a WARC record")
    headers = _headers(data[: border.start()])
    length = _length(headers)
    block = data[border.end() : border.end() + length]
    if len(block) < length:
        raise _Damaged("a record shorter than it says")
    return Record(offset, end, headers, block, data[: border.end() + length])


def _headers(head: bytes) -> dict[str, str]:
    first, _, rest = head.partition(b"\n")
    if not first.startswith(b"WARC/"):
        raise _Damaged("not a WARC record")
    return {name.lower(): value for name, value in reversed(header_lines(rest))}


def _length(headers: dict[str, str]) -> int:
    length = headers.get("content-length", "")
    if not length.isascii() or not length.isdigit():
        raise _Damaged("a record without a length")
    if int(length) > MAX_RECORD:
        raise _Damaged(f"a record of more than {MAX_RECORD} bytes")
    return int(length)


def header_lines(head: bytes) -> list[tuple[str, str]]:
    """`Name: value` lines in order, continuation lines joined, as UTF-8 or else Latin-1."""
    try:
        text = head.decode("utf-8")
    except UnicodeDecodeError:
        text = head.decode("latin-1")
    found: list[tuple[str, str]] = []
    for line in text.split("\n"):
        line = line.rstrip("\r")
        if line[:1] in (" ", "\t") and found:
            found[-1] = (found[-1][0], f"{found[-1][1]} {line.strip()}")
            continue
        name, colon, value = line.partition(":")
        if colon:
            found.append((name.strip(), value.strip()))
    return found


def split_http(block: bytes) -> tuple[str, list[tuple[str, str]], bytes]:
    """An HTTP message as its first line, its headers and its payload; ValueError where it is none."""
    border = _HEAD_END.search(block)
    head, payload = (block[: border.start()], block[border.end() :]) if border else (block, b"")
    first, _, rest = head.partition(b"\n")
    if not border and b"HTTP/" not in first:
        raise ValueError("no HTTP message in the record")
    return first.decode("latin-1").strip(), header_lines(rest), payload
