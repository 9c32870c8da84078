"""The pre-commit hooks and the GitHub action: well formed, and their commands do what they promise."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import demo_base
import pytest
import yaml
from kb_command import put_kb

ROOT = Path(__file__).resolve().parent.parent
HOOKS = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
ENDINGS = {"markdown": ".md", "html": ".html", "plain-text": ".txt", "pdf": ".pdf"}

HOLDS = "An HGX B200 is one of many.\n"
GONE = "# Links\n\nAn AWS P5 instance has 3,200 Gbps of EFA networking.\n"
TYPO = "# Links\n\nThe Azure ND H100 v5 has an InfiniBand link of 450 Gbps per GPU.\n"


@pytest.fixture(scope="module")
def toured(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tour's base when the P5 page states another figure than ours, and that is confirmed."""
    root = demo_base.make(tmp_path_factory.mktemp("hook") / "tour", 3).root
    for made in root.glob("kb.*"):
        if made.suffix in (".db", ".cache"):
            made.unlink()
    return root


class Repository:
    """A Git repository with the tour's claims and archive, and articles."""

    def __init__(self, root: Path, toured: Path, bin: Path) -> None:
        self.root = root
        self.environment = {
            "PATH": f"{bin}:{os.environ['PATH']}",
            "PYTHONPATH": str(ROOT),
            "HOME": str(root.parent),
            "GIT_CONFIG_NOSYSTEM": "1",
            "LC_ALL": "C.UTF-8",
        }
        self.git("init", "-q", "-b", "main")
        self.git("config", "user.name", "Ada")
        self.git("config", "user.email", "ada@example.org")
        for part in ("claims", "snapshots"):
            shutil.copytree(toured / part, root / part)

    def git(self, *words: str) -> str:
        return self.run(["git", *words], check=True).stdout.strip()

    def write(self, name: str, text: str) -> None:
        file = self.root / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def commit(self) -> str:
        self.git("add", "-A")
        self.git("commit", "-qm", "a change")
        return self.git("rev-parse", "HEAD")

    def run(
        self, words: list[str], check: bool = False, **environment: str
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            words,
            cwd=self.root,
            env=self.environment | environment,
            capture_output=True,
            text=True,
            timeout=120,
            check=check,
        )

    def hook(self, id: str, *arguments: str) -> tuple[int, str]:
        """Run a hook on what is committed, as pre-commit does."""
        hook = next(h for h in HOOKS if h["id"] == id)
        files = [
            f
            for f in self.git("ls-files", "-z").split("\0")
            if f
            and re.search(hook.get("files", ""), f)
            and ("types_or" not in hook or f.endswith(tuple(ENDINGS[t] for t in hook["types_or"])))
        ]
        assert files, "pre-commit would skip it"
        given = files if hook.get("pass_filenames", True) else []
        done = self.run([*shlex.split(hook["entry"]), *(arguments or hook.get("args", [])), *given])
        return done.returncode, done.stdout + done.stderr

    def action(self, since: str = "", **inputs: str) -> tuple[int, str]:
        """Run the action's steps after the installation, as a workflow on a push does."""
        known = {name: facts["default"] for name, facts in ACTION["inputs"].items()} | inputs
        said = ""
        for step in ACTION["runs"]["steps"]:
            if "run" not in step or "pip install" in step["run"]:
                continue
            if step.get("if") == "inputs.articles != ''" and not known["articles"]:
                continue
            values = {name: expanded(text, known, since) for name, text in step["env"].items()}
            assert step["shell"] == "bash"
            script = self.root.parent / "step.sh"
            script.write_text(step["run"], encoding="utf-8")
            done = self.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)], **values)
            said += done.stdout + done.stderr
            if done.returncode:
                return done.returncode, said
        return 0, said


def expanded(text: str, inputs: dict[str, str], since: str) -> str:
    """A workflow's expression: the first of its names that has a value."""
    found = re.fullmatch(r"\$\{\{ ([\w.\-]+(?: \|\| [\w.\-]+)*) \}\}", text)
    assert found, text
    known = {f"inputs.{name}": value for name, value in inputs.items()}
    known |= {"github.event.pull_request.base.sha": "", "github.event.before": since}
    return next((known[name] for name in found[1].split(" || ") if known[name]), "")


@pytest.fixture
def repository(tmp_path: Path, toured: Path) -> Repository:
    folder = put_kb(tmp_path / "bin")
    root = tmp_path / "repository"
    root.mkdir()
    return Repository(root, toured, folder)


# --- what is written in the two files ---------------------------------------------------------------


def test_the_action_keeps_to_the_schema_of_actions() -> None:
    words = ["check_jsonschema", "--builtin-schema", "vendor.github-actions", str(ROOT / "action.yml")]
    done = subprocess.run([sys.executable, "-m", *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_each_hook_has_what_pre_commit_demands_and_nothing_that_it_does_not_know() -> None:
    demanded = {"id", "name", "entry", "language"}
    known = demanded | {"description", "files", "types_or", "pass_filenames", "require_serial", "args"}
    assert [hook["id"] for hook in HOOKS] == ["kb-lint", "kb-audit"]
    for hook in HOOKS:
        assert demanded <= set(hook) <= known
        assert hook["language"] == "python"
        re.compile(hook.get("files", ""))


def test_no_input_of_the_action_becomes_part_of_a_script() -> None:
    for step in ACTION["runs"]["steps"]:
        assert "${{" not in step.get("run", ""), step["name"]


@pytest.mark.parametrize(
    "text",
    [" ".join([h["entry"], *h.get("args", [])]) for h in HOOKS]
    + [s["run"] for s in ACTION["runs"]["steps"] if "run" in s],
)
def test_only_commands_and_options_that_kb_has_are_used(
    text: str, every_option: Callable[[str], set[str]]
) -> None:
    for command, rest in re.findall(r"\bkb (lint|audit|build|check)\b([^\n]*)", text):
        assert set(re.findall(r"--[a-z-]{2,}", rest)) <= every_option(command)


@pytest.fixture
def every_option() -> Callable[[str], set[str]]:
    import click

    from kb.cli.main import cli

    def options(name: str) -> set[str]:
        command: Any = cli.get_command(click.Context(cli), name)
        return {text for p in command.params for text in p.opts}

    return options


# --- what they do -----------------------------------------------------------------------------------


def test_the_lint_hook_names_the_fault_and_fails(repository: Repository) -> None:
    repository.commit()
    assert repository.hook("kb-lint")[0] == 0
    file = repository.root / "claims" / "azure-nd-h100-v5.yaml"
    file.write_text(file.read_text(encoding="utf-8").replace("400 Gbps", "400 Gbsp", 1), encoding="utf-8")
    repository.commit()
    code, said = repository.hook("kb-lint")
    assert code == 2
    assert 'unit "Gbsp" is unknown; did you mean "Gbps"?' in said


def test_the_audit_hook_fails_on_what_no_longer_holds_alone(repository: Repository) -> None:
    repository.run(["kb", "build", "-q"], check=True)
    repository.write("typo.md", TYPO)
    repository.write("empty.md", "")
    repository.commit()
    code, said = repository.hook("kb-audit")
    assert code == 0, said
    assert "450 Gbps" in said
    assert repository.hook("kb-audit", "--strict")[0] == 1
    repository.write("articles/stale links.md", GONE)
    repository.commit()
    code, said = repository.hook("kb-audit")
    assert code == 1
    assert "aws-p5.instance" in said


def test_the_action_marks_the_line_of_a_fault_in_the_claims(repository: Repository) -> None:
    file = repository.root / "claims" / "azure-nd-h100-v5.yaml"
    file.write_text(file.read_text(encoding="utf-8").replace("400 Gbps", "400 Gbsp", 1), encoding="utf-8")
    code, said = repository.action()
    assert code == 2
    assert re.search(
        r"^::error file=claims/azure-nd-h100-v5\.yaml,line=\d+,col=\d+,title=unknown-unit::", said, re.M
    )


def test_the_action_audits_what_changed_and_marks_its_line(repository: Repository) -> None:
    repository.write("old.md", GONE)
    before = repository.commit()
    repository.write("new draft.md", HOLDS)
    between = repository.commit()
    assert repository.action(before)[0] == 0
    repository.write("articles/later.md", GONE)
    repository.commit()
    code, said = repository.action(between)
    assert code == 1
    assert "::error file=articles/later.md,line=3," in said
    assert "old.md" not in said


def test_the_action_audits_all_where_it_cannot_tell_what_changed(repository: Repository) -> None:
    repository.write("old.md", GONE)
    repository.commit()
    code, said = repository.action("0" * 40)
    assert code == 1
    assert "::notice::What changed cannot be told here" in said
    assert "::error file=old.md" in said


def test_the_action_audits_what_it_is_told_to(repository: Repository) -> None:
    repository.write("old.md", GONE)
    repository.write(
        "posts/a.html", "<p>The Azure ND H100 v5 has an InfiniBand link of 450 Gbps per GPU.</p>"
    )
    head = repository.commit()
    assert repository.action(head) == (0, "No article to audit.\n")
    assert repository.action(head, articles="") == (0, "")
    assert repository.action(head, all="true")[0] == 1
    code, said = repository.action(head, all="true", articles="posts/*.html\n\n")
    assert code == 0
    assert "::warning file=posts/a.html" in said
    assert repository.action(head, all="true", articles="posts/*.html", strict="true")[0] == 1


def test_the_action_takes_a_knowledge_base_in_a_folder(repository: Repository) -> None:
    (repository.root / "notes").mkdir()
    for part in ("claims", "snapshots"):
        (repository.root / part).rename(repository.root / "notes" / part)
    repository.write("old.md", GONE)
    head = repository.commit()
    code, said = repository.action(head, kb="notes", all="true")
    assert code == 1
    assert "::error file=old.md,line=3," in said
