"""The report as HTML, JUnit and Atom; what sums would be; who contradicts whom; what is new."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import timedelta
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import demo_base
import feedparser
import pytest
from click.testing import CliRunner
from knowledge import HOSTILE, NOW, a_capture, a_claim, a_database, a_source, a_verdict, at
from lxml import etree

from kb.claims import Claim
from kb.cli.report import command
from kb.judging import Verdict
from kb.reasons import Reason
from kb.report import (
    Summary,
    render_atom,
    render_html,
    render_junit,
    render_markdown,
    render_text,
    report_json,
    summarise,
)
from kb.store import BuildInput, Seen, open_rows, write_database

HELD = a_verdict(Reason.VERBATIM, "1 GB")
DRIFT = a_verdict(Reason.CHANGED, "2 GB")
SCHEMA = etree.RelaxNG(etree.parse(str(Path(__file__).parent / "atom.rng")))


def the_summary(folder: Path, **settings: object) -> Summary:
    with open_rows(a_database(folder)) as rows:
        return summarise(rows, NOW, **settings)  # type: ignore[arg-type]


def of(folder: Path, *claims: tuple[Claim, list[Verdict]], **roles: str) -> Summary:
    """Claims of the sources that their ids name, read every six hours."""
    by_source: dict[str, list[tuple[Claim, list[Verdict]]]] = {}
    for claim, verdicts in claims:
        by_source.setdefault((claim.id or "").partition(".")[0], []).append((claim, verdicts))
    sources, captures, rows = [], {}, []
    for name, its in by_source.items():
        sources.append(a_source(name, *(c for c, _ in its), role=roles.get(name, "press")))
        seen = [a_capture(name, i / 4) for i in range(max(len(v) for _, v in its))]
        captures[f"https://{name}.example/page"] = [Seen(c) for c in seen]
        rows += [(c.id or "", s, v) for c, verdicts in its for s, v in zip(seen, verdicts, strict=False)]
    write_database(folder / "kb.db", BuildInput(tuple(sources), captures, rows, name="some"))
    with open_rows(folder / "kb.db") as db:
        return summarise(db, at(2))


# -- HTML ----------------------------------------------------------------------------------


class Outline(HTMLParser):
    """Tags, attributes, and whether every element is closed in its turn."""

    VOID = frozenset({"meta", "br", "link", "img", "input", "hr"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [a for t, a in self.tags if t == tag]


def test_html_is_one_whole_file_that_loads_and_runs_nothing(tmp_path: Path) -> None:
    text = render_html(the_summary(tmp_path))
    outline = Outline(text)
    assert text.startswith("<!DOCTYPE html>")
    assert not {t for t, _ in outline.tags} & {"script", "img", "link", "iframe", "object", "form", "base"}
    assert not re.search(r"url\(|@import|https?://[^\"]*\.(css|js|png)", text)
    assert not [n for _, a in outline.tags for n in a if n.startswith("on")]


def test_html_can_be_found_through_by_ear(tmp_path: Path) -> None:
    outline = Outline(render_html(the_summary(tmp_path)))
    assert outline.all("html") == [{"lang": "en"}]
    assert [t for t, _ in outline.tags if t in ("h1", "h2", "h3")][:2] == ["h1", "h2"]
    assert len(outline.all("h1")) == 1
    assert {"header", "main", "footer"} <= {t for t, _ in outline.tags}
    ids = [a["id"] for _, a in outline.tags if "id" in a]
    assert len(ids) == len(set(ids))
    assert {a["aria-labelledby"] for _, a in outline.tags if "aria-labelledby" in a} <= set(ids)
    assert all("scope" in a for a in outline.all("th"))
    assert any(a.get("name") == "viewport" for a in outline.all("meta"))


def test_html_says_all_that_the_text_says(tmp_path: Path) -> None:
    summary = the_summary(tmp_path, undelivered=["vm.bandwidth to mail: refused"])
    text = re.sub(r"<[^>]+>", "", render_html(summary))
    for needed in (
        "3,200 Gbps per VM, each way",
        "6.4 Tbps",
        "Networking of 6.4 Tbps for each.",
        "Networking &gt; Bandwidth; row Large; column Bandwidth",
        "kb accept vm.bandwidth --keep --why TEXT",
        "sums.each (400.0 Gbps, would be 800.0 Gbps)",
        "blocked: ",
        "they count twice",
        "vm.bandwidth to mail: refused",
        "Checked 11 of 13 claims, 2 of 4 sources read.",
    ):
        assert needed in text
    assert "<mark>6.4 Tbps</mark>" in render_html(summary)


def test_scraped_text_stays_text_in_html(tmp_path: Path) -> None:
    evil = a_verdict(Reason.DIFFERS, HOSTILE, f"{HOSTILE} and more")
    evil = replace(evil, evidence=replace(evil.evidence, link="javascript:alert(1)"))  # type: ignore[type-var]
    claim = a_claim("x.size", HOSTILE, "text", subject=HOSTILE, attribute='" onload="x')
    outline = Outline(render_html(of(tmp_path, (claim, [evil, evil]))))
    assert not outline.all("script")
    assert not [n for _, a in outline.tags for n in a if n.startswith("on")]
    assert all((a["href"] or "").startswith("https://") for a in outline.all("a"))


# -- JUnit ---------------------------------------------------------------------------------


def test_junit_shows_each_claim_as_a_test_and_only_confirmed_changes_fail(tmp_path: Path) -> None:
    summary = the_summary(tmp_path)
    root = etree.fromstring(render_junit(summary).encode())
    tests = root.findall(".//testcase")
    assert len(tests) == int(root.get("tests")) == len(summary.claims)
    failed = {
        f"{t.get('classname')}.{t.get('name').partition(':')[0]}"
        for t in tests
        if t.find("failure") is not None
    }
    assert failed == {"vm.bandwidth", "sums.each", "sums.twice"}
    assert int(root.get("failures")) == 3
    skipped = {
        t.get("name").partition(":")[0]: t.find("skipped").get("message")
        for t in tests
        if t.find("skipped") is not None
    }
    assert set(skipped) == {"makers", "fabric", "rate", "count", "assumed"}
    assert skipped["makers"].startswith("suspected: ")
    assert skipped["rate"].startswith("unread: blocked: ")
    assert int(root.get("skipped")) == 6
    failure = next(t.find("failure") for t in tests if t.get("name").startswith("bandwidth"))
    assert failure.get("type") == "changed"
    assert failure.get("message").startswith("stated 3,200 Gbps per VM, each way, found 6.4 Tbps: ")
    assert "link     https://vm.example/page" in failure.text
    for suite in root.findall("testsuite"):
        assert len(suite.findall("testcase")) == int(suite.get("tests"))


def test_junit_fails_what_is_not_known_with_strict_and_never_what_is_unchecked(tmp_path: Path) -> None:
    root = etree.fromstring(render_junit(the_summary(tmp_path), strict=True).encode())
    assert int(root.get("failures")) == 7
    assert {s.get("message") for s in root.iter("skipped")} == {"unchecked: nothing is fetched for it"}


def test_xml_takes_characters_that_have_no_form_in_it(tmp_path: Path) -> None:
    evil = a_verdict(Reason.DIFFERS, "2 GB\ufffe", "2 GB \x00\x0b \uffff ]]> <b>")
    evil = replace(evil, detail="\x1b[31m")
    summary = of(tmp_path, (a_claim("x.size", "1 GB", subject="A\u0001B"), [evil, evil]))
    for document in (render_junit(summary), render_atom(summary)):
        etree.fromstring(document.encode())


# -- Atom ----------------------------------------------------------------------------------


def test_the_feed_is_valid_and_read_by_feedparser(tmp_path: Path) -> None:
    summary = the_summary(tmp_path)
    document = render_atom(summary)
    SCHEMA.assertValid(etree.fromstring(document.encode()))
    feed = feedparser.parse(document)
    assert not feed.bozo
    assert feed.version == "atom10"
    assert feed.feed.title == "Drift report: example"
    assert len(feed.entries) == len(summary.events)
    titles = [e.title for e in feed.entries]
    assert "bandwidth, network bandwidth: 3,200 Gbps per VM, each way, found 6.4 Tbps" in titles
    assert "closed: edited: 10 W, found 20 W" in titles
    entry = next(e for e in feed.entries if e.title.startswith("bandwidth"))
    assert entry.link == "https://vm.example/page#:~:text=here"
    assert "<blockquote>" in entry.content[0].value


def test_an_entry_keeps_its_id_when_it_closes_and_each_has_its_own(tmp_path: Path) -> None:
    claim = a_claim("x.size", "1 GB")
    during = feedparser.parse(render_atom(of(tmp_path, (claim, [HELD, DRIFT, DRIFT]))))
    after = feedparser.parse(render_atom(of(tmp_path, (claim, [HELD, DRIFT, DRIFT, HELD]))))
    assert [e.id for e in during.entries] == [e.id for e in after.entries]
    assert during.feed.id == after.feed.id
    assert during.entries[0].updated < after.entries[0].updated
    many = feedparser.parse(render_atom(the_summary(tmp_path)))
    assert len({e.id for e in many.entries}) == len(many.entries)


def test_a_feed_without_entries_is_valid_too(tmp_path: Path) -> None:
    document = render_atom(of(tmp_path, (a_claim("x.size", "1 GB"), [HELD])))
    SCHEMA.assertValid(etree.fromstring(document.encode()))


def test_the_schema_of_these_tests_finds_faults(tmp_path: Path) -> None:
    good = render_atom(the_summary(tmp_path))
    for pattern in (r"<updated>.*?</updated>", r"<id>.*?</id>", r"<author>.*?</author>"):
        bad = re.sub(pattern, "", good, count=1, flags=re.S)
        assert not SCHEMA.validate(etree.fromstring(bad.encode())), pattern


# -- sums ----------------------------------------------------------------------------------


def test_a_sum_says_what_it_would_be_with_what_the_pages_say_now(tmp_path: Path) -> None:
    summary = the_summary(tmp_path)
    text = " ".join(render_text(summary).split())
    assert (
        "400.0 Gbps is derived from vm.bandwidth, 3,200 Gbps; the page now says 6.4 Tbps, "
        "so it would be 800.0 Gbps" in text
    )
    assert report_json(summary)["would_be"]["sums.twice"]["result"] == "1600.0 Gbps"


@pytest.mark.parametrize(
    ("formula", "stated", "found", "would_be"),
    [
        ("{x.a} / 8", "400.0 Gbps", "6,400 Gbps", "800.0 Gbps"),
        ("{x.a} / {x.b}", "8", "6.4 Tbps", "16"),
        ("{x.a} * 2", "6.4 Tbps", "1,600 Gbps", "3.2 Tbps"),
        ("{x.a} / 8", "400.0 Gbps", "2.5 GW", None),  # of other units than can be reckoned with here
        ("{x.a} / 8", "400.0 Gbps", "no figure at all", None),
    ],
)
def test_sums_are_made_anew_in_the_unit_and_precision_that_we_state(
    tmp_path: Path, formula: str, stated: str, found: str, would_be: str | None
) -> None:
    drift = a_verdict(Reason.CHANGED, found)
    follows = Verdict(Reason.INPUT_DRIFTED.outcome, Reason.INPUT_DRIFTED)
    summary = of(
        tmp_path,
        (a_claim("x.a", "3,200 Gbps"), [drift, drift]),
        (a_claim("x.b", "400 Gbps"), [a_verdict(Reason.VERBATIM, "400 Gbps")] * 2),
        (a_claim("x.sum", stated, "formula", formula=formula), [follows, follows]),
    )
    got = summary.would_be.get("x.sum")
    if found == "2.5 GW":
        assert got is None or "W" in got.result
    else:
        assert (got.result if got else None) == would_be


# -- contradictions ------------------------------------------------------------------------


def two(value: str, found: str = "", **facts: object) -> tuple[Claim, list[Verdict]]:
    verdict = (
        a_verdict(Reason.CHANGED, found) if found else a_verdict(Reason.VERBATIM, value, f"It has {value}.")
    )
    return a_claim("other.size", value, subject="Atlas", attribute="Memory size", **facts), [verdict]


OURS = (
    a_claim("maker.size", "640 GB", subject="Atlas", attribute="memory size"),
    [a_verdict(Reason.VERBATIM, "640 GB", "A memory of 640 GB.")],
)


def test_sources_that_contradict_each_other_are_told_with_both_quotes_and_which_is_primary(
    tmp_path: Path,
) -> None:
    summary = of(tmp_path, OURS, two("512 GB"), maker="primary")
    for document in (render_text(summary), render_markdown(summary), render_html(summary)):
        text = re.sub(r"<[^>]+>|\\", "", document)
        for needed in ("maker is primary", "640 GB", "512 GB", "A memory of 640 GB.", "It has 512 GB."):
            assert needed.lower() in text.lower()
    (told,) = report_json(summary)["contradictions"]
    assert told["primary"] == ["maker"]
    assert [c["claim"] for c in told["claims"]] == ["maker.size", "other.size"]


def test_what_the_pages_say_now_is_compared(tmp_path: Path) -> None:
    agree_again = of(tmp_path, OURS, two("512 GB", "640 GB"))
    assert agree_again.contradictions == ()
    differ_now = of(tmp_path, OURS, two("640 GB", "960 GB"))
    assert len(differ_now.contradictions) == 1
    assert "none of them is primary" in render_text(differ_now)


@pytest.mark.parametrize(
    "other",
    [
        two("640 GB"),
        two("0.64 TB"),
        two("80 GB", per="GPU"),
        (a_claim("other.size", "512 GB", subject="Borea", attribute="memory size"), [HELD]),
        (a_claim("maker.size2", "512 GB", subject="Atlas", attribute="memory size"), [HELD]),
    ],
)
def test_what_is_no_contradiction_is_not_told(tmp_path: Path, other: tuple[Claim, list[Verdict]]) -> None:
    ours = (replace(OURS[0], per="node"), OURS[1]) if other[0].per else OURS
    assert of(tmp_path, ours, other).contradictions == ()


# -- what is new ---------------------------------------------------------------------------


def test_since_shows_what_is_new_and_counts_what_is_left_out(tmp_path: Path) -> None:
    summary = the_summary(tmp_path, since=at(8))
    assert render_text(summary).startswith(
        "Nothing new since 2026-11-09 09:00 UTC; 6 older ones are still open."
    )
    early = render_text(the_summary(tmp_path, since=at(7) - timedelta(seconds=1)))
    assert early.startswith("Since 2026-11-08 08:59 UTC: 3 changes are confirmed, 1 is suspected")
    assert "CONFIRMED CHANGES (3)" in early
    assert "SUSPECTED (1)" in early


@pytest.mark.parametrize("form", ["text", "md", "html", "json", "junit", "atom"])
def test_the_command_writes_each_format(tmp_path: Path, form: str) -> None:
    a_database(tmp_path)
    out = tmp_path / f"report.{form}"
    result = CliRunner().invoke(
        command, ["--kb", str(tmp_path), "--format", form, "--out", str(out)], standalone_mode=False
    )
    assert result.return_value == 1
    assert out.read_text(encoding="utf-8").strip()


def test_since_last_is_what_the_newest_run_brought(tmp_path: Path) -> None:
    a_database(tmp_path)

    def told(*words: str) -> set[str]:
        result = CliRunner().invoke(command, ["--kb", str(tmp_path), "--json", *words], standalone_mode=False)
        return {e["claim"] for e in json.loads(result.output)["events"]}

    assert told("--since", "LAST") == {"vm.bandwidth", "vm.edited", "sums.each", "sums.twice"}
    assert told("--since", "2026-11-08") == set()
    assert told("--since", "2026-11-07") == told()


def test_a_since_that_is_none_is_refused(tmp_path: Path) -> None:
    a_database(tmp_path)
    result = CliRunner().invoke(command, ["--kb", str(tmp_path), "--since", "soon"])
    assert result.exit_code == 2
    assert "or LAST for the newest run" in result.output


# -- looking back --------------------------------------------------------------------------


def test_as_of_a_day_says_what_was_known_then(tmp_path: Path) -> None:
    demo_base.make(tmp_path)
    before = (tmp_path / "kb.db").read_bytes()

    def told(day: str) -> tuple[int, dict[str, Any]]:
        words = ["--kb", str(tmp_path), "--json", "--as-of", day]
        result = CliRunner().invoke(command, words, standalone_mode=False)
        return result.return_value, json.loads(result.output)

    code, first = told("2026-11-01")
    assert code == 0
    assert first["as_of"] == "2026-11-01"
    assert first["events"] == []
    code, second = told("2026-11-08")
    assert code == 1
    assert {e["claim"] for e in second["events"] if not e["closed"]} >= {
        "hgx.b200-networking",
        "aws-p5.instance",
    }
    code, none = told("2026-10-30")
    assert (code, none["claims"]) == (3, [])
    assert (tmp_path / "kb.db").read_bytes() == before
