"""What all tests share: no address but loopback is ever asked."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared"

_LOOPBACK = ("127.", "::1", "localhost")


@pytest.fixture(autouse=True)
def only_loopback(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Iterator[None]:
    """Let a test fail that asks any address beyond this machine."""
    if request.node.get_closest_marker("outside"):
        yield
        return
    connect, connect_ex = socket.socket.connect, socket.socket.connect_ex

    def check(address: object) -> None:
        if isinstance(address, tuple) and not str(address[0]).startswith(_LOOPBACK):
            pytest.fail(f"a test asked {address!r}, which is not this machine")

    def guarded(self: socket.socket, address: object) -> object:
        check(address)
        return connect(self, address)  # type: ignore[arg-type]

    def guarded_ex(self: socket.socket, address: object) -> object:
        check(address)
        return connect_ex(self, address)  # type: ignore[arg-type]

    monkeypatch.setattr(socket.socket, "connect", guarded)
    monkeypatch.setattr(socket.socket, "connect_ex", guarded_ex)
    yield


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with the seeds and the labelled cases; skips where it is not there."""
    if not SHARED.is_dir():
        pytest.skip("the folder shared/ with seeds and labelled cases is not beside the project")
    return SHARED
