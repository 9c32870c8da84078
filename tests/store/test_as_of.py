"""As of a day, `kb` says what was known at its end: captures, claims, and what was stated then."""

from __future__ import annotations

import json
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from kb.app.base import KnowledgeBase
from kb.app.build import build
from kb.claims import read_claims
from kb.claims.edit import keep, take_over
from kb.cli.build import command as build_command
from kb.cli.report import command as report_command
from kb.reasons import Reason
from kb.snapshots import Exchange

URL = "https://atlas.example/sizes.html"
FIRST = datetime(2026, 3, 1, 9, tzinfo=UTC)
LAST_DAY = date(2026, 11, 30)

ATLAS = f"""\
source:
  title: Atlas sizes
  publisher: Example
  url: {URL}
  retrieved: 2026-03-01
claims:
  - id: memory
    subject: Atlas
    attribute: memory
    figure: 640 GB
  - id: power
    subject: Atlas
    attribute: power draw
    figure: 700 W
"""

LATER = """\
source:
  title: Atlas sizes, read again
  publisher: Example
  url: {url}
  retrieved: {day}
claims:
  - id: weight
    subject: Atlas
    attribute: weight
    figure: 20 kg
"""


def page(memory: str, power: str = "700 W") -> bytes:
    return (
        f"<html lang=en><title>Atlas sizes</title><h1>Atlas sizes</h1><p>Atlas has a memory of {memory}.</p>"
        f"<p>Atlas has a power draw of {power}.</p><p>The weight of Atlas is 20 kg.</p></html>"
    ).encode()


@contextmanager
def knowledge_base() -> Iterator[KnowledgeBase]:
    with tempfile.TemporaryDirectory() as folder:
        start(Path(folder))
        yield opened(Path(folder))


def start(root: Path) -> None:
    (root / "claims").mkdir()
    (root / "claims" / "atlas.yaml").write_text(ATLAS, encoding="utf-8")


def opened(root: Path) -> KnowledgeBase:
    return KnowledgeBase.open(root, today=LAST_DAY)


def see(root: Path, now: datetime, answer: bytes | Reason) -> None:
    with opened(root).archive.begin(now) as run:
        if isinstance(answer, Reason):
            run.keep(Exchange(URL, URL, now, reason=answer))
        else:
            run.keep(Exchange(URL, URL, now, 200, (("Content-Type", "text/html"),), answer))


def edit(root: Path, change: str, day: date) -> None:
    """A person's edit on that day, as `kb accept` writes it; none where the file would be faulty."""
    file = root / "claims" / "atlas.yaml"
    before = file.read_text(encoding="utf-8")
    if change == "keep" and "accepted" in before:
        return  # it would take the place of the one before, of which nothing is known then
    change_to = {"take over": take_over, "keep": keep}[change]
    file.write_text(change_to(before, "memory", "960 GB", day.isoformat(), "told so"), encoding="utf-8")
    if any(p.level == "error" for p in read_claims(root, LAST_DAY)[1]):
        file.write_text(before, encoding="utf-8")


def told(root: Path, *words: str) -> tuple[int, dict[str, Any]]:
    result = CliRunner().invoke(report_command, ["--kb", str(root), "--json", *words], standalone_mode=False)
    assert result.exception is None, result.exception
    return result.return_value, json.loads(result.stdout)


def claim(report: dict[str, Any], id: str) -> dict[str, Any]:
    (found,) = [c for c in report["claims"] if c["id"] == id]
    return dict(found)


@pytest.fixture
def drifted(tmp_path: Path) -> Path:
    """A page that changes on the second day and stays so."""
    start(tmp_path)
    for number, memory in enumerate(["640 GB", "960 GB", "960 GB", "960 GB", "960 GB"]):
        see(tmp_path, FIRST + timedelta(days=number), page(memory))
    return tmp_path


@pytest.mark.parametrize("change", ["take over", "keep"])
def test_what_a_person_wrote_later_does_not_count_yet(drifted: Path, change: str) -> None:
    untouched = {day: told(drifted, "--as-of", day) for day in ("2026-03-01", "2026-03-02", "2026-03-04")}
    assert [code for code, _ in untouched.values()] == [0, 3, 1]
    edit(drifted, change, date(2026, 3, 10))
    for day, before in untouched.items():
        code, report = told(drifted, "--as-of", day)
        assert (code, report["counts"], report["events"], report["coverage"]) == (
            before[0],
            before[1]["counts"],
            before[1]["events"],
            before[1]["coverage"],
        )
        assert claim(report, "atlas.memory") == claim(before[1], "atlas.memory")
        assert claim(report, "atlas.memory")["stated"] == "640 GB"


def test_what_was_taken_over_counts_from_the_day_after_its_last(drifted: Path) -> None:
    edit(drifted, "take over", date(2026, 3, 4))
    on_the_day = told(drifted, "--as-of", "2026-03-04")
    assert on_the_day[0] == 1
    assert claim(on_the_day[1], "atlas.memory")["stated"] == "640 GB"
    code, after = told(drifted, "--as-of", "2026-03-05")
    assert code == 0
    assert claim(after, "atlas.memory")["stated"] == "960 GB"
    assert [(e["closed"][:10], e["how"]) for e in after["events"]] == [("2026-03-04", "edited")]


def test_what_was_accepted_counts_from_its_day_on(drifted: Path) -> None:
    edit(drifted, "keep", date(2026, 3, 4))
    assert told(drifted, "--as-of", "2026-03-03")[0] == 1
    code, report = told(drifted, "--as-of", "2026-03-04")
    assert code == 0
    assert [e["how"] for e in report["events"]] == ["accepted"]


def test_a_claim_with_an_older_value_was_stated_before_it_was_retrieved_again(drifted: Path) -> None:
    edit(drifted, "take over", date(2026, 3, 4))
    file = drifted / "claims" / "atlas.yaml"
    file.write_text(
        file.read_text().replace("figure: 960 GB\n", "figure: 960 GB\n    retrieved: 2026-03-05\n")
    )
    assert "retrieved: 2026-03-05" in file.read_text()
    code, report = told(drifted, "--as-of", "2026-03-03")
    assert code == 1
    assert claim(report, "atlas.memory")["stated"] == "640 GB"
    assert told(drifted, "--as-of", "2026-03-05")[0] == 0


def test_another_kind_of_value_that_was_in_force_is_stated_as_that_kind(tmp_path: Path) -> None:
    start(tmp_path)
    file = tmp_path / "claims" / "atlas.yaml"
    file.write_text(
        ATLAS + "    was:\n      - {text: unknown yet, until: 2026-03-04}\n"
        "      - {figure: 650 W, until: 2026-03-02}\n"
    )
    see(tmp_path, FIRST, page("640 GB", "650 W"))
    see(tmp_path, FIRST + timedelta(days=2), page("640 GB", "unknown yet"))
    see(tmp_path, FIRST + timedelta(days=4), page("640 GB", "700 W"))
    stated = {}
    for day in ("2026-03-01", "2026-03-03", "2026-03-05"):
        one = claim(told(tmp_path, "--as-of", day)[1], "atlas.power")
        stated[day] = (one["stated"], one["verdict"])
    assert stated == {
        "2026-03-01": ("650 W", "holds"),
        "2026-03-03": ("unknown yet", "holds"),
        "2026-03-05": ("700 W", "holds"),
    }


def test_claims_that_were_retrieved_later_are_counted_apart(drifted: Path) -> None:
    elsewhere = "https://atlas.example/weight.html"
    more = LATER.format(url=elsewhere, day="2026-03-03") + (
        "  - id: memory\n    subject: Atlas\n    attribute: memory\n    figure: 512 GB\n"
    )
    (drifted / "claims" / "later.yaml").write_text(more, encoding="utf-8")
    (drifted / "claims" / "sums.yaml").write_text(
        "claims:\n  - id: pair\n    subject: two of Atlas\n    attribute: weight\n"
        '    formula: "{later.weight} * 2"\n    figure: 40 kg\n',
        encoding="utf-8",
    )
    code, report = told(drifted, "--as-of", "2026-03-01")
    assert code == 0
    assert [c["id"] for c in report["claims"]] == ["atlas.memory", "atlas.power"]
    assert report["coverage"] == {"claims": 2, "checked": 2, "sources": 1, "read": 1}
    text = CliRunner().invoke(report_command, ["--kb", str(drifted), "--as-of", "2026-03-01"])
    assert "contradict" not in text.output.lower()
    said = CliRunner().invoke(build_command, ["--kb", str(drifted), "--as-of", "2026-03-01"])
    assert "as of 2026-03-01" in said.output
    assert "not yet stated 3" in said.output
    assert "not yet stated" not in CliRunner().invoke(build_command, ["--kb", str(drifted)]).output
    assert len(told(drifted, "--as-of", "2026-03-03")[1]["claims"]) == 5


def test_the_next_build_gives_the_present_again(drifted: Path) -> None:
    CliRunner().invoke(build_command, ["--kb", str(drifted)])
    present = rows(drifted / "kb.db")
    CliRunner().invoke(build_command, ["--kb", str(drifted), "--as-of", "2026-03-01"])
    assert rows(drifted / "kb.db") != present
    build(opened(drifted), jobs=1, go_on=True)
    assert rows(drifted / "kb.db") == present


def rows(database: Path, without: str = "nothing") -> dict[str, list[tuple[Any, ...]]]:
    """All rows, apart from those of one source and its claims, and from where in its file a claim starts."""
    with closing(sqlite3.connect(database)) as db:
        db.execute("DELETE FROM claims WHERE source = ?", (without,))
        db.execute("DELETE FROM sources WHERE id = ?", (without,))
        db.execute("UPDATE claims SET line = NULL")
        tables = ("sources", "claims", "captures", "runs", "verdicts", "events")
        all_rows = {}
        for name in tables:
            lines = db.execute(f"SELECT * FROM {name}").fetchall()
            if name in ("verdicts", "events"):
                lines = [line for line in lines if not any(str(v).startswith(f"{without}.") for v in line)]
            all_rows[name] = sorted(lines, key=repr)
        return all_rows


days = st.lists(
    st.tuples(
        st.sampled_from([1, 1, 2, 9]),
        st.one_of(
            st.tuples(st.just("see"), st.sampled_from(["640 GB", "960 GB", "0.64 TB", "much"])),
            st.tuples(st.just("fail"), st.sampled_from([Reason.DNS, Reason.TIMEOUT])),
            st.tuples(st.just("take over"), st.none()),
            st.tuples(st.just("keep"), st.none()),
        ),
    ),
    min_size=3,
    max_size=9,
)


@settings(max_examples=15, deadline=None)
@given(days, st.integers(0, 8), st.booleans())
def test_as_of_a_day_equals_a_build_of_what_existed_then(
    story: list[tuple[int, tuple[str, Any]]], at: int, add: bool
) -> None:
    """Captures up to then, and the claims files as they lay there at the end of that day.

    An edit ends the old value with the day before it, and one that accepts is of its own day.
    """
    at = min(at, len(story) - 1)
    with knowledge_base() as kb, tempfile.TemporaryDirectory() as folder:
        now = looked_back = FIRST
        then = opened(kb.root)
        for number, (gap, (what, how)) in enumerate(story):
            now += timedelta(days=gap)
            if what == "see":
                see(kb.root, now, page(how))
            elif what == "fail":
                see(kb.root, now, how)
            else:
                edit(kb.root, what, now.date() - timedelta(days=what == "take over"))
            if number == at:
                looked_back = now
                shutil.copytree(kb.root, Path(folder) / "then", ignore=shutil.ignore_patterns(".*"))
                then = opened(Path(folder) / "then")
        without = "nothing"
        if add:
            without = "later"
            later = LATER.format(url=URL, day=(looked_back + timedelta(days=1)).date())
            (kb.root / "claims" / "later.yaml").write_text(later, encoding="utf-8")
        end = datetime.combine(looked_back.date(), time.max, tzinfo=UTC)
        built = build(opened(kb.root), until=end, jobs=1)
        build(opened(then.root), jobs=1)
        assert rows(kb.database, without) == rows(then.database)
        assert built.not_yet == add
        day = looked_back.date().isoformat()
        code, report = told(kb.root, "--as-of", day)
        code_then, report_then = told(then.root, "--as-of", day)
        for one in (report, report_then):
            del one["kb"]
        assert (code, report) == (code_then, report_then)
