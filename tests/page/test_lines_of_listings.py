"""Preformatted lines that each say one thing: settings in their sections, options, names with figures."""

from __future__ import annotations

import pytest

import kb
from kb.page.listings import figures, named_lines, settings


def rows(code: str) -> dict[str, tuple[str, ...]]:
    found = named_lines(code)
    assert found is not None
    return {line.strip(): names for line, names in found}


OUTPUT = """$ make speed
Fastweave              12,300 ops/sec
slow weave v2             900 ops/sec
@loom/weave             1,800 ops/sec

Without a cache:
Fastweave                 700 ops/sec
slow weave v2              90 ops/sec
"""


def test_the_words_before_a_figure_name_it_under_the_line_above() -> None:
    said = rows(OUTPUT)
    assert said["$ make speed"] == ()
    assert said["slow weave v2             900 ops/sec"] == ("slow weave v2",)
    assert said["@loom/weave             1,800 ops/sec"] == ("@loom/weave",)
    assert said["Fastweave                 700 ops/sec"] == ("Without a cache", "Fastweave")


@pytest.mark.parametrize("between", ["   ", ": ", " = ", "\t", " - "])
def test_a_name_and_its_figure_are_kept_apart_in_several_ways(between: str) -> None:
    code = f"RESULTS\nopen time{between}1.84ms\nclose time{between}<5.60ms\nidle time{between}~$3.42\n"
    found = figures(code.expandtabs(8))
    assert found is not None
    assert [names for _, names in found] == [
        (), ("RESULTS", "open time"), ("RESULTS", "close time"), ("RESULTS", "idle time"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "code",
    [
        "for i in range(10):\n    total += 5\nprint(total)\n",
        "x = f(1,\n      2,\n      3)\n",
        "drwxr-xr-x  2 root root 4096\ndrwxr-xr-x  3 root root 4096\ndrwxr-xr-x  4 root root 4096\n",
        "one line of words  5\nanother\nand more words\nand the end\n",
    ],
)
def test_other_text_is_no_list_of_figures(code: str) -> None:
    assert figures(code) is None


SCHEMA = """pool:
  # How often idle links are looked for.
  [ sweep_every: <duration> | default = 1m ]

  # How long a link may be idle.
  # Zero closes none.
  [ idle_for: <duration> | default = 10s ]
  limits:
    - name: small
      links: 8
log:
  level: info
"""


def test_a_setting_stands_under_the_keys_that_it_is_set_in_from() -> None:
    said = rows(SCHEMA)
    assert said["[ sweep_every: <duration> | default = 1m ]"] == ("pool", "sweep_every")
    assert said["links: 8"] == ("pool", "limits", "links")
    assert said["level: info"] == ("log", "level")


def test_a_comment_belongs_to_the_setting_after_it() -> None:
    found = settings(SCHEMA)
    assert found is not None
    assert ("  # How often idle links are looked for.", ("pool", "sweep_every")) in found
    assert ("  # How long a link may be idle.\n  # Zero closes none.", ("pool", "idle_for")) in found


def test_json_ini_and_settings_that_are_commented_out_have_their_keys() -> None:
    said = rows('{\n  "pool": {\n    "links": 8,\n    "names": ["a", "b"]\n  },\n  "wait": 30\n}\n')
    assert said['"links": 8,'] == ("pool", "links")
    assert said['"names": ["a", "b"]'] == ("pool", "names")
    assert said['"wait": 30'] == ("wait",)
    said = rows("[pool]\nlinks = 8  # at once\n#idle_for = 10s\n; wait = 5\nname = a\n")
    assert said["links = 8  # at once"] == ("pool", "links")
    assert said["#idle_for = 10s"] == ("pool", "idle_for")
    assert said["; wait = 5"] == ("pool", "wait")


def test_code_is_no_list_of_settings() -> None:
    assert settings("def f(x):\n    return x + 1\n\nprint(f(2))\n") is None
    assert settings("import os\nos.exit(5)\nx = 3\n") is None


@pytest.mark.parametrize("content_type", ["text/markdown", "text/plain", "text/asciidoc"])
def test_listings_are_read_so_in_every_format(content_type: str) -> None:
    fence = {"text/markdown": ("```\n", "```\n"), "text/asciidoc": ("----\n", "----\n")}
    first, last = fence.get(content_type, ("", ""))
    body = OUTPUT if first else "\n".join("    " + line for line in OUTPUT.splitlines())
    page = kb.read_page(f"Speed of looms\n\n{first}{body}{last}", content_type=content_type)
    named = {b.row[-1] for b in page.blocks if b.row}
    assert "slow weave v2" in named, [(b.kind, b.row, b.text) for b in page.blocks]


def test_a_figure_of_a_listing_answers_for_the_name_on_its_line() -> None:
    page = kb.read_page(f"# Speed of looms\n\n```\n{OUTPUT}```\n", content_type="text/markdown")
    verdict = kb.judge(kb.Claim.parse("slow weave v2, operations per second: 950 ops/sec"), page)
    assert verdict.found != "12,300 ops/sec"
    assert any("slow weave v2" in " ".join(o) for o in [verdict.evidence.row] if verdict.evidence)


PAIRS = "**Machine:** Loom Pro\n**Date:** March 15th, 2026\n**Loom Version:** v1.12.0\n**Shuttle Version:** 1.25.8\n"


def test_a_paragraph_written_as_labelled_lines_is_read_by_line() -> None:
    page = kb.read_page(f"# Report\n\n{PAIRS}", content_type="text/markdown")
    said = {b.row: b.text for b in page.blocks if b.kind == "pair"}
    assert said["Loom Version",] == "Loom Version: v1.12.0"
    assert said["Shuttle Version",] == "Shuttle Version: 1.25.8"


def test_running_text_over_several_lines_stays_one_paragraph() -> None:
    text = "Note: the loom is old and\nslow, so: use another.\nThe rest is told below.\n"
    page = kb.read_page(f"# Report\n\n{text}", content_type="text/markdown")
    assert any("old and slow, so: use another. The rest" in b.text for b in page.blocks)


def test_a_comment_that_only_repeats_an_examples_value_names_nothing() -> None:
    found = settings("# 30 days\nexpires_after = 30\n# 5 by default\nlinks = 8\n")
    assert found is not None
    assert [names for _, names in found] == [(), ("expires_after",), ("links",), ("links",)]


def test_numbers_in_a_name_do_not_end_it() -> None:
    found = figures(
        "P @[ area= all | most=100 ] = 0.27\nR @[ area= all | most=  1 ] = 0.25\nS @[ most= 10 ] = 0.36\n"
    )
    assert found is not None
    assert [names[-1] for _, names in found] == [
        "P @[ area= all | most=100 ]", "R @[ area= all | most=  1 ]", "S @[ most= 10 ]",
    ]  # fmt: skip


HELP = "Usage of loom:\n-node-id int\n    part of each name (default 248)\n-packet-size int\n    bytes of a packet (default 508)\n"


def test_an_option_behind_one_dash_opens_its_entry_where_lines_under_it_tell_of_it() -> None:
    found = named_lines(HELP)
    assert found is not None
    assert ("    bytes of a packet (default 508)", ("-packet-size",)) in found
    assert named_lines("loom -f pattern\n-v 3\n-i file\n") is None
