"""One sentence or cell: its numbers, linked, with what stands around them, as quantities."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from kb.quantity.around import add_before, add_context, add_conversion, add_each, share_basis, shared_limit
from kb.quantity.atom import Atom
from kb.quantity.atoms import find_atoms
from kb.quantity.bounds import bound_of
from kb.quantity.complete import read_basis
from kb.quantity.context import Context
from kb.quantity.dates import dates_between
from kb.quantity.link import link
from kb.quantity.multiples import factor_before
from kb.quantity.numerals import language, point_is_decimal
from kb.quantity.quantity import Quantity
from kb.quantity.tokens import Tokens


def read_piece(text: str, context: Context, lang: str | None, bare: bool) -> tuple[Quantity, ...]:
    """All quantities of a short text without markup, in order, offsets within it."""
    taken = dates_between(text, lang, years=not (context.unit or context.noun))
    t = Tokens(text, taken, by_comma=point_is_decimal(lang) is not False, numbers=lang)
    short = language(lang)
    groups = link(t, find_atoms(t, short), short)
    for group in groups:
        _finish(t, group[-1], short)
    share_basis(t, [atom for group in groups for atom in group])
    out: list[Quantity] = []
    floor = 0
    previous: Atom | None = None
    for group in groups:
        bound = _group_bound(t, group, floor)
        for atom in group:
            add_before(t, atom)
            add_context(t, atom, context)
            add_conversion(t, previous, atom)
            own = (_last_bound(t, group) if atom is group[-1] and len(group) > 1 else "") or bound
            own = own or atom.bound or shared_limit(t, previous, atom) or context.bound
            if own == "about" and context.bound and context.bound != "about":
                own = context.bound  # a limit wins over an "about"
            if t.low[atom.first - 1] == "per" and atom.first > 0:
                continue  # per 100 km: a basis, and no quantity of its own
            q = _quantity(t, atom, own or "exact", bare, short)
            if q:
                atom.bound = q.bound
                out.append(q)
                previous, floor = atom, max(floor, atom.stop)
    out.sort(key=lambda q: q.start)
    return tuple(out)


def _finish(t: Tokens, atom: Atom, lang: str | None) -> None:
    """What a range or a list still lacks at its end, and factors told by the words before."""
    if atom.lone:
        factor_before(t, atom)
    elif not atom.below and not atom.per and atom.high is not None:
        read_basis(t, atom, lang)
    add_each(t, atom)


def _group_bound(t: Tokens, group: list[Atom], floor: int) -> str:
    """The bound of a list: of its first member, or a limit after its last."""
    bound = bound_of(t, group[0], min(floor, group[0].first))
    if not bound and len(group) > 1:
        last = bound_of(t, group[-1], group[-1].first)
        return last if last == "at-most" else ""
    return bound


def _last_bound(t: Tokens, group: list[Atom]) -> str:
    """ "x, y or more" ends in at-least."""
    return bound_of(t, group[-1], group[-2].stop)


_CROWNS = {"sv": "sek", "da": "dkk", "no": "nok", "nb": "nok", "nn": "nok", "is": "isk"}


def _quantity(t: Tokens, atom: Atom, bound: str, bare: bool, lang: str | None) -> Quantity | None:
    unit = atom.unit
    if not unit:
        if not bare or "numbered" in atom.marks:
            return None
        unit = "number"
    if (
        unit == "jpy"
        and lang == "zh"
        and t.word[atom.number - 1 if atom.prefixed else atom.stop - 1] in "¥￥"
    ):
        unit = "cny"
    if unit == "currency:kr" and lang in _CROWNS:
        unit = _CROWNS[lang]
    if atom.below and "/" not in unit:
        unit = f"{unit}/{atom.below}"
    if unit.lower() in _OPERATIONS:
        unit = "op/second"
    begin, stop = t.start[atom.first], t.end[atom.stop - 1]
    if unit.startswith("count:"):
        _whole(atom, grouped="," in t.word[atom.number])
        if (
            atom.of_counts is not None
            and atom.scale == 1
            and atom.high is None
            and not (atom.per or atom.below)
        ):
            atom.value, atom.other = atom.of_counts, atom.value  # 250.000 nodes: more often the whole number
    read = (atom.value, atom.high, unit, bound, atom.per, atom.times, t.text[begin:stop], begin, stop)
    if atom.other is None and atom.high_other is None:
        return Quantity(*read)
    readings = tuple(_readings(Quantity(*read), atom))
    return Quantity(*read, readings, atom.settled if readings else "")


_OPERATIONS = ("count:operation/second", "count:op/second")
"""What `ops/s` is too, which is a unit."""


def _whole(atom: Atom, *, grouped: bool) -> None:
    """A count is whole: of two readings of its number, the one in whole things.

    `grouped`: its separator is a comma, and 250,000 of a thing is never 250 with three decimals.
    """
    for value, other in (("value", "other"), ("high", "high_other")):
        lead, second = getattr(atom, value), getattr(atom, other)
        if second is None or lead is None:
            continue
        if Fraction(lead).denominator != 1 and Fraction(second).denominator == 1:
            setattr(atom, value, second)
        if grouped and second is not None:
            setattr(atom, value, max(getattr(atom, value), second, key=Fraction))
        if grouped or Fraction(lead).denominator != 1 or Fraction(second).denominator != 1:
            setattr(atom, other, None)


def _readings(q: Quantity, atom: Atom) -> Iterator[Quantity]:
    """The other readings of an ambiguous spelling, both ends of a range read alike."""
    if atom.other is None and atom.high_other is None:
        return
    value = q.value if atom.other is None else atom.other
    high = q.high if atom.high_other is None else atom.high_other
    if (value, high) != (q.value, q.high) and (high is None or Fraction(value) < Fraction(high)):
        yield replace(q, value=value, high=high, settled="")
