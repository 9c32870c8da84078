"""Hands what was fetched over to the archive, from a thread of its own."""

from __future__ import annotations

import asyncio
import contextlib
import queue
import threading
from collections.abc import Callable

from kb.snapshots.capture import Exchange

Keep = Callable[[Exchange], object]


class Keeper:
    """Calls `keep` for one exchange after the other, away from the event loop.

    Writing waits for the disk, and the network should not. What has piled up meanwhile
    is worked off in one go and told in one go: a hand-over for each page between the two
    threads would cost a quarter of the whole (bench/fetching.py).
    """

    def __init__(self, keep: Keep) -> None:
        self._keep = keep
        self._loop = asyncio.get_running_loop()
        self._waiting: queue.SimpleQueue[tuple[Exchange, asyncio.Future[None]] | None] = queue.SimpleQueue()
        self._unfinished: set[asyncio.Future[None]] = set()
        self._thread = threading.Thread(target=self._work, name="keep")
        self._thread.start()

    async def keep(self, exchange: Exchange) -> None:
        """Return when `keep` has; what it raises is raised here. Cancelling does not stop the writing."""
        done: asyncio.Future[None] = self._loop.create_future()
        self._unfinished.add(done)
        self._waiting.put((exchange, done))
        await asyncio.shield(done)
        self._unfinished.discard(done)

    async def close(self) -> None:
        """Wait for what is still being written; raises what that raised and nobody has seen."""
        self._waiting.put(None)
        results = await asyncio.gather(*self._unfinished, return_exceptions=True)
        self._thread.join()
        for result in results:
            if isinstance(result, BaseException):
                raise result

    def _work(self) -> None:
        while True:
            batch = [self._waiting.get()]
            with contextlib.suppress(queue.Empty):
                while True:
                    batch.append(self._waiting.get_nowait())
            settled: list[tuple[asyncio.Future[None], BaseException | None]] = []
            for item in batch:
                if item is None:
                    continue
                exchange, done = item
                error: BaseException | None = None
                try:
                    self._keep(exchange)
                except BaseException as raised:  # noqa: BLE001 - raised again where the page is awaited
                    error = raised
                settled.append((done, error))
            if settled:
                self._loop.call_soon_threadsafe(_settle, settled)
            if None in batch:
                return


def _settle(settled: list[tuple[asyncio.Future[None], BaseException | None]]) -> None:
    for done, error in settled:
        if done.done():
            continue
        if error is None:
            done.set_result(None)
        else:
            done.set_exception(error)
