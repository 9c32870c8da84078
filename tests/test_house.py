"""The house itself: layout, lock files, exports, start-up."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import kb
from kb import errors

ROOT = Path(__file__).resolve().parent.parent
LOCKS = sorted(ROOT.glob("requirements*.lock"))
HEAVY = {
    "bs4", "lxml", "httpx", "httpcore", "pint", "pydantic", "warcio", "datasette", "sqlite_utils",
    "rapidfuzz", "jinja2", "markdown_it", "pypdfium2", "rich", "yaml", "protego", "stamina", "asyncio",
}  # fmt: skip


def test_a_lock_file_names_no_host_and_no_path() -> None:
    assert len(LOCKS) == 2
    for lock in LOCKS:
        text = lock.read_text(encoding="utf-8")
        assert not re.search(r"https?://|file:|\s/|@ |--(index|find|extra|trusted)", text), lock.name
        names = re.findall(r"^([a-z0-9._-]+)==", text, re.M)
        assert len(names) > 30
        assert text.count("--hash=sha256:") >= len(names)


def test_the_lock_of_the_product_is_part_of_the_developers_lock() -> None:
    pins = [
        set(re.findall(r"^[a-z0-9._-]+==\S+", lock.read_text(encoding="utf-8"), re.M))
        for lock in (ROOT / "requirements.lock", ROOT / "requirements-dev.lock")
    ]
    assert pins[0] < pins[1]


def test_every_dependency_has_a_lower_bound_and_is_locked() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    locked = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    for dependency in project["dependencies"]:
        assert ">=" in dependency, dependency
        name = re.split(r"[\[>=<]", dependency)[0]
        assert re.search(rf"^{re.escape(name)}==", locked, re.M), name


def test_kb_help_loads_nothing_heavy() -> None:
    script = (
        "import sys; from kb.cli.main import run; "
        "run(['--help']); print(*sorted(sys.modules), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    loaded = {name.partition(".")[0] for name in done.stderr.split()}
    assert not loaded & HEAVY


def _modules() -> list[str]:
    return [m.name for m in pkgutil.walk_packages(kb.__path__, "kb.") if not m.name.endswith("__main__")]


def test_each_exported_name_can_be_used_after_every_room_was_imported() -> None:
    for name in _modules():
        importlib.import_module(name)
    for name in kb.__all__:
        thing = getattr(kb, name)
        assert callable(thing), f"kb.{name} is {thing!r}"
    assert not {m.split(".")[1] for m in _modules()} & set(kb.__all__)


@pytest.mark.parametrize("path", sorted((ROOT / "kb").rglob("*.py")), ids=lambda p: str(p.relative_to(ROOT)))
def test_a_module_holds_one_thing(path: Path) -> None:
    assert path.read_text(encoding="utf-8").count("\n") <= 480
    assert path.stem not in {"utils", "helpers", "models", "common", "misc"}


def test_no_path_of_a_machine_and_no_unfinished_code_stands_in_the_tree() -> None:
    files = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout.split()
    if not files:
        pytest.skip("this is no git checkout, so there is no list of its files")
    unfinished = re.compile(r"raise NotImplementedError|\b(TODO|FIXME|XXX)\b")
    machine = re.compile(r"(?<![\w.])/(tmp|home|root|work)/")
    for name in files:
        path = ROOT / name
        if (
            path == Path(__file__)
            or path.suffix not in {".py", ".md", ".toml", ".yaml", ".json"}
            or not path.is_file()
        ):
            continue
        text = path.read_text(encoding="utf-8")
        assert not machine.search(text), name
        if path.suffix == ".py":
            assert not unfinished.search(text), name


KINDS = {k.__name__ for k in vars(errors).values() if isinstance(k, type) and issubclass(k, errors.KbError)}
KINDS |= {"BadParameter"}


def _text(node: ast.expr) -> str:
    """The words of a message as they stand in the code, `{}` for what is put in."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(_text(part) for part in node.values)
    if isinstance(node, ast.BinOp):
        return _text(node.left) + _text(node.right)
    return "{}"


def test_an_error_says_what_would_be_right() -> None:
    """`what is wrong; what would be right`, or at once what to type."""
    silent = []
    for path in sorted((ROOT / "kb").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            called = node.func if isinstance(node, ast.Call) else None
            name = getattr(called, "id", None) or getattr(called, "attr", None)
            if not isinstance(node, ast.Call) or name not in KINDS or not node.args:
                continue
            words = _text(node.args[0])
            # Those made of what is put in alone come from problems, which have their remedy apart.
            made = not words.replace("{}", "").strip(': "')
            hint = words.startswith(("no claim has the id", "no source", "{}, or LAST"))
            if not (made or hint or ";" in words or re.search(r"\bkb \w+ |--\w", words)):
                silent.append(f"{path.name}:{node.lineno}: {words}")
    assert not silent
