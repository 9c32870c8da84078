"""No bytes in the archive's folder make reading raise, and none hide what is whole beside them."""

from __future__ import annotations

import io
import tempfile
import zlib
from pathlib import Path

import pytest
from exchanges import NOON, page
from hypothesis import example, given, settings
from hypothesis import strategies as st

import kb.snapshots.scan as scanning
from kb.errors import KbError
from kb.reasons import Reason
from kb.snapshots import Archive, Exchange, Hop
from kb.snapshots.importer import import_files
from kb.snapshots.scan import Fault, Record, scan
from kb.snapshots.verify import verify


def written() -> bytes:
    """A file with one of each record."""
    with tempfile.TemporaryDirectory() as folder:
        archive = Archive(folder)
        with archive.begin(NOON) as run:
            run.keep(page("https://example.org/a", b"a" * 400, hops=(Hop("https://example.org/b", 301),)))
            run.keep(page("https://example.org/a", b"a" * 400, 1))
            run.keep(page("https://example.org/c", b"c", 2, rendered=b"dom", via="browser"))
            run.keep(Exchange("https://example.org/d", "", NOON, reason=Reason.DNS))
        return (archive.folder / run.file).read_bytes()


FILE = written()


def plain() -> bytes:
    """The same, without compression."""
    data, parts = FILE, []
    while data:
        member = zlib.decompressobj(31)
        parts.append(member.decompress(data))
        data = member.unused_data
    return b"".join(parts)


PLAIN = plain()


def squeezed(record: bytes) -> bytes:
    squeeze = zlib.compressobj(wbits=31)
    return squeeze.compress(record) + squeeze.flush()


edits = st.lists(st.tuples(st.integers(0, 20_000), st.integers(0, 4), st.binary(max_size=6)), max_size=5)
headers = st.lists(
    st.tuples(
        st.sampled_from(
            [
                *(
                    "WARC-Type",
                    "WARC-Date",
                    "Content-Length",
                    "WARC-Target-URI",
                    "Content-Type",
                    "WARC-Record-ID",
                ),
                *("WARC-Payload-Digest", "WARC-Refers-To-Date", "WARC-Concurrent-To", "WARC-Truncated"),
            ]
        ),
        st.sampled_from(
            [
                *(
                    "response",
                    "revisit",
                    "metadata",
                    "resource",
                    "warcinfo",
                    "",
                    "x",
                    "-1",
                    "7",
                    "99999999999",
                    "<>",
                ),
                *("2026-11-30T12:00:00Z", "20261130120000", "2026-13-45", "0001-01-01T00:00:00+14:00"),
                *(
                    "https://example.org/",
                    "http://[",
                    "urn:x",
                    "application/http",
                    "text/html",
                    "sha256:00",
                    "sha1:A",
                ),
                *("9999-12-31T23:59:59-14:00", "١٢", "²"),
            ]
        ),
    ),
    max_size=8,
)
blocks = st.sampled_from(
    [
        *(
            b"",
            b"HTTP/1.1 200 OK\r\n\r\nbody",
            b"HTTP/1.1 \xb2\r\n\r\n",
            b"HTTP/1.1 301 \r\nLocation: http://[\r\n\r\n",
        ),
        *(
            b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n\x1f\x8b\x08junk",
            b"no http at all",
            b"\r\n\r\n",
        ),
        *(
            b"HTTP/1.1 200\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
            b"kb-capture: 1\r\nhop: x y z\r\nmain: <a>",
        ),
        *(b"kb-capture: 1\r\nreason: nonsense\r\n", b"software: kb/9\r\nrun: \xff"),
    ]
)


def changed(data: bytes, changes: list[tuple[int, int, bytes]]) -> bytes:
    for at, length, new in changes:
        at %= len(data)
        data = data[:at] + new + data[at + length :]
    return data


def read_all(data: bytes, name: str) -> Archive:
    """Do everything that reads with a file of these bytes beside a whole one."""
    with tempfile.TemporaryDirectory() as folder:
        archive = Archive(folder)
        (Path(folder) / name).write_bytes(data)
        (Path(folder) / "whole.warc.gz").write_bytes(FILE)
        captures = archive.captures()
        assert sum(c.file == "whole.warc.gz" for c in captures) == 4
        for capture in captures:
            archive.read(capture)
        verify(archive)
        archive.adopt()
        assert archive.captures() is not None
        other = Archive(Path(folder) / "other")
        try:
            import_files(other, [archive.path(name)], NOON)
        except KbError as error:
            assert error.exit_code in (2, 4)
        return archive


@settings(deadline=None, max_examples=60)
@given(edits, st.sampled_from(["bad.warc.gz", "bad.warc.gz.open"]))
@example([(315, 4, b"\x1f\x8b\x08\x00")], "bad.warc.gz")
def test_no_edit_of_a_compressed_file_hides_another(changes: list[tuple[int, int, bytes]], name: str) -> None:
    read_all(changed(FILE, changes), name)


@settings(deadline=None, max_examples=60)
@given(edits)
def test_no_edit_of_a_plain_file_hides_another(changes: list[tuple[int, int, bytes]]) -> None:
    read_all(changed(PLAIN, changes), "bad.warc")


@settings(deadline=None, max_examples=120)
@given(st.lists(st.tuples(headers, blocks), min_size=1, max_size=4))
def test_no_record_that_somebody_makes_up_hides_another(
    made_up: list[tuple[list[tuple[str, str]], bytes]],
) -> None:
    records = []
    for lines, block in made_up:
        named = dict(lines)
        named.setdefault("Content-Length", str(len(block)))
        head = "".join(f"{name}: {value}\r\n" for name, value in named.items())
        records.append(squeezed(b"WARC/1.1\r\n" + head.encode() + b"\r\n" + block + b"\r\n\r\n"))
    read_all(b"".join(records), "bad.warc.gz")


@settings(deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes_are_records_and_faults(data: bytes) -> None:
    for prefix in (b"", b"\x1f\x8b\x08", b"WARC/1.1\r\n"):
        assert all(isinstance(item, Record | Fault) for item in scan(io.BytesIO(prefix + data)))


def test_a_record_that_unpacks_to_very_much_is_a_fault_and_the_next_is_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(scanning, "MAX_RECORD", 100_000)
    bomb = squeezed(b"WARC/1.1\r\nContent-Length: 900000\r\n\r\n" + bytes(900_000))
    first, *others = scan(io.BytesIO(bomb + FILE))
    assert isinstance(first, Fault) and "more than 100000 bytes" in first.what
    assert len(others) == len(list(scan(io.BytesIO(FILE)))) and not any(isinstance(o, Fault) for o in others)
