"""What became of the block that stated a claim: its counterpart, a row that is lost, a value left alone."""

from __future__ import annotations

import kb
from kb.claims.case import claim_from_case
from kb.judging import explained
from kb.judging.counterpart import counterpart, row_lost, stays
from kb.judging.judgement import race
from kb.judging.reading import PageReading, reading_of


def read(html: str) -> PageReading:
    return reading_of(kb.read_page(html))


def at(reading: PageReading, text: str) -> int:
    (index,) = [i for i, block in enumerate(reading.blocks) if block.text == text]
    return index


PLANS = "<h1>Plans</h1><table><tr><th>Plan<th>Storage<th>Seats</tr>{}</table>"


def plans(*rows: tuple[str, str, str]) -> PageReading:
    return read(PLANS.format("".join(f"<tr><td>{'<td>'.join(row)}</tr>" for row in rows)))


def test_a_cell_is_followed_to_its_row_and_column_wherever_they_stand() -> None:
    before = plans(("Solo", "5 GB", "1"), ("Team", "20 GB", "8"))
    now = plans(("Firm", "90 GB", "40"), ("Team", "25 GB", "9"), ("Solo", "6 GB", "2"))
    found = counterpart(before, at(before, "20 GB"), now)
    assert found is not None
    assert now.blocks[found].text == "25 GB"


def test_a_sentence_is_followed_whatever_number_it_has() -> None:
    before = read("<h2>Jobs</h2><p>A job may run for 50 minutes.</p><p>Owners are told of failures.</p>")
    now = read("<p>New here</p><h2>Jobs</h2><p>Owners are told.</p><p>Each job may run for 70 minutes.</p>")
    found = counterpart(before, at(before, "A job may run for 50 minutes."), now)
    assert found is not None
    assert now.blocks[found].text == "Each job may run for 70 minutes."


def test_what_stood_there_before_is_its_own_counterpart_and_no_others() -> None:
    before = read("<p>A job may run for 50 minutes.</p><p>A task may run for 50 minutes.</p>")
    now = read("<p>A task may run for 50 minutes.</p>")
    assert counterpart(before, 0, now) is None
    assert counterpart(before, 1, now) == 0


def test_a_row_is_lost_where_its_siblings_are_still_there() -> None:
    before = plans(("Solo", "5 GB", "1"), ("Team", "20 GB", "8"), ("Firm", "90 GB", "40"))
    now = plans(("Team", "20 GB", "8"), ("Firm", "90 GB", "40"))
    assert row_lost(before, at(before, "5 GB"), now) == 1.0
    assert row_lost(before, at(before, "20 GB"), now) == 0.0


def test_a_row_that_became_a_heading_is_not_lost() -> None:
    before = plans(("Solo", "5 GB", "1"), ("Team", "20 GB", "8"))
    now = read("<h1>Plans</h1><h2>Solo</h2><p>5 GB</p><h2>Team</h2><p>20 GB</p>")
    assert row_lost(before, at(before, "5 GB"), now) == 0.0


def test_no_row_is_lost_on_a_page_that_is_all_another() -> None:
    before = plans(("Solo", "5 GB", "1"), ("Team", "20 GB", "8"))
    assert row_lost(before, at(before, "5 GB"), read("<h1>We have moved</h1>")) == 0.0


def judged(claim: str, now: str, before: str) -> tuple[str, object]:
    verdict = kb.judge(kb.Claim.parse(claim), kb.read_page(now), kb.read_page(before))
    return str(verdict.outcome), verdict.found


MANUAL = "<h1>Loomd manual</h1><p>Age of evidence and proof of the loom, in part {}.</p>"


def test_the_sentence_that_had_our_value_speaks_though_others_say_more_of_the_claims_words() -> None:
    before = MANUAL.format("one") + "<p>Data may be used that is no more than 90 days old.</p>"
    said = "".join(f"<p>Proof data {n}, and what its greatest age is: see {n} others.</p>" for n in range(60))
    now = MANUAL.format("one") + said + "<p>Data may be used that is no more than 80 days old.</p>"
    assert judged("Proof data, greatest age: 90 days", now, before) == ("drifted", "no more than 80 days")


def constants(*rows: tuple[str, str]) -> str:
    told = "".join(f"<tr><td>{name}<td>{value}</tr>" for name, value in rows)
    return f"<h1>Loom</h1><table><tr><th>Name<th>Value</tr>{told}</table>"


def test_a_column_that_our_words_never_named_speaks_against_nothing() -> None:
    before = "<h2>Misc</h2>" + constants(("MIN_START_TIME", "Jan 3, 2020"), ("WIDTH", "4"))
    now = "<h2>Start</h2>" + constants(("MIN_START_TIME", "Number(1606824000) (Dec 1, 2020, noon)"))
    claim = claim_from_case({"subject": "Loom", "attribute": "minimum start time", "date": "Jan 3, 2020"})
    first, *_ = explained(claim, kb.read_page(now), kb.read_page(before))
    assert first.found == "Dec 1, 2020"
    assert "other column" not in dict(first.signs)
    elsewhere, *_ = explained(claim, kb.read_page(now.replace("Value", "Note")), kb.read_page(before))
    assert "other column" in dict(elsewhere.signs)


def test_our_value_is_found_on_the_earlier_page_though_its_place_says_little_of_the_claim() -> None:
    said = "".join(
        f"<p>Quorum of connections {n}: elections open at {n + 200} with them.</p>" for n in range(60)
    )
    one = "<h2>Spool</h2><p>Sets how long it may take.</p><p>It is {} seconds.</p>"
    before, now = (f"<h1>Loomd</h1>{said}{one.format(n)}" for n in (5, 6))
    claim = "Loomd quorum, time for elections to open: 5 seconds"
    assert judged(claim, now, before) == ("drifted", "6 seconds")
    assert judged(claim, before, before) == ("holds", "5 seconds")


QUEUES = "<h1>Loomd queues</h1><p>The queue of a loom holds at most {} messages.</p>{}"
OTHER_QUEUES = "".join(
    f"<p>The queue of loom {n} holds at most {n + 900} messages.</p>" for n in range(2, 30)
)


def test_a_place_that_stays_as_it_was_is_the_only_one_looked_at() -> None:
    before, now = QUEUES.format(400, ""), QUEUES.format(400, OTHER_QUEUES)
    claim = kb.Claim.parse("Loomd queue of a loom, most messages: 400")
    found = explained(claim, kb.read_page(now), kb.read_page(before))
    assert [c.found for c in found] == ["at most 400 messages"]
    assert judged("Loomd queue of a loom, most messages: 400", now, before) == (
        "holds",
        "at most 400 messages",
    )


def test_a_number_that_is_another_in_the_place_that_stays_is_the_drift() -> None:
    before, now = QUEUES.format(400, ""), QUEUES.format(450, OTHER_QUEUES)
    said = judged("Loomd queue of a loom, most messages: 400", now, before)
    assert said == ("drifted", "at most 450 messages")


def test_a_place_stays_only_if_none_else_can_be_it() -> None:
    before = plans(("Solo", "5 GB", "1"), ("Team", "20 GB", "8"))
    at_solo = at(before, "5 GB")
    once = plans(("Solo", "6 GB", "1"), ("Team", "20 GB", "8"))
    assert stays(before, at_solo, once, at(once, "6 GB"))
    twice = plans(("Solo", "6 GB", "1"), ("Solo", "7 GB", "2"))
    assert not stays(before, at_solo, twice, at(twice, "6 GB"))
    assert not stays(twice, at(twice, "6 GB"), before, at_solo)
    elsewhere = read("<h1>Old plans</h1><table><tr><th>Plan<th>Storage</tr><tr><td>Solo<td>5 GB</tr></table>")
    assert not stays(before, at_solo, elsewhere, at(elsewhere, "5 GB"))


def test_an_earlier_place_that_hardly_names_the_claim_is_not_relied_on() -> None:
    before = "<h1>Loomd</h1><p>It is 400.</p>"
    now = before + "<p>The queue of a loom holds at most 450 messages.</p>"
    found = explained(
        kb.Claim.parse("Queue of a loom, most messages: 400"), kb.read_page(now), kb.read_page(before)
    )
    assert "at most 450 messages" in [c.found for c in found]


def test_two_places_that_name_the_claim_alike_are_not_relied_on() -> None:
    """Which of them it meant is told by the whole page."""
    before = "<h1>Loomd</h1><h2>A</h2><p>The queue holds 400 messages.</p><h2>B</h2><p>The queue holds 400 messages.</p>"
    now = before.replace("400", "450", 1)
    found = explained(kb.Claim.parse("Loomd queue, messages: 400"), kb.read_page(now), kb.read_page(before))
    assert {c.found for c in found} == {"400 messages", "450 messages"}


def test_the_other_values_of_a_place_that_stays_are_known_for_what_they_were() -> None:
    page = read(
        "<h1>Loomd queue</h1><p>Its length is 512 messages, which is 64 messages a loom.</p><p>It rests 9 hours.</p>"
    )
    _, anchor = race(kb.Claim.parse("Loomd queue, length: 512 messages"), page, page)
    assert anchor is not None and anchor.stays
    assert [place.before for place in anchor.rivals] == ["its length is # messages, which is"]
