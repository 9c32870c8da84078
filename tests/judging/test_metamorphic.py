"""What a change of a page may do to a verdict, on pages of our own."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass, replace

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kb.claims import Claim
from kb.judging import judge
from kb.page import Page, read_page

SUBJECTS = ("Falcon-2", "Heron-5", "Osprey-7")
OTHERS = ("Kite-3", "Swift-9", "Tern-4")
UNITS = ("Gbps", "GB", "ms", "W", "USD")
ATTRIBUTES = {
    "Gbps": "port speed",
    "GB": "memory",
    "ms": "latency",
    "W": "power draw",
    "USD": "price",
}
RESPELLED = {
    "Gbps": ("{n} Gb/s", "{n} Gbit/s", "{n} gigabits per second"),
    "GB": ("{n}GB", "{n} gigabytes"),
    "ms": ("{n}ms", "{n} milliseconds"),
    "W": ("{n} watts", "{n}W"),
    "USD": ("${n}", "{n} US dollars"),
}


@dataclass(frozen=True)
class Sheet:
    """A page of our own about several subjects, in one of three layouts."""

    layout: str
    rows: tuple[tuple[str, str, str], ...]  # subject, attribute, value
    classes: str = "a"
    boilerplate: int = 0

    def html(self) -> str:
        parts = ["<h1>Product sheet</h1>"]
        parts += [f"<p>Read the notice number {i} before you order.</p>" for i in range(self.boilerplate)]
        if self.layout == "table":
            cells = "".join(
                f'<tr class="{self.classes}"><td>{s}</td><td>{a}</td><td>{v}</td></tr>'
                for s, a, v in self.rows
            )
            parts.append(f"<table><tr><th>Product</th><th>Property</th><th>Value</th></tr>{cells}</table>")
        elif self.layout == "prose":
            parts += [f'<p class="{self.classes}">The {a} of the {s} is {v}.</p>' for s, a, v in self.rows]
        else:
            for s, a, v in self.rows:
                parts.append(f'<h2 class="{self.classes}">{s}</h2><dl><dt>{a}</dt><dd>{v}</dd></dl>')
        return '<html lang="en"><body>' + "".join(parts) + "</body></html>"

    def page(self) -> Page:
        return read_page(self.html())


@st.composite
def sheets(draw: st.DrawFn) -> tuple[Sheet, Claim, int, str]:
    """A sheet, a claim on its first row, and the row's number and unit."""
    unit = draw(st.sampled_from(UNITS))
    number = draw(st.integers(2, 950))
    subject = draw(st.sampled_from(SUBJECTS))
    attribute = ATTRIBUTES[unit]
    rows = [(subject, attribute, f"{number} {unit}")]
    others = draw(st.lists(st.sampled_from(OTHERS), min_size=1, max_size=3, unique=True))
    for i, other in enumerate(others):
        rows.append((other, attribute, f"{number + 7 * (i + 1)} {unit}"))
    layout = draw(st.sampled_from(("table", "prose", "definitions")))
    claim = Claim.parse(f"{subject}, {attribute}: {number} {unit}")
    return Sheet(layout, tuple(rows)), claim, number, unit


few = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@few
@given(sheets())
def test_a_page_that_states_the_claim_holds(case: tuple[Sheet, Claim, int, str]) -> None:
    sheet, claim, _, _ = case
    assert str(judge(claim, sheet.page()).outcome) == "holds"
    assert str(judge(claim, sheet.page(), sheet.page()).outcome) == "holds"


@few
@given(sheets(), st.integers(1, 900), st.booleans())
def test_another_figure_never_holds(case: tuple[Sheet, Claim, int, str], step: int, known: bool) -> None:
    sheet, claim, number, unit = case
    subject, attribute, _ = sheet.rows[0]
    changed = replace(sheet, rows=((subject, attribute, f"{number + step} {unit}"), *sheet.rows[1:]))
    verdict = judge(claim, changed.page(), sheet.page() if known else None)
    assert str(verdict.outcome) != "holds"


@few
@given(sheets(), st.data())
def test_the_same_value_in_another_spelling_holds(
    case: tuple[Sheet, Claim, int, str], data: st.DataObject
) -> None:
    sheet, claim, number, unit = case
    subject, attribute, _ = sheet.rows[0]
    value = data.draw(st.sampled_from(RESPELLED[unit])).format(n=number)
    respelled = replace(sheet, rows=((subject, attribute, value), *sheet.rows[1:]))
    assert str(judge(claim, respelled.page()).outcome) == "holds"
    assert str(judge(claim, respelled.page(), sheet.page()).outcome) == "holds"


@few
@given(sheets(), st.booleans())
def test_another_subject_in_our_subjects_place_never_holds(
    case: tuple[Sheet, Claim, int, str], known: bool
) -> None:
    sheet, claim, _, _ = case
    _, attribute, value = sheet.rows[0]
    swapped = replace(sheet, rows=(("Merlin-8", attribute, value), *sheet.rows[1:]))
    assert str(judge(claim, swapped.page(), sheet.page() if known else None).outcome) != "holds"


@few
@given(sheets(), st.booleans())
def test_a_deleted_row_is_gone_or_unclear(case: tuple[Sheet, Claim, int, str], known: bool) -> None:
    sheet, claim, _, _ = case
    without = replace(sheet, rows=sheet.rows[1:])
    assert str(judge(claim, without.page(), sheet.page() if known else None).outcome) in ("gone", "unclear")


@few
@given(sheets(), st.integers(1, 6), st.sampled_from(("b", "c d", "row-2")), st.booleans())
def test_markup_boilerplate_and_order_change_no_verdict(
    case: tuple[Sheet, Claim, int, str], notices: int, classes: str, known: bool
) -> None:
    sheet, claim, _, _ = case
    dressed = replace(sheet, classes=classes, boilerplate=notices, rows=tuple(reversed(sheet.rows)))
    baseline = sheet.page() if known else None
    plain, other = judge(claim, sheet.page(), baseline), judge(claim, dressed.page(), baseline)
    assert (plain.outcome, plain.reason, plain.found) == (other.outcome, other.reason, other.found)


SCRIPT = """
import json, sys
from kb.claims import Claim
from kb.judging import judge
from kb.page import read_page
rows = "".join(f"<tr><td>Falcon-{i}</td><td>{i * 8} ports</td><td>{i * 100} Gbps</td></tr>" for i in range(1, 9))
page = read_page("<h1>Switches</h1><table><tr><th>Switch</th><th>Ports</th><th>Speed</th></tr>" + rows + "</table>")
texts = ("Falcon-3, ports: 24 ports", "Falcon-5, speed: 400 Gbps", "Falcon-12, speed: 800 Gbps", "Switches, name: Falcon")
print(json.dumps([judge(Claim.parse(t), page, page).to_json() for t in texts], sort_keys=True))
"""


def test_verdicts_are_the_same_to_the_byte_under_every_hash_seed() -> None:
    answers = set()
    for seed in range(20):
        run = subprocess.run(
            [sys.executable, "-c", SCRIPT],
            env={**os.environ, "PYTHONHASHSEED": str(seed)},
            capture_output=True,
            check=True,
        )
        answers.add(run.stdout)
    assert len(answers) == 1
    assert b'"verdict": "holds"' in answers.pop()
