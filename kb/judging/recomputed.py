"""Formula claims: what follows for our own calculation from the verdicts on its inputs."""

from __future__ import annotations

from collections.abc import Mapping

from kb.claims.claim import Claim
from kb.errors import ClaimsError
from kb.judging.verdict import Verdict
from kb.quantity import Quantity
from kb.reasons import Outcome, Reason

_FIRST = (Outcome.DRIFTED, Outcome.GONE, Outcome.UNCLEAR, Outcome.UNREAD)


def recompute(claim: Claim, inputs: Mapping[str, Verdict], values: Mapping[str, Quantity]) -> Verdict:
    """Judge a formula claim by its inputs: the first that any of them has, drift before loss before doubt.

    Args:
        claim: of kind `formula`.
        inputs: verdicts of the claims that the formula names, by id; those for which nothing is
            fetched (our own assumptions) are left out.
        values: the quantity that each named claim states.

    Raises:
        ClaimsError: `claim` is no formula.
    """
    from kb.claims import check_formula, formula_inputs  # start-up time

    if claim.kind != "formula" or claim.formula is None or claim.quantity is None:
        raise ClaimsError(f"{claim.id}: only a formula is computed from other claims; judge it on its page")
    named = [i for i in formula_inputs(claim.formula) if i in inputs]
    for outcome in _FIRST:
        for name in named:
            if inputs[name].outcome is outcome:
                return _from_input(claim, name, inputs[name])
    try:
        fault = check_formula(claim, values)
    except ClaimsError as error:
        fault = (str(error), "", "wrong-sum")
    if fault is not None:
        return Verdict(Outcome.DRIFTED, Reason.WRONG_SUM, detail=fault[0], score=1.0).named(claim.id)
    score = min((inputs[name].score for name in named), default=1.0)
    found = claim.value if isinstance(claim.value, str) else None
    return Verdict(Outcome.HOLDS, Reason.RECOMPUTED, found=found, score=score).named(claim.id)


def _from_input(claim: Claim, name: str, verdict: Verdict) -> Verdict:
    reason = Reason.INPUT_DRIFTED if verdict.outcome is Outcome.DRIFTED else verdict.reason
    words = {
        Outcome.DRIFTED: f"{name} drifted to {verdict.found}",
        Outcome.GONE: f"{name} is gone",
        Outcome.UNCLEAR: f"{name} is unclear",
        Outcome.UNREAD: f"{name} could not be read",
    }
    return Verdict(
        verdict.outcome, reason, detail=words[verdict.outcome], score=verdict.score, evidence=verdict.evidence
    ).named(claim.id)
