"""Telling people of confirmed changes, each once: events to messages, messages to channels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kb.later import later
from kb.notify.settings import AlertSettings, GithubSettings

if TYPE_CHECKING:
    from kb.notify.delivery import Delivery, deliver
    from kb.notify.log import undelivered


__all__ = [
    "AlertSettings",
    "Delivery",
    "GithubSettings",
    "deliver",
    "undelivered",
]

__getattr__ = later(
    __name__,
    {
        "delivery": ("Delivery", "deliver"),
        "log": ("undelivered",),
    },
)
"""What loads the report and what it reads: on first use, as settings need none."""
