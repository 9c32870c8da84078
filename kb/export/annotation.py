"""Claims as W3C Web Annotations: the statement as body, the words on the page as target."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from kb.claims import Claim, ClaimSet
from kb.export.statement import stated
from kb.export.table import claim_row

if TYPE_CHECKING:
    from kb.store import ClaimNow


CONTEXT = ["http://www.w3.org/ns/anno.jsonld", {"claim": {"@id": "urn:kb:claim", "@type": "@json"}}]


def as_annotations(claims: ClaimSet, chosen: list[Claim], now: Mapping[str, ClaimNow]) -> dict[str, Any]:
    """An annotation page of the claims that have a page; `items` are in the order of the files.

    The target's selector is the evidence of the present verdict where kb.db has one
    that holds, else the quote that a person copied; without either it is the whole page.
    `claim` has the columns of the table, so that `kb add --from` makes the same claim again.
    """
    items = []
    for claim in chosen:
        source = claims.source(claim.source_id or "")
        if source.url is None:
            continue
        target: dict[str, Any] = {"type": "SpecificResource", "source": source.url}
        selector = _selector(claim, now.get(claim.id or ""))
        if selector:
            target["selector"] = selector
        items.append(
            {
                "id": f"urn:kb:{claim.id}",
                "type": "Annotation",
                "motivation": "describing",
                "body": {"type": "TextualBody", "value": stated(claim), "format": "text/plain"},
                "target": target,
                "claim": claim_row(claim, source),
            }
        )
    return {
        "@context": CONTEXT,
        "id": "urn:kb:claims",
        "type": "AnnotationPage",
        "items": items,
    }


def _selector(claim: Claim, present: ClaimNow | None) -> dict[str, Any] | None:
    if present and present.verdict == "holds" and present.evidence and present.evidence.get("selector"):
        return dict(present.evidence["selector"])
    return {"type": "TextQuoteSelector", "exact": claim.quote} if claim.quote else None
