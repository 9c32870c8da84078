"""The README's path for the public, as typed, on a fresh clone's claims."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent


def commands() -> list[str]:
    """What stands in the README's block: up to two spaces, behind which it says what it does."""
    section = (ROOT / "README.md").read_text(encoding="utf-8").partition("## The public\n")[2]
    return [
        re.split(r"\s{2,}", line.strip())[0]
        for line in re.findall(r"^ {4}(.+)$", section.partition("\n## ")[0], re.M)
    ]


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("clone")
    shutil.copytree(ROOT / "claims", folder / "claims")
    shutil.copy(ROOT / "datasette-metadata.json", folder)
    return folder


@pytest.fixture
def unused_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def run(command: str, clone: Path, *more: str) -> subprocess.Popen[str]:
    name, *rest = shlex.split(command)
    return subprocess.Popen(
        [sys.executable, "-m", name, *rest, *more],
        cwd=clone,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def shown(port: int, path: str, server: subprocess.Popen[str]) -> str:
    for _ in range(300):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=30) as answer:
                return str(answer.read().decode())
        except OSError:
            assert server.poll() is None, server.communicate()[0]
            time.sleep(0.1)
    raise AssertionError("no server came up")


def test_what_the_readme_says_for_the_public_works_as_typed(clone: Path, unused_port: int) -> None:
    typed = commands()
    assert [c.split()[:2] for c in typed] == [
        ["kb", "build"],
        ["kb", "serve"],
        ["datasette", "kb.db"],
        ["kb", "export"],
    ]
    seen = []
    for command in typed:
        serves = "serve" in command or command.startswith("datasette")
        # As typed it takes port 8001, which may be somebody's.
        server = run(command, clone, *(["--port", str(unused_port)] if serves else []))
        if serves:
            home = shown(unused_port, "/", server)
            seen.append(home)
            name = re.search(r'href="/claims/([^"]+)"', home)
            assert name is not None
            assert "not checked here yet" in shown(unused_port, f"/claims/{name[1]}", server)
            server.send_signal(signal.SIGTERM)
        out, _ = server.communicate(timeout=120)
        assert serves or server.returncode == 0, out
    assert seen[0] == seen[1]
    assert "Do the figures still hold?" in seen[0]
    assert (clone / "public" / "index.html").is_file()
