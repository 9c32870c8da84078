"""Warnings: what can be read and computed, and a person should look at all the same."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction

from kb.claims.calculate import agrees
from kb.claims.claim import Claim
from kb.claims.draft import Draft, Place
from kb.claims.figures import read_figure, two_readings
from kb.quantity import Comparison, Quantity, compare, convert, dates, quantities, same_basis

LONGEST_QUOTE = 25
"""Words of a source that may be copied; more is somebody's property, and drifts with every edit."""

_MOST_TOLD = 20
"""Differences about one attribute that are told; who has more knows enough."""

_Stated = tuple[Claim, Draft, Place]


def figure_doubts(value: str, quantity: Quantity, per: str | None) -> list[tuple[str, str, str]]:
    """What is doubtful about a figure, what would be right, and the rule's name."""
    doubts = []
    if quantity.readings:
        what = f'"{value}" may be {two_readings(quantity)}'
        remedy = "write it without the separator, or with the other number of places"
        doubts.append((what, remedy, "two-readings"))
    alone, _ = read_figure(value)
    if alone is not None and same_basis(alone.per, _open(per)) is False:
        what = f'the figure says per {alone.per}, and "per" says {per}'
        doubts.append((what, "keep the one that the source has", "two-bases"))
    return doubts


def quote_doubts(
    quote: str, kind: str | None, value: str | tuple[str, ...], quantity: Quantity | None
) -> list[tuple[str, str, str]]:
    """What is doubtful about a quote, what would be right, and the rule's name."""
    doubts = []
    words = len(quote.split())
    if words > LONGEST_QUOTE:
        remedy = f"keep the {LONGEST_QUOTE} that state the value"
        doubts.append((f"the quote has {words} words", remedy, "long-quote"))
    if isinstance(value, str) and not _quoted(quote, kind, value, quantity):
        thing = "date" if kind == "date" else "figure"
        doubts.append(
            (
                f'the quote does not have the {thing} "{value}"',
                "quote the words that state it, or leave the quote out",
                "quote-without-figure",
            )
        )
    return doubts


def _quoted(quote: str, kind: str | None, value: str, quantity: Quantity | None) -> bool:
    if kind == "figure" and quantity is not None:
        return value in quote or any(compare(quantity, q).holds for q in quantities(quote, bare=True))
    if kind == "date":
        return value in quote or any(
            d.startswith(value) or value.startswith(d)
            for found in dates(quote)
            for d in (found.value, *found.readings)
        )
    return True


def disagreements(drafts: Iterable[Draft]) -> None:
    """Warn where two files state the same attribute of the same subject differently.

    The later one is told, with the place of the earlier. What counts for something else (per GPU,
    per node), or is only more precise, is no difference.
    """
    first: dict[str, tuple[Draft, int]] = {}
    groups: dict[str, list[_Stated]] = {}
    for draft in drafts:
        for i, claim in enumerate(draft.source.claims if draft.source else ()):
            if claim.kind != "absent" and claim.attribute:
                key = f"{claim.subject}\n{claim.attribute}".casefold()
                other = first.setdefault(key, (draft, i))
                if other[0] is not draft:
                    groups.setdefault(key, [_stated(*other)]).append(_stated(draft, i))
                elif key in groups:
                    groups[key].append(_stated(draft, i))
    for stated in groups.values():
        _compare_group(stated)


def _stated(draft: Draft, i: int) -> _Stated:
    claims = draft.source.claims if draft.source else ()
    return claims[i], draft, draft.places[i]


def _compare_group(stated: list[_Stated]) -> None:
    """Each against the first of each value that was stated before, so that a group costs little."""
    values: list[_Stated] = []
    told = 0
    for claim, draft, at in stated:
        new = True
        for other, _, (line, column) in values:
            if other.value == claim.value and other.per == claim.per:
                new = False
            elif other.file != claim.file and differ(other, claim):
                what = f"{_shown(claim)} is stated here, and {_shown(other)} in {other.file}:{line}:{column}"
                remedy = "put one right, or say what makes them two things (per, direction, attribute)"
                draft.warned(at, what, remedy, "stated-differently")
                told += 1
                break
        if told >= _MOST_TOLD:
            return
        if new and len(values) < _MOST_TOLD:
            values.append((claim, draft, at))


def differ(a: Claim, b: Claim) -> bool:
    """Whether two claims about one attribute contradict each other."""
    if same_basis(_basis(a), _basis(b)) is False:
        return False
    directions = {a.direction, b.direction} - {None, "unspecified", "bidirectional"}
    if len(directions) > 1:
        return False
    if a.quantity is not None and b.quantity is not None:
        return _quantities_differ(a.quantity, b.quantity)
    if a.kind != b.kind:
        return False
    if isinstance(a.value, tuple) and isinstance(b.value, tuple):
        first, second = {_plain(v) for v in a.value}, {_plain(v) for v in b.value}
        return not ((first <= second and not a.complete) or (second <= first and not b.complete))
    ours, theirs = str(a.value), str(b.value)
    if a.kind == "date":
        return not (ours.startswith(theirs) or theirs.startswith(ours))
    first, second = set(_plain(ours).split()), set(_plain(theirs).split())
    return not (first <= second or second <= first)


def _quantities_differ(a: Quantity, b: Quantity) -> bool:
    if compare(a, b) is not Comparison.DIFFERS or compare(b, a) is not Comparison.DIFFERS:
        return False
    if a.high is not None or b.high is not None:
        return True
    return not (_rounds_to(a, b) or _rounds_to(b, a))


def _rounds_to(coarse: Quantity, fine: Quantity) -> bool:
    value = convert(fine.value, fine.unit, coarse.unit)
    return value is not None and agrees(coarse, value * Fraction(fine.times or 1))


def _basis(claim: Claim) -> str | None:
    return _open(claim.per) or (claim.quantity.per if claim.quantity else None)


def _open(per: str | None) -> str | None:
    return None if per == "unspecified" else per


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))


def _shown(claim: Claim) -> str:
    value = claim.value if isinstance(claim.value, str) else ", ".join(claim.value)
    return f'"{value if len(value) <= 60 else value[:57] + "…"}"'
