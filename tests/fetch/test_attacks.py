"""What a hostile or broken server does, and the reason that each gives, within limits."""

from __future__ import annotations

import gzip
import socket
import ssl
import subprocess
import sys
import time
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
import trustme
from webserver import (
    KEEP,
    Behaviour,
    WebServer,
    answer,
    bomb,
    drip,
    endless,
    endless_headers,
    page,
    raw,
    redirect,
    reset,
    silent,
)

from kb.fetch import FetchRequest, FetchSettings, HostSettings, fetch_pages
from kb.snapshots.capture import Exchange

Fetch = Callable[..., Exchange]
OK = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"


@pytest.mark.parametrize(
    ("behaviour", "reason"),
    [
        pytest.param(drip(b"x" * 60, 0.05), "timeout", id="a byte at a time"),
        pytest.param(drip(OK + b"\r\n", 0.05, head=False), "timeout", id="a head of a byte at a time"),
        pytest.param(silent(3), "timeout", id="no word"),
        pytest.param(endless(), "too-large", id="no end"),
        pytest.param(endless_headers(), "broken", id="a head without end"),
        pytest.param(reset(), "unreachable", id="reset at once"),
        pytest.param(reset(OK + b"Content-Length: 100\r\n\r\nabc"), "unreachable", id="reset in the body"),
        pytest.param(answer(b"x" * 10, length=100, keep=False), "broken", id="shorter than it says"),
        pytest.param(raw(OK + b"Transfer-Encoding: chunked\r\n\r\n5\r\nab"), "broken", id="chunk cut short"),
        pytest.param(raw(OK + b"Transfer-Encoding: chunked\r\n\r\nzz\r\nab\r\n"), "broken", id="no chunk"),
        pytest.param(raw(OK + b"Content-Length: -5\r\n\r\nabc"), "broken", id="a negative length"),
        pytest.param(
            raw(OK + b"Content-Length: 1\r\nContent-Length: 3\r\n\r\nabc"), "broken", id="two lengths"
        ),
        pytest.param(raw(b"220 mail.example ESMTP\r\n"), "broken", id="another protocol"),
        pytest.param(raw(b"\x00\xff" * 100), "broken", id="noise"),
        pytest.param(raw(b""), "broken", id="closed without a word"),
        pytest.param(
            raw(b"HTTP/1.1 200 OK\r\nBad Header : \x00\r\n\r\n"), "broken", id="headers that are none"
        ),
        pytest.param(answer(b"x", length=10**12), "too-large", id="a terabyte stated"),
        pytest.param(bomb(), "too-large", id="100 MB as 100 KB of gzip"),
        pytest.param(
            answer(
                gzip.compress(gzip.compress(b" " * 50_000_000)), headers=[("Content-Encoding", "gzip, gzip")]
            ),
            "too-large",
            id="a bomb inside a bomb",
        ),
        pytest.param(
            answer(zlib.compress(b" " * 50_000_000), headers=[("Content-Encoding", "deflate")]),
            "too-large",
            id="a deflate bomb",
        ),
        pytest.param(
            answer(b"plain", headers=[("Content-Encoding", "gzip")]), "undecodable", id="gzip that is none"
        ),
        pytest.param(
            answer(gzip.compress(b"a" * 10_000)[:-20], headers=[("Content-Encoding", "gzip")]),
            "broken",
            id="gzip cut short",
        ),
        pytest.param(
            answer(b"\x1b\x2a", headers=[("Content-Encoding", "br")]),
            "undecodable",
            id="a coding not asked for",
        ),
        pytest.param(
            answer(b"x", headers=[("Content-Encoding", "gzip, gzip, gzip, gzip")]),
            "undecodable",
            id="four codings",
        ),
        pytest.param(answer(b"\xff\xd8", content_type="image/jpeg"), "unsupported-type", id="a picture"),
        pytest.param(redirect("/go?n={n}"), "redirects", id="redirects without end"),
        pytest.param(redirect("/go"), "redirects", id="a loop"),
        pytest.param(redirect("file:///etc/passwd"), "redirects", id="to a file"),
        pytest.param(redirect("javascript:alert(1)"), "redirects", id="to a script"),
        pytest.param(redirect("data:text/html,hello"), "redirects", id="to data"),
        pytest.param(redirect("gopher://example.org/"), "redirects", id="to another protocol"),
        pytest.param(redirect("http://[::1"), "redirects", id="to half an address"),
        pytest.param(redirect("http://"), "redirects", id="to no host"),
        pytest.param(redirect("http://a" + "b" * 300 + ".example/"), "dns", id="to a name too long"),
        pytest.param(answer(b"", 302), "redirects", id="to nowhere"),
        pytest.param(
            redirect("http://169.254.169.254/latest/meta-data/"), "refused", id="to a metadata service"
        ),
        pytest.param(redirect("http://[64:ff9b::7f00:1]/"), "refused", id="to loopback by NAT64"),
        pytest.param(redirect("http://[2002:7f00:1::]/"), "refused", id="to loopback by 6to4"),
        pytest.param(redirect("http://[::ffff:127.0.0.1]/"), "refused", id="to loopback in IPv6 clothes"),
        pytest.param(redirect("http://0/"), "refused", id="to nought"),
        pytest.param(redirect("http://[fe80::1]/"), "refused", id="to link-local"),
        pytest.param(answer(b"", 304), "broken", id="not modified, though all was asked for"),
    ],
)
def test_a_misbehaving_server_gives_its_reason(
    server: WebServer, fetch: Fetch, behaviour: object, reason: str
) -> None:
    server.otherwise(behaviour)  # type: ignore[arg-type]
    server.robots = answer("", 404)
    got = fetch(server.url + "/go", timeout=1.0, max_bytes=4_000_000, max_wire_bytes=4_000_000)
    assert (str(got.reason), got.body) == (reason, b"")
    assert got.detail


@pytest.mark.parametrize(
    "behaviour",
    [
        pytest.param(
            page("<p>x</p>", headers=[("Set-Cookie", f"c{n}=1") for n in range(2000)]), id="cookies"
        ),
        pytest.param(page("<p>" + "x" * 5_000_000), id="a line of 5 MB"),
        pytest.param(answer(b"<p>\xff\xfe\xc3 caf\xe9"), id="invalid UTF-8"),
        pytest.param(
            answer(b"<!DOCTYPE x [<!ENTITY a 'b'>]><x>&a;</x>", content_type="text/xml"), id="entities"
        ),
        pytest.param(raw(b"HTTP/1.1 200 \r\nContent-Length: 2\r\n\r\nok"), id="no reason phrase"),
        pytest.param(raw(b"HTTP/1.0 200 OK\r\n\r\n<p>old"), id="HTTP/1.0 until the connection closes"),
        pytest.param(
            raw(b"HTTP/1.1 100 Continue\r\n\r\n" + OK + b"Content-Length: 2\r\n\r\nok"), id="100 first"
        ),
        pytest.param(raw(OK + b"X: a\r\n\tb\r\nContent-Length: 2\r\n\r\nok"), id="a folded header"),
        pytest.param(
            answer(gzip.compress(b"a") + b"\0\0", headers=[("Content-Encoding", "gzip")]), id="padding"
        ),
        pytest.param(
            answer(gzip.compress(b"a") + gzip.compress(b"b"), headers=[("Content-Encoding", "x-gzip")]),
            id="two members",
        ),
        pytest.param(
            answer(zlib.compress(b"hello" * 99)[2:-4], headers=[("Content-Encoding", "deflate")]),
            id="raw deflate",
        ),
        pytest.param(answer(b"", headers=[("Content-Encoding", "gzip")]), id="nothing, coded"),
    ],
)
def test_an_odd_answer_is_still_an_answer(server: WebServer, fetch: Fetch, behaviour: object) -> None:
    server.put("/odd", behaviour)  # type: ignore[arg-type]
    got = fetch(server.url + "/odd")
    assert (got.reason, got.status) == (None, 200)


SMUGGLED = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 8\r\n\r\nsmuggled"


def longer(body: bytes, more: bytes, *, chunked: bool = False, apart: bool = False) -> Behaviour:
    """An answer with more behind it, at once or a little later."""

    def send(conn: socket.socket, asked: object) -> object:
        if chunked:
            whole = OK + b"Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n" % (len(body), body)
        else:
            whole = OK + b"Content-Length: %d\r\n\r\n%s" % (len(body), body)
        if not apart:
            conn.sendall(whole + more)
            return KEEP
        conn.sendall(whole)
        time.sleep(0.05)
        conn.sendall(more)
        return KEEP

    return send


@pytest.mark.parametrize("secure", [False, True], ids=["plain", "TLS"])
@pytest.mark.parametrize("size", [3, 40_000, 65_000, 300_000])
@pytest.mark.parametrize("chunked", [False, True], ids=["length", "chunked"])
@pytest.mark.parametrize("apart", [False, True], ids=["at once", "later"])
def test_what_comes_beyond_an_answer_is_never_the_next_answer(
    settings: Callable[..., FetchSettings],
    authority: trustme.CA,
    secure: bool,
    size: int,
    chunked: bool,
    apart: bool,
) -> None:
    tls = _context(authority, "127.0.0.1") if secure else None
    with authority.cert_pem.tempfile() as ca, WebServer(tls=tls) as server:
        server.put("/1", longer(b"1" * size, SMUGGLED, chunked=chunked, apart=apart))
        server.put("/2", page("two"))
        kept: list[Exchange] = []
        polite = settings(ca_file=ca, hosts={"127.0.0.1": HostSettings(delay=0.1 if apart else 0.0)})
        fetch_pages([FetchRequest(f"{server.url}/{n}") for n in (1, 2)], polite, kept.append)
    assert kept[1].body == b"two"
    assert kept[0].body in (b"1" * size, b"")
    if not apart and not secure:
        assert str(kept[0].reason) == "broken"


def test_a_line_break_beyond_the_answer_is_no_fault(server: WebServer, fetch: Fetch) -> None:
    server.put("/", longer(b"well", b"\r\n"))
    assert fetch(server.url + "/").body == b"well"


def test_a_connection_serves_many_pages_of_one_host(
    server: WebServer, settings: Callable[..., FetchSettings]
) -> None:
    for n in range(5):
        server.put(f"/{n}", page("x"))
    fetch_pages([FetchRequest(f"{server.url}/{n}") for n in range(5)], settings(), lambda e: None)
    assert len({a.connection for a in server.requests}) == 1


def test_a_robots_file_without_end_is_read_in_part(server: WebServer, fetch: Fetch) -> None:
    server.robots = endless(b"Disallow: /not-this\n" * 1000, b"X-Robots: here\r\n")
    server.put("/a", page("<p>a</p>"))
    assert fetch(server.url + "/a", timeout=20).status == 200


_MANY = """
import resource, sys
from kb.fetch import FetchRequest, FetchSettings, fetch_one, fetch_pages

async def here(name, port):
    return ["127.0.0.1"]

settings = FetchSettings(allow_private=True, resolver=here, tries=1, timeout=60)
fetch_one(f"http://idle.example:{sys.argv[1]}/small", settings)
idle = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
urls = [f"http://h{n}.example:{sys.argv[1]}{path}" for n in range(40) for path in ("/endless", "/bomb", "/big")]
reasons = set()
fetch_pages([FetchRequest(u) for u in urls], settings, lambda e: reasons.add(str(e.reason)))
print(sorted(reasons), (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - idle) // 1024)
"""


def test_memory_stays_bounded_while_many_hosts_send_all_they_can(server: WebServer) -> None:
    server.put("/small", page("x"))
    server.put("/endless", endless())
    server.put("/bomb", bomb())
    server.put("/big", page("x" * 15_000_000))
    done = subprocess.run(
        [sys.executable, "-c", _MANY, str(server.port)],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[2],
    )
    reasons, megabytes = done.stdout.rsplit(" ", 1)
    assert reasons == "['None', 'too-large']"
    assert int(megabytes) < 200


@pytest.fixture(scope="session")
def authority() -> trustme.CA:
    return trustme.CA()


def _context(authority: trustme.CA, name: str, protocols: tuple[str, ...] = ()) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(name).configure_cert(context)
    if protocols:
        context.set_alpn_protocols(list(protocols))
    return context


def test_a_trusted_certificate_is_accepted(authority: trustme.CA, fetch: Fetch) -> None:
    with authority.cert_pem.tempfile() as ca, WebServer(tls=_context(authority, "127.0.0.1")) as server:
        server.put("/", page("secure"))
        assert fetch(server.url + "/", ca_file=ca).body == b"secure"


@pytest.mark.parametrize("fault", ["unknown authority", "another name", "no TLS at all"])
def test_bad_tls_is_told(authority: trustme.CA, fetch: Fetch, fault: str) -> None:
    name = "other.example" if fault == "another name" else "127.0.0.1"
    tls = None if fault == "no TLS at all" else _context(authority, name)
    with authority.cert_pem.tempfile() as ca, WebServer(tls=tls) as server:
        trusted = "" if fault == "unknown authority" else ca
        got = fetch(f"https://127.0.0.1:{server.port}/", ca_file=trusted, tries=3)
        assert str(got.reason) == "tls"
