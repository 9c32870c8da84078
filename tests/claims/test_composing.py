"""Without the C library the same is read, at the same places, only slower."""

from __future__ import annotations

import importlib
import pkgutil
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from yaml import MappingNode, Node, SequenceNode

import kb.claims
from kb.claims import yaml as composing
from kb.claims.yaml import compose, place
from kb.errors import Problem

ROOT = Path(__file__).resolve().parents[2]
FILES = [*sorted((ROOT / "claims").rglob("*.yaml")), *sorted((ROOT / "examples").rglob("claims/*.yaml"))]
ODD = [
    "",
    "claims: [",
    "claims: &a [*a]",
    "a: !t b\n",
    "a: 1\na: 2\n",
    "? [x]\n: y\n",
    "a: >-\n  folded\n  words\n\n# after\nb: |\n  kept\n",
    "a: 'it''s'\r\nb: \"\\u00e9\"\r\n",
    "é: 𝒳 # comment\nb: [1, 2,\n  3]\n",
    "claims: " + "[" * 40 + "]" * 40,
]


def both(text: str, monkeypatch: pytest.MonkeyPatch) -> tuple[Any, Any]:
    answers = []
    for loader in (composing._Loader, composing._PythonLoader):
        monkeypatch.setattr(composing, "_Loader", loader)
        node, data, problems = compose(text, "f")
        answers.append((places(node), data, problems))
    return answers[0], answers[1]


def places(node: Node | None) -> list[tuple[int, int, int, int]]:
    """Where each node begins and ends, in reading order; aliases once."""
    found: list[tuple[int, int, int, int]] = []
    seen: set[int] = set()

    def walk(node: Node) -> None:
        if id(node) in seen:
            return
        seen.add(id(node))
        end = node.end_mark.index if not isinstance(node, MappingNode | SequenceNode) else 0
        found.append((*place(node), node.start_mark.index, end))
        for inner in node.value if isinstance(node, MappingNode | SequenceNode) else ():
            for part in inner if isinstance(inner, tuple) else (inner,):
                walk(part)

    if node is not None:
        walk(node)
    return found


def test_both_loaders_read_every_file_of_ours_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    for file in FILES:
        ours, plain = both(file.read_text("utf-8"), monkeypatch)
        assert ours == plain, file


@pytest.mark.parametrize("text", ODD)
def test_both_loaders_tell_the_same_faults(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (_, data, problems), (_, other, others) = both(text, monkeypatch)
    assert data == other
    assert [about(p) for p in problems] == [about(p) for p in others]


def about(problem: Problem) -> tuple[str, int]:
    """The rule and the line; each library words a broken syntax in its own way."""
    return problem.rule, problem.line


MISTAKES = [
    ("    formula: {a.b} / 8\n", "quote a value that begins with a quote or bracket"),
    ("    text: S: more\n", 'quote a value that contains ": "'),
    ("    text: @home\n", 'quote the value: "…"'),
    ('    text: "open\n', "close the quote"),
    ('    text: "quoted" and more\n', "quote a value that begins with a quote or bracket"),
    ("   text: x\n", "align the keys of a claim with its first one, behind the -"),
    ("\ttext: x\n", "indent with spaces"),
    ("    text: *x\n", "quote it where it begins with *"),
    ("    list: [a, b\n", "close the bracket, or separate with a comma"),
    ("---\n", "keep one document in a file"),
]


@pytest.mark.parametrize(("line", "remedy"), MISTAKES)
def test_a_common_slip_is_told_with_what_would_be_right(line: str, remedy: str) -> None:
    _, _, (problem,) = compose(f"claims:\n  - id: a\n    subject: S\n{line}    note: n\n", "f")
    assert remedy in problem.remedy
    assert 4 <= problem.line <= 5


def test_every_exported_name_is_what_it_says_after_all_modules_are_loaded() -> None:
    for module in pkgutil.iter_modules(kb.claims.__path__):
        importlib.import_module(f"kb.claims.{module.name}")
    for name in kb.claims.__all__:
        assert not isinstance(getattr(kb.claims, name), ModuleType), name
