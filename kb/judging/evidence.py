"""What a person checks: the words on the page, where they stand, and a link that opens there."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from urllib.parse import quote as percent

from kb.judging.reading import PageReading
from kb.judging.sentence import sentence_around
from kb.judging.verdict import Evidence, Selector

CONTEXT = 32  # characters of prefix and suffix that annotation tools use, more only where needed
CONTEXT_MOST = 512
FRAGMENT = 120  # a longer quote is named in a link by its first and last words


def evidence_at(reading: PageReading, block: int, start: int, end: int) -> Evidence:
    """Evidence for `blocks[block].text[start:end]`."""
    part = reading.blocks[block]
    first, last = sentence_around(part.text, start, end)
    quote = part.text[first:last]
    return Evidence(
        quote=quote,
        headings=part.headings,
        row=part.row,
        column=part.column,
        page=part.page,
        selector=_selector(reading, block, start, end),
        link=_link(reading, block, first, last),
    )


def _selector(reading: PageReading, block: int, start: int, end: int) -> Selector | None:
    """A selector that matches once in the page's visible text; None for what is not visible."""
    offset = reading.offset(block)
    if offset is None or start >= end:
        return None
    text = reading.text
    a, b = offset + start, offset + end
    exact = text[a:b]
    size = CONTEXT
    while True:
        before, after = max(0, a - size), min(len(text), b + size)
        whole = text[before:after]
        if size >= CONTEXT_MOST or (text.find(whole) == before and text.find(whole, before + 1) < 0):
            return Selector(exact, text[before:a], text[b:after])
        size *= 2


def _link(reading: PageReading, block: int, first: int, last: int) -> str | None:
    """The page's address with a text fragment for the quote; None where the page has no address."""
    url = reading.page.url
    if not url or "://" not in url:  # a saved page has a name, and no address
        return None
    offset = reading.offset(block)
    if offset is None:
        return url
    text = reading.text
    quote = text[offset + first : offset + last]
    if "\n" in quote:  # a fragment stays inside one block of the page
        quote = max(quote.split("\n"), key=len)
    term = _term(quote)
    if not term:
        return url
    if text.count(quote) > 1:
        before = text[max(0, offset + first - 60) : offset + first].strip().rpartition("\n")[2]
        after = text[offset + last : offset + last + 60].strip().partition("\n")[0]
        before, after = _words(before, last=True), _words(after, last=False)
        if before:
            term = f"{_encode(before)}-,{term}"
        if after:
            term = f"{term},-{_encode(after)}"
    bare, hash_, fragment = url.partition("#")
    return f"{bare}#{fragment if hash_ else ''}:~:text={term}"


def _term(quote: str) -> str:
    quote = " ".join(quote.split())
    if len(quote) <= FRAGMENT:
        return _encode(quote)
    words = quote.split(" ")
    return f"{_encode(' '.join(words[:5]))},{_encode(' '.join(words[-5:]))}"


def _words(text: str, *, last: bool) -> str:
    """Up to four whole words at one end."""
    words = text.split()
    return " ".join(words[-4:] if last else words[:4])


def _encode(text: str) -> str:
    """Percent-encoded, with the hyphen and comma that text fragments give a meaning of their own."""
    return percent(text, safe="").replace("-", "%2D")


def offsets(lengths: list[int]) -> list[int]:
    """Where each of several texts starts when they are joined by a line break."""
    out, at = [], 0
    for length in lengths:
        out.append(at)
        at += length + 1
    return out


def occurrences(places: list[int], low: int, high: int) -> int:
    """How many of the sorted `places` lie in `[low, high)`."""
    return bisect_left(places, high) - bisect_right(places, low - 1)
