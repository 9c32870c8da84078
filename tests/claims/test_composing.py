"""Without the C library the same is read, at the same places, only slower."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from yaml import MappingNode, Node, SequenceNode

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
