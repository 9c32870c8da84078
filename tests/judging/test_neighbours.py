"""What another row, column or place states is no value of ours, however near it stands."""

from __future__ import annotations

import kb
from kb.claims import claim_from_case


def page(text: str) -> kb.Page:
    return kb.read_page(text.encode(), content_type="text/html")


def table(*rows: str) -> str:
    cells = "".join(f"<tr>{''.join(f'<td>{cell}' for cell in row.split('|'))}</tr>" for row in rows[1:])
    return f"<h1>Flavors</h1><table><tr>{''.join(f'<th>{c}' for c in rows[0].split('|'))}</tr>{cells}</table>"


def judged(claim: str, now: str, before: str | None = None) -> kb.Verdict:
    base = page(before) if before is not None else None
    return kb.judge(kb.Claim.parse(claim), page(now), base)


def test_a_cell_that_stood_beside_ours_is_not_its_new_value() -> None:
    before = table(
        "Flavor|Cores|Memory per core (GiB)|Memory (GiB)", "loom.large|8|7.7|62", "loom.tiny|1|2|2"
    )
    now = table("Flavor|Cores|Memory (GiB)", "loom.large|8|62", "loom.tiny|1|2")
    assert str(judged("loom.large flavor, memory per core: 7.7 GiB", now, before).outcome) == "gone"


def test_a_sentence_that_says_what_it_said_is_no_change_of_another() -> None:
    before = (
        "<h1>Offers</h1><h2>Heron</h2><ul><li>200 USD credit</ul><h2>Wren</h2><ul><li>300 USD credit</ul>"
    )
    now = before.replace("<li>300 USD credit", "<li>Credit on request")
    assert str(judged("Wren offer, credit: 300 USD", now, before).outcome) == "gone"


def test_another_column_is_no_answer_where_ours_is_gone() -> None:
    before = table("Quantity|Limit|Long term goal", "Pods|3000|50000", "Nodes|200|5000")
    now = table("Quantity|Threshold", "Pods|4000", "Nodes|300")
    assert str(judged("Loom pods, long term goal: 50,000", now, before).outcome) == "gone"


def test_a_column_that_is_only_called_otherwise_still_answers() -> None:
    before = table("Quantity|Long term goal", "Pods|50000", "Nodes|5000")
    now = table("Quantity|Goal for the long term", "Pods|60000", "Nodes|5000")
    verdict = judged("Loom pods, long term goal: 50,000", now, before)
    assert (str(verdict.outcome), verdict.found) == ("drifted", "60000")


def test_a_row_with_our_word_goes_before_its_sibling_with_our_value() -> None:
    now = table("Limit|Value", "Per-query SELECT timeout|900 seconds", "Per-query DML timeout|30 seconds")
    verdict = judged("one SELECT query on Loom, timeout: 30 seconds", now)
    assert (str(verdict.outcome), verdict.found) == ("drifted", "900 seconds")


def test_a_row_with_more_of_our_words_is_no_sibling_of_it() -> None:
    now = table("Limit|Value", "Query timeout|30 seconds", "Query size|9 MB")
    assert str(judged("one query on Loom, timeout: 30 seconds", now).outcome) == "holds"


def test_a_bare_figure_counts_the_period_that_its_attribute_begins_with() -> None:
    now = "<h1>Leave</h1><h2>Maternity leave</h2><ul><li>12 weeks at 100% pay<li>6 weeks at 90% pay</ul>"
    claim = {"subject": "Loom maternity leave", "attribute": "weeks at full pay", "figure": "twelve"}
    verdict = kb.judge(claim_from_case(claim), page(now))
    assert (str(verdict.outcome), verdict.found) == ("holds", "12 weeks")


def test_the_period_that_an_attribute_begins_with_is_counted_whatever_follows_it() -> None:
    now = "<h1>Marks</h1><p>A mark of Heron expires 365 days after it was given, and no more than 12 are given.</p>"
    claim = {"subject": "Heron mark", "attribute": "days until it expires", "figure": "365"}
    verdict = kb.judge(claim_from_case(claim), page(now))
    assert (str(verdict.outcome), verdict.found) == ("holds", "365 days")


def test_a_bare_figure_whose_attribute_is_its_unit_may_be_a_bare_number_on_the_page() -> None:
    now = table("Plan|Build Minutes", "Loom Starter|300", "Loom Pro|3000")
    claim = {"subject": "Loom Starter plan", "attribute": "build minutes", "figure": "300"}
    assert str(kb.judge(claim_from_case(claim), page(now)).outcome) == "holds"


def test_so_many_times_may_be_a_multiple() -> None:
    now = "<h1>Heron</h1><p>Heron saves 10X memory at length 2K, and 20X at length 4K.</p>"
    assert str(judged("Heron at length 4K, memory saving: 20 times", now).outcome) == "holds"


def test_a_number_with_an_exponent_has_the_unit_of_its_entry() -> None:
    now = (
        "<h1>Client</h1><ul><li><b>idleTimeout</b> (optional) - How long a socket is kept, in milliseconds. "
        "Default: 600e3.<li><b>headTimeout</b> (optional) - In milliseconds. Default: 4e3.</ul>"
    )
    assert str(judged("Loom Client idleTimeout option, default: 10 minutes", now).outcome) == "holds"


def test_a_period_that_the_claim_states_apart_is_no_other_unit() -> None:
    now = "<h1>Fair use</h1><p>A node has an uplink airtime of 30 seconds per day (24 hours).</p>"
    assert str(judged("Loom node, uplink airtime: 30 seconds per day", now).outcome) == "holds"
    other = now.replace("30 seconds", "45 seconds")
    assert str(judged("Loom node, uplink airtime: 30 seconds per day", other).outcome) == "drifted"


def test_a_value_in_a_bracket_is_told_with_the_value_that_it_explains() -> None:
    now = "<h1>Roots</h1><p>The validity of a Heron root certificate is 3650 days (= 10 years).</p>"
    verdict = judged("Heron root certificate, validity: 25 years", now)
    assert (str(verdict.outcome), verdict.found) == ("drifted", "3650 days (= 10 years)")


def test_a_value_in_a_call_is_told_with_its_gloss() -> None:
    now = table("Name|Value", "WREN_DISTANCE|Uint64(2**11) (= 2,048)", "HERON_DEPTH|Uint64(2**5) (= 32)")
    verdict = judged("WREN_DISTANCE, value: 1024", now)
    assert (str(verdict.outcome), "2,048" in str(verdict.found)) == ("drifted", True)


SECTIONS = "<h1>Partitions</h1>" + "<p>What may run, and where." * 4 + "<h2>{}</h2>{}<h2>{}</h2>{}"


def partition(memory: str) -> str:
    return table("Partition|Max memory|Nodes", f"interactive|{memory}|4", "large|900 GiB|90")[16:]


def test_another_section_is_no_answer_where_the_page_still_has_ours() -> None:
    before = SECTIONS.format("Wren partitions", partition("76 GiB"), "Heron partitions", "<p>Soon.")
    now = SECTIONS.format(
        "Wren partitions", "<p>None is interactive.", "Heron partitions", partition("60 GiB")
    )
    assert str(judged("Wren interactive partition, max memory: 76 GiB", now, before).outcome) == "gone"


def test_a_section_that_is_called_otherwise_still_answers() -> None:
    before = SECTIONS.format("Wren partitions", partition("76 GiB"), "Heron partitions", "<p>Soon.")
    now = SECTIONS.format("Small partitions", partition("60 GiB"), "Heron partitions", "<p>Soon.")
    verdict = judged("Wren interactive partition, max memory: 76 GiB", now, before)
    assert (str(verdict.outcome), verdict.found) == ("drifted", "60 GiB")


def test_a_bracket_behind_another_value_of_our_cell_is_no_answer() -> None:
    before = table("Partition|Max jobs|Nodes", "debug|1 (1 running)|4", "small|220 (200 running)|90")
    now = table("Partition|Max jobs|Nodes", "debug|2 (1 running)|4", "small|220 (200 running)|90")
    verdict = judged("debug partition, max jobs: 1", now, before)
    assert str(verdict.outcome) == "drifted"
    assert (verdict.found or "").startswith("2")


def test_a_bracket_that_ours_stood_in_answers() -> None:
    before = table("Partition|Max jobs|Nodes", "debug|2 (1 running)|4", "small|220 (200 running)|90")
    now = table("Partition|Max jobs|Nodes", "debug|3 (1 running)|4", "small|220 (200 running)|90")
    assert str(judged("debug partition, running jobs: 1", now, before).outcome) == "holds"


def test_a_row_that_begins_with_its_value_is_named_by_its_other_cells() -> None:
    now = table("Distance (km)|Pilot|Power", "100.0|Heron|1 W", "43.7|Wren|100 mW", "35.0|Finch|50 mW")
    verdict = judged("Wren's flight at 100 mW, distance: 43.7 km", now)
    assert (str(verdict.outcome), verdict.found) == ("holds", "43.7")
    verdict = judged("Finch's flight at 50 mW, distance: 31 km", now)
    assert (str(verdict.outcome), verdict.found) == ("drifted", "35.0")


def test_m_is_a_minute_where_a_time_is_asked_for() -> None:
    now = '<h1>Options</h1><h2>Relay.Limit</h2><p>Longest time of a relayed connection.</p><p>Default: "2m"'
    assert str(judged("relayed connection, longest time: 2 minutes", now).outcome) == "holds"
