"""The drift report, in its formats, and the exit code that goes with it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner
from knowledge import FIRST, NOW, a_capture, a_claim, a_database, a_source, a_verdict, an_input, at
from markdown_it import MarkdownIt

from kb.cli.report import command
from kb.judging import Verdict
from kb.reasons import Reason
from kb.report import Summary, exit_code, render_markdown, render_summary, render_text, report_json, summarise
from kb.store import BuildInput, Seen, open_rows, write_database

HELD = a_verdict(Reason.VERBATIM, "1 GB")
DRIFT = a_verdict(Reason.CHANGED, "2 GB")
UNCLEAR = a_verdict(Reason.SEVERAL_VALUES, "3 GB")
GONE = a_verdict(Reason.REMOVED, None)


def the_summary(folder: Path, **settings: object) -> Summary:
    with open_rows(a_database(folder)) as rows:
        return summarise(rows, NOW, **settings)  # type: ignore[arg-type]


def of_one(folder: Path, *verdicts: Verdict | None, now_day: float = 1, **facts: object) -> Summary:
    """One claim, read every six hours; None is a capture that was not read."""
    captures = [a_capture("x", i / 4) for i in range(len(verdicts))]
    pairs = list(zip(captures, verdicts, strict=True))
    build = BuildInput(
        sources=(a_source("x", a_claim("x.size", "1 GB"), **facts),),
        captures={"https://x.example/page": [Seen(c) if v else Seen(c, Reason.TIMEOUT) for c, v in pairs]},
        verdicts=[("x.size", c, v) for c, v in pairs if v],
        name="one",
    )
    write_database(folder / "kb.db", build)
    with open_rows(folder / "kb.db") as rows:
        return summarise(rows, at(now_day))


@pytest.mark.parametrize(
    ("verdicts", "code", "strict"),
    [
        ([HELD], 0, 0),
        ([HELD, DRIFT], 3, 1),
        ([HELD, DRIFT, DRIFT], 1, 1),
        ([HELD, DRIFT, DRIFT, None], 1, 1),
        ([HELD, DRIFT, DRIFT, UNCLEAR], 1, 1),  # the event is still open
        ([HELD, DRIFT, DRIFT, HELD], 0, 0),
        ([HELD, GONE, GONE], 3, 1),
        ([HELD, GONE, GONE, GONE], 1, 1),
        ([UNCLEAR], 3, 1),
        ([HELD, None], 3, 1),
        ([None], 3, 1),
        ([], 3, 1),
    ],
)
def test_the_exit_code_says_what_is_known(
    tmp_path: Path, verdicts: list[Verdict | None], code: int, strict: int
) -> None:
    summary = of_one(tmp_path, *verdicts)
    assert (exit_code(summary), exit_code(summary, strict=True)) == (code, strict)


def test_a_claim_that_was_not_read_for_twice_its_interval_is_stale(tmp_path: Path) -> None:
    assert exit_code(of_one(tmp_path, HELD, now_day=13.9)) == 0
    stale = of_one(tmp_path, HELD, now_day=14.1)
    assert exit_code(stale) == 3
    assert "1 is stale." in render_text(stale)


def test_claims_that_are_not_checked_stand_outside_coverage_and_exit_code(tmp_path: Path) -> None:
    with open_rows(a_database(tmp_path)) as rows:
        summary = summarise(rows, NOW, {"vm.memory", "off.count", "sums.assumed"})
    assert exit_code(summary) == 0
    assert str(summary.coverage) == "checked 1 of 1 claim, 1 of 1 source read"
    assert summary.counts["unchecked"] == 2


def test_no_claim_selected_is_nothing_known(tmp_path: Path) -> None:
    with open_rows(a_database(tmp_path)) as rows:
        summary = summarise(rows, NOW, set())
    assert exit_code(summary) == 3
    assert render_text(summary).startswith("No claim is selected")


def test_an_accepted_difference_is_no_alarm(tmp_path: Path) -> None:
    with open_rows(a_database(tmp_path)) as rows:
        summary = summarise(rows, NOW, {"vm.kept"})
    assert exit_code(summary, strict=True) == 0
    assert "1 differ and are accepted" in render_text(summary).splitlines()[0]


# -- text ----------------------------------------------------------------------------------


def test_one_line_when_there_is_nothing_to_tell(tmp_path: Path) -> None:
    assert render_text(of_one(tmp_path, HELD)) == (
        "The one claim holds. Checked 1 of 1 claim, 1 of 1 source read."
    )


def test_what_needs_a_person_comes_first_with_all_that_is_needed_to_act(tmp_path: Path) -> None:
    text = render_text(the_summary(tmp_path))
    titles = [line.split("(")[0].strip() for line in text.splitlines() if line.split("(")[0].isupper()]
    assert titles == [
        "CONFIRMED CHANGES",
        "SUSPECTED",
        "UNCLEAR",
        "UNREAD",
        "STATED, NOT CHECKED HERE YET",
        "ACCEPTED",
    ]
    change = text.partition("[vm.bandwidth]")[2].partition("\n\n")[0]
    for needed in (
        "stated   3,200 Gbps per VM, each way",
        "found    6.4 Tbps: the page gave our value before, and gives another now",
        'quote    "Networking of »6.4 Tbps« for each."',
        "where    Networking > Bandwidth; row Large; column Bandwidth",
        "link     https://vm.example/page#:~:text=here",
        "changed  between 2026-11-01 09:00 and 2026-11-08 09:00 UTC",
        "used by  sums.each (400.0 Gbps, would be 800.0 Gbps), sums.twice (800.0 Gbps, would be 1600.0\n",
        "kb accept vm.bandwidth --why TEXT",
        "kb accept vm.bandwidth --keep --why TEXT",
        "edit claims/vm.yaml",
    ):
        assert needed in change
    assert "Checked 11 of 13 claims, 2 of 4 sources read." in text


def test_formulas_come_after_what_they_follow_from(tmp_path: Path) -> None:
    assert [c.id for c in the_summary(tmp_path).confirmed] == ["vm.bandwidth", "sums.each", "sums.twice"]


def test_a_newer_value_beside_an_open_event_is_told_as_not_confirmed(tmp_path: Path) -> None:
    other = replace(DRIFT, found="5 GB")
    text = render_text(of_one(tmp_path, HELD, DRIFT, DRIFT, other))
    assert "found    2 GB" in text
    assert "the newest reading gives 5 GB, which is not confirmed yet" in text


def test_scraped_text_reaches_the_terminal_without_what_would_act_on_it(tmp_path: Path) -> None:
    evil = a_verdict(Reason.DIFFERS, "2 GB\x1b[2J\u202e", "2 GB\x1b]0;owned\x07 and\nmore")
    summary = of_one(tmp_path, evil, evil)
    for document in (render_text(summary), render_markdown(summary), render_summary(summary)):
        assert not {"\x1b", "\x07", "\u202e"} & set(document)


def test_the_summary_has_a_line_for_each_change_and_the_coverage(tmp_path: Path) -> None:
    lines = render_summary(the_summary(tmp_path)).splitlines()
    assert "  confirmed  vm.bandwidth: 3,200 Gbps -> 6.4 Tbps" in lines
    assert "  suspected  vm.makers: HPE, IBM, Intel -> gone" in lines
    assert "Checked 11 of 13 claims, 2 of 4 sources read." in lines


def test_since_shows_what_was_told_later(tmp_path: Path) -> None:
    late = the_summary(tmp_path, since=at(8))
    assert late.events == ()
    early = the_summary(tmp_path, since=at(7))
    assert {e.claim for e in early.events} == {"vm.bandwidth", "vm.edited", "sums.each", "sums.twice"}
    assert "vm.edited: 2026-11-08 15:00 UTC, the claim was edited (had 20 W)" in render_text(early)
    assert exit_code(late) == 1  # what is open stays open


# -- markdown ------------------------------------------------------------------------------


def test_markdown_shows_stated_beside_found_and_marks_the_figure(tmp_path: Path) -> None:
    html = MarkdownIt("commonmark").enable("table").render(render_markdown(the_summary(tmp_path)))
    assert "<td>3,200 Gbps per VM, each way</td>\n<td>6.4 Tbps</td>" in html
    assert "Networking of <strong>6.4 Tbps</strong> for each." in html
    assert '<a href="https://vm.example/page#:~:text=here">open at the spot</a>' in html


def test_scraped_text_makes_no_markdown(tmp_path: Path) -> None:
    evil = "<img src=x> [a](javascript:x) | **b** `c` # d"
    verdict = a_verdict(Reason.DIFFERS, evil, f"1. {evil}")
    verdict = replace(verdict, evidence=replace(verdict.evidence, link="javascript:alert(1)"))  # type: ignore[type-var]
    document = render_markdown(of_one(tmp_path, verdict, verdict, title=f"- {evil}"))
    html = MarkdownIt("commonmark", {"html": True}).enable("table").render(document)
    assert "<img" not in html
    assert 'href="javascript' not in html
    assert "<td>&lt;img src=x&gt; [a](javascript:x) | **b** `c` # d</td>" in html


# -- JSON ----------------------------------------------------------------------------------


def test_json_has_the_form_of_the_contract(tmp_path: Path) -> None:
    report = json.loads(json.dumps(report_json(the_summary(tmp_path))))
    contract = ["kb", "generated", "as_of", "coverage", "counts", "events", "claims"]
    assert list(report) == [*contract, "would_be", "contradictions", "undelivered", "proposed"]
    assert report["coverage"] == {"claims": 13, "checked": 11, "sources": 4, "read": 2}
    assert report["counts"] == {
        "holds": 6,
        "drifted": 4,
        "gone": 1,
        "unclear": 1,
        "unread": 1,
        "suspected": 1,
        "unchecked": 2,
    }
    assert set(report["events"][0]) == {"claim", "opened", "closed", "how", "stated", "found"}
    answer = {
        "id",
        "verdict",
        "reason",
        "detail",
        "found",
        "score",
        "captured",
        "digest",
        "evidence",
        "others",
    }
    more = {"source", "url", "publisher", "stated", "per", "direction", "confirmed", "since", "changed"}
    for claim in report["claims"]:
        assert set(claim) == answer | more | {"unread", "stale_after"}
    by_id = {c["id"]: c for c in report["claims"]}
    assert by_id["vm.bandwidth"]["confirmed"] is True
    assert by_id["vm.bandwidth"]["changed"] == ["2026-11-01T09:00:00Z", "2026-11-08T09:00:00Z"]
    assert by_id["vm.makers"]["stated"] == ["HPE", "IBM", "Intel"]
    assert by_id["vm.makers"]["confirmed"] is False
    assert by_id["wall.rate"]["verdict"] == "holds"
    assert by_id["wall.rate"]["unread"] == {
        "reason": "blocked",
        "since": "2026-11-08T09:00:00Z",
        "tries": 2,
    }
    assert by_id["off.count"]["verdict"] is None
    assert by_id["never.count"]["verdict"] == "unread"
    assert by_id["vm.price"]["stated"] == "price"


# -- the command ---------------------------------------------------------------------------


@pytest.fixture
def run(tmp_path: Path) -> Callable[..., object]:
    a_database(tmp_path)

    def run(*words: str) -> object:
        return CliRunner().invoke(command, ["--kb", str(tmp_path), *words], standalone_mode=False)

    return run


def test_the_command_prints_the_report_and_ends_with_its_code(
    run: Callable[..., object], tmp_path: Path
) -> None:
    for words, start in (
        ([], "3 changes are confirmed"),
        (["--format", "md"], "# Drift report: example"),
        (["--json"], '{\n  "kb": "example"'),
        (["--format", "json"], '{\n  "kb": "example"'),
    ):
        result = run(*words)
        assert result.output.startswith(start)  # type: ignore[attr-defined]
        assert result.return_value == 1  # type: ignore[attr-defined]


def test_the_command_takes_a_selection(run: Callable[..., object]) -> None:
    result = run("--only", "wall", "--only", "vm.mem*", "--json")
    report = json.loads(result.output)  # type: ignore[attr-defined]
    assert [c["id"] for c in report["claims"]] == ["vm.memory", "wall.rate"]
    assert result.return_value == 3  # type: ignore[attr-defined]
    tagged = json.loads(run("--tag", "cloud", "--json").output)  # type: ignore[attr-defined]
    assert {c["source"] for c in tagged["claims"]} == {"vm"}


def test_the_command_writes_a_file(run: Callable[..., object], tmp_path: Path) -> None:
    out = tmp_path / "report.md"
    result = run("--format", "md", "--out", str(out))
    assert result.output == ""  # type: ignore[attr-defined]
    assert out.read_text(encoding="utf-8").startswith("# Drift report")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["kb.db", "report.md"]


def test_the_time_of_the_report_makes_claims_stale_not_the_build(tmp_path: Path) -> None:
    write_database(tmp_path / "kb.db", an_input())
    with open_rows(tmp_path / "kb.db") as rows:
        assert not summarise(rows, NOW).stale
        assert len(summarise(rows, FIRST + timedelta(days=99)).stale) == 12
