"""The answer for one claim on one capture, and its JSON shape (design, section 4), written here alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kb.reasons import Outcome, Reason

Found = str | tuple[str, ...] | None
"""The value as the page writes it; several for a list; None for gone and unread."""


@dataclass(frozen=True, slots=True)
class Selector:
    """A W3C TextQuoteSelector: `exact` stands once between `prefix` and `suffix`."""

    exact: str
    prefix: str = ""
    suffix: str = ""

    def to_json(self) -> dict[str, str]:
        """The form of the Web Annotation Data Model, section 4.2.4."""
        return {
            "type": "TextQuoteSelector",
            "exact": self.exact,
            "prefix": self.prefix,
            "suffix": self.suffix,
        }


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a person checks: where the page says it."""

    quote: str
    headings: tuple[str, ...] = ()
    row: tuple[str, ...] = ()
    column: tuple[str, ...] = ()
    page: int | None = None
    selector: Selector | None = None
    link: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values; absent things are null."""
        return {
            "quote": self.quote,
            "headings": list(self.headings),
            "row": list(self.row),
            "column": list(self.column),
            "page": self.page,
            "selector": self.selector.to_json() if self.selector else None,
            "link": self.link,
        }


@dataclass(frozen=True, slots=True)
class Other:
    """Another candidate that was in the race."""

    found: Found
    score: float
    evidence: Evidence | None = None

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values."""
        return {
            "found": _found_json(self.found),
            "score": self.score,
            "evidence": self.evidence.to_json() if self.evidence else None,
        }


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of one claim on one capture.

    `score` lies in [0, 1] and rises with how often such a verdict is right.
    `captured` is an ISO 8601 time in UTC and `digest` the payload's
    (`sha256:…`); both are None for a page that is in no archive.
    """

    outcome: Outcome
    reason: Reason
    detail: str = ""
    found: Found = None
    score: float = 0.0
    evidence: Evidence | None = None
    others: tuple[Other, ...] = ()
    id: str | None = None
    captured: str | None = None
    digest: str | None = None

    def named(self, id: str | None, captured: str | None = None, digest: str | None = None) -> Verdict:
        """The same verdict, for a claim's id and a capture."""
        v = self  # written out, as `dataclasses.replace` costs three times as much, and each verdict is named
        return Verdict(
            v.outcome, v.reason, v.detail, v.found, v.score, v.evidence, v.others, id, captured, digest
        )

    def to_json(self) -> dict[str, Any]:
        """The form of design section 4: absent things are null and never left out."""
        return {
            "id": self.id,
            "verdict": str(self.outcome),
            "reason": str(self.reason),
            "detail": self.detail,
            "found": _found_json(self.found),
            "score": round(self.score, 4),
            "captured": self.captured,
            "digest": self.digest,
            "evidence": self.evidence.to_json() if self.evidence else None,
            "others": [o.to_json() for o in self.others],
        }


def _found_json(found: Found) -> str | list[str] | None:
    return list(found) if isinstance(found, tuple) else found


def verdict_from_json(data: dict[str, Any]) -> Verdict:
    """Read back what `Verdict.to_json` wrote.

    Raises:
        KeyError, ValueError: `data` has not that form.
    """
    return Verdict(
        outcome=Outcome(data["verdict"]),
        reason=Reason(data["reason"]),
        detail=data["detail"],
        found=_found_back(data["found"]),
        score=data["score"],
        evidence=_evidence_back(data["evidence"]),
        others=tuple(
            Other(_found_back(o["found"]), o["score"], _evidence_back(o["evidence"])) for o in data["others"]
        ),
        id=data["id"],
        captured=data["captured"],
        digest=data["digest"],
    )


def _found_back(found: str | list[str] | None) -> Found:
    return tuple(found) if isinstance(found, list) else found


def _evidence_back(data: dict[str, Any] | None) -> Evidence | None:
    if data is None:
        return None
    s = data["selector"]
    return Evidence(
        quote=data["quote"],
        headings=tuple(data["headings"]),
        row=tuple(data["row"]),
        column=tuple(data["column"]),
        page=data["page"],
        selector=Selector(s["exact"], s["prefix"], s["suffix"]) if s else None,
        link=data["link"],
    )
