"""`snapshots/alerts.jsonl`: what was told to whom; append-only, a line for each delivery.

It lies beside the archive, as it is no consequence of claims and captures: a
database that is built anew must not tell everything again. Before a message is
sent it is noted in `.alerts.sending`, so that a run that dies while it sends leaves
word of it: such a message is not sent again, and the report says that it may not
have arrived.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from kb.errors import LockedError, MachineError
from kb.notify.tell import CLOSED, Tell, tell_of

NAME = "alerts.jsonl"
SENDING = ".alerts.sending"
UNSURE = "kb ended while this was being sent; it may not have arrived, and is not sent again"

FAILED_AGAIN = timedelta(days=1)
"""A failure that is the same as before is written once a day, as the next runs may be many."""


@dataclass(frozen=True, slots=True)
class Line:
    """One delivery, or one that failed. `issue` is the number of the issue that it is about."""

    time: str
    channel: str
    ok: bool
    detail: str
    tells: tuple[Tell, ...]
    issue: int | None = None

    def text(self) -> str:
        """The line of the file."""
        return json.dumps(
            {
                "time": self.time,
                "channel": self.channel,
                "ok": self.ok,
                "detail": self.detail,
                "issue": self.issue,
                "tells": [t.to_json() for t in self.tells],
            },
            ensure_ascii=False,
        )


@dataclass(slots=True)
class Told:
    """What a channel knows: the last tell of each claim, and its failures since (newest line, first time)."""

    last: dict[str, Tell] = field(default_factory=dict)
    issues: dict[str, int] = field(default_factory=dict)
    failed: dict[str, tuple[Line, str]] = field(default_factory=dict)
    unsure: dict[str, Line] = field(default_factory=dict)

    def take(self, line: Line) -> None:
        """Go on by one line."""
        for tell in line.tells:
            if line.ok:
                self.last[tell.claim] = tell
                self.failed.pop(tell.claim, None)
                self.unsure.pop(tell.claim, None)
                if line.issue is not None:
                    self.issues[tell.event] = line.issue
                if line.detail == UNSURE and tell.action != CLOSED:
                    self.unsure[tell.claim] = line
            else:
                first = self.failed.get(tell.claim)
                self.failed[tell.claim] = (line, first[1] if first else line.time)


class AlertLog:
    """The log of one knowledge base, held by one run at a time (see `opened`)."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / NAME
        self.sending = folder / SENDING
        self.told: dict[str, Told] = {}
        for line in lines(self.path):
            self.told.setdefault(line.channel, Told()).take(line)

    def of(self, channel: str) -> Told:
        """What a channel knows."""
        return self.told.setdefault(channel, Told())

    def begin(self, line: Line) -> None:
        """Note what is about to be sent."""
        _write(self.sending, line.text(), "w")

    def end(self, line: Line) -> None:
        """Write what became of it, unless it is a failure that was just written."""
        told = self.of(line.channel)
        if line.ok or not self._known(told, line):
            self._append(line)
        self.sending.unlink(missing_ok=True)

    def _known(self, told: Told, line: Line) -> bool:
        return all(
            (old := told.failed.get(t.claim)) is not None
            and old[0].detail == line.detail
            and any(o.event == t.event and o.action == t.action for o in old[0].tells)
            and datetime.fromisoformat(line.time) - datetime.fromisoformat(old[0].time) < FAILED_AGAIN
            for t in line.tells
        )

    def adopt(self) -> None:
        """Take over what a dead run was sending."""
        for left in lines(self.sending):
            unsure = Line(left.time, left.channel, True, UNSURE, left.tells, left.issue)
            if not any(old.time == left.time and old.tells == left.tells for old in lines(self.path)):
                self._append(unsure)
        self.sending.unlink(missing_ok=True)

    def _append(self, line: Line) -> None:
        # A power cut may have left half a line.
        try:
            with self.path.open("rb") as file:
                file.seek(0, os.SEEK_END)
                whole = file.tell() == 0
                if not whole:
                    file.seek(-1, os.SEEK_END)
                    whole = file.read(1) == b"\n"
        except FileNotFoundError:
            whole = True
        _write(self.path, ("" if whole else "\n") + line.text() + "\n", "a")
        self.of(line.channel).take(line)


@contextmanager
def opened(folder: Path) -> Iterator[AlertLog]:
    """The log, for this run alone.

    Raises:
        LockedError: another run is telling people just now.
    """
    import fcntl  # where there is none, there is no lock either

    folder.mkdir(parents=True, exist_ok=True)
    handle = os.open(folder / ".alerts.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise LockedError(
                f"another run is telling people of changes ({folder}); it tells them all"
            ) from error
        log = AlertLog(folder)
        log.adopt()
        yield log
    finally:
        os.close(handle)


def lines(path: Path) -> Iterator[Line]:
    """The lines of a log; what is no whole line is passed over."""
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return
    for raw in text.splitlines():
        try:
            data: dict[str, Any] = json.loads(raw)
            datetime.fromisoformat(data["time"])
            yield Line(
                data["time"],
                data["channel"],
                bool(data["ok"]),
                str(data.get("detail") or ""),
                tuple(tell_of(t) for t in data["tells"]),
                data.get("issue"),
            )
        except (ValueError, KeyError, TypeError, AttributeError):
            continue


def undelivered(folder: Path) -> list[str]:
    """A line for each alert that could not be delivered, or may not have been."""
    from kb.report import words  # start-up time

    said = []
    told: dict[str, Told] = {}
    for line in lines(folder / NAME):
        told.setdefault(line.channel, Told()).take(line)
    for channel, known in sorted(told.items()):
        for claim, (line, first) in sorted(known.failed.items()):
            since = f"since {words.when(first)} UTC, tried again at the next run"
            said.append(f"{claim} to {channel}: {line.detail} ({since})")
        for claim, line in sorted(known.unsure.items()):
            said.append(f"{claim} to {channel}: {line.detail} ({words.when(line.time)} UTC)")
    return said


def failed_events(told: Told) -> frozenset[str]:
    """The events of which a channel should have been told, and was not."""
    named: Sequence[tuple[Line, str]] = list(told.failed.values())
    return frozenset(t.event for line, _ in named for t in line.tells)


def _write(path: Path, text: str, mode: str) -> None:
    try:
        with path.open(mode, encoding="utf-8") as out:
            out.write(text)
            out.flush()
            os.fsync(out.fileno())
    except OSError as error:
        raise MachineError(
            f"{path} cannot be written ({error.strerror}); nobody is told of changes until it can"
        ) from error
