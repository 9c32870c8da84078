"""Why no answer came: exceptions of the network as reasons."""

from __future__ import annotations

import ssl

import httpcore
import httpx

from kb.reasons import Reason


class Failure(Exception):
    """No usable answer, with its reason; `passing`: whether another try may succeed."""

    def __init__(self, reason: Reason, detail: str, *, passing: bool = False) -> None:
        super().__init__(detail)
        self.reason = reason
        self.detail = detail
        self.passing = passing


_TIMEOUTS = (
    TimeoutError,
    httpcore.ConnectTimeout,
    httpcore.ReadTimeout,
    httpcore.WriteTimeout,
    httpcore.PoolTimeout,
)


def failure_of(error: Exception) -> Failure:
    """Name the reason for what a request raised."""
    if isinstance(error, Failure):
        return error
    said = " ".join(str(error).split())[:300]
    if isinstance(error, _TIMEOUTS):
        return Failure(Reason.TIMEOUT, said or "no answer in time", passing=True)
    if _caused_by(error, ssl.SSLCertVerificationError):
        return Failure(Reason.TLS, said)
    if isinstance(error, (httpcore.ConnectError, ssl.SSLError)) and _caused_by(error, ssl.SSLError):
        return Failure(Reason.TLS, said)
    if isinstance(error, (httpcore.NetworkError, OSError)):
        return Failure(Reason.UNREACHABLE, said or "the connection was reset", passing=True)
    if isinstance(error, httpcore.RemoteProtocolError):
        # The words are h11's and httpcore's; a server that hangs up without a word may be restarting.
        silent = "without sending a response" in said
        return Failure(Reason.BROKEN, said, passing=silent)
    if isinstance(error, (httpcore.UnsupportedProtocol, httpx.InvalidURL)):
        return Failure(Reason.REDIRECTS, f"not a web address: {said}")
    return Failure(Reason.BROKEN, f"{type(error).__name__}: {said}")


def _caused_by(error: BaseException | None, kind: type[BaseException]) -> bool:
    seen = 0
    while error is not None and seen < 10:
        if isinstance(error, kind):
            return True
        error, seen = error.__cause__ or error.__context__, seen + 1
    return False
