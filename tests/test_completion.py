"""Completion in real shells: commands, options, ids, tags and files."""

from __future__ import annotations

import os
import pty
import select
import shutil
import subprocess
import time
from pathlib import Path

import click
import pytest
from click.shell_completion import ShellComplete
from kb_command import put_kb

from kb.app.names import MOST, claim_ids, source_ids, tags
from kb.cli.main import COMPLETE, cli, run

ROOT = Path(__file__).resolve().parent.parent

CLAIMS = """\
source:
  title: Sizes
  publisher: Example
  url: https://example.org/{name}
  tags: [vendors, "racks"]
claims:
  - id: memory
    subject: Node
    attribute: memory
    figure: 640 GB
  - {{id: weight, subject: Node, figure: 30 kg, tags: [heavy]}}
  - subject: Node
    id: "ports"
    figure: 8
    tags:
      - wired
      - 'front side'
"""


@pytest.fixture
def base(tmp_path: Path) -> Path:
    (tmp_path / "notes" / "claims" / "vendors").mkdir(parents=True)
    for name, folder in (("node-a", ""), ("node-b", "vendors"), ("rack", "")):
        file = tmp_path / "notes" / "claims" / folder / f"{name}.yaml"
        file.write_text(CLAIMS.format(name=name), encoding="utf-8")
    return tmp_path / "notes"


def offered(folder: Path, *words: str) -> list[str]:
    """What click offers for the last of `words`, in `folder`."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        shell = ShellComplete(cli, {}, "kb", COMPLETE)
        return [item.value for item in shell.get_completions(list(words[:-1]), words[-1])]
    finally:
        os.chdir(before)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("ver",), ["verify"]),
        (("check", "--of"), ["--offline"]),
        (("accept", "node-a."), ["node-a.memory", "node-a.ports", "node-a.weight"]),
        (("accept", "node-b.w"), ["node-b.weight"]),
        (("cite", "rack.memory", "rack.p"), ["rack.ports"]),
        (("check", "--only", "rac"), ["rack", "rack.memory", "rack.ports", "rack.weight"]),
        (("report", "--tag", "w"), ["wired"]),
        (("report", "--tag", "f"), ["front side"]),
        (("check", "--tag", "vendors", "--tag", "ra"), ["racks"]),
        (("snapshots", "show", "no"), ["node-a", "node-b"]),
        (("lint", "--explain", "node-a.mem"), ["node-a.memory"]),
        (("report", "--format", "j"), ["json", "junit"]),
        (("accept", "nothing-like-it"), []),
    ],
)
def test_what_could_be_typed_next_is_offered(base: Path, words: tuple[str, ...], expected: list[str]) -> None:
    assert offered(base, *words) == expected


def test_ids_are_those_of_the_knowledge_base_that_is_named(base: Path, tmp_path: Path) -> None:
    assert offered(tmp_path, "accept", "--kb", "notes", "rack.m") == ["rack.memory"]
    assert offered(tmp_path, "accept", "rack.m") == []


def test_faulty_and_unreadable_files_never_hinder(base: Path) -> None:
    (base / "claims" / "broken.yaml").write_bytes(b"claims:\n  - id: first\n  \xff\xfe{{{[\n  - id: second\n")
    (base / "claims" / "folder.yaml").mkdir()
    (base / "claims" / "lost.yaml").symlink_to(base / "nowhere.yaml")
    assert claim_ids(base, "broken") == ["broken.first", "broken.second"]
    assert claim_ids(base, "folder") == claim_ids(base, "lost") == []
    assert "wired" in tags(base, "")


def test_what_names_no_claim_is_told_with_what_it_may_mean(
    base: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for words, hint in (
        (
            ["--only", "rack.memroy"],
            'no claim or source is called "rack.memroy"; did you mean "rack.memory"?',
        ),
        (
            ["--tag", "haevy"],
            'no claim has the tag "haevy"; there are: front side, heavy, racks, vendors, wired',
        ),
    ):
        assert run(["check", "--kb", str(base), "--offline", "-q", *words]) == 3
        assert hint in capsys.readouterr().err
        assert run(["report", "--kb", str(base), *words]) == 3
        assert hint in capsys.readouterr().err


def test_of_very_many_files_the_sources_are_named_first(tmp_path: Path) -> None:
    (tmp_path / "claims").mkdir()
    for number in range(MOST + 1):
        (tmp_path / "claims" / f"s{number:04}.yaml").write_text(CLAIMS.format(name="x"), encoding="utf-8")
    assert claim_ids(tmp_path, "")[:2] == ["s0000.", "s0001."]
    assert claim_ids(tmp_path, "s0001.me") == ["s0001.memory"]
    assert len(source_ids(tmp_path, "s")) == MOST + 1


def test_the_claims_of_this_repository_are_all_offered() -> None:
    from datetime import date

    from kb.claims import load_claims

    known = load_claims(ROOT, date(2027, 1, 1))
    assert set(claim_ids(ROOT, "")) == {c.id for c in known.claims}
    assert set(tags(ROOT, "")) == {
        t for s in known.sources for t in (*s.tags, *(t for c in s.claims for t in c.tags))
    }


def test_a_shell_that_has_none_is_told_which_have(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["completion", "tcsh"]) == 2
    assert "'bash', 'zsh', 'fish'" in capsys.readouterr().err


def test_every_id_file_and_tag_of_every_command_completes() -> None:
    bare = []
    context = click.Context(cli)
    for name in cli.list_commands(context):  # type: ignore[attr-defined]
        command = cli.get_command(context, name)  # type: ignore[attr-defined]
        inner = command.commands.values() if isinstance(command, click.Group) else [command]
        for one in inner:
            for parameter in one.params:
                words = (parameter.name or "").lower()
                wants = words in {
                    "id",
                    "ids",
                    "only",
                    "tags",
                    "explain",
                    "article",
                    "source",
                    "sources",
                    "page",
                    "capture",
                }
                plain = (
                    type(parameter.type) is click.types.StringParamType
                    and parameter._custom_shell_complete is None
                )
                if wants and plain:
                    bare.append(f"kb {name}: {words}")
    # A new source's id, and a digest: neither is one that is there already.
    assert bare == ["kb add: source", "kb verify: capture"]


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    folder = put_kb(tmp_path / "bin")
    return {
        "PATH": f"{folder}:{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "HOME": str(tmp_path),
        "TERM": "dumb",
        "LC_ALL": "C.UTF-8",
    }


def shell(name: str) -> str:
    path = shutil.which(name)
    if path is None:
        pytest.skip(f"{name} is not installed here")
    return path


def test_bash_completes(base: Path, environment: dict[str, str]) -> None:
    asked = (
        "source <(kb completion bash)\n"
        'for line in "kb verif" "kb accept node-a.m" "kb check --tag h"; do\n'
        "  COMP_WORDS=($line); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMPREPLY=()\n"
        '  _kb_completion kb; echo "${COMPREPLY[@]}"\n'
        "done\n"
    )
    done = subprocess.run(
        [shell("bash"), "--norc", "-c", asked],
        cwd=base, env=environment, capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    assert done.stdout.splitlines() == ["verify", "node-a.memory", "heavy"]
    assert done.stderr == ""


def test_fish_completes(base: Path, environment: dict[str, str]) -> None:
    asked = 'kb completion fish | source\ncomplete -C "kb verif"\ncomplete -C "kb accept node-a.m"\n'
    done = subprocess.run(
        [shell("fish"), "--no-config", "-c", asked],
        cwd=base, env=environment, capture_output=True, text=True, timeout=120, check=True,
    )  # fmt: skip
    assert [line.partition("\t")[0] for line in done.stdout.splitlines()] == ["verify", "node-a.memory"]


@pytest.mark.parametrize(
    ("name", "start"),
    [
        (("bash", "--norc", "--noprofile", "-i"), 'eval "$(kb completion bash)"'),
        (("zsh", "-f", "-i"), 'autoload -U compinit; compinit -u; eval "$(kb completion zsh)"'),
    ],
)
def test_the_key_completes_at_the_prompt(
    base: Path, environment: dict[str, str], name: tuple[str, ...], start: str
) -> None:
    path = shell(name[0])
    (base / "draft-of-mine.md").write_text("A draft.", encoding="utf-8")
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(base)
        os.execve(path, list(name), environment)
    try:
        os.write(terminal, f"{start}; echo re''ady\n".encode())
        until(terminal, b"ready")
        os.write(terminal, b"kb accept node-a.m\t")
        assert b"node-a.memory" in until(terminal, b"node-a.memory")
        os.write(terminal, b"\x15kb audit draf\t")
        assert b"draft-of-mine.md" in until(terminal, b"draft-of-mine.md")
    finally:
        os.close(terminal)
        os.kill(pid, 9)
        os.waitpid(pid, 0)


def until(terminal: int, wanted: bytes) -> bytes:
    """What the terminal shows, up to `wanted`; all there was, where a minute passes without it."""
    shown, end = b"", time.monotonic() + 60
    while wanted not in shown and time.monotonic() < end:
        if select.select([terminal], [], [], 1)[0]:
            shown += os.read(terminal, 4096)
    return shown
