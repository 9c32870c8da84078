"""Text to quantities: split, read numbers, link them, add what stands around, and give them their words."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal
from functools import lru_cache

from kb.quantity.cells import Templates
from kb.quantity.context import NOTHING, Context, context_of
from kb.quantity.exact import scaled
from kb.quantity.glossed import glossed
from kb.quantity.numerals import language, numbers_of
from kb.quantity.plain import Offsets, original, plain
from kb.quantity.quantity import Quantity
from kb.quantity.reading import read_piece
from kb.quantity.segments import candidates, lines, segments
from kb.quantity.suffix import CORES, SIZED, TIMED
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
    known = numbers_of(clean, lang or _guessed(clean))
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
    if len(out) == 1 and len(clean) <= _CELL and _ALONE.fullmatch(clean):
        out = [_in_letter(out[0], clean, f"{header or ''} {row or ''}")]
    if any(q.unit in ("number", "kelvin") and q.text[-1:] in _IN_LETTERS for q in out):
        out = _sized(out, f"{header or ''} {row or ''}")
    if any(q.unit == "metre" for q in out):
        out = _explained(out, f"{header or ''} {row or ''}")
    if "(" in clean:
        out = glossed(out, clean)
    guessed = f"the words around it ({language(known)})" if language(known) and not lang else ""
    return [_placed(q, text, offsets, guessed) for q in out] if clean is not text or guessed else out


_IN_LETTERS = {"k": ("kilobyte", "0.001"), "K": ("kilobyte", "0.001"), "M": ("megabyte", "0.000001")}
_OF_SIZE = re.compile(
    r"(?i)(?:\w(?<!batch)(?<!vocab)(?<!dataset)(?<!sample)(?<!population)_size"
    r"|\b(?:record|block|stripe|chunk|page|sector|segment|cluster|buffer|cache|heap|memory|disk|log)"
    r"[ -]sizes?)\b"
)


_MAY_BE_BYTES = re.compile(r"(?i)\b(?:sizes?|payload|memory|buffer|bytes|file)\b")
_MAY_BE_HEAT = re.compile(
    r"(?i)temp(?:erature)?\b|kelvin|thermal|heat|colou?r|\bcct\b|noise|freez|melt|boil|cool|\(k\)|\bpoint\b"
)


def _sized(found: list[Quantity], label: str) -> list[Quantity]:
    """`64M` under a label that is a size of memory or storage: megabytes, and no millions.

    `128 K` under one that may be of bytes is kilobytes, and no temperature.
    """
    if _MAY_BE_BYTES.search(label) and not _MAY_BE_HEAT.search(label):
        found = [
            replace(q, unit="kilobyte") if q.unit == "kelvin" and q.text.endswith("K") else q for q in found
        ]
    if not _OF_SIZE.search(label):
        return found
    out = []
    for q in found:
        unit, factor = _IN_LETTERS.get(q.text[-1:], ("", "1"))
        if unit and q.unit == "number" and q.high is None:
            q = replace(q, unit=unit, value=scaled(q.value, Decimal(factor)), readings=())
        out.append(q)
    return out


_ALONE = re.compile(r"[~<>≈≤≥\s]*\d[\d.,]*\s[KM]\s?\+?\s?")
"""A number and a letter apart from it that are a whole cell: `3 K`, `~ 3 M`."""


def _in_letter(q: Quantity, text: str, label: str) -> Quantity:
    """The number of such a cell in millions, or thousands, if its labels speak of no temperature or bytes."""
    at = text.find("M", q.end)
    if q.unit == "number" and q.high is None and at == q.end + 1:
        return replace(q, value=scaled(q.value, Decimal(1000000)), text=text[q.start : at + 1], end=at + 1)
    if q.unit != "kelvin" or not label.strip() or _MAY_BE_HEAT.search(label) or _MAY_BE_BYTES.search(label):
        return q
    return replace(q, unit="number", value=scaled(q.value, Decimal(1000)))


_MINUTES = re.compile(r"\dm\Z")
_MILLI = re.compile(r"\d\s?m\Z")
_COMPACT = re.compile(r"\d(?:ms|s|h|d)\Z")


def _timed(found: list[Quantity]) -> bool:
    """Whether 10m stands among durations in the same form, and no lengths: `Default: 30s. Maximum: 10m.`"""
    lengths = [q for q in found if unit_dimension(q.unit) == "length"]
    times = any(unit_dimension(q.unit) == "time" and _COMPACT.search(q.text) for q in found)
    return times and all(_MINUTES.search(q.text) for q in lengths)


def _explained(found: list[Quantity], label: str) -> list[Quantity]:
    """`5m` under a label that speaks of time or of processors: minutes, or thousandths of a CPU."""
    if TIMED.search(label) or _timed(found):
        return [replace(q, unit="minute") if _MINUTES.search(q.text) else q for q in found]
    if SIZED.search(label.strip()):
        return [replace(q, unit="megabyte") if _MINUTES.search(q.text) else q for q in found]
    if CORES.search(label):
        thousandth = Decimal("0.001")
        return [
            replace(q, unit="count:CPU", value=scaled(q.value, thousandth))
            if _MILLI.search(q.text) and q.unit == "metre" and q.high is None
            else q
            for q in found
        ]
    return found


def _placed(q: Quantity, text: str, offsets: Offsets, guessed: str) -> Quantity:
    begin, stop = original(offsets, q.start, q.end)
    settled = guessed if guessed and q.settled else q.settled
    return replace(q, start=begin, end=stop, text=text[begin:stop], settled=settled)


def _moved(found: tuple[Quantity, ...], by: int, out: list[Quantity]) -> None:
    """Add quantities with their offsets moved on."""
    if not by:
        out += found
        return
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
    _moved((_remembered if size < _CACHED else read_piece)(text, context, lang, bare), by, out)


_WORDY = re.compile(r"[^\W\d_]{3,}[^\w|]+[^\W\d_]{3,}")
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
            if context.noun and not header and _WORDY.search(cell):
                context = context.without_noun()
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
    context = context_of(header, lang, column=True) if header and "|" not in header else NOTHING
    if row:
        label = context_of(row, lang)
        context = context.over(label if not header else label.without_noun())
    return context


@lru_cache(512)
def _columns(header: str, lang: str | None) -> tuple[Context, ...]:
    return tuple(
        context_of(cell, lang, column=True) if cell.strip() else NOTHING
        for cell in header.strip().strip("|").split("|")
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
        if first.unit and not any(c in label for c in "([,") and "_" not in label:
            first = replace(first, unit="")
        context = context.over(
            first if not header else replace(first, noun="", unit="") if first is not NOTHING else first
        )
    return context


@lru_cache(16384)
def _remembered(text: str, context: Context, lang: str | None, bare: bool) -> tuple[Quantity, ...]:
    return read_piece(text, context, lang, bare)


_CELL = 48
"""Characters in the longest piece that is tried as a cell with one number."""


_TEMPLATES = Templates(_remembered)
