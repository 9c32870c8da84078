"""A run: many pages, each host's in a queue of its own, each kept as it ends."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import threading
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

import httpx

from kb.fetch.answer import web_address
from kb.fetch.client import Fetcher, Visit
from kb.fetch.failure import Failure
from kb.fetch.hosts import host_key
from kb.fetch.keeper import Keep, Keeper
from kb.fetch.memento import archived
from kb.fetch.settings import FetchRequest, FetchSettings
from kb.snapshots.capture import Exchange

KEEPERS = 4
"""Threads that keep pages: what waits for the disk in several at once is flushed once (bench/fetching.py)."""

_HOSTS_OPEN = 256
"""Hosts with a queue under way, those that wait out a delay included; bounds the open connections."""


@dataclass(frozen=True, slots=True)
class FetchEvent:
    """What a run is doing, for whoever shows progress.

    Attributes:
        kind: "asks" (a page's first request is about to be made) or "ended".
        url: the page's.
        host: whose queue it stands in.
        done: pages ended so far, this one included.
        total: pages of the run.
        exchange: how it ended; None for "asks".
    """

    kind: str
    url: str
    host: str
    done: int
    total: int
    exchange: Exchange | None = None


Progress = Callable[[FetchEvent], object]


def utc_now() -> datetime:
    """The present, aware, UTC."""
    return datetime.now(UTC)


def fetch_pages(
    requests: Iterable[FetchRequest],
    settings: FetchSettings,
    keep: Keep,
    *,
    progress: Progress | None = None,
    clock: Callable[[], datetime] = utc_now,
    keepers: int = KEEPERS,
) -> tuple[FetchRequest, ...]:
    """Ask for pages with all the manners, and hand each over as it ends.

    Hosts are asked side by side, each for one page at a time. Whatever goes wrong with a
    page becomes an Exchange with its reason.

    Args:
        requests: each is asked for on its own; give a URL once.
        settings: manners and limits.
        keep: called exactly once for each page, from `keepers` threads besides the caller's,
            so that writing to disk does not hold the network up. What it raises ends the run.
        progress: told what happens, from the calling thread.
        clock: says when an answer had come.
        keepers: 1 calls `keep` for one page at a time, for those that must not be called twice at once.

    Returns:
        The requests that `settings.max_time` left no time for; nothing is kept of them.

    Raises:
        KeyboardInterrupt: after Ctrl-C; all pages that had ended are kept. On SIGTERM the
            handler that was there before is called once that is so.
    """
    terminated = False
    main_thread = threading.current_thread() is threading.main_thread()
    before = signal.getsignal(signal.SIGTERM) if main_thread else None

    async def run() -> tuple[FetchRequest, ...]:
        task = asyncio.current_task()
        assert task is not None

        def stop() -> None:
            nonlocal terminated
            terminated = True
            task.cancel()

        if main_thread and before is not signal.SIG_IGN:
            with contextlib.suppress(NotImplementedError):  # no such handlers on Windows
                asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop)
        return await fetch_pages_async(
            requests, settings, keep, progress=progress, clock=clock, keepers=keepers
        )

    try:
        return asyncio.run(run())
    except asyncio.CancelledError:
        if not terminated:
            raise
        raise KeyboardInterrupt("terminated") from None
    finally:
        if main_thread and before is not None:
            signal.signal(signal.SIGTERM, before)
        if terminated:
            signal.raise_signal(signal.SIGTERM)


def fetch_one(
    url: str | FetchRequest, settings: FetchSettings, *, clock: Callable[[], datetime] = utc_now
) -> Exchange:
    """Ask for one page with all the manners, and keep it in memory only."""
    request = FetchRequest(url) if isinstance(url, str) else url
    kept: list[Exchange] = []
    fetch_pages([request], settings, kept.append, clock=clock)
    return kept[0]


async def fetch_pages_async(
    requests: Iterable[FetchRequest],
    settings: FetchSettings,
    keep: Keep,
    *,
    progress: Progress | None = None,
    clock: Callable[[], datetime] = utc_now,
    keepers: int = KEEPERS,
) -> tuple[FetchRequest, ...]:
    """Do what `fetch_pages` does, inside a loop that runs already; signals are the caller's."""
    run = _Run(tuple(requests), settings, keep, progress, clock, keepers)
    return await run.all()


class _Run:
    """The queues of one run."""

    def __init__(
        self,
        requests: tuple[FetchRequest, ...],
        settings: FetchSettings,
        keep: Keep,
        progress: Progress | None,
        clock: Callable[[], datetime],
        keepers: int,
    ) -> None:
        self._requests = requests
        self._settings = settings
        self._progress = progress
        self._fetcher = Fetcher(settings, clock)
        self._keeper = Keeper(keep, keepers)
        self._ended: set[int] = set()
        self._urls: list[httpx.URL | None] = []
        self._open = asyncio.Semaphore(_HOSTS_OPEN)

    async def all(self) -> tuple[FetchRequest, ...]:
        """Work the queues off; the longest first, as they take longest."""
        queues: dict[str, list[int]] = defaultdict(list)
        for number, request in enumerate(self._requests):
            try:
                url = web_address(self._settings.timegate if request.archive else request.url)
            except Failure:
                self._urls.append(None)
                queues[""].append(number)
            else:
                self._urls.append(url)
                queues[host_key(url)].append(number)
        tasks = [
            asyncio.create_task(self._work(host, numbers))
            for host, numbers in sorted(queues.items(), key=lambda item: -len(item[1]))
        ]
        try:
            if tasks:
                done, _ = await asyncio.wait(
                    tasks, timeout=self._settings.max_time, return_when=asyncio.FIRST_EXCEPTION
                )
                for task in done:
                    task.result()
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await self._fetcher.close()
            await self._keeper.close()
        return tuple(r for number, r in enumerate(self._requests) if number not in self._ended)

    async def _work(self, host: str, numbers: list[int]) -> None:
        async with self._open:
            url = self._urls[numbers[0]]
            home = None if url is None else self._fetcher.host(url)
            if home is not None:
                home.users += 1
            try:
                for number in numbers:
                    await self._serve(number, host)
            finally:
                if home is not None:
                    home.users -= 1
                    await home.close()

    async def _serve(self, number: int, host: str) -> None:
        request = self._requests[number]
        self._tell("asks", request, host)
        visit = Visit(self._fetcher, request, self._urls[number])
        try:
            exchange = await (archived(self._fetcher, request) if request.archive else visit.run())
            if request.browser and not request.archive:
                exchange = await self._fetcher.browser.render(exchange, self._fetcher.part)
            # From here on it counts as ended: a cancelled run still waits for the writing.
            self._ended.add(number)
            await self._keeper.keep(exchange)
        finally:
            visit.release()
        self._tell("ended", request, host, exchange)

    def _tell(self, kind: str, request: FetchRequest, host: str, exchange: Exchange | None = None) -> None:
        if self._progress is not None:
            event = FetchEvent(kind, request.url, host, len(self._ended), len(self._requests), exchange)
            self._progress(event)
