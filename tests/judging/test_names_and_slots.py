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


OPTIONS = """<table><tr><th>Option</th><th>Default</th></tr>
<tr><td><code>pool-open-burst</code></td><td>100</td></tr>
<tr><td><code>pool-open-rate</code></td><td>50</td></tr>
<tr><td><code>--pool_close_delay=VALUE</code></td><td>6hrs</td></tr>
<tr><td><code>ping_interval</code></td><td>"2m"</td></tr></table>"""


def test_an_option_is_called_by_its_name_with_and_without_dashes_and_a_stand_in_for_its_value() -> None:
    verdict = said("--pool-open-burst, default: 10", OPTIONS, "text/html")
    assert (str(verdict.outcome), verdict.found) == ("drifted", "100")
    verdict = said("pool_close_delay, default: 6 hours", OPTIONS, "text/html")
    assert (str(verdict.outcome), verdict.found) == ("holds", "6hrs")


def test_a_short_m_in_a_row_about_time_is_minutes() -> None:
    verdict = said("ping_interval, default: 2 minutes", OPTIONS, "text/html")
    assert (str(verdict.outcome), verdict.found) == ("holds", "2m")


def test_names_tied_by_hyphens_are_other_names_than_their_parts() -> None:
    page = "<table><tr><th>Machine</th><th>Memory</th></tr><tr><td>large</td><td>64 GB</td></tr></table>"
    assert str(said("lab-large machine, memory: 64 GB", page, "text/html").outcome) != "drifted"


HELP = """## Flags

```
--enable-old 'false'
  Accept requests of the old kind.
--pre-vote 'true'
  Vote twice.
```
"""


def test_a_help_text_gives_each_option_its_own_default() -> None:
    claim = kb.Claim(id="x", subject="poold --enable-old", attribute="default", kind="text", value="true")
    verdict = kb.judge(claim, kb.read_page(HELP.encode(), content_type="text/markdown"))
    assert (str(verdict.outcome), verdict.found) == ("drifted", "false")


def test_a_version_is_compared_as_one_beside_what_it_is_of() -> None:
    def judged(page: str) -> tuple[str, str | None]:
        claim = kb.Claim(
            id="x", subject="Poold", attribute="Quickscript version needed", kind="text", value="3.8"
        )
        verdict = kb.judge(claim, kb.read_page(page.encode(), content_type="text/html"))
        found = verdict.found
        assert found is None or isinstance(found, str)
        return str(verdict.outcome), found

    page = "<h1>Poold</h1><p>You need <b>Quickscript&gt;={}</b> with Slowlib&gt;=5.4, in 3.8 GB.</p>"
    assert judged(page.format("3.8.0"))[0] == "holds"
    outcome, found = judged(page.format("3.10"))
    assert outcome == "drifted"
    assert found is not None
    assert "3.10" in found


def test_a_figure_that_a_row_had_before_ends_no_absence_only_there() -> None:
    rows = "<tr><td>Page cookie</td><td>1 hour</td></tr>"
    table = "<h1>Poold sign-in</h1><table><tr><th>What</th><th>Validity</th></tr>{}</table>"
    claim = kb.Claim(
        id="x", subject="Poold sign-in", attribute="session cookie", kind="absent", value="validity"
    )
    before = kb.read_page(table.format(rows).encode(), content_type="text/html")
    added = rows + "<tr><td>Poold sign-in session cookie</td><td>1 hour</td></tr>"
    now = kb.read_page(table.format(added).encode(), content_type="text/html")
    assert str(kb.judge(claim, before, before).outcome) == "holds"
    assert str(kb.judge(claim, now, before).outcome) == "drifted"


FLOWS = """# Fernwall manual

Fernwall watches flows.

## Time-outs

```yaml
timeouts:
  tcp:
    new: 60
    established: {}
  udp:
    new: 30
    established: 300
```
"""


def test_a_number_without_a_unit_may_be_our_time_in_seconds() -> None:
    claim = "Fernwall established tcp timeouts, value: one hour"
    assert (said(claim, FLOWS.format(3600)).outcome, said(claim, FLOWS.format(3600)).found) == (
        "holds",
        "3600",
    )
    assert said(claim, FLOWS.format(1200)).outcome != "holds"
