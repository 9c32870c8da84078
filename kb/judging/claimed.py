"""The quantity of a claim as it is looked for on one page: its bound, unit and separators settled."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal
from functools import lru_cache

from kb.claims.claim import Claim
from kb.judging.fit import OF_LETTERS, bare
from kb.judging.mention import outermost
from kb.judging.words import keys
from kb.quantity import Quantity, apart_from, is_known, quantities

_PLURAL = re.compile(r"\b(second|minute|hour|day|week|month|year)s$")
_COUNTED = re.compile(
    r"(?:(?!(?:in|within|per|every|each|of|to|by|at|for|on|after|before|than)\s)[a-z-]+\s){0,3}"
    r"(?<!core )(?<!node )(second|minute|hour|day|week|month|year)s(?![\w-])"
)
"""A property that is so many of a period: "weeks at full pay", "business days in which to register it".

Not what is counted by two things: CPU hours, node hours."""
_WORKING = re.compile(r"\b(?:business|working) days$")
_IN_LETTERS = re.compile(r"\s*(\d+(?:[.,]\d+)?)\s?([kKmMgG])\s*")
_OF_BYTES = re.compile(r"(?i)\b(?:sizes?|payloads?|memory|ram|heap|buffers?|caches?|storage|disk)\b")
_PLAIN = re.compile(r"\s*[-−]?\d+(?:\.\d+)?\s*")


@lru_cache(maxsize=256)  # asked for at several points of one claim
def claimed_quantity(claim: Claim, lang: str | None) -> Quantity | None:
    """What a claim of kind figure states, for a page in `lang`; None where it is no quantity.

    A bound counts where the figure itself states it: a "minimum size" of 1200 bytes that
    becomes 1400 has changed, though 1400 is at least 1200. A separator reads as on the
    page, whose words the claim repeats.
    """
    value = claim.value if isinstance(claim.value, str) else ""
    own = _alone(value, lang)
    quantity = claim.quantity
    if quantity is None:
        if own is not None:
            return own
        if _PLAIN.fullmatch(value):
            return Quantity(Decimal(value.strip().replace("−", "-")), None, "number", text=value.strip())
        return None
    bound = own.bound if own is not None else "exact"
    if quantity.readings and own is not None and not own.readings:
        quantity = replace(quantity, value=own.value, high=own.high, readings=())
    if quantity.per:  # "10 minutes" is the basis that the page writes "per 10 minutes" or "/10 min"
        quantity = replace(quantity, per=_PLURAL.sub(r"\1", quantity.per))
    if quantity.unit.startswith("count:") and is_known(quantity.unit[6:]):
        if bare(value):  # "requests per 5 minutes" in the attribute counts no minutes
            return replace(quantity, bound=bound, unit="number", per=None)
        return replace(quantity, bound=bound, unit=quantity.unit[6:])  # 12 additional months are months
    period = _COUNTED.match(claim.attribute.removeprefix("number of "))
    number = quantity.unit == "number" or (quantity.unit.startswith("count:") and bare(value))
    if period is not None and number:
        unit = "business-day" if _WORKING.search(period[0]) else period[1].lower()
        return replace(quantity, bound=bound, unit=unit)
    return replace(quantity, bound=bound)


def claimed_words(claim: Claim) -> frozenset[str]:
    """The distinct words of all that a claim says: its subject, attribute, place and value."""
    return keys(f"{claim.subject} {claim.attribute} {claim.where or ''} {claim.value}")


def claimed_bytes(claim: Claim) -> tuple[Quantity, ...]:
    """What a figure in letters is in bytes, where the claim speaks of a size: the 32k of a read buffer.

    By thousands of 1,000 and of 1,024, as a letter says neither.
    """
    value = claim.value if isinstance(claim.value, str) else ""
    match = _IN_LETTERS.fullmatch(value)
    if match is None or not _OF_BYTES.search(f"{claim.attribute} {claim.subject}"):
        return ()
    number = Decimal(match[1].replace(",", "."))
    units = OF_LETTERS[match[2].lower()]
    return tuple(Quantity(number, None, unit, text=value.strip(), per=claim.per) for unit in units)


@lru_cache(maxsize=4096)  # many captures are judged for one claim
def _alone(value: str, lang: str | None) -> Quantity | None:
    """The one quantity of a figure's text; None where there is none, or it is a name's (CUDA 12.3)."""
    found = outermost(quantities(value, lang=lang, bare=True))
    if len(found) != 1:
        return None
    q = found[0]
    before, after = apart_from(value, q)
    if re.search(r"\d", before + after):
        return None
    if q.unit == "number" and re.search(r"[^\W\d_]\W*$", before):
        return None
    return q
