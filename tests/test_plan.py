"""What is due, and why."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from kb.app.plan import plan
from kb.claims.source import Check, Source
from kb.reasons import Reason
from kb.snapshots.capture import Capture

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
URL = "https://example.org/a"
WEEK = 7 * 86400


def source(id: str = "a", url: str | None = URL, **check: object) -> Source:
    return Source(id=id, url=url, check=Check(**check))  # type: ignore[arg-type]


def captured(ago: timedelta, reason: Reason | None = None) -> dict[str, Capture]:
    return {URL: Capture(requested=URL, url=URL, time=NOW - ago, reason=reason)}


@pytest.mark.parametrize(
    ("ago", "why"),
    [
        (None, "never read"),
        (timedelta(days=6), ""),
        (timedelta(days=7, minutes=-61), ""),
        (timedelta(days=7, seconds=-9), "last asked 7 d ago, every 7 d"),
        (timedelta(days=7), "last asked 7 d ago, every 7 d"),
        (timedelta(days=30), "last asked 30 d ago, every 7 d"),
    ],
)
def test_a_source_is_due_when_its_interval_has_passed(ago: timedelta | None, why: str) -> None:
    due = plan([source()], captured(ago) if ago else {}, NOW, WEEK)
    assert [d.why for d in due] == ([why] if why else [])


def test_a_suspected_change_is_due_again_after_an_hour_and_not_before() -> None:
    suspected = {URL: "a.x seems to have drifted"}
    assert plan([source()], captured(timedelta(minutes=59)), NOW, WEEK, suspected=suspected) == []
    (due,) = plan([source()], captured(timedelta(hours=1)), NOW, WEEK, suspected=suspected)
    assert due.why == "to confirm: a.x seems to have drifted"


def test_a_page_that_could_not_be_read_is_asked_again_after_an_hour() -> None:
    (due,) = plan([source()], captured(timedelta(hours=2), Reason.TIMEOUT), NOW, WEEK)
    assert due.why == "could not be read last time"
    (due,) = plan([source()], captured(timedelta(hours=2)), NOW, WEEK, unread=[URL])
    assert due.why == "could not be read last time"


def test_one_url_of_two_sources_is_due_once_by_the_shorter_interval() -> None:
    both = [source("a"), source("b", every=86400)]
    (due,) = plan(both, captured(timedelta(days=2)), NOW, WEEK)
    assert [s.id for s in due.sources] == ["a", "b"]


def test_sources_that_are_off_or_have_no_url_are_never_due() -> None:
    assert plan([source(off="behind a login"), source(url=None)], {}, NOW, WEEK, everything=True) == []


def test_all_means_all() -> None:
    (due,) = plan([source()], captured(timedelta(minutes=1)), NOW, WEEK, everything=True)
    assert due.why == "asked for"
