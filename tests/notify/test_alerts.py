"""Each confirmed change is told once on each channel, whatever happens in between."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from forge import Forge
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pytest_httpserver import HTTPServer
from stories import DRIFT, GONE, HELD, NOW, OTHER, Clock, told_by
from werkzeug import Request, Response

from kb.errors import LockedError
from kb.judging import Verdict
from kb.notify import AlertSettings, Delivery, GithubSettings, deliver, undelivered
from kb.notify.log import AlertLog, Line, opened
from kb.notify.tell import Tell, due, tell_of
from kb.report import Summary


class Hook:
    """A webhook that Apprise posts to; it may refuse."""

    def __init__(self, server: HTTPServer) -> None:
        self.got: list[dict[str, str]] = []
        self.status = 200
        server.expect_request("/hook", method="POST").respond_with_handler(self.answer)
        self.address = f"json://{server.host}:{server.port}/hook?secret=hunter2hunter2"

    def answer(self, request: Request) -> Response:
        if self.status == 200:
            self.got.append(json.loads(request.data))
        return Response("", self.status)

    @property
    def titles(self) -> list[str]:
        return [m["title"] for m in self.got]


@pytest.fixture
def hook(httpserver: HTTPServer) -> Hook:
    return Hook(httpserver)


Send = Callable[..., list[Delivery]]


@pytest.fixture
def send(hook: Hook, tmp_path: Path) -> Send:
    clock = Clock()

    def send(summary: Summary, digest: int = 10, **options: bool) -> list[Delivery]:
        wanted = AlertSettings(apprise=("KB_HOOK",), digest=digest)
        return deliver(summary, wanted, tmp_path, {"KB_HOOK": hook.address}, clock, **options)

    return send


def lines(folder: Path) -> list[dict[str, object]]:
    path = folder / "alerts.jsonl"
    return [json.loads(t) for t in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []


# -- what is told, and when ----------------------------------------------------------------


def test_an_event_is_told_when_it_opens_is_updated_and_closes_and_nothing_else(
    send: Send, hook: Hook, tmp_path: Path
) -> None:
    story = [HELD, DRIFT, DRIFT, DRIFT, OTHER, OTHER, OTHER, HELD, HELD]
    for known in range(1, len(story) + 1):
        for _ in range(2):  # a second run tells nothing
            send(told_by(tmp_path, story[:known]))
    assert hook.titles == [
        "[sizes] drifted: size0, size: 1 GB -> 2 GB",
        "[sizes] updated, drifted: size0, size: 1 GB -> 3 GB",
        "[sizes] closed, drifted: size0, size: 1 GB -> 3 GB",
    ]
    first = hook.got[0]["message"]
    for needed in (
        "A change is confirmed.",
        "1 GB",
        "»2 GB«",
        "https://vm.example/page",
        "kb accept x.size0",
    ):
        assert needed in first
    assert "the page states our value again" in hook.got[2]["message"]


def test_a_flap_is_told_to_nobody(send: Send, hook: Hook, tmp_path: Path) -> None:
    story = [HELD, DRIFT, HELD, DRIFT, HELD, GONE, GONE, HELD]
    for known in range(1, len(story) + 1):
        send(told_by(tmp_path, story[:known]))
    assert hook.got == []
    assert lines(tmp_path) == []


def test_a_loss_is_told_as_one(send: Send, hook: Hook, tmp_path: Path) -> None:
    send(told_by(tmp_path, [HELD, GONE, GONE, GONE]))
    assert hook.titles == ["[sizes] gone: size0, size: 1 GB, no longer stated"]


def test_an_event_that_opens_again_within_a_week_is_told_as_reopened(
    send: Send, hook: Hook, tmp_path: Path
) -> None:
    story = [HELD, DRIFT, DRIFT, HELD, DRIFT, DRIFT]
    for known in range(1, len(story) + 1):
        send(told_by(tmp_path, story[:known]))
    assert [t.split(":")[0] for t in hook.titles] == [
        "[sizes] drifted",
        "[sizes] closed, drifted",
        "[sizes] reopened, drifted",
    ]


def test_each_delivery_is_a_line_and_no_line_is_ever_changed(send: Send, tmp_path: Path) -> None:
    send(told_by(tmp_path, [HELD, DRIFT, DRIFT]))
    before = (tmp_path / "alerts.jsonl").read_bytes()
    send(told_by(tmp_path, [HELD, DRIFT, DRIFT, HELD]))
    assert (tmp_path / "alerts.jsonl").read_bytes().startswith(before)
    told = lines(tmp_path)
    assert [(t["ok"], t["channel"], [x["action"] for x in t["tells"]]) for t in told] == [  # type: ignore[attr-defined]
        (True, "apprise:KB_HOOK", ["opened"]),
        (True, "apprise:KB_HOOK", ["closed"]),
    ]


def test_a_database_that_is_made_anew_repeats_nothing_even_where_its_times_are_others(
    send: Send, hook: Hook, tmp_path: Path
) -> None:
    send(told_by(tmp_path, [HELD, DRIFT, DRIFT]))
    (tmp_path / "kb.db").unlink()
    spelled = replace(DRIFT, found="2000 MB")
    send(told_by(tmp_path, [HELD, HELD, HELD, spelled, spelled]))
    assert len(hook.got) == 1
    send(told_by(tmp_path, [HELD, HELD, HELD, spelled, spelled, OTHER, OTHER]))
    assert hook.titles[1:] == ["[sizes] updated, drifted: size0, size: 1 GB -> 3 GB"]


def test_what_is_no_longer_there_is_told_as_withdrawn_unless_a_faulty_file_hides_it(
    send: Send, hook: Hook, tmp_path: Path
) -> None:
    send(told_by(tmp_path, [HELD, DRIFT, DRIFT]))
    without = told_by(tmp_path, [HELD, HELD, HELD])
    assert send(without, whole=False) == []
    send(without)
    send(without)
    assert hook.titles[1:] == ["[sizes] closed, drifted: size0, size: 1 GB -> 2 GB"]


def test_a_channel_that_comes_later_is_told_what_is_open_and_not_what_is_over(
    send: Send, hook: Hook, tmp_path: Path
) -> None:
    send(told_by(tmp_path, [HELD, DRIFT, DRIFT, HELD], [HELD, OTHER, OTHER, OTHER]))
    assert hook.titles == ["[sizes] drifted: size1, size: 1 GB -> 3 GB"]


# -- many at once --------------------------------------------------------------------------


@pytest.mark.parametrize(("many", "messages"), [(10, 10), (11, 1)])
def test_above_ten_at_once_there_is_one_message(
    send: Send, hook: Hook, tmp_path: Path, many: int, messages: int
) -> None:
    summary = told_by(tmp_path, *[[HELD, DRIFT, DRIFT]] * many)
    send(summary)
    send(summary)
    assert len(hook.got) == messages
    assert len(lines(tmp_path)) == messages
    assert sum(len(t["tells"]) for t in lines(tmp_path)) == many  # type: ignore[arg-type, misc]
    if messages == 1:
        assert hook.titles == ["[sizes] 11 changes: 11 opened"]
        assert all(f"x.size{n} (drifted)" in hook.got[0]["message"] for n in range(many))


# -- what cannot be delivered --------------------------------------------------------------


def test_what_cannot_be_delivered_is_tried_again_and_told_in_the_report(
    send: Send, hook: Hook, tmp_path: Path
) -> None:
    summary = told_by(tmp_path, [HELD, DRIFT, DRIFT])
    hook.status = 500
    (failed,) = send(summary)
    assert failed.ok is False
    (line,) = undelivered(tmp_path)
    assert line.startswith("x.size0 to apprise:KB_HOOK: ")
    assert line.endswith("(since 2026-12-11 09:00 UTC, tried again at the next run)")
    hook.status = 200
    send(summary)
    send(summary)
    assert len(hook.got) == 1
    assert undelivered(tmp_path) == []


def test_no_secret_stands_in_the_log_or_in_what_is_told(send: Send, hook: Hook, tmp_path: Path) -> None:
    hook.status = 500
    (failed,) = send(told_by(tmp_path, [HELD, DRIFT, DRIFT]))
    for text in (
        failed.detail,
        (tmp_path / "alerts.jsonl").read_text(encoding="utf-8"),
        *undelivered(tmp_path),
    ):
        assert "hunter2" not in text
        assert hook.address not in text


def test_an_event_that_closed_before_it_could_be_told_is_told_once_as_closed(
    send: Send, hook: Hook, tmp_path: Path
) -> None:
    hook.status = 500
    send(told_by(tmp_path, [HELD, DRIFT, DRIFT]))
    hook.status = 200
    over = told_by(tmp_path, [HELD, DRIFT, DRIFT, HELD])
    send(over)
    send(over)
    assert hook.titles == ["[sizes] closed, drifted: size0, size: 1 GB -> 2 GB"]


def test_the_same_failure_is_written_once_a_day(hook: Hook, tmp_path: Path) -> None:
    summary = told_by(tmp_path, [HELD, DRIFT, DRIFT])
    clock = Clock()
    wanted = AlertSettings(apprise=("KB_UNSET",))
    for _ in range(5):
        deliver(summary, wanted, tmp_path, {}, clock)
    clock.time += timedelta(days=1)
    deliver(summary, wanted, tmp_path, {}, clock)
    told = lines(tmp_path)
    assert [t["detail"] for t in told] == ["KB_UNSET is not set in the environment"] * 2


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("", "KB_HOOK is not set in the environment"),
        ("nonsense-secret", "KB_HOOK holds no address that Apprise knows"),
        (
            "json://127.0.0.1:1 json://127.0.0.1:2",
            "KB_HOOK holds several addresses; give each a variable of its own",
        ),
    ],
)
def test_an_address_that_cannot_be_used_is_told_without_it(tmp_path: Path, address: str, told: str) -> None:
    summary = told_by(tmp_path, [HELD, DRIFT, DRIFT])
    (failed,) = deliver(summary, AlertSettings(apprise=("KB_HOOK",)), tmp_path, {"KB_HOOK": address}, Clock())
    assert (failed.ok, failed.detail) == (False, told)


def test_a_channel_that_fails_again_and_again_is_left_alone_until_the_next_run(
    send: Send, hook: Hook, httpserver: HTTPServer, tmp_path: Path
) -> None:
    hook.status = 500
    done = send(told_by(tmp_path, *[[HELD, DRIFT, DRIFT]] * 8))
    assert [d.ok for d in done] == [False] * 8
    assert len(httpserver.log) == 3
    assert len(undelivered(tmp_path)) == 8


def test_one_channel_that_fails_keeps_the_other_from_nothing(hook: Hook, tmp_path: Path) -> None:
    summary = told_by(tmp_path, [HELD, DRIFT, DRIFT])
    wanted = AlertSettings(apprise=("KB_UNSET", "KB_HOOK"))
    for _ in range(2):
        deliver(summary, wanted, tmp_path, {"KB_HOOK": hook.address}, Clock())
    assert len(hook.got) == 1


# -- crashes, damage, two at once ----------------------------------------------------------


def test_a_run_that_died_while_sending_sends_it_no_second_time_and_says_so(
    send: Send, hook: Hook, tmp_path: Path
) -> None:
    summary = told_by(tmp_path, [HELD, DRIFT, DRIFT])
    (tell,) = due(summary, {}, frozenset())
    AlertLog(tmp_path).begin(Line("2026-12-01T00:00:00Z", "apprise:KB_HOOK", False, "sending", (tell,)))
    send(summary)
    send(summary)
    assert hook.got == []
    (line,) = undelivered(tmp_path)
    assert "may not have arrived" in line
    send(told_by(tmp_path, [HELD, DRIFT, DRIFT, HELD]))
    assert len(hook.got) == 1
    assert undelivered(tmp_path) == []


def test_half_a_line_that_a_power_cut_left_does_no_harm(send: Send, hook: Hook, tmp_path: Path) -> None:
    send(told_by(tmp_path, [HELD, DRIFT, DRIFT]))
    path = tmp_path / "alerts.jsonl"
    with path.open("ab") as out:
        out.write(b'{"time": "2026-12-')
    send(told_by(tmp_path, [HELD, DRIFT, DRIFT, HELD]))
    send(told_by(tmp_path, [HELD, DRIFT, DRIFT, HELD]))
    assert len(hook.got) == 2
    assert len(path.read_bytes().splitlines()) == 3


def test_two_runs_at_once_tell_a_change_once(send: Send, hook: Hook, tmp_path: Path) -> None:
    summary = told_by(tmp_path, [HELD, DRIFT, DRIFT])
    ended: list[str] = []

    def go() -> None:
        try:
            send(summary)
            ended.append("sent")
        except LockedError:
            ended.append("locked")

    threads = [threading.Thread(target=go) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert len(hook.got) == 1
    assert len(ended) == 4
    with opened(tmp_path), pytest.raises(LockedError, match="telling people"):
        send(summary)


def test_a_dry_run_shows_all_and_sends_and_writes_nothing(send: Send, hook: Hook, tmp_path: Path) -> None:
    (shown,) = send(told_by(tmp_path, [HELD, DRIFT, DRIFT]), dry_run=True)
    assert (shown.ok, shown.message.title) == (None, "[sizes] drifted: size0, size: 1 GB -> 2 GB")
    assert hook.got == []
    assert not (tmp_path / "alerts.jsonl").exists()


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from("hdog"), min_size=1, max_size=14), st.data())
def test_whatever_happens_what_a_channel_heard_last_is_what_the_event_says(
    tmp_path: Path, story: list[str], data: st.DataObject
) -> None:
    """Runs at any moments, some of which fail: afterwards the channel knows what is open, each step once."""
    verdicts: dict[str, Verdict] = {"h": HELD, "d": DRIFT, "o": OTHER, "g": GONE}
    told: dict[str, Tell] = {}
    failed: set[str] = set()
    heard: list[Tell] = []
    summary = None
    for known in range(1, len(story) + 1):
        if known < len(story) and not data.draw(st.booleans()):
            continue
        summary = told_by(tmp_path, [verdicts[s] for s in story[:known]])
        works = known == len(story) or data.draw(st.booleans())
        for tell in list(due(summary, told, frozenset(failed))):
            if works:
                told[tell.claim] = tell_of(json.loads(json.dumps(tell.to_json())))
                heard.append(tell)
                failed.clear()
            else:
                failed.add(tell.event)
    assert summary is not None
    assert list(due(summary, told, frozenset(failed))) == []
    event = summary.open.get("x.size0")
    last = told.get("x.size0")
    if event is None:
        assert last is None or last.action == "closed"
    else:
        assert last is not None and last.action != "closed"
        assert (last.verdict, last.found) == (event.verdict, event.found)
    opened_now = 0
    for tell in heard:
        opened_now += {"opened": 1, "reopened": 1, "updated": 0, "closed": -1}[tell.action]
        assert -1 <= opened_now <= 1
        opened_now = max(opened_now, 0)


# -- GitHub --------------------------------------------------------------------------------


@pytest.fixture
def forge(httpserver: HTTPServer) -> Forge:
    return Forge(httpserver)


@pytest.fixture
def report(forge: Forge, tmp_path: Path) -> Send:
    clock = Clock()

    def report(summary: Summary, **options: bool) -> list[Delivery]:
        github = GithubSettings("owner/name", api=forge.url, labels=("drift", "facts"))
        wanted = AlertSettings(github=github)
        return deliver(summary, wanted, tmp_path, {"GITHUB_TOKEN": forge.token}, clock, **options)

    return report


def test_each_event_is_an_issue_that_is_updated_and_closed(
    forge: Forge, report: Send, tmp_path: Path
) -> None:
    story = [HELD, DRIFT, DRIFT, DRIFT, OTHER, OTHER, HELD, HELD]
    for known in range(1, len(story) + 1):
        for _ in range(2):
            report(told_by(tmp_path, story[:known], [HELD] * known))
    (issue,) = forge.issues
    assert issue["labels"] == ["drift", "facts"]
    assert (issue["state"], issue["state_reason"]) == ("closed", "not_planned")
    assert issue["title"] == "[sizes] closed, drifted: size0, size: 1 GB -> 3 GB"
    updated, closed = forge.comments[1]
    assert updated["body"].startswith("A change that was told before has changed again.")
    assert closed["body"].startswith("This change is closed: the page states our value again.")
    assert forge.asked == [
        "POST /issues",
        "PATCH /issues/1",
        "POST /issues/1/comments",
        "PATCH /issues/1",
        "POST /issues/1/comments",
    ]


def test_an_event_that_opens_again_reopens_its_issue(forge: Forge, report: Send, tmp_path: Path) -> None:
    story = [HELD, DRIFT, DRIFT, HELD, DRIFT, DRIFT]
    for known in range(1, len(story) + 1):
        report(told_by(tmp_path, story[:known]))
    (issue,) = forge.issues
    assert (issue["state"], issue["state_reason"]) == ("open", "reopened")


def test_many_events_are_many_issues(forge: Forge, report: Send, tmp_path: Path) -> None:
    report(told_by(tmp_path, *[[HELD, DRIFT, DRIFT]] * 12))
    assert len(forge.issues) == 12


def test_words_of_strangers_call_nobody_and_make_no_markup(
    forge: Forge, report: Send, tmp_path: Path
) -> None:
    report(told_by(tmp_path, [HELD, DRIFT, DRIFT]))
    body = forge.issues[0]["body"]
    assert "somebody" in body
    assert "@somebody" not in body
    assert "#12" not in body
    assert "**2 GB**" in body


def test_a_refusal_stops_the_channel_and_all_is_done_next_time(
    forge: Forge, report: Send, tmp_path: Path
) -> None:
    forge.refuse = [429]
    summary = told_by(tmp_path, *[[HELD, DRIFT, DRIFT]] * 3)
    done = report(summary)
    assert [d.ok for d in done] == [False] * 3
    assert done[0].detail == "POST /issues was answered 429 (secondary rate limit), try again in 60 s"
    assert len(forge.asked) == 1
    report(summary)
    report(summary)
    assert len(forge.issues) == 3


def test_an_answer_that_is_lost_leaves_one_issue_and_one_comment(
    forge: Forge, report: Send, tmp_path: Path
) -> None:
    open_ = told_by(tmp_path, [HELD, DRIFT, DRIFT])
    forge.lose = 1
    report(open_)
    assert undelivered(tmp_path)
    report(open_)
    assert len(forge.issues) == 1
    over = told_by(tmp_path, [HELD, DRIFT, DRIFT, HELD])
    forge.lose = 2  # the change, then the comment
    for _ in range(4):
        report(over)
    assert len(forge.issues) == 1
    assert len(forge.comments[1]) == 1
    assert forge.issues[0]["state"] == "closed"
    assert undelivered(tmp_path) == []


def test_a_wrong_token_is_told_without_it(forge: Forge, report: Send, tmp_path: Path) -> None:
    forge.token, real = "ghp_other", forge.token
    wanted = AlertSettings(github=GithubSettings("owner/name", api=forge.url))
    (failed,) = deliver(
        told_by(tmp_path, [HELD, DRIFT, DRIFT]), wanted, tmp_path, {"GITHUB_TOKEN": real}, Clock()
    )
    assert failed.detail == "POST /issues was answered 401 (Bad credentials)"
    assert real not in (tmp_path / "alerts.jsonl").read_text(encoding="utf-8")


def test_a_server_that_is_not_there_is_told(tmp_path: Path) -> None:
    wanted = AlertSettings(github=GithubSettings("owner/name", api="http://127.0.0.1:9"))
    summary = told_by(tmp_path, [HELD, DRIFT, DRIFT], [HELD, OTHER, OTHER])
    done = deliver(summary, wanted, tmp_path, {"GITHUB_TOKEN": "x"}, Clock())
    assert done[0].detail == "http://127.0.0.1:9 could not be asked: ConnectError"
    assert [d.ok for d in done] == [False, False]
    assert NOW.date().isoformat() == "2026-12-11"
