"""One document at a URL, with publisher and retrieval date, and the claims read there."""

from __future__ import annotations

from dataclasses import dataclass, field

from kb.claims.claim import Claim

ROLES = ("primary", "vendor", "reseller", "press", "paper", "filing")


@dataclass(frozen=True, slots=True)
class Check:
    """How a source is to be checked.

    `every` is seconds between checks, None for the setting's default; `off` the
    reason why nothing is fetched; `archive` asks an archive only.
    """

    every: int | None = None
    browser: bool = False
    archive: bool = False
    off: str | None = None


@dataclass(frozen=True, slots=True)
class Source:
    """One claims file. Without `url` it holds formulas and our own statements.

    Dates are ISO 8601 at the precision known. `file` is relative to the knowledge base.
    """

    id: str
    title: str = ""
    publisher: str = ""
    url: str | None = None
    url_status: str | None = None
    published: str | None = None
    retrieved: str | None = None
    role: str | None = None
    check: Check = field(default_factory=Check)
    tags: tuple[str, ...] = ()
    note: str | None = None
    claims: tuple[Claim, ...] = ()
    file: str = ""

    @property
    def fetched(self) -> bool:
        """Whether kb asks for its page at all."""
        return self.url is not None and self.check.off is None
