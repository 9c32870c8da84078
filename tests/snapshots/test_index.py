"""The index is a cache: it may be missing, stale, damaged or foreign, and the answers stay the same."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest
from exchanges import NOON, page

from kb.snapshots import Archive, Capture, Hop
from kb.snapshots.index import INDEX_NAME


@pytest.fixture
def kept(archive: Archive) -> list[Capture]:
    """Captures of two runs, the second with revisits of the first."""
    found = []
    for day in range(2):
        with archive.begin(NOON + timedelta(days=day)) as run:
            for n in range(4):
                hops = (Hop(f"https://example.org/{n}", 301),) if n == 2 else ()
                body = b"page %d" % n if n else b"day %d" % day
                found.append(run.keep(page(f"https://example.org/{n}", body, day * 86400 + n, hops=hops)))
    return found


def whole(archive: Archive) -> list[tuple[Capture, str, int]]:
    """Captures with what an equality of captures leaves out."""
    return [(c, c.body_file, c.body_offset) for c in archive.captures()]


def test_what_a_run_tells_the_index_is_what_reading_the_files_gives(
    archive: Archive, kept: list[Capture]
) -> None:
    told = whole(archive)
    assert [capture for capture, _, _ in told] == kept
    archive.index.drop()
    assert not (archive.folder / INDEX_NAME).exists()
    assert whole(archive) == told
    assert (archive.folder / INDEX_NAME).exists()


@pytest.mark.parametrize("what", ["damaged", "text", "empty", "foreign", "other version"])
def test_an_index_that_is_not_ours_is_made_anew(archive: Archive, kept: list[Capture], what: str) -> None:
    index = archive.folder / INDEX_NAME
    if what == "damaged":
        data = bytearray(index.read_bytes())
        data[200:9000] = bytes(8800)
        index.write_bytes(data)
    elif what in ("text", "empty"):
        index.write_bytes(b"no database at all" * 100 if what == "text" else b"")
    else:
        if what == "foreign":
            index.unlink()
        db = sqlite3.connect(index)
        db.execute("PRAGMA user_version = 999")
        db.execute("CREATE TABLE IF NOT EXISTS captures (a)")
        db.commit()
        db.close()
    assert Archive(archive.folder).captures() == kept


def test_an_index_that_tells_of_other_files_is_not_believed(
    archive: Archive, kept: list[Capture], tmp_path: Path
) -> None:
    other = Archive(tmp_path / "other")
    with other.begin(NOON) as run:
        run.keep(page("https://example.org/other"))
    shutil.copy(other.folder / INDEX_NAME, archive.folder / INDEX_NAME)
    assert Archive(archive.folder).captures() == kept


def test_a_file_that_changed_is_read_again(archive: Archive, kept: list[Capture]) -> None:
    first = archive.folder / kept[0].file
    later = archive.folder / kept[-1].file
    assert len(archive.captures()) == 8
    shutil.copy(later, first)
    assert len(archive.captures()) == 2  # twice the page of the second day; the revisits lost their originals
    assert len(archive.problems) == 6


def test_a_file_with_another_time_is_read_again(archive: Archive, kept: list[Capture]) -> None:
    path = archive.folder / kept[0].file
    with sqlite3.connect(archive.folder / INDEX_NAME) as db:
        db.execute("DELETE FROM captures")
    db.close()
    for file in {c.file for c in kept}:
        os.utime(archive.folder / file, ns=(1, 1))
    assert path.exists() and archive.captures() == kept


def test_files_may_be_moved_about_and_away(archive: Archive, kept: list[Capture]) -> None:
    (archive.folder / "elsewhere").mkdir()
    (archive.folder / kept[0].file).rename(archive.folder / "elsewhere" / "renamed.warc.gz")
    assert [c.digest for c in archive.captures()] == [c.digest for c in kept]
    assert all(archive.read(c) is not None for c in archive.captures())


def test_an_archive_is_read_where_no_index_can_be_written(archive: Archive, kept: list[Capture]) -> None:
    archive.index.drop()
    (archive.folder / INDEX_NAME).mkdir()  # as on a read-only disk: the file cannot be made
    again = Archive(archive.folder)
    assert again.captures() == kept
    assert again.newest()["https://example.org/1"] == kept[5]
    assert again.captures("https://example.org/1") == [kept[1], kept[5]]


def test_a_folder_that_appears_later_is_seen(archive: Archive) -> None:
    assert archive.captures() == [] and archive.runs() == [] and archive.newest() == {}
    with Archive(archive.folder).begin(NOON) as run:
        kept = run.keep(page("https://example.org/"))
    assert archive.captures() == [kept]


def test_several_processes_may_make_the_index_at_once(archive: Archive, kept: list[Capture]) -> None:
    archive.index.drop()
    look = "import sys; from kb.snapshots import Archive; print(len(Archive(sys.argv[1]).captures()))"
    processes = [
        subprocess.Popen([sys.executable, "-c", look, str(archive.folder)], stdout=subprocess.PIPE, text=True)
        for _ in range(4)
    ]
    assert [p.communicate()[0].strip() for p in processes] == [str(len(kept))] * 4
    assert [p.returncode for p in processes] == [0] * 4
    assert whole(archive)[0][0] == kept[0] and (archive.folder / INDEX_NAME).exists()
