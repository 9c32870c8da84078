"""HTTP/2 over TLS, from a server that speaks it for real."""

from __future__ import annotations

import contextlib
import socket
import ssl
import threading
from collections.abc import Callable, Iterator

import h2.config
import h2.connection
import h2.events
import pytest
import trustme

from kb.fetch import FetchRequest, FetchSettings, fetch_pages
from kb.snapshots.capture import Exchange

Make = Callable[..., FetchSettings]


class Server:
    """Answers each path by a list of (headers, body); a body of None resets the stream."""

    def __init__(self, tls: ssl.SSLContext) -> None:
        self.pages: dict[str, tuple[list[tuple[str, str]], bytes | None]] = {}
        self.connections = 0
        self._tls = tls
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"https://127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        self._listener.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                plain, _ = self._listener.accept()
                self.connections += 1
                threading.Thread(target=self._talk, args=(plain,), daemon=True).start()

    def _talk(self, plain: socket.socket) -> None:
        with contextlib.suppress(OSError), plain, self._tls.wrap_socket(plain, server_side=True) as conn:
            config = h2.config.H2Configuration(client_side=False, validate_outbound_headers=False)
            h2c = h2.connection.H2Connection(config)
            h2c.initiate_connection()
            conn.sendall(h2c.data_to_send())
            while data := conn.recv(65536):
                for event in h2c.receive_data(data):
                    if isinstance(event, h2.events.RequestReceived):
                        path = {bytes(k): bytes(v) for k, v in event.headers}[b":path"].decode()
                        headers, body = self.pages.get(path, ([(":status", "404")], b""))
                        if body is None:
                            h2c.reset_stream(event.stream_id)
                            continue
                        h2c.send_headers(event.stream_id, headers, end_stream=not body)
                        # No more than the windows that a client opens at first.
                        for start in range(0, min(len(body), 60_000), 16_000):
                            h2c.send_data(event.stream_id, body[start : min(start + 16_000, 60_000)])
                        if body:
                            h2c.end_stream(event.stream_id)
                conn.sendall(h2c.data_to_send())


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture
def server(authority: trustme.CA) -> Iterator[Server]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.set_alpn_protocols(["h2", "http/1.1"])
    authority.issue_cert("127.0.0.1").configure_cert(context)
    running = Server(context)
    yield running
    running.close()


def ok(body: bytes, *more: tuple[str, str]) -> tuple[list[tuple[str, str]], bytes]:
    return [(":status", "200"), ("content-type", "text/html"), *more], body


def test_http_2_is_spoken_and_one_connection_serves_all(
    server: Server, authority: trustme.CA, settings: Make
) -> None:
    server.pages = {f"/{n}": ok(b"page %d" % n) for n in range(4)}
    kept: list[Exchange] = []
    with authority.cert_pem.tempfile() as ca:
        fetch_pages([FetchRequest(f"{server.url}/{n}") for n in range(4)], settings(ca_file=ca), kept.append)
    assert [(e.http_version, e.body) for e in kept] == [("2", b"page %d" % n) for n in range(4)]
    assert server.connections == 1


def test_faults_over_http_2_have_their_reasons_and_spoil_nothing_after(
    server: Server, authority: trustme.CA, settings: Make
) -> None:
    server.pages = {
        "/reset": ([], None),
        "/length": ok(b"abc", ("content-length", "30")),
        "/large": ok(b"x" * 50_000),
        "/after": ok(b"well"),
    }
    kept: list[Exchange] = []
    paths = ["/reset", "/after", "/length", "/after", "/large", "/after"]
    with authority.cert_pem.tempfile() as ca:
        mine = settings(ca_file=ca, max_bytes=20_000, max_wire_bytes=20_000)
        fetch_pages([FetchRequest(server.url + p) for p in paths], mine, kept.append)
    assert [str(e.reason) for e in kept] == ["broken", "None", "broken", "None", "too-large", "None"]
    assert [e.body for e in kept[1::2]] == [b"well"] * 3
