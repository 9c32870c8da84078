"""A claim with another value: as it stood before an edit."""

from __future__ import annotations

from dataclasses import replace

from kb.claims.claim import Claim, Was
from kb.claims.figures import read_figure


def restate(claim: Claim, was: Was) -> Claim:
    """The claim as `was` has it, with the kind and the quantity that go with the value.

    The quote is left out, as it shows the present value and must not speak for another one.
    """
    quantity = None
    stated = was.kind or ("figure" if claim.kind == "formula" else claim.kind)
    if stated == "figure" and isinstance(was.value, str):
        quantity, _ = read_figure(was.value, claim.attribute, claim.per)
    kind = "formula" if claim.kind == "formula" and stated == "figure" else stated
    return replace(
        claim,
        kind=kind,
        value=was.value,
        quantity=quantity,
        formula=claim.formula if kind == "formula" else None,
        complete=claim.complete and kind == "list",
        dimension=claim.dimension if kind == "absent" else None,
        quote=None,
    )
