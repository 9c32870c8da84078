"""What follows from what the pages say now: sums that would be others, and sources that contradict."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from kb.claims.claim import Claim, folded
from kb.quantity import Quantity
from kb.store import ClaimNow


@dataclass(frozen=True, slots=True)
class WouldBe:
    """What one of our calculations gives with what its inputs' pages say now.

    `inputs` are the changed ones at the bottom of it: id, what we state, what the page says.
    """

    stated: str
    result: str
    inputs: tuple[tuple[str, str, str], ...]

    def __str__(self) -> str:
        """As a sentence without its full stop."""
        said = " and ".join(
            f"{name}, {ours}; the page now says {theirs}" for name, ours, theirs in self.inputs
        )
        return f"{self.stated} is derived from {said}, so it would be {self.result}"


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Claims of one subject and attribute from several sources that cannot all be right.

    `claims` hold one for each value, those of primary sources first.
    """

    claims: tuple[ClaimNow, ...]

    @property
    def primary(self) -> tuple[str, ...]:
        """The sources among them that are primary."""
        return tuple(dict.fromkeys(c.source for c in self.claims if c.role == "primary"))


def value_now(claim: ClaimNow) -> str | list[str]:
    """What the page says now, as far as it was read: found where it drifted, else what we state."""
    return claim.found if claim.verdict == "drifted" and claim.found else claim.stated


def would_be(claim: ClaimNow, by_id: Mapping[str, ClaimNow]) -> WouldBe | None:
    """What a formula claim would give; None where no input drifted, or nothing can be computed."""
    from kb.claims import FormulaError  # start-up time
    from kb.claims.calculate import as_written, value_in
    from kb.quantity import FigureError, format_quantity, parse_figure

    changed: dict[str, tuple[str, str, str]] = {}
    try:
        result = _computed(claim, by_id, changed, 0)
        if result is None or not changed:
            return None
        stated = parse_figure(str(claim.stated), claim.attribute or "", claim.per)
        same = value_in(result, stated.unit)
        shown = as_written(Fraction(same.value), stated) if same else format_quantity(result)
    except (FigureError, FormulaError, ZeroDivisionError):
        return None
    return WouldBe(str(claim.stated), shown, tuple(changed.values()))


def _computed(
    claim: ClaimNow, by_id: Mapping[str, ClaimNow], changed: dict[str, tuple[str, str, str]], depth: int
) -> Quantity | None:
    from kb.claims import evaluate  # start-up time
    from kb.quantity import parse_figure

    values: dict[str, Quantity] = {}
    for name in claim.inputs:
        given = by_id.get(name)
        if given is None or depth > 50:
            return None
        if given.kind == "formula":
            computed = _computed(given, by_id, changed, depth + 1)
            if computed is None:
                return None
            values[name] = computed
            continue
        if given.verdict == "gone":
            return None  # the page states no value, so there is none to reckon with
        now = value_now(given)
        values[name] = parse_figure(str(now), given.attribute or "", given.per)
        if given.verdict == "drifted":
            changed[name] = (name, given.stated_text, str(now))
    return evaluate(claim.formula or "", values)


def contradictions(claims: Iterable[ClaimNow]) -> tuple[Contradiction, ...]:
    """Where the pages of several sources say different things of one attribute of one subject.

    What counts for something else (per GPU, per node), or is only more precise, is no
    contradiction; the rule is that of `kb lint`, on what the pages say now.
    """
    groups: dict[tuple[str, str], list[ClaimNow]] = {}
    for claim in claims:
        if claim.kind not in ("absent", "formula") and claim.attribute and claim.url:
            if claim.verdict == "gone":
                continue
            key = (folded(claim.subject), folded(claim.attribute))
            groups.setdefault(key, []).append(claim)
    found = []
    for group in groups.values():
        if len({c.source for c in group}) > 1:
            found += _parts(group)
    return tuple(sorted(found, key=lambda c: c.claims[0].id))


def _parts(group: list[ClaimNow]) -> list[Contradiction]:
    """The claims of a group that contradict one another, in sets that hang together."""
    from kb.claims.doubts import differ  # start-up time

    read = [(c, r) for c in group if (r := _as_claim(c)) is not None]
    against: dict[str, set[str]] = {}
    for i, (a, first) in enumerate(read):
        for b, second in read[:i][:20]:  # a page of alike figures must not cost its square
            if a.source != b.source and differ(first, second):
                against.setdefault(a.id, set()).add(b.id)
                against.setdefault(b.id, set()).add(a.id)
    by_id = {c.id: c for c, _ in read}
    out = []
    while against:
        part: set[str] = set()
        waiting = [min(against)]
        while waiting:
            name = waiting.pop()
            if name not in part:
                part.add(name)
                waiting += against.pop(name, ())
        its = sorted((by_id[n] for n in part), key=lambda c: (c.role != "primary", c.id))
        out.append(Contradiction(tuple(its)))
    return out


def _as_claim(claim: ClaimNow) -> Claim | None:
    """The claim as it would be if it stated what its page says now; None where that is no figure."""
    from kb.quantity import FigureError, parse_figure  # start-up time

    value = value_now(claim)
    quantity = None
    if claim.kind == "figure":
        try:
            quantity = parse_figure(str(value), claim.attribute or "", claim.per)
        except FigureError:
            return None
    return Claim(
        id=claim.id,
        subject=claim.subject,
        kind=claim.kind,
        value=tuple(value) if isinstance(value, list) else value,
        attribute=claim.attribute or "",
        quantity=quantity,
        per=claim.per,
        direction=claim.direction,
    )
