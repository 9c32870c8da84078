"""The drift report as JSON (contract: design, section 10)."""

from __future__ import annotations

from typing import Any

from kb.report.now import value_now
from kb.report.summary import Summary
from kb.report.words import own_words
from kb.store import ClaimNow


def report_json(summary: Summary) -> dict[str, Any]:
    """The report as plain JSON values; absent things are null and never left out."""
    coverage = summary.coverage
    return {
        "kb": summary.kb,
        "generated": f"{summary.now:%Y-%m-%dT%H:%M:%SZ}",
        "as_of": summary.as_of,
        "coverage": {
            "claims": coverage.claims,
            "checked": coverage.checked,
            "sources": coverage.sources,
            "read": coverage.read,
        },
        "counts": summary.counts,
        "events": [
            {
                "claim": e.claim,
                "opened": e.opened,
                "closed": e.closed,
                "how": e.how,
                "stated": e.stated,
                "found": e.found,
            }
            for e in summary.events
        ],
        "claims": [claim_json(c) for c in summary.claims],
        "would_be": {
            name: {
                "stated": w.stated,
                "result": w.result,
                "inputs": [{"claim": i, "stated": s, "found": f} for i, s, f in w.inputs],
            }
            for name, w in sorted(summary.would_be.items())
        },
        "contradictions": [
            {
                "subject": k.claims[0].subject,
                "attribute": k.claims[0].attribute,
                "primary": list(k.primary),
                "claims": [
                    {
                        "claim": c.id,
                        "source": c.source,
                        "role": c.role,
                        "value": value_now(c),
                        "quote": own_words(c) or None,
                    }
                    for c in k.claims
                ],
            }
            for k in summary.contradictions
        ],
        "undelivered": list(summary.undelivered),
        "proposed": [claim_json(c) for c in summary.proposed],
    }


def claim_json(claim: ClaimNow) -> dict[str, Any]:
    """Section 4's answer for the present verdict, and what the claim states."""
    return {
        "id": claim.id,
        "verdict": claim.verdict,
        "reason": claim.reason,
        "detail": claim.detail,
        "found": claim.found,
        "score": claim.score,
        "captured": claim.captured,
        "digest": claim.digest,
        "evidence": claim.evidence,
        "others": claim.others,
        "source": claim.source,
        "url": claim.url,
        "publisher": claim.publisher,
        "stated": claim.stated,
        "per": claim.per,
        "direction": claim.direction,
        "confirmed": claim.confirmed,
        "since": claim.since,
        "changed": list(claim.changed) if claim.changed else None,
        "unread": claim.unread,
        "stale_after": claim.stale_after,
    }
