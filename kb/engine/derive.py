"""Verdicts of formula claims, which follow from their inputs' verdicts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from kb.claims import Claim, ClaimSet, formula_inputs
from kb.judging import Verdict, found_key, in_force, recompute
from kb.judging.stated import last_day
from kb.reasons import Outcome, Reason
from kb.snapshots import Capture

TOGETHER = timedelta(hours=1)
"""Readings of no run that lie closer count as one; two that confirm a change lie at least so far apart."""

_Moment = tuple[datetime, str, str, Capture, Verdict]

Judged = tuple[Capture, Verdict]
"""A verdict with the capture that it was given on; a formula's is the last one that it rests on."""


def derive(claims: ClaimSet, verdicts: Mapping[str, Sequence[Judged]]) -> dict[str, list[Judged]]:
    """Judge the formula claims at each run in which an input that decides them was read.

    A reading that is merely remembered must not confirm anything: so a formula
    gets a verdict in a run only where that run read one of the inputs that
    decide it, or where it holds, or was never read at all (decision 0003).

    Args:
        claims: all claims.
        verdicts: of each claim that is no formula, in the order of time.

    Returns:
        For each formula claim its verdicts in the order of time.
    """
    derived: dict[str, list[Judged]] = {}
    for claim in _in_order(claims):
        inputs = formula_inputs(claim.formula or "")
        histories = {i: derived.get(i) or verdicts.get(i, ()) for i in inputs}
        derived[claim.id or ""] = list(_history(claim, claims, histories))
    return derived


def _history(claim: Claim, claims: ClaimSet, histories: Mapping[str, Sequence[Judged]]) -> Iterator[Judged]:
    values = {i: q for i in histories if (q := claims.claim(i).quantity) is not None}
    newest: dict[str, Verdict] = {}
    moments = sorted(
        (
            (c.time, c.requested, i, c, _taken_over(claims.claim(i), c, v))
            for i, history in histories.items()
            for c, v in history
        ),
        key=lambda m: m[:3],
    )
    for run in _runs(moments):
        for *_, i, _, verdict in run:
            if verdict.outcome is not Outcome.UNREAD or i not in newest:
                newest[i] = verdict
        result = recompute(claim, newest, values)
        settled = result.outcome in (Outcome.HOLDS, Outcome.UNREAD)
        if settled or any(m[4].outcome is result.outcome for m in run):
            capture = run[-1][3]
            yield capture, result.named(claim.id, capture.captured, None)


def _taken_over(claim: Claim, capture: Capture, verdict: Verdict) -> Verdict:
    """An input's verdict; on the day on which its value was edited to the page's, that it holds.

    On that day the old value is still in force, and a sum that was put right together with the
    input would drift from what it was made for.
    """
    if verdict.outcome is not Outcome.DRIFTED or not claim.was:
        return verdict
    day = capture.time.astimezone(UTC).date()
    was = in_force(claim, day)
    if was is None or last_day(was.until) != day:
        return verdict
    after = in_force(claim, day + timedelta(days=1))
    if found_key(claim, verdict.found) != found_key(claim, after.value if after else claim.value):
        return verdict
    return replace(verdict, outcome=Outcome.HOLDS, reason=Reason.RESPELLED)


def _runs(moments: Iterable[_Moment]) -> Iterator[list[_Moment]]:
    """The moments of each run together.

    What was imported, or is in another tool's files, is of no run of ours: such moments count
    as one run as long as they lie within an hour, so that a history that was brought in at once
    is told as one that was checked.
    """
    run: list[_Moment] = []
    for moment in moments:
        capture = moment[3]
        if run:
            first = run[0][3]
            together = capture.time - first.time < TOGETHER if not first.run else True
            if capture.run != first.run or not together:
                yield run
                run = []
        run.append(moment)
    if run:
        yield run


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
