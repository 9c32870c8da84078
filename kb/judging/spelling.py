"""How a page spells a value as a whole: with its sign or words of bound, and a gloss in brackets."""

from __future__ import annotations

import re

from kb.judging.fit import squeezed
from kb.judging.form import CODE, form_of
from kb.judging.mention import Mention

_SIGN = re.compile(r"[~≈<>≤≥]=?\s?$")
_GLOSS = re.compile(r"\s?\([^()\n]{1,40}\)")
_GLOSSED = re.compile(
    r"(?<![\w.])\d[\d.,]*(?:\s[a-z]+)?\s?\((?:(?:approx(?:\.|imately)?|about|i\.e\.,?)\s|[=≈~]\s?)$"
)
"""What a value in a bracket explains: the 3650 days of `3650 days (approx. 10 years)`."""
_CALL = re.compile(r"\w+\($")
_CALLED_GLOSS = re.compile(r"\)\s?\([=≈~][^()\n]{1,40}\)")  # `Uint64(2**11) (= 2,048)`
_OTHER_VALUE = re.compile(
    r"\b(?:was|were|formerly|previously|defaults?|configurable|adjustable|max(?:imum)?|min(?:imum)?|up to)\b"
    r".*\d",
    re.IGNORECASE,
)
"""A gloss that states another value beside this one: `25 (maximum 100)`."""

_BOUND_BEFORE = re.compile(
    r"(?<!\w)(?:(?:no|not) (?:more|less|fewer|greater) than|(?:more|less|fewer|greater|larger|smaller) than"
    r"|at (?:least|most)|up to|as (?:many|much|few|little) as|(?:minimum|maximum) of"
    r"|about|approximately|approx\.?|around|roughly|nearly|almost|circa|ca\.|over|under|above|below|exceeding)\s$",
    re.IGNORECASE,
)
_BOUND_AFTER = re.compile(
    r"\s(?:or|and) (?:more|less|fewer|above|below|over|under|up|larger|smaller|greater|higher|lower)\b",
    re.IGNORECASE,
)
_RANGE_BEFORE = re.compile(
    r"(?<!\w)(?:between|from|zwischen|von|entre|de|tra|tussen|mellan)\s$", re.IGNORECASE
)
_AND = re.compile(r"\s(?:and|to|und|bis|et|à|y|e|a|en|och)\s", re.IGNORECASE)
_LONGEST = 24  # characters of the words before a value that bound it


def whole_span(text: str, mention: Mention) -> tuple[int, int]:
    """The span of a value's whole spelling in its block's text."""
    start, end = mention.start, mention.end
    q = mention.quantity
    bounded = q is not None and q.bound != "exact" and not mention.end_of_range
    if bounded and (after := _BOUND_AFTER.match(text, end)):
        end = after.end()
    if text[end : end + 1] == ")" and q is not None and q.bound in ("exact", "about"):
        call = _CALL.search(text, max(0, start - _LONGEST), start)
        wrapped = _CALLED_GLOSS.match(text, end) if call else None
        if call and wrapped:
            return call.start(), wrapped.end()
        if glossed := _GLOSSED.search(text, max(0, start - 2 * _LONGEST), start):
            return glossed.start(), end + 1
    gloss = _GLOSS.match(text, end)
    called = bool(gloss) and text[end] == "(" and mention.textual and form_of(mention.text) in CODE
    if gloss and not called and not _OTHER_VALUE.search(gloss[0]):
        end = gloss.end()
    if sign := _SIGN.search(text, max(0, start - 3), start):
        start = sign.start()
    elif bounded and (before := _BOUND_BEFORE.search(text, max(0, start - _LONGEST), start)):
        start = before.start()
    elif (
        q is not None
        and q.high is not None
        and _AND.search(mention.text)  # `from 2 to 4 GB`, but not `2-4 GB` from a list of its own
        and (range_ := _RANGE_BEFORE.search(text, max(0, start - _LONGEST), start))
    ):
        start = range_.start()
    return start, end


def verbatim(ours: str, found: str) -> bool:
    """Whether the page's whole spelling is ours, white space and quotes aside."""
    return squeezed(ours) == squeezed(found)
