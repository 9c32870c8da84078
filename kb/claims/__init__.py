"""What we say, and where we read it: the claims files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kb.claims.claim import DIRECTIONS, KINDS, Accepted, Claim, Was
from kb.claims.source import ROLES, Check, Source
from kb.later import later

if TYPE_CHECKING:
    from kb.claims.calculate import check_formula, evaluate, worked
    from kb.claims.case import claim_from_case
    from kb.claims.claim_set import ClaimSet
    from kb.claims.digest import claim_digest
    from kb.claims.edit import add_claims, keep, set_url, set_value, take_over
    from kb.claims.explanation import Explanation, explain
    from kb.claims.formula import FormulaError, formula_inputs
    from kb.claims.json_schema import schema
    from kb.claims.load import load_claims, read_claims, read_drafts
    from kb.claims.restated import restate
    from kb.claims.write import write_claim, write_source


__all__ = [
    "DIRECTIONS",
    "KINDS",
    "ROLES",
    "Accepted",
    "Check",
    "Claim",
    "ClaimSet",
    "Explanation",
    "FormulaError",
    "Source",
    "Was",
    "add_claims",
    "check_formula",
    "claim_digest",
    "claim_from_case",
    "evaluate",
    "explain",
    "formula_inputs",
    "keep",
    "load_claims",
    "read_claims",
    "read_drafts",
    "restate",
    "schema",
    "set_url",
    "set_value",
    "take_over",
    "worked",
    "write_claim",
    "write_source",
]

__getattr__ = later(
    __name__,
    {
        "calculate": ("check_formula", "evaluate", "worked"),
        "case": ("claim_from_case",),
        "claim_set": ("ClaimSet",),
        "digest": ("claim_digest",),
        "edit": ("add_claims", "keep", "set_url", "set_value", "take_over"),
        "explanation": ("Explanation", "explain"),
        "formula": ("FormulaError", "formula_inputs"),
        "json_schema": ("schema",),
        "load": ("load_claims", "read_claims", "read_drafts"),
        "restated": ("restate",),
        "write": ("write_claim", "write_source"),
    },
)
"""What loads PyYAML, pydantic or the quantities: on first use."""
