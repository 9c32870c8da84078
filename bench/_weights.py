"""Learn the weights in `kb/judging/thresholds.py` from labelled cases that are tuned on.

    python -m bench._weights [FOLDER ...]

A softmax over the candidates of a claim and "none of them": the likelihood of our value where the claim
holds, of the new value where it drifted, of none where it is gone; Adam, from the weights that stand and
with a little decay towards them. Each sign is held to its side: what names the subject never speaks against
a value. A FOLDER is like those of shared/cases. Takes minutes, prints the two tables, and changes nothing.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, sqrt
from pathlib import Path

from bench.accuracy import PARTS, SHARED, lines, part_of, scorer
from kb.claims import claim_from_case
from kb.judging import thresholds as t
from kb.judging.decide import found_text
from kb.judging.judgement import race
from kb.judging.reading import reading_of
from kb.page import Page

DECAY, STEP, ROUNDS = 0.002, 0.05, 400
HELPS = frozenset(
    [
        "kin",
        "part",
        "own label",
        "near in size",
        "ours",
        "digits of ours",
        "subject",
        "attribute",
        "subject behind",
        "attribute behind",
        "subject and attribute",
        "placed",
        "placed behind",
        "text alike",
        "subject and placed",
        "same place",
        "owner",
        "slot behind",
        "said behind",
        "counterpart",
        "row named",
        "column named",
    ]
)
"""Signs that never speak against a value."""
HINDERS = frozenset(
    [
        "aside",
        "anothers label",
        "unnamed identifiers",
        "crowd",
        "lost mark",
        "lost identifier",
        "taken",
        "other column",
        "subject lost",
        "subject nowhere",
        "row lost",
    ]
)
"""Signs that never speak for one."""


@dataclass(frozen=True)
class Example:
    """One claim: the signs of its candidates, what no sign says (`extra`), and which are right."""

    signs: list[tuple[float, ...]]
    extra: list[float]
    right: list[bool]
    placed: bool


def examples(others: Sequence[Path] = ()) -> list[Example]:
    """The claims on figures, dates and texts that have candidates: the part tuned on, and other folders."""
    from kb.app.verify import read_file

    score = scorer()
    out = []
    for folder in (*sorted((SHARED / "cases").glob("drift-*")), *others):
        truths = {x["id"]: x for x in lines(folder / "truth.jsonl")}
        for case in lines(folder / "cases.jsonl"):
            truth = truths[case["id"]]
            if (
                truth.get("disputed")
                or (folder not in others and part_of(truth["document"]) != PARTS[0])
                or {"list", "absent"} & set(case)
            ):
                continue
            claim = claim_from_case(case)
            earlier = read_file(folder / case["baseline"]) if "baseline" in case else None
            page = read_file(folder / case["page"], earlier if isinstance(earlier, Page) else None)
            if not isinstance(page, Page):
                continue
            now = reading_of(page)
            base = reading_of(earlier) if isinstance(earlier, Page) else None
            racing, anchor = race(claim, now, base)
            racing = racing[: t.RACING]
            table = t.WEIGHTS if anchor is None else t.WEIGHTS_PLACED
            weights = list(table.values())
            right = []
            for c in racing:
                ours = c.fit.answer.holds
                new = not ours and score.same_value(found_text(now, c), truth.get("found"))
                right.append(ours if truth["verdict"] == "holds" else truth["verdict"] == "drifted" and new)
            if racing and (any(right) or truth["verdict"] == "gone"):
                extra = [c.total - sum(s * w for s, w in zip(c.signs, weights, strict=True)) for c in racing]
                out.append(Example([c.signs for c in racing], extra, right, anchor is not None))
    return out


def held(sign: str, weight: float) -> float:
    """A weight on its sign's side."""
    if sign in HELPS:
        return max(0.0, weight)
    return min(0.0, weight) if sign in HINDERS else weight


def learn(cases: list[Example], table: dict[str, float]) -> list[float]:
    """The weights under which what is right is likeliest, not far from those of `table`."""
    n = len(table)
    before = [held(sign, weight) for sign, weight in table.items()]
    weights, first, second = list(before), [0.0] * n, [0.0] * n
    for round_ in range(1, ROUNDS + 1):
        slope = [DECAY * (w - b) for w, b in zip(weights, before, strict=True)]
        for case in cases:
            odds = [
                sum(s * w for s, w in zip(x, weights, strict=True)) + e
                for x, e in zip(case.signs, case.extra, strict=True)
            ]
            top = max(0.0, *odds)
            mass = [exp(o - top) for o in odds]
            whole = sum(mass) + exp(-top)
            good = sum(m for m, r in zip(mass, case.right, strict=True) if r)
            for x, m, r in zip(case.signs, mass, case.right, strict=True):
                pull = (m / whole - (m / good if r and good else 0.0)) / len(cases)
                for i, s in enumerate(x):
                    slope[i] += pull * s
        for i, g in enumerate(slope):
            first[i] = 0.9 * first[i] + 0.1 * g
            second[i] = 0.999 * second[i] + 0.001 * g * g
            weights[i] -= (
                STEP * (first[i] / (1 - 0.9**round_)) / (sqrt(second[i] / (1 - 0.999**round_)) + 1e-8)
            )
        weights = [held(sign, w) for sign, w in zip(table, weights, strict=True)]
    return weights


def main() -> int:
    """Print both tables as they stand in the code."""
    if not (SHARED / "cases").is_dir():
        print("no labelled cases beside the project: nothing to learn from")
        return 0
    cases = examples([Path(folder) for folder in sys.argv[1:]])
    for name, table, placed in (("WEIGHTS", t.WEIGHTS, False), ("WEIGHTS_PLACED", t.WEIGHTS_PLACED, True)):
        learned = learn([c for c in cases if c.placed is placed], table)
        print(f"{name} = {{")
        for sign, weight in zip(table, learned, strict=True):
            print(f'    "{sign}": {weight:.2f},')
        print("}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
