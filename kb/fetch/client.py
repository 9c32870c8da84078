"""One page: a request, its redirects and its tries give one Exchange."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from functools import cached_property

import httpx

from kb.fetch import robots as robots_txt
from kb.fetch.address import trust
from kb.fetch.answer import Answer, Headers, Limits, pairs, web_address
from kb.fetch.body import LARGE_AT_ONCE, Share, drain, read_body
from kb.fetch.browser import Browser
from kb.fetch.decoding import ACCEPTED
from kb.fetch.failure import Failure, failure_of
from kb.fetch.hosts import Host, host_key
from kb.fetch.retry import Passing, asked_wait, attempts
from kb.fetch.settings import FetchRequest, FetchSettings
from kb.page.obstacle_types import supported
from kb.reasons import Reason
from kb.snapshots.capture import Exchange, Hop

ACCEPT = (
    "text/html,application/xhtml+xml,application/pdf;q=0.9,text/markdown;q=0.9,"
    "text/plain;q=0.8,application/json;q=0.8,text/csv;q=0.8,*/*;q=0.5"
)

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_WITHOUT_BODY = frozenset({204, 205, 304})


class Fetcher:
    """What one run shares: the hosts, the TLS context, the limits."""

    def __init__(self, settings: FetchSettings, clock: Callable[[], datetime]) -> None:
        self.settings = settings
        self.clock = clock
        self.hosts: dict[str, Host] = {}
        self.in_flight = asyncio.Semaphore(settings.hosts_at_once)
        self.large = asyncio.Semaphore(LARGE_AT_ONCE)
        self.limits = Limits(settings.max_bytes, settings.max_wire_bytes, settings.max_redirects)
        self.robots_limits = Limits(
            robots_txt.MAX_BYTES, robots_txt.MAX_BYTES, robots_txt.MAX_REDIRECTS, cut=True
        )
        self.headers: Headers = (
            ("User-Agent", settings.user_agent),
            ("Accept", ACCEPT),
            ("Accept-Language", settings.language),
            ("Accept-Encoding", ACCEPTED),
        )

    @cached_property
    def _trust(self) -> ssl.SSLContext:
        return trust(self.settings.ca_file)

    def host(self, url: httpx.URL) -> Host:
        """The host of `url`, made on first use."""
        key = host_key(url)
        if key not in self.hosts:
            self.hosts[key] = Host(url, self.settings, lambda: self._trust, self.in_flight)
        return self.hosts[key]

    async def robots(self, url: httpx.URL) -> robots_txt.Robots:
        """The robots.txt that speaks for `url`, asked for once a run."""
        host = self.host(url)
        place = url.scheme
        if place in host.robots:
            return host.robots[place]
        async with host.robots_turn:
            if place not in host.robots:
                file = url.copy_with(raw_path=b"/robots.txt", fragment=None)
                request = FetchRequest(str(file))
                visit = Visit(self, request, file, limits=self.robots_limits, obeys=False)
                try:
                    found = robots_txt.robots_from(await visit.run(), robots_txt.TOKEN)
                finally:
                    visit.release()
                host.robots[place] = found
                host.obey(found)
            return host.robots[place]

    @cached_property
    def browser(self) -> Browser:
        """The browser of the run."""
        return Browser(self)

    async def part(self, request: FetchRequest) -> Exchange:
        """Ask for a part of a page that a browser renders: at once, as any browser does."""
        visit = Visit(self, request, hurried=True)
        try:
            return await visit.run()
        finally:
            visit.release()

    async def close(self) -> None:
        """Close the browser and all connections."""
        if "browser" in self.__dict__:
            await self.browser.close()
        for host in self.hosts.values():
            await host.close()


class Visit:
    """One page on its way: its redirects, its time, its cookies, its share of the memory."""

    def __init__(
        self,
        fetcher: Fetcher,
        request: FetchRequest,
        url: httpx.URL | None = None,
        *,
        limits: Limits | None = None,
        obeys: bool = True,
        headers: Headers = (),
        hurried: bool = False,
    ) -> None:
        self._fetcher = fetcher
        self._request = request
        self._url = url
        self._limits = limits or fetcher.limits
        self._obeys = obeys
        self._extra = headers
        self._hurried = hurried
        self._hops: list[Hop] = []
        self._cookies: httpx.Cookies | None = None
        self._left = 0.0
        self._timer: asyncio.Timeout | None = None
        self._share = Share(fetcher.large)

    async def run(self) -> Exchange:
        """Ask until there is an answer, or nothing that another try could change."""
        try:
            url = self._url or web_address(self._request.url)
        except Failure as failure:
            return self._exchange(Answer(httpx.URL(""), failure=Failure(Reason.REFUSED, failure.detail)))
        host = self._fetcher.host(url)
        settings = self._fetcher.settings
        if self._obeys and host.given_up is not None:
            return self._exchange(Answer(url, failure=host.given_up))
        host.users += 1
        try:
            exchange = await self._tries(url, host)
        finally:
            host.users -= 1
            if not host.users:
                await host.close()
        if self._obeys:
            host.learn(exchange, settings.max_wait)
        return exchange

    async def _tries(self, url: httpx.URL, host: Host) -> Exchange:
        settings = self._fetcher.settings
        try:
            async for attempt in attempts(host.tries, settings.backoff, settings.max_wait):
                with attempt:
                    answer = await self._try(url, host)
                    exchange = self._exchange(answer)
                    if answer.may_pass:
                        raise Passing(exchange, asked_wait(exchange))
                    return exchange
        except Passing as last:
            return last.exchange
        raise AssertionError("the attempts ended without an answer")

    def release(self) -> None:
        """Give the share of the memory back, once the body is kept."""
        self._share.release()

    def _exchange(self, answer: Answer) -> Exchange:
        failure = answer.failure
        unchanged = answer.status == 304 and failure is None
        return Exchange(
            requested=self._request.url,
            url=str(answer.url) or self._request.url,
            time=self._fetcher.clock(),
            status=answer.status,
            headers=answer.headers,
            body=b"" if failure is not None else answer.body,
            request_headers=answer.request_headers,
            hops=tuple(self._hops),
            http_version=answer.http_version,
            reason=None if failure is None else failure.reason,
            detail="" if failure is None else failure.detail,
            not_modified=unchanged,
            digest=self._request.digest if unchanged else "",
        )

    async def _try(self, url: httpx.URL, host: Host) -> Answer:
        """One try: the page and the redirects on the way, in the time for one."""
        self.release()
        self._hops.clear()
        self._cookies = None
        self._left = host.timeout
        seen: set[tuple[str, str]] = set()
        while True:
            if self._obeys and (objection := (await self._fetcher.robots(url)).objection(str(url))):
                return Answer(url, failure=Failure(*objection))
            # The same address with other cookies is no loop: some sites set one and send us back.
            before = self._cookie_names()
            answer = await self._ask(url)
            if answer.failure is not None or answer.status not in _REDIRECTS:
                return answer
            seen.add((str(url), before))
            try:
                target = self._follow(answer, seen)
            except Failure as failure:
                return replace(answer, failure=failure)
            self._hops.append(Hop(str(url), answer.status, answer.headers))
            url = target

    def _follow(self, answer: Answer, seen: set[tuple[str, str]]) -> httpx.URL:
        if not answer.location:
            raise Failure(Reason.REDIRECTS, f"status {answer.status} without a Location")
        target = web_address(answer.location, base=answer.url)
        if len(self._hops) >= self._limits.redirects:
            raise Failure(Reason.REDIRECTS, f"more than {self._limits.redirects} redirects")
        if (str(target), self._cookie_names()) in seen:
            raise Failure(Reason.REDIRECTS, f"a loop: {answer.url} leads to {target} again")
        return target

    def _cookie_names(self) -> str:
        return "" if self._cookies is None else repr(sorted(map(repr, self._cookies.jar)))

    async def _ask(self, url: httpx.URL) -> Answer:
        """One request, when it is its host's turn. Never raises but for cancellation."""
        host = self._fetcher.host(url)
        request = httpx.Request("GET", url, headers=self._headers(url))
        answer = Answer(url, request_headers=pairs(request.headers.raw))
        host.users += 1
        try:
            async with host.turn(hurried=self._hurried):
                loop = asyncio.get_running_loop()
                started, waited = loop.time(), self._share.waited
                if self._left <= 0:
                    answer.failure = Failure(Reason.TIMEOUT, "the redirects took too long", passing=True)
                    return answer
                try:
                    async with asyncio.timeout(self._left) as self._timer:
                        await self._receive(host, request, answer)
                except Exception as error:  # noqa: BLE001 - one page must not end the run; the kind is kept
                    answer.failure = failure_of(error).with_traceback(None)
                finally:
                    self._left -= loop.time() - started - (self._share.waited - waited)
                    if answer.failure is not None or host.transport.surplus() != 0:
                        await host.transport.reset()
        finally:
            host.users -= 1
            if not host.users:
                await host.close()
        return answer

    def _headers(self, url: httpx.URL) -> list[tuple[str, str]]:
        headers = [*self._fetcher.headers, *self._extra]
        request = self._request
        if request.digest and str(url) == (request.answered or request.url):
            if request.etag:
                headers.append(("If-None-Match", request.etag))
            if request.last_modified:
                headers.append(("If-Modified-Since", request.last_modified))
        if self._cookies is not None:
            bare = httpx.Request("GET", url)
            self._cookies.set_cookie_header(bare)
            if "cookie" in bare.headers:
                headers.append(("Cookie", bare.headers["cookie"]))
        return headers

    async def _receive(self, host: Host, request: httpx.Request, answer: Answer) -> None:
        response = await host.transport.handle_async_request(request)
        try:
            answer.status = response.status_code
            answer.headers = pairs(response.headers.raw)
            answer.http_version = "2" if response.http_version == "HTTP/2" else "1.1"
            if answer.status in _REDIRECTS:
                answer.location = response.headers.get("location")
                if "set-cookie" in response.headers:
                    self._cookies = self._cookies or httpx.Cookies()
                    self._cookies.extract_cookies(response)
                await drain(response)
            elif answer.status in _WITHOUT_BODY:
                await drain(response)
                if answer.status == 304 and not (
                    request.headers.keys() & {"if-none-match", "if-modified-since"}
                ):
                    raise Failure(Reason.BROKEN, "status 304, though the whole page was asked for")
            else:
                if 200 <= answer.status < 300 and not supported(response.headers.get("content-type")):
                    raise Failure(Reason.UNSUPPORTED_TYPE, response.headers["content-type"][:100])
                answer.body = await read_body(response, self._limits, self._share, self._timer)
                if host.transport.surplus():
                    raise Failure(Reason.BROKEN, "more came than the answer's own length says")
        finally:
            await response.aclose()
