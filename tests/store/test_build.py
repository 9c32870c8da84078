"""kb.db: a pure function of what goes in, swapped in whole, with the histories told."""

from __future__ import annotations

import os
import random
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest
from knowledge import a_claim, a_database, a_source, an_input

from kb.errors import ArchiveError, StoreError
from kb.judging import Confirm
from kb.store import open_rows, schema, write_database


def everything(path: Path) -> dict[str, list[tuple[object, ...]]]:
    with sqlite3.connect(path) as db:
        names = (*schema.TABLES, *schema.VIEWS, "about")
        return {name: db.execute(f"SELECT * FROM {name}").fetchall() for name in names}


def states(path: Path) -> dict[str, str]:
    with open_rows(path) as rows:
        return {c.id: c.state for c in rows.claims()}


def test_equal_input_gives_equal_rows_in_any_order(tmp_path: Path) -> None:
    first = everything(a_database(tmp_path))
    given = an_input()
    verdicts = list(given.verdicts)
    random.Random(7).shuffle(verdicts)
    again = replace(
        given,
        sources=tuple(reversed(given.sources)),
        captures=dict(reversed([(u, list(reversed(s))) for u, s in given.captures.items()])),
        verdicts=iter(verdicts),
    )
    write_database(tmp_path / "other.db", again)
    assert everything(tmp_path / "other.db") == first
    assert all(first[name] for name in schema.TABLES)


def test_a_rebuild_over_the_old_file_gives_the_same_rows(tmp_path: Path) -> None:
    path = a_database(tmp_path)
    first = everything(path)
    assert everything(a_database(tmp_path)) == first


def test_each_claim_is_in_the_state_that_its_history_gives(tmp_path: Path) -> None:
    assert states(a_database(tmp_path)) == {
        "vm.bandwidth": "confirmed",
        "vm.memory": "holds",
        "vm.makers": "suspected",
        "vm.fabric": "unclear",
        "vm.price": "holds",
        "vm.since": "holds",
        "vm.kept": "accepted",
        "vm.edited": "holds",
        "sums.each": "confirmed",
        "sums.twice": "confirmed",
        "sums.assumed": "unchecked",
        "wall.rate": "holds",
        "never.count": "unread",
        "off.count": "unchecked",
        "hostile.text": "holds",
    }
    assert set(states(tmp_path / "kb.db").values()) <= set(schema.STATES)


def test_the_rule_of_confirmation_is_the_settings(tmp_path: Path) -> None:
    path = tmp_path / "kb.db"
    write_database(path, replace(an_input(), confirm=Confirm(drifted=3, gone=2)))
    found = states(path)
    assert (found["vm.bandwidth"], found["vm.makers"]) == ("suspected", "confirmed")


def test_a_claim_row_has_the_columns_that_the_files_have(tmp_path: Path) -> None:
    with sqlite3.connect(a_database(tmp_path)) as db:
        db.row_factory = sqlite3.Row
        row = db.execute("SELECT * FROM claims WHERE id = 'vm.bandwidth'").fetchone()
        makers = db.execute("SELECT list, figure FROM claims WHERE id = 'vm.makers'").fetchone()
    assert row["source"] == "vm"
    assert row["publisher"] == "Example Works"
    assert (row["kind"], row["figure"], row["per"]) == ("figure", "3,200 Gbps", "VM")
    assert (row["direction"], row["retrieved"], row["tags"]) == ("each way", None, '["cloud"]')
    assert tuple(makers) == ('["HPE","IBM","Intel"]', None)


def test_a_capture_that_was_not_read_is_a_verdict_of_each_claim_of_its_source(tmp_path: Path) -> None:
    with sqlite3.connect(a_database(tmp_path)) as db:
        rows = db.execute(
            "SELECT verdict, reason, detail FROM verdicts WHERE claim = 'wall.rate' ORDER BY captured"
        ).fetchall()
    assert rows == [("holds", "verbatim", ""), *[("unread", "blocked", "by a wall")] * 2]


def test_verdicts_say_what_was_stated_when_the_capture_was_taken(tmp_path: Path) -> None:
    with sqlite3.connect(a_database(tmp_path)) as db:
        rows = db.execute("SELECT stated, found FROM verdicts WHERE claim = 'vm.edited' ORDER BY capture")
        assert rows.fetchall() == [("10 W", "10 W"), ("10 W", "20 W"), ("10 W", "20 W")]
        events = db.execute("SELECT stated, found, how FROM events WHERE claim = 'vm.edited'").fetchall()
    assert events == [("10 W", "20 W", "edited")]


def test_verdicts_of_unknown_and_unchecked_claims_are_left_out(tmp_path: Path) -> None:
    given = an_input()
    _, capture, verdict = next(iter(given.verdicts))
    path = tmp_path / "kb.db"
    write_database(
        path, replace(given, verdicts=[("no.such", capture, verdict), ("off.count", capture, verdict)])
    )
    with sqlite3.connect(path) as db:
        assert db.execute("SELECT count(*) FROM verdicts WHERE verdict != 'unread'").fetchone() == (0,)


def test_a_formula_is_stale_with_the_first_of_its_inputs(tmp_path: Path) -> None:
    with open_rows(a_database(tmp_path)) as rows:
        by_id = {c.id: c for c in rows.claims()}
    assert by_id["sums.twice"].stale_after == by_id["vm.bandwidth"].stale_after
    assert by_id["never.count"].stale_after is None


def test_the_views_show_what_they_are_named_after(tmp_path: Path) -> None:
    with sqlite3.connect(a_database(tmp_path)) as db:
        assert {r[0] for r in db.execute("SELECT id FROM drift")} == {
            "vm.bandwidth",
            "sums.each",
            "sums.twice",
        }
        assert {r[0] for r in db.execute("SELECT id FROM to_review")} == {
            "vm.makers",
            "vm.fabric",
            "never.count",
            "wall.rate",
        }
        assert {tuple(r) for r in db.execute("SELECT id, reason, tries FROM unread_sources")} == {
            ("wall", "blocked", 2),
            ("never", None, None),
        }
        assert db.execute("SELECT count(*) FROM claims_now").fetchone() == (15,)
        walled = "SELECT claims, holds, unread FROM by_publisher WHERE publisher = 'Walled Garden'"
        assert db.execute(walled).fetchone() == (2, 1, 1)


def test_full_text_search_reads_claims_and_evidence(tmp_path: Path) -> None:
    with sqlite3.connect(a_database(tmp_path)) as db:
        find = "SELECT id FROM claims WHERE rowid IN (SELECT rowid FROM claims_fts WHERE claims_fts MATCH ?)"
        assert db.execute(find, ("networking",)).fetchall() == [("vm.bandwidth",)]
        assert db.execute(find, ("assumption",)).fetchall() == [("sums.assumed",)]


def test_the_file_is_marked_as_kbs_and_in_delete_mode(tmp_path: Path) -> None:
    path = a_database(tmp_path)
    assert schema.marks(path) == (schema.APPLICATION_ID, schema.USER_VERSION)
    with sqlite3.connect(path) as db:
        assert db.execute("PRAGMA journal_mode").fetchone() == ("delete",)
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert [p.name for p in tmp_path.iterdir()] == ["kb.db"]


def test_a_reader_of_the_old_file_goes_on_reading_it(tmp_path: Path) -> None:
    path = a_database(tmp_path)
    with open_rows(path) as old:
        write_database(path, replace(an_input(), sources=()))
        assert len(old.claims()) == 15
    with open_rows(path) as new:
        assert new.claims() == []


def test_a_build_that_fails_leaves_the_old_database_and_no_litter(tmp_path: Path) -> None:
    path = a_database(tmp_path)
    before = path.read_bytes()

    def broken():  # type: ignore[no-untyped-def]
        yield next(iter(an_input().verdicts))
        raise OSError(28, "No space left on device")

    with pytest.raises(StoreError, match="No space left"):
        write_database(path, replace(an_input(), verdicts=broken()))
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["kb.db"]


def test_what_a_dead_build_left_is_cleared_away(tmp_path: Path) -> None:
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    left, alive = tmp_path / f".kb.db.{child}.new", tmp_path / f".kb.db.{os.getppid()}.new"
    left.touch()
    alive.touch()
    a_database(tmp_path)
    assert not left.exists()
    assert alive.exists()


@pytest.mark.parametrize("words", ["missing", "text", "foreign", "old"])
def test_a_database_that_is_not_kbs_is_refused_with_what_to_do(tmp_path: Path, words: str) -> None:
    path = tmp_path / "kb.db"
    if words == "text":
        path.write_text("no database at all")
    elif words == "foreign":
        with sqlite3.connect(path) as db:
            db.execute("CREATE TABLE claims (id)")
    elif words == "old":
        a_database(tmp_path)
        with sqlite3.connect(path) as db:
            db.execute(f"PRAGMA user_version = {schema.USER_VERSION + 1}")
    says = {
        "missing": "not there",
        "text": "no database",
        "foreign": "not one of kb's",
        "old": "another version",
    }
    with pytest.raises(StoreError, match=says[words]):
        open_rows(path)


def test_rows_come_back_typed(tmp_path: Path) -> None:
    with open_rows(a_database(tmp_path)) as rows:
        makers, drift = rows.claim("vm.makers"), rows.claim("vm.bandwidth")
        assert rows.claim("no.such") is None
        assert rows.about().name == "example"
        events = {e.claim: e for e in rows.events()}
        source = {s.id: s for s in rows.sources()}
    assert makers is not None
    assert drift is not None
    assert makers.stated == ["HPE", "IBM", "Intel"]
    assert makers.suspected
    assert drift.changed == ("2026-11-01T09:00:00Z", "2026-11-08T09:00:00Z")
    assert (drift.found, drift.confirmed) == ("6.4 Tbps", True)
    assert drift.evidence is not None
    assert drift.evidence["headings"] == ["Networking", "Bandwidth"]
    assert (events["vm.bandwidth"].found, events["vm.bandwidth"].closed) == ("6.4 Tbps", None)
    assert events["vm.edited"].how == "edited"
    assert "vm.kept" not in events  # accepted before it was confirmed
    assert (source["wall"].unread, source["wall"].unread_tries) == ("blocked", 2)
    assert not source["off"].fetched


def test_a_claim_with_an_odd_name_or_no_captures_is_written(tmp_path: Path) -> None:
    path = tmp_path / "kb.db"
    claim = a_claim("x.y-z_1", "1 GB")
    write_database(path, replace(an_input(), sources=(a_source("x", claim),), captures={}, verdicts=()))
    with open_rows(path) as rows:
        (row,) = rows.claims()
    assert (row.verdict, row.reason, row.captured) == ("unread", None, None)


def test_a_fault_of_what_is_written_keeps_its_kind(tmp_path: Path) -> None:
    def lost():  # type: ignore[no-untyped-def]
        yield next(iter(an_input().verdicts))
        raise ArchiveError("the archive is damaged")

    with pytest.raises(ArchiveError, match="the archive is damaged"):
        write_database(tmp_path / "kb.db", replace(an_input(), verdicts=lost()))
    assert list(tmp_path.iterdir()) == []
