"""Pages that need scripts, rendered by the system's Chromium through Playwright (the extra `browser`).

The browser never touches the network: each of its requests is answered by kb's own
fetcher, with the same guarded addresses, robots.txt and limits, and whatever is not
answered so meets a proxy that is not there.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from kb.fetch.settings import FetchRequest
from kb.snapshots.capture import Exchange

if TYPE_CHECKING:
    from kb.fetch.client import Fetcher

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
"""Commands that are looked for, where the settings name none."""

MOST_REQUESTS = 120
"""Requests that one page may make."""

_WANTED = frozenset({"document", "script", "xhr", "fetch", "stylesheet", "other"})
"""Kinds of request that can change the text; pictures, fonts and films cannot."""

_DEAD = "http://127.0.0.1:9"
_ARGUMENTS = (
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--no-pings",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
)
_DROPPED = frozenset({"content-encoding", "content-length", "transfer-encoding", "connection", "set-cookie"})

Ask = Callable[[FetchRequest], Awaitable[Exchange]]


class Browser:
    """One Chromium for a run, started when the first page needs it."""

    def __init__(self, fetcher: Fetcher) -> None:
        self._fetcher = fetcher
        self._starting = asyncio.Lock()
        self._playwright: Any = None
        self._chromium: Any = None
        self._absent = ""

    async def render(self, exchange: Exchange, ask: Ask) -> Exchange:
        """Give the exchange with the DOM as it is once the page's scripts have run.

        Args:
            exchange: the document as fetched; it is what the browser gets for its address.
            ask: fetches what the page asks for.

        Returns:
            The exchange as it was, with a `detail`, where there is no browser or the page
            could not be rendered in time.
        """
        kind = next((v for n, v in exchange.headers if n.lower() == "content-type"), "text/html")
        if exchange.reason is not None or exchange.status != 200 or "html" not in kind.lower():
            return exchange
        await self._start()
        if self._chromium is None:
            return replace(exchange, detail=f"not rendered: {self._absent}")
        from playwright.async_api import Error  # start-up time, and an extra

        settings = self._fetcher.settings
        context = await self._chromium.new_context(
            user_agent=settings.user_agent,
            locale=settings.language.partition(",")[0],
            service_workers="block",
            accept_downloads=False,
        )
        try:
            async with asyncio.timeout(settings.timeout):
                await context.route("**/*", _Router(exchange, ask, settings.max_bytes).answer)
                await context.route_web_socket("**/*", lambda socket: socket.close())
                page = await context.new_page()
                page.on("dialog", lambda dialog: asyncio.ensure_future(dialog.dismiss()))
                with contextlib.suppress(Error):  # never idle: what is there by then is what counts
                    await page.goto(
                        exchange.url, wait_until="networkidle", timeout=settings.timeout * 1000 * 0.8
                    )
                rendered = (await page.content()).encode("utf-8", "replace")
                address = page.url
        except (TimeoutError, Error) as error:
            return replace(
                exchange, detail=f"not rendered: {' '.join(str(error).split())[:200] or 'no time'}"
            )
        finally:
            with contextlib.suppress(Error):
                await context.close()
        if len(rendered) > settings.max_bytes:
            return replace(exchange, detail=f"not rendered: more than {settings.max_bytes} bytes")
        url = address.partition("#")[0] if address.startswith(("http://", "https://")) else exchange.url
        return replace(exchange, rendered=rendered, via="browser", url=url)

    async def close(self) -> None:
        """End the browser."""
        if self._chromium is not None:
            await self._chromium.close()
        if self._playwright is not None:
            await self._playwright.stop()
        self._chromium = self._playwright = None

    async def _start(self) -> None:
        async with self._starting:
            if self._chromium is not None or self._absent:
                return
            path = self._fetcher.settings.browser_path or next(filter(None, map(shutil.which, NAMES)), "")
            if not path:
                self._absent = "no Chromium is installed"
                return
            try:
                from playwright.async_api import Error, async_playwright  # start-up time, and an extra
            except ImportError:
                self._absent = "the extra `browser` (Playwright) is not installed"
                return
            self._playwright = await async_playwright().start()
            try:
                self._chromium = await self._playwright.chromium.launch(
                    executable_path=path,
                    args=list(_ARGUMENTS),
                    # Nothing is reached but by our own fetcher, not even this machine.
                    proxy={"server": _DEAD, "bypass": "<-loopback>"},
                    chromium_sandbox=hasattr(os, "geteuid") and os.geteuid() != 0,
                    handle_sigint=False,
                    handle_sigterm=False,
                    handle_sighup=False,
                )
            except Error as error:
                self._absent = f"{path} does not start: {' '.join(str(error).split())[:200]}"


class _Router:
    """Answers a page's requests, within limits for all of them together."""

    def __init__(self, exchange: Exchange, ask: Ask, most: int) -> None:
        self._document: Exchange | None = exchange
        self._ask = ask
        self._room = most
        self._left = MOST_REQUESTS

    async def answer(self, route: Any) -> None:
        """Fulfil one request of the page, or refuse it."""
        from playwright.async_api import Error

        with contextlib.suppress(Error):  # the page is gone already
            asked = route.request
            if self._document is not None and asked.is_navigation_request():
                document, self._document = self._document, None
                await self._fulfil(route, document)
                return
            self._left -= 1
            if (
                asked.method != "GET"
                or asked.resource_type not in _WANTED
                or self._left < 0
                or self._room <= 0
            ):
                await route.abort()
                return
            got = await self._ask(FetchRequest(asked.url))
            self._room -= len(got.body)
            if got.reason is not None or got.status is None or self._room < 0:
                await route.abort()
                return
            await self._fulfil(route, got)

    async def _fulfil(self, route: Any, exchange: Exchange) -> None:
        headers = {n: v for n, v in exchange.headers if n.lower() not in _DROPPED}
        await route.fulfill(status=exchange.status, headers=headers, body=exchange.body)
