"""Claimed texts on pages of our own: versions, names and modes, found, found again, and replaced."""

from __future__ import annotations

import pytest

import kb
from kb.claims import claim_from_case
from kb.judging.kindred import kindred_pattern


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


STORES = """<h1>Storage</h1><p>Our machines mount a Fern home file system, either mossy-home or heath-home. It is
meant for small files.</p><table><tr><th>Name</th><th>Seen from</th><th>Type</th></tr>
<tr><th>mossy-home</th><td>Lark</td><td>Fern</td></tr><tr><th>heath-home</th><td>Wren</td><td>Fern</td></tr></table>
"""


def test_a_new_name_that_is_nearly_ours_has_taken_its_place() -> None:
    assert judged("Fern home file system", "name", "swift-home", STORES) == ("drifted", "mossy-home")
    page = """<h1>Headers</h1><table><tr><th>Kind</th><th>Notes</th></tr><tr><td>Request headers</td>
    <td>X-Start for the time of the request. X-Larch-Request-Id for correlating requests against network
    logs.</td></tr><tr><td>Size</td><td>32 KB</td></tr></table>"""
    subject = "header for correlating a request with Larch network logs"
    assert judged(subject, "name", "X-Request-Id", page) == ("drifted", "X-Larch-Request-Id")


def test_a_name_nearly_ours_is_no_change_where_the_page_had_both_before() -> None:
    before = "<h1>Guide</h1><h2>Step 9</h2><p>Ask the Larch Flood Team.</p><h2>Step 10</h2><p>Ask the Larch Fire Team.</p>"
    page = "<h1>Guide</h1><h2>Step 10</h2><p>Ask the Larch Fire Team.</p>"
    assert judged("step 9 of the guide", "team", "Larch Flood Team", page, before)[0] != "drifted"


def test_a_word_more_in_a_name_makes_another_name() -> None:
    page = "<h1>Larch team</h1><p>The team works under the authority of the Chief Garden Safety Officer of Larch.</p>"
    before = page.replace("Garden Safety", "Safety")
    said = judged(
        "Larch team", "officer under whose authority it works", "Chief Safety Officer", page, before
    )
    assert said == ("drifted", "Chief Garden Safety Officer")


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Larch 11 Pro", "Larch 15"),
        ("Larch Flood Team", "Larch Rain Team"),
        ("swift-home", "mossy-home"),
        ("larch/brushes", "fern/brushes"),
        ("Larch Fern CPU Max 8480", "Larch Fern Platinum 8480"),
        ("/usr/share/larch/kinds.db", "/usr/local/share/larch"),
        ("/proj/[projid]", "/hold/prod/[projid]/proj-shared"),
    ],
)
def test_names_of_one_form_that_share_words_are_kindred(name: str, other: str) -> None:
    pattern = kindred_pattern(name)
    assert pattern is not None and pattern.fullmatch(other)


def test_a_build_behind_a_release_and_the_next_sentence_are_no_part_of_a_kindred_name() -> None:
    pattern = kindred_pattern("Larch 19.07")
    assert pattern is not None
    text = "Use Larch 22.10-py3 on Linux, or Larch 22.11. Fern 3 will do."
    assert pattern.findall(text) == ["Larch 22.10", "Larch 22.11"]


@pytest.mark.parametrize("name", ["zippy", "at most twice", "200-700", "three times per year"])
def test_a_text_that_is_no_name_of_several_words_has_no_kin(name: str) -> None:
    assert kindred_pattern(name) is None


def test_a_path_is_replaced_by_one_that_shares_a_part() -> None:
    page = "<h1>Larch setup</h1><h2>kinds setting</h2><p>The default path is /usr/local/share/larch.</p>"
    page += "<h2>retries setting</h2><p>The default setting is 100000.</p>"
    said = judged("Larch kinds setting", "default path", "/usr/share/larch/kinds.db", page)
    assert said == ("drifted", "/usr/local/share/larch")


FLAGS = """# Larch

## Flags

```
--data-dir 'main.larch'
  Path to the data directory.
--writer 'brisk'
  The one that writes.
--take-old 'false'
  Accept requests of old clients.
--wait-for-all 'never'
  Wait until all have answered.
--level 'info'
  How much is told.
```
"""


def test_a_line_of_settings_is_a_slot_that_its_name_labels() -> None:
    before = "# Larch\n\n## Flags\n\n### --writer\n\n- The one that writes.\n- default: slowpoke\n"
    said = judged("Larch writer flag", "default writer", "slowpoke", FLAGS, before, "text/markdown")
    assert said == ("drifted", "brisk")


def test_what_a_setting_does_is_told_below_its_line() -> None:
    said, found = judged(
        "Larch requests of old clients", "accepted by default", "true", FLAGS, "", "text/markdown"
    )
    assert said != "holds" and found in ("false", None)


def test_a_clause_that_went_on_otherwise_leaves_the_place_of_a_text_known() -> None:
    page = "<h1>Finch weather</h1><ul><li>Free for all</li><li>Machines located in {}</li></ul>"
    claim = "Finch weather machines", "location", "Larchland"
    before = page.format("Larchland (more in planning. Sponsors welcome!)")
    now = page.format("Fernland and Mossland with a road between")
    assert judged(*claim, now, before) == ("drifted", "Fernland and Mossland")


def test_a_text_in_a_snippet_is_found_again_by_the_words_of_its_line() -> None:
    page = "<h1>Finch jobs</h1><h2>Sample script</h2><pre>#!/bin/sh\n#FQS -l select={}\n#FQS -q {}\n\nrun it\n</pre>"
    before, now = page.format(2, "workq"), page.format(4, "rest-scaling")
    found = judged("sample Finch script", "queue named in it", "workq", now, before)
    assert found == ("drifted", "rest-scaling")


@pytest.mark.parametrize(
    ("ours", "theirs"), [("[3, 127]", "[4, 127]"), ("3.4 - 5.0", "3.4 - 15.0"), ("1.0-1.2", "1.0-1.4")]
)
def test_numbers_written_together_are_replaced_by_numbers_written_so(ours: str, theirs: str) -> None:
    page = f"<h1>Larch codes</h1><p>The range {theirs} of the codes is reserved.</p><p>It has 2 parts.</p>"
    assert judged("Larch codes", "reserved range", ours, page) == ("drifted", theirs)


def test_a_range_of_pages_may_have_two_hyphens() -> None:
    page = "<h1>Larch paper</h1><p>In: Proceedings of the Tree Conference. pp. 4211--4215</p>"
    assert judged("Larch paper", "pages in the proceedings", "4211-4215", page)[0] == "holds"
