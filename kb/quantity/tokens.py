"""A piece of text in tokens: numbers, names, words and signs, and what space stands before each."""

from __future__ import annotations

import re
from functools import cache
from operator import ne

from kb.quantity.plain import GROUP_SPACE
from kb.quantity.units import registry

NUMBER, NAME, WORD, CJK, SIGN = "n", "m", "w", "c", "p"

_CJK = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
_RAISED = "½¼¾⅓⅔⅛\u00b2\u00b3\u00b9\u2070-\u207b"
_L = rf"[^\W\d_{_CJK}{_RAISED}]"
_JOINERS = "sub|Sub|under|over|to|To|bis|or|and|by|x|ca|up|min|max"
"""Words that a hyphen may tie to a number without making a name of it: sub-5¢, 4-to-8."""

_GROUPED = {
    True: rf"(?:\d{{1,3}}(?:{GROUP_SPACE}\d{{3}}(?!\d))+|\d{{2,3}}(?:\ \d{{3}}(?!\d))+"
    r"|\d(?:\ \d{3}(?!\d)){2,}|\d(?:\ \d{3})(?=,\d\d(?!\d)))",
    False: rf"\d{{1,3}}(?:[\ {GROUP_SPACE}]\d{{3}}(?!\d))+",
}
"""Digits in groups by space: where commas group, "8 400G ports" are two numbers."""

_NUMBER = r"""
    GROUPED(?:[.,]\d{1,9}(?!\d))?(?![.,]?\d)
  | \d{1,3}(?:'\d{3}(?!\d))+(?:[.,]\d{1,9})?
  | \d+(?:[.,]\d+)*(?:[eE][+-]?\d{1,2}(?!\w))?
"""
_OCTET = r"(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)"
_SPECIAL = re.compile(
    rf"""
    \+\d{{1,3}}[\s./-]?(?:\(0\)\s?)?\d[\d\s()./-]{{6,16}}\d(?!\d)   # a telephone number
  | (?:https?://|www\.)[^\s<>"'()|]{{1,2000}}(?<![.,;:!?])
  | (?<![\d.]){_OCTET}(?:\.{_OCTET}){{3}}(?:/\d{{1,2}})?(?::\d{{1,5}})?(?![\w.]) # an IP address
  | (?<![\d.:])\d{{1,2}}:[0-5]\d(?::[0-5]\d(?:[.,]\d{{1,9}})?)?(?![\d:])(?:\s?[aApP]\.?[mM]\b)? # a clock time
  | (?<![\w.])\d{{1,2}}\s?(?:[aApP]\.?m\.?|AM|PM)(?!\w)
  | \b(?:[0-9a-fA-F]{{0,4}}:){{3,7}}[0-9a-fA-F]{{0,4}}(?:/\d{{1,3}})?(?![\w:])   # an IPv6 address
  | \b0x[0-9a-fA-F]+
    """,
    re.VERBOSE,
)
_TIMED = re.compile(r"\d:[0-5]\d|:[0-9a-fA-F]{0,4}:")
_DIALLED = re.compile(r"\+\d")
_ADDRESS_OR_HOUR = re.compile(r"\d(?:\.\d{1,3}\.\d|\s?[aApP]\.?[mM])")


def _may_be_special(text: str) -> bool:
    """A cheap look for what the pattern above needs."""
    if (":" in text and ("://" in text or _TIMED.search(text))) or ("+" in text and _DIALLED.search(text)):
        return True
    return "0x" in text or "www." in text or _ADDRESS_OR_HOUR.search(text) is not None


_KINDS = ("", WORD, NUMBER, WORD, NAME, WORD, CJK, SIGN)
"""Of the groups below, which are numbered from 1."""


@cache
def _pattern(by_comma: bool) -> re.Pattern[str]:
    # space behind a token goes with it, so that no alternative is tried at a blank
    codes = "|".join(sorted(s for s in registry().symbols if re.fullmatch(r"[A-Z]{3,4}|Rs|RM|Rp", s)))
    known = (
        w
        for w in (*registry().symbols, *["万", "亿", "萬", "億", "만", "억", "兆", "百万", "千"])
        if re.fullmatch(f"[{_CJK}]+", w)
    )
    cjk = "|".join(sorted(known, key=len, reverse=True))
    return re.compile(
        rf"""(?:
        (?P<w>[A-Za-z]++(?![\w'\-]) | (?<=\d)[x×](?=[A-Z]) | (?<=\d){_L}++(?='s\b)
            | {_L}++(?:'{_L}++)?(?![\d_]|-\d))
      | (?P<n>{_NUMBER.replace("GROUPED", _GROUPED[by_comma])})
      | (?P<w_tied>(?:{codes})(?=\d) | (?:{_JOINERS})(?=-\d)
            | (?<=\d)(?:[x×](?=\d)|X(?=\d\d)) | (?<=\d){_L}++)
      | (?P<m>(?<!\d){_L}++(?:[-_]{_L}++){{0,6}}+[-_]?\d(?:\w|[-.:](?=\w))*+)
      | (?P<w_bare>{_L}++)
      | (?P<c>(?<=[\d万亿億萬만억千\ +])(?:{cjk}) | [{_CJK}]++)
      | (?P<p>\+/-|<=|>=|=<|=>|->|~>|==|\.\.\.?|[^\s\w]|\w)
        )\s*+""",
        re.VERBOSE,
    )


_EDGE = 16
"""Empty tokens at the end: they answer for what lies outside, on either side, as -1 is the last of them."""


_NO_WORDS = ("",) * _EDGE
_APART = (1,) * _EDGE


class Tokens:
    """Tokens of a short text, as parallel lists: the form that the grammar reads fastest.

    Each list ends with empty tokens, so that a few steps outside the text, on
    either side, find an empty word and no kind.

    Attributes:
        text: what the offsets count in.
        size: how many tokens there are.
        kind: one of the letters above.
        word: as written.
        low: in lower case.
        start, end: offsets.
        gap: 0 where a token touches the one before it, 1 after spaces, 2 after a line's end.
        numbers: the language tag that its digits are read by, region and all; None where not known.
    """

    __slots__ = ("_find", "end", "gap", "kind", "low", "numbers", "size", "start", "text", "word")

    def __init__(
        self, text: str, taken: list[tuple[int, int]], *, by_comma: bool = False, numbers: str | None = None
    ) -> None:
        self.text, self.numbers = text, numbers
        self._find = _pattern(by_comma).finditer
        self.kind: list[str] = []
        self.start: list[int] = []
        self.end: list[int] = []
        if not taken and not _may_be_special(text):
            self._read(0, len(text))
        else:
            last = 0
            for begin, stop in _spans(text, taken):
                self._read(last, begin)
                self.kind.append(NAME)
                self.start.append(begin)
                self.end.append(stop)
                last = stop
            self._read(last, len(text))
        self._finish()

    def _read(self, begin: int, stop: int) -> None:
        found = [(m.lastindex or 0, *m.span(m.lastindex or 0)) for m in self._find(self.text, begin, stop)]
        if found:
            kinds, starts, ends = zip(*found, strict=True)
            self.kind += [_KINDS[n] for n in kinds]
            self.start += starts
            self.end += ends

    def _finish(self) -> None:
        text = self.text
        self.size = len(self.start)
        self.word = [text[a:b] for a, b in zip(self.start, self.end, strict=True)]
        self.low = list(map(str.lower, self.word))
        before = [0, *self.end]
        self.gap: list[int] = list(map(ne, before, self.start))  # True is 1
        if "\n" in text:
            for i in range(1, self.size):
                if self.gap[i] and "\n" in text[before[i] : self.start[i]]:
                    self.gap[i] = 2
        if self.gap:
            self.gap[0] = 1
        self.kind += _NO_WORDS
        self.word += _NO_WORDS
        self.low += _NO_WORDS
        self.gap += _APART
        self.start += [len(text)] * _EDGE
        self.end += [len(text)] * _EDGE


def token_words(text: str) -> list[tuple[str, bool]]:
    """The tokens of a unit's spelling, and whether space stands before each."""
    t = Tokens(text, [])
    return [(t.word[i], i > 0 and t.gap[i] > 0) for i in range(t.size)]


def _spans(text: str, taken: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Spans that are one name each: dates that were read before, telephone numbers, addresses, times."""
    spans = list(taken)
    if _may_be_special(text):
        spans += [m.span() for m in _SPECIAL.finditer(text) if not _ratio(text, m)]
    out: list[tuple[int, int]] = []
    for begin, stop in sorted(spans):
        if not out or begin >= out[-1][1]:
            out.append((begin, stop))
    return out


def _ratio(text: str, m: re.Match[str]) -> bool:
    """Whether what looks like a time of day is a ratio: "a ratio of 1:10"."""
    return ":" in m[0] and bool(re.search(r"(?i)\b(?:ratio|subscription|verhältnis|rapport)\b", text))
