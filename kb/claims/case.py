"""One case of `kb verify --cases` to a claim: a JSON object, or a row of a CSV file."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import Any

from kb.claims.claim import DIRECTIONS, Claim
from kb.claims.entry import VALUE_KEYS
from kb.claims.figures import quantity_of
from kb.errors import CaseError
from kb.quantity import FigureError, Quantity, parse_date

CASE_KEYS = (
    *("id", "url", "page", "baseline", "subject", "attribute", *VALUE_KEYS, "complete", "dimension"),
    *("per", "direction", "quote", "retrieved", "where", "context"),
)
"""What a case may say. Other keys are somebody's own columns, unless they are nearly one of these."""


def claim_from_case(case: Mapping[str, Any]) -> Claim:
    """The claim that a case states.

    A figure that nobody can read as a quantity (`Bytes1(0x05)`, `OpenCV >= 2.4`) still
    gives a claim of kind `figure`, with no quantity: it is an exact token. Empty values
    are as good as absent, as CSV has no other way to say so.

    Raises:
        CaseError: what is missing or cannot be, and what would be right.
    """
    data = {str(k): v for k, v in case.items() if v is not None and v != "" and k is not None}
    _known_keys(data)
    stated = [k for k in VALUE_KEYS if k in data]
    if len(stated) != 1:
        have = " and ".join(stated) if stated else "none"
        raise CaseError(
            f"a case states one of {', '.join(VALUE_KEYS)}, this one {have}; write that one and no other"
        )
    kind = stated[0]
    subject = _text(data, "subject")
    if not subject:
        raise CaseError('the case has no "subject"; say what the claim is about')
    value: str | tuple[str, ...] = _members(data["list"]) if kind == "list" else _text(data, kind) or ""
    if not value:
        raise CaseError(f'"{kind}" is empty; write what the page is to state')
    attribute = _text(data, "attribute") or ""
    per = _text(data, "per")
    direction = _text(data, "direction")
    if direction is not None and direction not in DIRECTIONS:
        raise CaseError(f'"direction" cannot be "{direction}"; it is one of {", ".join(DIRECTIONS)}')
    quantity = None
    if kind == "figure" and isinstance(value, str):
        quantity = _quantity(value, attribute, per)
    if kind == "date" and isinstance(value, str):
        value = _date(value, "date")
    retrieved = _text(data, "retrieved")
    complete = _flag(data, "complete")
    for key, belongs in (("complete", "list"), ("dimension", "absent")):
        if key in data and kind != belongs and (key != "complete" or complete):
            raise CaseError(f'"{key}" belongs to `{belongs}`, and this case states `{kind}`; leave it out')
    return Claim(
        id=_text(data, "id"),
        subject=subject,
        attribute=attribute,
        kind=kind,
        value=value,
        quantity=quantity,
        complete=complete,
        dimension=_text(data, "dimension"),
        per=per,
        direction=direction,
        quote=_text(data, "quote"),
        retrieved=_date(retrieved, "retrieved") if retrieved else None,
        where=_text(data, "where"),
        context=_text(data, "context"),
    )


def _quantity(figure: str, attribute: str, per: str | None) -> Quantity | None:
    """The quantity with all its readings, as a case may repeat a page in any language."""
    try:
        return quantity_of(figure, attribute, per)
    except FigureError:
        return None


def _known_keys(data: Mapping[str, Any]) -> None:
    for key in data:
        if key not in CASE_KEYS:
            near = difflib.get_close_matches(key.strip().lower(), CASE_KEYS, 1, 0.8)
            if near and near[0] not in data:
                raise CaseError(f'key "{key}" is unknown; did you mean "{near[0]}"?')


def _text(data: Mapping[str, Any], key: str) -> str | None:
    value = data.get(key)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise CaseError(f'"{key}" must be a text, not {_form(value)}; write it in quotes')
    return str(value).strip() or None


def _form(value: Any) -> str:
    forms = {bool: "true or false", list: "a list", dict: "an object"}
    return forms.get(type(value), type(value).__name__)


def _members(value: Any) -> tuple[str, ...]:
    if isinstance(value, str):
        value = value.split("|")
    if not isinstance(value, list | tuple):
        raise CaseError(f'"list" must be a list, not {_form(value)}; write ["one", "two"], in CSV one|two')
    members = tuple(_text({"list": v}, "list") or "" for v in value)
    if not members or not all(members):
        raise CaseError('"list" has an empty member; write ["one", "two"], in CSV one|two')
    return members


def _flag(data: Mapping[str, Any], key: str) -> bool:
    value = data.get(key, False)
    if isinstance(value, str) and value.strip().lower() in ("true", "false"):
        value = value.strip().lower() == "true"
    if not isinstance(value, bool):
        raise CaseError(f'"{key}" cannot be "{value}"; write true or false')
    return value


def _date(text: str, key: str) -> str:
    """A date in any unambiguous form, as ISO 8601 at its precision."""
    try:
        day = parse_date(text)
    except FigureError as error:
        if key == "date" and any(c.isdigit() for c in text):
            return text  # "late 2019": the judge compares the words
        raise CaseError(f'"{key}": {error}') from None
    if day.readings:
        either = " or ".join((day.value, *day.readings))
        raise CaseError(f'"{key}": "{text}" may be {either}; write the one that is meant')
    return day.value
