"""Data that a page carries in its scripts: JSON-LD and embedded state, as pairs of a label and a value."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kb.page.json import pairs_of_text

_LIMIT = 2_000
_ASSIGNED = re.compile(
    r"\s*(?:(?:var|let|const)\s+|window\s*\.\s*|self\s*\.\s*)+[\w$.]+(?:\[[^\]]{1,40}\])?\s*=\s*(?=[{\[])"
)
_TYPES = ("", "text/javascript", "application/javascript", "module")
_DULL = frozenset(
    ("@context", "@id", "url", "sameAs", "image", "logo", "href", "src", "buildId", "id", "key", "className")
)
_NO_WORDS = re.compile(r"(?:https?://|/|data:)\S*$|[0-9a-f-]{24,}$|[A-Za-z0-9+/=_-]{64,}$")


def pairs_of_script(text: str, kind: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """Pairs of what a script of type `kind` holds, addresses and identifiers left out."""
    if kind.endswith("json"):
        data = text
    elif kind in _TYPES and (found := _ASSIGNED.match(text)) is not None:
        data = text[found.end() :].rstrip().removesuffix(";")
    else:
        return
    for names, value in pairs_of_text(data.strip().removeprefix("<!--").removesuffix("-->"), limit=_LIMIT):
        if (names and names[-1] in _DULL) or _NO_WORDS.match(value):
            continue
        yield names, value
