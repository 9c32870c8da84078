"""What a channel is: a name, and a way to send one message."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from kb.notify.message import Message


@dataclass(frozen=True, slots=True)
class Sent:
    """What became of a message. `detail` says why not; `stop` that the others need not be tried now."""

    ok: bool
    detail: str = ""
    issue: int | None = None
    stop: bool = False


class Channel(Protocol):
    """One way to reach people.

    `digests` says whether many messages at once become one.
    """

    name: str
    digests: bool

    def ready(self) -> str:
        """Why nothing can be sent; empty where it can."""

    def send(self, message: Message, issues: Mapping[str, int], again: bool) -> Sent:
        """Send one message.

        `issues` are those that events have got; `again` says that it was tried before, and
        may have arrived.
        """
