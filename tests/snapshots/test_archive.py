"""What is kept comes back as it was, and any WARC tool can read it."""

from __future__ import annotations

import io
import pickle
import zlib
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest
from exchanges import NOON, RECEIVED, page, warcio_check
from warcio.archiveiterator import ArchiveIterator
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from kb.errors import ArchiveError, UsageError
from kb.reasons import Reason
from kb.snapshots import Archive, Exchange, Hop


def records(archive: Archive) -> list[tuple[str, dict[str, str], bytes]]:
    """All records in the archive, as warcio reads them."""
    found = []
    for path in sorted(archive.folder.glob("**/*.warc.gz")):
        with path.open("rb") as file:
            for record in ArchiveIterator(file):
                http = record.http_headers.headers if record.http_headers else []
                found.append(
                    (record.rec_type, dict(record.rec_headers.headers) | dict(http), record.raw_stream.read())
                )
    return found


def test_a_page_comes_back_as_it_was(archive: Archive) -> None:
    with archive.begin(NOON, {"delay": 1.0}) as run:
        kept = run.keep(page("https://example.org/a?b=c", "größer".encode()))
    assert archive.captures() == [kept] == archive.captures("https://example.org/a?b=c")
    assert archive.captures("https://example.org/") == []
    assert archive.body(kept) == "größer".encode()
    assert (kept.status, kept.headers, kept.time, kept.run) == (200, RECEIVED, NOON, run.run)
    assert kept.digest.startswith("sha256:") and len(kept.digest) == 71
    assert archive.problems == []


def test_a_file_is_named_after_its_run_and_is_whole_when_it_bears_that_name(archive: Archive) -> None:
    run = archive.begin(NOON)
    run.keep(page("https://example.org/"))
    name = f"2026/2026-11-30T120000Z-{run.run}.warc.gz"
    assert [p.name for p in archive.folder.glob("2026/*")] == [f"{name[5:]}.open"]
    run.close()
    assert [p.name for p in archive.folder.glob("2026/*")] == [name[5:]]
    assert warcio_check(archive.folder / name) == ""


def test_a_reader_sees_each_page_while_the_run_lasts(archive: Archive) -> None:
    with archive.begin(NOON) as run:
        for number in range(3):
            kept = run.keep(page(f"https://example.org/{number}", after=number))
            assert Archive(archive.folder).captures()[-1] == kept
            assert archive.body(archive.captures()[-1]) == b"<p>400 Gbps</p>"


def test_every_record_has_its_own_gzip_member(archive: Archive) -> None:
    with archive.begin(NOON) as run:
        run.keep(page("https://example.org/"))
    [path] = archive.folder.glob("2026/*.warc.gz")
    data, kinds = path.read_bytes(), []
    while data:
        member = zlib.decompressobj(31)
        kinds.append(member.decompress(data).split(b"\r\n")[1])
        data = member.unused_data
    assert kinds == [b"WARC-Type: warcinfo", b"WARC-Type: response", b"WARC-Type: request"]


def test_headers_agree_with_the_stored_body_and_come_back_as_received(archive: Archive) -> None:
    received = (
        ("content-encoding", "gzip"),
        ("Content-Length", "7"),
        ("Transfer-Encoding", "chunked"),
        *RECEIVED,
    )
    with archive.begin(NOON) as run:
        kept = run.keep(page("https://example.org/", b"decoded", headers=received))
    assert kept.headers == received == archive.captures()[0].headers
    stored = next(headers for kind, headers, _ in records(archive) if kind == "response")
    assert stored["X-Kb-Orig-content-encoding"] == "gzip"
    assert stored["Content-Length"] == "7" and "Transfer-Encoding" not in stored


def test_headers_that_already_look_kept_stay_apart(archive: Archive) -> None:
    received = (("X-Kb-Orig-Content-Type", "text/plain"), ("Content-Length", "99"), *RECEIVED)
    with archive.begin(NOON) as run:
        assert run.keep(page("https://example.org/", headers=received)).headers == received


@pytest.mark.parametrize(
    ("name", "value", "kept"),
    [
        ("X-Words", "größer", "größer"),
        ("X-Break", "one\r\nSet-Cookie: two", "one Set-Cookie: two"),
        ("X-Nul", "a\x00b", "a b"),
        ("X-Half", "a\ud800b", "a?b"),
    ],
)
def test_no_header_breaks_out_of_its_line(archive: Archive, name: str, value: str, kept: str) -> None:
    with archive.begin(NOON) as run:
        capture = run.keep(page("https://example.org/", headers=((name, value),)))
    assert capture.headers == ((name, kept),) == archive.captures()[0].headers


def test_each_redirect_is_its_own_record_and_the_page_belongs_to_the_url_asked_for(archive: Archive) -> None:
    hops = (Hop("http://example.org/old", 301, (("Location", "https://example.org/new"),)),)
    with archive.begin(NOON) as run:
        kept = run.keep(page("http://example.org/old", url="https://example.org/new", hops=hops))
    assert archive.captures() == [kept]
    assert (kept.requested, kept.url) == ("http://example.org/old", "https://example.org/new")
    assert kept.hops == (Hop("http://example.org/old", 301),)
    answers = [h for kind, h, _ in records(archive) if kind == "response"]
    assert [a["WARC-Target-URI"] for a in answers] == ["http://example.org/old", "https://example.org/new"]
    assert answers[0]["Location"] == "https://example.org/new"


def test_a_failure_is_a_capture_with_its_reason(archive: Archive) -> None:
    failed = Exchange(
        "https://nowhere.example/", "", NOON, reason=Reason.DNS, detail="no such\nname: nowhere"
    )
    with archive.begin(NOON) as run:
        kept = run.keep(failed)
    assert archive.captures() == [kept]
    assert (kept.reason, kept.detail, kept.digest) == (Reason.DNS, "no such name: nowhere", "")
    assert archive.body(kept) == b""


def test_an_answer_that_was_cut_short_says_so(archive: Archive) -> None:
    with archive.begin(NOON) as run:
        kept = run.keep(page("https://example.org/", b"", reason=Reason.TOO_LARGE, detail="over 1 MB"))
    assert (kept.status, kept.reason, kept.digest) == (200, Reason.TOO_LARGE, "")
    assert archive.captures() == [kept]
    answer = next(headers for kind, headers, _ in records(archive) if kind == "response")
    assert answer["WARC-Truncated"] == "length"


def test_the_same_bytes_are_stored_once(archive: Archive) -> None:
    with archive.begin(NOON) as run:
        first = run.keep(page("https://example.org/"))
        second = run.keep(page("https://example.org/", after=60))
    with archive.begin(NOON + timedelta(days=1)) as run:
        third = run.keep(page("https://example.org/", after=86400))
    assert [c.revisit for c in archive.captures()] == [False, True, True]
    assert second.digest == first.digest == third.digest and second.length == third.length == 15
    assert [archive.body(c) for c in (first, second, third)] == [b"<p>400 Gbps</p>"] * 3
    revisits = [h for kind, h, _ in records(archive) if kind == "revisit"]
    assert all(h["WARC-Refers-To-Date"] == "2026-11-30T12:00:00Z" for h in revisits)
    assert all(h["WARC-Refers-To-Target-URI"] == "https://example.org/" for h in revisits)
    assert all(h["WARC-Profile"].endswith("/identical-payload-digest") for h in revisits)


def test_an_unchanged_page_costs_less_than_a_kilobyte(archive: Archive) -> None:
    headers = (
        *(
            ("Date", "Mon, 30 Nov 2026 12:00:00 GMT"),
            ("ETag", '"5f3c-6212ab34c0"'),
            ("Vary", "Accept-Encoding"),
        ),
        *(("Cache-Control", "max-age=600"), ("Content-Encoding", "gzip"), ("Content-Length", "51234")),
        *(("Strict-Transport-Security", "max-age=31536000; includeSubDomains"), ("Server", "nginx/1.25.3")),
        *RECEIVED,
    )
    url, body = "https://www.example.org/products/networking/switches/overview.html", bytes(range(256)) * 500
    with archive.begin(NOON) as run:
        run.keep(page(url, body, headers=headers))
        before = (archive.folder / f"{run.file}.open").stat().st_size
        run.keep(page(url, body, 60, headers=headers))
        assert (archive.folder / f"{run.file}.open").stat().st_size - before < 1024


def test_an_original_is_never_later_than_its_revisit(archive: Archive) -> None:
    with archive.begin(NOON) as run:
        run.keep(page("https://example.org/", after=60))
        assert not run.keep(page("https://example.org/", after=0)).revisit


def test_an_empty_body_is_no_revisit(archive: Archive) -> None:
    with archive.begin(NOON) as run:
        kept = [run.keep(page("https://example.org/", b"", n, status=404)) for n in range(2)]
    assert [c.revisit for c in kept] == [False, False]
    assert archive.captures() == kept and archive.body(kept[0]) == b""


def test_not_modified_gives_the_earlier_answer_with_the_new_headers(archive: Archive) -> None:
    headers = (("ETag", '"1"'), ("Content-Type", "text/html"))
    with archive.begin(NOON) as run:
        first = run.keep(page("https://example.org/", headers=headers))
        renewed = page(
            "https://example.org/",
            b"",
            60,
            status=304,
            headers=(("ETag", '"2"'),),
            not_modified=True,
            digest=first.digest,
        )
        kept = run.keep(renewed)
    assert archive.captures()[1] == kept
    assert (kept.status, kept.revisit, kept.extra["http_status"]) == (200, True, "304")
    assert dict(kept.headers) == {"ETag": '"2"', "Content-Type": "text/html"}
    assert archive.body(kept) == b"<p>400 Gbps</p>"


def test_not_modified_without_an_original_is_broken(archive: Archive) -> None:
    with archive.begin(NOON) as run:
        kept = run.keep(
            page("https://example.org/", b"", status=304, not_modified=True, digest="sha256:" + "0" * 64)
        )
    assert archive.captures() == [kept]
    assert kept.reason is Reason.BROKEN and "not archived" in kept.detail


def test_a_rendered_page_is_read_as_rendered_and_kept_as_sent(archive: Archive) -> None:
    with archive.begin(NOON) as run:
        kept = [
            run.keep(page("https://example.org/", b"<script>", n, via="browser", rendered=b"<p>400 Gbps</p>"))
            for n in range(2)
        ]
    assert archive.captures() == kept
    assert [archive.body(c) for c in kept] == [b"<p>400 Gbps</p>"] * 2
    assert [(c.via, c.revisit, c.status) for c in kept] == [("browser", False, 200), ("browser", True, 200)]
    assert kept[0].content_type == "text/html; charset=utf-8"
    kinds = [kind for kind, _, _ in records(archive)]
    assert kinds == [
        "warcinfo",
        "metadata",
        "response",
        "request",
        "resource",
        "metadata",
        "revisit",
        "request",
        "revisit",
    ]


def test_an_archived_copy_says_where_it_is_from(archive: Archive) -> None:
    with archive.begin(NOON) as run:
        kept = run.keep(
            page("https://example.org/", via="memento", memento="https://archive.example/1, 1 May 2026")
        )
    assert archive.captures() == [kept]
    assert (kept.via, kept.memento) == ("memento", "https://archive.example/1, 1 May 2026")


def test_no_credentials_are_kept(archive: Archive) -> None:
    sent = (("Authorization", "Bearer secret"), ("Cookie", "a=secret"), ("Accept", "*/*"))
    with archive.begin(NOON) as run:
        run.keep(page("https://example.org/", request_headers=sent))
    request = next(headers for kind, headers, _ in records(archive) if kind == "request")
    assert "secret" not in str(request) and request["Host"] == "example.org"


def test_captures_are_sorted_by_time_whatever_wrote_them_first(archive: Archive) -> None:
    for start in (200, 100):
        with archive.begin(NOON + timedelta(seconds=start)) as run:
            for n in (2, 1):
                run.keep(page("https://example.org/", b"%d" % (start + n), start + n))
    assert [archive.body(c) for c in archive.captures()] == [b"101", b"102", b"201", b"202"]
    assert archive.body(archive.newest()["https://example.org/"]) == b"202"
    assert [r.started for r in archive.runs()] == [NOON + timedelta(seconds=n) for n in (100, 200)]


def test_times_are_utc_to_the_microsecond_and_never_without_a_zone(archive: Archive) -> None:
    there = datetime(2026, 11, 30, 14, 0, 0, 123456, timezone(timedelta(hours=2)))
    with archive.begin(NOON) as run:
        kept = run.keep(page("https://example.org/", time=there))
        with pytest.raises(UsageError, match="zone"):
            run.keep(page("https://example.org/", time=datetime(2026, 11, 30, 14)))
    assert archive.captures()[0].captured == kept.captured == "2026-11-30T12:00:00.123456Z"
    with pytest.raises(UsageError, match="zone"):
        archive.begin(datetime(2026, 11, 30, 14))


def test_a_run_that_kept_nothing_leaves_no_file(archive: Archive) -> None:
    archive.begin(NOON).close()
    assert list(archive.folder.glob("**/*.warc*")) == []
    run = archive.begin(NOON)
    run.close()
    with pytest.raises(UsageError, match="closed"):
        run.keep(page("https://example.org/"))


def test_an_archive_crosses_to_another_process_as_its_folder(archive: Archive) -> None:
    with archive.begin(NOON) as run:
        kept = run.keep(page("https://example.org/"))
    there = pickle.loads(pickle.dumps((archive, kept)))
    assert there[0].body(there[1]) == b"<p>400 Gbps</p>"


def foreign(path: Path, *answers: tuple[str, str, list[tuple[str, str]], bytes], gzip: bool = True) -> None:
    """Answers as another tool would write them, without a word about captures."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        writer = WARCWriter(file, gzip=gzip, warc_version="1.0")
        writer.write_record(writer.create_warcinfo_record(path.name, {"software": "another/1.0"}))
        for url, status, headers, body in answers:
            http = StatusAndHeaders(status, headers, protocol="HTTP/1.1")
            dated = {"WARC-Date": "2025-05-01T00:00:00Z"}
            writer.write_record(
                writer.create_warc_record(
                    url,
                    "response",
                    payload=io.BytesIO(body),
                    length=len(body),
                    http_headers=http,
                    warc_headers_dict=dated,
                )
            )


@pytest.mark.parametrize("gzip", [True, False])
def test_files_of_other_tools_are_read(archive: Archive, gzip: bool) -> None:
    squeezed = zlib.compressobj(wbits=31)
    coded = squeezed.compress(b"<p>200 Gbps</p>") + squeezed.flush()
    chunked = b"3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"
    foreign(
        archive.folder / ("other.warc.gz" if gzip else "other.warc"),
        ("https://example.org/a", "200 OK", [("Content-Encoding", "gzip")], coded),
        ("https://example.org/b", "200 OK", [("Transfer-Encoding", "chunked")], chunked),
        ("https://example.org/c", "301 Moved", [("Location", "/a")], b""),
        gzip=gzip,
    )
    found = {c.requested: c for c in archive.captures()}
    assert archive.body(found["https://example.org/a"]) == b"<p>200 Gbps</p>"
    assert archive.body(found["https://example.org/b"]) == b"abcde"
    assert found["https://example.org/c"].url == "https://example.org/a"
    assert archive.body(found["https://example.org/c"]) == b"<p>200 Gbps</p>"
    assert archive.problems == []


def test_a_coding_that_cannot_be_read_is_undecodable(archive: Archive) -> None:
    answer = ("https://example.org/a", "200 OK", [("Content-Encoding", "zstd")], b"(not readable)")
    foreign(archive.folder / "other.warc.gz", answer)
    [capture] = archive.captures()
    assert capture.reason is Reason.UNDECODABLE and "zstd" in capture.detail


def test_a_revisit_of_another_tools_plain_body_is_readable_by_any(archive: Archive) -> None:
    foreign(
        archive.folder / "2025" / "other.warc.gz", ("https://example.org/", "200 OK", [], b"<p>400 Gbps</p>")
    )
    with archive.begin(NOON) as run:
        kept = run.keep(page("https://example.org/"))
    # Their payload digest is a sha1, so a reader could not pair a revisit of ours with it.
    assert not kept.revisit and [archive.body(c) for c in archive.captures()] == [b"<p>400 Gbps</p>"] * 2


def test_warcio_check_passes_on_everything(archive: Archive) -> None:
    with archive.begin(NOON, {"a": 1}) as run:
        first = run.keep(page("https://example.org/ü?q=ä", headers=(("X", "ü"), ("Content-Length", "3"))))
        run.keep(page("https://example.org/ü?q=ä", after=1))
        run.keep(
            page(
                "https://example.org/x", after=2, hops=(Hop("https://example.org/y", 302),), http_version="2"
            )
        )
        run.keep(page("https://example.org/z", after=3, rendered=b"<p>", via="browser"))
        run.keep(Exchange("https://nowhere.example", "", NOON, reason=Reason.TIMEOUT))
        run.keep(page("https://example.org/", b"", 4, status=304, not_modified=True, digest=first.digest))
        run.keep(page("https://example.org/", b"part", 5, status=999, reason=Reason.BROKEN))
    assert warcio_check(archive.folder / run.file) == ""
    assert len(archive.captures()) == 7 and archive.problems == []


def test_a_body_that_is_not_what_its_digest_says_is_told_and_skipped(archive: Archive) -> None:
    with archive.begin(NOON) as run:
        kept = run.keep(page("https://example.org/", b"one"))
        other = run.keep(page("https://example.org/other", b"two", 1))
    path = archive.folder / run.file
    data = path.read_bytes()
    member = zlib.decompressobj(31)
    text = member.decompress(data[kept.offset :]).replace(b"\r\n\r\none", b"\r\n\r\nTWO")
    end = len(data) - len(member.unused_data)
    squeeze = zlib.compressobj(wbits=31)
    path.write_bytes(data[: kept.offset] + squeeze.compress(text) + squeeze.flush() + data[end:])
    again = Archive(archive.folder)
    first, second = again.captures()
    with pytest.raises(ArchiveError, match="backup"):
        again.body(first)
    assert again.read(first) is None
    assert again.body(second) == b"two" and second.digest == other.digest
    assert any("digest" in str(problem) for problem in again.problems)


def test_a_missing_original_is_told_and_skipped(archive: Archive) -> None:
    with archive.begin(NOON) as run:
        run.keep(page("https://example.org/"))
    with archive.begin(NOON + timedelta(hours=1)) as later:
        later.keep(page("https://example.org/", after=3600))
        kept = later.keep(page("https://example.org/other", b"other", 3601))
    (archive.folder / run.file).unlink()
    assert archive.captures() == [kept]
    [problem] = archive.problems
    assert "original" in problem.what and problem.file == f"snapshots/{later.file}"


def test_a_damaged_original_is_never_referred_to(archive: Archive) -> None:
    with archive.begin(NOON) as run:
        kept = run.keep(page("https://example.org/"))
    path = archive.folder / run.file
    data = bytearray(path.read_bytes())
    data[kept.offset + 40] ^= 0xFF
    path.write_bytes(data)
    with archive.begin(NOON + timedelta(hours=1)) as later:
        assert not later.keep(page("https://example.org/", after=3600)).revisit
    assert archive.body(archive.captures()[-1]) == b"<p>400 Gbps</p>"


def test_a_damaged_record_hides_no_other(archive: Archive) -> None:
    with archive.begin(NOON) as run:
        kept = [run.keep(page(f"https://example.org/{n}", b"page %d" % n * 50, n)) for n in range(5)]
    path = archive.folder / run.file
    data = bytearray(path.read_bytes())
    for at in range(kept[2].offset + 30, kept[2].offset + 60):
        data[at] ^= 0x55
    path.write_bytes(data)
    again = Archive(archive.folder)
    assert [c.url for c in again.captures()] == [c.url for n, c in enumerate(kept) if n != 2]
    assert any("damaged" in str(problem) for problem in again.problems)


def test_a_file_that_is_no_warc_is_told(archive: Archive) -> None:
    archive.folder.mkdir()
    (archive.folder / "notes.warc.gz").write_bytes(b"these are notes, nothing else\n")
    (archive.folder / "empty.warc.gz").write_bytes(b"")
    assert archive.captures() == []
    assert [problem.file for problem in archive.problems] == ["snapshots/notes.warc.gz"]
