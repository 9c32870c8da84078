"""Claimed texts on pages of our own: versions, names and modes, found, found again, and replaced."""

from __future__ import annotations

import pytest

import kb
from kb.claims import claim_from_case


def judged(
    subject: str, attribute: str, text: str, page: str, before: str = "", kind: str = "text/html"
) -> tuple[str, object]:
    claim = claim_from_case({"id": "a", "subject": subject, "attribute": attribute, "text": text})
    base = kb.read_page(before.encode(), content_type=kind) if before else None
    verdict = kb.judge(claim, kb.read_page(page.encode(), content_type=kind), base)
    return str(verdict.outcome), verdict.found


READ_ME = """<title>Paintkit readme</title><p>A library of brushes.</p>
<h2>For the newest screens</h2><p>From 5.1, PaintKit draws on glassOS too.</p>
<p>PaintKit supports slateOS 13 in its wide mode.</p>
<h2>What it needs</h2><ul><li>slateOS 9.0 or later</li><li>wristOS 2.0 or later</li></ul>
<h2>Older ones</h2><ul><li>For slateOS 5 and 6, use PaintKit 3.7.</li></ul>
<h2>Parts</h2><p>PaintKit has 2 parts, PaintKit Core and PaintKit Map.</p>"""


def test_a_title_names_the_page_in_any_case() -> None:
    assert judged("PaintKit", "minimum wristOS version", "2.0", READ_ME) == ("holds", "2.0")


def test_or_later_says_that_a_version_is_the_least() -> None:
    said, found = judged("PaintKit", "minimum slateOS version", "slateOS 7.0", READ_ME)
    assert (said, str(found).split(".")[0]) == ("drifted", "slateOS 9")


def test_since_which_version_of_its_own_a_page_says_something_is_no_version_of_what_it_needs() -> None:
    page = """<h1>Larch</h1><p>As of v10.0.0, Larch requires Fern.js v14.0.0 or newer.</p>
    <h2>--exit</h2><p>The default behaviour of Larch in v4.0.0 (and newer) is to wait.</p>"""
    assert judged("Larch", "minimum Fern.js version", "v4", page) == ("drifted", "v14.0.0")


def test_what_a_version_is_of_is_nothing_that_the_page_never_says() -> None:
    page = "<h1>Server</h1><h2>checker</h2><p>Configure the Larch v8 instance used by the server.</p>"
    assert judged("Larch instance that the server configures", "major version", "v6", page) == (
        "drifted",
        "v8",
    )


def test_a_row_may_say_what_a_version_is_of() -> None:
    page = """<h1>Larch</h1><table><tr><th>Needs</th><th>Minimum</th><th>Recommended</th></tr>
    <tr><td>fern</td><td>3.9</td><td>3.10</td></tr><tr><td>moss</td><td>2.0</td><td>2.6</td></tr></table>
    <h2>On slate</h2><p>On slate boards, upgrade Fern to version 3.10 or higher.</p>"""
    before = "<h1>Larch</h1><p>Fern 3.8+ and Moss 1.13+</p>"
    assert judged("Larch", "lowest Fern version", "3.8", page, before) == ("drifted", "3.9")


def test_the_mark_of_a_footnote_is_no_part_of_a_word() -> None:
    page = """<h1>Larch</h1><table><tr><th></th><th>Slate</th></tr>
    <tr><th>Bramble¹ 152.0.77</th><td>yes</td></tr><tr><th>Heather 153.0</th><td>yes</td></tr></table>"""
    before = page.replace("Bramble¹ 152.0.77", "Bramble 85.0.41").replace("153.0", "77.0")
    assert judged("Bramble in Larch", "version", "85.0.41", page, before) == ("drifted", "152.0.77")


@pytest.mark.parametrize("tied", ["zippy-compressed", "zippy-based", "zippy compressed"])
def test_a_participle_leaves_what_it_is_tied_to_as_it_is(tied: str) -> None:
    page = f"<h1>Larch remote protocols</h1><p>The read and write protocols both use a {tied} encoding.</p>"
    assert judged("Larch read and write protocols", "compression", "zippy", page)[0] == "holds"


def test_another_name_that_begins_as_ours_does_is_another() -> None:
    page = (
        "<h1>Larch remote protocols</h1><p>The read and write protocols both use a zippy-next encoding.</p>"
    )
    assert judged("Larch read and write protocols", "compression", "zippy", page)[0] != "holds"


def test_a_row_may_say_in_another_cell_whose_it_is() -> None:
    head = "<h1>Partitions</h1><table><tr><th>Partition</th><th>Nodes</th><th>For</th></tr>"
    rows = "<tr><td>lg</td><td>20–200</td><td>Scaling tests</td></tr>"
    rows += "<tr><td>gc</td><td>200–700</td><td>Grand Challenge</td></tr></table>"
    before = (head + rows).replace("–", "-").replace("Partitions", "Available partitions")
    page = head + rows
    assert judged("Grand Challenge partition", "nodes", "200-700", page, before) == ("holds", "200–700")


def test_so_many_times_is_a_multiple_where_the_page_says_of_what() -> None:
    page = "<h1>Quick Larch</h1><p>Quick Larch is up to 4 times faster than Larch, at a width of 5.</p>"
    assert judged("Quick Larch against Larch", "speed-up", "up to 4 times", page)[0] == "holds"
