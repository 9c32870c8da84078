"""Whatever ends a run, nothing that was told as kept is lost, and nothing is there twice."""

from __future__ import annotations

import errno
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest
from exchanges import NOON, page, warcio_check

import kb.snapshots.writer as writer
from kb.errors import ArchiveError, LockedError
from kb.reasons import Reason
from kb.snapshots import Archive, Capture, Exchange, Hop

WRITER = """
import sys
from datetime import timedelta
sys.path.insert(0, sys.argv[2])
from exchanges import NOON, page
from kb.reasons import Reason
from kb.snapshots import Archive, Exchange, Hop
with Archive(sys.argv[1]).begin(NOON) as run:
    print("began", flush=True)
    for n in range(int(sys.argv[3]), 10**6):
        url, when = f"https://example.org/{n}", NOON + timedelta(seconds=n)
        if n % 5 == 1:
            kept = run.keep(Exchange(url, url, when, reason=Reason.TIMEOUT))
        elif n % 5 == 2:
            kept = run.keep(page(url, b"page %d " % n * 2000, n, hops=(Hop(url + "/old", 301),)))
        elif n % 5 == 3:
            kept = run.keep(page(url, b"the same everywhere", n))
        elif n % 5 == 4:
            kept = run.keep(page(url, b"<script>", n, via="browser", rendered=b"page %d" % n))
        else:
            kept = run.keep(page(url, bytes(str(n), "ascii") * 50000, n))
        print(n, kept.requested, kept.digest, flush=True)
"""


def start_writer(folder: Path, first: int = 0) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", WRITER, str(folder), str(Path(__file__).parent), str(first)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def lines(process: subprocess.Popen[str], count: int) -> Iterator[str]:
    assert process.stdout is not None
    for _ in range(count):
        yield process.stdout.readline()


@pytest.mark.parametrize("seed", range(5))
def test_a_killed_run_loses_nothing_that_it_told(archive: Archive, seed: int) -> None:
    moments = random.Random(seed)
    told: dict[str, str] = {}
    first = 0
    for _ in range(10):
        process = start_writer(archive.folder, first)
        said = list(lines(process, 1 + moments.randrange(12)))
        for _ in range(moments.randrange(20_000)):  # somewhere within the next page
            pass
        process.kill()
        said += process.communicate()[0].splitlines()
        assert process.returncode == -signal.SIGKILL
        for line in said[1:]:
            if line.count(" ") == 2 or line.rstrip().count(" ") == 1:  # a line that is whole
                number, url, *digest = line.split()
                told[url] = digest[0] if digest else ""
                first = max(first, int(number) + 1)
        first += 1  # the page in flight may be there: what is asked for anew is another capture
    assert archive.adopt() or told
    captures = archive.captures()
    there = [capture.requested for capture in captures]
    assert len(there) == len(set(there))
    assert told.items() <= {c.requested: c.digest for c in captures}.items()
    assert all(archive.read(capture) is not None for capture in captures)
    assert archive.problems == []
    assert list(archive.folder.glob("**/*.open")) == []
    assert warcio_check(*archive.folder.glob("**/*.warc.gz")) == ""


def test_a_file_cut_anywhere_keeps_every_whole_page_before_the_cut(archive: Archive, tmp_path: Path) -> None:
    run = archive.begin(NOON)
    kept: list[tuple[int, Capture]] = []
    still_open = archive.folder / f"{run.file}.open"
    for exchange in (
        page("https://example.org/a", b"first"),
        Exchange("https://example.org/b", "", NOON + timedelta(seconds=1), reason=Reason.DNS),
        page("https://example.org/a", b"first", 2),
        page("https://example.org/d", b"fourth", 3, hops=(Hop("https://example.org/c", 302),)),
        page("https://example.org/e", b"shell", 4, via="browser", rendered=b"rendered"),
    ):
        kept.append((0, run.keep(exchange)))
        kept[-1] = (still_open.stat().st_size, kept[-1][1])
    data = still_open.read_bytes()
    run.close()
    other = tmp_path / "cut" / run.file
    for cut in (*range(0, len(data), 53), len(data) - 1):
        shutil.rmtree(tmp_path / "cut", ignore_errors=True)
        other.parent.mkdir(parents=True)
        other.with_name(f"{other.name}.open").write_bytes(data[:cut])
        again = Archive(tmp_path / "cut")
        seen_open = again.captures()
        again.adopt()
        whole = [capture for end, capture in kept if end <= cut]
        found = again.captures()
        assert found == seen_open
        assert found[: len(whole)] == whole
        assert len(found) <= len(whole) + 1, "only the page in flight may be there besides"
        assert all(capture in [c for _, c in kept] for capture in found)
        assert again.problems == []
        assert warcio_check(*again.folder.glob("**/*.warc.gz")) == ""
        assert not list(again.folder.glob("**/*.open"))


def test_the_next_run_adopts_what_a_dead_one_left(archive: Archive) -> None:
    process = start_writer(archive.folder)
    told = list(lines(process, 4))
    process.kill()
    process.communicate()
    with archive.begin(NOON + timedelta(days=1)) as run:
        run.keep(page("https://example.org/next", b"next", 86400))
    assert len(told) == 4
    assert len(archive.captures()) >= 4
    assert len(list(archive.folder.glob("2026/*.warc.gz"))) == 2


def test_a_second_run_says_who_holds_the_lock(archive: Archive) -> None:
    process = start_writer(archive.folder)
    try:
        assert list(lines(process, 2))
        with pytest.raises(
            LockedError, match=rf"process {process.pid}, since 2026-11-30T12:00:00Z"
        ) as caught:
            archive.begin(NOON)
        assert caught.value.exit_code == 4 and str(process.pid) in caught.value.facts["holder"]
        assert archive.adopt() == [], "a file that is being written is left alone"
        assert len(archive.captures()) >= 1
    finally:
        process.kill()
        process.communicate()
    archive.begin(NOON).close()


def test_two_runs_in_one_process_exclude_each_other(archive: Archive) -> None:
    with archive.begin(NOON), pytest.raises(LockedError):
        Archive(archive.folder).begin(NOON)
    archive.begin(NOON).close()


def test_a_worker_that_outlives_its_killed_run_holds_no_lock(archive: Archive) -> None:
    killed = """
import os, signal, sys
from kb.snapshots import Archive
from datetime import UTC, datetime
run = Archive(sys.argv[1]).begin(datetime.now(UTC))
if os.fork() == 0:
    print("forked", flush=True)
    sys.stdin.read()
    os._exit(0)
signal.pause()
"""
    run = subprocess.Popen(
        [sys.executable, "-c", killed, str(archive.folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert list(lines(run, 1)) == ["forked\n"]
    with pytest.raises(LockedError):
        archive.begin(NOON)
    run.kill()
    run.wait()
    archive.begin(NOON).close()
    run.communicate()


@pytest.mark.parametrize("how", ["write", "partly", "flush"])
def test_a_full_disk_ends_the_run_with_all_before_kept(
    archive: Archive, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    real_write, real_flush = os.write, writer._sync

    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def partly(fd: int, data: bytes) -> int:
        monkeypatch.setattr(os, "write", full)
        return real_write(fd, bytes(data)[:20])

    run = archive.begin(NOON)
    kept = run.keep(page("https://example.org/a", b"first"))
    if how == "flush":
        monkeypatch.setattr(writer, "_sync", full)
    else:
        monkeypatch.setattr(os, "write", full if how == "write" else partly)
    with pytest.raises(ArchiveError, match="space") as caught:
        run.keep(page("https://example.org/b", b"second", 1))
    assert caught.value.exit_code == 4
    monkeypatch.setattr(os, "write", real_write)
    monkeypatch.setattr(writer, "_sync", real_flush)
    with pytest.raises(ArchiveError, match="another run"):
        run.keep(page("https://example.org/c", b"third", 2))
    run.close()
    assert archive.captures() == [kept]
    assert warcio_check(archive.folder / run.file) == ""
    with archive.begin(NOON) as again:
        again.keep(page("https://example.org/b", b"second", 1))
    assert [c.url for c in archive.captures()] == ["https://example.org/a", "https://example.org/b"]


def test_pages_kept_by_several_threads_share_flushes_and_are_all_there(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    flushes: list[int] = []
    real = writer._sync

    def counted(fd: int) -> None:
        flushes.append(fd)
        real(fd)

    monkeypatch.setattr(writer, "_sync", counted)
    exchanges = [page(f"https://example.org/{n}", b"page %d" % n * 500, n) for n in range(120)]
    with archive.begin(NOON) as run, ThreadPoolExecutor(8) as threads:
        kept = list(threads.map(run.keep, exchanges))
    assert archive.captures() == kept
    assert 2 <= len(flushes) <= 121
    assert warcio_check(archive.folder / run.file) == ""


def test_pages_kept_together_share_one_flush(archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    flushes: list[int] = []
    exchanges = [page(f"https://example.org/{n}", b"page %d" % n, n) for n in range(20)]
    with archive.begin(NOON) as run:
        monkeypatch.setattr(writer, "_sync", flushes.append)
        kept = run.keep_all(exchanges)
        assert len(flushes) == 1
    assert archive.captures() == kept and len(kept) == 20


def test_of_pages_kept_together_those_before_a_full_disk_are_kept(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, left = os.write, [3]

    def filling(fd: int, data: bytes) -> int:
        left[0] -= 1
        if left[0] < 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return real(fd, data)

    run = archive.begin(NOON)
    monkeypatch.setattr(os, "write", filling)
    with pytest.raises(ArchiveError) as caught:
        run.keep_all(page(f"https://example.org/{n}", b"page %d" % n, n) for n in range(9))
    monkeypatch.setattr(os, "write", real)
    run.close()
    assert archive.captures() == caught.value.facts["kept"] and len(archive.captures()) == 3


def test_a_flush_that_fails_fails_all_pages_that_wait_for_it(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = archive.begin(NOON)
    kept = run.keep(page("https://example.org/first", b"first"))

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(writer, "_sync", full)

    def told(number: int) -> bool:
        try:
            run.keep(page(f"https://example.org/{number}", b"later", number))
        except ArchiveError:
            return False
        return True

    with ThreadPoolExecutor(8) as threads:
        assert not any(threads.map(told, range(1, 30)))
    run.close()
    assert archive.captures() == [kept]
    assert warcio_check(archive.folder / run.file) == ""


def test_a_limit_of_the_system_is_a_full_disk_too(archive: Archive) -> None:
    said = subprocess.run(
        [sys.executable, "-c", WRITER, str(archive.folder), str(Path(__file__).parent), "0"],
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000)),
    )
    assert "ArchiveError" in said.stderr and "kept" in said.stderr
    told = [line.split()[1] for line in said.stdout.splitlines()[1:]]
    assert told and [c.requested for c in archive.captures()] == told
    assert list(archive.folder.glob("**/*.open")) == []


def test_an_interrupted_page_is_cut_off_on_close(archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.write

    def interrupted(fd: int, data: bytes) -> int:
        real(fd, bytes(data)[:30])
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), archive.begin(NOON) as run:
        kept = run.keep(page("https://example.org/a", b"first"))
        monkeypatch.setattr(os, "write", interrupted)
        run.keep(page("https://example.org/b", b"second", 1))
    assert archive.captures() == [kept]
    assert warcio_check(archive.folder / run.file) == ""


def test_an_archive_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "snapshots").write_text("a file where a folder should be")
    with pytest.raises(ArchiveError, match="snapshots"):
        Archive(tmp_path / "snapshots").begin(NOON)
