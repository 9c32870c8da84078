"""A name that stands with another for one value: `T3/T4`, `Tuesdays or Wednesdays`, `MIT OR ISC`."""

from __future__ import annotations

import re
from dataclasses import replace

from kb.claims.claim import Claim
from kb.judging.candidate import Anchor, Candidate
from kb.judging.ends import asked_ends
from kb.judging.fit import KIN_SAME, Answer, Fit
from kb.judging.mention import Mention
from kb.judging.reading import PageReading

_NAME = re.compile(r"(?=.*[A-Z\d])\w+(?:\.\w+)*")
_WORD = r"\w+(?:\.\w+)*"
_AFTER = re.compile(rf"(?P<joint>\s?/\s?|\sor\s|\s?[-–]\s?|\s(?:to|through)\s)(?P<other>{_WORD})(?![\w/-])")
_BEFORE = re.compile(
    rf"(?<![\w./-])(?P<other>{_WORD})(?P<joint>\s?/\s?|\sor\s|\s?[-–]\s?|\s(?:to|through)\s)$"
)
_LICENCE = re.compile(r"[A-Z]\w*(?:[-\s]v?\d+(?:\.\d+)*)?(?:-only|-or-later)?")
_EXPRESSION = re.compile(r"(?:\s(?:WITH|AND|OR)\s[A-Za-z][\w+-]*(?:\.[\w+-]+)*)+")
"""How an expression of SPDX goes on: Apache-2.0 WITH LLVM-exception, MIT OR Apache-2.0."""
_FAR = 40  # characters in which a name stands before ours


def with_alternatives(
    reading: PageReading,
    base: PageReading | None,
    claim: Claim,
    candidates: list[Candidate],
    anchor: Anchor | None,
) -> list[Candidate]:
    """The candidates, where a claimed name that stands as one of two is another value: both together.

    Not where it stood so before, nor where the claim asks for one end of a range.
    """
    value = claim.value.removesuffix("+") if isinstance(claim.value, str) else ""
    licence = "licen" in claim.attribute.casefold()
    named = (_LICENCE if licence else _NAME).fullmatch(value)
    whole = _licensed if licence else _whole
    if claim.kind != "text" or not named or asked_ends(claim, "exact"):
        return candidates
    if base is not None and anchor is not None and whole(base, anchor.mention, value) is not None:
        return candidates
    out = []
    for c in candidates:
        both = whole(reading, c.mention, value) if c.fit.answer.holds else None
        out.append(c if both is None else replace(c, mention=both, fit=Fit(Answer.OTHER, KIN_SAME)))
    return out


def _licensed(reading: PageReading, mention: Mention, value: str) -> Mention | None:
    """The whole expression that a licence begins."""
    text = reading.blocks[mention.block].text
    match = _EXPRESSION.match(text, mention.end)
    if match is None:
        return _whole(reading, mention, value) if _NAME.fullmatch(value) else None
    return replace(mention, end=match.end(), text=text[mention.start : match.end()])


def _whole(reading: PageReading, mention: Mention, value: str) -> Mention | None:
    """Both names, where one of the same form is joined to the one that is mentioned."""
    text = reading.blocks[mention.block].text
    at = text.find(value, mention.start, mention.end)  # the mention may be both
    start, end = (at, at + len(value)) if at >= 0 else (mention.start, mention.end)
    if match := _AFTER.match(text, end):
        end = match.end()
    elif match := _BEFORE.search(text, max(0, start - _FAR), start):
        start = match.start()
    if match is None or not _alike(value, match["other"], match["joint"].strip()):
        return None
    return replace(mention, start=start, end=end, text=text[start:end])


def _alike(ours: str, theirs: str, joint: str) -> bool:
    """Whether two names are of one form, and no two others that a dash or "to" joins."""
    if ours == theirs or _form(ours) != _form(theirs):
        return False
    return joint in ("/", "or") or ours[:1].isdigit()


def _form(name: str) -> list[str]:
    """What a name is made of: a capital and letters, a letter and digits, numbers with points."""
    return [re.sub(r"[a-z]+", "a", re.sub(r"[A-Z]", "A", re.sub(r"\d+", "9", p))) for p in name.split(".")]
