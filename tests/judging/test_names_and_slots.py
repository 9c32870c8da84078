"""What a subject is called, and what a number without a unit may answer, on pages of our own."""

from __future__ import annotations

import kb

SETTINGS = """# Poolkeeper manual

Poolkeeper keeps connections open.

## PoolKeeper settings

### idle_wait

The pool closes a connection that has not been used for longer than this. [seconds]

Default: 3600.0

### client_wait

How long a client may wait. [seconds]

Default: 40.0
"""


def said(claim: str, text: str, content_type: str = "text/markdown") -> kb.Verdict:
    return kb.judge(kb.Claim.parse(claim), kb.read_page(text.encode(), content_type=content_type))


def test_a_maker_need_not_be_named_beside_each_of_its_settings() -> None:
    page = SETTINGS.replace("## PoolKeeper settings\n", "## Settings\n")
    verdict = said("PoolKeeper idle_wait, default in seconds: 3600", page)
    assert (str(verdict.outcome), verdict.found) == ("holds", "3600.0")


def test_a_setting_in_capitals_within_stays_what_the_subject_is_called() -> None:
    page = "<h2>IdleWait</h2><p>Default: 20 seconds</p><h2>ClientWait</h2><p>Default: 30 seconds</p>"
    verdict = said("PoolKeeper BusyWait, default: 20 seconds", page, "text/html")
    assert str(verdict.outcome) != "holds"


def test_a_bare_number_in_a_slot_answers_a_figure_whose_unit_stands_elsewhere() -> None:
    verdict = said("idle_wait, default: 3600 seconds", SETTINGS)
    assert (str(verdict.outcome), verdict.found) == ("holds", "3600.0")
    verdict = said("client_wait, default: 3600 seconds", SETTINGS)
    assert str(verdict.outcome) != "holds"


def test_two_decimals_are_a_number_and_no_time_of_day() -> None:
    page = "<table><tr><th>Hash</th><th>Speed</th></tr><tr><td>Quick7</td><td>0.61 GB/s</td></tr></table>"
    verdict = said("Quick7, speed: 0.33 GB/s", page, "text/html")
    assert (str(verdict.outcome), verdict.found) == ("drifted", "0.61 GB/s")


def test_a_tolerance_is_no_value_by_itself() -> None:
    page = (
        "<table><tr><th>Program</th><th>Time, s</th></tr><tr><td>Quick7</td><td>1.008±0.017</td></tr></table>"
    )
    verdict = said("Quick7, time: 0.017 s", page, "text/html")
    assert (str(verdict.outcome), verdict.found) == ("drifted", "1.008")


def test_a_word_in_capitals_is_the_word() -> None:
    page = "<p>UPDATE: 2026-08-17</p>"
    verdict = said("Our notes, last update: 2026-08-17", page, "text/html")
    assert str(verdict.outcome) == "holds"
