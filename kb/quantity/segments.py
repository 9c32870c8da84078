"""A text in the pieces that are read alone: sentences and cells in which a number stands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from kb.quantity.lexicon import number_words
from kb.quantity.numerals import language

LONGEST = 1200
"""Characters in the longest piece: longer ones are cut at a space, or anywhere where none stands."""

_DIGIT = re.compile(r"[\d½¼¾⅓⅔⅛]")
_BREAK = re.compile(
    r"\n[ \t]*\n|\n(?=[ \t]*(?:[-*+#>]|\d{1,3}[.)])[ \t])|(?<=[a-z\d)][a-z)][.!?])\s+(?=[A-ZÄÖÜ])"
)
_ABBREVIATED = re.compile(
    r"\b(?:approx|incl|excl|est|resp|bzw|inkl|zzgl|mind|max|min|vgl|etc|mtl|env|Mio|Mrd|Tsd|Std|Min|Sek|Stk|rs|no|nos|fig"
    r"|tab|sec|vol)\.$"
)
_APART = str.maketrans(dict.fromkeys(map(ord, "\n\t-–—/()[]{}<>.,;:!?\"'“”„«»|+*=~&"), " "))
_APART_LOW = _APART | {ord(c): c.lower() for c in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}
_FOLD = re.compile(r"(?i)(?:o|e|ve|ee|ur|ix|en|ht|dred|sand)fold\b")
_GERMAN = re.compile(
    r"(?i)zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|zwanzig|ßig|hundert|tausend|halb|mal\b|fach"
)
_ONE = re.compile(
    r"ne (?:year|month|week|(?:business |working )?day|hour|minute|second|(?:kilo|mega|giga|tera)?byte"
    r"|[kKMGT]i?B)\b"
)
"""What stands behind the first letter of `one year`: a pattern that begins with letters is found fast."""


@cache
def _words(lang: str | None) -> frozenset[str]:
    """The words with which a number may start, without those that say one."""
    found = {w for w, (kind, v) in number_words(lang).items() if not (kind == "digit" and v == 1)}
    return frozenset(found | {"twice", "thrice", "doppelt", "fortnight", "quatre", "soixante"})


def candidates(text: str, lang: str | None) -> bool:
    """Whether any number may stand in the text."""
    return _DIGIT.search(text) is not None or _worded(text, language(lang))


def _worded(text: str, lang: str | None) -> bool:
    """Whether a word that may start a number stands in the text."""
    low = text.translate(_APART_LOW) if text.isascii() else text.lower().translate(_APART)
    if not _words(lang).isdisjoint(low.split()):
        return True
    if "fold" in text and _FOLD.search(text):
        return True
    if "one " in low and any(text[m.start() - 1] in "oO" for m in _ONE.finditer(text)):
        return True
    return "one-" in text or "One-" in text or (lang == "de" and _GERMAN.search(text) is not None)


def segments(text: str, lang: str | None) -> Iterator[tuple[int, int]]:
    """Sentences with a number in them, as begin and stop."""
    short = language(lang)
    digit = _DIGIT.search
    begin, size = 0, len(text)
    while begin < size:
        stop = text.find("\n\n", begin + PARAGRAPH)
        stop = size if stop < 0 else stop
        if _worded(text[begin:stop], short):
            for a, b in _pieces(text, begin, stop):
                if digit(text, a, b) or _worded(text[a:b], short):
                    yield a, b
        else:
            yield from _around_digits(text, begin, stop)
        begin = stop


PARAGRAPH = 600
"""Characters in the shortest run of paragraphs that is looked through at once."""


def _around_digits(text: str, begin: int, stop: int) -> Iterator[tuple[int, int]]:
    """Sentences with a digit in them, without a look at the others."""
    pos = begin
    while True:
        found = _DIGIT.search(text, pos, stop)
        if found is None:
            return
        start = _sentence_start(text, pos, found.start())
        end = stop
        for m in _BREAK.finditer(text, found.end(), stop):
            if _breaks(text, start, m):
                end = m.start()
                break
        yield from _short(text, start, end)
        pos = max(end, found.end())


def _sentence_start(text: str, low: int, at: int) -> int:
    """Where the sentence that holds position `at` begins, not before `low`."""
    end = at
    for _ in range(8):
        mark = max(text.rfind(". ", low, end), text.rfind("\n", low, end), text.rfind("! ", low, end))
        if mark < 0:
            return low
        m = _BREAK.match(text, mark if text[mark] == "\n" else mark + 1)
        if m and m.end() <= at and _breaks(text, low, m):
            return m.end()
        end = mark
    return max(low, at - LONGEST // 2)


def _breaks(text: str, begin: int, m: re.Match[str]) -> bool:
    """Whether a sentence ends there, and no abbreviation."""
    stop = m.start()
    if "\n" in m[0] or text[stop - 1] != ".":
        return True
    return _ABBREVIATED.search(text, max(begin, stop - 12), stop) is None


def _pieces(text: str, begin: int, size: int) -> Iterator[tuple[int, int]]:
    for m in _BREAK.finditer(text, begin, size):
        if not _breaks(text, begin, m):
            continue
        stop = m.start()
        if stop - begin > LONGEST:
            yield from _short(text, begin, stop)
        elif stop > begin:
            yield begin, stop
        begin = m.end()
    yield from _short(text, begin, size)


def _short(text: str, begin: int, stop: int) -> Iterator[tuple[int, int]]:
    while stop - begin > LONGEST:
        cut = text.rfind(" ", begin + LONGEST // 2, begin + LONGEST)
        cut = begin + LONGEST if cut < 0 else cut
        yield begin, cut
        begin = cut
    if stop > begin:
        yield begin, stop


def lines(text: str) -> Iterator[tuple[int, int, bool]]:
    """Runs of lines: begin, stop, and whether it is one line of a table (with bars between cells)."""
    begin = pos = 0
    size = len(text)
    while pos < size:
        stop = text.find("\n", pos)
        stop = size if stop < 0 else stop
        if text.find("|", pos, stop) >= 0:
            if pos > begin:
                yield begin, pos, False
            yield pos, stop, True
            begin = stop + 1
        pos = stop + 1
    if begin < size:
        yield begin, size, False
