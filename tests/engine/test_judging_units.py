"""Captures judged in the order of time, from memory or anew; formulas where an input was read."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from kb.claims import Claim, ClaimSet, Source, Was
from kb.engine import Unit, derive, judge_unit, place
from kb.engine.memory import APPLICATION_ID, Memory, key
from kb.judging import Verdict, judge_page
from kb.quantity import parse_figure
from kb.reasons import Outcome, Reason
from kb.snapshots import Capture

URL = "https://example.org/sizes.html"
START = datetime(2026, 1, 1, 9, tzinfo=UTC)


def page(figure: str, more: str = "") -> bytes:
    text = (
        f"<html lang=en><h1>Atlas sizes</h1><p>Atlas has a memory of {figure} for each node.</p>{more}</html>"
    )
    return text.encode()


def figure(id: str = "atlas.memory", value: str = "640 GB", **more: object) -> Claim:
    quantity = parse_figure(value)
    return Claim(id, "Atlas", "figure", value, attribute="memory", quantity=quantity, **more)  # type: ignore[arg-type]


class Bodies:
    """Captures with bodies, and how often each body was asked for."""

    def __init__(self) -> None:
        self.captures: list[Capture] = []
        self.bodies: dict[str, bytes] = {}
        self.asked: list[str] = []

    def add(self, body: bytes | None, reason: Reason | None = None, status: int | None = 200) -> None:
        digest = f"sha256:{hash(body) & 0xFFFFFFFF:x}" if body is not None else ""
        if body is not None:
            self.bodies[digest] = body
        self.captures.append(
            Capture(
                requested=URL,
                url=URL,
                time=START + timedelta(days=len(self.captures)),
                digest=digest,
                status=None if reason else status,
                reason=reason,
                headers=(("Content-Type", "text/html"),),
                run=f"run-{len(self.captures)}",
            )
        )

    def load(self, capture: Capture) -> bytes | None:
        self.asked.append(capture.digest)
        return self.bodies.get(capture.digest)

    def unit(self, *claims: Claim) -> Unit:
        return Unit(URL, claims, tuple(self.captures))


def told(judged: list) -> list[tuple[str, str]]:
    return [(str(v.outcome), str(v.reason)) for one in judged for v in one.verdicts]


def test_a_change_is_measured_from_where_the_claim_held_at_every_later_look() -> None:
    bodies = Bodies()
    for body in (page("640 GB"), page("960 GB"), page("960 GB", "<p>New words.</p>"), page("640 GB")):
        bodies.add(body)
    assert told(judge_unit(bodies.unit(figure()), bodies.load)) == [
        ("holds", "verbatim"),
        ("drifted", "changed"),
        ("drifted", "changed"),
        ("holds", "verbatim"),
    ]


def test_the_same_bytes_cost_no_second_reading() -> None:
    bodies = Bodies()
    for _ in range(3):
        bodies.add(page("640 GB"))
    judged = judge_unit(bodies.unit(figure()), bodies.load)
    assert told(judged) == [("holds", "verbatim")] * 3
    assert len(bodies.asked) == 1
    assert [v.captured for one in judged for v in one.verdicts] == [c.captured for c in bodies.captures]


def test_other_bytes_that_say_the_same_cost_no_new_judgement(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged: list[int] = []

    def counted(claims: Sequence[Claim], *arguments: Any) -> list[Verdict]:
        judged.append(len(claims))
        return judge_page(claims, *arguments)

    monkeypatch.setattr("kb.engine.unit.judge_page", counted)
    bodies = Bodies()
    for body in (page("640 GB"), page("640 GB", "<!-- 2 -->"), page("640 GB", "<script>3</script>")):
        bodies.add(body)
    with Memory(tmp_path / "kb.cache") as memory:
        first = judge_unit(bodies.unit(figure()), bodies.load, memory)
        assert told(first) == [("holds", "verbatim")] * 3
        assert [v.digest for one in first for v in one.verdicts] == [c.digest for c in bodies.captures]
        assert judged == [1]
        before = place(bodies.captures[-1])
        bodies.add(page("640 GB", "<!-- 4 -->"))
        bodies.add(page("960 GB", "<!-- 4 -->"))
        unit = Unit(URL, (figure(),), tuple(bodies.captures[3:]), before)
        assert told(judge_unit(unit, bodies.load, memory)) == [("holds", "verbatim"), ("drifted", "changed")]
        assert judged == [1, 1]
        again = judge_unit(bodies.unit(figure()), bodies.load, memory)
        assert judged == [1, 1]
    assert again == judge_unit(bodies.unit(figure()), bodies.load)


def test_a_claim_is_judged_the_same_whichever_others_are_judged_with_it() -> None:
    edited = figure("atlas.other", was=(Was("320 GB", "2026-01-02"),))
    steady = figure("atlas.memory")
    bodies = Bodies()
    for _ in range(4):
        bodies.add(page("640 GB"))
    together = judge_unit(bodies.unit(edited, steady), bodies.load)
    alone = judge_unit(bodies.unit(steady), bodies.load)
    assert [one.verdicts[1] for one in together] == [one.verdicts[0] for one in alone]
    assert [str(one.verdicts[0].outcome) for one in together][::3] == ["drifted", "holds"]


def test_a_failure_is_unread_and_moves_nothing() -> None:
    bodies = Bodies()
    bodies.add(page("640 GB"))
    bodies.add(None, Reason.TIMEOUT)
    bodies.add(b"<html><title>403 Forbidden</title><h1>403 Forbidden</h1></html>", status=403)
    bodies.add(page("960 GB"))
    judged = judge_unit(bodies.unit(figure()), bodies.load)
    assert [o for o, _ in told(judged)] == ["holds", "unread", "unread", "drifted"]
    assert told(judged)[1] == ("unread", "timeout")
    assert told(judged)[3] == ("drifted", "changed")
    assert [one.unread is None for one in judged] == [True, False, False, True]


def test_a_body_that_the_archive_lost_is_left_out_and_the_others_are_judged() -> None:
    bodies = Bodies()
    bodies.add(page("640 GB"))
    bodies.add(page("960 GB"))
    bodies.add(page("640 GB", "<p>More.</p>"))
    del bodies.bodies[bodies.captures[1].digest]
    assert told(judge_unit(bodies.unit(figure()), bodies.load)) == [("holds", "verbatim")] * 2


def test_a_capture_is_judged_against_what_was_stated_on_its_day() -> None:
    bodies = Bodies()
    bodies.add(page("640 GB"))
    bodies.add(page("960 GB"))
    claim = figure(value="960 GB", was=(Was("640 GB", "2026-01-01"),))
    assert told(judge_unit(bodies.unit(claim), bodies.load)) == [("holds", "verbatim")] * 2


def test_what_is_remembered_gives_the_same_and_is_not_read_again(tmp_path: Path) -> None:
    bodies = Bodies()
    bodies.add(page("640 GB"))
    bodies.add(
        b"<html><title>Sign in</title><h1>Please sign in</h1><form><input type=password></form></html>"
    )
    bodies.add(page("960 GB"))
    file = tmp_path / "kb.cache"
    with Memory(file) as memory:
        first = judge_unit(bodies.unit(figure()), bodies.load, memory)
        memory.keep()
    bodies.asked.clear()
    with Memory(file) as memory:
        assert judge_unit(bodies.unit(figure()), bodies.load, memory) == first
    assert bodies.asked == []
    assert judge_unit(bodies.unit(figure()), bodies.load) == first


def test_one_new_capture_reads_itself_and_what_it_is_compared_with(tmp_path: Path) -> None:
    bodies = Bodies()
    for number in range(12):
        bodies.add(page("640 GB", f"<p>Visitor {number}.</p>"))
    file = tmp_path / "kb.cache"
    with Memory(file) as memory:
        judge_unit(bodies.unit(figure()), bodies.load, memory)
        memory.keep()
    bodies.add(page("640 GB", "<p>Visitor 99.</p>"))
    bodies.asked.clear()
    with Memory(file) as memory:
        judge_unit(bodies.unit(figure()), bodies.load, memory)
    assert bodies.asked == [bodies.captures[-1].digest, bodies.captures[-2].digest]


def test_another_claim_is_judged_anew_and_only_that(tmp_path: Path) -> None:
    bodies = Bodies()
    bodies.add(page("640 GB"))
    with Memory(tmp_path / "kb.cache") as memory:
        judge_unit(bodies.unit(figure()), bodies.load, memory)
        before = len(memory.new)
        judged = judge_unit(bodies.unit(figure(), figure("atlas.other", "960 GB")), bodies.load, memory)
        assert len(memory.new) == before + 1
    assert [o for o, _ in told(judged)] == ["holds", "drifted"]


@pytest.mark.parametrize("content", [b"", b"not a database", b"SQLite format 3\0" + bytes(200)])
def test_a_file_that_is_no_memory_is_started_anew(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "kb.cache"
    file.write_bytes(content)
    with Memory(file) as memory:
        assert memory.get(key("a")) is None
        memory.put(key("a"), "kept")
        memory.keep()
    with Memory(file) as memory:
        assert memory.get(key("a")) == "kept"


def test_a_memory_of_other_code_is_never_trusted(tmp_path: Path) -> None:
    import sqlite3

    file = tmp_path / "kb.cache"
    db = sqlite3.connect(file)
    db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    db.execute("CREATE TABLE made_by (code TEXT)")
    db.execute("INSERT INTO made_by VALUES ('another')")
    db.execute("CREATE TABLE entries (key BLOB PRIMARY KEY, value TEXT)")
    db.execute("INSERT INTO entries VALUES (?, 'wrong')", (key("a"),))
    db.commit()
    db.close()
    with Memory(file) as memory:
        assert memory.get(key("a")) is None


# -- formulas -----------------------------------------------------------------------------


def formula_set() -> ClaimSet:
    a, b = figure("s.a", "3,200 GB"), figure("s.b", "8 GPUs")
    sum_ = Claim(
        "sums.each",
        "Atlas",
        "formula",
        "400 GB",
        formula="{s.a} / {s.b}",
        quantity=parse_figure("400 GB"),
        sourced=False,
    )
    return ClaimSet((Source("s", url=URL, claims=(a, b)), Source("sums", claims=(sum_,))))


def at(day: int, run: str) -> Capture:
    return Capture(requested=URL, url=URL, time=START + timedelta(days=day), run=run)


HOLDS = Verdict(Outcome.HOLDS, Reason.VERBATIM, score=0.9)
DRIFTED = Verdict(Outcome.DRIFTED, Reason.CHANGED, found="6,400 GB", score=0.9)
UNREAD = Verdict(Outcome.UNREAD, Reason.TIMEOUT)


def history(**verdicts: list[tuple[int, Verdict]]) -> list[tuple[str, str, str]]:
    given = {f"s.{name}": [(at(day, f"r{day}"), v) for day, v in pairs] for name, pairs in verdicts.items()}
    (judged,) = derive(formula_set(), given).values()
    return [(c.run, str(v.outcome), str(v.reason)) for c, v in judged]


def test_a_formula_gets_one_verdict_a_run() -> None:
    assert history(a=[(1, HOLDS), (2, HOLDS)], b=[(1, HOLDS), (2, HOLDS)]) == [
        ("r1", "holds", "recomputed"),
        ("r2", "holds", "recomputed"),
    ]


def test_a_remembered_drift_confirms_no_formula() -> None:
    drift_once = history(a=[(1, HOLDS), (2, DRIFTED), (3, UNREAD)], b=[(1, HOLDS), (2, HOLDS), (3, HOLDS)])
    assert drift_once == [("r1", "holds", "recomputed"), ("r2", "drifted", "input-drifted")]


def test_a_formula_is_unread_while_an_input_was_never_read() -> None:
    assert history(a=[(1, UNREAD)], b=[(1, HOLDS)]) == [("r1", "unread", "timeout")]


def test_drift_goes_before_what_could_not_be_read() -> None:
    assert history(a=[(1, DRIFTED)], b=[(1, UNREAD)]) == [("r1", "drifted", "input-drifted")]


def test_what_was_imported_is_told_in_runs_of_an_hour() -> None:
    def brought(minutes: int) -> Capture:
        return Capture(requested=URL, url=URL, time=START + timedelta(minutes=minutes))

    given = {
        "s.a": [(brought(0), HOLDS), (brought(600), DRIFTED), (brought(1200), DRIFTED)],
        "s.b": [(brought(1), HOLDS), (brought(640), HOLDS), (brought(1300), HOLDS)],
    }
    (judged,) = derive(formula_set(), given).values()
    assert [(c.time - START, str(v.outcome)) for c, v in judged] == [
        (timedelta(minutes=1), "holds"),
        (timedelta(minutes=640), "drifted"),
        (timedelta(minutes=1200), "drifted"),
    ]


def test_verdicts_are_plain_enough_to_be_kept() -> None:
    assert json.loads(json.dumps(DRIFTED.to_json()))["found"] == "6,400 GB"
    assert date(2026, 1, 1) == START.date()
