"""Hands what was fetched over to the archive, from threads of its own."""

from __future__ import annotations

import asyncio
import contextlib
import queue
import threading
from collections.abc import Callable

from kb.snapshots.capture import Exchange

Keep = Callable[[Exchange], object]


class Keeper:
    """Calls `keep` for each exchange, away from the event loop.

    Writing waits for the disk, and the network should not. An archive that several
    threads wait for flushes once for all of them. One thread alone works off in one go
    what has piled up meanwhile, as each hand-over between threads costs, too.
    """

    def __init__(self, keep: Keep, threads: int = 1) -> None:
        self._keep = keep
        self._loop = asyncio.get_running_loop()
        self._waiting: queue.SimpleQueue[tuple[Exchange, asyncio.Future[None]] | None] = queue.SimpleQueue()
        self._unfinished: set[asyncio.Future[None]] = set()
        self._most = 64 if threads == 1 else 1
        self._threads = [threading.Thread(target=self._work, name=f"keep {n}") for n in range(threads)]
        for thread in self._threads:
            thread.start()

    async def keep(self, exchange: Exchange) -> None:
        """Return when `keep` has; what it raises is raised here. Cancelling does not stop the writing."""
        done: asyncio.Future[None] = self._loop.create_future()
        self._unfinished.add(done)
        self._waiting.put((exchange, done))
        await asyncio.shield(done)
        self._unfinished.discard(done)

    async def close(self) -> None:
        """Wait for what is still being written; raises what that raised and nobody has seen."""
        for _ in self._threads:
            self._waiting.put(None)
        results = await asyncio.gather(*self._unfinished, return_exceptions=True)
        for thread in self._threads:
            thread.join()
        for result in results:
            if isinstance(result, BaseException):
                raise result

    def _work(self) -> None:
        while True:
            batch = [self._waiting.get()]
            with contextlib.suppress(queue.Empty):
                while batch[-1] is not None and len(batch) < self._most:
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
