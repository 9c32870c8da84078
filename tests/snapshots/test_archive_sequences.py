"""Whatever happens to an archive in whatever order, it tells the same step by step and when read anew."""

from __future__ import annotations

import os
import shutil
import tempfile
from datetime import timedelta
from pathlib import Path

from exchanges import NOON, page, warcio_check
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from test_archive import foreign

from kb.reasons import Reason
from kb.snapshots import Archive, Capture, Exchange, Hop, RunWriter
from kb.snapshots.importer import import_files
from kb.snapshots.prune import Policy, prunable, prune
from kb.snapshots.verify import verify

URLS = [f"https://example.org/{name}" for name in "abc"]
BODIES = [b"", b"<p>400 Gbps</p>", b"<p>800 Gbps</p>", b"\x00\xff" * 300]

urls = st.sampled_from(URLS)
bodies = st.sampled_from(BODIES)

Told = tuple[str, str, str, str, bytes]


class ArchiveMachine(RuleBasedStateMachine):
    """An archive beside a plain list of what it must tell."""

    @initialize()
    def start(self) -> None:
        self.place = Path(tempfile.mkdtemp())
        self.archive = Archive(self.place / "snapshots")
        self.now = NOON
        self.told: list[Told] = []
        self.run: RunWriter | None = None

    def teardown(self) -> None:
        if hasattr(self, "place"):
            if self.run is not None:
                self.run.close()
            shutil.rmtree(self.place)

    def keep(self, exchange: Exchange, body: bytes) -> Capture:
        run = self.run or self.archive.begin(self.now)
        kept = run.keep(exchange)
        if self.run is None:
            run.close()
        self.told.append((exchange.requested, kept.captured, str(kept.reason), kept.digest, body))
        return kept

    @rule(url=urls, body=bodies, hop=st.booleans(), rendered=st.booleans())
    def answer(self, url: str, body: bytes, hop: bool, rendered: bool) -> None:
        hops = (Hop(url, 302),) if hop else ()
        last = f"{url}/new" if hop else url
        dom = b"rendered " + body if rendered else None
        kept = self.keep(page(url, body, url=last, time=self.now, hops=hops, rendered=dom), dom or body)
        assert kept.length == len(dom or body)

    @rule(url=urls, reason=st.sampled_from([Reason.DNS, Reason.TIMEOUT]))
    def fail(self, url: str, reason: Reason) -> None:
        self.keep(Exchange(url, url, self.now, reason=reason), b"")

    @rule(url=urls)
    def answer_that_nothing_changed(self, url: str) -> None:
        before = [told for told in self.told if told[0] == url and told[4]]
        if before:
            exchange = page(url, b"", time=self.now, status=304, not_modified=True, digest=before[-1][3])
            assert self.keep(exchange, before[-1][4]).revisit

    @rule(minutes=st.integers(1, 100_000))
    def wait(self, minutes: int) -> None:
        self.now += timedelta(minutes=minutes)

    @precondition(lambda self: self.run is None)
    @rule()
    def begin_a_longer_run(self) -> None:
        self.run = self.archive.begin(self.now)

    @precondition(lambda self: self.run is not None)
    @rule()
    def end_the_run(self) -> None:
        assert self.run is not None
        self.run.close()
        self.run = None

    @precondition(lambda self: self.run is not None)
    @rule(torn=st.binary(max_size=40))
    def die_within_a_run(self, torn: bytes) -> None:
        """As a kill leaves it: no rename, no word to the index, the lock gone, half a record at the end."""
        assert self.run is not None
        with self.archive.path(self.run.file).open("ab") as file:
            file.write(b"\x1f\x8b\x08\x00" + torn)
        fd, self.run._fd = self.run._fd, None
        assert fd is not None
        os.close(fd)
        self.run._lock.release()
        self.run = None

    @precondition(lambda self: self.run is None)
    @rule(body=bodies)
    def import_a_file(self, body: bytes) -> None:
        path = self.place / "crawl.warc.gz"
        foreign(path, (URLS[0], "200 OK", [("Content-Type", "text/html")], body))
        done = import_files(self.archive, [path], self.now)
        for kept in done.kept:
            self.told.append((kept.requested, kept.captured, str(kept.reason), kept.digest, body))
        assert len(done.kept) + done.known == 1

    @precondition(lambda self: self.run is None)
    @rule()
    def prune(self) -> None:
        captures = self.archive.captures()
        gone = prunable(captures, self.now, Policy(timedelta(days=30), first=1, every=timedelta(days=60)))
        done = prune(self.archive, gone, self.now, apply=True)
        for capture in done.captures:
            body = next(t[4] for t in self.told if t[3] == capture.digest)
            self.told.remove((capture.requested, capture.captured, str(capture.reason), capture.digest, body))

    @precondition(lambda self: self.run is None)
    @rule()
    def lose_the_index(self) -> None:
        self.archive.index.drop()

    @invariant()
    def it_tells_what_it_was_told(self) -> None:
        if not hasattr(self, "place"):
            return
        step_by_step = self.archive.captures()
        told = [
            (c.requested, c.captured, str(c.reason), c.digest, self.archive.body(c)) for c in step_by_step
        ]
        assert sorted(told) == sorted(self.told)
        assert self.archive.problems == []
        newest = {c.requested: c for c in step_by_step}
        assert self.archive.newest() == newest
        elsewhere = self.place / "copy"
        shutil.copytree(
            self.archive.folder, elsewhere, ignore=shutil.ignore_patterns(".*"), dirs_exist_ok=True
        ) if (self.archive.folder.exists()) else elsewhere.mkdir()
        anew = Archive(elsewhere)
        assert anew.captures() == step_by_step
        assert [(c.body_file, c.body_offset) for c in anew.captures()] == [
            (c.body_file, c.body_offset) for c in step_by_step
        ]
        assert anew.runs() == self.archive.runs()
        anew.adopt()
        assert verify(anew).problems == []
        assert warcio_check(*anew.folder.glob("**/*.warc.gz")) == ""
        shutil.rmtree(elsewhere)


ArchiveMachine.TestCase.settings = settings(
    max_examples=12, stateful_step_count=14, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
TestArchiveSequences = ArchiveMachine.TestCase
