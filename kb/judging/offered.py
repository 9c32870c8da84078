"""Offers: what a setting may be set to, which says nothing of what it is: `Set to true to enable it`."""

from __future__ import annotations

import re

from kb.claims.claim import Claim
from kb.judging.considered import Fitter
from kb.judging.default import speaks_of_default
from kb.judging.fit import Fit
from kb.judging.mention import Mention
from kb.judging.reading import PageReading

_REACH = 120  # characters before and after a value in which its sentence may say that it is one of several
_BEFORE = re.compile(
    r"(?:\b(?:set|sets|setting|switch|change|turn)(?:\s\w+){0,2}?\s(?:to|it)"
    r"|\b(?:if|when|unless)(?:\s(?:it|this|set|is|to|you|need)){0,3}"
    r"|(?<![\w.])-?\d+\s?(?:is|means|=|for|:))\s[`'\"“*]{0,3}$"
    r"|\b(?:one of|any of|either|(?:supported|allowed|accepted|valid|possible|available) (?:\w+ )?"
    r"(?:values|types|options|modes|choices|backends)(?: are| include)?)\b"
    r"(?:(?!\bdefault)[^.;\n)])*$",
    re.IGNORECASE,
)
_AFTER = re.compile(
    r"[^.;\n()]{0,60}\b(?:are|is)\s(?:all\s|also\s)?(?:supported|allowed|accepted|valid|possible|available)\b",
    re.IGNORECASE,
)
_DEFAULT = re.compile(r"[\s`'\"”(*,]*(?:(?:is )?the |by |as )?default", re.IGNORECASE)


def apart_from_offers(reading: PageReading, claim: Claim, fit: Fitter) -> Fitter:
    """`fit` of a word, by which a default is never one of the values that a setting may have."""
    word = isinstance(claim.value, str) and claim.value.isalnum() and claim.value[0].isalpha()
    if claim.kind != "text" or not word or not _is_of_default(claim):
        return fit

    def fitted(mention: Mention) -> Fit | None:
        answer = fit(mention)
        if answer is None or not answer.answer.holds:
            return answer
        return None if offered(reading.blocks[mention.block].text, mention.start, mention.end) else answer

    return fitted


def _is_of_default(claim: Claim) -> bool:
    return speaks_of_default(f"{claim.subject} {claim.attribute} {claim.where or ''}")


def offered(text: str, start: int, end: int) -> bool:
    """Whether `text[start:end]` is one of the values that something may have, by the words around it."""
    before, after = text[max(0, start - _REACH) : start], text[end : end + _REACH]
    left, right = before.rstrip(" `"), after.lstrip(" `")
    if left[-1:] == "|" or (right[:1] == "|" and left[-1:] in "{<(["):
        return True  # a type: {string|null}, [ true | false ]
    if _DEFAULT.match(after):
        return False  # true (default)
    return _BEFORE.search(before) is not None or _AFTER.match(after) is not None
