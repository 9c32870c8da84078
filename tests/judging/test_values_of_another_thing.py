"""Values that are stated of another thing than the claim's, which the page no longer has."""

from __future__ import annotations

from kb.claims import Claim
from kb.judging import judge
from kb.judging.verdict import Verdict
from kb.page import Page, read_page
from kb.reasons import Outcome


def _page(html: str) -> Page:
    page = read_page(html)
    assert isinstance(page, Page)
    return page


def _judged(claim: str, html: str, before: str | None = None) -> Verdict:
    return judge(Claim.parse(claim), _page(html), _page(before) if before else None)


COVER = """<h1>Benefits at Ackerby</h1>
<h2>Medical insurance</h2><ul><li>Employee-only medical coverage: $96.00</li>
<li>Employee-family medical coverage: $280.10</li></ul>
<h2>Dental insurance</h2><ul><li>Employee-only dental coverage: $6.20</li>
<li>Employee-family dental coverage: $18.40</li></ul>"""
FAMILY = "Ackerby dental insurance for a whole family, employee share: $18.40"


def test_a_row_that_stood_beside_ours_is_no_new_value_of_ours() -> None:
    html = """<h1>Benefits at Ackerby</h1>
    <h2>Medical insurance</h2><ul><li>Employee-only medical coverage: $96.05</li>
    <li>Employee-family medical coverage: $287.60</li></ul>
    <h2>Dental insurance</h2><p>Ackerby pays for all dental coverage.</p>"""
    assert _judged(FAMILY, html, COVER).outcome is Outcome.GONE


def test_a_row_that_kept_its_name_still_drifts() -> None:
    html = COVER.replace("18.40", "19.90").replace("280.10", "287.60")
    found = _judged(FAMILY, html, COVER)
    assert (found.outcome, found.found) == (Outcome.DRIFTED, "$19.90")


CONSOLES = """<h1>Specifications</h1><table>
<tr><th></th><th>Orrin Boy</th><th>Super Orrin Boy</th></tr>
<tr><th>Clock</th><td>4.19 MHz</td><td>{clock}</td></tr>
<tr><th>Screen</th><td>160 by 144</td><td>256 by 224</td></tr></table>"""


def test_a_cell_of_ours_without_a_value_gives_no_other_columns_value() -> None:
    found = _judged("Super Orrin Boy, clock: 4.29 MHz", CONSOLES.format(clock="Depends on revision"))
    assert found.outcome is Outcome.GONE


def test_a_cell_of_ours_with_another_value_drifts() -> None:
    found = _judged("Super Orrin Boy, clock: 4.29 MHz", CONSOLES.format(clock="4.30 MHz"))
    assert (found.outcome, found.found) == (Outcome.DRIFTED, "4.30 MHz")


WEBINARS = """<h1>Ackerby online programs</h1><h2>Live webinars</h2>
<p>Slides are due {due}.</p><ul><li>Day of webinar - 15 minute soundcheck</li></ul>"""
SLIDES = "slides for a live Ackerby webinar, how long ahead they are due: 1 week"


def test_a_value_far_from_ours_beside_nothing_of_the_attribute_is_no_drift() -> None:
    found = _judged(SLIDES, WEBINARS.format(due="with the submission of the webinar"))
    assert found.outcome is Outcome.GONE


def test_a_value_near_ours_beside_the_attribute_is_a_drift() -> None:
    found = _judged(SLIDES, WEBINARS.format(due="two weeks before the webinar"))
    assert (found.outcome, found.found) == (Outcome.DRIFTED, "two weeks")


LIFECYCLE = """<h1>Project lifecycle</h1><p>The council defines 4 stages of the project lifecycle.</p>
<h2>Sandbox</h2><p>The sandbox has its own repository. Sandbox projects apply there.</p>
<h2>Voting</h2><p>The council votes on each application within a month.</p>"""


def test_a_short_number_of_something_else_is_ours_by_chance() -> None:
    found = _judged("Ackerby sandbox, number of goals: four", LIFECYCLE)
    assert found.outcome is not Outcome.HOLDS


def test_a_short_number_where_the_subject_is_said_holds() -> None:
    html = LIFECYCLE.replace("Sandbox projects", "The sandbox has four goals. Sandbox projects")
    assert _judged("Ackerby sandbox, number of goals: four", html).outcome is Outcome.HOLDS


MODULES = """<h1>Orrin modules</h1><h2>Orrin</h2>
<p>All Orrin modules have a clock of 80 MHz. Only the first {memory} of PSRAM are usable.</p>
<p>Modules differ in flash, antenna and temperature.</p>"""


def test_a_subject_that_the_page_has_nowhere_states_nothing_however_well_the_rest_is_said() -> None:
    for memory in ("4 MB", "8 MB"):
        found = _judged("Orrin-WROVEX modules, PSRAM: 8 MB", MODULES.format(memory=memory))
        assert found.outcome is Outcome.GONE


QUOTAS = """<h1>Filesystems</h1><h2>Quotas</h2>
<p>Each project has a storage quota, which the service desk raises.</p>
<p>An unused quota {cut}.</p>
<h2>Scratch</h2><p>For larger files that are needed for short (minutes) to moderate (90 days) periods of storage,
after which they may be cut.</p><h2>Home</h2><p>For small files.</p>""" + "".join(
    f"<h2>{name}</h2><p>{name} of Orrin has pages of its own, with hints for those who are new.</p>"
    for name in ("Software", "Accounts", "Training", "Support", "Queues", "Terms")
)
UNUSED = "unused storage quota, period after which it may be cut: 6 months"


def test_text_without_the_telling_word_under_another_heading_states_no_value_of_ours() -> None:
    assert _judged(UNUSED, QUOTAS.replace("{cut}", "helps nobody")).outcome is Outcome.GONE


def test_text_with_the_telling_word_states_ours() -> None:
    found = _judged(UNUSED, QUOTAS.replace("{cut}", "may be cut after 9 months"))
    assert (found.outcome, found.found) == (Outcome.DRIFTED, "9 months")


def test_a_number_under_a_column_that_counts_minutes_is_so_many_minutes() -> None:
    html = """<h1>Hosting</h1><table><tr><th>Provider</th><th>Traffic</th><th>Build minutes</th></tr>
    <tr><td>Orrin</td><td>100 GB</td><td>6000</td></tr><tr><td>Ackerby</td><td>30 GB</td><td>300</td></tr></table>"""
    assert _judged("Orrin hobby plan, build minutes: 6,000", html).outcome is Outcome.HOLDS
