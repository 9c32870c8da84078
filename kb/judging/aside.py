"""What the part of the page and the words beside a value say against it: past, planned, or another's."""

from __future__ import annotations

import re

from kb.judging.mention import Mention
from kb.judging.version_lists import version_label
from kb.judging.words import speech
from kb.page import Block

ROLE = {
    "content": 1.0,
    "hidden": 0.93,
    "alt": 0.85,
    "noscript": 0.85,
    "data": 0.85,
    "navigation": 0.8,
    "footer": 0.8,
    "cookie": 0.7,
    "related": 0.75,
    "changelog": 0.7,
    "comment": 0.6,
    "struck": 0.0,
    "meta": 0.0,
}
"""What is left of a value's weight in each part of a page (design, section 9, readings 5 and 12)."""

WINDOW = 60  # characters before a value in which its sentence says that it is past or planned

_PAST = re.compile(
    r"\b(?:previously|formerly|prior to|before (?:v(?:ersion)?\.? ?)?\d|used to be|no longer"
    r"|earlier versions?|older versions?|old(?:er)? (?:value|default|limit)|instead of|up from|down from"
    r"|changed from|rather than|originally|until (?:v(?:ersion)?\.? ?)?\d)\b",
    re.IGNORECASE,
)
_PLANNED = re.compile(
    r"\b(?:will be|planned|plans? to|upcoming|in (?:a |the )?future|starting (?:in|from)|from next"
    r"|to be (?:raised|lowered))\b",
    re.IGNORECASE,
)
_DOTTED = re.compile(r"\d+(?:\.\d+)+")
_LABEL = re.compile(r"([A-Za-z][\w .-]{0,40}?)\s?[=:]\s?[`'\"]?$")


def is_aside(text: str, mention: Mention) -> bool:
    """Whether the words just before a value say that it is past, or only planned."""
    before = text[max(0, mention.start - WINDOW) : mention.start]
    cut = max(before.rfind(". "), before.rfind("; "), before.rfind("\n"))
    before = before[cut + 1 :]
    return bool(_PAST.search(before) or _PLANNED.search(before))


_MANUAL = re.compile(r"(?<!\.)\b[A-Za-z][\w.-]*\($")  # and no method: load().half(2)
_RELEASE = re.compile(r"\b(?i:since|from|before|until|in|as of|by|with|after)\s(?:[A-Z][\w+-]*\s){1,2}$")
_CLOSED = re.compile(rf"{_RELEASE.pattern[:-1]}\d[\d.]*\s(?:to|until|through|and)\s(?:[A-Z][\w+-]*\s)?$")


def is_reference(text: str, mention: Mention) -> bool:
    """Whether a number only says where to look or of which release it is spoken.

    The 2 of `io_setup(2)`, a page of the system's manual, and the 3.5 of `Since Linux 3.5`.
    """
    closed = text.startswith(")", mention.end)
    dotted = mention.quantity is not None and _DOTTED.fullmatch(mention.text) is not None
    if not closed and not dotted:
        return False
    before = text[max(0, mention.start - WINDOW) : mention.start]
    if closed and _MANUAL.search(before):
        return len(mention.text) == 1 and mention.text.isdigit()
    return dotted and bool(_RELEASE.search(before) or _CLOSED.search(before))


def label_before(block: Block, mention: Mention) -> frozenset[str]:
    """The words that label a value (`Default: 60`); none where nothing does."""
    before = block.text[max(0, mention.start - 50) : mention.start]
    if not before.rstrip(" `'\"").endswith(("=", ":")):
        return frozenset(speech(version_label(block.text, mention)))
    match = _LABEL.search(before)
    return frozenset(speech(match[1].rpartition(". ")[2])) if match is not None else frozenset()


def label_of(label: frozenset[str], own: frozenset[str]) -> int:
    """1 where the claim's words label the value (`Default: 60`), -1 where others do (`max=100`), else 0."""
    if not label:
        return 0
    return -1 if label.isdisjoint(own) else 1
