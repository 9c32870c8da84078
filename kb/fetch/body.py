"""The body of an answer, within the limits on both sides of its content coding."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import httpx

from kb.fetch.answer import Limits
from kb.fetch.decoding import decoded, decoders
from kb.fetch.failure import Failure
from kb.fetch.settings import MiB
from kb.reasons import Reason

_LARGE = 1 * MiB
LARGE_AT_ONCE = 3
"""Bodies above `_LARGE` held at one time, so that many hosts together cannot fill the memory."""

_DRAIN = 64 * 1024
"""Bytes of a redirect's body that are read to keep the connection; more, and it is closed."""


class Share:
    """A page's share of the memory for large bodies, taken from what all pages of a run have.

    Attributes:
        waited: seconds that were spent on waiting for it, which are ours and not the site's.
    """

    def __init__(self, large: asyncio.Semaphore) -> None:
        self._large = large
        self._held = False
        self.waited = 0.0

    async def take(self, timer: asyncio.Timeout | None) -> None:
        """Wait for the share, unless it is held; `timer`, which counts the site's time, stands still."""
        if self._held:
            return
        loop = asyncio.get_running_loop()
        started = loop.time()
        left = 0.0
        if timer is not None:
            left = (timer.when() or started) - started
            timer.reschedule(None)
        await self._large.acquire()
        self._held = True
        self.waited += loop.time() - started
        if timer is not None:
            timer.reschedule(loop.time() + left)

    def release(self) -> None:
        """Give it back, once the body is kept."""
        if self._held:
            self._held = False
            self._large.release()


async def drain(response: httpx.Response) -> None:
    """Read a body that nobody wants, so that the connection stays in use; a long one is left."""
    got = 0
    async for part in _raw(response):
        got += len(part)
        if got > _DRAIN:
            break


async def read_body(
    response: httpx.Response, limits: Limits, share: Share, timer: asyncio.Timeout | None
) -> bytes:
    """The body without its content coding.

    Raises:
        Failure: too-large, or what the decoders say.
    """
    stated = response.headers.get("content-length", "")
    if not limits.cut and stated.isdigit() and int(stated[:18]) > limits.wire:
        raise Failure(Reason.TOO_LARGE, f"{stated} bytes stated, {limits.wire} is the limit")
    chain = decoders(response.headers.get("content-encoding", ""))
    parts: list[bytes] = []
    wire = size = 0
    async for part in _raw(response):
        wire += len(part)
        for piece in decoded(chain, part):
            size += len(piece)
            parts.append(piece)
            if size > limits.decoded or wire > limits.wire:
                if limits.cut:
                    return b"".join(parts)[: limits.decoded]
                parts.clear()  # the exception keeps this frame, and with it the body, for a while
                most = f"{limits.decoded} bytes" if size > limits.decoded else f"{limits.wire} on the wire"
                raise Failure(Reason.TOO_LARGE, f"more than {most}")
            if size > _LARGE:
                await share.take(timer)
    for decoder in chain:
        decoder.finish()
    return b"".join(parts)


def _raw(response: httpx.Response) -> AsyncIterator[bytes]:
    """The body as it comes. `aiter_raw` would close at its end, and what came beyond be out of sight."""
    assert isinstance(response.stream, httpx.AsyncByteStream)
    return aiter(response.stream)
