"""Asking the web politely: a source and its last capture give a new exchange, or a reason."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kb.fetch.settings import FetchRequest, FetchSettings, HostSettings
from kb.later import later

if TYPE_CHECKING:
    from kb.fetch.run import FetchEvent, fetch_one, fetch_pages, fetch_pages_async

__all__ = [
    "FetchEvent",
    "FetchRequest",
    "FetchSettings",
    "HostSettings",
    "fetch_one",
    "fetch_pages",
    "fetch_pages_async",
]

__getattr__ = later(
    __name__,
    {
        "run": ("FetchEvent", "fetch_one", "fetch_pages", "fetch_pages_async"),
    },
)
"""Load httpx and its kin only when something is fetched (start-up time)."""
