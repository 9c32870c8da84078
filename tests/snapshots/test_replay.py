"""Other people's tools replay and accept what kb wrote; each runs from an environment of its own.

`KB_REPLAY_TOOLS` names the folder with the programs `wayback`, `wb-manager` (pywb) and `wacz`
(py-wacz), as made by `python -m venv tools && tools/bin/pip install pywb wacz setuptools`: `tools/bin`.
"""

from __future__ import annotations

import os
import socket
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from exchanges import NOON, page

from kb.reasons import Reason
from kb.snapshots import Archive, Exchange, Hop
from kb.snapshots.wacz import export_wacz

TOOLS = os.environ.get("KB_REPLAY_TOOLS")
pytestmark = pytest.mark.skipif(not TOOLS, reason="KB_REPLAY_TOOLS names no folder with pywb and py-wacz")


@pytest.fixture
def full(archive: Archive) -> Archive:
    """An archive with every sort of record, over two runs."""
    received = (("Content-Type", "text/html"), ("Content-Encoding", "gzip"), ("Content-Length", "7"))
    with archive.begin(NOON) as run:
        first = run.keep(page("https://example.org/a", b"<p>400 Gbps \xff</p>", headers=received))
        run.keep(Exchange("https://nowhere.example/", "", NOON, reason=Reason.DNS))
        run.keep(
            page("https://example.org/r", b"<p>shell</p>", 2, via="browser", rendered=b"<p>rendered</p>")
        )
        run.keep(page("https://example.org/404", b"<p>none</p>", 3, status=404))
        run.keep(page("https://example.org/ü?q=ä&b=1", b"<p>words</p>", 4))
    with archive.begin(NOON + timedelta(days=1)) as run:
        body = b"<p>400 Gbps \xff</p>"
        run.keep(page("https://example.org/a", body, 86400, headers=received))
        run.keep(
            page("https://example.org/a", b"", 86500, status=304, not_modified=True, digest=first.digest)
        )
        hop = Hop("https://example.org/old", 301, (("Location", "https://example.org/a"),))
        run.keep(page("https://example.org/old", body, 86600, url="https://example.org/a", hops=(hop,)))
        run.keep(
            page("https://example.org/r", b"<p>shell</p>", 86700, via="browser", rendered=b"<p>rendered</p>")
        )
    return archive


@pytest.fixture
def wayback(full: Archive, tmp_path: Path) -> Iterator[str]:
    """Address of a pywb that has the archive's files."""
    tools, place = Path(str(TOOLS)), tmp_path / "pywb"
    place.mkdir()
    files = [str(p) for p in sorted(full.folder.glob("**/*.warc.gz"))]
    for command in (["init", "kb"], ["add", "kb", *files]):
        subprocess.run([tools / "wb-manager", *command], cwd=place, check=True, capture_output=True)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen(
        [tools / "wayback", "-b", "127.0.0.1", "-p", str(port)],
        cwd=place,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        for _ in range(200):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}/kb"
    finally:
        server.terminate()
        server.wait()


def test_pywb_replays_each_page_with_its_bytes(full: Archive, wayback: str) -> None:
    replayed = 0
    for capture in full.captures():
        if capture.reason is not None:
            continue
        url = urllib.parse.quote(capture.url, safe=":/?&=")
        try:
            with urllib.request.urlopen(f"{wayback}/{capture.time:%Y%m%d%H%M%S}id_/{url}") as answer:
                status, body = answer.status, answer.read()
        except urllib.error.HTTPError as error:
            status, body = error.code, error.read()
        # Of a rendered page both bodies stand under one address and second, and pywb shows either.
        bodies = [full.body(capture), *([b"<p>shell</p>"] if capture.via == "browser" else [])]
        assert status == capture.status and body in bodies, capture.captured
        replayed += 1
    assert replayed == 8


def test_py_wacz_accepts_what_is_exported(full: Archive, tmp_path: Path) -> None:
    target = tmp_path / "out.wacz"
    export_wacz(full, full.captures(), target, NOON)
    said = subprocess.run(
        [Path(str(TOOLS)) / "wacz", "validate", "-f", target], capture_output=True, text=True
    )
    assert "Validation succeeded" in said.stdout and said.returncode == 0
