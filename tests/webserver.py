"""A real HTTP server on loopback that behaves, or misbehaves, as each path is told to.

    with WebServer() as server:
        server.put("/a", page("<p>400 Gbps</p>"))
        server.put("/slow", drip(b"x" * 100, seconds=1.0))
        ...
        assert server.asked("/a") == 1

A behaviour is called with the connection and the request, and writes what it
likes to the socket. `KEEP` as its result leaves the connection open for the
next request; anything else closes it. A path given several behaviours uses
one for each request, the last for all further ones.
"""

from __future__ import annotations

import contextlib
import gzip
import socket
import ssl
import struct
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from email.utils import formatdate
from http import HTTPStatus
from types import TracebackType

KEEP = object()
"""What a behaviour returns to leave the connection open."""


@dataclass(frozen=True)
class Asked:
    """One request as it came, with the moment and the connection it came on."""

    method: str
    path: str
    headers: dict[str, str]
    at: float
    connection: int


Behaviour = Callable[[socket.socket, Asked], object]


def answer(
    body: bytes | str = b"",
    status: int = 200,
    headers: Iterable[tuple[str, str]] = (),
    *,
    content_type: str = "text/html; charset=utf-8",
    length: int | None = None,
    keep: bool = True,
) -> Behaviour:
    """A whole answer; `length` states another length than the body has."""
    data = body.encode() if isinstance(body, str) else body
    given = {name.lower() for name, _ in headers}

    def send(conn: socket.socket, asked: Asked) -> object:
        lines = [f"HTTP/1.1 {status} {_phrase(status)}", f"Date: {formatdate(usegmt=True)}"]
        if "content-type" not in given and status not in (204, 304):
            lines.append(f"Content-Type: {content_type}")
        if "content-length" not in given and "transfer-encoding" not in given and status not in (204, 304):
            lines.append(f"Content-Length: {len(data) if length is None else length}")
        lines += [f"{name}: {value}" for name, value in headers]
        conn.sendall("\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + data)
        return KEEP if keep else None

    return send


def page(html: str, status: int = 200, headers: Iterable[tuple[str, str]] = ()) -> Behaviour:
    """An HTML page."""
    return answer(html, status, headers)


def redirect(to: str, status: int = 302, headers: Iterable[tuple[str, str]] = ()) -> Behaviour:
    """A redirect; `{n}` in `to` is replaced by a number that grows with each request."""
    count = iter(range(1, 1_000_000))

    def send(conn: socket.socket, asked: Asked) -> object:
        where = to.replace("{n}", str(next(count)))
        return answer(b"", status, [("Location", where), *headers])(conn, asked)

    return send


def raw(data: bytes, *, keep: bool = False) -> Behaviour:
    """Bytes as they are, HTTP or not."""

    def send(conn: socket.socket, asked: Asked) -> object:
        conn.sendall(data)
        return KEEP if keep else None

    return send


def drip(data: bytes, seconds: float, *, head: bool = True) -> Behaviour:
    """A byte at a time, with a pause after each; the head of the answer at once unless told otherwise."""

    def send(conn: socket.socket, asked: Asked) -> object:
        if head:
            conn.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n")
        for byte in data:
            conn.sendall(bytes([byte]))
            time.sleep(seconds)
        return None

    return send


def endless(chunk: bytes = b"<p>more</p>\n" * 4000, headers: bytes = b"") -> Behaviour:
    """A body that never ends, as fast as it is taken."""

    def send(conn: socket.socket, asked: Asked) -> object:
        conn.sendall(
            b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n" + headers + b"Connection: close\r\n\r\n"
        )
        while True:
            conn.sendall(chunk)

    return send


def endless_headers() -> Behaviour:
    """A head that never ends."""

    def send(conn: socket.socket, asked: Asked) -> object:
        conn.sendall(b"HTTP/1.1 200 OK\r\n")
        while True:
            conn.sendall(b"X-More: " + b"x" * 1000 + b"\r\n")

    return send


def silent(seconds: float = 30.0) -> Behaviour:
    """No answer at all, with the connection open."""

    def wait(conn: socket.socket, asked: Asked) -> object:
        conn.settimeout(seconds)
        with contextlib.suppress(OSError):
            conn.recv(1)
        return None

    return wait


def reset(after: bytes = b"") -> Behaviour:
    """A reset (RST), after some bytes."""

    def send(conn: socket.socket, asked: Asked) -> object:
        if after:
            conn.sendall(after)
        conn.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        return None

    return send


def bomb(megabytes: int = 100) -> Behaviour:
    """A gzip of that many megabytes of spaces, some hundred kilobytes on the wire."""
    inner = gzip.compress(b" " * 1024 * 1024 * megabytes, 9)
    return answer(inner, headers=[("Content-Encoding", "gzip")])


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "Unknown"


@dataclass
class WebServer:
    """The server; `tls` makes it speak TLS, `host` is the loopback address to listen on."""

    host: str = "127.0.0.1"
    tls: ssl.SSLContext | None = None
    robots: Behaviour | None = None
    requests: list[Asked] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._behaviours: dict[str, list[Behaviour]] = {}
        self._default: Behaviour = answer("<h1>Not Found</h1>", 404)
        self._lock = threading.Lock()
        self._open: set[socket.socket] = set()
        self._closing = False
        self._listener = socket.create_server((self.host, 0), backlog=128)
        self.port: int = self._listener.getsockname()[1]
        self._threads: list[threading.Thread] = []
        self._connections = 0

    @property
    def url(self) -> str:
        """The server's address, without a slash at its end."""
        return f"{'https' if self.tls else 'http'}://{self.host}:{self.port}"

    def put(self, path: str, *behaviours: Behaviour) -> str:
        """Say what a path (with its query) does; gives its URL."""
        with self._lock:
            self._behaviours[path] = list(behaviours)
        return self.url + path

    def otherwise(self, behaviour: Behaviour) -> None:
        """Say what all other paths do; 404 at first."""
        self._default = behaviour

    def asked(self, path: str) -> int:
        """How often a path was asked for."""
        return sum(a.path == path for a in list(self.requests))

    def __enter__(self) -> WebServer:
        thread = threading.Thread(target=self._accept, daemon=True)
        thread.start()
        self._threads.append(thread)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closing = True
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        with self._lock:
            for conn in self._open:
                with contextlib.suppress(OSError):
                    conn.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join(5)

    def _accept(self) -> None:
        while not self._closing:
            try:
                conn, _ = self._listener.accept()
            except OSError:
                return
            with self._lock:
                self._connections += 1
                number = self._connections
                self._open.add(conn)
            thread = threading.Thread(target=self._talk, args=(conn, number), daemon=True)
            self._threads.append(thread)
            thread.start()

    def _talk(self, conn: socket.socket, number: int) -> None:
        plain = conn
        try:
            if self.tls is not None:
                conn = self.tls.wrap_socket(conn, server_side=True)
                with self._lock:
                    self._open.discard(plain)
                    self._open.add(conn)
            conn.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            while not self._closing:
                asked = _read_request(conn, number)
                if asked is None:
                    return
                self.requests.append(asked)
                if self._behave(asked)(conn, asked) is not KEEP:
                    return
        except OSError:
            pass  # the client hung up, as some tests want it to
        finally:
            with self._lock:
                self._open.discard(conn)
                self._open.discard(plain)
            conn.close()

    def _behave(self, asked: Asked) -> Behaviour:
        if asked.path == "/robots.txt" and self.robots is not None:
            return self.robots
        with self._lock:
            found = self._behaviours.get(asked.path)
            if not found:
                return self._default
            return found.pop(0) if len(found) > 1 else found[0]


def _read_request(conn: socket.socket, number: int) -> Asked | None:
    data = b""
    while b"\r\n\r\n" not in data:
        part = conn.recv(65536)
        if not part or len(data) > 1_000_000:
            return None
        data += part
        if data[0] == 0x16:  # a greeting in TLS, which a plain server answers as nginx does
            conn.sendall(b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n")
            return None
    first, *lines = data.split(b"\r\n\r\n")[0].decode("latin-1").split("\r\n")
    method, path, _ = first.split(" ", 2)
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    return Asked(method, path, headers, time.monotonic(), number)
