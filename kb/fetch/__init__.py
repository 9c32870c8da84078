"""Asking the web politely: a source and its last capture give a new exchange, or a reason."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from kb.fetch.settings import FetchRequest, FetchSettings, HostSettings

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

_HOMES = dict.fromkeys(("FetchEvent", "fetch_one", "fetch_pages", "fetch_pages_async"), "kb.fetch.run")


def __getattr__(name: str) -> Any:
    """Load httpx and its kin only when something is fetched (start-up time)."""
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
