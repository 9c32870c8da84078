"""Whether a sentence says that its value is past, planned or withdrawn: never the present one, by rule."""

from __future__ import annotations

import re

_WINDOW = 60  # characters before a value, and twice as many after it, in which its sentence is read

_PAST = re.compile(
    r"\b(?:previously|formerly|prior to|before (?:v(?:ersion)?\.? ?)?\d|used to be|no longer"
    r"|earlier versions?|older versions?|old(?:er)? (?:value|default|limit)|instead of|up from|down from"
    r"|changed from|rather than|originally|until (?:v(?:ersion)?\.? ?)?\d)\b",
    re.IGNORECASE,
)
_ENDED = re.compile(r"(?:prior to|before|until) v?\d[\d.]*,? (?:and|but|while)\b", re.IGNORECASE)
"""What says of something else that it is past: `those found prior to 2021, and within two weeks`."""
_OPENS = re.compile(  # what a sentence opens with governs all of it
    r"\s*(?:previously|formerly|originally|prior to|in the past|before (?:v(?:ersion)?\.? ?)?\d"
    r"|until (?:v(?:ersion)?\.? ?)?\d)\b",
    re.IGNORECASE,
)
_RELEASE = (  # `version 5`, `Linux kernels 2.6`, `Gander 2.2`, but no date and no amount
    r"(?:(?i:(?:the )?(?:[A-Za-z][\w+-]*\s){0,2}(?:versions?|releases?|kernels?)\s|v)\d+(?:\.\d+)*"
    r"|(?:[A-Z][\w+-]*\s){1,2}\d+\.\d+(?:\.\d+)*(?![\w%]))"
)
_ANY_RELEASE = rf"(?:{_RELEASE}|\d+\.\d+(?:\.\d+)*(?![\w%]))"
_BEFORE_RELEASE = re.compile(
    rf"\W*(?i:(?:in )?(?:before|until|up until|prior to|earlier than))\s{_ANY_RELEASE}"
    rf"|\W*(?i:up to|through)\s{_RELEASE}"
)
_CLOSED = re.compile(
    rf"\W*(?i:from|between|in)\s{_RELEASE}\s?(?i:to|until|up to|through|and|–|-)\s?{_ANY_RELEASE}"
)
_IN_RELEASE = re.compile(
    rf"\W*(?i:in|with|under)\s{_RELEASE}(?i:(?: and (?:earlier|older|before))?[,:]?\s.*\b(?:was|were|had)\b)"
)
_SINCE = re.compile(r"\b(?:since|as of|now|nowadays|currently|starting|from then|later)\b", re.IGNORECASE)
_VALUE_BEFORE = re.compile(  # `(8192 in kernels before 2.6)`, `180 (before Gander 3.7)`
    rf"\s(?:\((?i:in (?:\w+ ){{1,2}})?(?i:before|prior to|until|up until)\s{_ANY_RELEASE}\)"
    rf"|(?i:in (?:\w+ ){{1,2}})?(?i:before|prior to|until|up until)\s{_ANY_RELEASE}(?=[),.;]?(?:\s|$)))"
)
_ASIDE_WAS = re.compile(r"\((?:it |this )?(?:was|were)\s[^()]*$", re.IGNORECASE)  # 2 GB (was 1 GB)
_CLAUSE_END = re.compile(r"[.;](?=\s)|\n")
_WAS = re.compile(r"\b(?:was|were)\b")
_UNTIL = re.compile(r"(?:\s\w+)?\suntil\b")
_SENTENCE = 240  # characters before a value in which its sentence may open
_INTENDED = re.compile(
    r"\b(?:planned (?:for|to)|plans? to|upcoming|in (?:a |the )?future|from next|to be (?:raised|lowered)"
    r"|will be (?:raised|lowered|increased|reduced|changed|cut|upgraded))\b",
    re.IGNORECASE,
)
_LIFTED = re.compile(
    r"\b(?:limit|cap|quota|ceiling|restriction|maximum|minimum|price|fee|offer|allowance|discount)\b[^.;\n]{0,80}"
    r"\b(?:has|have|was|were)\s(?:since\s|now\s)?(?:been\s)?"
    r"(?:lifted|removed|withdrawn|abolished|dropped|discontinued|retired|cancelled|scrapped|repealed)\b"
    r"|\bno longer (?:appl(?:y|ies)|in force|offered|available|valid)\b",
    re.IGNORECASE,
)


_HINTS = (
    "before", "until", "up to", "through", "prior to", "previous", "former", "origin", "earlier", "older",
    "old ", "in the past", "used to be", "no longer", "instead of", "up from", "down from", "changed from",
    "rather than", "was", "were", "had", "has", "have", "planned", "plan to", "plans to", "upcoming",
    "future", "from next", "to be ", "will be", "starting",
)  # fmt: skip
"""Letters of which a text has some where a value is past, planned or withdrawn, a range of releases aside."""


def may_be_past(text: str) -> bool:
    """Whether a text has a word by which a value may be past, planned or withdrawn, as few texts have."""
    if not text.isascii():  # where letters in several forms match
        return True
    low = text.lower()
    return any(map(low.__contains__, _HINTS))


def of_past_range(text: str, start: int) -> bool:
    """Whether the sentence of a value at `start` opens with a range of releases, where no other word is."""
    before = text[max(0, start - _SENTENCE) : start]
    cut = _last_end(before)
    if cut < 0 and start > _SENTENCE:
        return False
    words = before[cut + 1 :]
    return _is_over(_CLOSED.match(words), words)


def lapsed(text: str, start: int, end: int) -> bool:
    """Whether the sentence of `text[start:end]` says that it is past, planned or withdrawn."""
    before = text[max(0, start - _WINDOW) : start]
    cut = _last_end(before)
    before = before[cut + 1 :]
    if cut < 0:
        longer = text[max(0, start - _SENTENCE) : start]
        cut = _last_end(longer)
        if (cut >= 0 or start <= _SENTENCE) and (
            _OPENS.match(longer[cut + 1 :]) or past_releases(longer[cut + 1 :])
        ):
            return True
    elif past_releases(before):
        return True
    if _VALUE_BEFORE.match(text, end) or _ASIDE_WAS.search(before):
        return True
    if any(not _ENDED.match(before, m.start()) for m in _PAST.finditer(before)) or _INTENDED.search(before):
        return True
    after = _CLAUSE_END.split(text[end : end + 2 * _WINDOW], maxsplit=1)[0]
    if _UNTIL.match(after) and _WAS.search(before):
        return True
    whole = before + text[start:end] + after
    return any(m.end() > len(before) + end - start for m in _LIFTED.finditer(whole))


def _last_end(before: str) -> int:
    """Where the last sentence or clause ends before a value; -1 where none does."""
    return max(before.rfind(". "), before.rfind("; "), before.rfind("\n"))


def past_releases(words: str) -> bool:
    """Whether a sentence or label opens with releases that have ended: `Before Gander 3.7`.

    What follows in it is past, but for what it says of later ones.
    """
    match = _BEFORE_RELEASE.match(words) or _CLOSED.match(words) or _IN_RELEASE.match(words)
    return _is_over(match, words)


def _is_over(match: re.Match[str] | None, words: str) -> bool:
    return match is not None and not _SINCE.search(words, match.end())
