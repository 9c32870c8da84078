"""How a claim stands, as a class for its colour and a word for people."""

from __future__ import annotations

from kb.store import ClaimNow


def state_word(claim: ClaimNow) -> tuple[str, str]:
    """A claim's state as a class and a word."""
    if claim.state == "unread" and not claim.unread:
        return "unseen", "not checked yet"
    if claim.state == "confirmed":
        # The event is open until a reading holds; in between one may be unclear.
        return (
            (claim.verdict, claim.verdict) if claim.verdict in ("drifted", "gone") else ("drifted", "changed")
        )
    if claim.state == "suspected":
        return "suspected", "change suspected"
    return claim.state, {"unchecked": "not checked", "accepted": "differs, known"}.get(
        claim.state, claim.state
    )
