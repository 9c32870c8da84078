"""What comes back from one request, how much of it is taken, and which addresses are asked at all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import httpx

from kb.fetch.failure import Failure
from kb.fetch.retry import passes
from kb.reasons import Reason

Headers = tuple[tuple[str, str], ...]


@dataclass(slots=True)
class Answer:
    """What came back from one request, as far as it came."""

    url: httpx.URL
    request_headers: Headers = ()
    status: int | None = None
    headers: Headers = ()
    location: str | None = None
    http_version: str = "1.1"
    body: bytes = b""
    failure: Failure | None = None

    @property
    def may_pass(self) -> bool:
        """Whether another try may bring another answer."""
        return self.failure.passing if self.failure is not None else passes(self.status or 0)


@dataclass(frozen=True, slots=True)
class Limits:
    """How much of a body is taken; `cut`: keep what fits, where it would otherwise be a failure."""

    decoded: int
    wire: int
    redirects: int
    cut: bool = False


def web_address(text: str, base: httpx.URL | None = None) -> httpx.URL:
    """An http or https URL with a host, without fragment and credentials.

    Raises:
        Failure: redirects, for anything else.
    """
    try:
        url = httpx.URL(text) if base is None else base.join(text)
        if url.scheme not in ("http", "https") or not url.host:
            raise Failure(Reason.REDIRECTS, f"not a web address: {text[:200]!r}")
        if url.fragment or url.userinfo:  # a copy is read anew, which costs
            url = url.copy_with(fragment=None, userinfo=b"")
        return url
    except (httpx.InvalidURL, ValueError, UnicodeError) as error:
        raise Failure(Reason.REDIRECTS, f"not a web address: {text[:200]!r} ({error})") from error


def pairs(raw: list[tuple[bytes, bytes]] | Any) -> Headers:
    """Headers as they came, as texts."""
    return tuple((name.decode("latin-1"), value.decode("latin-1")) for name, value in raw)
