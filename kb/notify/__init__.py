"""Telling people of confirmed changes, each once: events to messages, messages to channels."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from kb.notify.settings import AlertSettings, GithubSettings

if TYPE_CHECKING:
    from kb.notify.delivery import Delivery, deliver
    from kb.notify.log import undelivered

_LATER = {"Delivery": "delivery", "deliver": "delivery", "undelivered": "log"}
"""Names whose modules load the report and what it reads: on first use, as settings need none."""

__all__ = [
    "AlertSettings",
    "Delivery",
    "GithubSettings",
    "deliver",
    "undelivered",
]


def __getattr__(name: str) -> Any:
    if name in _LATER:
        return getattr(importlib.import_module(f"kb.notify.{_LATER[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
