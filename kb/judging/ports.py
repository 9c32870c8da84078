"""Ports, which pages write behind a host: `0.0.0.0:10902`, `localhost:8080`, `[::]:53`."""

from __future__ import annotations

import re
from decimal import Decimal

from kb.claims.claim import Claim
from kb.judging.mention import MAX_TEXT, Finder, Mention
from kb.judging.reading import PageReading
from kb.judging.words import keys
from kb.quantity import Quantity

_PORT = keys("port")
_NUMBER = re.compile(r"\d{2,5}")
_BEHIND_HOST = re.compile(
    r"(?:(?<![\w.-])(?:\d{1,3}(?:\.\d{1,3}){3}|localhost|[a-z][\w-]*(?:\.[a-z][\w-]*)+|\*)|\[[\da-f:]*\]|(?<![^\s\"'`=(>])):"
    r"(\d{2,5})(?![\w:.-])"
)


def asks_for_port(claim: Claim) -> bool:
    """Whether a claim states the number of a port."""
    value = claim.value if isinstance(claim.value, str) else ""
    return _NUMBER.fullmatch(value.strip()) is not None and bool(_PORT & keys(claim.attribute))


def with_ports(reading: PageReading) -> Finder:
    """The figures of each block, and the ports that stand behind hosts in it."""

    def find(index: int) -> tuple[Mention, ...]:
        known = reading.figures(index)
        text = reading.blocks[index].text[:MAX_TEXT]
        if ":" not in text:
            return known
        starts = {m.start for m in known}
        return known + tuple(
            Mention(index, m.start(1), m.end(1), m[1], quantity=_number(m))
            for m in _BEHIND_HOST.finditer(text)
            if m.start(1) not in starts
        )

    return find


def _number(match: re.Match[str]) -> Quantity:
    return Quantity(Decimal(match[1]), None, "number", text=match[1], start=match.start(1), end=match.end(1))
