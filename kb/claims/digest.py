"""What of a claim a judgement rests on, as one short name for caches."""

from __future__ import annotations

import hashlib
import json

from kb.claims.claim import Claim


def claim_digest(claim: Claim) -> str:
    """A name for all that a judge may look at: `sha256:…`.

    Left out is what a judge never sees: id, file and line, note, tags, status, and what
    was stated or accepted at other times.
    """
    parts = (
        claim.subject,
        claim.attribute,
        claim.kind,
        claim.value,
        claim.complete,
        claim.dimension,
        claim.formula,
        claim.per,
        claim.direction,
        claim.quote,
        claim.retrieved,
        claim.where,
        claim.context,
    )
    return "sha256:" + hashlib.sha256(json.dumps(parts, ensure_ascii=False).encode()).hexdigest()
