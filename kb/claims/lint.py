"""Faults and doubts that show only across the files: ids, formulas, statements that disagree."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kb.claims.calculate import check_formula
from kb.claims.claim import Claim
from kb.claims.claim_set import nearest_id
from kb.claims.doubts import disagreements
from kb.claims.draft import Draft, Place
from kb.claims.formula import FormulaError, formula_inputs, parse_formula
from kb.quantity import Quantity


def lint(drafts: Sequence[Draft]) -> None:
    """Check all files together; adds each problem to its file's draft."""
    _names(drafts)
    formulas = _Formulas(drafts)
    formulas.check()
    disagreements(drafts)


def _names(drafts: Iterable[Draft]) -> None:
    """A source's id is its file's name, whatever the folder."""
    first: dict[str, str] = {}
    for draft in drafts:
        other = first.setdefault(draft.id, draft.file)
        if other != draft.file:
            draft.told(
                (0, 0),
                f'the id "{draft.id}" is taken by {other}',
                "give one of the two files another name",
                "duplicate-id",
            )


class _Formulas:
    """Checks each formula: that it can be read, names claims, turns in no circle, and gives its figure."""

    def __init__(self, drafts: Sequence[Draft]) -> None:
        self.drafts = {d.file: d for d in drafts}
        self.formulas = [c for d in drafts if d.source and d.formulas for c in d.source.claims if c.formula]
        self.claims: dict[str, Claim] = {}
        for draft in drafts if self.formulas else ():
            for claim in draft.source.claims if draft.source else ():
                self.claims.setdefault(claim.id or "", claim)

    def check(self) -> None:
        """Check all."""
        sound = [c for c in self.formulas if self.readable(c)]
        turning = self.circles(sound)
        for claim in sound:
            if claim.id not in turning:
                self.sum(claim)
        self.left_out()

    def at(self, claim: Claim) -> tuple[Draft, Place]:
        draft = self.drafts[claim.file]
        return draft, draft.formulas[claim.id or ""]

    def readable(self, claim: Claim) -> bool:
        draft, at = self.at(claim)
        try:
            parse_formula(claim.formula or "")
        except FormulaError as error:
            draft.told(at, f'formula "{claim.formula}": {error.message}', error.remedy, error.rule)
            return False
        good = True
        for id in formula_inputs(claim.formula or ""):
            other = self.claims.get(id)
            if other is None:
                near = nearest_id(id, self.claims)
                remedy = f'did you mean "{near}"?' if near else "write {source.claim}"
                draft.told(at, f'the formula names "{id}", and no claim has this id', remedy, "unknown-claim")
                good = False
            elif other.kind not in ("figure", "formula"):
                draft.told(
                    at,
                    f'the formula names "{id}", which states `{other.kind}` and no figure',
                    "name a claim with a figure",
                    "no-figure",
                )
                good = False
        return good

    def circles(self, formulas: Iterable[Claim]) -> set[str | None]:
        """Ids that lie in a circle or behind one; each circle is told once, where it begins."""
        state: dict[str, int] = {}  # 1: on the way, 2: done
        bad: set[str | None] = set()
        known = {c.id or "": c for c in formulas}
        for start in known:
            if start in state:
                continue
            path = [start]
            rests = [iter(formula_inputs(known[start].formula or ""))]
            state[start] = 1
            while path:
                step = next(rests[-1], None)
                if step is None:
                    state[path.pop()] = 2
                    rests.pop()
                elif step not in known or state.get(step) == 2:
                    continue
                elif state.get(step) == 1:
                    circle = path[path.index(step) :]
                    bad.update(circle)
                    first = min(circle, key=lambda i: (known[i].file, known[i].line))
                    turned = circle[circle.index(first) :] + circle[: circle.index(first)]
                    draft, at = self.at(known[first])
                    words = " -> ".join([*turned, first])
                    draft.told(at, f"the formula depends on itself: {words}", "break the circle", "cycle")
                else:
                    state[step] = 1
                    path.append(step)
                    rests.append(iter(formula_inputs(known[step].formula or "")))
        return bad

    def sum(self, claim: Claim) -> None:
        values: dict[str, Quantity] = {}
        for id in formula_inputs(claim.formula or ""):
            quantity = self.claims[id].quantity
            if quantity is None:
                return  # its figure is told already
            values[id] = quantity
        draft, at = self.at(claim)
        try:
            wrong = check_formula(claim, values)
        except FormulaError as error:
            draft.told(at, f'formula "{claim.formula}": {error.message}', error.remedy, error.rule)
            return
        if wrong:
            draft.told(at, *wrong)

    def left_out(self) -> None:
        """A whole file that needs a faulty one cannot be checked without it; this spreads."""
        waiting = list(self.formulas)
        spread = True
        while spread:
            spread = False
            for claim in waiting:
                draft, at = self.at(claim)
                if draft.faulty:
                    continue
                for id in formula_inputs(claim.formula or ""):
                    other = self.claims.get(id)
                    if other and other.file != claim.file and self.drafts[other.file].faulty:
                        what = f'the formula needs "{id}", and {other.file} has faults'
                        draft.told(at, what, "put that file right first", "input-faulty")
                        spread = True
                        break
