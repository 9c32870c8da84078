"""Subject and attribute of a figure in an article's words: a first wording, for a person to put right."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kb.app.audit_words import sentence_at
from kb.judging.words import STOP
from kb.page import Block
from kb.quantity import dates, dimension_named, quantities

SHORT = 80
"""Characters of a cell that its row and column name; a longer one tells a story of its own."""

MOST = 6
"""Words of an attribute, and of a subject; more would match nothing on a page."""

_WORD = re.compile(r"[^\W_][\w.'’/+&-]*[^\W_]|[^\W_]")
_STOPS = re.compile(r"[.!?;:,()\[\]“”\"|]|\s[–—-]\s")
_LINKS = frozenset(["of", "for", "and", "the", "&"])
_COMMON = STOP | {
    *("after", "against", "all", "although", "around", "because", "before", "both", "but", "during", "few"),
    *("first", "further", "how", "however", "last", "less", "many", "more", "most", "much", "near", "next"),
    *("now", "off", "on", "once", "one", "other", "own", "several", "since", "so", "some", "such", "through"),
    *("too", "two", "under", "until", "upon", "very", "what", "where", "why", "without", "yet"),
    *("announced", "describes", "documents", "gives", "lists", "names", "puts", "reported", "reports"),
    *("said", "says", "shows", "stated", "states"),
}


def wording(block: Block, start: int, end: int, publisher: str) -> tuple[str, str]:
    """Subject and attribute of what stands from `start` to `end`; both may be empty.

    In a table they are the heads of row and column, the property being the one that is measured. In a
    sentence the subject is the nearest name before the figure, else after it, and not the publisher's
    where there is another; the attribute is made of the nearest other words.
    """
    if block.table is not None and len(block.text) <= SHORT and (block.row or block.column):
        row, column = _clipped(" ".join(block.row[-1:])), _clipped(" ".join(block.column[-1:]))
        # A property that names what is measured is no subject: such a table has its subjects across.
        across = dimension_named(row) is not None and column and dimension_named(column) is None
        return (column, row) if across else (row, column)
    low, high = sentence_at(block.text, start)
    names = list(_names(block.text[low:high], start - low, end - low))
    at = start - low
    by = _words(publisher)
    ranked = sorted(
        names,
        key=lambda n: (_words(_bare(n[2])) <= by, n[0] > at, abs(n[0] - at)),
    )
    subject = _bare(ranked[0][2]) if ranked else ""
    taken = [(ranked[0][0], ranked[0][1])] if ranked else []
    return _clipped(subject), _attribute(block.text[low:high], at, end - low, taken)


def _words(text: str) -> set[str]:
    return set(re.findall(r"[^\W_]+", text.casefold()))


def _names(text: str, start: int, end: int) -> Iterator[tuple[int, int, str]]:
    """Names in a sentence: words that begin large or have digits in them, one after the other."""
    run: list[re.Match[str]] = []
    numbers = [(q.start, q.end) for q in quantities(text)] + [(d.start, d.end) for d in dates(text)]
    numbers.append((start, end))
    for word in [*_WORD.finditer(text), None]:
        if word is not None and _is_name(word, text, numbers, bool(run)):
            if run and text[run[-1].end() : word.start()].strip():
                yield from _run(run, text)
                run = []
            run.append(word)
            continue
        yield from _run(run, text)
        run = []


def _run(run: list[re.Match[str]], text: str) -> Iterator[tuple[int, int, str]]:
    while run and run[-1][0] in _LINKS:
        run.pop()
    if run:
        yield run[0].start(), run[-1].end(), text[run[0].start() : run[-1].end()]


def _is_name(word: re.Match[str], text: str, numbers: list[tuple[int, int]], inside: bool) -> bool:
    if any(a < word.end() and word.start() < b for a, b in numbers):
        return False
    said = word[0]
    if said in _LINKS:
        return inside and said == "of"
    if said.casefold() in _COMMON:
        return False
    if said.startswith("per-") or _is_unit(said):
        return False
    mixed = any(c.isdigit() for c in said) and any(c.isalpha() for c in said)
    if not (said[0].isupper() or mixed or any(c.isupper() for c in said[1:])):
        return False
    first = not text[: word.start()].strip(' “"(')
    return not (first and said[1:].islower() and not inside and _next_is_small(text, word.end()))


def _is_unit(word: str) -> bool:
    return any(q.text.endswith(word) and not q.unit.startswith("count") for q in quantities(f"1 {word}"))


def _next_is_small(text: str, end: int) -> bool:
    """Whether the word after this one begins small: then a sentence's first word is large for that alone."""
    following = _WORD.search(text, end)
    return following is None or following[0][0].islower()


def _bare(name: str) -> str:
    """A name without the genitive, and without what it belongs to: `ND H100` of "Azure's ND H100"."""
    return re.sub(r"^\S+['’]s\s+(?=\S)|['’]s$", "", name)


def _attribute(text: str, start: int, end: int, taken: list[tuple[int, int]]) -> str:
    """The nearest words of the same part of the sentence that are no name of the subject and no number."""
    low = max((m.end() for m in _STOPS.finditer(text, 0, start)), default=0)
    stop = _STOPS.search(text, end)
    high = stop.start() if stop else len(text)
    skip = [*taken, (start, end)]
    skip += [(q.start, q.end) for q in quantities(text)] + [(d.start, d.end) for d in dates(text)]
    words = [
        w
        for w in _WORD.finditer(text, low, high)
        if w[0].casefold() not in _COMMON and not any(a < w.end() and w.start() < b for a, b in skip)
    ]
    nearest = sorted(words, key=lambda w: max(start - w.end(), w.start() - end))[:MOST]
    return " ".join(_bare(w[0]) for w in sorted(nearest, key=lambda w: w.start()))


def _clipped(text: str) -> str:
    return " ".join(text.split()[: 2 * MOST])
