"""A claim in one line: `SUBJECT[, ATTRIBUTE]: VALUE [per BASIS][, DIRECTION][, retrieved DATE]`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kb.claims.claim import DIRECTIONS, Claim
from kb.claims.figures import read_figure
from kb.errors import ClaimsError
from kb.quantity import FigureError, Quantity, parse_date

FORM = "SUBJECT[, ATTRIBUTE]: VALUE [per BASIS][, DIRECTION][, retrieved DATE]"

_PER = re.compile(r"^(?P<value>.*\S)\s+per\s+(?P<per>\S.*)$", re.DOTALL)
_ISO = re.compile(r"\d{4}-\d{2}(-\d{2})?")  # a date, whatever else it may be read as
_NUMBER_AND_WORD = re.compile(r"[$€£¥]?\s?\d[\d.,]*\s?[^\W\d_]\S*( per \S.*)?")


def parse_statement(text: str) -> Claim:
    """Read a statement; `Claim.parse` says more.

    Raises:
        ClaimsError: what is not understood; the message shows the parts.
    """
    text = " ".join(text.split())
    splits = list(_splits(text))
    if not splits:
        raise ClaimsError(f'"{text}" has no "SUBJECT: VALUE"; the form is {FORM}')
    chosen = None
    for left, right in splits:  # a subject may have a colon, and so may a text: a figure or date decides
        read = _value(_without_tail(right)[0])
        if read[0] != "text":
            chosen = (left, right)
            break
    left, right = chosen or splits[-1]
    subject, attribute = _subject(left, text)
    value, direction, retrieved = _without_tail(right)
    if not value:
        raise _unclear(text, subject, attribute, value, "there is no value after the colon")
    kind, quantity, stated, per = _value(value, attribute)
    if kind == "text":
        without = _PER.match(value)
        wrong = read_figure(without["value"] if without else value, attribute)[1]
        if wrong and wrong[2] == "unknown-unit" and _NUMBER_AND_WORD.fullmatch(value):
            what = "; ".join(w for w in wrong[:2] if w)
            raise _unclear(text, subject, attribute, value, what)
    return Claim(
        id=None,
        subject=subject,
        attribute=attribute,
        kind=kind,
        value=stated,
        quantity=quantity,
        per=per,
        direction=direction,
        retrieved=retrieved,
    )


def _splits(text: str) -> Iterator[tuple[str, str]]:
    """The ways to cut at a colon, the last one first."""
    for match in reversed(list(re.finditer(r":(?=\s|$)", text))):
        yield text[: match.start()].strip(), text[match.end() :].strip()


def _subject(left: str, text: str) -> tuple[str, str]:
    subject, _, attribute = left.partition(", ")
    if not subject.strip(" ,"):
        raise _unclear(text, "", "", "", "there is no subject before the colon")
    return subject.strip(), attribute.strip()


def _without_tail(right: str) -> tuple[str, str | None, str | None]:
    """The value, the direction and the day of retrieval."""
    direction = retrieved = None
    while True:
        value, comma, tail = right.rpartition(",")
        tail = tail.strip()
        if comma and tail.lower() in DIRECTIONS and direction is None:
            direction, right = tail.lower(), value.strip()
            continue
        if comma and tail.lower().startswith("retrieved ") and retrieved is None:
            words = tail[10:].strip()
            try:
                day = parse_date(words)
            except FigureError as error:
                raise ClaimsError(f"retrieved: {error}; the form is {FORM}") from None
            if day.readings:
                either = " or ".join((day.value, *day.readings))
                raise ClaimsError(f'retrieved: "{words}" may be {either}; write the one that is meant')
            retrieved, right = day.value, value.strip()
            continue
        return right, direction, retrieved


def _value(text: str, attribute: str = "") -> tuple[str, Quantity | None, str, str | None]:
    """Kind, quantity, the value's words and the basis: a figure, else a date, else a text."""
    if _ISO.fullmatch(text):
        return "date", None, text, None
    match = _PER.match(text)
    for value, per in ((match["value"], match["per"]), (text, None)) if match else ((text, None),):
        quantity, _ = read_figure(value, attribute, per)
        if quantity is not None:
            return "figure", quantity, value, per
    try:
        day = parse_date(text)
    except FigureError:
        return "text", None, text, None
    return "date", None, text if day.readings else day.value, None


def _unclear(text: str, subject: str, attribute: str, value: str, what: str) -> ClaimsError:
    parts = f'subject "{subject}", attribute "{attribute}", value "{value}"'
    return ClaimsError(f'"{text}" is not understood: {what}; read as {parts}; the form is {FORM}')
