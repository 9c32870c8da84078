"""Other names of a claim's subject: what stands in brackets is said again, so a page may say either."""

from __future__ import annotations

import re
from functools import lru_cache

_BRACKET = re.compile(r"(?<=\S )\(([^()]+)\)(?P<rest>\s\w)?")
_WORD = re.compile(r"[^\W_](?:[\w.-]*\w)?")


@lru_cache(maxsize=4096)
def other_names(subject: str) -> frozenset[int]:
    """Where in a subject words begin that only name again what stands before them: Orrin (ORR-2) boards.

    A setting's name at its end is what it is called: `bytes kept (max_bytes)`.
    """
    out: set[int] = set()
    for found in _BRACKET.finditer(subject):
        for word in _WORD.finditer(subject, found.start(1), found.end(1)):
            if found["rest"] or any(c.isdigit() for c in word.group()):
                out.update(range(*word.span()))
    return frozenset(out)
