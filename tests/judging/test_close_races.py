"""Close races: what is named and placed at least as well as any other value answers, and nothing else."""

from __future__ import annotations

import kb


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
