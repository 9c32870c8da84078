"""Every exit code of the contract through the real command; and alerts on the way."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer
from sizes import PAGE, write_claims
from werkzeug import Request, Response

from kb.app.base import KnowledgeBase
from kb.app.check import CheckOptions, check
from kb.cli.main import run

ROOT = Path(__file__).resolve().parent.parent


class Site:
    """Pages whose figures a test changes, and a webhook."""

    def __init__(self, server: HTTPServer, root: Path) -> None:
        self.server, self.root = server, root
        self.figures: dict[str, str] = {}
        self.wait = threading.Event()
        self.wait.set()
        self.told: list[str] = []
        server.expect_request("/robots.txt").respond_with_data("", status=404)
        server.expect_request("/hook", method="POST").respond_with_handler(self.hook)
        (root / "claims").mkdir()

    def page(self, name: str, figure: str) -> None:
        path = f"/{name.lower()}.html"
        if name not in self.figures:
            self.server.expect_request(path).respond_with_handler(lambda request: self.answer(name))
            write_claims(self.root, name, self.server.url_for(path))
        self.figures[name] = figure

    def answer(self, name: str) -> Response:
        if self.figures[name] == "slow":
            self.wait.clear()
            self.wait.wait(30)
        if self.figures[name].isdigit():
            return Response("no", int(self.figures[name]))
        return Response(PAGE.format(name=name, figure=self.figures[name]), content_type="text/html")

    def hook(self, request: Request) -> Response:
        self.told.append(json.loads(request.data)["title"])
        return Response("")

    def seen(self, *days: float) -> None:
        """What runs on those days would have seen and stored, without any alert."""
        for day in days:
            now = datetime.now(UTC) - timedelta(days=9 - day)
            kb = KnowledgeBase.open(self.root, today=now.date())
            check(kb, CheckOptions(allow_private=True, everything=True, clock=lambda now=now: now, jobs=1))


@pytest.fixture
def site(httpserver: HTTPServer, tmp_path: Path) -> Site:
    return Site(httpserver, tmp_path)


Kb = Callable[..., "Done"]


@dataclass
class Done:
    returncode: int
    stdout: str
    stderr: str


@pytest.fixture
def kb(site: Site, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Kb:
    monkeypatch.setenv("KB_HOOK", f"json://{site.server.host}:{site.server.port}/hook")

    def kb(*words: str) -> Done:
        capsys.readouterr()
        code = run([*words, "--kb", str(site.root)])
        return Done(code, *capsys.readouterr())

    return kb


def apart(site: Site, *words: str, **options: object) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "kb", *words, "--kb", str(site.root)],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        **options,  # type: ignore[call-overload]
    )


CHECK = ("check", "--allow-private", "--quiet")


def test_0_all_read_fresh_and_holding_also_when_nothing_is_due(site: Site, kb: Kb) -> None:
    site.page("Atlas", "640 GB")
    assert kb(*CHECK).returncode == 0
    assert kb(*CHECK).returncode == 0
    assert kb("report").returncode == 0
    assert kb("report", "--strict").returncode == 0


def test_1_a_change_is_confirmed_whatever_else_is_in_doubt(site: Site, kb: Kb) -> None:
    site.page("Atlas", "960 GB")
    site.page("Borea", "404")
    site.seen(1, 2)
    assert kb("report").returncode == 1
    assert kb("report", "--only", "borea").returncode == 3
    assert kb("check", "--offline", "--quiet").returncode == 1


def test_2_wrong_usage_and_faulty_files_also_beside_a_confirmed_change(site: Site, kb: Kb) -> None:
    assert kb("check", "--nonsense").returncode == 2
    site.page("Atlas", "960 GB")
    site.seen(1, 2)
    (site.root / "claims" / "bad.yaml").write_text("claims: 3\n", encoding="utf-8")
    assert kb(*CHECK).returncode == 2
    done = kb(*CHECK, "--keep-going")
    assert done.returncode == 2
    assert "confirmed  atlas.memory" in done.stdout
    assert kb("report").returncode == 1  # which reads kb.db alone
    (site.root / "claims" / "bad.yaml").unlink()
    (site.root / "kb.toml").write_text("[alerts]\napprise = ['json://secret']\n", encoding="utf-8")
    refused = kb(*CHECK)
    assert refused.returncode == 2
    assert "secret'" not in refused.stderr


@pytest.mark.parametrize("figure", ["960 GB", "no number", "404"])
def test_3_something_is_suspected_or_unread_and_1_with_strict(site: Site, kb: Kb, figure: str) -> None:
    site.page("Atlas", figure)
    assert kb(*CHECK).returncode == 3
    assert kb("report").returncode == 3
    assert kb("report", "--strict").returncode == 1
    assert kb(*CHECK, "--strict").returncode == 1


def test_3_stale_or_nothing_selected(site: Site, kb: Kb) -> None:
    site.page("Atlas", "640 GB")
    site.seen(-20)
    assert kb("report").returncode == 3
    assert "1 is stale" in kb("report").stdout
    assert kb("report", "--only", "nothing").returncode == 3
    assert kb("check", "--offline", "--quiet", "--only", "nothing").returncode == 3


def test_4_the_lock_is_held_or_there_is_no_database(site: Site, kb: Kb) -> None:
    site.page("Atlas", "640 GB")
    missing = kb("report")
    assert missing.returncode == 4
    assert "kb check or kb build" in missing.stderr
    with KnowledgeBase.open(site.root).archive.begin(datetime.now(UTC)):
        held = kb(*CHECK)
    assert held.returncode == 4
    assert str(os.getpid()) in held.stderr


def test_4_the_disk_is_full_and_what_was_there_stays(site: Site, kb: Kb) -> None:
    site.page("Atlas", "640 GB")
    assert kb(*CHECK).returncode == 0
    before = (site.root / "kb.db").read_bytes()
    site.page("Borea", "640 GB")

    def small_disk() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))

    full = apart(site, *CHECK, preexec_fn=small_disk)
    assert full.returncode == 4, full.stderr
    assert full.stderr.strip()
    assert (site.root / "kb.db").read_bytes() == before
    assert kb(*CHECK).returncode == 0


def test_70_a_fault_in_kb_itself(site: Site) -> None:
    script = (
        "import kb.report\n"
        "def broken(*a, **b): raise ZeroDivisionError('as a test wants it')\n"
        "kb.report.summarise = broken\n"
        "from kb.cli.main import main\n"
        f"main(['check', '--offline', '--quiet', '--kb', {str(site.root)!r}])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False, cwd=ROOT
    )
    assert done.returncode == 70
    assert "ZeroDivisionError" in done.stderr


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_130_and_143_everything_up_to_then_is_kept(site: Site, kb: Kb, number: int, code: int) -> None:
    site.page("Atlas", "640 GB")
    site.page("Borea", "slow")
    process = subprocess.Popen(
        [sys.executable, "-m", "kb", "check", "--allow-private", "--kb", str(site.root)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )
    assert process.stderr is not None
    assert "atlas" in process.stderr.readline()
    end = time.monotonic() + 20
    while site.wait.is_set() and time.monotonic() < end:
        time.sleep(0.01)  # until the second page is being asked for
    process.send_signal(number)
    process.communicate(timeout=30)
    site.wait.set()
    assert process.returncode == code
    site.figures["Borea"] = "640 GB"
    after = kb(*CHECK)
    assert after.returncode == 0, after.stderr
    assert "asked for 1 of 1 pages due" in after.stdout


# -- alerts on the way ---------------------------------------------------------------------


def test_a_check_tells_each_change_once_and_a_faulty_file_silences_no_other(site: Site, kb: Kb) -> None:
    (site.root / "kb.toml").write_text("[alerts]\napprise = ['KB_HOOK']\n", encoding="utf-8")
    site.page("Atlas", "960 GB")
    site.seen(1)
    (site.root / "claims" / "bad.yaml").write_text("claims: 3\n", encoding="utf-8")
    for _ in range(2):
        assert kb(*CHECK, "--keep-going").returncode == 2
    (title,) = site.told
    assert "] drifted: Atlas, memory: 640 GB -> 960 GB" in title
    (site.root / "kb.db").unlink()
    (site.root / "kb.cache").unlink()
    (site.root / "claims" / "bad.yaml").unlink()
    assert kb("check", "--offline", "--quiet").returncode == 1
    assert len(site.told) == 1


def test_what_hides_in_a_faulty_file_has_not_closed(site: Site, kb: Kb) -> None:
    (site.root / "kb.toml").write_text("[alerts]\napprise = ['KB_HOOK']\n", encoding="utf-8")
    site.page("Atlas", "960 GB")
    site.page("Borea", "640 GB")
    site.seen(1, 2)
    assert kb("check", "--offline", "--quiet").returncode == 1
    path = site.root / "claims" / "atlas.yaml"
    text = path.read_text(encoding="utf-8")
    path.write_text(f"{text}wrong: 1\n", encoding="utf-8")
    assert kb("check", "--offline", "--quiet", "--keep-going").returncode == 2
    path.write_text(text, encoding="utf-8")
    assert kb("check", "--offline", "--quiet").returncode == 1
    assert len(site.told) == 1


def test_alerts_can_be_shown_left_out_and_sent_later(site: Site, kb: Kb) -> None:
    site.page("Atlas", "960 GB")
    site.seen(1, 2)
    nobody = kb("alert")
    assert nobody.returncode == 2
    assert "[alerts]" in nobody.stderr
    (site.root / "kb.toml").write_text("[alerts]\napprise = ['KB_HOOK']\n", encoding="utf-8")
    assert kb("check", "--offline", "--quiet", "--no-alerts").returncode == 1
    shown = kb("alert", "--dry-run")
    assert shown.returncode == 0
    assert "would be sent to apprise:KB_HOOK: " in shown.stdout
    assert "A change is confirmed." in shown.stdout
    assert site.told == []
    sent = kb("alert", "--json")
    assert [d["ok"] for d in json.loads(sent.stdout)] == [True]
    assert kb("alert").stdout == "nothing to tell\n"
    assert len(site.told) == 1


def test_what_could_not_be_delivered_is_4_and_stands_in_the_report(site: Site, kb: Kb) -> None:
    (site.root / "kb.toml").write_text("[alerts]\napprise = ['KB_NOT_SET']\n", encoding="utf-8")
    site.page("Atlas", "960 GB")
    site.seen(1, 2)
    assert kb("alert").returncode == 4
    done = kb("check", "--offline", "--quiet")
    assert done.returncode == 1
    assert (
        "alerts: not delivered, tried again next time: apprise:KB_NOT_SET: KB_NOT_SET is not set"
        in done.stderr
    )
    report = kb("report").stdout
    assert "ALERTS NOT DELIVERED (1)" in report
    assert "atlas.memory to apprise:KB_NOT_SET: KB_NOT_SET is not set in the environment" in report
