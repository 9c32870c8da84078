"""Text to quantities."""

from __future__ import annotations

import re
from decimal import Decimal

from kb.quantity.basis import singular
from kb.quantity.quantity import Quantity
from kb.quantity.units import PERIODS, registry, unit_dimension

_NUMBER = r"(?:\d{1,3}(?:,\d{3})+|\d{1,30})(?:\.\d{1,20})?"
_SCALES = {"k": 3, "K": 3, "M": 6, "B": 9, "million": 6, "billion": 9, "trillion": 12, "thousand": 3}
_WORDS = {
    w: i + 1 for i, w in enumerate(["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"])
}
_START = re.compile(
    rf"(?<![\w.,])(?:(?P<times>\d{{1,4}})\s?[x×]\s?)?(?P<cur>US\$|[$€£])?(?P<num>{_NUMBER}|(?:{'|'.join(_WORDS)})(?=[ -]))"
    rf"(?:\s?(?P<scale>million|billion|trillion|thousand|[kKMB](?![\w/])))?"
    rf"(?:\s?(?:-|–|to)\s?(?P<high>{_NUMBER}))?"
)
_TAIL = re.compile(r"[\s-]?([^\W\d][^\s,;:()|]*|%|[€£])")
_PER = re.compile(r"\s?(?:/|per )\s?(?P<per>[A-Za-z]{1,20})")
_BOUNDS = (
    ("at-least", "at least|minimum of|from|starting at|≥|>="),
    ("at-most", "up to|at most|maximum of|no more than|≤|<="),
    ("more-than", "more than|over|above|exceeding|>"),
    ("less-than", "less than|under|below|fewer than|<"),
    ("about", "about|around|approximately|roughly|nearly|~|≈|ca\\."),
)
_BEFORE = re.compile(rf"(?:{'|'.join(f'(?P<{n.replace(chr(45), chr(95))}>{w})' for n, w in _BOUNDS)})\s?$")


def quantities(
    text: str,
    header: str | None = None,
    row: str | None = None,
    lang: str | None = None,
    *,
    bare: bool = False,
) -> list[Quantity]:
    """Read all quantities in a text, in order."""
    out = []
    for m in _START.finditer(text):
        q = _one(text, m, header, bare)
        if q:
            out.append(q)
    return out


def _one(text: str, m: re.Match[str], header: str | None, bare: bool) -> Quantity | None:
    num = m["num"].replace(",", "")
    value = Decimal(_WORDS.get(num) or num)
    high = Decimal(m["high"].replace(",", "")) if m["high"] else None
    scale = Decimal(10) ** _SCALES.get(m["scale"] or "", 0)
    value, high = value * scale, None if high is None else high * scale
    end, unit = m.end(), ""
    if m["cur"]:
        unit = registry().symbols[m["cur"]]
    tail = _TAIL.match(text, end)
    if tail and not unit:
        unit, end = _unit(text, tail.start(1), tail.end(1), end)
    if not unit and header:
        inside = re.findall(r"\(([^()]*)\)|in (\S+)$", header)
        for a, b in inside:
            unit = unit or registry().symbols.get(a or b, "")
    per = None
    basis = _PER.match(text, end) if unit else None
    if basis:
        name = registry().words.get(basis["per"].lower())
        if name in PERIODS:
            unit = f"{unit}/{name}"
        else:
            per = basis["per"]
        end = basis.end()
    if not unit:
        if not bare:
            return None
        unit = "number"
    before = _BEFORE.search(text[max(0, m.start() - 20) : m.start()])
    bound = before.lastgroup.replace("_", "-") if before and before.lastgroup else "exact"
    times = Decimal(m["times"]) if m["times"] else None
    start = m.start()
    return Quantity(value, high, unit, bound, per, times, text[start:end], start, end)


def _unit(text: str, start: int, stop: int, end: int) -> tuple[str, int]:
    known = registry()
    word = text[start:stop].rstrip(".")
    if word in ("G", "GE"):
        return "gigabit/second", start + len(word)
    for size in range(len(word), 0, -1):
        part = word[:size]
        if size < len(word) and (word[size].isalnum() or part[-1] == "/"):
            continue
        name = known.symbols.get(part) or known.words.get(part.lower())
        if name:
            rest = re.match(r" per second", text[start + size :])
            if rest and unit_dimension(name) == "data size":
                return f"{name}/second", start + size + rest.end()
            return name, start + size
    if word in ("x", "times"):
        return "multiple", start + len(word)
    if re.fullmatch(r"[A-Za-z]+s|[A-Za-z]*[A-Z]{2,}", word):
        return f"count:{singular(word)}", start + len(word)
    return "", end
