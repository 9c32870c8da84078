"""A claim for machines that read the web: schema.org's `Claim` with its citation, as JSON-LD."""

from __future__ import annotations

import json
from typing import Any

from markupsafe import Markup

from kb.publish.cells import is_web
from kb.report import words
from kb.store import ClaimNow, SourceNow

# What could end the element or begin another is written as JSON escapes, so it is data and nothing else.
_ESCAPES = {ord(c): f"\\u{ord(c):04x}" for c in "<>&\u2028\u2029"}


def linked(claim: ClaimNow, source: SourceNow | None, address: str) -> dict[str, Any]:
    """The claim at `address` as JSON-LD; what is not known is left out."""
    cited: dict[str, Any] = {"@type": "CreativeWork", "name": words.plain(claim.title or claim.source)}
    if is_web(claim.url):
        cited["url"] = claim.url
    if claim.publisher:
        cited["publisher"] = {"@type": "Organization", "name": words.plain(claim.publisher)}
    if source is not None and source.published:
        cited["datePublished"] = source.published
    text = f"{words.statement(claim)}: {words.stated(claim)}"
    found: dict[str, Any] = {
        "@context": "https://schema.org",
        "@type": "Claim",
        "@id": address,
        "identifier": claim.id,
        "name": words.statement(claim),
        "text": text,
    }
    if claim.captured:
        found["dateModified"] = claim.captured
    if claim.url or claim.publisher:
        found["citation"] = cited
        found["appearance"] = cited
    return found


def in_html(data: dict[str, Any]) -> Markup:
    """`data` for a `script` element of type `application/ld+json`."""
    text = json.dumps(data, ensure_ascii=True, separators=(",", ":"))
    # Nothing that a parser of HTML takes for markup is left in it.
    return Markup(text.translate(_ESCAPES))  # noqa: S704
