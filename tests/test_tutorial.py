"""The tutorial, typed as it is written: each command in one shell, in order, and what it prints."""

from __future__ import annotations

import contextlib
import os
import queue
import re
import signal
import socket
import subprocess
import threading
import time
import urllib.request
from dataclasses import dataclass
from pathlib import Path

from kb_command import put_kb

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "tutorial.md"

PAGES, SITE = 48010, 48011  # the ports that the page names
_PART = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)
_FILE = re.compile(r"\bas\s+`([\w./-]+)`:\s*\Z")
_TIMES = [
    (re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:?\d{2}:?\d{2}(?:\.\d+)?Z"), "TIME"),
    (re.compile(r"\d{4}-\d{2}-\d{2} \d{2}:\d{2}"), "TIME"),
    (re.compile(r"\d{4}-\d{2}-\d{2}"), "DATE"),
    (re.compile(r"\d+ seconds? ago"), "AGO"),
    (re.compile(r"\d{4}/TIME-[0-9a-f]{12}"), "ARCHIVE"),  # a file of the archive is named after its time
]


@dataclass(frozen=True)
class Step:
    """A file to save, or a command to type with what it prints."""

    what: str
    text: str
    file: bool = False


def steps(page: str) -> list[Step]:
    found = []
    for part in _PART.finditer(page):
        kind, text = part[1], part[2]
        named = _FILE.search(page[: part.start()])
        if named:
            found.append(Step(named[1], text, file=True))
        elif kind == "console":
            for typed in re.split(r"^\$ ", text, flags=re.M):
                if typed:
                    command, _, shown = typed.partition("\n")
                    found.append(Step(command, shown))
    return found


class Shell:
    """One bash, to which commands are typed one after the other; a terminal's size, and no terminal."""

    END = "the-command-has-ended"

    def __init__(self, folder: Path) -> None:
        self.ports = {PAGES: free_port(), SITE: free_port()}
        bin = put_kb(folder / "bin")
        home = folder / "home"
        home.mkdir()
        environment = {
            "PATH": f"{bin}:{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT),
            "HOME": str(home),
            "LC_ALL": "C.UTF-8",
            "COLUMNS": "80",
        }
        self.folder = home
        self.process = subprocess.Popen(
            ["bash", "--norc", "--noprofile"],
            cwd=home, env=environment, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
        )  # fmt: skip
        self.lines: queue.Queue[str] = queue.Queue()
        self.listening = threading.Thread(target=self._listen, daemon=True)
        self.listening.start()
        self.type("set -m 2> /dev/null")  # jobs with numbers, as at a prompt

    def _listen(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            self.lines.put(line)

    def ours(self, text: str) -> str:
        for named, port in self.ports.items():
            text = text.replace(str(named), str(port))
        return text

    def theirs(self, text: str) -> str:
        for named, port in self.ports.items():
            text = text.replace(str(port), str(named))
        return text

    def save(self, name: str, text: str) -> None:
        (self.folder / "figures" / name).write_text(self.ours(text), encoding="utf-8")

    def type(self, command: str) -> str:
        """What the command prints; a server is looked at, and ended as Ctrl-C would end it."""
        assert self.process.stdin
        serves = command.startswith("kb serve")
        typed = f"{self.ours(command)} < /dev/null" if not command.endswith("&") else self.ours(command)
        if command.startswith("echo") or "&&" in command or "|" in command:
            typed = self.ours(command)
        if serves:
            typed += " & echo pid $!; wait $!"
        ending = f'was=$?; printf "\\n%s\\n" {self.END}; (exit $was)\n'
        self.process.stdin.write(f"{typed}\n{ending}")
        self.process.stdin.flush()
        said, server = "", 0
        while (line := self.lines.get(timeout=180)).strip() != self.END:
            if serves and line.startswith("pid "):
                server = int(line.split()[1])
                continue
            if not re.match(r"\[\d+\]", line):  # what bash says of a job, when it comes to it
                said += line
            if serves and "127.0.0.1" in line:
                look(line.split()[0])
                os.kill(server, signal.SIGINT)
        if command.endswith("&"):
            wait_for(self.ports[PAGES])
        return self.theirs(said.removesuffix("\n"))

    def close(self) -> None:
        assert self.process.stdin
        self.process.stdin.close()
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        assert self.process.stdout
        self.listening.join()
        self.process.stdout.close()


def look(address: str) -> None:
    """See that the site has the price that we took over."""
    page = f"{address.rstrip('/')}/claims/example-cloud-price-list.n8"
    with urllib.request.urlopen(page) as answer:
        assert b"$28.80" in answer.read()


def free_port() -> int:
    """A port of five figures, like those on the page."""
    while True:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            if probe.getsockname()[1] >= 10000:
                return int(probe.getsockname()[1])


def wait_for(port: int) -> None:
    end = time.monotonic() + 30
    while time.monotonic() < end:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise AssertionError(f"nothing listens on port {port}")


def timeless(text: str) -> str:
    """`text` without what another day or another port makes other."""
    for pattern, word in _TIMES:
        text = pattern.sub(word, text)
    return text.rstrip()


def played(folder: Path, page: str) -> list[tuple[Step, str]]:
    """Each step of the page with what it printed."""
    shell = Shell(folder)
    try:
        out = []
        for step in steps(page):
            if step.file:
                shell.save(step.what, step.text)
            out.append((step, "" if step.file else shell.type(step.what)))
        return out
    finally:
        shell.close()


def test_the_tutorial_prints_what_it_shows(tmp_path: Path) -> None:
    for step, printed in played(tmp_path, PAGE.read_text(encoding="utf-8")):
        if not step.file:
            assert timeless(printed) == timeless(step.text), step.what


def test_the_tutorial_has_its_files_and_asks_nothing_beyond_this_machine() -> None:
    page = PAGE.read_text(encoding="utf-8")
    addresses = re.findall(r"https?://[^\s/)\"<>]+", "\n".join(p[2] for p in _PART.finditer(page)))
    assert [s.what for s in steps(page) if s.file] == [
        "site/nova.html",
        "site/prices.html",
        "article.md",
        "claims/example-cloud-price-list.yaml",
        "claims/our-sums.yaml",
    ]
    assert set(addresses) == {f"http://127.0.0.1:{PAGES}", f"http://127.0.0.1:{SITE}"}
