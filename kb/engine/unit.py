"""The unit of work: all captures of one URL, read once each, and all claims judged on them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from kb.claims import Claim
from kb.judging import Verdict, judge_page, stated_on
from kb.page import Page, Unread, read_response
from kb.reasons import Outcome
from kb.snapshots import Capture

LoadBody = Callable[[Capture], bytes | None]
"""Gives a capture's body; None where the archive cannot (it tells why itself)."""


@dataclass(frozen=True, slots=True)
class Unit:
    """One URL with the claims of all its sources, and its captures in the order of time."""

    url: str
    claims: tuple[Claim, ...]
    captures: tuple[Capture, ...]


@dataclass(frozen=True, slots=True)
class JudgedCapture:
    """One capture with the verdicts on it, in the order of the unit's claims.

    `unread` says why the capture is not the page; None where it was read.
    """

    capture: Capture
    unread: Unread | None
    verdicts: tuple[Verdict, ...]


@dataclass(slots=True)
class _Last:
    """The last capture that was read."""

    capture: Capture
    page: Page
    verdicts: tuple[Verdict, ...]
    claims: tuple[Claim, ...]


def judge_unit(unit: Unit, load_body: LoadBody) -> list[JudgedCapture]:
    """Read each capture and judge each claim on it, in the order of time.

    A change is measured from the newest earlier capture on which the claim held.
    A capture that brings the very bytes of the last reading gets its verdicts,
    and costs no parse. A capture whose body the archive cannot give is left out.
    """
    judged: list[JudgedCapture] = []
    last: _Last | None = None
    held: dict[str | None, Page] = {}
    for capture in unit.captures:
        claims = tuple(stated_on(c, capture.time.date()) for c in unit.claims)
        if capture.reason is not None:
            judged.append(_unread(capture, Unread(capture.reason, capture.detail), claims))
            continue
        if last and _same_bytes(capture, last.capture) and claims == last.claims:
            verdicts = tuple(v.named(v.id, capture.captured, capture.digest or None) for v in last.verdicts)
            judged.append(JudgedCapture(capture, None, verdicts))
            continue
        body = load_body(capture)
        if body is None:
            continue
        page = read_response(
            status=capture.status if capture.status is not None else 200,
            headers=dict(capture.headers),
            requested=capture.requested,
            url=capture.url,
            body=body,
            last=last.page if last else None,
        )
        if isinstance(page, Unread):
            judged.append(_unread(capture, page, claims))
            continue
        baselines = {c.id: held[c.id] for c in claims if c.id in held}
        found = judge_page(claims, page, baselines)
        verdicts = tuple(
            v.named(c.id, capture.captured, capture.digest or None)
            for c, v in zip(claims, found, strict=True)
        )
        held.update({c.id: page for c, v in zip(claims, verdicts, strict=True) if v.outcome is Outcome.HOLDS})
        last = _Last(capture, page, verdicts, claims)
        judged.append(JudgedCapture(capture, None, verdicts))
    return judged


def _same_bytes(now: Capture, before: Capture) -> bool:
    same_answer = now.status in (before.status, 304) and now.url == before.url
    return bool(now.digest) and now.digest == before.digest and same_answer


def _unread(capture: Capture, why: Unread, claims: tuple[Claim, ...]) -> JudgedCapture:
    verdict = Verdict(Outcome.UNREAD, why.reason, why.detail)
    named = tuple(verdict.named(c.id, capture.captured, capture.digest or None) for c in claims)
    return JudgedCapture(capture, why, named)
