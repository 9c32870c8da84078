"""What goes is what nothing hangs on; what is checked is every byte."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import timedelta

import pytest
from exchanges import NOON, page, warcio_check

from kb.errors import ArchiveError, LockedError
from kb.reasons import Reason
from kb.snapshots import Archive, Capture, Exchange
from kb.snapshots.prune import Policy, place, prunable, prune
from kb.snapshots.verify import verify

URL = "https://example.org/a"
LATER = NOON + timedelta(days=1000)


def days(archive: Archive, *bodies: bytes | Reason, url: str = URL) -> list[Capture]:
    """One run a day with one page each."""
    for day, body in enumerate(bodies):
        now = NOON + timedelta(days=day)
        with archive.begin(now) as run:
            if isinstance(body, Reason):
                run.keep(Exchange(url, url, now, reason=body))
            else:
                run.keep(page(url, body, day * 86400))
    return archive.captures(url)


def test_of_a_long_row_the_start_the_end_and_one_a_month_stay(archive: Archive) -> None:
    captures = days(archive, *[b"same"] * 70, b"new")
    gone = prunable(captures, LATER, Policy())
    assert [captures.index(c) for c in captures if c not in gone] == [0, 1, 2, 32, 62, 69, 70]


def test_young_captures_and_changes_stay(archive: Archive) -> None:
    captures = days(archive, *[b"a"] * 5, *[b"b"] * 5, Reason.DNS, *[b"b"] * 6)
    assert prunable(captures, NOON + timedelta(days=20), Policy(timedelta(days=30))) == []
    gone = prunable(captures, LATER, Policy())
    assert [captures.index(c) for c in gone] == [3, 8, 14, 15]


def test_readings_too_close_to_count_do_not_use_up_the_start() -> None:
    times = [0, 60, 120, 4000, 9000, 20000, 30000, 40000]
    row = [
        Capture(
            URL,
            URL,
            NOON + timedelta(seconds=t),
            "sha256:1",
            200,
            file="f",
            offset=t,
            body_offset=t,
            revisit=True,
        )
        for t in times
    ]
    assert [c.offset for c in prunable(row, LATER, Policy())] == [20000, 30000]


def test_what_is_needed_or_referred_to_stays(archive: Archive) -> None:
    captures = days(archive, b"x", *[b"same"] * 6, b"y")
    everything_alike = prunable(captures, LATER, Policy(), state=lambda _: "alike")
    assert captures[3] in everything_alike and captures[1] not in everything_alike
    needed = {place(captures[4])}
    assert captures[4] in prunable(captures, LATER, Policy())
    assert captures[4] not in prunable(captures, LATER, Policy(), needed=needed)


def test_pruning_is_dry_unless_told_and_leaves_all_else_as_it_was(archive: Archive) -> None:
    captures = days(archive, *[b"same" * 50] * 8, Reason.TIMEOUT, b"new")
    gone = prunable(captures, LATER, Policy())
    assert len(gone) == 4
    files = {p: p.read_bytes() for p in archive.folder.glob("**/*.warc.gz")}
    dry = prune(archive, gone, LATER)
    assert files == {p: p.read_bytes() for p in archive.folder.glob("**/*.warc.gz")}
    assert list(dry.captures) == gone and dry.before > dry.after
    done = prune(archive, gone, LATER, apply=True)
    assert (done.captures, done.before, done.after) == (dry.captures, dry.before, dry.after)
    assert archive.captures() == [c for c in captures if c not in gone]
    assert all(archive.read(c) is not None for c in archive.captures())
    assert verify(archive).problems == [] and archive.problems == []
    assert warcio_check(*archive.folder.glob("**/*.warc.gz")) == ""


def test_captures_of_one_file_are_left_out_of_it_whole(archive: Archive) -> None:
    with archive.begin(NOON) as run:
        kept = [run.keep(page(URL, b"same", n * 4000)) for n in range(8)]
        kept.append(run.keep(page("https://example.org/b", b"other", 9, rendered=b"dom", via="browser")))
    gone = prunable(kept, LATER, Policy())
    size = (archive.folder / run.file).stat().st_size
    done = prune(archive, gone, LATER, apply=True)
    assert len(done.captures) == 4 and done.before == size
    assert (archive.folder / run.file).stat().st_size == done.after
    assert len(archive.captures()) == 5 and verify(archive).problems == []


def test_what_a_rendered_page_came_from_stays_while_another_may_refer_to_it(archive: Archive) -> None:
    with archive.begin(NOON) as run:
        kept = [
            run.keep(page(URL, b"shell", n * 4000, rendered=b"dom %d" % n, via="browser")) for n in range(8)
        ]
    done = prune(archive, kept[:1], LATER, apply=True)
    assert done.captures == () and archive.captures() == kept
    done = prune(archive, kept[1:3], LATER, apply=True)
    assert [c.time for c in done.captures] == [c.time for c in kept[1:3]]
    assert verify(archive).problems == []


def test_an_original_that_a_later_run_refers_to_stays(archive: Archive) -> None:
    captures = days(archive, b"a", b"b", b"a")
    assert captures[2].revisit
    assert prune(archive, captures[:1], LATER, apply=True).captures == ()
    assert len(archive.captures()) == 3


def test_pruning_waits_for_no_run(archive: Archive) -> None:
    captures = days(archive, b"a", b"b")
    with archive.begin(NOON), pytest.raises(LockedError):
        prune(archive, captures[:1], LATER, apply=True)


def test_a_pruning_that_cannot_write_changes_nothing(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    with archive.begin(NOON) as run:
        kept = [run.keep(page(URL, b"%d" % n, n)) for n in range(3)]

    def full(fd: int) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(ArchiveError, match="No space"):
        prune(archive, kept[:1], LATER, apply=True)
    assert archive.captures() == kept
    assert [p.name for p in archive.folder.glob("2026/*")] == [run.file[5:]]


def test_verify_reads_everything_and_finds_nothing_wrong(archive: Archive) -> None:
    days(archive, b"a", b"a", Reason.DNS)
    told: list[str] = []
    result = verify(archive, told.append)
    assert result.problems == []
    assert (result.files, result.captures, len(told)) == (3, 3, 3)
    assert result.records == 8 and result.bytes > 1000


def break_body(archive: Archive, capture: Capture) -> None:
    path = archive.folder / capture.file
    data = bytearray(path.read_bytes())
    data[capture.offset + 100] ^= 0xFF
    path.write_bytes(data)


def cut(archive: Archive, capture: Capture) -> None:
    path = archive.folder / capture.file
    path.write_bytes(path.read_bytes()[:-5])


def take_away(archive: Archive, capture: Capture) -> None:
    (archive.folder / capture.file).unlink()


@pytest.mark.parametrize(
    ("harm", "words"), [(break_body, "damaged"), (cut, "cut short"), (take_away, "original")]
)
def test_verify_tells_what_is_wrong(
    archive: Archive, harm: Callable[[Archive, Capture], None], words: str
) -> None:
    captures = days(archive, b"a" * 500, b"a" * 500, b"b")
    harm(archive, captures[0])
    assert any(words in str(problem) for problem in verify(Archive(archive.folder)).problems)
