"""Captures come in from WARC, WACZ and saved pages, and go out again as WACZ; nothing comes twice."""

from __future__ import annotations

import gzip
import hashlib
import json
import shutil
import tracemalloc
import zipfile
from datetime import timedelta
from pathlib import Path

import pytest
from exchanges import NOON, page, warcio_check
from test_archive import foreign

from kb.errors import InputError, UsageError
from kb.reasons import Reason
from kb.snapshots import Archive, Exchange, Hop
from kb.snapshots.importer import import_files
from kb.snapshots.wacz import export_wacz, surt


@pytest.fixture
def other(tmp_path: Path) -> Path:
    """A file as another tool wrote it: a page, a redirect to it, and a picture."""
    path = tmp_path / "crawl.warc.gz"
    foreign(
        path,
        ("https://www.example.org/a/", "200 OK", [("Content-Type", "text/html")], b"<p>400 Gbps</p>"),
        ("http://example.org/old", "302 Found", [("Location", "https://www.example.org/a/")], b""),
        ("https://www.example.org/a.png", "200 OK", [("Content-Type", "image/png")], b"png"),
    )
    return path


def test_a_warc_is_imported_once(archive: Archive, other: Path) -> None:
    done = import_files(archive, [other], NOON)
    assert sorted(c.url.rpartition("/a")[2] for c in done.kept) == [".png", "/", "/"]
    assert {c.via for c in archive.captures()} == {"import"}
    assert archive.captures()[0].extra["imported"] == "crawl.warc.gz"
    assert archive.captures()[0].captured == "2025-05-01T00:00:00Z"
    again = import_files(archive, [other, other], NOON)
    assert (again.kept, again.known) == ([], 6)
    assert warcio_check(*archive.folder.glob("**/*.warc.gz")) == ""


def test_only_what_is_wanted_is_imported_under_the_spelling_that_is_ours(
    archive: Archive, other: Path
) -> None:
    targets = ["https://example.org/a#prices", "http://example.org/old"]
    done = import_files(archive, [other], NOON, targets=targets)
    assert sorted((c.requested, c.url) for c in done.kept) == [
        ("http://example.org/old", "https://www.example.org/a/"),
        ("https://example.org/a#prices", "https://www.example.org/a/"),
    ]
    assert done.others == 1
    assert archive.captures("http://example.org/old")[0].hops == (Hop("http://example.org/old", 302),)


def test_a_file_in_one_gzip_member_is_imported(archive: Archive, other: Path, tmp_path: Path) -> None:
    lump = tmp_path / "lump.warc.gz"
    lump.write_bytes(gzip.compress(gzip.decompress(other.read_bytes())))
    assert len(import_files(archive, [lump], NOON).kept) == 3


@pytest.mark.parametrize(
    ("name", "kind"), [("a.html", "text/html"), ("a.PDF", "application/pdf"), ("a.md", "text/markdown")]
)
def test_a_saved_page_is_imported_with_where_and_when(
    archive: Archive, tmp_path: Path, name: str, kind: str
) -> None:
    saved = tmp_path / name
    saved.write_bytes(b"400 Gbps")
    done = import_files(archive, [saved], NOON, url="https://example.org/a", date=NOON - timedelta(days=9))
    [capture] = archive.captures("https://example.org/a")
    assert [capture] == done.kept and archive.body(capture) == b"400 Gbps"
    assert (capture.content_type, capture.status, capture.via) == (kind, 200, "import")
    assert capture.time == NOON - timedelta(days=9)
    with pytest.raises(UsageError, match="--url and --date"):
        import_files(archive, [saved], NOON)


def test_what_is_from_the_future_or_of_no_known_kind_is_refused(archive: Archive, tmp_path: Path) -> None:
    saved = tmp_path / "a.html"
    saved.write_bytes(b"400 Gbps")
    late = import_files(archive, [saved], NOON, url="https://example.org/a", date=NOON + timedelta(days=9))
    assert late.kept == [] and "future" in late.problems[0]
    with pytest.raises(InputError, match="does not import"):
        import_files(archive, [tmp_path / "a.xlsx"], NOON)
    with pytest.raises(InputError, match="cannot be read"):
        import_files(archive, [tmp_path / "none.warc.gz"], NOON)
    (tmp_path / "bad.wacz").write_bytes(b"no zip")
    with pytest.raises(InputError, match="cannot be read"):
        import_files(archive, [tmp_path / "bad.wacz"], NOON)
    assert archive.captures() == []


def test_an_import_holds_one_body_at_a_time(archive: Archive, tmp_path: Path) -> None:
    crawl = tmp_path / "large.warc.gz"
    million = 1_000_000
    answers = [
        (f"https://example.org/{n}", "200 OK", [("Content-Type", "text/plain")], b"%09d" % n * (million // 9))
        for n in range(40)
    ]
    foreign(crawl, *answers)
    del answers
    tracemalloc.start()
    try:
        done = import_files(archive, [crawl], NOON)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert len(done.kept) == 40
    assert peak < 15 * million


def test_damage_in_an_imported_file_is_told_and_hides_nothing_else(archive: Archive, other: Path) -> None:
    other.write_bytes(other.read_bytes()[:-30])
    done = import_files(archive, [other], NOON)
    assert len(done.kept) == 2 and "cut short" in done.problems[0]


@pytest.fixture
def full(archive: Archive) -> Archive:
    """An archive with every sort of capture, over two runs."""
    with archive.begin(NOON) as run:
        run.keep(page("https://example.org/a"))
        run.keep(Exchange("https://nowhere.example/", "", NOON + timedelta(seconds=1), reason=Reason.DNS))
        run.keep(page("https://example.org/r", b"shell", 2, via="browser", rendered=b"rendered"))
    with archive.begin(NOON + timedelta(days=1)) as run:
        run.keep(page("https://example.org/a", after=86400))
        run.keep(
            page(
                "https://example.org/old",
                url="https://example.org/a",
                after=86401,
                hops=(Hop("https://example.org/old", 301, (("Location", "/a"),)),),
            )
        )
    return archive


def test_what_is_exported_comes_back_as_it_was(full: Archive, tmp_path: Path) -> None:
    target = tmp_path / "out.wacz"
    assert export_wacz(full, full.captures(), target, NOON) == 4
    other = Archive(tmp_path / "other")
    done = import_files(other, [target], NOON + timedelta(days=2))
    assert done.problems == []

    def facts(archive: Archive) -> list[tuple[object, ...]]:
        return [
            (c.requested, c.url, c.time, c.digest, c.reason, c.via, archive.body(c))
            for c in archive.captures()
        ]

    assert facts(other) == facts(full)


def test_an_export_of_one_capture_brings_the_original_that_it_rests_on(full: Archive, tmp_path: Path) -> None:
    target = tmp_path / "out.wacz"
    last = full.captures("https://example.org/a")[-1]
    assert last.revisit
    export_wacz(full, [last], target, NOON)
    with zipfile.ZipFile(target) as bag:
        bag.extractall(tmp_path / "bag")
    lone = Archive(tmp_path / "lone")
    (lone.folder).mkdir()
    shutil.copy(tmp_path / "bag" / "archive" / "kb.warc.gz", lone.folder)
    assert [lone.body(c) for c in lone.captures()] == [b"<p>400 Gbps</p>"] * 2
    assert warcio_check(lone.folder / "kb.warc.gz") == ""


def test_a_wacz_keeps_the_rules_of_the_format(full: Archive, tmp_path: Path) -> None:
    target = tmp_path / "out.wacz"
    export_wacz(full, full.captures(), target, NOON, {"https://example.org/a": "ND H100 v5"})
    with zipfile.ZipFile(target) as bag:
        assert {info.compress_type for info in bag.infolist()} == {zipfile.ZIP_STORED}
        package = json.loads(bag.read("datapackage.json"))
        for resource in package["resources"]:
            data = bag.read(resource["path"])
            assert resource["hash"] == "sha256:" + hashlib.sha256(data).hexdigest()
            assert resource["bytes"] == len(data)
        assert json.loads(bag.read("datapackage-digest.json"))["hash"] == (
            "sha256:" + hashlib.sha256(bag.read("datapackage.json")).hexdigest()
        )
        warc = bag.read("archive/kb.warc.gz")
        pages = [json.loads(line) for line in bag.read("pages/pages.jsonl").splitlines()]
        index = bag.read("indexes/index.cdx").splitlines()
    assert (package["profile"], package["wacz_version"]) == ("data-package", "1.1.1")
    assert pages[0]["format"] == "json-pages-1.0" and pages[1]["title"] == "ND H100 v5"
    assert index == sorted(index)
    for line in index:
        facts = json.loads(line.split(b" ", 2)[2])
        at = int(facts["offset"])
        assert gzip.decompress(warc[at : at + int(facts["length"])]).startswith(b"WARC/1.1")
    with pytest.raises(UsageError, match="no capture"):
        export_wacz(full, [], target, NOON)


@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("https://www.Example.org/A/b?y=2&x=1#f", "org,example)/a/b?x=1&y=2"),
        ("http://example.org:8080", "org,example:8080)/"),
    ],
)
def test_a_url_is_sorted_as_cdx_files_do(url: str, key: str) -> None:
    assert surt(url) == key
