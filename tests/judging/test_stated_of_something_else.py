"""Our value on the page, beside what shows that it is stated of something else."""

from __future__ import annotations

import kb
from kb.claims import claim_from_case


def page(text: str) -> kb.Page:
    return kb.read_page(text.encode(), content_type="text/html")


def judged(claim: dict[str, str], now: str, before: str | None = None) -> tuple[str, object]:
    base = page(before) if before is not None else None
    verdict = kb.judge(claim_from_case(claim), page(now), base)
    return str(verdict.outcome), verdict.found


QUEUES = "<h1>Loom queues</h1><table><tr><th>Queue<th>Max jobs<tr><td>debug<td>{}<tr><td>wide<td>20</table>"


def test_our_value_in_a_bracket_behind_another_of_its_cell_is_an_aside() -> None:
    claim = {"subject": "Loom debug queue", "attribute": "jobs a user may have", "figure": "1"}
    assert judged(claim, QUEUES.format("2 (1 waiting)"))[0] == "drifted"
    assert judged(claim, QUEUES.format("1 (1 waiting)"))[0] == "holds"


def test_a_bracket_that_says_what_we_ask_for_is_no_aside() -> None:
    claim = {"subject": "Loom debug queue", "attribute": "waiting jobs", "figure": "1"}
    assert judged(claim, QUEUES.format("2 (1 waiting)"))[0] == "holds"


def test_a_count_of_another_noun_beside_the_one_asked_for_is_not_ours() -> None:
    before = "<h1>Loom nodes</h1><p>Each node of Loom has 2 sockets, each with 2 CPUs and 3 GPUs.</p>"
    now = before.replace("2 CPUs", "1 CPU")
    claim = {"subject": "each socket of a Loom node", "attribute": "CPUs", "figure": "2"}
    assert judged(claim, before, before)[0] == "holds"
    assert judged(claim, now, before) == ("drifted", "1 CPU")


def test_the_range_that_our_value_ends_is_no_other_beside_it() -> None:
    now = "<h1>Loom certificate</h1><p>A Loom certificate has a sequence of 1 to 100 names.</p>"
    claim = {"subject": "Loom certificate", "attribute": "most names in it", "figure": "100"}
    assert judged(claim, now, now)[0] == "holds"


def test_a_row_that_the_claim_excepts_does_not_answer() -> None:
    before = "<h1>Laptops</h1><p>Laptops are replaced every 3 years, by the age of the laptop.</p>"
    now = (
        "<h1>Laptops</h1><p><b>Engineers and designers</b> - laptops are replaced every 3 years, by the age of the laptop.</p>"
        "<p><b>All other roles</b> - laptops are replaced every 4 years, by the age of the laptop.</p>"
    )
    claim = {"attribute": "replacement age", "figure": "3 years"}
    outside = {"subject": "laptops of Loom staff outside engineering and design", **claim}
    assert judged(outside, now, before) == ("drifted", "4 years")
    assert judged({"subject": "laptops of Loom engineers and designers", **claim}, now, before)[0] == "holds"


def test_our_number_of_another_thing_than_the_page_counted_is_another_value() -> None:
    before = "<h1>Loom AI</h1><p>The free allocation of Loom AI is 10,000 tokens/day.</p>"
    claim = {"subject": "Loom AI free allocation", "attribute": "daily amount", "figure": "10,000 tokens"}
    now = before.replace("tokens", "neurons")
    assert judged(claim, now, before) == ("drifted", "10,000 neurons/day")
    assert judged(claim, before, before)[0] == "holds"


def test_short_names_of_two_things_are_counted_apart() -> None:
    now = (
        "<h1>Loom</h1><ul><li>Compute (1 OCPU = 2 vCPUs)<ul>"
        "<li>Arm machines: 24 GB RAM, 3,000 OCPU hours per month</ul></ul>"
    )
    claim = {"subject": "Loom Arm machines", "attribute": "compute hours", "figure": "3,000 {} hours"}
    for noun, outcome in (("vCPU", "drifted"), ("OCPU", "holds")):
        assert judged({**claim, "figure": f"3,000 {noun} hours"}, now)[0] == outcome


def test_a_price_that_no_longer_says_for_whom_it_is_has_changed() -> None:
    rows = "<h1>Plans of Loom</h1><table><tr><th>Plan<th>Price<tr><td>Hobby<td>$5 / month<tr><td>Pro<td>{}</table>"
    before, now = rows.format("$20 / team member / month"), rows.format("$20 / month")
    claim = {"subject": "Loom Pro plan", "attribute": "monthly price", "figure": "$20", "per": "team member"}
    assert judged(claim, before, before)[0] == "holds"
    assert judged(claim, now, before) == ("drifted", "$20 / month")
    assert judged(claim, now)[0] == "holds"  # nobody knows whether it ever said so


def test_a_value_that_a_bracket_spells_anew_is_told_with_its_bracket() -> None:
    before = "<h1>Loom cache</h1><p>We set a default TTL of 5000s on cached objects of Loom.</p>"
    claim = {"subject": "Loom cached objects", "attribute": "default time to live", "figure": "5000 seconds"}
    now = before.replace("5000s", "300s (5 mins)")
    assert judged(claim, now, before) == ("drifted", "300s (5 mins)")


def test_an_option_may_begin_its_value_with_a_point() -> None:
    before = (
        "<h1>Loom cache</h1><p>Raise the cache by the start command:</p><pre>loom start --cache=.25</pre>"
    )
    claim = {"subject": "Loom start command", "attribute": "cache", "figure": ".25"}
    assert judged(claim, before, before)[0] == "holds"
    assert judged(claim, before.replace(".25", ".35"), before) == ("drifted", ".35")


def test_a_value_that_will_be_upgraded_to_is_only_planned() -> None:
    now = (
        "<h1>Loom chain</h1><p>The penalty quotient is 67,108,864.</p>"
        "<p>Note that the penalty quotient will be upgraded to 16,777,216 after the first phase.</p>"
    )
    claim = {"subject": "Loom chain", "attribute": "penalty quotient", "figure": "16,777,216"}
    assert judged(claim, now) == ("drifted", "67,108,864")
