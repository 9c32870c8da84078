"""Content codings taken off as the bytes stream in, never beyond a limit."""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from typing import Protocol

from kb.fetch.failure import Failure
from kb.reasons import Reason

ACCEPTED = "gzip, deflate"
"""The Accept-Encoding of every request: what can be decoded within bounds."""

STEP = 256 * 1024
"""Bytes that are decoded at once."""

_MAX_CODINGS = 2
_MAX_MEMBERS = 1000  # gzip members in one body; tiny ones without end would cost time, not bytes


class Decoder(Protocol):
    """Takes one content coding off."""

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Decode more, in pieces of at most `STEP` bytes, so that the taker can stop in time."""

    def finish(self) -> None:
        """Raise Failure where the coded data was cut short."""


class _Inflate:
    """gzip or deflate, the latter with or without its zlib header, as servers send both."""

    def __init__(self, coding: str) -> None:
        self._coding = coding
        self._inner = zlib.decompressobj(31) if coding == "gzip" else None
        self._held = b""
        self._members = 1
        self._fed = False

    def feed(self, data: bytes) -> Iterator[bytes]:
        """Decode more; what follows the end is padding, which browsers pass over too."""
        self._fed = self._fed or bool(data)
        if self._inner is None:
            data = self._held + data
            if len(data) < 2:
                self._held = data
                return
            self._held = b""
            zlib_header = data[0] & 15 == 8 and int.from_bytes(data[:2], "big") % 31 == 0
            self._inner = zlib.decompressobj(15 if zlib_header else -15)
        more = True
        while data or more:
            if self._inner.eof:
                if (
                    not data.startswith(b"\x1f\x8b")
                    or self._coding != "gzip"
                    or self._members >= _MAX_MEMBERS
                ):
                    return
                self._inner = zlib.decompressobj(31)
                self._members += 1
            try:
                piece = self._inner.decompress(data, STEP)
            except zlib.error as error:
                raise Failure(
                    Reason.UNDECODABLE, f"not {self._coding}, as the header says: {error}"
                ) from error
            data = self._inner.unused_data if self._inner.eof else self._inner.unconsumed_tail
            more = len(piece) == STEP  # the decompressor may hold more, with all of the data taken
            if piece:
                yield piece

    def finish(self) -> None:
        """Raise where the data did not come to its end; no data at all is an empty body."""
        if self._held or (self._inner is not None and not self._inner.eof and self._fed):
            raise Failure(Reason.BROKEN, f"the {self._coding} data is cut short")


def decoded(chain: Sequence[Decoder], data: bytes) -> Iterator[bytes]:
    """What comes out at the end of a chain of decoders, piece by piece."""
    if not chain:
        yield data
        return
    for piece in chain[0].feed(data):
        yield from decoded(chain[1:], piece)


def decoders(content_encoding: str) -> list[Decoder]:
    """The decoders to apply in turn for a Content-Encoding header.

    Raises:
        Failure: undecodable, for a coding that kb did not ask for.
    """
    codings = [c.strip().lower() for c in content_encoding.split(",")]
    codings = [c for c in codings if c and c not in ("identity", "none", "utf-8")]
    if len(codings) > _MAX_CODINGS:
        raise Failure(Reason.UNDECODABLE, f"{len(codings)} content codings on top of each other")
    found: list[Decoder] = []
    for coding in reversed(codings):
        if coding not in ("gzip", "x-gzip", "deflate"):
            raise Failure(Reason.UNDECODABLE, f'content coding "{coding[:40]}", which was not asked for')
        found.append(_Inflate("deflate" if coding == "deflate" else "gzip"))
    return found
