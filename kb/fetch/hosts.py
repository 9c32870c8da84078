"""One host: its connections, its robots.txt, and whose turn it is."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import httpx

from kb.fetch.address import GuardedBackend, is_loopback
from kb.fetch.failure import Failure
from kb.fetch.retry import asked_wait
from kb.fetch.robots import Robots
from kb.fetch.settings import FetchSettings
from kb.fetch.transport import GuardedTransport
from kb.reasons import Reason
from kb.snapshots.capture import Exchange

_NO_ANSWER = frozenset({Reason.DNS, Reason.TLS, Reason.UNREACHABLE, Reason.TIMEOUT})
_FAILURES = 3
"""Pages of one host without any answer, one after the other, after which the rest is not asked for."""

_PORTS = {"http": 80, "https": 443}


def host_key(url: httpx.URL) -> str:
    """What shares one queue: the host's name, with the port where it is not the usual one.

    >>> host_key(httpx.URL("https://Example.org/a")), host_key(httpx.URL("http://localhost:8080"))
    ('example.org', 'localhost:8080')
    """
    port = url.port
    return url.host if port is None or port == _PORTS.get(url.scheme) else f"{url.host}:{port}"


class Host:
    """Lets one request at a time through to a host, with the polite delay between two."""

    def __init__(
        self,
        url: httpx.URL,
        settings: FetchSettings,
        trust: Callable[[], ssl.SSLContext],
        in_flight: asyncio.Semaphore,
    ) -> None:
        self.key = host_key(url)
        own = settings.of_host(url.host, url.port)
        self.timeout = own.timeout or settings.timeout
        self.tries = own.tries or settings.tries
        self.users = 0
        self.given_up: Failure | None = None
        self._failed = 0
        self.robots: dict[str, Robots] = {}
        self.robots_turn = asyncio.Lock()
        self._delay = settings.delay if own.delay is None else own.delay
        self._asked_delay = 0.0
        self._delay_is_own = settings.states_delay(url.host, url.port)
        self._loopback = is_loopback(url.host.strip("[]"))
        self._turns = asyncio.Lock()
        self._in_flight = in_flight
        self._free_at = 0.0
        backend = GuardedBackend(
            allow_private=settings.allow_private, resolver=settings.resolver, dialled=self._dialled
        )
        self.transport = GuardedTransport(trust, backend)

    def _dialled(self, address: str) -> None:
        self._loopback = is_loopback(address)

    @property
    def delay(self) -> float:
        """Seconds between two requests: ours, unless the site asks for more; none on loopback."""
        ours = 0.0 if self._loopback and not self._delay_is_own else self._delay
        return max(ours, self._asked_delay)

    def obey(self, robots: Robots) -> None:
        """Take over the delay that robots.txt asks for."""
        self._asked_delay = max(self._asked_delay, robots.delay)

    def learn(self, exchange: Exchange, max_wait: float) -> None:
        """Give a host up for the rest of the run where asking on would be of no use, or rude.

        Where no delay is kept (loopback) nobody is bothered, and each page is asked for.
        """
        if not self.delay:
            return
        asked = asked_wait(exchange) if exchange.status in (429, 503) else None
        if asked is not None and asked > max_wait:
            detail = f"not asked: the site wants us to wait for {asked:.0f} seconds"
            self.given_up = Failure(Reason.BLOCKED, detail)
        if exchange.reason not in _NO_ANSWER or exchange.hops:
            self._failed = 0
            return
        self._failed += 1
        if self._failed >= _FAILURES:
            assert exchange.reason is not None
            detail = f"not asked: {_FAILURES} pages of this host in a row ended so"
            self.given_up = Failure(exchange.reason, detail)

    @asynccontextmanager
    async def turn(self, *, hurried: bool = False) -> AsyncIterator[None]:
        """Wait until this host may be asked again, and hold the others back meanwhile.

        `hurried`: for the parts of a page in a browser, which come without the delay.
        """
        async with self._turns:
            loop = asyncio.get_running_loop()
            wait = self._free_at - loop.time()
            if wait > 0 and not hurried:
                await asyncio.sleep(wait)
            async with self._in_flight:
                try:
                    yield
                finally:
                    self._free_at = loop.time() + self.delay

    async def close(self) -> None:
        """Close the connections; a later request opens new ones."""
        await self.transport.reset()
