"""JSON, as pairs of a label and a value."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

_MAX_DEPTH = 200


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
    """Each leaf with the names on the way to it; places in lists are left out, empty values too."""
    stack: list[tuple[tuple[str, ...], Any]] = [((), data)]
    while stack:
        names, value = stack.pop()
        if isinstance(value, dict):
            if len(names) < _MAX_DEPTH:
                stack.extend(((*names, str(k)), v) for k, v in reversed(value.items()))
        elif isinstance(value, list):
            stack.extend((names, v) for v in reversed(value))
        elif value is not None and not isinstance(value, bool):
            if words := " ".join(str(value).split()):
                yield names, words
        elif isinstance(value, bool):
            yield names, "true" if value else "false"
