"""The unit of a bare number in an entry: what the entry's prose or a gloss beside it says that it counts."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache

from kb.claims.claim import Claim
from kb.judging.claimed import claimed_quantity
from kb.judging.considered import Fitter
from kb.judging.entry import Entry
from kb.judging.fit import Fit, bare, quantity_fitter
from kb.judging.mention import Mention
from kb.judging.reading import PageReading
from kb.quantity import Quantity, quantities, unit_dimension

_TIME, _SIZE = "time", "data"
_UNITS = re.compile(
    r"(?<![\w.])(?:(?P<time>(?:nano|micro|milli)?seconds?|msecs?|secs?|ms|minutes?|hours?|days?|weeks?)"
    r"|(?P<data>(?:kilo|mega|giga|kibi|mebi|gibi)?bytes?|[KMG]i?B))(?!\w)",
    re.IGNORECASE,
)
_NUMBER_BEFORE = re.compile(
    r"(?:\d|\b(?:a|an|one|two|three|four|five|six|ten|few|several|every|per))[\s-]*$", re.IGNORECASE
)
_PROSE = 3000  # characters of an entry that are read for its unit
_SUFFIXED = re.compile(r"(\d+(?:[.,]\d+)*(?:[eE]\+?\d+)?)\s?([kKmMgGtTsShHdDwW]?)([iI]?[bB])?")
_MINUTES = re.compile(r"\s*\d+m\s*")
_SIZES = {"": "B", "k": "KB", "m": "MB", "g": "GB", "t": "TB"}
_TIMES = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
_GLOSS = re.compile(r"\s?\((?:i\.\s?e\.,?\s|that is,?\s|=\s?)?([^()\n]{1,40})\)")
KIN_SAID = 0.95  # a number whose unit its entry says


def with_entry_units(reading: PageReading, claim: Claim, fit: Fitter) -> Fitter:
    """`fit`, which reads a number without a unit in the unit that its entry says it has.

    Only a number that an entry states as its value (its default, or in its title) is read so, and one
    that a gloss repeats: `1048576B (1 MiB)`.
    """
    claimed = claimed_quantity(claim, reading.lang) if claim.kind == "figure" else None
    value = claim.value if isinstance(claim.value, str) else ""
    if claimed is None:
        return fit
    plain = bare(value)  # then a bare number answers as it is
    dimension = unit_dimension(claimed.unit)
    if claimed.unit == "metre" and _MINUTES.fullmatch(value):
        return _as_minutes(reading, claimed, value, fit)
    if dimension not in (unit_dimension("second"), unit_dimension("byte")):
        return fit
    kind = _TIME if dimension == unit_dimension("second") else _SIZE

    def fitted(mention: Mention) -> Fit | None:
        found = mention.quantity
        answer = fit(mention)
        if found is None or unit_dimension(found.unit) == dimension or mention.end_of_range:
            return answer
        said = _glossed(reading, mention, dimension) if "/" not in found.unit else None
        if said is None and reading.is_slot(mention):
            said = None if plain and found.unit == "number" else _said(reading, mention, kind)
            if said is None and found.unit == "number":
                return fit(replace(mention, prose=False))  # a slot, whose unit its entry leaves open
        if said is None or unit_dimension(said.unit) != dimension:
            return answer
        own = fit(replace(mention, quantity=said, prose=False))
        return answer if own is None else replace(own, kin=own.kin * KIN_SAID)

    return fitted


def _as_minutes(reading: PageReading, claimed: Quantity, value: str, fit: Fitter) -> Fitter:
    """`fit`, by which the 5m of a claim is five minutes where an entry states a time as its value."""
    minutes = quantity_fitter(replace(claimed, unit="minute"), value)

    def fitted(mention: Mention) -> Fit | None:
        found = mention.quantity
        if found is None or unit_dimension(found.unit) != _TIME or not reading.is_slot(mention):
            return fit(mention)
        return minutes(mention)

    return fitted


def _glossed(reading: PageReading, mention: Mention, dimension: str) -> Quantity | None:
    """What the bracket behind a number says that it is."""
    text = reading.blocks[mention.block].text
    if text.find("(", mention.end, mention.end + 2) < 0:
        return None
    match = _GLOSS.match(text, mention.end)
    quantity = _quantity(match[1]) if match is not None else None
    return quantity if quantity is not None and unit_dimension(quantity.unit) == dimension else None


def _said(reading: PageReading, mention: Mention, kind: str) -> Quantity | None:
    entry = reading.entry(mention.block)
    block = reading.blocks[mention.block]
    unit = unit_said(reading, entry, kind) if entry is not None else ""
    match = _SUFFIXED.match(block.text, mention.start)
    if not unit or match is None:
        return None
    number, letter, byte = match[1], match[2].lower(), match[3]
    if kind == _SIZE and (letter in _SIZES and (letter or byte)):
        return _quantity(f"{number} {_SIZES[letter]}")
    if letter:
        return (
            _quantity(f"{number} {_TIMES[letter]}")
            if kind == _TIME and letter in _TIMES and not byte
            else None
        )
    return _quantity(f"{number} {unit}")


@lru_cache(maxsize=4096)
def _quantity(text: str) -> Quantity | None:
    """The one quantity that a text is."""
    found = quantities(text.strip(), lang="en")
    return found[0] if len(found) == 1 and len(found[0].text) == len(text.strip()) else None


def unit_said(reading: PageReading, entry: Entry, kind: str) -> str:
    """The first unit of its kind that an entry's prose names without a number; empty where it names none."""
    left = _PROSE
    for index in entry.blocks:
        text = reading.blocks[index].text[:left]
        for match in _UNITS.finditer(text):
            if match[kind] and not _NUMBER_BEFORE.search(text[max(0, match.start() - 12) : match.start()]):
                return match[kind]
        left -= len(text)
        if left <= 0:
            break
    return ""
