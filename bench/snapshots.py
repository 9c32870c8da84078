"""What the archive costs: keeping over bare warcio writing the same records, and listing.

Both write a response and a request record for each page of one size, in one process. Ours adds
digests, the look for an earlier body, reading back what was written, and one flush to the disk for the pages
that wait for it (several threads keep, as in a fetch).
"""

from __future__ import annotations

import io
import random
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

from kb.snapshots import Archive, Exchange

PAGES = 300
SIZE = 60_000
THREADS = 8
LISTED = 10_000
NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
SENT = (("Host", "example.org"), ("User-Agent", "kb (bench)"), ("Accept", "text/html"))
RECEIVED = (("Content-Type", "text/html; charset=utf-8"), ("Server", "bench"), ("ETag", '"1"'))


def exchange(number: int, body: bytes) -> Exchange:
    """One answered page."""
    url = f"https://example.org/{number}"
    return Exchange(url, url, NOON + timedelta(seconds=number), 200, RECEIVED, body, SENT)


def bodies() -> list[bytes]:
    """Pages of markup, words and figures, each another; they squeeze to a fifth, as web pages do."""
    rng = random.Random(1)
    words = ["".join(rng.choices("etaoinshrdlu", k=rng.randint(2, 9))) for _ in range(4000)]
    pages = []
    for _ in range(PAGES):
        parts: list[str] = []
        while sum(map(len, parts)) < SIZE:
            text = " ".join(rng.choices(words, k=12))
            parts.append(
                f'<div class="row card-{rng.randint(0, 9)}"><p>{text} {rng.randint(1, 9999)} Gbps</p></div>\n'
            )
        pages.append("".join(parts).encode())
    return pages


def bare(pages: list[bytes], folder: Path) -> float:
    """The records alone, written by warcio, without a flush."""
    from warcio.statusandheaders import StatusAndHeaders
    from warcio.warcwriter import WARCWriter

    started = time.perf_counter()
    with (folder / "bare.warc.gz").open("wb") as file:
        writer = WARCWriter(file, gzip=True, warc_version="1.1")
        for number, body in enumerate(pages):
            url = f"https://example.org/{number}"
            head = StatusAndHeaders("200 OK", list(RECEIVED), protocol="HTTP/1.1")
            sent = StatusAndHeaders(f"GET /{number} HTTP/1.1", list(SENT), is_http_request=True)
            response = writer.create_warc_record(
                url, "response", payload=io.BytesIO(body), length=len(body), http_headers=head
            )
            writer.write_request_response_pair(
                writer.create_warc_record(url, "request", http_headers=sent), response
            )
    return time.perf_counter() - started


def ours(pages: list[bytes], folder: Path) -> float:
    """The same pages kept."""
    started = time.perf_counter()
    with Archive(folder / "snapshots").begin(NOON) as run, ThreadPoolExecutor(THREADS) as threads:
        list(threads.map(run.keep, [exchange(n, body) for n, body in enumerate(pages)]))
    return time.perf_counter() - started


def listing(folder: Path) -> tuple[float, float, float]:
    """Seconds to list many captures from the index, to make the index anew, and to read one body."""
    archive = Archive(folder / "snapshots")
    with archive.begin(NOON) as run, ThreadPoolExecutor(32) as threads:
        changing = [exchange(n, b"page %d " % (n % 2000) * 300) for n in range(LISTED)]
        list(threads.map(run.keep, changing))
    times = []
    for anew in (False, True):
        if anew:
            archive.index.drop()
        started = time.perf_counter()
        captures = Archive(archive.folder).captures()
        times.append(time.perf_counter() - started)
    started = time.perf_counter()
    archive.body(captures[LISTED // 2])
    return times[0], times[1], time.perf_counter() - started


def main() -> int:
    """Print the table."""
    pages = bodies()
    best: dict[str, float] = {}
    for _ in range(3):
        for name, work in (("bare", bare), ("kb", ours)):
            with tempfile.TemporaryDirectory() as folder:
                best[name] = min(work(pages, Path(folder)), best.get(name, 1e9))
    print(f"{PAGES} pages of {SIZE // 1000} KB, best of 3 rounds")
    print(f"{'bare warcio':32} {PAGES / best['bare']:8.0f} pages/s")
    print(f"{'kb, flushed':32} {PAGES / best['kb']:8.0f} pages/s   {best['bare'] / best['kb']:.2f} of bare")
    with tempfile.TemporaryDirectory() as folder:
        listed, anew, body = listing(Path(folder))
    print(f"{LISTED} captures: listed in {listed:.2f} s (goal: under 1 s), index made anew in {anew:.2f} s")
    print(f"one body: {body * 1000:.1f} ms")
    return 0


if __name__ == "__main__":
    sys.exit(main())
