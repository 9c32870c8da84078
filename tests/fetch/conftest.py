"""A server on loopback and settings without waits."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from webserver import WebServer

from kb.fetch import FetchSettings, fetch_one
from kb.snapshots.capture import Exchange


@pytest.fixture
def server() -> Iterator[WebServer]:
    with WebServer() as running:
        yield running


@pytest.fixture
def settings() -> Callable[..., FetchSettings]:
    def make(**changes: Any) -> FetchSettings:
        given: dict[str, Any] = {"allow_private": True, "backoff": 0.0, "timeout": 5.0, "tries": 1}
        return FetchSettings(**{**given, **changes})

    return make


@pytest.fixture
def fetch(settings: Callable[..., FetchSettings]) -> Callable[..., Exchange]:
    def one(url: Any, **changes: Any) -> Exchange:
        return fetch_one(url, settings(**changes))

    return one
