"""What fetching costs over bare httpx followed by bare warcio, on loopback with politeness at zero.

Both ask the same servers for the same pages, in one process, and write a request
and a response record for each. Ours adds robots.txt, guarded addresses, limits,
digests, and a flush to the disk for each page.
"""

from __future__ import annotations

import asyncio
import io
import multiprocessing
import random
import sys
import tempfile
import time
from datetime import UTC, datetime
from multiprocessing.connection import Connection
from pathlib import Path

HOSTS = 20
PAGES = 2000
SIZE = 20_000
ROUNDS = 3
GOAL = 0.85


def _body(number: int) -> bytes:
    rng = random.Random(number)
    words = ["port", "fabric", "memory", "link", "node", "rate", "price", "region", "switch", "rack"]
    parts = [f"<html><head><title>Page {number}</title></head><body>"]
    while sum(map(len, parts)) < SIZE:
        text = " ".join(rng.choice(words) for _ in range(40))
        parts.append(f"<p>{text} {rng.randint(1, 9999)} Gbps</p>")
    return "".join(parts).encode()


def _serve(pipe: Connection) -> None:
    """Twenty hosts on loopback, in a process of their own."""
    bodies = [_body(n) for n in range(200)]

    class Pages(asyncio.Protocol):
        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            assert isinstance(transport, asyncio.Transport)
            self.transport = transport
            self.data = b""

        def data_received(self, data: bytes) -> None:
            self.data += data
            while b"\r\n\r\n" in self.data:
                head, _, self.data = self.data.partition(b"\r\n\r\n")
                path = head.split(b" ", 2)[1]
                if path == b"/robots.txt":
                    self.transport.write(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
                    continue
                # A body for each page, so that nothing is stored as a repetition.
                body = b"<!-- %s -->" % path + bodies[int(path[1:]) % len(bodies)]
                self.transport.write(
                    b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n" % len(body)
                    + body
                )

    async def run() -> None:
        loop = asyncio.get_running_loop()
        ports = []
        for _ in range(HOSTS):
            server = await loop.create_server(Pages, "127.0.0.1", 0)
            ports.append(server.sockets[0].getsockname()[1])
        pipe.send(ports)
        await asyncio.Event().wait()

    asyncio.run(run())


def bare(urls: list[str], folder: Path) -> float:
    """httpx with a client for each host, then warcio."""
    import httpx
    from warcio.statusandheaders import StatusAndHeaders
    from warcio.warcwriter import WARCWriter

    started = time.perf_counter()
    answers: list[httpx.Response] = []

    async def host(mine: list[str]) -> None:
        async with httpx.AsyncClient(verify=False) as client:
            for url in mine:
                answers.append(await client.get(url))

    async def run() -> None:
        hosts: dict[str, list[str]] = {}
        for url in urls:
            hosts.setdefault(url.rsplit("/", 1)[0], []).append(url)
        await asyncio.gather(*map(host, hosts.values()))

    asyncio.run(run())
    with (folder / "bare.warc.gz").open("wb") as out:
        writer = WARCWriter(out, gzip=True, warc_version="1.1")
        for answer in answers:
            url = str(answer.url)
            when = datetime.now(UTC).isoformat().replace("+00:00", "Z")
            head = StatusAndHeaders("200 OK", list(answer.headers.multi_items()), protocol="HTTP/1.1")
            response = writer.create_warc_record(
                url,
                "response",
                payload=io.BytesIO(answer.content),
                http_headers=head,
                warc_headers_dict={"WARC-Date": when},
            )
            line = StatusAndHeaders(
                f"GET {answer.request.url.path} HTTP/1.1",
                list(answer.request.headers.multi_items()),
                is_http_request=True,
            )
            request = writer.create_warc_record(
                url, "request", http_headers=line, warc_headers_dict={"WARC-Date": when}
            )
            writer.write_request_response_pair(request, response)
    return time.perf_counter() - started


def ours(urls: list[str], folder: Path) -> float:
    """`fetch_pages` into the archive."""
    from kb.fetch import FetchRequest, FetchSettings, fetch_pages
    from kb.snapshots import Archive

    started = time.perf_counter()
    settings = FetchSettings(contact="bench@example.org", allow_private=True)
    with Archive(folder / "snapshots").begin(datetime.now(UTC), {}) as run:
        fetch_pages([FetchRequest(url) for url in urls], settings, run.keep)
    return time.perf_counter() - started


def main() -> int:
    """Print the table."""
    context = multiprocessing.get_context("spawn")
    ours_end, server_end = context.Pipe()
    server = context.Process(target=_serve, args=(server_end,), daemon=True)
    server.start()
    ports = ours_end.recv()
    urls = [f"http://127.0.0.1:{ports[n % HOSTS]}/{n}" for n in range(PAGES)]
    wall: dict[str, float] = {}
    cpu: dict[str, float] = {}
    try:
        for number in range(ROUNDS + 1):
            for name, work in (("bare", bare), ("kb", ours)):
                started = time.process_time()
                with tempfile.TemporaryDirectory() as folder:
                    took = work(urls, Path(folder))
                used = time.process_time() - started
                if number:  # the first round loads the modules
                    wall[name] = min(took, wall.get(name, took))
                    cpu[name] = min(used, cpu.get(name, used))
    finally:
        server.terminate()
        server.join()
    print(f"{PAGES} pages of {SIZE // 1000} KB on {HOSTS} hosts, best of {ROUNDS} rounds")
    for name, words in (("bare", "bare httpx, then bare warcio"), ("kb", "kb, archived and flushed")):
        rate, processor = PAGES / wall[name], cpu[name] / PAGES * 1000
        print(f"{words:32} {rate:8.0f} pages/s {processor:8.2f} ms of processor a page")
    print(
        f"rate of the bare: {wall['bare'] / wall['kb']:.0%} (goal {GOAL:.0%}), "
        f"{cpu['bare'] / cpu['kb']:.0%} by processor time; "
        f"{(wall['kb'] - wall['bare']) / PAGES * 1000:+.2f} ms a page"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
