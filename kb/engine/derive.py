"""Verdicts of formula claims, which follow from their inputs' verdicts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

from kb.claims import Claim, ClaimSet, formula_inputs
from kb.judging import Verdict, recompute
from kb.reasons import Outcome


def derive(
    claims: ClaimSet, verdicts: Mapping[str, Sequence[Verdict]], runs: Mapping[str, str]
) -> dict[str, list[Verdict]]:
    """Judge the formula claims at each run in which an input that decides them was read.

    A reading that is merely remembered must not confirm anything: so a formula
    gets a verdict in a run only where that run read one of the inputs that
    decide it, or where it was never read at all.

    Args:
        claims: all claims.
        verdicts: of each claim that is no formula, in the order of time.
        runs: from a verdict's `captured` to the run that made the capture.

    Returns:
        For each formula claim its verdicts in the order of time.
    """
    derived: dict[str, list[Verdict]] = {}
    for claim in _in_order(claims):
        inputs = formula_inputs(claim.formula or "")
        histories = {i: list(derived.get(i) or verdicts.get(i, ())) for i in inputs}
        derived[claim.id or ""] = list(_history(claim, claims, histories, runs))
    return derived


def _history(
    claim: Claim, claims: ClaimSet, histories: Mapping[str, list[Verdict]], runs: Mapping[str, str]
) -> Iterable[Verdict]:
    values = {i: q for i in histories if (q := claims.claim(i).quantity) is not None}
    newest: dict[str, Verdict] = {}
    moments = sorted(
        ((v.captured or "", i, v) for i, history in histories.items() for v in history), key=lambda m: m[:2]
    )
    for _, batch in groupby(moments, key=lambda m: runs.get(m[0], m[0])):
        touched: dict[str, Verdict] = {}
        captured = ""
        for when, i, verdict in batch:
            touched[i] = verdict
            captured = when
            if verdict.outcome is not Outcome.UNREAD or i not in newest:
                newest[i] = verdict
        result = recompute(claim, newest, values)
        if result.outcome in (Outcome.HOLDS, Outcome.UNREAD) or any(
            v.outcome is result.outcome for v in touched.values()
        ):
            yield result.named(claim.id, captured or None, None)


def _in_order(claims: ClaimSet) -> list[Claim]:
    """Formula claims, each after those that it uses (lint refuses cycles)."""
    formulas = {c.id or "": c for c in claims.claims if c.kind == "formula"}
    ordered: dict[str, Claim] = {}

    def visit(id: str) -> None:
        if id in ordered or id not in formulas:
            return
        for needed in formula_inputs(formulas[id].formula or ""):
            visit(needed)
        ordered[id] = formulas[id]

    for id in formulas:
        visit(id)
    return list(ordered.values())
