"""kb schedule: what it prints works as it is."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from pytest_httpserver import HTTPServer
from sizes import PAGE, write_claims

from kb.app.schedule import HOURS, Schedule, cron, github, systemd
from kb.cli.main import run
from kb.errors import UsageError
from kb.notify import AlertSettings, GithubSettings

ALERTS = AlertSettings(apprise=("KB_ALERT_URL",), github=GithubSettings("owner/name"))


def a_schedule(root: Path, hours: int = 1, alerts: AlertSettings = ALERTS) -> Schedule:
    return Schedule(root, ("/opt/kb bin/kb",), hours, alerts)


@pytest.fixture
def base(tmp_path: Path) -> Path:
    root = tmp_path / 'my "odd" $HOME 100% base'
    (root / "claims").mkdir(parents=True)
    return root


# -- cron ----------------------------------------------------------------------------------


def test_the_cron_line_starts_kb_in_its_folder_whatever_the_folder_is_called(base: Path) -> None:
    (file,) = cron(a_schedule(base))
    lines = [line for line in file.text.splitlines() if not line.startswith("#")]
    assert len(lines) == 1
    *when, command = lines[0].split(" ", 5)
    assert when[1:] == ["*"] * 4
    assert 0 <= int(when[0]) < 60
    script = command.replace("\\%", "%")  # what cron itself does
    assert "%" not in command.replace("\\%", "")
    shown = script.replace("'/opt/kb bin/kb'", "printf '%s|' \"$PWD\"").replace(">>kb.log", "")
    done = subprocess.run(["/bin/sh", "-c", shown], capture_output=True, text=True, check=True)
    assert done.stdout.split("|")[0] == str(base)
    assert done.stdout.split("|")[1:4] == ["check", "--keep-going", "--quiet"]


@pytest.mark.parametrize("hours", HOURS.values())
def test_each_interval_has_a_cron_time(base: Path, hours: int) -> None:
    line = cron(a_schedule(base, hours))[0].text.splitlines()[-1]
    assert line.split()[1] == {1: "*", 24: "5"}.get(hours, f"*/{hours}")
    assert 24 % hours == 0


def test_two_bases_do_not_start_at_the_same_minute_and_one_always_does(tmp_path: Path) -> None:
    minutes = {a_schedule(tmp_path / f"base{n}").minute for n in range(20)}
    assert len(minutes) > 10
    assert a_schedule(tmp_path / "x").minute == a_schedule(Path("/elsewhere/x")).minute


def test_a_folder_with_a_line_end_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="line end"):
        a_schedule(tmp_path / "a\nb")


# -- systemd -------------------------------------------------------------------------------


@pytest.mark.parametrize("hours", [1, 6, 24])
def test_systemd_finds_no_fault_with_the_units(tmp_path: Path, hours: int) -> None:
    verify = shutil.which("systemd-analyze")
    if verify is None:
        pytest.skip("there is no systemd-analyze here")
    root = tmp_path / "100% base"
    (root / "claims").mkdir(parents=True)
    program = tmp_path / "b $in" / "kb"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n", encoding="utf-8")
    program.chmod(0o755)
    files = systemd(Schedule(root, (str(program),), hours, ALERTS))
    paths = []
    for file in files:
        paths.append(tmp_path / file.name)
        paths[-1].write_text(file.text, encoding="utf-8")
    environment = {**os.environ, "XDG_RUNTIME_DIR": str(tmp_path), "SYSTEMD_LOG_LEVEL": "warning"}
    for mode in ("--user", "--system"):
        done = subprocess.run(
            [verify, mode, "verify", *map(str, paths)],
            capture_output=True,
            text=True,
            check=False,
            env=environment,
        )
        assert done.returncode == 0, done.stderr
        told = [line for line in done.stderr.splitlines() if any(p.name in line for p in paths)]
        assert not told
    assert [f.name for f in files] == ["kb-100-base.service", "kb-100-base.timer"]


def test_a_confirmed_change_is_no_failure_of_the_service(base: Path) -> None:
    service = systemd(a_schedule(base))[0].text
    assert "SuccessExitStatus=1 3\n" in service
    assert "check --keep-going --quiet\n" in service


# -- GitHub --------------------------------------------------------------------------------


def test_the_workflow_has_the_form_that_github_reads(base: Path, tmp_path: Path) -> None:
    for number, alerts in enumerate((ALERTS, AlertSettings())):
        file = tmp_path / f"{number}.yml"
        file.write_text(github(a_schedule(base, 6, alerts))[0].text, encoding="utf-8")
        done = subprocess.run(
            [
                sys.executable,
                "-m",
                "check_jsonschema",
                "--builtin-schema",
                "vendor.github-workflows",
                str(file),
            ],
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr


def test_the_workflow_takes_one_run_at_a_time_and_no_right_too_many(base: Path) -> None:
    told = yaml.safe_load(github(a_schedule(base, 6))[0].text)
    assert told["concurrency"]["cancel-in-progress"] is False
    assert told["permissions"] == {"contents": "write", "issues": "write"}
    quiet = yaml.safe_load(github(a_schedule(base, 6, AlertSettings()))[0].text)
    assert quiet["permissions"] == {"contents": "write"}
    steps = told["jobs"]["check"]["steps"]
    environment = next(s["env"] for s in steps if s.get("id") == "check")
    assert environment == {
        "KB_ALERT_URL": "${{ secrets.KB_ALERT_URL }}",
        "GITHUB_TOKEN": "${{ github.token }}",
    }
    assert next(s for s in steps if "snapshots" in s.get("run", ""))["if"] == "always()"


def test_a_base_inside_a_repository_is_checked_where_it_lies(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    root = tmp_path / "docs" / "facts"
    (root / "claims").mkdir(parents=True)
    told = yaml.safe_load(github(a_schedule(root, 6))[0].text)
    assert told["defaults"]["run"]["working-directory"] == "docs/facts"


class Runner:
    """Runs the workflow's steps as GitHub would, on a fresh clone each time."""

    def __init__(self, folder: Path, origin: Path) -> None:
        self.folder, self.origin = folder, origin
        programs = folder / "programs"
        programs.mkdir()
        kb = programs / "kb"
        # The test's pages are on loopback.
        kb.write_text(
            f'#!/bin/sh\ncase "$1" in check) set -- "$@" --allow-private ;; esac\nexec {sys.executable} -m kb "$@"\n',
            encoding="utf-8",
        )
        python = programs / "python"  # the install step is another's job
        python.write_text("#!/bin/sh\nexit 0\n", encoding="utf-8")
        for program in (kb, python):
            program.chmod(0o755)
        self.environment = {
            **os.environ,
            "PATH": f"{programs}:{os.environ['PATH']}",
            "HOME": str(folder),
            "GIT_CONFIG_NOSYSTEM": "1",
            "PYTHONPATH": str(Path(__file__).resolve().parent.parent),
        }

    def go(self, name: str) -> tuple[int, str, str]:
        """One run: how its job ends, what it said, and its summary."""
        work = self.folder / name
        git("clone", "--quiet", str(self.origin), str(work), cwd=self.folder)
        told = yaml.safe_load((work / ".github" / "workflows" / "kb.yml").read_text(encoding="utf-8"))
        output, summary = self.folder / f"{name}.output", self.folder / f"{name}.summary"
        code, said = 0, ""
        for step in told["jobs"]["check"]["steps"]:
            if "run" not in step or (code and step.get("if") != "always()"):
                continue
            values = dict(
                line.split("=", 1) for line in (output.read_text() if output.exists() else "").splitlines()
            )
            script = step["run"].replace("${{ steps.check.outputs.code }}", values.get("code", ""))
            assert "${{" not in script
            done = subprocess.run(
                ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script],
                cwd=work,
                env={**self.environment, "GITHUB_OUTPUT": str(output), "GITHUB_STEP_SUMMARY": str(summary)},
                capture_output=True,
                text=True,
                check=False,
            )
            said += done.stdout + done.stderr
            code = code or done.returncode
        return code, said, summary.read_text(encoding="utf-8")


def git(*words: str, cwd: Path) -> str:
    names = ("-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "init.defaultBranch=main")
    done = subprocess.run(["git", *names, *words], cwd=cwd, capture_output=True, text=True, check=True)
    return done.stdout


def test_the_workflow_keeps_its_state_so_the_second_run_confirms_what_the_first_suspected(
    httpserver: HTTPServer, tmp_path: Path
) -> None:
    httpserver.expect_request("/robots.txt").respond_with_data("", status=404)
    httpserver.expect_request("/a.html").respond_with_data(
        PAGE.format(name="Atlas", figure="960 GB"), content_type="text/html"
    )
    first = tmp_path / "first"
    first.mkdir()
    write_claims(first, "Atlas", httpserver.url_for("/a.html"))
    (first / "kb.toml").write_text('[confirm]\napart = "0s"\n[fetch]\ndelay = 0\n', encoding="utf-8")
    (first / ".gitignore").write_text("kb.db\nkb.cache\n", encoding="utf-8")
    assert (
        run(["schedule", "--kb", str(first), "--github", "--out", str(first / ".github" / "workflows")]) == 0
    )
    git("init", "--quiet", cwd=first)
    git("add", "--all", cwd=first)
    git("commit", "--quiet", "-m", "start", cwd=first)
    origin = tmp_path / "origin.git"
    git("clone", "--quiet", "--bare", str(first), str(origin), cwd=tmp_path)

    runner = Runner(tmp_path, origin)
    code, said, summary = runner.go("one")
    assert code == 0, said
    assert "::warning::" in said
    assert "## Suspected" in summary
    kept = git("ls-tree", "-r", "--name-only", "main", cwd=origin).split()
    assert any(name.startswith("snapshots/") and name.endswith(".warc.gz") for name in kept)
    assert not any(
        part.startswith(".") for name in kept for part in name.split("/")[1:] if "snapshots" in name
    )

    code, said, summary = runner.go("two")
    assert code == 1, said
    assert "::error::a change is confirmed" in said
    assert "## Confirmed changes" in summary
    assert git("rev-list", "--count", "main", cwd=origin).strip() == "3"


def test_a_run_pushes_although_somebody_pushed_meanwhile(httpserver: HTTPServer, tmp_path: Path) -> None:
    file = github(a_schedule(tmp_path / "base", 6))[0]
    keep = next(
        s["run"]
        for s in yaml.safe_load(file.text)["jobs"]["check"]["steps"]
        if "git push" in s.get("run", "")
    )
    seed = tmp_path / "seed"
    seed.mkdir()
    git("init", "--quiet", cwd=seed)
    (seed / "a").write_text("a", encoding="utf-8")
    git("add", "a", cwd=seed)
    git("commit", "--quiet", "-m", "a", cwd=seed)
    origin = tmp_path / "origin.git"
    git("clone", "--quiet", "--bare", str(seed), str(origin), cwd=tmp_path)
    for name in ("work", "other"):
        git("clone", "--quiet", str(origin), str(tmp_path / name), cwd=tmp_path)
    (tmp_path / "other" / "b").write_text("b", encoding="utf-8")
    git("add", "b", cwd=tmp_path / "other")
    git("commit", "--quiet", "-m", "b", cwd=tmp_path / "other")
    git("push", "--quiet", cwd=tmp_path / "other")
    snapshots = tmp_path / "work" / "snapshots"
    snapshots.mkdir()
    (snapshots / "x.warc.gz").write_text("x", encoding="utf-8")
    (snapshots / ".lock").write_text("x", encoding="utf-8")
    environment = {**os.environ, "HOME": str(tmp_path), "GIT_CONFIG_NOSYSTEM": "1"}
    subprocess.run(
        ["bash", "-eo", "pipefail", "-c", keep], cwd=tmp_path / "work", env=environment, check=True
    )
    kept = git("ls-tree", "-r", "--name-only", "main", cwd=origin).split()
    assert kept == ["a", "b", "snapshots/x.warc.gz"]


# -- the command ---------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["cron", "systemd", "github"])
def test_the_command_prints_what_it_would_write(
    base: Path, tmp_path: Path, kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["schedule", "--kb", str(base), f"--{kind}"]) == 0
    printed = capsys.readouterr().out
    assert run(["schedule", "--kb", str(base), f"--{kind}", "--out", str(tmp_path / "out")]) == 0
    written = [Path(p) for p in capsys.readouterr().out.splitlines()]
    assert "\n".join(p.read_text(encoding="utf-8") for p in written) == printed
    assert printed.startswith("# kb")


def test_the_command_asks_what_for(base: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["schedule", "--kb", str(base)]) == 2
    assert "--cron, --systemd or --github" in capsys.readouterr().err
