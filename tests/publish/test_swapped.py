"""The database is swapped while the public reads: no failure, no page of two editions, no restart."""

from __future__ import annotations

import http.client
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from kb.cli.build import command as build

READERS = 20
EDITIONS = 50
OTHER = "/other/notes.json?_shape=array"
READ = (
    "/sources/swap",
    "/claims/swap.c7",
    "/kb/claims.json?_shape=array",
    "/search?q=swapped",
    "/publishers/",
)

CLAIMS = """source:
  title: Edition {n} of the page
  publisher: Edition {n}
  url: https://swap.example/page
  retrieved: 2026-11-01
claims:
"""


def publish(folder: Path, number: int) -> None:
    """`kb build` on claims that all name the edition, so that a page of two is told from a page of one."""
    claims = "".join(
        f"  - {{id: c{n}, subject: swapped, attribute: part {chr(97 + n)}, text: Edition {number}}}\n"
        for n in range(8)
    )
    (folder / "claims" / "swap.yaml").write_text(CLAIMS.format(n=number) + claims, encoding="utf-8")
    done = CliRunner().invoke(build, ["--kb", str(folder), "--jobs", "1"])
    assert done.exit_code == 0, done.output


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "claims").mkdir()
    publish(tmp_path, 100)
    with sqlite3.connect(tmp_path / "other.db") as db:
        db.execute("CREATE TABLE notes (n INTEGER, words TEXT)")
        db.executemany("INSERT INTO notes VALUES (?, ?)", [(n, f"note {n}") for n in range(40)])
    db.close()
    return tmp_path


@pytest.fixture(params=["kb serve", "datasette beside another database"])
def port(request: pytest.FixtureRequest, folder: Path) -> Iterator[int]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        number = free.getsockname()[1]
    command = ["kb", "serve", "--kb", str(folder), "--quiet"]
    if request.param != "kb serve":
        command = ["datasette", str(folder / "kb.db"), str(folder / "other.db")]
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen(
            [sys.executable, "-m", *command, "--port", str(number)], stdout=log, stderr=log
        )
    for _ in range(300):
        with socket.socket() as there:
            if there.connect_ex(("127.0.0.1", number)) == 0:
                break
        assert server.poll() is None, (folder / "log").read_text()
        time.sleep(0.1)
    yield number
    server.send_signal(signal.SIGTERM)
    server.wait(20)


class Reader(threading.Thread):
    """Asks one page over and over; notes what went wrong, and which editions it saw."""

    def __init__(self, port: int, path: str, whole: bytes | None = None) -> None:
        super().__init__()
        self.port, self.path, self.whole = port, path, whole
        self.stop = threading.Event()
        self.faults: list[str] = []
        self.seen: list[int] = []
        self.answers = 0

    def run(self) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        while not self.stop.is_set():
            # A publisher's address changes with its name, so that reader follows the newest edition.
            newest = f"Edition+{self.seen[-1] if self.seen else 100}"
            path = self.path + (newest if self.path == "/publishers/" else "")
            connection.request("GET", path)
            answer = connection.getresponse()
            body = answer.read()
            self.answers += 1
            if self.whole is not None:
                self.faults += (
                    [] if (answer.status, body) == (200, self.whole) else [f"{path}: {body[:99]!r}"]
                )
                continue
            editions = {int(e) for e in re.findall(rb"Edition (\d+)", body)}
            if answer.status == 404 and self.path == "/publishers/":
                self.seen.append(edition_now(self.port))
            elif answer.status != 200 or len(editions) != 1:
                self.faults.append(f"{path}: {answer.status} {editions}")
            elif self.seen and editions < {self.seen[-1]}:
                self.faults.append(f"{path}: back from {self.seen[-1]} to {editions}")
            else:
                self.seen += editions
        connection.close()


def get(port: int, path: str) -> bytes:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("GET", path)
    body = connection.getresponse().read()
    connection.close()
    return body


def edition_now(port: int) -> int:
    found = re.search(rb"Edition (\d+)", get(port, "/sources/swap"))
    assert found is not None
    return int(found[1])


def test_twenty_readers_see_fifty_builds_each_whole_and_at_once(
    port: int, folder: Path, request: pytest.FixtureRequest
) -> None:
    readers = [Reader(port, READ[n % len(READ)]) for n in range(READERS)]
    other = get(port, OTHER)
    if "beside" in request.node.name:
        assert b"note 39" in other
        readers.append(Reader(port, OTHER, other))
    for reader in readers:
        reader.start()
    late = []
    for number in range(101, 101 + EDITIONS):
        publish(folder, number)
        now = edition_now(port)  # asked when the build has ended: nothing is waited for
        late += [] if now == number else [f"{number} was published, {now} is shown"]
    for reader in readers:
        reader.stop.set()
    for reader in readers:
        reader.join()
    assert [f for r in readers for f in r.faults] == []
    assert late == []
    assert all(r.answers > EDITIONS / 10 for r in readers)
    assert len({e for r in readers for e in r.seen}) > EDITIONS / 2
    assert "Traceback" not in (folder / "log").read_text(encoding="utf-8", errors="replace")
