"""What to look for: for each kind of claim its mentions on a page, and how each answers it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from kb.claims.claim import Claim
from kb.judging.claimed import claimed_bytes, claimed_quantity
from kb.judging.considered import Fitter
from kb.judging.direction import differ, direction_at
from kb.judging.fit import Answer, Fit, as_written, fit_date, fit_shape, quantity_fitter
from kb.judging.mention import SPELLED, Finder, Mention, shape_of
from kb.judging.multiplied import doubles, settles
from kb.judging.phrase import fit_phrase, phrase_mentions
from kb.judging.ports import asks_for_port, with_ports
from kb.judging.reading import PageReading
from kb.judging.words import keys, words_of_labels
from kb.quantity import FigureError, Quantity, apart_from, parse_date, quantities, unit_dimension


@dataclass(frozen=True, slots=True)
class Search:
    """How one claim is looked for.

    `find` and `fit` are made for one page; `words` are words of the value itself that
    its surroundings should have; `textual` claims may stand in a slot of a sentence.
    """

    find: Callable[[PageReading], Finder]
    fit: Callable[[PageReading], Fitter]
    words: str = ""
    textual: bool = False


def search_for(claim: Claim) -> Search:
    """What answers a claim of kind figure, date or text."""
    value = claim.value if isinstance(claim.value, str) else ", ".join(claim.value)
    if claim.kind == "date":
        try:
            date = parse_date(value)
        except FigureError:
            return _text(value)
        return Search(lambda r: r.dates, lambda r: lambda m: fit_date(date, m))
    if claim.kind == "text":
        alone = _VERSION.fullmatch(value)
        if alone and ("." in alone[1] or "version" in claim.attribute.casefold()):
            return _shape("version", alone[1], _versioned(claim), value)
        measured = _measured(value)
        if measured is None or (measured.high is not None and keys(claim.attribute) >= _PAGES):
            return _text(value)
        claim = replace(claim, kind="figure", quantity=measured)
    if claim.kind == "figure" and _DOTTED.fullmatch(value) and _ASKED.search(claim.attribute):
        return _shape("version", value, _versioned(claim), value)
    shape = shape_of(value)
    if shape is not None and shape[0] in SPELLED:
        return _shape(shape[0], shape[1], value.replace(shape[1], " ", 1), value)
    stated = claimed_quantity(claim, None)
    if stated is not None:
        rest = value.replace(stated.text, " ", 1) if stated.text else ""
        whole = not rest.strip()
        in_bytes = [quantity_fitter(size, value) for size in claimed_bytes(claim)]
        made: dict[str | None, tuple[Quantity, Fitter]] = {}  # two editions are mostly in one language

        def fitter(reading: PageReading) -> Fitter:
            if reading.lang not in made:
                quantity = claimed_quantity(claim, reading.lang) or stated
                made[reading.lang] = quantity, quantity_fitter(quantity, value, keys(claim.attribute))
            quantity, fit_quantity = made[reading.lang]

            def fit(mention: Mention) -> Fit | None:
                q = mention.quantity
                if in_bytes and q is not None and unit_dimension(q.unit) == "data size":
                    sizes = [fit_bytes(mention) for fit_bytes in in_bytes]
                    answer = next((size for size in sizes if size and size.answer.holds), sizes[0])
                else:
                    answer = fit_quantity(mention)
                if answer and claim.direction and differ(claim.direction, direction_at(reading, mention)):
                    answer = replace(answer, answer=Answer.BASIS)
                    if doubles(reading, claim.direction, quantity, mention):
                        answer = Fit(Answer.SAME, answer.kin)
                elif answer and answer.answer is Answer.BASIS and settles(reading, quantity, mention):
                    answer = Fit(Answer.SAME, answer.kin)
                if answer is None or whole:
                    return answer
                return as_written(answer, value, rest, mention, reading.blocks[mention.block].text)

            return fit

        ports = asks_for_port(claim)
        return Search(lambda r: with_ports(r) if ports else r.figures, fitter, rest)
    if shape is not None:
        return _shape(shape[0], shape[1], value.replace(shape[1], " ", 1), value)
    return _text(value)


_PAGES = keys("pages")
"""What a range of numbers is no amount of, but where something stands: pp. 42-45."""

_SPELLED_OUT = re.compile(r"[^\W\d_]+\s[^\W\d_]|\d")


def _measured(text: str) -> Quantity | None:
    """The quantity that a text states as a whole: `five years` is one and `60-600`, `64-bit` a name."""
    found = quantities(text, bare=True)
    if len(found) != 1 or apart_from(text, found[0]) != ("", "") or not _SPELLED_OUT.match(text):
        return None
    units = ("number", "fraction", "multiple", "ratio", "bit")
    plain = found[0].unit in units and found[0].high is None
    return None if plain else found[0]


_VERSION = re.compile(
    r"\s*(?:[≥>=~^]{1,2}\s*)?(v?\d+(?:\.\d+)*(?:\.[x*])?)\s*"
    r"(?:\+|(?:or|and) (?:later|newer|above|higher|up))?\s*"
)
"""A text that is a version alone: 3.8, ≥ 1.4, 2.6 or later."""


_DOTTED = re.compile(r"\d+\.\d+")
_ASKED = re.compile(r"\bversion\b(?! numbers?\b| control\b)", re.IGNORECASE)
"""What asks of a decimal number for a version: after 0.8 comes 3.3.5."""
_OF_WHAT = re.compile(r"(\S+)\s+versions?\b|\bversions? of (\S+)", re.IGNORECASE)
_ANY = keys(
    "the a minimum maximum least latest current required supported oldest newest stable default major"
)


def _versioned(claim: Claim) -> str:
    """What a version is of: the Python of "Python version needed", which stands beside it."""
    match = _OF_WHAT.search(claim.attribute)
    name = (match[1] or match[2]) if match else ""
    return "" if keys(name) <= _ANY else name


def _shape(shape: str, token: str, rest: str, value: str) -> Search:
    def find(reading: PageReading) -> Finder:
        return lambda index: reading.shapes(index, shape)

    beside = keys(rest)

    def fitter(reading: PageReading) -> Fitter:
        def fit(mention: Mention) -> Fit | None:
            block = reading.blocks[mention.block]
            labels = words_of_labels((*block.row, *block.column)) if beside else beside
            return as_written(
                fit_shape(token, mention, beside - labels, block.text), value, rest, mention, block.text
            )

        return fit

    return Search(find, fitter, rest)


def _text(phrase: str) -> Search:
    def find(reading: PageReading) -> Finder:
        return lambda index: phrase_mentions(reading, index, phrase)

    def fitter(reading: PageReading) -> Fitter:
        return lambda m: fit_phrase(phrase, m, reading.blocks[m.block])

    return Search(find, fitter, textual=True)
