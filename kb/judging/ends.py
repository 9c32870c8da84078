"""Which end of a range a claim asks for: a range's end is no statement of a single value by itself."""

from __future__ import annotations

import re
from functools import lru_cache

from kb.claims.claim import Claim

LOW, HIGH = "low", "high"

_LOW = re.compile(
    r"\b(?:min|minimum|minimal\w*|minim[aou]\w*|least|smallest|lowest|shortest|fewest|oldest|earliest|lower|starting|floor"
    r"|mindest\w*|wenigstens|kleinst\w*|niedrigst\w*|kürzest\w*|mínim[ao]s?|au moins|almeno)\b",
    re.IGNORECASE,
)
_HIGH = re.compile(
    r"\b(?:max|maximum|maximal\w*|maxim[aou]\w*|most|largest|highest|longest|biggest|greatest|upper|up to"
    r"|limit\w*|quotas?|caps?|capped|ceiling|peak|höchst\w*|größt\w*|längst\w*|máxim[ao]s?|massim[aoi]"
    r"|au plus)\b|最大|最高|最多",
    re.IGNORECASE,
)
_EITHER = re.compile(r"\b(?:best|worst|slowest|fastest|extremes?|bounds?|ends?)\b", re.IGNORECASE)

_LOWER = ("at-least", "more-than")
_UPPER = ("at-most", "less-than")


def asked_ends(claim: Claim, bound: str) -> frozenset[str]:
    """The ends of a range that answer a claim: of one with the bound `bound`, or by its words.

    Of `10 GB` in "largest file" the upper end, of `from $5` the lower, of "memory" none: there
    `2 to 10 GB` states another value (design, section 4: a range holds against the same range only).
    """
    if bound in _LOWER:
        return frozenset({LOW})
    if bound in _UPPER:
        return frozenset({HIGH})
    return _asked(f"{claim.attribute} {claim.subject} {claim.where or ''}")


@lru_cache(maxsize=4096)
def _asked(words: str) -> frozenset[str]:
    return frozenset({LOW, HIGH}) if _EITHER.search(words) else ends_named(words)


def ends_named(words: str) -> frozenset[str]:
    """The ends that words name; none where they speak of no bound."""
    return frozenset(end for end, pattern in ((LOW, _LOW), (HIGH, _HIGH)) if pattern.search(words))
