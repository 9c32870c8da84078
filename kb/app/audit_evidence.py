"""What stands behind a mention: its claim's source, the page's words, and the link to them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kb.app.audit_mention import Mention
from kb.claims import ClaimSet

if TYPE_CHECKING:
    from kb.store import ClaimNow


@dataclass(frozen=True, slots=True)
class Behind:
    """The source of one claim, and what its page says now.

    Attributes:
        claim: its id.
        source: its source's id; "" where the claim is our own statement.
        name: publisher and title of the source.
        url: its address, if any.
        retrieved: the day it was read (ISO), if known.
        quote: the page's words, else those that a person copied; "" where neither is known.
        link: to the spot on the page; else `url`.
        reason: why the verdict is what it is; "" where nothing was judged.
        since: since when the page says so (ISO, UTC), if known.
    """

    claim: str
    source: str = ""
    name: str = ""
    url: str | None = None
    retrieved: str | None = None
    quote: str = ""
    link: str | None = None
    reason: str = ""
    since: str | None = None

    def as_json(self) -> dict[str, Any]:
        """As the audit's JSON has it."""
        return {
            "claim": self.claim,
            "source": self.source or None,
            "name": self.name or None,
            "url": self.url,
            "retrieved": self.retrieved,
            "quote": self.quote or None,
            "link": self.link,
            "reason": self.reason or None,
            "since": self.since,
        }


def behind(mentions: Iterable[Mention], claims: ClaimSet, now: Mapping[str, ClaimNow]) -> dict[str, Behind]:
    """What stands behind each claim that a mention names, by the claim's id."""
    return {id: _behind(id, claims, now.get(id)) for m in mentions for id in m.claims}


def _behind(id: str, claims: ClaimSet, present: ClaimNow | None) -> Behind:
    claim = claims.claim(id)
    reason = (present.reason or "") if present else ""
    if not claim.sourced:
        return Behind(id, reason=reason, since=present.since if present else None)
    source = claims.source(claim.source_id or "")
    title, publisher = source.title or source.url or source.id, source.publisher or ""
    named = title if title.casefold().startswith(publisher.casefold()) else f"{publisher}: {title}"
    seen = (present.evidence or {}) if present else {}
    return Behind(
        id,
        source.id,
        named,
        source.url,
        claim.retrieved,
        seen.get("quote") or claim.quote or "",
        seen.get("link") or source.url,
        reason,
        present.since if present else None,
    )
