"""Figures without a claim of their own that follow from claims: a bounded search, with the units kept.

A calculation is only told where the article shows that one is meant: it writes it out
(`3,200 / 8`), or a word for the operation stands in the sentence of the figure. All inputs are
claims that the article states.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from kb.app.audit_mention import Mention, Status
from kb.app.audit_values import base, coarse
from kb.app.audit_words import words_of
from kb.claims import Claim, ClaimSet
from kb.quantity import Quantity, half_of_last_digit, quantities, unit_vector

if TYPE_CHECKING:
    from kb.store import ClaimNow

SEVERAL = 12
"""Claims of one passage that a calculation may start from; and as many of their kin from elsewhere."""

DIGITS = 2
"""Digits of a value, zeros at its end left out, that a search over claims from elsewhere needs."""

TIGHT = Fraction(1, 100)
"""How far a calculated value may lie from what is written, as a part of it, besides the last digit."""

_NUMBER = r"\d+(?:,\d{3})*(?:\.\d+)?"
_UNIT = r"(?:\s?(?:thousand|million|billion)\b)?(?:\s?[^\W\d_%/]{1,12}(?:/[^\W\d_]{1,8})?|\s?%)?"
_OPERAND = rf"[$€£]?{_NUMBER}{_UNIT}"
_SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9}
_SUM = rf"{_OPERAND}(?:\s?[-+−–*/÷×x·]\s?{_OPERAND})+"
_BEFORE = re.compile(rf"(?<![\w.,])({_SUM})\s?=\s?(?:{_OPERAND}\s?=\s?)?[$€£~≈]?\s?$")
_AFTER = re.compile(rf"[^().;=]{{0,40}}\(\s?({_SUM})\s?\)")
_SIGNS = {"÷": "/", "×": "*", "x": "*", "·": "*", "−": "-", "–": "-"}
_TOKEN = re.compile(
    rf"[$€£]?({_NUMBER})(?:\s?(thousand|million|billion)\b)?(?:\s?[^\W\d_]{{2,12}}(?:/[^\W\d_]{{1,8}})?|\s?%)?"
    r"|([-+−–*/÷×x·])"
)

_ANY = r"deriv|calculat|comput|work(?:s|ed)? out|that is|makes?|comes? to|amounts?|equals?"
_CUES = {
    "/": rf"{_ANY}|per|each|every|average|mean|share|ratio|times|an?\s\w+th|percent"
    r"|as (?:much|many)|of it|one",
    "*": rf"{_ANY}|total|in all|altogether|together|combined|over an?|for (?:all|an?|the|our|its|their)"
    r"|twice|double",
    "+": rf"{_ANY}|total|in all|altogether|together|combined|sum|plus|between them|both|overall",
    "-": rf"{_ANY}|over|under|more|less|fewer|difference|differ|gap|left|remain|rest|sav|short|longer|later"
    r"|earlier|up|down|above|below|rose|grew|fell|increase|decrease|saves?",
}
_CUE = {sign: re.compile(rf"\b(?:{words})\b|=|%", re.IGNORECASE) for sign, words in _CUES.items()}


@dataclass(frozen=True, slots=True)
class _Input:
    claim: Claim
    value: Fraction
    vector: tuple[tuple[str, int], ...]

    @property
    def plain(self) -> bool:
        return not self.vector


@dataclass(frozen=True, slots=True)
class _Formula:
    text: str
    claims: tuple[Claim, ...]
    sign: str
    value: Fraction
    vector: tuple[tuple[str, int], ...]


class Derivations:
    """Finds the calculation behind figures; `stated` are all claims that the article states."""

    def __init__(self, claims: ClaimSet, stated: Sequence[str], now: Mapping[str, ClaimNow]) -> None:
        self._claims = claims
        self._now = now
        self._stated = [i for i in map(self._input, dict.fromkeys(stated)) if i]
        self._by_number: dict[Fraction, list[_Input]] = {}
        self._kin: dict[tuple[str, ...], list[_Input]] = {}
        for one in self._stated:
            quantity = one.claim.quantity
            if quantity is not None:
                self._by_number.setdefault(Fraction(quantity.value), []).append(one)
            for key in _kinds(one.claim):
                self._kin.setdefault(key, []).append(one)

    def _input(self, id: str) -> _Input | None:
        claim = self._claims.claim(id)
        q = claim.quantity
        if q is None or q.high is not None or not q.value:
            return None
        return _Input(claim, base(q.value, q.unit) * Fraction(q.times or 1), unit_vector(q.unit)[1])

    def explain(self, mention: Mention, q: Quantity, near: Sequence[str]) -> Mention:
        """The mention with its calculation, where there is one.

        Args:
            mention: a figure that no claim states.
            q: its value.
            near: the claims that its sentence, the one before, or its row states, nearest first.
        """
        found = self._written_out(mention, q, near) or self._searched(mention, q, near)
        return self.said(mention, *found) if found else mention

    def said(self, mention: Mention, formula: str, ids: tuple[str, ...]) -> Mention:
        """The mention as derived by a formula from claims; as drifted where one of these is known to have."""
        from kb.claims import worked  # start-up time

        values = {c.id or "": c.quantity for c in map(self._claims.claim, ids) if c.quantity is not None}
        bad = [n for id in ids if (n := self._now.get(id)) and n.verdict in ("drifted", "gone")]
        return replace(
            mention,
            status=Status.DRIFTED if bad else Status.DERIVED,
            claims=ids,
            verdict=bad[0].verdict or "" if bad else "",
            stated=mention.text,
            found="",
            formula=formula,
            worked=worked(formula, values),
            gone=any(bool(n.confirmed) for n in bad),
        )

    # --- calculations that the article writes out ------------------------------------------------------

    def _written_out(
        self, mention: Mention, q: Quantity, near: Sequence[str]
    ) -> tuple[str, tuple[str, ...]] | None:
        text = mention.block.text
        found = _BEFORE.search(text[max(0, mention.start - 120) : mention.start])
        if found is None:
            found = _AFTER.match(text, mention.end)
        if found is None or q.high is not None:
            return None
        tokens = list(_TOKEN.finditer(found[1]))
        numbers = [Fraction(t[1].replace(",", "")) * _SCALES.get(t[2] or "", 1) for t in tokens if t[1]]
        signs = [_SIGNS.get(t[3], t[3]) for t in tokens if t[3]]
        if len(numbers) != len(signs) + 1 or len(numbers) > 5:
            return None
        result = _calculated(numbers, signs)
        if result is None or not _agrees(result, q, Fraction(1)):
            return None
        return self._named(q, near, numbers, signs)

    def _named(
        self, q: Quantity, near: Sequence[str], numbers: Sequence[Fraction], signs: Sequence[str]
    ) -> tuple[str, tuple[str, ...]] | None:
        """A written calculation over claims: each number is the claim with it, or stands for itself."""
        ids: list[str] = []
        parts: list[str] = []
        for number in numbers:
            known = self._by_number.get(number, [])
            best = min(known, key=lambda i: _rank(i.claim.id or "", near, ids), default=None)
            if best is not None and (number > 2 or best.claim.id in near):
                ids.append(best.claim.id or "")
                parts.append(f"{{{best.claim.id}}}")
            else:
                parts.append(f"{number.numerator}" if number.denominator == 1 else f"{float(number):.10g}")
        if not ids:
            return None
        formula = parts[0] + "".join(f" {s} {p}" for s, p in zip(signs, parts[1:], strict=True))
        return (formula, tuple(dict.fromkeys(ids))) if self._fits(formula, ids, q) else None

    def _fits(self, formula: str, ids: Sequence[str], q: Quantity) -> bool:
        """Whether a formula gives the value with its unit."""
        from kb.claims import FormulaError, evaluate  # start-up time

        values = {c.id or "": c.quantity for c in map(self._claims.claim, ids) if c.quantity is not None}
        try:
            result = evaluate(formula, values)
        except FormulaError:
            return False
        if coarse(result.unit) != coarse(q.unit):
            return False
        factor = unit_vector(q.unit)[0]
        return _agrees(base(result.value, result.unit) / factor, q, Fraction(1))

    # --- calculations that a word shows ------------------------------------------------------------------

    def _searched(
        self, mention: Mention, q: Quantity, near: Sequence[str]
    ) -> tuple[str, tuple[str, ...]] | None:
        if q.high is not None or not calculable(q):
            return None
        factor, vector = unit_vector(q.unit)
        here = [i for i in map(self._input, near[:SEVERAL]) if i]
        sentence = _beside(mention)
        wide = _digits(q) >= DIGITS
        for level in (_pairs(here, here), self._with_kin(here, sentence) if wide else iter(())):
            fitting = [
                f
                for f in level
                if f.vector == vector
                and _CUE[f.sign].search(sentence)
                and _sensible(f, q)
                and _agrees(f.value / factor, q, TIGHT)
            ]
            if fitting:
                distinct = {(f.sign, tuple(sorted(_value(c) for c in f.claims))) for f in fitting}
                if len(distinct) > 1:
                    return None  # two ways to the same number: nobody can tell which is meant
                best = min(fitting, key=lambda f: [_rank(c.id or "", near, ()) for c in f.claims])
                return best.text, tuple(dict.fromkeys(c.id or "" for c in best.claims))
        return None

    def _with_kin(self, here: Sequence[_Input], sentence: str) -> Iterator[_Formula]:
        """One input from the passage and one that says the same of another thing, or another of the same.

        Or one of a thing that the sentence names.
        """
        words = set(words_of(sentence))
        subjects = [k for k in self._kin if k[0] == "subject" and words.issuperset(k[1:])]
        named = [k for key in subjects for k in self._kin[key]]
        for one in here:
            kin = [k for key in _kinds(one.claim) for k in self._kin.get(key, ()) if k is not one]
            yield from _pairs([one], [k for k in kin if k not in here][:SEVERAL])
            yield from _pairs([one], [k for k in named if k not in here and k not in kin][: 2 * SEVERAL])


def calculable(q: Quantity) -> bool:
    """Whether a match by calculation means anything: small counts follow from everything."""
    return q.unit in ("ratio", "multiple", "percent") or coarse(q.unit) != "plain"


def _kinds(claim: Claim) -> list[tuple[str, ...]]:
    """What makes claims kin: one subject, or one attribute."""
    out = [("subject", *sorted(set(words_of(claim.subject))))]
    if claim.attribute:
        out.append(("attribute", *sorted(set(words_of(claim.attribute)))))
    return out


def _pairs(left: Sequence[_Input], right: Sequence[_Input]) -> Iterator[_Formula]:
    seen = set()
    for a in left:
        for b in right:
            for x, y in ((a, b), (b, a)):
                key = (x.claim.id, y.claim.id)
                if x.claim.id == y.claim.id or key in seen:
                    continue
                seen.add(key)
                yield from _two(x, y)
    for a in left:
        yield _Formula(f"{{{a.claim.id}}} / 2", (a.claim,), "/", a.value / 2, a.vector)
        yield _Formula(f"{{{a.claim.id}}} * 2", (a.claim,), "*", a.value * 2, a.vector)


def _two(a: _Input, b: _Input) -> Iterator[_Formula]:
    one, two, both = f"{{{a.claim.id}}}", f"{{{b.claim.id}}}", (a.claim, b.claim)
    yield _Formula(f"{one} / {two}", both, "/", a.value / b.value, _joined(a.vector, b.vector, -1))
    if (a.claim.id or "") < (b.claim.id or ""):
        yield _Formula(f"{one} * {two}", both, "*", a.value * b.value, _joined(a.vector, b.vector, 1))
        if a.vector == b.vector and not a.plain:
            yield _Formula(f"{one} + {two}", both, "+", a.value + b.value, a.vector)
    unit = _per_unit(b.claim.per) if not a.plain else None
    if unit is not None and unit_vector(unit[1])[1] == a.vector:  # 38 TB at $23 per TB
        value = a.value / unit_vector(unit[1])[0] * b.value
        yield _Formula(f"{one} / (1 {unit[0]}) * {two}", both, "*", value, b.vector)
    if a.vector == b.vector and not a.plain and a.value > b.value:
        yield _Formula(f"{one} - {two}", both, "-", a.value - b.value, a.vector)


@lru_cache(1024)
def _per_unit(per: str | None) -> tuple[str, str] | None:
    """The unit of measure in a basis, as it is written there and by its name: TB of "TB and month"."""
    for word in re.findall(r"[^\W\d_]+(?:-[^\W\d_]+)?", per or ""):
        for name in (word, word.partition("-")[0]):
            read = quantities(f"1 {name}")
            if len(read) == 1 and coarse(read[0].unit) not in ("plain", "time"):
                return name, read[0].unit
    return None


def _joined(
    a: tuple[tuple[str, int], ...], b: tuple[tuple[str, int], ...], sign: int
) -> tuple[tuple[str, int], ...]:
    powers = dict(a)
    for unit, power in b:
        powers[unit] = powers.get(unit, 0) + sign * power
    return tuple(sorted((u, p) for u, p in powers.items() if p))


def _sensible(formula: _Formula, q: Quantity) -> bool:
    """Whether the kinds of the inputs make the result: a ratio is of two alike, a share is below one."""
    units = [coarse(c.quantity.unit) for c in formula.claims if c.quantity is not None]
    if coarse(q.unit) == "plain":
        return formula.sign == "/" and len(units) == 2 and units[0] == units[1] != "plain"
    return len(formula.claims) == 1 or units[0] != "plain" or formula.sign == "*"


def _agrees(value: Fraction, q: Quantity, most: Fraction) -> bool:
    """Whether a value is what is written, in its unit, within half of the last digit."""
    written = Fraction(q.value)
    gap = abs(value - written)
    return gap == 0 or (gap <= half_of_last_digit(q.value) and gap <= abs(written) * min(most, TIGHT))


def _digits(q: Quantity) -> int:
    return len(f"{float(q.value):.12g}".replace(".", "").strip("0"))


def _value(claim: Claim) -> Fraction:
    q = claim.quantity
    return base(q.value, q.unit) if q is not None else Fraction(0)


def _rank(id: str, near: Sequence[str], beside: Sequence[str]) -> tuple[int, int]:
    """Nearer claims first, and those from the file of an input that was found already."""
    file = id.partition(".")[0]
    kin = any(other.partition(".")[0] == file for other in beside)
    return (near.index(id) if id in near else len(near), 0 if kin else 1)


def _beside(mention: Mention) -> str:
    """The sentence without the figure itself."""
    return mention.sentence.replace(mention.text, " ", 1)


def _calculated(numbers: Sequence[Fraction], signs: Sequence[str]) -> Fraction | None:
    """The value of numbers joined by signs, products before sums; None for a division by zero."""
    terms = [numbers[0]]
    for sign, number in zip(signs, numbers[1:], strict=True):
        if sign == "*":
            terms[-1] *= number
        elif sign == "/":
            if not number:
                return None
            terms[-1] /= number
        else:
            terms.append(number if sign == "+" else -number)
    return sum(terms, Fraction(0))
