"""What is worth another try, and how long to wait before it."""

from __future__ import annotations

import email.utils
import logging
from collections.abc import AsyncIterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import UTC, datetime

import stamina

from kb.reasons import Reason
from kb.snapshots.capture import Exchange

# A retry is told through the progress events; without a handler logging would print it.
logging.getLogger("stamina").addHandler(logging.NullHandler())

DNS_TRIES = 2
"""A name that does not resolve is looked up once more, whatever `tries` says."""


@dataclass
class Passing(Exception):
    """A failure that may pass; `wait` is what the server asked for, in seconds, None where nothing."""

    exchange: Exchange
    wait: float | None = None


def retry_after(value: str, now: datetime) -> float | None:
    """Seconds to wait by a Retry-After header, which is a number or a date; None: not understood.

    >>> retry_after("120", datetime(2026, 11, 30, tzinfo=UTC))
    120.0
    >>> retry_after("Mon, 30 Nov 2026 00:00:30 GMT", datetime(2026, 11, 30, tzinfo=UTC))
    30.0
    """
    value = value.strip()
    if value.isascii() and value.isdigit():
        return float(value[:9])
    try:
        when = email.utils.parsedate_to_datetime(value)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    if when.tzinfo is None:
        when = when.replace(tzinfo=UTC)
    return max(0.0, (when - now).total_seconds())


def passes(status: int) -> bool:
    """Whether another try may bring another status."""
    return status == 429 or (500 <= status < 600 and status not in (501, 505))


def asked_wait(exchange: Exchange) -> float | None:
    """What a 429 or 503 (or any other) asks us to wait, in seconds."""
    for name, value in exchange.headers:
        if name.lower() == "retry-after":
            return retry_after(value, exchange.time)
    return None


def attempts(tries: int, backoff: float, max_wait: float) -> AsyncIterator[AbstractContextManager[None]]:
    """Attempts that go on while `Passing` is raised: growing waits with jitter, or as the server asked."""
    done = 0

    def again(error: Exception) -> bool | float:
        nonlocal done
        done += 1
        if not isinstance(error, Passing):
            return False
        if error.exchange.reason is Reason.DNS and done >= DNS_TRIES:
            return False
        if error.wait is None:
            return True
        return error.wait if error.wait <= max_wait else False

    context = stamina.retry_context(
        on=again,
        attempts=tries,
        timeout=None,
        wait_initial=backoff,
        wait_max=max_wait,
        wait_jitter=min(1.0, backoff),
    )
    return context.__aiter__()
