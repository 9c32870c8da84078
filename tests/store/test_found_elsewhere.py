"""A value that its page lost is looked for in our other sources about the same subject."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from kb.app.base import KnowledgeBase
from kb.app.build import build
from kb.app.extend import extend
from kb.app.prune import prune_plan
from kb.app.replay import replay
from kb.claims.edit import set_value
from kb.cli.main import cli
from kb.reasons import Reason
from kb.snapshots import Exchange
from kb.snapshots.importer import import_files
from kb.snapshots.prune import Policy, prune

FIRST = datetime(2026, 1, 5, 9, tzinfo=UTC)

SOURCE = """\
source:
  title: {title}
  publisher: Example
  url: https://{name}.example/page.html
  retrieved: 2026-01-01
claims:
  - id: memory
    subject: {subject}
    attribute: {attribute}
    figure: {figure}
"""

SUM = """\
claims:
  - id: half
    subject: half of Atlas-3
    attribute: memory
    formula: "{maker.memory} / 2"
    figure: 320 GB
"""

PAGES = {
    "maker": ("Atlas-3", "memory", "640 GB"),
    "shop": ("Atlas-3", "delivery time", "12 days"),
    "paper": ("Borea-9", "memory", "640 GB"),
}


def page(*sentences: str) -> bytes:
    body = "".join(f"<p>{s}</p>" for s in (*sentences, "Nothing else is said of sizes on this page."))
    return f"<html lang=en><title>Sizes</title><h1>Sizes of parts</h1>{body}</html>".encode()


HAS = page("The Atlas-3 has a memory of 640 GB.", "The Atlas-3 has a delivery time of 12 days.")
HAS_NOT = page("The Atlas-3 comes in three colours.", "The Atlas-3 has a delivery time of 12 days.")
OTHER = page("The Borea-9 has a memory of 640 GB.")


class Base:
    """A knowledge base that goes from day to day."""

    def __init__(self, root: Path, total: bool = False) -> None:
        self.root, self.day = root, 0.0
        (root / "claims").mkdir(parents=True)
        for name, (subject, attribute, figure) in PAGES.items():
            text = SOURCE.format(
                name=name, title=f"The {name}'s page", subject=subject, attribute=attribute, figure=figure
            )
            (root / "claims" / f"{name}.yaml").write_text(text, encoding="utf-8")
        if total:
            (root / "claims" / "total.yaml").write_text(SUM, encoding="utf-8")

    def open(self, database: str = "kb.db") -> KnowledgeBase:
        now = FIRST + timedelta(days=self.day)
        return KnowledgeBase.open(self.root, self.root / database, today=now.date())

    def see(self, days: float = 1, **seen: bytes | Reason) -> None:
        """One run, some days later: what each page answers, a second after the one before it."""
        self.day += days
        now = FIRST + timedelta(days=self.day)
        with self.open().archive.begin(now) as run:
            for number, (name, answer) in enumerate(seen.items()):
                url, time = f"https://{name}.example/page.html", now + timedelta(seconds=number)
                if isinstance(answer, Reason):
                    run.keep(Exchange(url, url, time, reason=answer, detail="as told"))
                else:
                    run.keep(Exchange(url, url, time, 200, (("Content-Type", "text/html"),), answer))

    def said_at(self) -> list[tuple[str, tuple[Any, ...]]]:
        """For each moment what was said of the maker's memory."""
        with closing(sqlite3.connect(self.root / "kb.db")) as db:
            ask = "SELECT captured, verdict, reason FROM verdicts WHERE claim = 'maker.memory'"
            return [(time, tuple(said)) for time, *said in db.execute(ask)]

    def said(self, claim: str = "maker.memory", database: str = "kb.db") -> list[tuple[Any, ...]]:
        """Outcome, reason and detail of each verdict, in the order of time."""
        with closing(sqlite3.connect(self.root / database)) as db:
            ask = "SELECT verdict, reason, detail FROM verdicts WHERE claim = ? ORDER BY capture"
            return db.execute(ask, (claim,)).fetchall()


def rows(path: Path) -> dict[str, list[Any]]:
    with closing(sqlite3.connect(path)) as db:
        tables = ("sources", "claims", "captures", "runs", "verdicts", "events")
        return {n: sorted(db.execute(f"SELECT * FROM {n}").fetchall(), key=repr) for n in tables}


def compare(base: Base) -> None:
    """Going on and beginning anew give the same rows."""
    build(base.open(), jobs=1, go_on=True)
    (base.root / "apart.cache").unlink(missing_ok=True)
    build(base.open("apart.db"), jobs=1)
    assert rows(base.root / "kb.db") == rows(base.root / "apart.db")


def test_a_value_that_another_source_on_the_subject_has_is_unclear_and_told_with_its_place(
    tmp_path: Path,
) -> None:
    base = Base(tmp_path)
    base.see(maker=HAS, shop=HAS, paper=OTHER)
    base.see(shop=HAS, maker=HAS_NOT)
    build(base.open(), jobs=1)
    held, lost = base.said()
    assert held[:2] == ("holds", "verbatim")
    assert lost[:2] == ("unclear", "found-elsewhere")
    assert lost[2].startswith("not here, but in shop: “The Atlas-3 has a memory of 640 GB.”; it stood in: ")
    with closing(sqlite3.connect(base.root / "kb.db")) as db:
        (others, found) = db.execute("SELECT others, found FROM claims WHERE id = 'maker.memory'").fetchone()
    assert found is None
    assert '"640 GB"' in others and "https://shop.example/page.html#:~:text=" in others
    told = CliRunner().invoke(cli, ["report", "--kb", str(tmp_path)])
    assert "not here, but in shop" in " ".join(told.output.split())


def test_a_value_about_another_subject_is_no_find(tmp_path: Path) -> None:
    base = Base(tmp_path)
    base.see(maker=HAS, shop=HAS_NOT, paper=OTHER)
    base.see(shop=HAS_NOT, paper=OTHER, maker=HAS_NOT)
    build(base.open(), jobs=1)
    assert [line[:2] for line in base.said()] == [("holds", "verbatim"), ("gone", "removed")]


def test_only_what_the_other_page_said_by_then_counts(tmp_path: Path) -> None:
    base = Base(tmp_path)
    base.see(maker=HAS, shop=HAS_NOT)
    base.see(maker=HAS_NOT, shop=HAS)  # the shop's page is read a second later
    base.see(maker=HAS_NOT, shop=Reason.TIMEOUT)
    base.see(shop=HAS_NOT, maker=HAS_NOT)
    build(base.open(), jobs=1)
    assert [line[0] for line in base.said()] == ["holds", "gone", "unclear", "gone"]


def test_an_event_that_is_open_stays_open(tmp_path: Path) -> None:
    base = Base(tmp_path)
    base.see(maker=HAS, shop=HAS_NOT)
    for _ in range(3):
        base.see(maker=HAS_NOT, shop=HAS_NOT)
    base.see(shop=HAS, maker=HAS_NOT)
    build(base.open(), jobs=1)
    with closing(sqlite3.connect(base.root / "kb.db")) as db:
        assert db.execute("SELECT claim, verdict, closed FROM events").fetchall() == [
            ("maker.memory", "gone", None)
        ]
        assert db.execute("SELECT verdict FROM claims WHERE id = 'maker.memory'").fetchone() == ("unclear",)


def test_a_replay_says_what_the_build_said(tmp_path: Path) -> None:
    base = Base(tmp_path)
    base.see(maker=HAS, shop=HAS)
    base.see(maker=HAS_NOT, shop=Reason.DNS)
    build(base.open(), jobs=1)
    digest = base.open().archive.captures("https://maker.example/page.html")[-1].digest
    verdict = replay(base.open(), digest, "maker.memory")
    assert (str(verdict.outcome), str(verdict.reason), verdict.detail) == base.said()[-1]
    asked = ["verify", "--capture", digest, "maker.memory", "--kb", str(tmp_path), "--explain"]
    told = CliRunner().invoke(cli, asked)
    assert told.exit_code == 3
    assert "not here, but in shop" in " ".join(told.output.split())
    assert "no candidates" in told.output  # no size of any kind is left on the page
    first = base.open().archive.captures("https://maker.example/page.html")[0].digest
    asked[2] = first
    assert "1. 640 GB (verbatim), score" in CliRunner().invoke(cli, asked).output


def test_as_of_a_day_is_a_build_of_what_was_there_then(tmp_path: Path) -> None:
    base = Base(tmp_path / "whole")
    early = Base(tmp_path / "early")
    for one in (base, early):
        one.see(maker=HAS, shop=HAS)
        one.see(maker=HAS_NOT)
    base.see(shop=HAS_NOT, maker=HAS_NOT)
    build(base.open(), jobs=1, until=FIRST + timedelta(days=2, hours=5))
    build(early.open(), jobs=1)
    assert base.said() == early.said() != []


def test_pruning_changes_nothing_that_was_found_elsewhere(tmp_path: Path) -> None:
    base = Base(tmp_path)
    base.see(maker=HAS, shop=HAS_NOT)
    for number, has in enumerate("--+-++--++-+"):
        base.see(shop=(HAS if has == "+" else HAS_NOT) + b"<p>Read %d times.</p>" % number)
        if number % 3 == 1:
            base.see(maker=HAS_NOT)
    build(base.open(), jobs=1)
    before = dict(base.said_at())
    now = FIRST + timedelta(days=base.day)
    kb = base.open()
    plan = prune_plan(kb, Policy(timedelta(days=1), every=timedelta(days=60)), now)
    assert plan
    prune(kb.archive, plan, now, apply=True)
    build(base.open(), jobs=1)
    assert dict(base.said_at()) == before


@pytest.mark.parametrize("seed", range(6))
def test_whatever_happens_going_on_gives_the_rows_of_a_whole_build(
    tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    ways: list[bool] = []

    def noted(*arguments: Any) -> Any:
        added = extend(*arguments)
        ways.append(added is not None)
        return added

    monkeypatch.setattr("kb.app.build.extend", noted)
    chance = random.Random(seed)
    base = Base(tmp_path, total=seed % 2 == 0)
    reasons: set[str] = set()
    for number in range(14):
        answers = {
            name: chance.choice([HAS, HAS, HAS_NOT, HAS_NOT, OTHER, Reason.TIMEOUT])
            for name in chance.sample(list(PAGES), 3)
            if chance.random() < 0.8
        }
        if answers:
            base.see(chance.choice([0.1, 1, 3]), **answers)
        if number == 5:
            saved = tmp_path / "saved.html"
            saved.write_bytes(HAS)
            now = FIRST + timedelta(days=base.day)
            url = "https://shop.example/page.html"
            import_files(base.open().archive, [saved], now, url=url, date=now - timedelta(days=2))
        if number == 9:
            path = tmp_path / "claims" / "shop.yaml"
            path.write_text(
                set_value(path.read_text(encoding="utf-8"), "memory", "11 days"), encoding="utf-8"
            )
        compare(base)
        reasons |= {line[1] for line in base.said()}
    assert "found-elsewhere" in reasons
    assert ways.count(True) >= 7
