"""Which values on a page stand: not past, planned, withdrawn, restricted, or said by another voice."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from kb.claims.claim import Claim
from kb.judging import thresholds as t
from kb.judging.aside import is_reference
from kb.judging.candidate import Anchor, Candidate
from kb.judging.claimed import claimed_quantity
from kb.judging.ends import HIGH, LOW, asked_ends
from kb.judging.fit import Answer
from kb.judging.lapsed import lapsed
from kb.judging.mention import Mention
from kb.judging.reading import PageReading

_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_MARK = re.compile(
    r"[.,;)]?\s?(?:(?P<raised>[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,2})|(?P<sign>\*{1,3}|[†‡§]{1,2})(?![\w*])|\[\^?(?P<key>\w{1,3})\])"
)
_NOTE = re.compile(
    r"\s*(?:(?P<raised>[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,2})|(?P<sign>\*{1,3}|[†‡§]{1,2})|\[\^?(?P<key>\w{1,3})\]|\(?(?P<plain>\d{1,2})[.):])"
    r":?\s*(?=\S)"
)
_WITHDRAWS = re.compile(
    r"\b(?:no longer|withdrawn|discontinued|retired|abolished|cancelled|suspended|expired|superseded|obsolete"
    r"|ended on|lifted)\b",
    re.IGNORECASE,
)
_RESTRICTS = re.compile(
    r"\b(?:only|except|limited to|restricted to|subject to|provided that|unless|does not apply|do not apply"
    r"|not (?:available|applicable|valid|guaranteed|supported)|under (?:\w+ ){0,2}conditions)\b",
    re.IGNORECASE,
)
_NOTES_LONG = 400  # characters of a footnote; a longer block that begins with a number is a section

_VOICES = ("comment", "changelog")
_ITSELF = re.compile(
    r"\b(?:change ?log|changes?|release notes?|history|comments?|reviews?|repl(?:y|ies)|post)\b",
    re.IGNORECASE,
)


def standing(
    reading: PageReading,
    base: PageReading | None,
    claim: Claim,
    candidates: Sequence[Candidate],
    anchor: Anchor | None,
) -> list[Candidate]:
    """The candidates that may be the page's present statement (design, section 9, readings 8 and 12).

    Other voices, past, planned and withdrawn values are left out, and ends of ranges that the claim does
    not ask for; our value under a footnote that restricts it, which the earlier page had not, answers
    `RESTRICTED`.
    """
    words = f"{claim.subject} {claim.attribute} {claim.where or ''} {claim.quote or ''}"
    voices = _other_voices(reading, base, words, anchor)
    if claim.kind == "date":  # when a thing was done is what a change log tells
        voices -= {"changelog"}
    was = anchor is not None and base is not None and base.lapsed(anchor.mention)
    aside = was or lapsed(words, len(words), len(words)) or bool(_WITHDRAWS.search(words))
    least = candidates[0].total - t.NO_RIVAL if candidates else 0.0
    ends = _ends(claim, reading.lang, anchor)
    out = []
    for c in candidates:
        if c.mention.end_of_range and c.mention.end_of_range not in ends:
            continue
        if reading.blocks[c.mention.block].role in voices:
            continue
        if c.total >= least:
            if not c.fit.answer.holds and _is_year(reading, c.mention):
                continue
            if is_reference(reading.blocks[c.mention.block].text, c.mention):
                continue
            if not aside and reading.lapsed(c.mention):
                continue
            note = footnote(reading, c.mention) if c.fit.answer.holds else ""
            if note and not aside and _WITHDRAWS.search(note):
                continue
            if note and _RESTRICTS.search(note) and (base is None or note not in base.text):
                c = replace(c, fit=replace(c.fit, answer=Answer.RESTRICTED))
        out.append(c)
    return out


def _ends(claim: Claim, lang: str | None, anchor: Anchor | None) -> frozenset[str]:
    """The ends of ranges that may answer: those that its words ask for, or any if it was taken from one."""
    if anchor is not None and anchor.mention.end_of_range:
        return frozenset({LOW, HIGH})
    quantity = claimed_quantity(claim, lang)
    return asked_ends(claim, quantity.bound if quantity is not None else "exact")


_YEAR = re.compile(r"(?:19|20)\d\d")
_IN_YEAR = re.compile(r"\b(?:until|since|in|from|by|of)\s$", re.IGNORECASE)


def _is_year(reading: PageReading, mention: Mention) -> bool:
    """Whether a bare number is the year of `until 2025`."""
    if not _YEAR.fullmatch(mention.text):
        return False
    return bool(_IN_YEAR.search(reading.blocks[mention.block].text[: mention.start][-12:]))


def _other_voices(
    reading: PageReading, base: PageReading | None, words: str, anchor: Anchor | None
) -> frozenset[str]:
    """The roles of blocks that cannot speak for the page, unless the claim is about such a line itself."""
    if _ITSELF.search(words):
        return frozenset()
    out = set(_VOICES)
    if anchor is not None and base is not None:
        out -= {base.blocks[s.mention.block].role for s in anchor.spots}
    for role in _VOICES:  # a page of release notes has no other voice
        if role in out and 2 * reading.share(role) > 1:
            out.discard(role)
    return frozenset(out)


def footnote(reading: PageReading, mention: Mention) -> str:
    """The text of the footnote whose mark stands behind a value, without its mark; "" where there is none."""
    text = reading.blocks[mention.block].text
    match = _MARK.match(text, mention.end) or _MARK.search(mention.text[1:])
    if match is None:
        return ""
    mark = _key(match)
    count = len(reading.blocks)
    for index in (*range(mention.block + 1, count), *range(mention.block)):
        other = reading.blocks[index].text
        if len(other) > _NOTES_LONG:
            continue
        found = _NOTE.match(other)
        if found is not None and _key(found) == mark:
            return str(other[found.end() :])
    return ""


def _key(match: re.Match[str]) -> str:
    return "".join(value or "" for value in match.groups()).translate(_RAISED)
