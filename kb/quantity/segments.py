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
_GERMAN = re.compile(r"(?i)zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|zwanzig|ßig|hundert|tausend")


@cache
def _words(lang: str | None) -> frozenset[str]:
    """The words with which a number may start, without those that say one."""
    found = {w for w, (kind, v) in number_words(lang).items() if not (kind == "digit" and v == 1)}
    return frozenset(found | {"twice", "thrice", "doppelt", "fortnight", "quatre", "soixante", "one"})


def candidates(text: str, lang: str | None) -> bool:
    """Whether any number may stand in the text."""
    return _DIGIT.search(text) is not None or _worded(text, language(lang))


def _worded(text: str, lang: str | None) -> bool:
    """Whether a word that may start a number stands in the text."""
    if not _words(lang).isdisjoint(text.lower().translate(_APART).split()):
        return True
    return lang == "de" and _GERMAN.search(text) is not None


def segments(text: str, lang: str | None) -> Iterator[tuple[int, int]]:
    """Sentences with a number in them, as begin and stop."""
    short = language(lang)
    words = _worded(text, short)
    digit = _DIGIT.search
    for begin, stop in _pieces(text):
        if digit(text, begin, stop) or (words and _worded(text[begin:stop], short)):
            yield begin, stop


def _pieces(text: str) -> Iterator[tuple[int, int]]:
    begin = 0
    for m in _BREAK.finditer(text):
        stop = m.start()
        if (
            text[stop - 1] == "."
            and "\n" not in m[0]
            and _ABBREVIATED.search(text, max(begin, stop - 12), stop)
        ):
            continue
        if stop - begin > LONGEST:
            yield from _short(text, begin, stop)
        elif stop > begin:
            yield begin, stop
        begin = m.end()
    yield from _short(text, begin, len(text))


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
