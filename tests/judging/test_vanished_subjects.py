"""A neighbour's value is no change of ours where the page no longer says what the claim is about."""

from __future__ import annotations

import kb
from kb.judging import thresholds

BEFORE = """<h1>Poold plans</h1><table><tr><th></th><th>Hobby</th><th>Scaler</th></tr>
<tr><td>Storage</td><td>5 GB</td><td>10 GB</td></tr></table>"""
NOW = """<h1>Poold plans</h1><table><tr><th></th><th>Scaler</th><th>Business</th></tr>
<tr><td>Storage</td><td>12 GB</td><td>40 GB</td></tr></table>"""


def page(text: str) -> kb.Page:
    return kb.read_page(text.encode(), content_type="text/html")


def test_a_plan_that_is_nowhere_is_gone_and_its_neighbour_no_drift() -> None:
    claim = kb.Claim.parse("Poold Hobby plan, storage: 5 GB")
    verdict = kb.judge(claim, page(NOW), page(BEFORE))
    assert (str(verdict.outcome), str(verdict.reason)) == ("gone", "removed")
    assert "Hobby nowhere" in verdict.detail


def test_without_an_earlier_page_a_name_that_is_nowhere_is_enough() -> None:
    verdict = kb.judge(kb.Claim.parse("Poold Hobby plan, storage: 5 GB"), page(NOW))
    assert str(verdict.outcome) == "gone"


def test_a_word_of_our_own_makes_nothing_gone() -> None:
    claim = kb.Claim.parse("Poold Scaler tier, storage: 10 GB")
    verdict = kb.judge(claim, page(NOW), page(BEFORE))
    assert (str(verdict.outcome), verdict.found) == ("drifted", "12 GB")


def test_a_name_with_a_hyphen_is_there_without_it() -> None:
    before, now = (
        f"<h1>Disks</h1><table><tr><th>Disk<th>Size</tr><tr><td>{name}<td>{size} TB</tr>"
        "<tr><td>SATA<td>9 TB</tr></table>"
        for name, size in (("PCI-E", 2), ("PCIe", 4))
    )
    verdict = kb.judge(kb.Claim.parse("Loom PCI-E disk, size: 2 TB"), page(now), page(before))
    assert "nowhere" not in verdict.detail


def test_the_very_sentence_with_another_value_is_a_drift_though_a_word_is_spelled_otherwise() -> None:
    before = (
        "<h1>Billing</h1><p>Your card is asked first whether it can pay, and banks may show the preauthorization "
        "for up to {} in a list of open payments, and nobody has collected any money until then.</p>"
    )
    now = before.replace("preauthorization", "pre-auth")
    claim = kb.Claim.parse("Card preauthorization, how long a bank shows it: 7 days")
    verdict = kb.judge(claim, page(now.format("12 days")), page(before.format("7 days")))
    assert (str(verdict.outcome), verdict.found) == ("drifted", "up to 12 days")


def test_the_sign_of_the_place_is_where_the_weights_have_it() -> None:
    assert list(thresholds.WEIGHTS_PLACED)[thresholds.PLACED_SIGN] == "placed"
    assert list(thresholds.WEIGHTS_PLACED)[thresholds.ATTRIBUTE_SIGN] == "attribute"


def test_our_own_value_whose_place_names_half_of_the_subject_needs_no_name_that_is_nowhere() -> None:
    html = (
        "<h1>Manual</h1><p>Orrin attention is quick.</p><h2>Boards</h2>"
        "<p>Orrin attention takes every head dimension up to 128.</p><h2>Rest</h2><p>Ask on the list.</p>"
    )
    claim = kb.Claim.parse("Orrin attention on QVIDIA boards, largest head dimension: 128")
    assert str(kb.judge(claim, page(html)).outcome) == "holds"
