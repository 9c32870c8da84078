"""What a site's robots.txt asks of us (RFC 9309), read by protego."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kb.reasons import Reason
from kb.snapshots.capture import Exchange

MAX_BYTES = 512 * 1024
"""What is read of a robots.txt; RFC 9309 asks for 500 KiB at least, the rest is passed over."""

MAX_REDIRECTS = 5
"""By RFC 9309; beyond, the file counts as not there."""

TOKEN = "kb"  # noqa: S105 - a product token, no password
"""What a robots.txt calls us by."""

MAX_DELAY = 60.0
"""Seconds; the longest crawl-delay that is waited out."""

_NETWORK = frozenset({Reason.REFUSED, Reason.DNS, Reason.TLS, Reason.UNREACHABLE, Reason.TIMEOUT})


@dataclass(frozen=True, slots=True)
class Robots:
    """The rules of one site, or why they could not be read.

    `reason` and `detail` are set where the whole site is to be left alone for now.
    """

    rules: Any = None
    agent: str = ""
    delay: float = 0.0
    reason: Reason | None = None
    detail: str = ""

    def objection(self, url: str) -> tuple[Reason, str] | None:
        """Why `url` must not be asked for; None: it may."""
        if self.reason is not None:
            return self.reason, self.detail
        if self.rules is not None and not self.rules.can_fetch(url, self.agent):
            return Reason.ROBOTS, "robots.txt asks not to read this address"
        return None


def robots_from(answer: Exchange, agent: str) -> Robots:
    """Read the answer to a request for robots.txt.

    RFC 9309: a file that is not there (4xx, or redirects without end) allows all; one
    that the server fails to give (5xx, 429) forbids all until it can be read.
    Where no connection came about, the page has the same reason as the file.
    """
    status = answer.status or 0
    if answer.reason in _NETWORK or (answer.reason is Reason.BROKEN and answer.status is None):
        return Robots(reason=answer.reason, detail=answer.detail)
    if status >= 500 or status == 429:
        return Robots(
            reason=Reason.ROBOTS,
            detail=f"robots.txt answered {status}, so the page waits until it can be read",
        )
    if not 200 <= status < 300:
        return Robots()
    from protego import Protego  # start-up time

    rules = Protego.parse(answer.body.decode("utf-8-sig", "replace"))
    delay = rules.crawl_delay(agent) or 0.0
    rate = rules.request_rate(agent)
    if rate is not None and rate.requests:
        delay = max(delay, rate.seconds / rate.requests)
    return Robots(rules, agent, min(max(0.0, float(delay)), MAX_DELAY))
