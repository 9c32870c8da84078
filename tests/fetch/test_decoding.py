"""Content codings come off as they went on, whatever the pieces, and never without bound."""

from __future__ import annotations

import gzip
import itertools
import zlib
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.fetch.decoding import STEP, decoded, decoders
from kb.fetch.failure import Failure


def raw_deflate(data: bytes) -> bytes:
    maker = zlib.compressobj(wbits=-15)
    return maker.compress(data) + maker.flush()


CODINGS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "x-gzip": gzip.compress,
    "deflate": zlib.compress,
    "Deflate ": raw_deflate,
    "identity": bytes,
    "": bytes,
}


def off(coding: str, pieces: list[bytes]) -> bytes:
    chain = decoders(coding)
    out = b"".join(part for piece in pieces for part in decoded(chain, piece))
    for decoder in chain:
        decoder.finish()
    return out


@given(
    data=st.binary(max_size=3000),
    cuts=st.lists(st.integers(0, 3000), max_size=6),
    coding=st.sampled_from(sorted(CODINGS)),
)
def test_what_was_coded_comes_back_however_it_is_cut(data: bytes, cuts: list[int], coding: str) -> None:
    wire = CODINGS[coding](data)
    edges = [0, *sorted(min(c, len(wire)) for c in cuts), len(wire)]
    pieces = [wire[a:b] for a, b in itertools.pairwise(edges)]
    assert off(coding, pieces) == data


@given(st.binary(max_size=300), st.sampled_from(["gzip", "deflate", "gzip, deflate"]))
def test_noise_is_a_reason_and_never_another_error(noise: bytes, coding: str) -> None:
    try:
        off(coding, [noise])
    except Failure as failure:
        assert str(failure.reason) in ("undecodable", "broken")


def test_a_bomb_comes_out_in_small_pieces() -> None:
    chain = decoders("gzip")
    pieces = decoded(chain, gzip.compress(b" " * 50_000_000))
    assert all(len(next(pieces)) <= STEP for _ in range(20))


def test_empty_members_without_end_are_not_followed_for_ever() -> None:
    assert off("gzip", [gzip.compress(b"a") + gzip.compress(b"") * 100_000]) == b"a"


@pytest.mark.parametrize("coding", ["br", "zstd", "compress", "gzip, br", "gzip, gzip, gzip", "x" * 500])
def test_a_coding_that_was_not_asked_for_is_told(coding: str) -> None:
    with pytest.raises(Failure) as caught:
        decoders(coding)
    assert str(caught.value.reason) == "undecodable"
    assert len(caught.value.detail) < 100
