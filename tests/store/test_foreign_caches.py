"""What was remembered is never trusted: whatever lies in place of kb.cache, the rows are the same."""

from __future__ import annotations

import random
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from weeks import NAMES, Base, page, rows

from kb.app.base import KnowledgeBase
from kb.app.build import build, forget
from kb.cli.build import command
from kb.engine import memory
from kb.errors import StoreError
from kb.reasons import Reason

Rows = dict[str, list[tuple[object, ...]]]


def filled(root: Path, figures: list[str]) -> Base:
    """A base with one run for each figure; claims and addresses are the same in every base."""
    base = Base(root, sums=True)
    for figure in figures:
        base.day += 1
        base.see({n: Reason.DNS if figure == "none" else page(n, figure) for n in NAMES})
    return base


def facts(database: Path) -> Rows:
    """All rows, but for the name of the folder."""
    found = rows(database)
    return found | {"about": [row for row in found["about"] if row[0] != "name"]}


@pytest.fixture
def ours(tmp_path: Path) -> Base:
    base = filled(tmp_path / "ours", ["640 GB", "960 GB", "none", "640 GB", "0.64 TB"])
    build(base.open(), jobs=1)
    return base


@pytest.fixture
def wanted(ours: Base, tmp_path: Path) -> Rows:
    """The rows that follow from the two folders of `ours` and from nothing else."""
    shutil.copytree(ours.root / "claims", tmp_path / "clean" / "claims")
    shutil.copytree(ours.root / "snapshots", tmp_path / "clean" / "snapshots")
    clean = KnowledgeBase.open(tmp_path / "clean", today=ours.now.date())
    build(clean, jobs=1)
    return facts(clean.database)


def built(base: Base, go_on: bool) -> Rows:
    build(base.open(), jobs=1, go_on=go_on)
    return facts(base.root / "kb.db")


def foreign(base: Base) -> None:
    """The whole cache of a base with the same claims and addresses that saw other pages."""
    theirs = filled(base.root.parent / "theirs", ["320 GB", "320 GB", "480 GB", "none"])
    build(theirs.open(), jobs=1)
    shutil.copy2(theirs.root / "kb.cache", base.root / "kb.cache")


def foreign_pair(base: Base) -> None:
    """Cache and database of that base together."""
    foreign(base)
    shutil.copy2(base.root.parent / "theirs" / "kb.db", base.root / "kb.db")


def moved_pair(base: Base) -> None:
    """The same, moved, so that the files are the very ones that were written."""
    foreign(base)
    for name in ("kb.db", "kb.cache"):
        (base.root.parent / "theirs" / name).replace(base.root / name)


def deleted(base: Base) -> None:
    (base.root / "kb.cache").unlink()


def empty(base: Base) -> None:
    (base.root / "kb.cache").write_bytes(b"")


def not_a_database(base: Base) -> None:
    (base.root / "kb.cache").write_bytes(b"not a database " * 999)


def a_folder(base: Base) -> None:
    (base.root / "kb.cache").unlink()
    (base.root / "kb.cache").mkdir()


def of_other_code(base: Base) -> None:
    """Another version's cache, in which what held is gone."""
    with closing(sqlite3.connect(base.root / "kb.cache")) as db, db:
        db.execute("UPDATE made_by SET code = 'an older one'")
        db.execute("UPDATE entries SET value = replace(value, 'holds', 'gone')")


def with_other_words(base: Base) -> None:
    """Entries under the right names with words that kb never wrote."""
    with closing(sqlite3.connect(base.root / "kb.cache")) as db, db:
        assert db.execute("UPDATE entries SET value = replace(value, '640 GB', '999 GB')").rowcount
        db.execute("UPDATE entries SET value = replace(value, 'holds', 'gone')")


def with_exchanged_words(base: Base) -> None:
    """Whole entries under each other's names."""
    with closing(sqlite3.connect(base.root / "kb.cache")) as db, db:
        lines = db.execute("SELECT key, value, sum FROM entries ORDER BY key").fetchall()
        for (key, *_), (_, value, check) in zip(lines, [*lines[1:], lines[0]], strict=True):
            db.execute("UPDATE entries SET value = ?, sum = ? WHERE key = ?", (value, check, key))


def with_other_types(base: Base) -> None:
    with closing(sqlite3.connect(base.root / "kb.cache")) as db, db:
        db.execute("UPDATE entries SET value = CAST(value AS BLOB)")


SPOILT = (
    *(foreign, foreign_pair, moved_pair, deleted, empty, not_a_database, a_folder),
    *(of_other_code, with_other_words, with_exchanged_words, with_other_types),
)


@pytest.mark.parametrize("go_on", [False, True])
@pytest.mark.parametrize("spoil", SPOILT)
def test_a_cache_that_is_not_ours_changes_no_row(
    ours: Base, wanted: Rows, spoil: Callable[[Base], None], go_on: bool
) -> None:
    spoil(ours)
    assert built(ours, go_on) == wanted
    assert built(ours, go_on) == wanted


@pytest.mark.parametrize("seed", range(4))
def test_a_cache_that_was_cut_or_has_other_bytes_changes_no_row_and_is_made_anew(
    ours: Base, wanted: Rows, seed: int
) -> None:
    chance = random.Random(seed)
    cache = ours.root / "kb.cache"
    whole = cache.read_bytes()
    for _ in range(6):
        data = bytearray(whole)
        if chance.random() < 0.4:
            del data[chance.randrange(len(data)) :]
        else:
            for _ in range(chance.choice([1, 40, 4000])):
                data[chance.randrange(100, len(data))] = chance.randrange(256)
        cache.write_bytes(data)
        assert built(ours, chance.random() < 0.5) == wanted
        assert built(ours, go_on=False) == wanted


def test_a_cache_that_cannot_be_written_to_is_started_anew(ours: Base, wanted: Rows) -> None:
    cache = ours.root / "kb.cache"
    data = bytearray(cache.read_bytes())
    for page_start in range(4096, len(data), 4096):  # all pages but the first, which tells whose it is
        data[page_start : page_start + 4096] = bytes(4096)
    cache.write_bytes(data)
    assert built(ours, go_on=False) == wanted
    with closing(sqlite3.connect(cache)) as db:
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert db.execute("SELECT count(*) FROM entries").fetchone()[0] > 10


def test_a_build_anew_takes_nothing_from_what_was_remembered(ours: Base) -> None:
    with closing(sqlite3.connect(ours.root / "kb.cache")) as db, db:
        db.execute("CREATE TABLE left_over (x)")
    command.main(["--kb", str(ours.root), "--anew", "--jobs", "1", "--quiet"], standalone_mode=False)
    with closing(sqlite3.connect(ours.root / "kb.cache")) as db:
        assert db.execute("SELECT count(*) FROM sqlite_master WHERE name = 'left_over'").fetchone() == (0,)
        assert db.execute("SELECT count(*) FROM entries").fetchone()[0] > 10
    a_folder(ours)
    with pytest.raises(StoreError, match="move it away"):
        forget(ours.open())


def test_an_entry_is_given_only_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "kb.cache"
    name = memory.key("verdict", "x")
    with memory.Memory(path) as kept:
        kept.put(name, "{}")
        kept.keep()
    with memory.Memory(path) as kept:
        assert kept.get(name) == "{}"
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE entries SET value = '[]'")
    with memory.Memory(path) as kept:
        assert kept.get(name) is None
