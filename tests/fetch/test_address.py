"""Which addresses are dialled, whatever the names say."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from webserver import WebServer, page, redirect

from kb.fetch.address import why_refused
from kb.snapshots.capture import Exchange

Fetch = Callable[..., Exchange]

NEVER = [
    "0.0.0.0", "0.1.2.3", "169.254.169.254", "192.0.0.8", "192.0.2.1", "198.18.0.1", "198.51.100.7", "203.0.113.9",
    "224.0.0.1", "240.0.0.1", "255.255.255.255", "::", "::ffff:8.8.8.8", "::ffff:127.0.0.1", "::127.0.0.1",
    "64:ff9b::808:808", "64:ff9b::7f00:1", "64:ff9b:1::1", "2002:808:808::1", "2001::1", "2001:db8::1", "fe80::1",
    "fe80::1%eth0", "fec0::1", "ff02::1", "100::1", "fd00:ec2::254", "168.63.129.16", "not an address", "",
]  # fmt: skip
PRIVATE = ["127.0.0.1", "127.9.9.9", "::1", "10.0.0.1", "172.16.5.4", "192.168.1.1", "100.64.0.1", "fc00::1"]
PUBLIC = ["8.8.8.8", "93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946", "1.1.1.1"]


@pytest.mark.parametrize("address", NEVER)
def test_some_addresses_are_never_dialled(address: str) -> None:
    assert why_refused(address) and why_refused(address, allow_private=True)


@pytest.mark.parametrize("address", PRIVATE)
def test_private_addresses_are_dialled_only_when_allowed(address: str) -> None:
    assert why_refused(address)
    assert why_refused(address, allow_private=True) is None


@pytest.mark.parametrize("address", PUBLIC)
def test_public_addresses_are_dialled(address: str) -> None:
    assert why_refused(address) is None


@given(st.ip_addresses())
def test_what_is_dialled_is_global(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> None:
    if why_refused(str(address)) is None:
        assert address.is_global


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "2130706433", "0x7f.1", "127.1", "017700000001", "localhost", "[::1]", "①②⑦.⓪.⓪.①"]
)
def test_no_spelling_of_loopback_is_dialled(server: WebServer, fetch: Fetch, host: str) -> None:
    server.otherwise(page("inside"))
    got = fetch(f"http://{host}:{server.port}/", allow_private=False)
    assert str(got.reason) in ("refused", "dns")
    assert not server.requests


async def _rebinding(name: str, port: int) -> list[str]:
    return ["93.184.216.34", "127.0.0.1"]


def test_a_name_with_one_private_address_is_refused_whole(server: WebServer, fetch: Fetch) -> None:
    got = fetch(f"http://two.example:{server.port}/", allow_private=False, resolver=_rebinding)
    assert str(got.reason) == "refused"
    assert not server.requests


def test_a_name_that_changes_its_address_is_resolved_and_checked_for_each_connection(
    server: WebServer, fetch: Fetch
) -> None:
    asked: list[str] = []

    async def first_ours_then_link_local(name: str, port: int) -> list[str]:
        asked.append(name)
        return ["127.0.0.1"] if len(asked) == 1 else ["169.254.169.254"]

    server.put("/", page("x", headers=[("Connection", "close")]))
    server.robots = page("", 404, [("Connection", "close")])
    got = fetch(f"http://rebind.example:{server.port}/", resolver=first_ours_then_link_local)
    assert str(got.reason) == "refused"
    assert server.asked("/") == 0


def test_a_redirect_is_checked_like_the_first_address(server: WebServer, fetch: Fetch) -> None:
    async def public(name: str, port: int) -> list[str]:
        return ["127.0.0.1"] if name == "start.example" else ["10.0.0.1", "169.254.0.1"]

    server.put("/", redirect("http://inside.example/secret"))
    got = fetch(f"http://start.example:{server.port}/", resolver=public)
    assert str(got.reason) == "refused"
    assert [h.status for h in got.hops] == [302]
    assert "inside.example" in got.url


def test_the_host_header_and_pool_keep_the_name(server: WebServer, fetch: Fetch) -> None:
    async def here(name: str, port: int) -> list[str]:
        return ["127.0.0.1"]

    server.put("/", page("x"))
    assert fetch(f"http://named.example:{server.port}/", resolver=here).status == 200
    assert server.requests[-1].headers["host"] == f"named.example:{server.port}"


def test_proxies_of_the_environment_are_not_followed(
    server: WebServer, fetch: Fetch, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9/")
    server.put("/", page("direct"))
    assert fetch(server.url + "/").body == b"direct"
