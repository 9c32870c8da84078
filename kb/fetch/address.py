"""Which addresses may be asked, and a network backend that dials no other.

The check stands where the connection is made: a name is resolved once, every
address is checked, and exactly one of those checked is dialled. So no second
answer of a name server, and no spelling of an address, slips through, while
name, SNI, certificate and pool key all stay with the host's name.
"""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import socket
import ssl
import threading
from collections.abc import Callable, Iterable
from typing import Any

import httpcore

from kb.fetch.failure import Failure
from kb.fetch.settings import Resolver
from kb.reasons import Reason

_Network = ipaddress.IPv4Network | ipaddress.IPv6Network

_NEVER: tuple[tuple[_Network, str], ...] = tuple(
    (ipaddress.ip_network(net), why)
    for net, why in (
        ("0.0.0.0/8", "this host"),
        ("169.254.0.0/16", "link-local, where clouds keep their metadata service"),
        ("168.63.129.16/32", "a cloud's own platform service"),
        ("192.0.0.0/24", "reserved for protocols"),
        ("192.0.2.0/24", "for documentation"),
        ("192.88.99.0/24", "6to4 relays"),
        ("198.18.0.0/15", "for benchmarks"),
        ("198.51.100.0/24", "for documentation"),
        ("203.0.113.0/24", "for documentation"),
        ("224.0.0.0/4", "multicast"),
        ("240.0.0.0/4", "reserved"),
        ("::ffff:0:0/96", "an IPv4 address in IPv6 clothes"),
        ("64:ff9b::/96", "NAT64, which hides an IPv4 address"),
        ("64:ff9b:1::/48", "NAT64, which hides an IPv4 address"),
        ("100::/64", "discard only"),
        ("2001::/23", "reserved for protocols (Teredo among them)"),
        ("2001:db8::/32", "for documentation"),
        ("2002::/16", "6to4, which hides an IPv4 address"),
        ("3fff::/20", "for documentation"),
        ("5f00::/16", "segment routing"),
        ("fd00:ec2::/32", "a cloud's metadata service"),
        ("fe80::/10", "link-local"),
        ("fec0::/10", "site-local"),
        ("ff00::/8", "multicast"),
    )
)
"""Refused whatever the settings say."""

_PRIVATE: tuple[_Network, ...] = tuple(
    ipaddress.ip_network(net)
    for net in (
        "127.0.0.0/8",
        "::1/128",
        "10.0.0.0/8",
        "172.16.0.0/12",
        "192.168.0.0/16",
        "100.64.0.0/10",
        "fc00::/7",
    )
)
"""Admitted by `allow_private`."""

_HIDES_IPV4 = ipaddress.ip_network("::/96")  # "IPv4-compatible", long deprecated

DNS_SECONDS = 8.0
"""One lookup; the system's own limit may be a minute, and two of these must fit in a short check."""

CONNECT_SECONDS = 10.0
"""One address, where there are others to try after it."""

_ALL = 1024 * 1024
"""More than asyncio takes from a socket at once."""

_STREAMS = 4
"""Streams of one host that can be in use: one at a time for each scheme, and as many being replaced."""


def why_refused(address: str, *, allow_private: bool = False) -> str | None:
    """Say why an address must not be dialled; None: it may.

    Unlike `ipaddress.is_global` it also refuses the addresses that carry an
    IPv4 address inside.

    >>> why_refused("93.184.216.34"), why_refused("127.0.0.1")
    (None, '127.0.0.1 is a private address')
    """
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return f"{address} is no address"
    for network, why in _NEVER:
        if ip in network:
            return f"{address} is not public ({why})"
    if any(ip in network for network in _PRIVATE):
        return None if allow_private else f"{address} is a private address"
    if ip in _HIDES_IPV4 or not ip.is_global:
        return f"{address} is not public"
    return None


def is_loopback(address: str) -> bool:
    """Whether the address is this machine's own."""
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False


async def resolve(name: str, port: int) -> list[str]:
    """Look a name up as the system does, in the system's order.

    Each lookup has a thread of its own that nobody waits for at exit: the usual
    pool has a few threads, and a dead name server would hold them all.
    """
    loop = asyncio.get_running_loop()
    answer: asyncio.Future[list[str]] = loop.create_future()

    def settle(found: list[str] | None, error: OSError | None) -> None:
        if answer.done():
            return
        if error is not None:
            answer.set_exception(error)
        else:
            answer.set_result(found or [])

    def look_up() -> None:
        found: list[str] | None = None
        error: OSError | None = None
        try:
            infos = socket.getaddrinfo(name, port, type=socket.SOCK_STREAM)
            found = list(dict.fromkeys(str(info[4][0]) for info in infos))
        except OSError as exc:
            error = exc
        except UnicodeError as exc:
            error = OSError(f"{name!r} is no host name: {exc}")
        with contextlib.suppress(RuntimeError):  # the run was over before the name server answered
            loop.call_soon_threadsafe(settle, found, error)

    threading.Thread(target=look_up, name=f"look up {name}", daemon=True).start()
    return await answer


class _Whole(httpcore.AsyncNetworkStream):
    """A stream that is read as far as the system has given it.

    Read in smaller parts, what a server sent beyond its answer could stay in a buffer
    that nobody sees, until it is taken for the next answer.
    """

    def __init__(self, inner: httpcore.AsyncNetworkStream) -> None:
        self._inner = inner

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        data: bytes = await self._inner.read(max(max_bytes, _ALL), timeout)
        return data

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:
        await self._inner.write(buffer, timeout)

    async def aclose(self) -> None:
        await self._inner.aclose()

    async def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore.AsyncNetworkStream:
        return await self._inner.start_tls(ssl_context, server_hostname, timeout)

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)


class GuardedBackend(httpcore.AsyncNetworkBackend):
    """A network backend that resolves once, checks every address, and dials one of those.

    `dialled` is told each address that a connection was made to.
    """

    def __init__(
        self,
        *,
        allow_private: bool = False,
        resolver: Resolver | None = None,
        dialled: Callable[[str], None] | None = None,
    ) -> None:
        self._allow_private = allow_private
        self._resolver = resolver or resolve
        self._dialled = dialled
        self._inner = httpcore.AnyIOBackend()
        self._streams: list[httpcore.AsyncNetworkStream] = []

    async def addresses(self, host: str, port: int) -> list[str]:
        """The addresses that `host` may be dialled at.

        Raises:
            Failure: dns, or refused where any of them must not be dialled.
        """
        try:
            found = [str(ipaddress.ip_address(host.strip("[]")))]
        except ValueError:
            found = await self._look_up(host, port)
        for address in found:
            if why := why_refused(address, allow_private=self._allow_private):
                raise Failure(Reason.REFUSED, why if address == host else f"{host}: {why}")
        return found

    async def _look_up(self, host: str, port: int) -> list[str]:
        try:
            async with asyncio.timeout(DNS_SECONDS):
                found = await self._resolver(host, port)
        except TimeoutError:
            raise Failure(Reason.DNS, f"{host}: the name server did not answer", passing=True) from None
        except OSError as error:
            raise Failure(Reason.DNS, f"{host}: {error.strerror or error}", passing=True) from error
        if not found:
            raise Failure(Reason.DNS, f"{host} has no address", passing=True)
        return found

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Dial the first address that answers, all of them checked before."""
        found = await self.addresses(host, port)
        for number, address in enumerate(found):
            last = number == len(found) - 1
            try:
                stream = await self._inner.connect_tcp(
                    address,
                    port,
                    timeout=timeout if last else CONNECT_SECONDS,
                    local_address=local_address,
                    socket_options=socket_options,
                )
            except (httpcore.ConnectError, httpcore.ConnectTimeout):
                if last:
                    raise
                continue
            if self._dialled is not None:
                self._dialled(address)
            await self._hold(stream)
            return _Whole(stream)
        raise Failure(Reason.DNS, f"{host} has no address", passing=True)

    async def _hold(self, stream: httpcore.AsyncNetworkStream) -> None:
        """Remember a stream: one that is given up while TLS is being agreed on is closed by nobody else."""
        self._streams.append(stream)
        while len(self._streams) > _STREAMS:
            await self._streams.pop(0).aclose()

    async def close(self) -> None:
        """Close all streams that were dialled."""
        while self._streams:
            await self._streams.pop().aclose()

    async def connect_unix_socket(
        self, path: str, timeout: float | None = None, socket_options: Iterable[Any] | None = None
    ) -> httpcore.AsyncNetworkStream:
        """Never: a web page is not read from a socket in the file system."""
        raise Failure(Reason.REFUSED, "a socket in the file system is no web address")

    async def sleep(self, seconds: float) -> None:
        """Wait, as httpcore does between its own tries (kb asks it for none)."""
        await asyncio.sleep(seconds)


def trust(ca_file: str = "") -> ssl.SSLContext:
    """One TLS context for all hosts; it takes no certificates from the environment."""
    import certifi

    context = ssl.create_default_context(cafile=certifi.where())
    if ca_file:
        context.load_verify_locations(cafile=ca_file)
    return context
