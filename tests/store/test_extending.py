"""A database that captures were added to has the rows of one that is made anew."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from kb.app.base import KnowledgeBase
from kb.app.build import build
from kb.app.extend import extend
from kb.app.prune import prune_plan
from kb.claims import read_claims
from kb.claims.edit import keep, set_value, take_over
from kb.reasons import Reason
from kb.snapshots import Exchange
from kb.snapshots.importer import import_files
from kb.snapshots.prune import Policy, prune

FIRST = datetime(2026, 1, 1, 9, tzinfo=UTC)

SOURCE = """\
source:
  title: {name} sizes
  publisher: Example
  url: https://{name}.example/a.html
  retrieved: 2026-01-01
claims:
  - id: memory
    subject: {name}
    attribute: memory
    figure: 640 GB
  - id: makers
    subject: {name}
    attribute: makers
    list: [Alpha, Beta, Gamma]
"""

SUMS = """\
claims:
  - id: half
    subject: half of atlas
    attribute: memory
    formula: "{atlas.memory} / 2"
    figure: 320 GB
  - id: quarter
    subject: quarter of atlas
    attribute: memory
    formula: "{sums.half} / 2"
    figure: 160 GB
"""

NAMES = ("atlas", "borea", "cygnus")


def page(name: str, figure: str, makers: str = "Alpha, Beta and Gamma") -> bytes:
    return (
        f"<html lang=en><title>{name}</title><h1>{name} sizes</h1><p>{name} has a memory of {figure}.</p>"
        f"<p>{name} comes from its makers {makers}.</p></html>"
    ).encode()


class Base:
    """A knowledge base that goes from day to day."""

    def __init__(self, root: Path, sums: bool) -> None:
        self.root = root
        self.day = 0.0
        (root / "claims").mkdir(parents=True)
        for name in NAMES:
            (root / "claims" / f"{name}.yaml").write_text(SOURCE.format(name=name), encoding="utf-8")
        if sums:
            (root / "claims" / "sums.yaml").write_text(SUMS, encoding="utf-8")

    @property
    def now(self) -> datetime:
        return FIRST + timedelta(days=self.day)

    def open(self) -> KnowledgeBase:
        return KnowledgeBase.open(self.root, today=self.now.date())

    def see(self, seen: dict[str, bytes | Reason]) -> None:
        """One run: what each page answers."""
        with self.open().archive.begin(self.now) as run:
            for number, (name, answer) in enumerate(seen.items()):
                url = f"https://{name}.example/a.html"
                time = self.now + timedelta(seconds=number)
                if isinstance(answer, Reason):
                    run.keep(Exchange(url, url, time, reason=answer, detail="as told"))
                else:
                    headers = (("Content-Type", "text/html"),)
                    run.keep(Exchange(url, url, time, 200, headers, answer))

    def bring(self, name: str, body: bytes, days_ago: float) -> None:
        """A page that somebody saved is imported."""
        saved = self.root / "saved.html"
        saved.write_bytes(body)
        date = self.now - timedelta(days=days_ago)
        import_files(self.open().archive, [saved], self.now, url=f"https://{name}.example/a.html", date=date)

    def prune(self) -> int:
        """What nothing hangs on goes; how many captures that were."""
        kb = self.open()
        plan = prune_plan(kb, Policy(timedelta(days=5), every=timedelta(days=60)), self.now)
        return len(prune(kb.archive, plan, self.now, apply=True).captures)

    def edit(self, name: str, change: str) -> None:
        path = self.root / "claims" / f"{name}.yaml"
        text = path.read_text(encoding="utf-8")
        day = self.now.date().isoformat()
        if change == "take over":
            text = take_over(text, "memory", "960 GB", day, "raised")
        elif change == "keep":
            text = keep(text, "memory", "960 GB", day, "known")
        else:
            text = set_value(text, "memory", "800 GB")
        before = path.read_text(encoding="utf-8")
        path.write_text(text, encoding="utf-8")
        if any(p.level == "error" for p in read_claims(self.root, self.now.date())[1]):
            path.write_text(before, encoding="utf-8")  # a sum would be wrong, or two ends on one day


def rows(database: Path) -> dict[str, list[tuple[object, ...]]]:
    db = sqlite3.connect(database)
    try:
        names = [
            n for (n,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
        ]
        tables = {
            n: sorted(db.execute(f"SELECT * FROM [{n}]").fetchall(), key=repr)
            for n in names
            if "_fts" not in n
        }
        found = "SELECT id FROM claims_fts WHERE claims_fts MATCH ? ORDER BY id"
        for word in ("atlas", "960", "beta", "memory"):
            tables[f"search {word}"] = db.execute(found, (word,)).fetchall()
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        return tables
    finally:
        db.close()


@pytest.fixture
def ways(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[bool]]:
    """For each build, whether it went on from what was there."""
    gone_on: list[bool] = []

    def noted(*arguments: object) -> object:
        added = extend(*arguments)  # type: ignore[arg-type]
        gone_on.append(added is not None)
        return added

    monkeypatch.setattr("kb.app.build.extend", noted)
    yield gone_on


def compare(base: Base) -> None:
    kb = base.open()
    build(kb, jobs=1, go_on=True)
    added = rows(kb.database)
    apart = KnowledgeBase(kb.root, kb.settings, base.root / "apart.db", kb.today)
    build(apart, jobs=1)
    assert rows(apart.database) == added


@pytest.mark.parametrize("seed", range(6))
def test_whatever_happens_the_rows_are_those_of_a_whole_build(
    tmp_path: Path, seed: int, ways: list[bool]
) -> None:
    chance = random.Random(seed)
    base = Base(tmp_path / "base", sums=seed % 2 == 1)
    values = dict.fromkeys(NAMES, "640 GB")
    for _ in range(14):
        base.day += chance.choice([0.1, 1, 1, 7])
        seen: dict[str, bytes | Reason] = {}
        for name in NAMES:
            values[name] = chance.choice([values[name]] * 4 + ["640 GB", "960 GB", "0.64 TB", "much"])
            makers = chance.choice(["Alpha, Beta and Gamma"] * 4 + ["Alpha and Gamma"])
            if chance.random() < 0.8:
                answers: list[bytes | Reason] = [page(name, values[name], makers)] * 5
                seen[name] = chance.choice([*answers, Reason.TIMEOUT, b"<html><h1>404 Not Found</h1></html>"])
        if chance.random() < 0.1:
            seen["elsewhere"] = b"<html><p>nobody's page</p></html>"
        if seen:
            base.see(seen)
        if chance.random() < 0.2:
            base.edit(chance.choice(NAMES), chance.choice(["take over", "keep", "correct"]))
        compare(base)
    assert sum(ways) >= 7


@pytest.mark.parametrize("seed", [2, 3, 5, 6])
def test_imports_and_prunes_in_between_change_nothing_of_that(
    tmp_path: Path, seed: int, ways: list[bool]
) -> None:
    chance = random.Random(100 + seed)
    base = Base(tmp_path / "base", sums=seed % 2 == 1)
    values = dict.fromkeys(NAMES, "640 GB")
    pruned = 0
    for number in range(20):
        base.day += chance.choice([1, 1, 3])
        what = "prune" if number % 7 == 6 else chance.choice(["see", "see", "see", "import", "same"])
        name = chance.choice(NAMES)
        if what == "prune":
            pruned += base.prune()
        elif what == "import":
            base.bring(name, page(name, chance.choice(["640 GB", "960 GB"])), chance.choice([0, 0.5, 20]))
        else:
            if what == "see":
                values[name] = chance.choice([values[name]] * 5 + ["640 GB", "960 GB", "much"])
            base.see({n: Reason.DNS if chance.random() < 0.1 else page(n, values[n]) for n in NAMES})
        if what == "prune" or chance.random() < 0.7:  # else the next build has more than one step to add
            compare(base)
    compare(base)
    assert pruned
    assert True in ways and False in ways


def test_what_is_new_alone_is_read_and_judged(tmp_path: Path, ways: list[bool]) -> None:
    base = Base(tmp_path, sums=False)
    for _ in range(5):
        base.day += 1
        base.see({name: page(name, f"640 GB on day {base.day}") for name in NAMES})
        built = build(base.open(), jobs=1, go_on=True)
    assert ways == [False, True, True, True, True]
    assert (built.captures, built.verdicts) == (3, 6)
    assert build(base.open(), jobs=1, go_on=True).verdicts == 0


def test_another_database_or_setting_or_an_older_capture_is_built_anew(
    tmp_path: Path, ways: list[bool]
) -> None:
    base = Base(tmp_path, sums=False)
    base.day = 5
    base.see({"atlas": page("atlas", "640 GB")})
    build(base.open(), jobs=1, go_on=True)
    base.day = 3
    base.see({"atlas": page("atlas", "960 GB")})  # as an import may bring it
    compare(base)
    (tmp_path / "kb.toml").write_text("[confirm]\ndrifted = 1\n", encoding="utf-8")
    compare(base)
    db = sqlite3.connect(tmp_path / "kb.db")
    db.execute("UPDATE claims SET found = 'tampered with'")
    db.commit()
    db.close()
    compare(base)
    (tmp_path / "kb.cache").unlink()
    compare(base)
    (tmp_path / "claims" / "borea.yaml").unlink()
    compare(base)
    assert ways == [False] * 6
