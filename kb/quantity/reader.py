"""Text to quantities: split, read numbers, link them, add what stands around, and give them their words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache

from kb.quantity.atom import Atom
from kb.quantity.atoms import find_atoms
from kb.quantity.bounds import bound_of
from kb.quantity.cells import Templates
from kb.quantity.complete import read_basis
from kb.quantity.context import NOTHING, Context, context_of
from kb.quantity.dates import dates_between
from kb.quantity.exact import scaled
from kb.quantity.link import link
from kb.quantity.multiples import factor_before
from kb.quantity.numerals import language
from kb.quantity.plain import Offsets, original, plain
from kb.quantity.quantity import Quantity
from kb.quantity.segments import candidates, lines, segments
from kb.quantity.nouns import is_plural_acronym, one_of
from kb.quantity.per import basis_at, period_before
from kb.quantity.spelling import is_money, unit_at
from kb.quantity.tokens import CJK, SIGN, WORD, Tokens
from kb.quantity.units import unit_dimension

_AMBIGUOUS = re.compile(r"(?<![\d.,])\d{1,3}[.,]\d{3}(?![\d.,]*\d)")
_CACHED = 400
"""Characters up to which a piece of text and its quantities are remembered: the cells of a table repeat."""


def quantities(
    text: str,
    header: str | None = None,
    row: str | None = None,
    lang: str | None = None,
    *,
    bare: bool = False,
) -> list[Quantity]:
    """Read all quantities in a text, in order.

    Args:
        text: any text; markup left in it is read over.
        header: the header of the column that a cell stands in, or that of the
            whole table row (`| vCPU | RAM |`): its unit, noun, scale, period
            and bound belong to numbers that have none.
        row: the label of the row, likewise.
        lang: the language of the page, which decides what a lone separator means.
        bare: also numbers that count nothing, as unit `number`.

    Never raises on any text, and takes time in proportion to its length.
    """
    clean, offsets = plain(text)
    if not candidates(clean, lang):
        return []
    known = lang or _guessed(clean)
    outer = _outer(header, row, known)
    out: list[Quantity] = []
    if "|" not in clean:
        _sentences(clean, 0, outer, known, bare, out)
    else:
        for begin, stop, is_row in lines(clean):
            if is_row:
                _row(clean[begin:stop], begin, outer, header, known, bare, out)
            else:
                _sentences(clean[begin:stop], begin, outer, known, bare, out)
    guessed = f"the words around it ({known})" if known and not lang else ""
    return [_placed(q, text, offsets, guessed) for q in out] if offsets or guessed else out


def _placed(q: Quantity, text: str, offsets: Offsets, guessed: str) -> Quantity:
    begin, stop = original(offsets, q.start, q.end)
    settled = guessed if guessed and q.settled else q.settled
    return replace(q, start=begin, end=stop, text=text[begin:stop], settled=settled)


def _moved(found: tuple[Quantity, ...], by: int, out: list[Quantity]) -> None:
    """Add quantities with their offsets moved on."""
    for q in found:
        out.append(
            Quantity(
                q.value,
                q.high,
                q.unit,
                q.bound,
                q.per,
                q.times,
                q.text,
                q.start + by,
                q.end + by,
                q.readings,
                q.settled,
            )
        )


def _sentences(
    text: str, by: int, context: Context, lang: str | None, bare: bool, out: list[Quantity]
) -> None:
    for begin, stop in segments(text, lang):
        _piece(text[begin:stop], by + begin, context, lang, bare, out)


def _piece(text: str, by: int, context: Context, lang: str | None, bare: bool, out: list[Quantity]) -> None:
    size = len(text)
    if size < _CELL and _TEMPLATES.cell(text, by, context, lang, bare, out):
        return
    _moved((_remembered if size < _CACHED else _read)(text, context, lang, bare), by, out)


_IDENTIFIER = re.compile(r"\s*[a-z][\w-]*\d[\w.-]*\s*")


def _row(
    line: str, by: int, outer: Context, header: str | None, lang: str | None, bare: bool, out: list[Quantity]
) -> None:
    """A row with bars between its cells: each has its column's header, and the first cell as a label."""
    cells = line.split("|")
    opened = not cells[0] or cells[0].isspace()
    label = cells[1 if opened and len(cells) > 1 else 0]
    pos = by
    for number, cell in enumerate(cells):
        if cell and candidates(cell, lang) and not _IDENTIFIER.fullmatch(cell):
            context = _in_row(outer, header, number - opened, label, lang)
            if len(cell) < _CELL:
                _piece(cell, pos, context, lang, bare, out)
            else:
                _sentences(cell, pos, context, lang, bare, out)
        pos += len(cell) + 1


_FUNCTION_WORDS = {
    "en": re.compile(r"(?i)\b(?:the|of|and|per|up to|with|for|is|are|at least|over)\b"),
    "de": re.compile(r"(?i)\b(?:der|die|das|und|mit|pro|bis|von|für|ist|sind|mindestens|rund)\b"),
    "fr": re.compile(r"(?i)\b(?:le|les|des|du|et|avec|pour|est|sont|une|jusqu'à|environ)\b"),
}


def _guessed(text: str) -> str | None:
    """The language, from its commonest words, where a lone separator hangs on it and they agree."""
    if not _AMBIGUOUS.search(text):
        return None
    sample = text[:2000]
    counts = {lang: len(p.findall(sample)) for lang, p in _FUNCTION_WORDS.items()}
    best = max(counts, key=lambda k: counts[k])
    others = sum(n for k, n in counts.items() if k != best)
    return best if counts[best] >= 2 and counts[best] > 3 * others else None


def _outer(header: str | None, row: str | None, lang: str | None) -> Context:
    context = context_of(header, lang) if header and "|" not in header else NOTHING
    if row:
        label = context_of(row, lang)
        context = context.over(label if not header else label.without_noun())
    return context


@lru_cache(512)
def _columns(header: str, lang: str | None) -> tuple[Context, ...]:
    return tuple(
        context_of(cell, lang) if cell.strip() else NOTHING for cell in header.strip().strip("|").split("|")
    )


@lru_cache(4096)
def _in_row(outer: Context, header: str | None, cell: int, label: str, lang: str | None) -> Context:
    """The context of a cell in a row with bars: its column's header, then the row's first cell."""
    context = outer
    if header and "|" in header:
        columns = _columns(header, lang)
        context = columns[cell].over(context) if cell < len(columns) else context
    if label and cell > 0:
        first = context_of(label, lang)
        context = context.over(
            first if not header else replace(first, noun="", unit="") if first is not NOTHING else first
        )
    return context


@lru_cache(16384)
def _remembered(text: str, context: Context, lang: str | None, bare: bool) -> tuple[Quantity, ...]:
    return _read(text, context, lang, bare)


_CELL = 48
"""Characters in the longest piece that is tried as a cell with one number."""


def _read(text: str, context: Context, lang: str | None, bare: bool) -> tuple[Quantity, ...]:
    taken = dates_between(text, lang, years=not (context.unit or context.noun))
    t = Tokens(text, taken)
    short = language(lang)
    atoms = find_atoms(t, lang)
    out: list[Quantity] = []
    floor = 0
    previous: Atom | None = None
    for group in link(t, atoms, short):
        first = group[0]
        bound = bound_of(t, first, min(floor, first.first))
        for atom in group:
            own = (
                bound
                if atom is first
                else (bound_of(t, atom, group[-2].stop) if atom is group[-1] else "") or bound
            )
            if atom is first and not own and len(group) > 1:
                own = _ending(t, group[-1])
            if not atom.lone and not atom.below and not atom.per and atom.high is not None:
                read_basis(t, atom, short)
            if atom.lone:
                factor_before(t, atom)
            _before_number(t, atom)
            _add_context(t, atom, context)
            _convert_bound(t, previous, atom)
            own = own or atom.bound or context.bound
            if own == "about" and context.bound and context.bound != "about":
                own = context.bound
            q = _quantity(t, atom, own or "exact", bare, short)
            if q:
                atom.bound = q.bound
                out.append(q)
                previous = atom
                floor = max(floor, atom.stop)
    out.sort(key=lambda q: q.start)
    return tuple(out)


def _before_number(t: Tokens, atom: Atom) -> None:
    """A unit or a noun before a comparison (IOPS greater than 64,000), a period before a price (月額1,980円)."""
    i = atom.first
    if (
        atom.lone
        and "numbered" not in atom.marks
        and t.at(i - 1) in ("than", ">", "<", "≥", "≤", ">=", "<=", "exceeding")
    ):
        k = i - 3 if t.at(i - 1) == "than" else i - 2
        word = t.word[k] if k >= 0 else ""
        found = (
            unit_at(t, k, None)
            if k >= 0 and len(word) > 2 and t.kind[k] == WORD and unit_dimension(word.lower()) == "io rate"
            else None
        )
        if found:
            atom.unit = found[0]
        elif k >= 0 and t.kind[k] == WORD and is_plural_acronym(word):
            atom.unit = f"count:{one_of(word)}"
    if is_money(atom.unit or "number") and not atom.below:
        k = i - 1
        if k >= 0 and t.kind[k] == CJK:
            atom.below = period_before(t.word[k])
    if not atom.per and not atom.lone and t.at(i - 1) in ("of", "is", ":", "was"):
        for k in range(i - 2, max(-1, i - 5), -1):
            if t.low[k] == "per":
                basis = basis_at(t, k, "en")
                if basis.end == i - 1 and basis.per:
                    atom.per = basis.per
                break


_TEMPLATES = Templates(_remembered)


def _ending(t: Tokens, last: Atom) -> str:
    bound = bound_of(t, last, last.first)
    return bound if bound in ("at-most",) else ""


def _add_context(t: Tokens, atom: Atom, context: Context) -> None:
    """What the header or a label in the text says, where the number itself is silent."""
    label = _label(t, atom)
    if label is not None:
        context = label.over(context)
    if atom.lone and context is not NOTHING and "numbered" not in atom.marks and "pair" not in atom.marks:
        unit = context.unit or (f"count:{context.noun}" if context.noun else "")
        if unit:
            atom.unit = unit
            atom.value = scaled(atom.value, context.scale)
            atom.high = None if atom.high is None else scaled(atom.high, context.scale)
            atom.other = None if atom.other is None else scaled(atom.other, context.scale)
            atom.below, atom.per = atom.below or context.below, atom.per or context.per
    elif context.unit and context.scale != 1 and atom.unit == context.unit and atom.scale == 1:
        atom.value = scaled(atom.value, context.scale)
        atom.high = None if atom.high is None else scaled(atom.high, context.scale)
    if is_money(atom.unit or "number") and not atom.below:
        atom.below = context.below
    if not atom.per and context.per and (is_money(atom.unit or "number") or label is not None):
        atom.per = context.per


_LABEL_STARTS = frozenset({",", ";", "|", ".", ":", "{", "[", "!", "?", "=", "、", "。", "，", "·", "•"})


def _label(t: Tokens, atom: Atom) -> Context | None:
    """The label before a colon that the number stands behind: `Monthly cost: 5 €`, `"Subscribers": "270M+"`."""
    k = atom.first - 1
    direct = True
    steps = 0
    while k > 0 and steps < 14:
        low = t.low[k]
        if (low in (":", "=") and t.kind_at(k - 1) in ("w", "m")) or (
            low == ":" and t.at(k - 1) in ("'", '"', ")")
        ):
            break
        if low in (";", "|", ".", "!", "?") or (low == "," and not direct):
            return None
        if t.kind[k] != SIGN and low not in (
            "max",
            "min",
            "approx",
            "ca",
            "about",
            "up",
            "to",
            "from",
            "default",
        ):
            direct = False
        k, steps = k - 1, steps + 1
    else:
        return None
    start = k - 1
    while start > 0 and k - start < 8 and t.low[start - 1] not in _LABEL_STARTS and t.gap[start] < 2:
        start -= 1
    text = t.text[t.start[start] : t.start[k]].strip(" \"'-*+#")
    if len(text) < 2 or len(text) > 80:
        return None
    context = context_of(text, None)
    if atom.lone and not direct:
        return None
    if not direct or not text.lower().startswith("per"):
        context = replace(context, per=context.per if text.lower().startswith("per ") else None)
    if text.lower().startswith("per "):
        from_per = context_of(f"({text})", None)
        context = replace(context, per=from_per.per, below=from_per.below)
    return replace(context, bound="", unit=context.unit if len(text) < 24 or "_" in text else "")


def _convert_bound(t: Tokens, before: Atom | None, atom: Atom) -> None:
    """A conversion in brackets has the bound and the basis of what it converts."""
    if before is None or before.stop >= t.size or atom.first <= before.stop:
        return
    inner = t.low[before.stop : atom.first]
    if inner[0] != "(" and not (inner == [","] and "converted" in before.marks):
        return
    if ")" in inner or len(inner) > 4 or atom.unit == before.unit:
        return
    if unit_dimension(before.unit) != unit_dimension(atom.unit or "number") and not (
        is_money(before.unit) and is_money(atom.unit or "number")
    ):
        return
    if before.unit.startswith("count:"):
        return
    atom.marks["converted"] = True
    atom.bound = atom.bound or (before.bound if before.bound != "exact" else "")
    atom.per = atom.per or before.per


_CROWNS = {"sv": "sek", "da": "dkk", "no": "nok", "nb": "nok", "nn": "nok", "is": "isk"}


def _quantity(t: Tokens, atom: Atom, bound: str, bare: bool, lang: str | None) -> Quantity | None:
    unit = atom.unit
    if not unit:
        if not bare or "numbered" in atom.marks:
            return None
        unit = "number"
    if unit == "currency:kr" and lang in _CROWNS:
        unit = _CROWNS[lang]
    if atom.below and "/" not in unit:
        unit = f"{unit}/{atom.below}"
    begin, stop = t.start[atom.first], t.end[atom.stop - 1]
    base = Quantity(
        atom.value,
        atom.high,
        unit,
        bound,
        atom.per,
        atom.times,
        t.text[begin:stop],
        begin,
        stop,
        (),
        atom.settled,
    )
    readings = tuple(_readings(base, atom))
    return replace(base, readings=readings) if readings else replace(base, settled="")


def _readings(q: Quantity, atom: Atom) -> Iterator[Quantity]:
    """The other readings of an ambiguous spelling, both ends of a range read alike."""
    if atom.other is None and atom.high_other is None:
        return
    value = q.value if atom.other is None else atom.other
    high = q.high if atom.high_other is None else atom.high_other
    if (value, high) != (q.value, q.high) and (high is None or Fraction(value) < Fraction(high)):
        yield replace(q, value=value, high=high, settled="")


__all__ = ["Decimal", "quantities"]
