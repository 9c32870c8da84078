"""Values that stand alike, each behind its own label: what the label says of the claim decides."""

from __future__ import annotations

import kb
from kb.claims import claim_from_case


def page(text: str, kind: str = "text/html") -> kb.Page:
    return kb.read_page(text.encode(), content_type=kind)


def judged(claim: dict[str, str], now: kb.Page, before: kb.Page | None = None) -> tuple[str, object]:
    verdict = kb.judge(claim_from_case(claim), now, before)
    return str(verdict.outcome), verdict.found


STEPS = (
    "<h1>Loom limits</h1><table><tr><th>Limit<th>Default</tr><tr><td>Time before a step ends<td>"
    "Approval step: 7 days Weaving and dyeing (blue) steps: {} Spinning step: 3 days</tr></table>"
)
WEAVING = {"subject": "weaving step of Loom", "attribute": "time before it ends", "figure": "7 days"}


def test_our_number_behind_another_label_of_the_same_cell_is_not_ours() -> None:
    assert judged(WEAVING, page(STEPS.format("5 days"))) == ("drifted", "5 days")


def test_our_number_behind_the_label_that_the_claim_names_holds() -> None:
    assert judged(WEAVING, page(STEPS.format("7 days")))[0] == "holds"


LINES = "<h1>Small rings</h1><p>Rings are packed up to these sizes:</p><pre>ring-most-nests {}\nring-most-eggs {}</pre>"


def test_of_two_lines_of_a_file_the_setting_that_the_claim_names_answers() -> None:
    claim = {"subject": "packed ring", "attribute": "most nests in the listed lines", "figure": "64"}
    assert judged(claim, page(LINES.format(512, 64))) == ("drifted", "512")
    assert judged(claim, page(LINES.format(64, 512)))[0] == "holds"


FILE = "# Loom\n\n## Flow and stream\n\n```yaml\nflow:\n  cap: {}\nstream:\n  cap: {}\n```\n"


def test_the_key_above_a_line_tells_it_from_a_like_line_under_another_key() -> None:
    claim = {"subject": "Loom stream", "attribute": "cap in bytes", "figure": "33554432"}
    before = page(FILE.format(16777216, 33554432), "text/markdown")
    now = page(FILE.format(33554432, 67108864), "text/markdown")
    assert judged(claim, now, before) == ("drifted", "67108864")
    assert judged(claim, before, before)[0] == "holds"


NOTES = (
    "<h1>Loom settings</h1><table><tr><th>Setting<th>Description<th>Default</tr>"
    "<tr><td>weaveVersion<td>Version of the weave that is written. Set it back to 4 for no padding.<td>{}</tr>"
    "<tr><td>spinSpeed<td>Speed of spinning.<td>9</tr></table>"
)


def test_the_column_that_the_claim_names_goes_before_what_another_says_of_the_row() -> None:
    claim = {"subject": "Loom weaveVersion", "attribute": "default version written", "figure": "4"}
    assert judged(claim, page(NOTES.format(6))) == ("drifted", "6")
    assert judged(claim, page(NOTES.format(4)))[0] == "holds"


NESTS = "<h1>Loom tables</h1><h2>Nests of a table</h2><p>You can define a maximum of 5 {} nests.</p>{}"
MORE = "<p>There is an initial quota of 20 global twig nests per table. To raise it, ask us.</p>"


def test_our_number_of_a_like_thing_is_not_ours_where_the_page_counts_the_very_one() -> None:
    claim = {
        "subject": "Loom table",
        "attribute": "maximum number of global twig nests",
        "figure": "5 global twig nests",
    }
    before = page(NESTS.format("global twig", ""))
    now = page(NESTS.format("local twig", MORE))
    assert judged(claim, now, before)[0] == "drifted"
    assert judged(claim, before, before)[0] == "holds"


WORK = "<h1>Loom</h1><p>Loom does {} file operations per second, or {} weave operations, in one thread.</p>"


def test_the_operations_that_the_claim_names_answer_and_no_others() -> None:
    claim = {"subject": "Loom", "attribute": "file operations per second", "figure": "7,000", "per": "second"}
    assert judged(claim, page(WORK.format("35,000", "7,000")))[0] == "drifted"
    assert judged(claim, page(WORK.format("7,000", "35,000")))[0] == "holds"


GIFTS = "<h1>Loom gifts</h1><p>The gift should not exceed:</p><ul><li>Year 1: {}</li><li>Year 2: {}</li><li>Year 3: {}</li></ul>"


def test_the_row_whose_number_the_claim_says_in_words_answers() -> None:
    claim = {"subject": "Loom gift", "attribute": "budget for the second year", "figure": "$50"}
    assert judged(claim, page(GIFTS.format("$50", "$75", "$100"))) == ("drifted", "$75")
    assert judged(claim, page(GIFTS.format("$25", "$50", "$100")))[0] == "holds"


def test_an_ordinal_tells_nothing_where_no_row_has_its_number() -> None:
    claim = {"subject": "Loom gift", "attribute": "first budget, in year 3", "figure": "$50"}
    assert judged(claim, page(GIFTS.format("$25", "$30", "$50")))[0] == "holds"


FEES = (
    "<h1>Loom fees</h1><table><tr><th>Plan<th>Fee in dollars<th>Orders after which the fee falls</tr>"
    "<tr><td>Weaver<td>5<td>40</tr><tr><td>Spinner<td>9<td>60</tr></table>"
)


def test_a_value_that_is_its_whole_cell_is_of_its_column_whatever_another_says() -> None:
    claim = {"subject": "Loom orders on the Weaver plan", "attribute": "fee", "figure": "5"}
    assert judged(claim, page(FEES))[0] == "holds"


SETTINGS = """
Loom Settings
=============

.. confval:: warp_pause
   :default: {}

   How long the loom rests before it answers a warp that tore.

.. confval:: answer_warp_rest
   :default: 9secs

   How many wefts are dyed in one go.
"""


def test_the_name_of_a_setting_says_less_of_it_than_what_is_said_below_it() -> None:
    claim = {"subject": "Loom", "attribute": "default rest before the answer to a torn warp", "figure": "4 s"}
    assert judged(claim, page(SETTINGS.format("4secs"), "text/x-rst"))[0] == "holds"
