"""httpx over guarded connections: no proxy, and nothing of one answer left over for the next."""

from __future__ import annotations

import ssl
from collections.abc import AsyncIterator, Callable
from typing import Any

import httpcore
import httpx

from kb.fetch.address import GuardedBackend

_GLANCE = 0.001
"""Seconds in which bytes that have come already are read."""


class _Body(httpx.AsyncByteStream):
    """The raw bytes of an answer, as they come."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for part in self._stream:
            yield part

    async def aclose(self) -> None:
        await self._stream.aclose()


class GuardedTransport(httpx.AsyncBaseTransport):
    """One host's client: sends httpx requests through a pool whose backend guards each connection.

    Used without `httpx.AsyncClient`, which keeps cookies between pages and raises for a
    Location that it cannot read. Exceptions are httpcore's own; `failure_of` names them.
    """

    def __init__(self, trust: Callable[[], ssl.SSLContext], backend: GuardedBackend) -> None:
        self._trust = trust
        self._backend = backend
        self._pools: dict[bytes, httpcore.AsyncConnectionPool] = {}
        self._secure: httpcore.AsyncNetworkStream | None = None

    def _pool(self, scheme: bytes) -> httpcore.AsyncConnectionPool:
        pool = self._pools.get(scheme)
        if pool is None:
            pool = self._pools[scheme] = httpcore.AsyncConnectionPool(
                ssl_context=self._trust() if scheme == b"https" else None,
                max_connections=2,
                keepalive_expiry=60.0,
                http1=True,
                http2=True,
                network_backend=self._backend,
            )
        return pool

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send one request; the answer's body is still to be read."""
        url = request.url
        await self._still_quiet()
        pool = self._pool(url.raw_scheme)
        answer = await pool.handle_async_request(
            httpcore.Request(
                method=request.method,
                url=httpcore.URL(
                    scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path
                ),
                headers=request.headers.raw,
                content=request.stream,
                extensions=request.extensions,
            )
        )
        if url.scheme == "https" and answer.extensions.get("http_version") != b"HTTP/2":
            self._secure = answer.extensions.get("network_stream")
        return httpx.Response(
            status_code=answer.status,
            headers=answer.headers,
            stream=_Body(answer.stream),
            extensions=answer.extensions,
            request=request,
        )

    def surplus(self) -> int | None:
        """Bytes that came beyond the answer that was just read; None where that cannot be known.

        A server that sends more than its Content-Length says would otherwise have
        the rest taken for the answer to the next request. The parser's buffer has no
        public name; where it is not found the connection is not used again.
        """
        found = 0
        for pool in self._pools.values():
            for connection in pool.connections:
                inner = getattr(connection, "_connection", None)
                if inner is None or type(inner).__name__ == "AsyncHTTP2Connection":
                    continue
                parser = getattr(inner, "_h11_state", None)
                if parser is None:
                    return None
                found += len(parser.trailing_data[0].strip(b"\r\n"))
        return found

    async def _still_quiet(self) -> None:
        """Drop the connections if more came on one of them since its answer ended.

        In the clear httpcore sees that itself; within TLS the bytes may wait decrypted or not.
        """
        stream, self._secure = self._secure, None
        if stream is None:
            return
        try:
            await stream.read(1, timeout=_GLANCE)
        except httpcore.ReadTimeout:
            return
        except (httpcore.NetworkError, OSError):
            pass
        await self.reset()

    async def reset(self) -> None:
        """Drop all connections; the next request makes new ones."""
        self._secure = None
        pools, self._pools = list(self._pools.values()), {}
        for pool in pools:
            await pool.aclose()
        await self._backend.close()

    async def aclose(self) -> None:
        """Drop all connections."""
        await self.reset()
