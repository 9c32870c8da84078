"""Marked text on a terminal breaks where a person sees it break, and the mark stays on what is marked."""

from __future__ import annotations

import re

import pytest

from kb.cli import output

CODES = re.compile(r"\x1b\[\d+m")


@pytest.fixture
def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("COLUMNS", "40")


@pytest.mark.usefixtures("narrow")
def test_a_marked_value_stays_on_one_line_and_lines_are_as_long_as_they_may_be() -> None:
    quote = "with an InfiniBand bandwidth of 800 Gbps in it"
    shown = output.wrapped(output.marked(quote, "800 Gbps"))
    assert shown == "  with an InfiniBand bandwidth of\n  \x1b[7m800 Gbps\x1b[0m in it"
    fits = output.wrapped(output.marked("a bandwidth between nodes: 800 Gbps", "800 Gbps"))
    assert CODES.sub("", fits) == "  a bandwidth between nodes: 800 Gbps"


@pytest.mark.usefixtures("narrow")
def test_a_long_mark_is_marked_on_each_line_without_its_indent() -> None:
    part = "one two three four five six seven eight nine ten eleven"
    shown = output.wrapped(output.marked(f"see {part} there", part))
    assert [line[:6] for line in shown.splitlines()] == ["  see ", "  \x1b[7m"]
    assert all(line.count("\x1b[7m") == line.count("\x1b[0m") == 1 for line in shown.splitlines())
    assert CODES.sub("", shown).split() == f"see {part} there".split()


@pytest.mark.usefixtures("narrow")
def test_without_colour_a_value_stands_between_signs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert output.wrapped(output.marked("it has 8 GPUs", "8 GPUs")) == "  it has »8 GPUs«"
