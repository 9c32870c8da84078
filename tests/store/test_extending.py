"""A database that captures were added to has the rows of one that is made anew."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from weeks import NAMES, Base, page, rows

from kb.app.base import KnowledgeBase
from kb.app.build import build
from kb.app.extend import extend
from kb.reasons import Reason


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


def test_a_database_that_was_edited_in_place_is_built_anew(tmp_path: Path, ways: list[bool]) -> None:
    base = Base(tmp_path, sums=False)
    base.see({name: page(name, "640 GB") for name in NAMES})
    build(base.open(), jobs=1, go_on=True)
    database = tmp_path / "kb.db"
    before = database.stat()
    with closing(sqlite3.connect(database)) as db, db:
        db.execute("UPDATE claims SET found = '999 GB' WHERE id = 'atlas.memory'")
    os.utime(database, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert database.stat().st_size == before.st_size
    base.day += 1
    base.see({"borea": page("borea", "640 GB")})
    compare(base)
    assert ways == [False, False]


def test_an_archive_file_that_others_put_in_place_is_read_again(tmp_path: Path, ways: list[bool]) -> None:
    base = Base(tmp_path / "ours", sums=False)
    base.see({"atlas": page("atlas", "640 GB")})
    build(base.open(), jobs=1, go_on=True)
    [file] = (base.root / "snapshots").glob("**/*.warc.gz")
    theirs = Base(tmp_path / "theirs", sums=False)
    theirs.see({"atlas": page("atlas", "960 GB")})
    [other] = (theirs.root / "snapshots").glob("**/*.warc.gz")
    shutil.copyfile(other, file)
    compare(base)
    assert {row[4] for row in rows(base.root / "kb.db")["verdicts"] if row[0] == "atlas.memory"} == {
        "drifted"
    }
    assert ways == [False, False]


def test_an_original_that_comes_back_completes_what_rested_on_it(tmp_path: Path, ways: list[bool]) -> None:
    base = Base(tmp_path / "base", sums=False)
    body = page("atlas", "640 GB")
    base.see({"elsewhere": body})
    [original] = (base.root / "snapshots").glob("**/*.warc.gz")
    base.day += 1
    base.see({"atlas": body, "borea": page("borea", "640 GB")})
    original.rename(tmp_path / original.name)
    compare(base)
    base.day += 1
    base.see({"borea": page("borea", "640 GB")})
    compare(base)
    assert "atlas.memory" not in {row[0] for row in rows(base.root / "kb.db")["verdicts"]}
    (tmp_path / original.name).rename(original)
    compare(base)
    assert "atlas.memory" in {row[0] for row in rows(base.root / "kb.db")["verdicts"]}
    assert ways == [False, True, False]
