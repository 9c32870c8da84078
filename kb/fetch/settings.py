"""How to ask: the manners and the limits of fetching, and what one request is."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from kb.errors import UsageError
from kb.version import __version__

Resolver = Callable[[str, int], Awaitable[list[str]]]
"""Gives the addresses of a name for a port, in the order to try; raises OSError where there are none."""

MiB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class HostSettings:
    """What one host is asked with in place of the common settings; None: as for all."""

    delay: float | None = None
    timeout: float | None = None
    tries: int | None = None


@dataclass(frozen=True, slots=True)
class FetchSettings:
    """The manners and the limits of fetching.

    Attributes:
        contact: who asks and where to complain (an address or a URL), for the User-Agent.
        delay: seconds between the end of one request and the next to the same host; loopback: none.
        timeout: seconds for a page, all of one try, redirects included, waiting for its turn not.
        tries: for what can pass (5xx, 429, reset, timeout); a name is never looked up more than twice.
        hosts: other settings for single hosts, by lower-case name (or `name:port`).
        allow_private: admit loopback and private addresses.
        max_bytes: of a body after decoding.
        max_wire_bytes: of a body as it comes over the wire.
        max_redirects: followed for one page.
        backoff: seconds before the second try, doubled for each further one, with jitter.
        max_wait: seconds; a longer wait asked for by `Retry-After` ends the tries instead.
        max_time: seconds for all requests of a run; None: no limit. What was not reached is left out.
        hosts_at_once: requests in flight at one time, each to another host.
        language: the Accept-Language of every request.
        ca_file: certificates trusted besides the usual ones (PEM).
        resolver: looks names up; None: the system's.
        browser_path: the Chromium that renders pages; "": the system's.
        timegate: where an archive takes an address and a date (Memento, RFC 7089), the address appended.
        timemap: where it lists its copies of an address, appended likewise.
    """

    contact: str = ""
    delay: float = 1.0
    timeout: float = 30.0
    tries: int = 3
    hosts: Mapping[str, HostSettings] = field(default_factory=dict)
    allow_private: bool = False
    max_bytes: int = 16 * MiB
    max_wire_bytes: int = 16 * MiB
    max_redirects: int = 10
    backoff: float = 1.0
    max_wait: float = 60.0
    max_time: float | None = None
    hosts_at_once: int = 64
    language: str = "en,*;q=0.5"
    ca_file: str = ""
    resolver: Resolver | None = None
    browser_path: str = ""
    timegate: str = "https://web.archive.org/web/"
    timemap: str = "https://web.archive.org/web/timemap/link/"

    def __post_init__(self) -> None:
        """Refuse what no request could be made with."""
        if re.search(r"[^\x20-\x7e]|[()\\]", self.contact):
            raise UsageError(
                f"contact {self.contact!r} cannot stand in a header; "
                "an e-mail address or a URL in plain ASCII, without parentheses, would be right"
            )
        for name in ("timeout", "tries", "max_bytes", "max_wire_bytes", "hosts_at_once"):
            if getattr(self, name) <= 0:
                raise UsageError(f"{name} is {getattr(self, name)}; a number above 0 would be right")
        for name in ("delay", "max_redirects", "backoff", "max_wait"):
            if getattr(self, name) < 0:
                raise UsageError(f"{name} is {getattr(self, name)}; 0 or more would be right")

    @property
    def user_agent(self) -> str:
        """Who asks: `kb/0.1.0 (+contact)`."""
        return f"kb/{__version__}" + (f" (+{self.contact})" if self.contact else "")

    def of_host(self, name: str, port: int | None) -> HostSettings:
        """The settings for a host, each as stated for it or, failing that, for all."""
        own = self.hosts.get(f"{name}:{port}") or self.hosts.get(name) or HostSettings()
        return HostSettings(
            delay=self.delay if own.delay is None else own.delay,
            timeout=self.timeout if own.timeout is None else own.timeout,
            tries=self.tries if own.tries is None else own.tries,
        )

    def states_delay(self, name: str, port: int | None) -> bool:
        """Whether the delay was stated for this very host, so that it counts on loopback too."""
        own = self.hosts.get(f"{name}:{port}") or self.hosts.get(name)
        return own is not None and own.delay is not None


@dataclass(frozen=True, slots=True)
class FetchRequest:
    """One page to ask for.

    Attributes:
        url: the source's.
        etag: of the last capture that was read, to ask only for what changed; None: ask for all.
        last_modified: likewise.
        digest: of that capture's body: what a 304 refers to.
        answered: the address that gave that capture; etag and last_modified go to it alone, as
            they say nothing of another address. "": `url`.
        browser: render it in a browser.
        archive: ask an archive for it in place of the site.
        at: the copy of the archive that is nearest to this moment (aware); None: the newest.
    """

    url: str
    etag: str | None = None
    last_modified: str | None = None
    digest: str = ""
    answered: str = ""
    browser: bool = False
    archive: bool = False
    at: datetime | None = None
