"""Entries of references: whose name is the claim's to the letter, and where they state their default."""

from __future__ import annotations

import pytest

import kb
from kb.judging.default import default_slots
from kb.judging.entry import entries_of, name_of, names_said
from kb.judging.judgement import race
from kb.judging.mention import figure_mentions
from kb.judging.reading import reading_of
from kb.judging.reference import Wanted
from kb.page import Block


def said(claim: str, text: str, before: str | None = None, content_type: str = "text/markdown") -> kb.Verdict:
    earlier = kb.read_page(before.encode(), content_type=content_type) if before is not None else None
    page = kb.read_page(text.encode(), content_type=content_type)
    return kb.judge(kb.Claim.parse(claim), page, earlier)


def told(
    claim: str, text: str, before: str | None = None, content_type: str = "text/markdown"
) -> tuple[str, object]:
    verdict = said(claim, text, before, content_type)
    return str(verdict.outcome), verdict.found


@pytest.mark.parametrize(
    ("label", "names", "phrase"),
    [
        ("drain_wait (integer; default: 60; since Gander 2.2)", {"drain-wait"}, ""),
        ("drain_wait=1048576B (1 MiB) (uint)", {"drain-wait"}, ""),
        ("max-drain-size: <number>", {"max-drain-size"}, ""),
        ("drain round size (G)", set(), "drain round size"),
        ("-d SECS, --drain-wait=SECS", {"d", "drain-wait"}, ""),
        ("TAG: drain_wait old_drain_wait", {"drain-wait", "old-drain-wait"}, ""),
        ("/proc/sys/gander/drain_max", {"proc-sys-gander-drain-max", "drain-max"}, ""),
        ("`gander.drain.ms`", {"gander.drain.ms"}, ""),
        ("drainWait", {"drainwait"}, ""),
    ],
)
def test_a_heading_or_term_names_its_entry(label: str, names: set[str], phrase: str) -> None:
    name = name_of(label)
    assert (set(name.names), name.phrase) == (names, phrase)


def test_names_in_a_claim_are_compared_without_dashes_case_and_underscores() -> None:
    assert names_said("Gander --drain-wait (DRAIN_MAX, 3 times)") == {"drain-wait", "drain-max"}


def test_a_label_that_stands_under_many_names_is_no_entry() -> None:
    blocks = [
        Block("pair", f"Default: {n}", headings=("Gander", name), row=("Default",))
        for n, name in enumerate(("honk", "waddle", "preen"))
    ]
    assert [sorted(e.name.names) if e else [] for e in entries_of(blocks)] == [
        ["honk"],
        ["waddle"],
        ["preen"],
    ]


@pytest.mark.parametrize(
    ("text", "slots"),
    [
        ("Default: 40", ["40"]),
        ("The default value for drain_wait is 40, the maximum is 90.", ["40"]),
        ("If not 0, wait so long. Default: 40", ["40"]),
        ("The default is the least allowed of 40. Values of 50 to 60 do well.", ["40"]),
        ("Set to 40 by hand where the default does not do.", []),
        ("Wait 40 (default 30)", ["30"]),
        ("Default 0 means 30 minutes", ["30 minutes"]),
        ("默认为 64，最大可调至 512", ["64"]),
    ],
)
def test_a_default_is_the_first_value_behind_the_word(text: str, slots: list[str]) -> None:
    block = Block("paragraph", text)
    assert [m.text for m in default_slots(block, figure_mentions(block, 0, None))] == slots


MANUAL = """Gander manual
=============

drain-wait
----------

-  Integer
-  Default: {wait}

Seconds to wait before a drained flock is let go. The pond allows 1280 seconds, minus 8 seconds for the gate.

drain-wait-night
----------------

-  Integer
-  Default: 90

Seconds to wait at night.

nest-size
---------

-  Integer
-  Default: {nest}

Number of bytes for a nest. Append 'k' or 'm' for kilobytes or megabytes (1024*1024 bytes in a megabyte).
If not 0, the nest is lined. Suggested values are 2 to 8.
"""


def manual(wait: str = "40", nest: str = "4m") -> str:
    return MANUAL.format(wait=wait, nest=nest)


def test_a_bare_default_counts_in_the_unit_that_its_entry_names() -> None:
    assert told("Gander drain-wait, default wait: 40 seconds", manual(), None, "text/x-rst") == (
        "holds",
        "40",
    )
    assert told("Gander drain-wait, default wait: 40 seconds", manual("50"), None, "text/x-rst") == (
        "drifted",
        "50",
    )


def test_a_suffix_counts_in_bytes_where_the_entry_speaks_of_them() -> None:
    claim = "Gander nest-size, default size of a nest: 4 megabytes"
    assert told(claim, manual(), None, "text/x-rst") == ("holds", "4m")
    assert told(claim, manual(nest="8m"), None, "text/x-rst") == ("drifted", "8m")


def test_a_condition_is_no_default() -> None:
    claim = "Gander nest-size, default size of a nest in bytes: 0"
    assert told(claim, manual(), manual(nest="0"), "text/x-rst") == ("drifted", "4m")


def test_an_entry_of_a_longer_name_does_not_answer() -> None:
    claim = "Gander drain-wait, default wait: 90 seconds"
    assert told(claim, manual(), manual("90"), "text/x-rst") == ("drifted", "40")


TERMS = """
goose_cache_limit={cache}B ({said}) (uint)
    How much of the pond is kept near.

goose_cache_limit_night=131072B (128 KiB) (uint)
    The same at night.

goose_drain_pct={pct}% (uint)
    The share of the pond that may be drained.

goose_drain_on=1|0 (int)
    Whether it is drained at all.
"""


def test_a_title_that_states_a_value_is_its_default() -> None:
    text = TERMS.format(cache=1048576, said="1 MiB", pct=10)
    was = TERMS.format(cache=131072, said="128 KiB", pct=5)
    claim = "Gander goose_cache_limit, default size of the cache: 131,072 bytes"
    assert told(claim, text, was, "text/plain") == ("drifted", "1048576B (1 MiB)")
    assert told(claim, was, None, "text/plain")[0] == "holds"
    verdict = said("Gander goose_drain_pct, default share: 5%", text, was, "text/plain")
    assert (str(verdict.outcome), str(verdict.found).startswith("10%")) == ("drifted", True)


HEADED = """# Gander settings

## [pond]

### depth-max = {depth}

The depth at which a pond takes no more water.

### depth-log = "1s"

How often the depth is logged.
{more}
"""


def test_a_heading_that_states_a_value_answers_for_its_name() -> None:
    claim = "Gander depth-max, default: 524288000 bytes"
    assert told(claim, HEADED.format(depth=524288000, more="")) == ("holds", "524288000")
    assert told(claim, HEADED.format(depth=1048576000, more="")) == ("drifted", "1048576000")


def test_a_name_that_a_reference_lost_is_gone_and_no_neighbours_value() -> None:
    kept = "".join(
        f'\n### {name}-wait = "{n}s"\n\nHow long to wait.\n'
        for n, name in enumerate(("gate", "nest", "egg", "feed"), 1)
    )
    was = HEADED.format(depth=5, more=kept + '\n### vote-wait = "1s"\n\nHow long to wait for a vote.\n')
    now = HEADED.format(depth=5, more=kept)
    assert told("Gander vote-wait, default: 1 second", was, was) == ("holds", "1s")
    assert told("Gander vote-wait, default: 1 second", now, was) == ("gone", None)


def test_a_name_in_plain_words_is_compared_as_a_whole() -> None:
    def listed(*names: str) -> str:
        return (
            "<h1>gander.conf</h1><dl>"
            + "".join(
                f"<dt>{name} (G)</dt><dd><p>What the {name} is.</p><p>Default: {name} = {100 * n}</p>"
                f"<p>Example: {name} = {7 * n}</p></dd>"
                for n, name in enumerate(names, 1)
            )
            + "</dl>"
        )

    names = (
        "pond name cache size",
        "max pond cache size",
        "pond cache time",
        "gate wait",
        "nest depth",
        "egg count",
    )
    before, after = listed(*names), listed(*names[1:])
    claim = "gander.conf pond name cache size, default: 100"
    assert told(claim, before, None, "text/html") == ("holds", "100")
    assert told(claim, after, before, "text/html") == ("gone", None)


def test_what_a_setting_takes_is_no_part_of_its_name() -> None:
    assert name_of("max_eggs count").names == {"max-eggs"}
    assert name_of("max eggs count").phrase == "max eggs count"


def test_a_claims_5m_is_minutes_where_the_entry_states_a_time() -> None:
    page = "# Gander\n\n## drain-wait\n\nDefault: 300s\n\n## gate-wait\n\nDefault: 15s\n"
    assert told("Gander drain-wait, default: 5m", page) == ("holds", "300s")
    assert told("Gander gate-wait, default: 5m", page) == ("drifted", "15s")


def reference(said: str, default: str) -> str:
    return (
        f"# Gander settings\n\n## honk_limit_size\n\n{said}\n\nDefault: {default}\n\n"
        "## honk_limit_count\n\nHow many honks.\n\nDefault: 100\n\n## nest_limit_size\n\nDefault: 7000\n"
    )


BOUNDED = "Value is a number from 0 (unlimited) to 4190. to set the limit on the size of a honk's field."
WORDED = (
    "Limit the allowed size of a honk's field. Value is a positive number or 0. Setting it to 0 lifts it."
)


@pytest.mark.parametrize(("default", "outcome"), [("4190", "holds"), ("5190", "drifted")])
def test_the_entry_that_had_our_value_answers_for_a_claim_in_our_own_words(
    default: str, outcome: str
) -> None:
    claim = "Gander honk field size, default limit: 4190"
    assert told(claim, reference(WORDED, default), reference(BOUNDED, "4190")) == (outcome, default)


def test_a_default_that_a_sentence_has_too_is_found_where_ours_stood() -> None:
    before = reference("By default Gander checks three honks and picks the loudest of them.", "3")
    now = reference("By default Gander checks five honks and picks the loudest of them.", "5")
    assert told("Gander loudness, honks checked by default: three", now, before) == ("drifted", "five honks")


def test_the_entry_of_our_value_is_wanted_only_where_the_page_has_it_once() -> None:
    claim = kb.Claim.parse("Gander honk field size, default limit: 4190")
    base = reading_of(kb.read_page(reference(BOUNDED, "4190"), content_type="text/markdown"))
    anchor = race(claim, base, base)[1]
    assert anchor is not None
    now = reference(WORDED, "5190")
    for text, entries in ((now, 1), (now.replace("honk_limit_size", "honk_max"), 0), (now + now, 0)):
        reading = reading_of(kb.read_page(text, content_type="text/markdown"))
        wanted = Wanted(claim, reading)
        assert not wanted.entries
        wanted.follow(base, anchor)
        assert len(wanted.entries) == entries


def test_a_list_under_an_inner_heading_of_ours_is_ours_whatever_the_part_above_is_called() -> None:
    part = "<h2>Partitions by resource</h2><h3>Large memory nodes</h3><p>{}</p><h2>Partitions by node</h2>"
    page = "<h1>Alder partitions</h1>" + part.format(
        "The large memory nodes (512GB and 1TB) are in the hall."
    )
    claim = kb.Claim(
        id="x", subject="large memory nodes", attribute="memory sizes", kind="list", value=("512GB", "1TB")
    )
    verdict = kb.judge(claim, kb.read_page(page.encode(), content_type="text/html"))
    assert (str(verdict.outcome), verdict.found) == ("holds", ("512GB", "1TB"))


def test_names_joined_by_strokes_in_a_cell_are_the_members_of_a_list() -> None:
    rows = "".join(
        f"<tr><td>{name}</td><td>{sizes}</td></tr>"
        for name, sizes in (("Kestrel", "7B/13B"), ("Merlin", "7B/40B/180B"), ("Wren", "1B/3B"))
    )
    page = f"<h1>Models</h1><table><tr><th>Model</th><th>Sizes</th></tr>{rows}</table>"
    claim = kb.Claim(
        id="x", subject="Merlin models", attribute="sizes", kind="list", value=("7B", "40B", "180B")
    )
    verdict = kb.judge(claim, kb.read_page(page.encode(), content_type="text/html"))
    assert (str(verdict.outcome), verdict.found) == ("holds", ("7B", "40B", "180B"))


SUITES = "# Hashing\n\n" + "\n".join(
    f"## {name}\n\n{text}\n"
    for name, text in [
        ("PBKDF2-HMAC-SHA1", "Use 1,300,000 iterations."),
        ("PBKDF2-HMAC-SHA512", "Use 220,000 iterations."),
        *((f"suite-{word}-fast", f"Takes {n} rounds.") for n, word in enumerate("abcdefgh", 11)),
        ("small-ha-12", "100 GB storage, highly available."),
    ]
)


def test_a_name_that_ends_an_entrys_is_not_missing() -> None:
    assert told("PBKDF2 with HMAC-SHA512, iterations: 120,000", SUITES) == ("drifted", "220,000 iterations")


def test_words_that_a_hyphen_ties_before_another_are_no_name_that_is_missing() -> None:
    reading = reading_of(kb.read_page(SUITES.encode(), content_type="text/markdown"))
    for subject, missing in (
        ("small high-availability plan", False),
        ("point-in-time restores", False),
        ("max-round-size", True),
        ("max-round-size setting", True),
        ("rounds by max-round-size", True),
    ):
        claim = kb.Claim.parse(f"{subject}, storage: 20 GB")
        assert Wanted(claim, reading).is_missing(None, None) is missing, subject


def test_a_name_behind_the_number_that_it_is_a_basis_of_is_said() -> None:
    assert names_said("1000/PutShuttle request. Heddles: 5/day") == {"putshuttle"}


def test_what_another_row_says_it_is_per_is_no_other_entry() -> None:
    rows = {
        "GetHeddle request": "30 a second",
        "PutShuttle request": "1 MB. It can handle 500 transactions per second.",
        "WarpDatum items": "1000/PutShuttle request. A WarpDatum object has a single value.",
    }
    page = "# Loom quotas\n\n| Resource | Quota |\n|---|---|\n" + "".join(
        f"| {k} | {v} |\n" for k, v in rows.items()
    )
    claim = kb.Claim.parse("Loom PutShuttle request, maximum number of WarpDatum items: 20")
    verdict = kb.judge(claim, kb.read_page(page.encode(), content_type="text/markdown"))
    assert (str(verdict.outcome), verdict.found) == ("drifted", "1000")


def test_a_name_whose_pieces_are_all_in_the_title_is_no_missing_entry() -> None:
    names = ("ADD", "MUL", "PAIR", "MAP", "FOLD", "SPIN", "CARD", "COMB", "WIND")
    lines = "".join(f"## WARP12_{n}\n\nTakes a shuttle; {n.lower()}.\n\n" for n in names)
    page = f"---\ntitle: Precompiles for the WARP12-381 loom\n---\n\n{lines}## thread_map\n\nMapping of a thread costs 238 gas\n"
    assert told("WARP12-381 mapping of a thread, gas cost: 750", page)[0] == "drifted"
