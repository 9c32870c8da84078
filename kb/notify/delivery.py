"""Bring every channel up to date with the events, and remember what was told."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from kb.notify.apprise_channel import AppriseChannel
from kb.notify.channel import Channel, Sent
from kb.notify.github import GithubChannel
from kb.notify.log import AlertLog, Line, failed_events, opened
from kb.notify.message import Message, digest, message
from kb.notify.settings import AlertSettings
from kb.notify.tell import Tell, due
from kb.report import Summary

GIVE_UP = 3
"""Failures in a row after which a channel is left alone until the next run."""


@dataclass(frozen=True, slots=True)
class Delivery:
    """One message and what became of it; `ok` is None where it was only shown (`--dry-run`)."""

    channel: str
    message: Message
    ok: bool | None
    detail: str = ""


def channels_of(settings: AlertSettings, environment: Mapping[str, str]) -> list[Channel]:
    """The channels that the settings name."""
    found: list[Channel] = [AppriseChannel(name, environment) for name in settings.apprise]
    if settings.github is not None:
        found.append(GithubChannel(settings.github, environment))
    return found


def deliver(
    summary: Summary,
    settings: AlertSettings,
    folder: Path,
    environment: Mapping[str, str],
    clock: Callable[[], datetime],
    *,
    dry_run: bool = False,
    whole: bool = True,
) -> list[Delivery]:
    """Tell each channel what it has not been told yet.

    Args:
        summary: of all claims, without `since`.
        settings: the channels.
        folder: the archive's folder, where the log of alerts lies.
        environment: where the secrets are.
        clock: gives the time of each delivery, aware.
        dry_run: send nothing and write nothing; say what would be sent.
        whole: whether all claims files were read; see `due`.

    Raises:
        LockedError: another run does it just now.
        MachineError: the log cannot be written; what was sent until then is in it.
    """
    channels = channels_of(settings, environment)
    if dry_run:
        log = AlertLog(folder)
        return [
            Delivery(c.name, m, None)
            for c in channels
            for m in _messages(summary, c, log, settings.digest, whole)
        ]
    done: list[Delivery] = []
    if channels:
        with opened(folder) as log:
            for channel in channels:
                messages = _messages(summary, channel, log, settings.digest, whole)
                if messages:
                    done += _send(channel, messages, log, clock)
    return done


def _messages(summary: Summary, channel: Channel, log: AlertLog, most: int, whole: bool) -> list[Message]:
    told = log.of(channel.name)
    tells = list(due(summary, told.last, failed_events(told), whole))
    if channel.digests and len(tells) > most:
        return [digest(tells, summary)]
    return [message(t, summary) for t in tells]


def _send(
    channel: Channel, messages: Sequence[Message], log: AlertLog, clock: Callable[[], datetime]
) -> list[Delivery]:
    why = channel.ready()
    done: list[Delivery] = []
    in_a_row = 0
    for number, one in enumerate(messages):
        if why:
            tells = tuple(t for m in messages[number:] for t in m.tells)
            log.end(_line(clock(), channel.name, Sent(False, why), tells))
            return done + [Delivery(channel.name, m, False, why) for m in messages[number:]]
        told = log.of(channel.name)
        again = any(t.event in failed_events(told) for t in one.tells)
        log.begin(_line(clock(), channel.name, Sent(False, "sending"), one.tells))
        sent = channel.send(one, told.issues, again)
        log.end(_line(clock(), channel.name, sent, one.tells))
        done.append(Delivery(channel.name, one, sent.ok, sent.detail))
        in_a_row = 0 if sent.ok else in_a_row + 1
        if sent.stop or in_a_row >= GIVE_UP:
            why = f"not tried, as others failed: {sent.detail}"
    return done


def _line(now: datetime, channel: str, sent: Sent, tells: tuple[Tell, ...]) -> Line:
    time = now.isoformat(timespec="seconds").replace("+00:00", "Z")
    return Line(time, channel, sent.ok, sent.detail, tells, sent.issue)
