"""What a formula gives: values with their units, exactly, and in words that a person can follow."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction

from kb.claims.claim import Claim
from kb.claims.figures import exact_number, written_places, written_step
from kb.claims.formula import Call, FormulaError, Literal, Minus, Ref, Term, parse_formula
from kb.quantity import Quantity, format_quantity, is_known, unit_dimension, unit_from_vector, unit_vector

Vector = tuple[tuple[str, int], ...]

_ABOUT = Fraction(5, 100)  # design, section 4: `about` reaches 5 % at most
_LARGEST = 10**60  # beyond it nothing is measured, and sums would only take long


@dataclass(frozen=True, slots=True)
class Amount:
    """A value in base units, what it is made of, and the unit that people would give it in."""

    value: Fraction
    vector: Vector
    unit: str | None

    def quantity(self) -> Quantity:
        """The amount in its unit, or in the best name for what it is made of."""
        unit = self.unit if self.unit is not None else unit_from_vector(self.vector)
        factor, vector = unit_vector(unit)
        if vector != self.vector:
            unit = unit_from_vector(self.vector)
            factor = unit_vector(unit)[0]
        return Quantity(value=exact_number(self.value / factor), high=None, unit=unit)


def evaluate(formula: str, values: Mapping[str, Quantity]) -> Quantity:
    """Compute a formula.

    Args:
        formula: with ids in full, as a `Claim` has it.
        values: the figures of the claims that it names, by id. Of a range the lower end
            counts, or with `.high` the upper; a multiplier (`8x400G`) is multiplied out.

    Returns:
        The exact value; its unit is that of the inputs where one is left over, else
        a canonical name for what the calculation makes of them.

    Raises:
        FormulaError: it cannot be read, an id is missing in `values`, units do not fit,
            or something is divided by zero.
    """
    return _amount(parse_formula(formula), values).quantity()


def check_formula(claim: Claim, values: Mapping[str, Quantity]) -> tuple[str, str, str] | None:
    """What is wrong with a formula claim's sum, what would be right, and the rule; None where it is right.

    Raises:
        FormulaError: as `evaluate` does.
    """
    term = parse_formula(claim.formula or "")
    result = _amount(term, values)
    stated = claim.quantity
    if stated is None:
        return None
    if stated.high is not None:
        return "a range is the result of no formula", "write two claims, one for each end", "wrong-sum"
    said = str(claim.value)
    left = worked(claim.formula or "", values)
    factor, vector = unit_vector(stated.unit)
    if vector != result.vector:
        got = result.quantity()
        what = f"{left} is {words(got)} ({_dimension(got)}), the file says {said} ({_dimension(stated)})"
        return what, f"write it in {unit_words(got)}, or put the formula right", "wrong-sum"
    got_value = result.value / factor
    if agrees(stated, got_value):
        return None
    right = replace(stated, value=exact_number(got_value), times=None, per=None, bound="exact")
    what = f"{left} is {words(right)}, the file says {said}"
    return (
        what,
        f"write {as_written(got_value, replace(stated, text=said))!r}, or put the formula right".replace(
            "'", '"'
        ),
        "wrong-sum",
    )


def agrees(stated: Quantity, value: Fraction) -> bool:
    """Whether an exact value, in the stated unit, rounds to what is stated at the precision written.

    With `about` the digits as written count, at most 5 % (design, section 4).
    """
    ours = Fraction(stated.value) * Fraction(stated.times or 1)
    gap = abs(ours - value)
    step = written_step(stated) / 2
    if stated.bound == "about" and ours:
        places, scale = written_places(stated)
        digits = abs(ours) / scale * Fraction(10) ** places if scale else Fraction(0)
        while digits and digits.denominator == 1 and digits.numerator % 10 == 0:
            digits /= 10
            step *= 10
        step = max(written_step(stated) / 2, min(step, abs(ours) * _ABOUT))
    return gap <= step


def value_in(q: Quantity, unit: str) -> Quantity | None:
    """The quantity in another unit of the same make; None where there is none."""
    (factor, vector), (other, wanted) = unit_vector(q.unit), unit_vector(unit)
    if vector != wanted:
        return None
    return Quantity(exact_number(Fraction(q.value) * factor / other), None, unit)


def worked(formula: str, values: Mapping[str, Quantity]) -> str:
    """The formula with the figures in place of the ids: `3,200 Gbps / 8`."""
    return _term_words(parse_formula(formula), values, 0)


def _term_words(term: Term, values: Mapping[str, Quantity], level: int) -> str:
    if isinstance(term, Literal):
        return term.text
    if isinstance(term, Ref):
        q = _picked(term, values)
        text = words(replace(q, times=None))
        return text if q.times is None else f"({words(Quantity(q.times, None, 'number'))} * {text})"
    if isinstance(term, Minus):
        return "-" + _term_words(term.term, values, 2)
    if isinstance(term, Call):
        return f"{term.name}({', '.join(_term_words(t, values, 0) for t in term.arguments)})"
    own = 0 if term.sign in "+-" else 1
    right = own + (term.sign in "-/")
    text = f"{_term_words(term.left, values, own)} {term.sign} {_term_words(term.right, values, right)}"
    return f"({text})" if own < level else text


def words(q: Quantity) -> str:
    """A value with its unit, rounded where no short decimal is exact."""
    value = Fraction(q.value)
    exact = exact_number(value)
    rough = isinstance(exact, Fraction) or -int(exact.as_tuple().exponent) > 6
    if rough:
        places = 4 if abs(value) < 10**6 else 0
        exact = Decimal(round(value * 10**places)).scaleb(-places)
        if exact == 0 and value:
            exact = Decimal(f"{float(value):.3g}")
    known = is_known(q.unit)
    text = format_quantity(Quantity(value=exact, high=None, unit=q.unit if known else "number"))
    if not known:
        text = f"{text} {q.unit}"
    return f"about {text}" if rough else text


def unit_words(q: Quantity) -> str:
    """The unit as people write it: `Gbps`."""
    if not is_known(q.unit):
        return q.unit
    words = format_quantity(Quantity(value=Decimal(2), high=None, unit=q.unit)).partition("2")[2].strip()
    return words or "plain numbers"


def _dimension(q: Quantity) -> str:
    dimension = unit_dimension(q.unit)
    if dimension in ("number", "count", "ratio", "multiple", "fraction"):
        return "a plain number" if q.unit in ("number", "") else f"a {dimension}"
    return dimension if "unknown" not in dimension else "a unit of its own"


def as_written(value: Fraction, stated: Quantity) -> str:
    """`value` in the stated unit, in the form and at the precision of what is stated."""
    places, scale = written_places(stated)
    scale = scale or Fraction(1)
    digits = round_half_up(value / scale * Fraction(10) ** places)
    number = Decimal(digits).scaleb(-places)
    shown = f"{number:,f}" if "," in stated.text or abs(number) >= 10000 else f"{number:f}"
    found = re.search(r"\d[\d.,'’\u00a0\u202f]*", stated.text)
    if not found:
        return format_quantity(replace(stated, value=exact_number(value), per=None))
    tail = len(found[0]) - len(found[0].rstrip(".,"))
    return stated.text[: found.start()] + shown + stated.text[found.end() - tail :]


def round_half_up(value: Fraction) -> int:
    """To the nearest whole number, halves away from zero, as people do."""
    return math.floor(value + Fraction(1, 2)) if value >= 0 else -math.floor(-value + Fraction(1, 2))


# Evaluation


def _picked(ref: Ref, values: Mapping[str, Quantity]) -> Quantity:
    q = values.get(ref.id)
    if q is None:
        raise FormulaError(
            f'no figure is known for "{ref.id}"', remedy="name a claim with a figure", rule="unknown-claim"
        )
    if not ref.high:
        return replace(q, high=None)
    if q.high is None:
        raise FormulaError(
            f'"{ref.id}" is no range, so it has no upper end', remedy="leave .high out", rule="not-a-range"
        )
    return replace(q, value=q.high, high=None)


def _of(q: Quantity) -> Amount:
    factor, vector = unit_vector(q.unit)
    return Amount(Fraction(q.value) * Fraction(q.times or 1) * factor, vector, q.unit)


def _amount(term: Term, values: Mapping[str, Quantity]) -> Amount:
    if isinstance(term, Literal):
        return _of(term.quantity)
    if isinstance(term, Ref):
        return _of(_picked(term, values))
    if isinstance(term, Minus):
        inner = _amount(term.term, values)
        return Amount(-inner.value, inner.vector, inner.unit)
    if isinstance(term, Call):
        return _call(term, [_amount(t, values) for t in term.arguments])
    result = _operate(term.sign, _amount(term.left, values), _amount(term.right, values))
    if abs(result.value.numerator) > _LARGEST or result.value.denominator > _LARGEST:
        raise FormulaError("the result is out of reach", remedy="check the formula's numbers")
    return result


def _same_kind(sign: str, left: Amount, right: Amount) -> None:
    if left.vector != right.vector:
        a, b = left.quantity(), right.quantity()
        raise FormulaError(
            f"{words(a)} {sign} {words(b)} mixes {_dimension(a)} and {_dimension(b)}",
            remedy="bring both to one unit",
            rule="units-differ",
        )


def _operate(sign: str, left: Amount, right: Amount) -> Amount:
    if sign in "+-":
        _same_kind(sign, left, right)
        value = left.value + right.value if sign == "+" else left.value - right.value
        return Amount(value, left.vector, left.unit)
    if sign == "/" and right.value == 0:
        raise FormulaError(
            "the formula divides by zero", remedy="put the divisor right", rule="divided-by-zero"
        )
    power = 1 if sign == "*" else -1
    value = left.value * right.value if sign == "*" else left.value / right.value
    vector = _joined(left.vector, right.vector, power)
    if not right.vector:
        unit = left.unit if left.vector else "number"
    elif not left.vector and sign == "*":
        unit = right.unit
    else:
        unit = "number" if not vector else None
    return Amount(value, vector, unit)


def _joined(left: Vector, right: Vector, power: int) -> Vector:
    powers = dict(left)
    for base, n in right:
        powers[base] = powers.get(base, 0) + n * power
    return tuple(sorted((b, n) for b, n in powers.items() if n))


def _call(call: Call, amounts: list[Amount]) -> Amount:
    first = amounts[0]
    if call.name in ("min", "max"):
        for other in amounts[1:]:
            _same_kind(call.name, first, other)
        pick = min if call.name == "min" else max
        return pick(amounts, key=lambda a: a.value)
    places = 0
    if len(amounts) == 2:
        second = amounts[1]
        if second.vector or second.value.denominator != 1 or abs(second.value) > 20:
            raise FormulaError(
                "the places to round to must be a small whole number", remedy="write round(…, 2)"
            )
        places = int(second.value)
    if first.unit is None:
        q = first.quantity()
        raise FormulaError(
            f"it is not said in which unit {call.name} counts",
            remedy=f"divide by one unit first, as in {call.name}(… / 1 {unit_words(q)})",
            rule="units-differ",
        )
    factor = unit_vector(first.unit)[0]
    scaled = first.value / factor * Fraction(10) ** places
    if call.name == "round":
        whole = round_half_up(scaled)
    else:
        whole = math.ceil(scaled) if call.name == "ceil" else math.floor(scaled)
    return Amount(Fraction(whole) / Fraction(10) ** places * factor, first.vector, first.unit)
