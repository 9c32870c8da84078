"""Names in a claim's subject that a page need not say: another name in brackets, and whose thing it is."""

from __future__ import annotations

import re
from functools import lru_cache

from kb.judging.words import STOP

_BRACKET = re.compile(r"(?<=\S )\(([^()]+)\)(?P<rest>\s\w)?")
_PRODUCT = re.compile(r"(?:(?:[Aa]n?|[Tt]he)\s)?(?P<name>(?:[A-Z][a-z]+){2}[A-Z]{0,4})\s(?P<next>[\w-]+)\s\w")
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


def product_of(subject: str) -> int | None:
    """Where the name of a product begins whose part a subject is: `BroodStore feature groups`; else None.

    It is two words in one, with no digit or stroke, and at least two words stand behind it, as one alone says
    what kind of thing the name itself is: `ServerLimit directive`.
    """
    found = _PRODUCT.match(subject)
    return found.start("name") if found is not None and found["next"] not in STOP else None
