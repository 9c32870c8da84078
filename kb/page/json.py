"""JSON, as pairs of a label and a value."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

_HALF = re.compile("[\ud800-\udfff]")
_MAX_DEPTH = 100
_MAX_PAIRS = 500_000
_NAMES = ("name", "title", "label", "id", "model", "sku", "key", "slug", "code")
"""What names an object in a list, the first of these that it has."""


def load(text: str) -> Any:
    """The data, figures as written; one value a line where it is not one whole.

    Raises:
        ValueError: it is no JSON.
        RecursionError: it is nested too deeply.
    """
    try:
        return json.loads(text, strict=False, parse_float=str, parse_int=str)
    except ValueError:
        lines = [line for line in text.splitlines() if line.strip()]
        if len(lines) < 2:
            raise
        return [json.loads(line, strict=False, parse_float=str, parse_int=str) for line in lines]


def pairs_of_text(text: str, limit: int) -> Iterator[tuple[tuple[str, ...], str]]:
    """Pairs of what `text` holds, in order, at most `limit`; none where it is not JSON."""
    try:
        data = json.loads(text, strict=False, parse_float=str, parse_int=str)
    except (ValueError, RecursionError):
        return
    for count, pair in enumerate(pairs(data)):
        if count >= limit:
            return
        yield pair


def pairs(data: Any) -> Iterator[tuple[tuple[str, ...], str]]:
    """Each leaf with the names on the way to it, outermost first.

    Places in lists are left out; an object that has a name is named by it, as in
    `[{"name": "Small", "price": 2}]`, where 2 has the names `Small`, `price`.
    """
    stack: list[tuple[tuple[str, ...], Any]] = [((), data)]
    count = 0
    while stack and count < _MAX_PAIRS:
        names, value = stack.pop()
        if isinstance(value, dict):
            if len(names) >= _MAX_DEPTH:
                continue
            own, key = _name(value)
            inner = (*names, own) if own and own not in names else names
            stack.extend(((*(names if k == key else inner), str(k)), v) for k, v in reversed(value.items()))
        elif isinstance(value, list):
            stack.extend((names, v) for v in reversed(value))
        elif value is not None:
            words = str(value).lower() if isinstance(value, bool) else " ".join(str(value).split())
            if words:
                count += 1
                yield tuple(map(_encodable, names)), _encodable(words)


def _encodable(text: str) -> str:
    """`text` without half characters: JSON can write them, and nothing else can hold them."""
    return text if text.isascii() else _HALF.sub("\ufffd", text)


def _name(value: dict[str, Any]) -> tuple[str, str]:
    for key in _NAMES:
        words = value.get(key)
        if isinstance(words, str) and 0 < len(words) <= 80 and len(value) > 1 and not words.isdigit():
            return " ".join(words.split()), key
    return "", ""
