"""A formula's calculation, as a person would check it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from kb.claims.calculate import agrees, evaluate, value_in, words, worked
from kb.claims.claim import Claim
from kb.claims.claim_set import ClaimSet
from kb.claims.formula import formula_inputs


@dataclass(frozen=True, slots=True)
class Explanation:
    """How a claim's figure comes about, and what rests on it.

    Attributes:
        claim: the claim.
        worked: the formula with figures in place of ids; None for a claim without formula.
        result: what it gives, in words.
        right: whether that is the figure, at the precision written.
        inputs: the claims that it names.
        used_by: ids of the formulas that name it.
    """

    claim: Claim
    worked: str | None
    result: str | None
    right: bool
    inputs: tuple[Claim, ...]
    used_by: tuple[str, ...]

    def lines(self) -> list[str]:
        """For a terminal."""
        claim = self.claim
        head = f"{claim.id}: {_value(claim)}" + (f" per {claim.per}" if claim.per else "")
        out = [head, f"  {claim.subject}" + (f", {claim.attribute}" if claim.attribute else "")]
        if self.worked is None:
            out.append(f"  stated in {claim.file}:{claim.line}, not calculated")
        else:
            verdict = "as the file says" if self.right else f"the file says {_value(claim)}"
            out += [f"  = {claim.formula}", f"  = {self.worked}", f"  = {self.result} ({verdict})"]
        if self.inputs:
            width = max(len(c.id or "") for c in self.inputs)
            out.append("  from")
            out += [
                f"    {(c.id or '').ljust(width)}  {_value(c)}"
                + (f" = {c.formula}" if c.formula else "")
                + f"  ({c.file}:{c.line})"
                for c in self.inputs
            ]
        if self.used_by:
            out.append(f"  used by {', '.join(self.used_by)}")
        return out

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values; absent things are null."""
        return {
            "id": self.claim.id,
            "figure": _value(self.claim),
            "formula": self.claim.formula,
            "worked": self.worked,
            "result": self.result,
            "right": self.right,
            "inputs": [
                {"id": c.id, "figure": _value(c), "file": c.file, "line": c.line} for c in self.inputs
            ],
            "used_by": list(self.used_by),
        }


def explain(claim: Claim, claims: ClaimSet) -> Explanation:
    """Show how a claim's figure is calculated.

    Raises:
        FormulaError: the formula cannot be computed.
        UsageError: it names a claim that `claims` has not.
    """
    used_by = tuple(c.id or "" for c in claims.dependents(claim.id or ""))
    if claim.formula is None:
        return Explanation(claim, None, None, True, (), used_by)
    inputs = tuple(claims.claim(i) for i in formula_inputs(claim.formula))
    values = {c.id or "": c.quantity for c in inputs if c.quantity is not None}
    result = evaluate(claim.formula, values)
    right = False
    if claim.quantity is not None:
        value = value_in(result, claim.quantity.unit)
        if value is not None:
            right = agrees(claim.quantity, Fraction(value.value))
            result = value
    return Explanation(claim, worked(claim.formula, values), words(result), right, inputs, used_by)


def _value(claim: Claim) -> str:
    return claim.value if isinstance(claim.value, str) else ", ".join(claim.value)
