"""What we say, and where we read it: the claims files."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from kb.claims.claim import DIRECTIONS, KINDS, Accepted, Claim, Was
from kb.claims.source import ROLES, Check, Source

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

_LATER = {
    "ClaimSet": "claim_set",
    "Explanation": "explanation",
    "FormulaError": "formula",
    "add_claims": "edit",
    "check_formula": "calculate",
    "claim_digest": "digest",
    "claim_from_case": "case",
    "evaluate": "calculate",
    "explain": "explanation",
    "formula_inputs": "formula",
    "keep": "edit",
    "load_claims": "load",
    "read_claims": "load",
    "read_drafts": "load",
    "restate": "restated",
    "schema": "json_schema",
    "set_url": "edit",
    "set_value": "edit",
    "take_over": "edit",
    "worked": "calculate",
    "write_claim": "write",
    "write_source": "write",
}
"""Names whose modules load PyYAML, pydantic or the quantities: on first use."""

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


def __getattr__(name: str) -> Any:
    if name in _LATER:
        return getattr(importlib.import_module(f"kb.claims.{_LATER[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
