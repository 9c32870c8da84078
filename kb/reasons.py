"""Every word of the verdict table (design, section 4), once, each with its sentence for people."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

FINE = 0
CHANGED = 1
NOT_KNOWN = 3
"""The exit codes that tell of claims (design, section 10); of several, `worst` is the one given."""


def worst(codes: Iterable[int]) -> int:
    """Of the exit codes of several claims the one for all: a change before a doubt."""
    found = set(codes)
    return next((code for code in (CHANGED, NOT_KNOWN) if code in found), FINE)


class Outcome(StrEnum):
    """What became of a claim on one capture; the key `verdict` in JSON and tables."""

    HOLDS = "holds"
    DRIFTED = "drifted"
    GONE = "gone"
    UNCLEAR = "unclear"
    UNREAD = "unread"

    @property
    def sentence(self) -> str:
        """What the outcome means, for people."""
        return _OUTCOMES[self]

    @property
    def exit_code(self) -> int:
        """What such a verdict gives where it counts at once, as one on a single capture does."""
        if self is Outcome.HOLDS:
            return FINE
        return CHANGED if self in (Outcome.DRIFTED, Outcome.GONE) else NOT_KNOWN


class Reason(StrEnum):
    """The code that says why. The `unread` ones are in order of precedence."""

    # holds
    VERBATIM = "verbatim"
    RESPELLED = "respelled"
    WITHIN = "within"
    RECOMPUTED = "recomputed"
    # drifted
    CHANGED = "changed"
    DIFFERS = "differs"
    APPEARED = "appeared"
    INPUT_DRIFTED = "input-drifted"
    WRONG_SUM = "wrong-sum"
    # gone
    REMOVED = "removed"
    NEVER_FOUND = "never-found"
    # unclear
    SEVERAL_VALUES = "several-values"
    WEAK_MATCH = "weak-match"
    BASIS_DIFFERS = "basis-differs"
    TWO_READINGS = "two-readings"
    FOUND_ELSEWHERE = "found-elsewhere"
    RESTRUCTURED = "restructured"
    # unread, the first of these where several apply
    REFUSED = "refused"
    ROBOTS = "robots"
    DNS = "dns"
    TLS = "tls"
    UNREACHABLE = "unreachable"
    TIMEOUT = "timeout"
    REDIRECTS = "redirects"
    BROKEN = "broken"
    TOO_LARGE = "too-large"
    UNSUPPORTED_TYPE = "unsupported-type"
    UNDECODABLE = "undecodable"
    BLOCKED = "blocked"
    LOGIN = "login"
    CONSENT = "consent"
    PLACEHOLDER = "placeholder"
    NOT_FOUND = "not-found"
    SERVER_ERROR = "server-error"
    SOFT_404 = "soft-404"
    MOVED = "moved"
    NEEDS_JAVASCRIPT = "needs-javascript"
    OTHER_LOCALE = "other-locale"
    EMPTY = "empty"

    @property
    def outcome(self) -> Outcome:
        """The outcome that this reason belongs to."""
        return _REASONS[self][0]

    @property
    def sentence(self) -> str:
        """What the reason means, for people."""
        return _REASONS[self][1]


_OUTCOMES = {
    Outcome.HOLDS: "the page states the same value for the same thing",
    Outcome.DRIFTED: "the page states another value for it",
    Outcome.GONE: "the page was read well, and states no value for it",
    Outcome.UNCLEAR: "a person must look",
    Outcome.UNREAD: "the page could not be read, so nothing is said of the claim",
}

_H, _D, _G, _C, _U = Outcome

_REASONS: dict[Reason, tuple[Outcome, str]] = {
    Reason.VERBATIM: (_H, "the page has the figure as we wrote it"),
    Reason.RESPELLED: (_H, "the page has the same value in another spelling"),
    Reason.WITHIN: (_H, "the page's value lies within the bound that we stated"),
    Reason.RECOMPUTED: (_H, "all inputs hold, and the calculation gives the figure"),
    Reason.CHANGED: (_D, "the page gave our value before, and gives another now"),
    Reason.DIFFERS: (_D, "the page gives another value, and we never saw it give ours"),
    Reason.APPEARED: (_D, "a figure appeared where we had found none"),
    Reason.INPUT_DRIFTED: (_D, "a figure that this one is calculated from has drifted"),
    Reason.WRONG_SUM: (_D, "the calculation does not give the figure"),
    Reason.REMOVED: (_G, "the page gave the value before, and states none now"),
    Reason.NEVER_FOUND: (_G, "the page states no such value, and we never saw it do so"),
    Reason.SEVERAL_VALUES: (_C, "several values on the page could be the one"),
    Reason.WEAK_MATCH: (_C, "the best match on the page is too weak to rely on"),
    Reason.BASIS_DIFFERS: (_C, "the page counts the value for something else"),
    Reason.TWO_READINGS: (_C, "the spelling can be read in two ways, and nothing settles which"),
    Reason.FOUND_ELSEWHERE: (_C, "not on this page, but another of our sources has it"),
    Reason.RESTRUCTURED: (_C, "most of the page is new"),
    Reason.REFUSED: (_U, "the address is not public, so it was not asked"),
    Reason.ROBOTS: (_U, "the site's robots.txt asks us not to read the page"),
    Reason.DNS: (_U, "the site's name could not be resolved"),
    Reason.TLS: (_U, "the secure connection could not be trusted"),
    Reason.UNREACHABLE: (_U, "no connection to the site could be made or kept"),
    Reason.TIMEOUT: (_U, "the site did not answer in time"),
    Reason.REDIRECTS: (_U, "the redirects led nowhere"),
    Reason.BROKEN: (_U, "the answer was cut short or is not HTTP"),
    Reason.TOO_LARGE: (_U, "the answer is larger than the limit"),
    Reason.UNSUPPORTED_TYPE: (_U, "the answer is of a kind that kb does not read"),
    Reason.UNDECODABLE: (_U, "the answer could not be decoded into text"),
    Reason.BLOCKED: (_U, "the site refused us, or asked us to prove that we are no robot"),
    Reason.LOGIN: (_U, "the page is behind a sign-in, registration or payment"),
    Reason.CONSENT: (_U, "a consent, age or terms page stands in place of the page"),
    Reason.PLACEHOLDER: (_U, "a waiting room, maintenance or default page stands in place of the page"),
    Reason.NOT_FOUND: (_U, "the site says that the page does not exist"),
    Reason.SERVER_ERROR: (_U, "the site failed to produce the page"),
    Reason.SOFT_404: (_U, "the answer says that the page does not exist, with a status that does not"),
    Reason.MOVED: (_U, "the address now leads to another page"),
    Reason.NEEDS_JAVASCRIPT: (_U, "the page is an empty shell without a browser"),
    Reason.OTHER_LOCALE: (_U, "the page came in another language or currency than before"),
    Reason.EMPTY: (_U, "the answer has no content"),
}

UNREAD_REASONS: tuple[Reason, ...] = tuple(r for r in Reason if _REASONS[r][0] is Outcome.UNREAD)
"""Reasons of `unread`, in order of precedence: where several apply, the first is given."""
