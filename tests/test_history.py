"""The rule of present verdict, confirmation, events and freshness, case by case."""

from __future__ import annotations

import random
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.claims.claim import Accepted, Claim, Was
from kb.judging.events import Confirm, History, Reading
from kb.judging.history import tell
from kb.judging.stated import in_force
from kb.reasons import Outcome, Reason

START = datetime(2026, 10, 1, 9, tzinfo=UTC)

REASONS = {
    Outcome.HOLDS: Reason.VERBATIM,
    Outcome.DRIFTED: Reason.CHANGED,
    Outcome.GONE: Reason.REMOVED,
    Outcome.UNCLEAR: Reason.SEVERAL_VALUES,
    Outcome.UNREAD: Reason.BLOCKED,
}
WORDS = {
    "h": Outcome.HOLDS,
    "g": Outcome.GONE,
    "c": Outcome.UNCLEAR,
    "u": Outcome.UNREAD,
}


def a_claim(**facts: object) -> Claim:
    given: dict[str, object] = {
        "id": "vm.bandwidth",
        "subject": "Large VM",
        "kind": "text",
        "value": "400",
    }
    return Claim(**{**given, **facts})  # type: ignore[arg-type]


def at(hours: float) -> datetime:
    return START + timedelta(hours=hours)


def readings(text: str, held: str = "400") -> list[Reading]:
    """`0h 2:800 3g`: at hour 0 it holds, at 2 it drifted to 800, at 3 it is gone."""
    out = []
    for word in text.split():
        if ":" in word:
            hour, found = word.split(":")
            outcome = Outcome.DRIFTED
        else:
            hour, outcome = word[:-1], WORDS[word[-1]]
            found = held if outcome is Outcome.HOLDS else ""
        out.append(
            Reading(at(float(hour)), outcome, REASONS[outcome], found or None, found, capture=f"c{hour}")
        )
    return out


def told(text: str, claim: Claim | None = None, **settings: object) -> History:
    return tell(claim or a_claim(), readings(text), **settings)  # type: ignore[arg-type]


def events(history: History) -> list[tuple[float, float | None, str | None, object]]:
    def hour(time: datetime | None) -> float | None:
        return None if time is None else (time - START) / timedelta(hours=1)

    return [(hour(e.opened) or 0.0, hour(e.closed), e.how, e.found) for e in history.events]


@pytest.mark.parametrize(
    ("text", "outcome", "confirmed", "suspected"),
    [
        ("0h", "holds", True, False),
        ("0:800", "drifted", False, True),
        ("0:800 0.5:800", "drifted", False, True),  # half an hour apart is one reading
        ("0:800 1:800", "drifted", True, False),
        ("0:800 0.5:800 1:800", "drifted", True, False),
        ("0:800 2:900", "drifted", False, True),  # another value starts again
        ("0:800 2:900 4:800", "drifted", False, True),
        ("0:800 2u 4:800", "drifted", True, False),  # unread neither confirms nor breaks
        ("0:800 2c 4:800", "drifted", False, True),  # unclear breaks
        ("0:800 2h 4:800", "drifted", False, True),
        ("0:800 2g 4:800", "drifted", False, True),
        ("0g 2g", "gone", False, True),
        ("0g 2g 4g", "gone", True, False),
        ("0g 2g 2.5g", "gone", False, True),
        ("0g 2:800 4g 6g", "gone", False, True),
        ("0h 2c", "unclear", None, False),
        ("0u", "unread", None, False),
        ("0:800 2:800 4h", "holds", True, False),
    ],
)
def test_a_change_is_confirmed_by_agreeing_readings_an_hour_apart(
    text: str, outcome: str, confirmed: bool | None, suspected: bool
) -> None:
    history = told(text)
    assert (str(history.outcome), history.confirmed, history.suspected) == (outcome, confirmed, suspected)


def test_the_settings_say_how_many_readings_confirm() -> None:
    assert told("0:800", confirm=Confirm(drifted=1, gone=1)).confirmed
    assert told("0g", confirm=Confirm(drifted=1, gone=1)).confirmed
    assert not told("0:800 2:800", confirm=Confirm(drifted=3)).confirmed
    assert told("0:800 0.5:800", confirm=Confirm(apart=timedelta(minutes=30))).confirmed


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0h 24h", []),
        ("0h 24:800", []),
        ("0h 24:800 26:800", [(26, None, None, "800")]),
        ("0h 24:800 26:800 48:800", [(26, None, None, "800")]),
        ("0h 24:800 26:800 48h", [(26, 48, "held", "800")]),
        # only the second reading of another value updates the event
        ("0h 24:800 26:800 48:900", [(26, None, None, "800")]),
        ("0h 24:800 26:800 48:900 50:900", [(26, None, None, "900")]),
        ("0h 24:800 26:800 48g 50g 52g", [(26, None, None, None)]),
        ("0h 24g 26g 28g 48:900 50:900", [(28, None, None, "900")]),
        # unclear and unread leave it open
        ("0h 24:800 26:800 48c", [(26, None, None, "800")]),
        ("0h 24:800 26:800 48u", [(26, None, None, "800")]),
        # within seven days after its close it is the same event; later it is another
        ("0:800 2:800 24h 100:800 192:800", [(2, None, None, "800")]),
        ("0:800 2:800 24h 100:900 192:900", [(2, None, None, "900")]),
        ("0:800 2:800 24h 100:800 193:800", [(2, 24, "held", "800"), (193, None, None, "800")]),
        ("0:800 2:800 24h 48:800 50:800 72h", [(2, 72, "held", "800")]),
        # a flap is no event
        ("0h 2:800 4h 6:800 8h 10g 12h", []),
    ],
)
def test_an_event_opens_with_the_first_confirmed_change_and_closes_with_the_first_reading_that_holds(
    text: str, expected: list[object]
) -> None:
    assert events(told(text)) == expected


def test_an_event_says_when_the_change_was_first_seen_updated_and_reopened() -> None:
    (event,) = told("0h 24:800 26:800 48:900 50:900 72h 90:900 92:900").events
    assert (event.since, event.opened, event.updated) == (at(24), at(26), at(50))
    assert (event.reopened, event.closed, event.stated) == (1, None, "400")
    assert event.capture == "c92"


def test_the_open_event_is_known_while_the_newest_reading_is_unclear() -> None:
    history = told("0h 24:800 26:800 48c")
    assert history.outcome is Outcome.UNCLEAR
    assert history.event is not None
    assert told("0h 24:800 26:800 48h").event is None


# -- the newest capture that was read ------------------------------------------------------


def test_an_unread_capture_stands_beside_the_last_verdict() -> None:
    history = told("0h 24u 48u")
    assert history.outcome is Outcome.HOLDS
    assert history.present is not None
    assert history.present.time == at(0)
    assert history.unread is not None
    assert (history.unread.reason, history.unread.since, history.unread.tries) == (
        Reason.BLOCKED,
        at(24),
        2,
    )


def test_a_reading_ends_what_was_unread() -> None:
    assert told("0h 24u 48h").unread is None


def test_a_claim_that_was_never_read_is_unread() -> None:
    history = told("0u 24u")
    assert (history.outcome, history.reason, history.present) == (Outcome.UNREAD, Reason.BLOCKED, None)
    assert history.stale_after is None


def test_a_claim_without_captures_is_unread_for_no_reason() -> None:
    history = told("")
    assert (history.outcome, history.reason, history.unread) == (Outcome.UNREAD, None, None)


def test_an_unread_page_is_never_gone_and_never_opens_an_event() -> None:
    history = told("0h 24u 48u 72u 96u")
    assert history.outcome is Outcome.HOLDS
    assert not history.events


def test_freshness_ends_after_twice_the_interval() -> None:
    assert told("0h 24h 30u", every=timedelta(days=2)).stale_after == at(24 + 96)


# -- since, changed ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "since", "changed"),
    [
        ("0h 24h", 0, None),
        ("0h 24:800 48:800", 24, (0, 24)),
        ("0h 24u 48:800", 48, (0, 48)),
        ("0:800 24:800", 0, None),
        ("0h 24:800 48:900", 48, (24, 48)),
        ("0h 24:800 48h", 48, (24, 48)),
        ("0h 24g 48g", 24, (0, 24)),
        ("0h 24c 48:800", 48, (24, 48)),
    ],
)
def test_it_says_since_when_and_between_which_captures(
    text: str, since: float, changed: tuple[float, float] | None
) -> None:
    history = told(text)
    assert history.since == at(since)
    assert history.changed == (None if changed is None else tuple(at(c) for c in changed))


# -- retrieved -----------------------------------------------------------------------------


def test_captures_more_than_a_day_older_than_retrieved_are_history() -> None:
    claim = a_claim(retrieved="2026-10-05")  # hour 87 is its midnight
    history = told("0h 24h", claim)
    assert (history.present, history.outcome) == (None, Outcome.UNREAD)
    assert told("62h", claim).outcome is Outcome.UNREAD
    assert told("63h", claim).outcome is Outcome.HOLDS


def test_history_helps_to_say_since_when_and_makes_no_events() -> None:
    claim = a_claim(retrieved="2026-10-05")
    history = told("0:800 2:800 24:900 26:900 48h 100h", claim)
    assert history.since == at(48)
    assert history.changed == (at(26), at(48))
    assert history.events == ()


def test_history_does_not_confirm() -> None:
    history = told("0:800 100:800", a_claim(retrieved="2026-10-05"))
    assert history.suspected
    assert history.since == at(0)


def test_a_source_that_nobody_dated_has_no_history_only_captures() -> None:
    assert told("0h", a_claim(retrieved=None)).outcome is Outcome.HOLDS


def test_retrieved_may_be_a_month() -> None:
    assert told("0h", a_claim(retrieved="2026-11")).outcome is Outcome.UNREAD
    assert told("0h", a_claim(retrieved="2026-10")).outcome is Outcome.HOLDS


# -- was -----------------------------------------------------------------------------------


def test_the_was_entry_with_the_earliest_until_is_in_force() -> None:
    claim = a_claim(value="800", was=(Was("400", "2026-11-30"), Was("200", "2025-11-30")))
    assert in_force(claim, date(2025, 11, 30)) == Was("200", "2025-11-30")
    assert in_force(claim, date(2025, 12, 1)) == Was("400", "2026-11-30")
    assert in_force(claim, date(2026, 12, 1)) is None


def edited(until: str, to: str = "800", **facts: object) -> Claim:
    return a_claim(value=to, was=(Was("400", until),), **facts)


def test_an_edit_closes_the_event_on_its_day() -> None:
    # hour 24 is 2 October, 09:00; the edit is of 5 October, whose midnight is hour 87
    history = told("0h 24:800 26:800", edited("2026-10-05"))
    assert events(history) == [(26, 87, "edited", "800")]


def test_an_edit_to_what_the_page_states_makes_the_claim_hold_at_once() -> None:
    history = told("0h 24:800 26:800", edited("2026-10-05"))
    assert (history.outcome, history.reason, history.confirmed) == (Outcome.HOLDS, Reason.VERBATIM, True)
    assert history.since == at(24)
    assert history.event is None


def test_an_event_and_its_edit_on_one_day_are_both_kept() -> None:
    claim = edited("2026-10-02", retrieved="2026-10-02")
    history = told("0h 24:800 26:800", claim)
    assert events(history) == [(26, 26, "edited", "800")]
    assert history.outcome is Outcome.HOLDS


def test_after_the_edit_later_readings_of_that_day_are_measured_against_the_new_value() -> None:
    claim = edited("2026-10-02")
    assert told("0h 24:800 26:800 28:800", claim).outcome is Outcome.HOLDS
    back = told("0h 24:800 26:800 28h", claim)  # it holds against 400, which we state no more
    assert (back.outcome, back.suspected) == (Outcome.DRIFTED, True)
    on = told("0h 24:800 26:800 28:900 30:900", claim)
    assert events(on) == [(26, 26, "edited", "800"), (30, None, None, "900")]


def test_an_edit_to_something_else_leaves_a_suspicion_until_the_next_reading() -> None:
    history = told("0h 24:800 26:800", edited("2026-10-05", to="900"))
    assert (history.outcome, history.suspected, history.event) == (Outcome.DRIFTED, True, None)
    assert events(history) == [(26, 87, "edited", "800")]


def test_readings_after_the_edit_are_of_the_new_value() -> None:
    history = tell(
        edited("2026-10-05"),
        [*readings("0h 24:800 26:800"), *readings("120h 144h", held="800")],
    )
    assert history.outcome is Outcome.HOLDS
    assert events(history) == [(26, 87, "edited", "800")]
    assert history.since == at(24)


def test_a_change_after_the_edit_is_another_event() -> None:
    history = tell(edited("2026-10-05"), readings("0h 24:800 26:800 120:1600 122:1600"))
    assert events(history) == [(26, 87, "edited", "800"), (122, None, None, "1600")]
    assert history.events[1].stated == "800"


def test_an_edit_without_was_makes_history_but_no_events() -> None:
    # what earlier captures say of the new value is not news
    history = told("0:400 2:400 24:400 100h", a_claim(value="800", retrieved="2026-10-05"))
    assert history.events == ()
    assert history.outcome is Outcome.HOLDS


# -- accepted ------------------------------------------------------------------------------


def known(on: str, found: str = "800") -> Claim:
    return a_claim(accepted=Accepted(found, on))


def test_an_accepted_value_closes_the_event() -> None:
    history = told("0h 24:800 26:800", known("2026-10-05"))
    assert events(history) == [(26, 87, "accepted", "800")]
    assert (history.outcome, history.accepted, history.suspected) == (Outcome.DRIFTED, True, False)


def test_an_accepted_value_stays_accepted_while_the_page_states_it() -> None:
    for more in ("", " 28:800", " 28:800 30:800", " 120:800 122:800 144:800"):
        for on in ("2026-10-02", "2026-10-03"):
            history = told("0h 24:800 26:800" + more, known(on))
            assert [e.how for e in history.events] == ["accepted"], (more, on)
            assert history.accepted
            assert history.event is None


def test_an_accepted_value_that_comes_back_opens_nothing() -> None:
    history = told("0h 24:800 26:800 120h 144:800 146:800", known("2026-10-03"))
    assert [e.how for e in history.events] == ["accepted"]


def test_another_value_than_the_accepted_one_opens_a_new_event() -> None:
    history = told("0h 24:800 26:800 48:900 50:900", known("2026-10-02"))
    assert events(history) == [(26, 26, "accepted", "800"), (50, None, None, "900")]
    assert (history.accepted, history.confirmed) == (False, True)
    back = told("0h 24:800 26:800 48:900 50:900 72:800", known("2026-10-02"))
    assert events(back) == [(26, 26, "accepted", "800"), (50, 72, "accepted", "900")]


def test_accepting_another_value_does_not_close_the_event() -> None:
    history = told("0h 24:800 26:800", known("2026-10-05", found="900"))
    assert events(history) == [(26, None, None, "800")]


# -- any sequence --------------------------------------------------------------------------

steps = st.lists(
    st.tuples(st.integers(1, 300), st.sampled_from(["h", "g", "c", "u", ":800", ":900"])), max_size=25
)


def story(steps_: list[tuple[int, str]]) -> str:
    hour, words = 0.0, []
    for more, word in steps_:
        hour += more / 4
        words.append(f"{hour}{word}")
    return " ".join(words)


claims = st.builds(
    lambda retrieved, was, accepted: a_claim(
        retrieved=retrieved,
        was=tuple(Was(v, u) for v, u in was),
        accepted=Accepted("800", accepted) if accepted else None,
    ),
    st.sampled_from([None, "2026-10-01", "2026-10-04"]),
    st.lists(st.tuples(st.sampled_from(["200", "800"]), st.sampled_from(["2026-10-03", "2026-10-06"]))),
    st.sampled_from([None, "2026-10-02", "2026-10-07"]),
)


@given(steps, claims, st.randoms(use_true_random=False))
def test_the_order_in_which_readings_arrive_does_not_matter(
    what: list[tuple[int, str]], claim: Claim, shuffle: random.Random
) -> None:
    given = readings(story(what))
    expected = tell(claim, given)
    shuffle.shuffle(given)
    assert tell(claim, given) == expected


@given(steps, claims)
def test_events_follow_each_other_and_only_the_last_is_open(
    what: list[tuple[int, str]], claim: Claim
) -> None:
    history = tell(claim, readings(story(what)))
    for event in history.events[:-1]:
        assert event.closed is not None
    for event in history.events:
        assert event.since <= event.opened
        assert (event.closed is None) == (event.how is None)
        assert event.closed is None or event.closed >= event.opened
    for earlier, later in zip(history.events, history.events[1:], strict=False):
        assert earlier.closed is not None
        assert earlier.closed <= later.opened
    if history.suspected:
        assert not history.confirmed


@given(steps, claims)
def test_unread_captures_change_neither_verdict_nor_events(what: list[tuple[int, str]], claim: Claim) -> None:
    given = readings(story(what))
    read = [r for r in given if r.outcome is not Outcome.UNREAD]
    whole, without = tell(claim, given), tell(claim, read)
    assert whole.events == without.events
    assert whole.present == without.present
    if without.present is not None:
        assert (whole.outcome, whole.since, whole.confirmed) == (
            without.outcome,
            without.since,
            without.confirmed,
        )
