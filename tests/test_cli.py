"""The command itself: help, spelling, and the exit code of every ending."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
from pathlib import Path

import click
import pytest

from kb.cli import main as cli
from kb.errors import (
    ArchiveError,
    CaseError,
    ClaimsError,
    KbError,
    LockedError,
    Problem,
    SettingsError,
    StoreError,
    UnreadableError,
    UsageError,
)

KB = [sys.executable, "-m", "kb"]


def raising(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    @click.command()
    def command() -> None:
        raise error

    monkeypatch.setattr(cli._Commands, "get_command", lambda self, ctx, name: command)


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (UsageError("say it otherwise"), 2),
        (CaseError("no page"), 2),
        (ClaimsError([Problem("claims/a.yaml", 3, 5, "is wrong", "would be right")]), 2),
        (SettingsError([Problem("kb.toml", 1, 0, "is wrong")]), 2),
        (UnreadableError("blocked"), 3),
        (ArchiveError("disk full"), 4),
        (LockedError("held"), 4),
        (StoreError("foreign"), 4),
        (OSError(28, "No space left on device", "kb.db"), 4),
        (KbError("inner"), 70),
        (ZeroDivisionError("in kb"), 70),
        (KeyboardInterrupt(), 130),
        (click.exceptions.Abort(), 130),
        (BrokenPipeError(), 0),
        (BrokenPipeError(32, "Broken pipe"), 0),
    ],
)
def test_every_ending_has_its_code_and_none_of_them_is_1(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], error: BaseException, code: int
) -> None:
    raising(monkeypatch, error)
    assert subprocess_like(["whatever"]) == code
    if code not in (0, 130):
        told = capfd.readouterr().err
        assert (
            str(error.args[-1] if not isinstance(error, ClaimsError | SettingsError) else error).splitlines()[
                0
            ]
            in told
        )
        assert "Traceback" not in told


def subprocess_like(arguments: list[str]) -> int:
    """Run in this process, with standard output put back as it was."""
    keep = os.dup(1)
    try:
        return cli.run(arguments)
    finally:
        os.dup2(keep, 1)
        os.close(keep)


def test_a_fault_in_kb_says_how_to_report_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    raising(monkeypatch, ZeroDivisionError("in kb"))
    assert cli.run(["whatever"]) == 70
    told = capsys.readouterr().err
    assert "a fault in kb itself: ZeroDivisionError: in kb (test_cli.py:" in told
    assert "KB_TRACEBACK=1" in told


def test_a_misspelt_command_is_2_and_names_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["verfy"]) == 2
    assert "did you mean `kb verify`?" in capsys.readouterr().err


def test_every_command_has_its_line_in_the_help_and_says_the_same_itself() -> None:
    group = cli.cli
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        assert name in cli.SUMMARIES
        for parameter in command.params:
            if isinstance(parameter, click.Option):
                assert parameter.help, f"kb {name} {parameter.opts[-1]}"


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_it_politely(tmp_path: Path, number: int, code: int) -> None:
    script = (
        "import click, sys, time\n"
        "from kb.cli import main as cli\n"
        "@click.command()\n"
        "def command():\n"
        "    print('ready', flush=True)\n"
        "    time.sleep(30)\n"
        "cli._Commands.get_command = lambda self, ctx, name: command\n"
        "cli.main(['x'])\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # A shell's background job starts with SIGINT ignored, and so would its children.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    assert process.stdout
    assert process.stdout.readline() == "ready\n"
    process.send_signal(number)
    _, err = process.communicate(timeout=20)
    assert process.returncode == code
    assert "everything up to here is kept" in err
    assert "Traceback" not in err


def test_a_closed_pipe_ends_quietly() -> None:
    process = subprocess.Popen([*KB, "lint", "--schema"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout and process.stderr
    process.stdout.close()
    err = process.stderr.read()
    process.stderr.close()
    assert process.wait(timeout=30) == 0
    assert err == b""


@pytest.mark.parametrize(
    "error",
    [
        UsageError("a", near="b"),
        ClaimsError([Problem("f", 1, 2, "w", "r")]),
        UnreadableError("m", reason="dns", detail=""),
        LockedError("held", holder="1"),
    ],
)
def test_errors_survive_a_process_pool(error: KbError) -> None:
    back = pickle.loads(pickle.dumps(error))
    assert type(back) is type(error)
    assert str(back) == str(error)
    assert back.facts == error.facts
    assert getattr(back, "problems", None) == getattr(error, "problems", None)


def test_problems_are_told_sorted_and_in_one_form() -> None:
    error = ClaimsError(
        [
            Problem("b.yaml", 1, 1, "x"),
            Problem("a.yaml", 9, 2, 'unit "Gbsp" is unknown', 'did you mean "Gbps"?'),
        ]
    )
    assert str(error).splitlines() == [
        'a.yaml:9:2: unit "Gbsp" is unknown; did you mean "Gbps"?',
        "b.yaml:1:1: x",
    ]


def test_a_knowledge_base_that_is_none_is_told_what_to_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.run(["check", "--kb", str(tmp_path)]) == 2
    assert "start one with kb init" in capsys.readouterr().err


def test_init_then_check_of_an_empty_base_is_3(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["init", str(tmp_path)]) == 0
    assert cli.run(["check", "--kb", str(tmp_path), "--quiet"]) == 3
    assert "No claim is selected" in capsys.readouterr().out
