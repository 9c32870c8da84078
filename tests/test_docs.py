"""Documentation is tested: what is written from the code is current, and the README's session is real."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest

from kb.cli.main import cli

ROOT = Path(__file__).resolve().parent.parent
COGGED = [
    p
    for p in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    if "[[[cog" in p.read_text(encoding="utf-8")
]


@pytest.mark.parametrize("path", COGGED, ids=lambda p: p.name)
def test_what_is_written_from_the_code_is_current(path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "cogapp", "--check", str(path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"run make docs\n{done.stdout}{done.stderr}"


def sessions() -> list[tuple[str, str, list[tuple[str, str]]]]:
    """Each `console` block of the pages: page, title, and its commands with what they print."""
    found = []
    for path in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]:
        if path.name == "tutorial.md":  # typed in one shell from an empty folder, by test_tutorial.py
            continue
        for number, block in enumerate(
            re.findall(r"```console\n(.*?)```", path.read_text(encoding="utf-8"), re.S)
        ):
            steps = [part.partition("\n") for part in re.split(r"^\$ ", block, flags=re.M) if part.strip()]
            found.append((path.name, f"{path.name}-{number}", [(command, out) for command, _, out in steps]))
    return found


@pytest.mark.parametrize("session", sessions(), ids=lambda s: s[1])
def test_a_session_prints_what_the_page_shows(session: tuple[str, str, list[tuple[str, str]]]) -> None:
    last = 0
    for command, shown in session[2]:
        if command == "echo $?":
            assert shown.strip() == str(last)
            continue
        words = shlex.split(command)
        assert words[0] == "kb", command
        done = subprocess.run(
            [sys.executable, "-m", "kb", *words[1:]], cwd=ROOT, capture_output=True, text=True, check=False
        )
        last = done.returncode
        assert (done.stdout + done.stderr).rstrip() == shown.rstrip(), command


def test_the_readme_has_a_session() -> None:
    assert any(page == "README.md" for page, _, _ in sessions())


def test_every_link_inside_the_documentation_leads_somewhere() -> None:
    for path in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        for target in re.findall(r"\]\(([^)#\s]+)", path.read_text(encoding="utf-8")):
            if not re.match(r"[a-z]+:", target):
                assert (path.parent / target).exists(), f"{path.name}: {target}"


def named_commands() -> list[tuple[str, str]]:
    """Each command that a page names in code, as a line or within a sentence, with its page."""
    found = []
    for path in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]:
        text = path.read_text(encoding="utf-8")
        inline = re.findall(r"`(kb [^`\n]+)`", text)
        lines = re.findall(r"^(?:    |\$ )(kb [^\n]+)$", text, re.M)
        found += [(path.name, re.split(r"  |[;|>&#]", one)[0]) for one in inline + lines]
    return found


def test_every_command_that_a_page_names_exists_with_its_options() -> None:
    context = click.Context(cli)
    wrong = []
    for page, words in named_commands():
        name, *rest = words.split()[1:]
        command = cli.get_command(context, name) if name.isalpha() else cli
        if isinstance(command, click.Group) and command is not cli and rest:
            command = command.get_command(context, rest[0]) or command
        known = {o for p in command.params for o in p.opts} | {"--help"} if command else set()
        used = {o.partition("=")[0] for o in re.findall(r"(?<=\s)--[a-z][a-z-]*", words)}
        if command is None or not used <= known:
            wrong.append(f"{page}: {words}")
    assert not wrong
