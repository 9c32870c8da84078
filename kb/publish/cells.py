"""How values look in Datasette's tables: ids lead to their pages, addresses to the web."""

from __future__ import annotations

from typing import Any

from markupsafe import Markup, escape

_CLAIM = {("verdicts", "claim"), ("events", "claim")} | {
    (t, "id") for t in ("claims", "claims_now", "drift", "to_review")
}
_SOURCE = {("sources", "id"), ("unread_sources", "id")} | {
    (t, "source") for t in ("claims", "claims_now", "drift", "to_review")
}
_VERDICT = ("verdict", "verdict_now", "state", "why")


def cell(datasette: Any, table: str | None, column: str, value: Any) -> Any:
    """The cell's HTML; None where Datasette's own way is right."""
    if not isinstance(value, str) or not value:
        return None
    if (table, column) in _CLAIM:
        return link(datasette.urls.path(f"/claims/{value}"), value)
    if (table, column) in _SOURCE:
        return link(datasette.urls.path(f"/sources/{value}"), value)
    if column in _VERDICT:
        return Markup('<span class="kb-{}">{}</span>').format(value, value)
    if column in ("url", "link", "requested"):
        return outward(value)
    return None


def link(address: str, words: str) -> Markup:
    """A link within the site."""
    return Markup('<a href="{}">{}</a>').format(address, words)


def outward(address: str, words: str = "") -> Markup:
    """A link to a source's page, or its words alone where a browser should not follow it."""
    shown = words or address
    if not is_web(address):
        return escape(shown)
    return Markup('<a href="{}" rel="noopener nofollow ugc">{}</a>').format(address, shown)


def is_web(address: str | None) -> bool:
    """Whether the address is one of the web, and not a script in disguise."""
    return address is not None and address.lower().startswith(("https://", "http://"))
