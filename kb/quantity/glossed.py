"""Glosses: a bracket right behind a number that says what it is of, `20G (20 GiB)`, `500 (milliseconds)`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from kb.quantity.quantity import Quantity
from kb.quantity.units import registry, unit_dimension

_UNIT = re.compile(r"\s?\((?:in )?(?P<unit>[a-z]{2,14}s)\)")
"""A bracket that has one word alone, of several: a second is also what follows the first."""
_OPENS = re.compile(r"\s?\(\s?")
_LETTER = re.compile(r"(?P<number>\d[\d.,]*)\s?[kKMGT]\Z")
_SAID = ("time", "data size")
"""What numbers of a setting are of, where their unit stands in a bracket."""


def glossed(found: Sequence[Quantity], text: str) -> list[Quantity]:
    """The quantities of a text, in order, with what the bracket behind each says of it."""
    out = []
    for i, q in enumerate(found):
        if "(" in text[q.end : q.end + 2] and q.high is None:
            q = _of_unit(q, text) or _spelled(q, found[i + 1 : i + 2], text)
        out.append(q)
    return out


def _of_unit(q: Quantity, text: str) -> Quantity | None:
    """A bare number whose unit is all that the bracket has."""
    match = _UNIT.match(text, q.end) if q.unit == "number" and q.per is None else None
    unit = registry().words.get(match["unit"], "") if match is not None else ""
    return replace(q, unit=unit) if unit and unit_dimension(unit) in _SAID else None


def _spelled(q: Quantity, after: Sequence[Quantity], text: str) -> Quantity:
    """A size in a letter, which the bracket spells with its unit."""
    letter, opens = _LETTER.search(q.text), _OPENS.match(text, q.end)
    gloss = after[0] if after else q
    if letter is None or opens is None or opens.end() != gloss.start or gloss.high is not None:
        return q
    if unit_dimension(gloss.unit) != "data size" or not gloss.text.startswith(letter["number"]):
        return q
    return replace(q, unit=gloss.unit, value=gloss.value, readings=())
