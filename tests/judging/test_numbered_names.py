"""A thing known by its number: another number is another thing, in a label and in a sentence."""

from __future__ import annotations

import pytest

import kb
from kb.judging.numbered import is_another, numbered


def verdict(
    html: str, subject: str, figure: str, attribute: str = "ports", base: str | None = None
) -> kb.Verdict:
    claim = kb.Claim.parse(f"{subject}, {attribute}: {figure}")
    return kb.judge(claim, kb.read_page(html), kb.read_page(base) if base else None)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Falcon-2 and Falcon 3", {("falcon", "2"), ("falcon", "3")}),
        ("H100", {("h", "100")}),
        ("Gander 3.8", {("gander", "3.8")}),
        ("64 ports", set()),
        ("a share of 1800 for 4 mills", set()),
        ("x86_64", {("x", "86")}),
    ],
)
def test_names_that_end_in_a_number_are_told_from_amounts(text: str, names: set[tuple[str, str]]) -> None:
    assert names <= numbered(text)
    assert bool(names) or not numbered(text)


def test_a_number_that_goes_on_after_ours_is_no_other_one() -> None:
    ours = numbered("Gander 3")
    assert not is_another(["Gander 3.8"], ours)
    assert is_another(["Gander 4"], ours)
    assert is_another(["Gander 30"], ours)
    assert not is_another(["Gander 3", "Gander 4"], ours)
    assert not is_another(["Goose 4"], ours)


def test_the_row_of_another_number_never_answers() -> None:
    rows = "<tr><th>Switch<th>Ports</tr><tr><td>Falcon-2<td>64</tr><tr><td>Heron-1<td>32</tr>"
    page = f"<h1>Switches</h1><p>The Falcon-2 and the Falcon-3 are made here.</p><table>{rows}</table>"
    assert str(verdict(page, "Falcon-3", "64 ports").outcome) in ("gone", "unclear")
    assert str(verdict(page, "Falcon-2", "64 ports").outcome) == "holds"


def test_the_sentence_of_another_number_never_answers() -> None:
    page = "<h1>Switches</h1><p>The Falcon-2 has 64 ports. The Falcon-3 has 144 ports.</p>"
    found = verdict(page, "Falcon-3", "64 ports")
    assert (str(found.outcome), found.found) == ("drifted", "144 ports")


def test_where_our_own_place_was_called_otherwise_its_number_says_nothing() -> None:
    rows = "<tr><th>Switch<th>Ports</tr><tr><td>Falcon 2 series<td>{}</tr><tr><td>Heron<td>32</tr>"
    before, now = (f"<h1>Falcon 3</h1><table>{rows.format(n)}</table>" for n in (64, 72))
    found = verdict(now, "Falcon 3 switch", "64", base=before)
    assert (str(found.outcome), found.found) == ("drifted", "72")


def test_a_value_in_brackets_behind_was_is_past() -> None:
    page = "<h1>Loom</h1><p>Upload size of the Loom: 2 GB (was 1 GB).</p>"
    found = verdict(page, "Loom", "1 GB", "upload size")
    assert (str(found.outcome), found.found) == ("drifted", "2 GB")
