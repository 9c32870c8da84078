"""A claim in one line, for people."""

from __future__ import annotations

from kb.claims import Claim


def stated(claim: Claim) -> str:
    """The claim in one line, as `kb add` and `kb verify` take it."""
    subject = f"{claim.subject}, {claim.attribute}" if claim.attribute else claim.subject
    value = claim.value if isinstance(claim.value, str) else ", ".join(claim.value)
    if claim.kind == "absent":
        value = f"no {value}"
    per = f" per {claim.per}" if claim.per and claim.per != "unspecified" else ""
    direction = f", {claim.direction}" if claim.direction and claim.direction != "unspecified" else ""
    return f"{subject}: {value}{per}{direction}"
