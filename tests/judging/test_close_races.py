"""Close races: what is named and placed at least as well as any other value answers, and nothing else."""

from __future__ import annotations

import kb
from kb.judging import thresholds as t
from kb.judging.candidate import Candidate
from kb.judging.fit import Answer, Fit
from kb.judging.mention import Mention
from kb.judging.unrivalled import in_our_place
from kb.quantity import quantities


def judged(claim: str, now: str, before: str | None = None) -> tuple[str, object]:
    def page(text: str) -> kb.Page:
        return kb.read_page(text.encode(), content_type="text/html")

    verdict = kb.judge(kb.Claim.parse(claim), page(now), page(before) if before is not None else None)
    return str(verdict.outcome), verdict.found


SYSTEMS = (
    "<h1>Supported systems</h1><table><tr><th>System<th>Versions</tr><tr><td>Gander Linux<td>{gander}</tr>"
    "<tr><td>Heron<td>{heron}</tr></table><p>All {all} are tested every night by the team.</p>"
)


def test_our_number_in_a_list_of_its_own_slot_holds_on_a_rewritten_page() -> None:
    before = SYSTEMS.format(gander="8+", heron="22+", all="hosts")
    now = SYSTEMS.format(gander="10, 9, 8", heron="22, 24", all="of these")
    claim = "Gander Linux, oldest supported version: 8"
    assert judged(claim, now, before) == ("holds", "8")


LIMITS = (
    "<h1>Loom thresholds</h1><table><tr><th>Quantity<th>scope=namespace<th>scope=cluster</tr>"
    "<tr><td>#Services<td>5000<td>10000</tr><tr><td>{row}<td>250<td></tr>"
    "<tr><td>#Pods<td>3000<td>150000</tr></table>"
)


def test_a_row_that_names_the_attribute_too_leads_before_our_number_in_one_that_does_not() -> None:
    claim = "a Loom service, backends (endpoints): 5000"
    assert judged(claim, LIMITS.format(row="#Endpoints per service")) == ("drifted", "250")
    assert judged(claim, LIMITS.format(row="#Secrets"))[0] != "drifted"


def test_a_short_number_where_hardly_any_word_of_the_subject_is_said_stays_unclear() -> None:
    page = (
        "<h1>Certificates</h1><table><tr><th>Lifetime<th>Number of stamps from distinct Logs</tr>"
        "<tr><td>under 15 months<td>2</tr><tr><td>15 to 27 months<td>3</tr><tr><td>more<td>4</tr></table>"
    )
    assert judged("transparency Logs run by Gander, number: three", page)[0] != "holds"


MODELS = (
    "<h1>Gander</h1><h3>CPU Only</h3><p>This runs on the CPU only and does not require GPU. It requires around"
    " {0} of CPU memory for Heron-{1} and around {2} of CPU memory for Heron-{3}.</p>"
)


def test_two_values_that_change_places_in_a_sentence_each_keep_their_own_name() -> None:
    before = MODELS.format("60GB", "13B", "30GB", "7B")
    now = MODELS.format("30GB", "7B", "60GB", "13B")
    assert judged("Heron-7B on CPU only, CPU memory needed: 30GB", now, before) == ("holds", "around 30GB")
    changed = MODELS.format("40GB", "7B", "60GB", "13B")
    assert judged("Heron-7B on CPU only, CPU memory needed: 30GB", changed, before)[0] != "holds"


def candidate(text: str, answer: Answer, **signs: float) -> Candidate:
    given = {name.replace("_", " "): value for name, value in signs.items()}
    row = tuple(given.get(name, 0.0) for name in t.WEIGHTS_PLACED)
    mention = Mention(0, 0, len(text), text, quantities(text, bare=True)[0])
    return Candidate(mention, Fit(answer, 1.0), 1.0, row, total=4.0)


OURS = {"subject": 0.9, "attribute": 0.8, "placed": 0.9, "text_alike": 0.9}


def test_a_value_that_is_in_nothing_behind_our_number_may_have_taken_its_place() -> None:
    ours = candidate("100", Answer.VERBATIM, **OURS, counterpart=-1)
    there = candidate("200", Answer.OTHER, **OURS, counterpart=1)
    assert in_our_place([ours, there], there) is there


def test_a_value_that_is_behind_our_number_in_something_or_as_good_has_not() -> None:
    ours = candidate("100", Answer.VERBATIM, **OURS)
    for changed in ({"placed": 0.8, "counterpart": 1}, {"attribute": 0.7, "counterpart": 1}, {}):
        other = candidate("200", Answer.OTHER, **(OURS | changed))
        assert in_our_place([ours, other], other) is None
