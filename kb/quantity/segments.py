"""A text in the pieces that are read alone: sentences and cells in which a number stands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from kb.quantity.lexicon import number_words
from kb.quantity.numerals import language

LONGEST = 1200
"""Characters in the longest piece: longer ones are cut at a space, or anywhere where none stands."""

_NEVER_ALONE = frozenset({"a", "an"})
_BREAK = re.compile(
    r"\n[ \t]*\n|\n(?=[ \t]*(?:[-*+|#>]|\d{1,3}[.)])[ \t])|(?<=[a-z\d)][a-z)][.!?])\s+(?=[A-ZÄÖÜ])|\|"
)
_ABBREVIATED = re.compile(
    r"\b(?:approx|incl|excl|est|resp|bzw|inkl|zzgl|mind|max|min|vgl|etc|mtl|env|Mio|Mrd|Tsd|Std|Min|Sek|Stk|rs|no|nos|fig|tab|sec|vol)\.$"
)


@cache
def _start(lang: str | None) -> re.Pattern[str]:
    """Where a number may start: a digit, or a word that counts."""
    words = {w for w, (kind, v) in number_words(lang).items() if not (kind == "digit" and v == 1)}
    words |= {"twice", "thrice", "doppelt"}
    plain = sorted(
        (re.escape(w) for w in words if len(w) > 2 and w not in _NEVER_ALONE), key=len, reverse=True
    )
    more = "|zwei|drei|hundert|tausend" if lang == "de" else ""
    return re.compile(rf"[\d½¼¾⅓⅔⅛]|\b(?:{'|'.join(plain)}{more})", re.IGNORECASE)


def candidates(text: str, lang: str | None) -> bool:
    """Whether any number may stand in the text."""
    return _start(language(lang)).search(text) is not None


def segments(text: str, lang: str | None) -> Iterator[tuple[int, int, int, str | None]]:
    """Pieces with a number in them: begin, stop, and in a row with bars the cell's index and the row's first cell."""
    search = _start(language(lang)).search
    pos, line_end, cell, label = 0, -1, 0, ""
    rows = "|" in text
    for begin, stop in _pieces(text):
        if rows:
            if begin > line_end:
                line_end = text.find("\n", begin)
                line_end = len(text) if line_end < 0 else line_end
                is_row = (
                    text.count("|", pos if pos > begin else begin - 1 if begin else 0, line_end) >= 2
                    or "|" in text[begin:line_end]
                )
                cell, label = 0, ""
                if not is_row:
                    line_end = -1
            elif text[begin - 1 : begin] == "|":
                cell += 1
            if not text[begin:stop].strip():
                if cell == 0 and begin < line_end:
                    cell = -1
                continue
            if cell <= 0 and line_end >= 0 and not label:
                cell, label = 0, text[begin:stop].strip()[:120]
        if search(text, begin, stop):
            yield begin, stop, cell, (label if rows and line_end >= 0 else None)


def _pieces(text: str) -> Iterator[tuple[int, int]]:
    begin = 0
    for m in _BREAK.finditer(text):
        if (
            m[0].isspace()
            and "\n" not in m[0]
            and _ABBREVIATED.search(text, max(begin, m.start() - 12), m.start())
        ):
            continue
        yield from _short(text, begin, m.start())
        begin = m.end()
    yield from _short(text, begin, len(text))


def _short(text: str, begin: int, stop: int) -> Iterator[tuple[int, int]]:
    while stop - begin > LONGEST:
        cut = text.rfind(" ", begin + LONGEST // 2, begin + LONGEST)
        cut = begin + LONGEST if cut < 0 else cut
        yield begin, cut
        begin = cut
    if stop > begin or begin == 0:
        yield begin, stop
