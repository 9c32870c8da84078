"""Values at a place of the page that does not speak of the claim, where no earlier page is known."""

from __future__ import annotations

import pytest

from kb.claims import Claim, claim_from_case
from kb.judging import judge
from kb.judging.verdict import Verdict
from kb.page import Page, read_page
from kb.reasons import Outcome, Reason


def _page(html: str) -> Page:
    page = read_page(html)
    assert isinstance(page, Page)
    return page


def _judged(claim: str, html: str) -> Verdict:
    return judge(Claim.parse(claim), _page(html))


LEAVE = """<h1>Benefits at Ackerby</h1>
<h2>Parental leave</h2><p>Parents take paid leave, and may add unpaid leave as they need.</p>
<h2>Profit sharing</h2><p>You join the scheme after two years of working at Ackerby.</p>
<h2>Health</h2><p>We pay for a health plan of your choice.</p>
<h2>Equipment</h2><p>You get a desk, a chair and a screen.</p>"""


def test_a_value_with_neither_the_subjects_telling_word_nor_the_attributes_is_no_drift() -> None:
    found = _judged("Ackerby parental leave, unpaid weeks one may add: 8 weeks", LEAVE)
    assert found.outcome is Outcome.GONE
    assert found.reason is Reason.NEVER_FOUND
    assert found.score < 0.7  # as the page may call it otherwise


def test_a_new_value_with_both_telling_words_beside_it_is_a_drift() -> None:
    html = LEAVE.replace("as they need", "for 12 weeks")
    found = _judged("Ackerby parental leave, unpaid weeks one may add: 8 weeks", html)
    assert (found.outcome, found.found) == (Outcome.DRIFTED, "12 weeks")


MANAGERS = """<h1>Orrin configuration</h1>
<h2>ruler</h2><dl><dt>poll_interval</dt><dd>Default: 1m</dd><dt>retries</dt><dd>Default: 10</dd></dl>
<h2>limits</h2><dl>
<dt>series</dt><dd>Default: 5000</dd><dt>labels</dt><dd>Default: 30</dd><dt>names</dt><dd>Default: 128</dd>
<dt>samples</dt><dd>Default: 900</dd><dt>rules</dt><dd>Default: 20</dd><dt>groups</dt><dd>Default: 70</dd></dl>
<h2>compactor</h2><p>The table manager is gone; the compactor does its work.</p>"""


def test_a_value_whose_place_says_next_to_nothing_of_the_subject_answers_nothing() -> None:
    found = _judged("table manager, default poll interval: 2 minutes", MANAGERS)
    assert found.outcome is Outcome.GONE


def test_our_own_number_at_such_a_place_does_not_hold() -> None:
    found = _judged("table manager, default retries: 10", MANAGERS)
    assert found.outcome is not Outcome.HOLDS


CORES = """<h1>Edda</h1><p>Edda is a supercomputer of the university of Holm.</p>
<h2>Main components</h2><table><tr><th></th><th>Edda</th></tr>
<tr><th>Number of cores</th><td>16064</td></tr><tr><th>Number of racks</th><td>{}</td></tr></table>"""


def test_a_column_called_by_the_subject_alone_speaks_of_it() -> None:
    found = _judged("Edda supercomputer, number of cores: 9,824", CORES.format(12))
    assert (found.outcome, found.found) == (Outcome.DRIFTED, "16064")


def test_a_subject_in_words_that_the_page_has_nowhere_may_be_called_otherwise() -> None:
    html = "<h1>Plans</h1><table><tr><th>Backups kept</th><td>30 days</td></tr></table>"
    found = _judged("Wexcombe hosting, backups kept: 30 days", html)
    assert found.outcome is Outcome.HOLDS


def test_our_number_with_all_of_the_attribute_but_not_the_subject_is_left_to_a_person() -> None:
    found = _judged("table manager, default retries: 10", MANAGERS)
    assert (found.outcome, found.found) == (Outcome.UNCLEAR, "10")


ELSEWHERE = """<h1>Voices</h1><p>Voices writes down what is said in a recording, in many languages.</p>
<h2>Set-up</h2><p>Install it with pip, and take the model that fits your card.</p>
<h2>Use in a program</h2><p>{}</p>
<h2>Licence</h2><p>The code and the weights are free to use.</p>"""


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        (
            "Orrin leader lock, default TTL in seconds: 30",
            "The method goes through it in a 30-second window.",
        ),
        (
            "Orrin shard iterator, time after which an unused one expires: 5 minutes",
            "At any time you see how much of the last 5 minutes is written down.",
        ),
        ("Orrin debug queue, jobs a user may have submitted: 4", "A user may have it cut in 4 parts."),
    ],
)
def test_our_number_on_a_page_about_something_else_never_holds(claim: str, sentence: str) -> None:
    assert _judged(claim, ELSEWHERE.format(sentence)).outcome is not Outcome.HOLDS


def test_what_the_attribute_says_beside_it_still_holds_though_the_subject_is_our_own_word() -> None:
    html = "<h1>Plans</h1><table><tr><th>Backups kept</th><td>30 days</td></tr></table>"
    assert _judged("Wexcombe hosting, backups kept: 30 days", html).outcome is Outcome.HOLDS


BRIDGE = """<h1>Wren broker</h1><p>Wren is a broker for messages.</p>
<h2>Listeners</h2><p>Each listener of the broker has a port, and the bridge has none.</p>
<h2>Bridges</h2><p>A bridge ties two brokers, and one bridge may follow another.</p>
<h2>Timing</h2><p>The ping is sent when nothing else is. The smallest value allowed is {}.</p>
<h2>Logs</h2><p>The bridge writes to the log of its broker.</p>"""


def test_our_value_where_the_page_says_most_of_the_claim_holds_though_the_subject_is_far() -> None:
    claim = "Wren bridge keepalive, smallest value allowed: {}"
    assert _judged(claim.format("5 seconds"), BRIDGE.format("5 seconds")).outcome is Outcome.HOLDS


def test_a_slot_whose_labels_say_nothing_of_the_attribute_is_no_text_answer() -> None:
    table = """<h1>Ackerby storage</h1><table><tr><th></th><th>Expandable</th><th>Kind</th></tr>
    <tr><td>Fast area</td><td>Yes, later</td><td>disk</td></tr>
    <tr><td>Slow area</td><td>No</td><td>tape</td></tr></table>"""
    claim = claim_from_case(
        {"subject": "fast area", "attribute": "current availability", "text": "not to be had"}
    )
    assert judge(claim, _page(table)).outcome is Outcome.GONE
    claim = claim_from_case({"subject": "fast area", "attribute": "kind", "text": "memory"})
    assert judge(claim, _page(table)).found == "disk"
