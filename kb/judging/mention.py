"""Mentions: one quantity, date or token at one place on a page."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation

from kb.judging.ends import HIGH, LOW
from kb.page import Block
from kb.quantity import Date, Quantity, dates, quantities


@dataclass(frozen=True, slots=True)
class Mention:
    """One value at one place. `text` is `block.text[start:end]`, spelled as the page does.

    `end_of_range`: "low" or "high" for one end of a range that is a mention itself, else "".
    `prose`: it stands in running text, where a number that counts something says what.
    """

    block: int
    start: int
    end: int
    text: str
    quantity: Quantity | None = None
    date: Date | None = None
    end_of_range: str = ""
    prose: bool = False

    @property
    def textual(self) -> bool:
        """Whether it is a text: no quantity and no date."""
        return self.quantity is None and self.date is None

    def __hash__(self) -> int:
        """By its place: a number's own hash costs more than telling two values of one place apart."""
        return hash((self.block, self.start, self.end))


MAX_TEXT = 200_000  # characters of one block that are searched for values

_BARE = re.compile(
    r"(?<![\w.,:/#@&$€£¥^-])(?<!(?<![A-Za-z])\d[ '’])"
    r"(?:[-−+]?(?:\d{1,3}(?:[,'’\u00a0\u202f]\d{3})+|\d+)(?:\.\d+)?|(?<==)\.\d+)"  # --cache=.25
    r"(?![\w%‰°^]|[.,:/-]\d)"
)
_DEFAULT = re.compile(r"\bdefaults?(?: value)?(?:\s?[:=]| to| is|)\s?[`'\"]?$", re.IGNORECASE)
"""What makes a slot of running text: `(integer, default: 45)`, `Defaults to 45`."""

_NUMERIC = re.compile(r"\d")
_NUMBER_WORD = re.compile(
    r"\b(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen"
    r"|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million"
    r"|billion|half|third|quarter|fifth|tenth|dozen|twice|thrice|once|double|triple|[a-z]+fold)\b",
    re.IGNORECASE,
)

_IN_NAME = re.compile(r"[.:_][A-Za-z]|-[A-Za-z]{1,3}\d")  # the 3 of `3.Nbproc.1:CGS`

_TOLERANCE = re.compile(r"\d\s?(?:±|\+/-)\s?$")  # the 0.2 of `5 ± 0.2 ms` is no value by itself

SHAPES: dict[str, re.Pattern[str]] = {
    "hex": re.compile(r"(?<![\w])0[xX][0-9a-fA-F]+(?![\w])"),
    "clock": re.compile(
        r"(?<![\w:.])\d{1,2}(?::\d{2}(?:[:.]\d{2})?(?:\s?[ap]\.?m\.?)?|\.\d{2}\s?[ap]\.?m\.?)(?![\w:])",
        re.IGNORECASE,
    ),  # 0.33 is a number, 9.45 am is none
    "versions": re.compile(r"(?<![\w.])v?\d+(?:\.\d+)+\s?(?:-|–|to|through)\s?v?\d+(?:\.\d+)+(?![\w.])"),
    "times": re.compile(r"(?<![\w.])(?:[x×]\s?\d+(?:\.\d+)?|\d+(?:\.\d+)?\s?[x×])(?![\w])", re.IGNORECASE),
    "version": re.compile(r"(?<![\w.])v?\d+(?:\.\d+)*(?:\.[x*])?(?![a-zA-Z0-9_%]|\.\d)"),
    "fraction": re.compile(r"(?<![\w/.])\d+\s?/\s?\d+(?![\w/])"),
    "sized": re.compile(r"(?<![\w.])\d+(?:\.\d+)?\s?[KMGTP]i?[Bb]?(?![\w])"),
}
"""Spellings of values that are no quantities: an address, a time of day, a version."""

SPELLED = ("hex", "clock", "versions")
"""Shapes that go before any quantity that could be read into them."""


def shape_of(text: str) -> tuple[str, str] | None:
    """The shape of the value in a figure that is no quantity, and the value: `CUDA 12.3` is a version."""
    for shape, pattern in SHAPES.items():
        if match := next(_whole(pattern, text), None):
            return shape, match.group()
    return None


_GROUPED = re.compile(r"(?<![\w.,])\d{1,3}(?:[,'’\u00a0\u202f]\d{3})+(?!\d)")


def _whole(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """The matches that are no part of a number with separators: no 36 in `36,000`."""
    groups = [m.span() for m in _GROUPED.finditer(text)]
    for match in pattern.finditer(text):
        if not any(a < match.end() and match.start() < b for a, b in groups if not _holds(match, a, b)):
            yield match


def _holds(match: re.Match[str], start: int, end: int) -> bool:
    return match.start() <= start and end <= match.end()


_MEASURE = re.compile(
    r"\s?(?:[kKMGTPµmn]i?(?:B|b|bps|Hz|W|s|m)(?:/s)?|%|°|x|ms|seconds?|minutes?|hours?|days?|weeks?|months?|years?)(?!\w)"
)
"""What stands behind a number that is measured, and no version."""


_TIED = re.compile(r"(?<=[A-Za-z]-)\d+(?:-\d+)+(?![\w.])")
"""The steps of a version in a name, cuda-compat-12-4, of which none is a version by itself."""


def shape_mentions(block: Block, index: int, shape: str) -> tuple[Mention, ...]:
    """The tokens of a block that have this shape."""
    text = block.text[:MAX_TEXT]
    apart = [a.span() for a in _ADDRESS.finditer(text)] if shape == "version" and "://" in text else []
    if shape == "version" and "-" in text:
        apart += [m.span() for m in _TIED.finditer(text)]
    return tuple(
        Mention(index, m.start(), m.end(), m.group())
        for m in _whole(SHAPES[shape], text)
        if not (shape == "version" and _MEASURE.match(text, m.end()))
        if "." in m.group() or not _overlaps(m.start(), m.end(), apart)
    )


_ARGUMENT = re.compile(r"\$\d(?:\s\$)?")
"""What code calls its arguments, or the fields of a line: $1."""


def figure_mentions(block: Block, index: int, lang: str | None) -> tuple[Mention, ...]:
    """The quantities of a block, and the bare numbers that are parts of none."""
    text = block.text[:MAX_TEXT]
    if not (_NUMERIC.search(text) or _NUMBER_WORD.search(text) or _EVERY.search(text)):
        return _nothing(block, index)
    header = " / ".join(block.column) or None
    row = " / ".join(block.row) or None
    days = [(d.start, d.end) for d in dates(text, lang=lang) if len(d.value) > 4]  # 2048 may be no year
    seen = [
        Mention(index, q.start, q.end, text[q.start : q.end], quantity=q)
        for q in outermost(quantities(text, header=header, row=row, lang=lang, bare=True))
        if q.unit != "number" or not (_overlaps(q.start, q.end, days) or _IN_NAME.match(text, q.end))
    ]
    taken = [(m.start, m.end) for m in seen] + days
    for match in _BARE.finditer(text):
        if _overlaps(match.start(), match.end(), taken) or _IN_NAME.match(text, match.end()):
            continue
        quantity = _bare(match)
        if quantity is not None:
            seen.append(Mention(index, match.start(), match.end(), match.group(), quantity=quantity))
    if _REFERS.search(text):
        seen = [m for m in seen if not (_is_bare(m) and _REFERS.search(text, max(0, m.start - 12), m.start))]
    seen += [m for m in _turns(text, index) if not _overlaps(m.start, m.end, taken)]
    if parts := [match.span("number") for match in _PART.finditer(text)]:
        seen = [m for m in seen if not (_is_bare(m) and (m.start, m.end) in parts)]
    if block.kind == "code" and "$" in text:
        seen = [m for m in seen if not _ARGUMENT.fullmatch(m.text)]
    if "://" in text:  # what an address is made of states nothing
        addresses = [match.span() for match in _ADDRESS.finditer(text)]
        seen = [m for m in seen if not _overlaps(m.start, m.end, addresses)]
    if "[" in text:
        seen = [m for m in seen if not _MARK.fullmatch(text[max(0, m.start - 1) : m.end + 1])]
    if "±" in text or "+/-" in text:
        seen = [m for m in seen if not _TOLERANCE.search(text, max(0, m.start - 4), m.start)]
    if block.table is None and block.kind in ("paragraph", "item", "title", "heading"):
        seen = [
            m if _DEFAULT.search(text, max(0, m.start - 24), m.start) else replace(m, prose=True)
            for m in seen
        ]
    seen = [_with_period(m, text) for m in seen]
    seen += [end for m in seen for end in _ends(m)]
    return tuple(sorted(seen, key=lambda m: (m.start, m.end)))


_REFERS = re.compile(
    r"(?<![^\W_])(?:sections?|chapter|appendix|clause|article|paragraph|columns?|row|line|table|figure|fig\.|step"
    r"|footnote|example|RFC|§§?)\s?(?=[\d§]|$)",
    re.IGNORECASE,
)
"""What a number refers to a part of a text by: column 3, section 6.7."""


_PART = re.compile(
    r"^[ \t]*(?:(?:#+|//+|--|;+|%+|\*)[ \t]+)?\(?(?P<number>\d{1,2})[.)][ \t]+(?=[^\W\d_]{2})", re.MULTILINE
)
"""What a part of a text or a step of a script is numbered by: `2. Install`, `# 3) Align the output`."""


def _is_bare(mention: Mention) -> bool:
    return mention.quantity is not None and mention.quantity.unit == "number" and mention.quantity.per is None


_ADDRESS = re.compile(r"\w+://[^\s\"'<>)\]]+")
_EVERY = re.compile(
    r"\b(?:every|each|once an?|once per|once every) (second|minute|hour|day|week|month|year)\b", re.IGNORECASE
)


def _turns(text: str, index: int) -> list[Mention]:
    """The periods without a number in which something comes back: every hour is every 1 hour."""
    out = []
    for match in _EVERY.finditer(text):
        first, last = match.span()
        quantity = Quantity(Decimal(1), None, match[1].lower(), text=match.group(), start=first, end=last)
        out.append(Mention(index, first, last, match.group(), quantity=quantity))
    return out


_SLOTS = ("cell", "pair", "definition")
_NOTHING = re.compile(
    r"(?:none|nil|no (?!(?:limit|maximum|minimum|restriction|cap)s?\b)(?:[\w-]+ ?){1,4}|free(?: of charge)?"
    r"|keine?r?s?(?: [\w-]+){1,3}"
    r"|kostenlos|gratis|aucune? [\w-]+|gratuite?|ning[uú]n[oa]? [\w-]+)\.?\s*$",
    re.IGNORECASE,
)


def _nothing(block: Block, index: int) -> tuple[Mention, ...]:
    """The whole of a slot that says none in words: `None`, `Free`, `No free allowance`; but for no limit.

    A limit that was lifted is no value (design, section 9, reading 8).
    """
    text = block.text
    if block.kind not in _SLOTS or block.header or len(text) > LONGEST_NOTHING:
        return ()
    start = text.find(": ") + 2 if block.kind == "pair" and ": " in text else 0
    match = _NOTHING.match(text, start)
    if match is None:
        return ()
    words = match.group().rstrip(" .")
    end = start + len(words)
    quantity = Quantity(Decimal(0), None, "number", text=words, start=start, end=end)
    return (Mention(index, start, end, words, quantity=quantity),)


LONGEST_NOTHING = 60  # characters of a slot that says none in words


def outermost(found: Sequence[Quantity]) -> list[Quantity]:
    """Quantities that are no part of another: not the 10 minutes of `1000 requests per 10 minutes`."""
    return [
        q
        for q in found
        if not any(
            o is not q and o.start <= q.start and q.end <= o.end and len(o.text) > len(q.text) for o in found
        )
    ]


_PERIOD = re.compile(
    r"\s?(?:/|per|an?|every|each)\s?(?P<per>(?:\d+\s)?(?:second|minute|hour|day|week|month|year))s?\b"
    r"|/(?P<times>\d*)\s?(?P<short>s|secs?|min|mins|h|hrs?|d|mo|yr)\b",
    re.IGNORECASE,
)
_SHORT = {"s": "second", "m": "minute", "h": "hour", "d": "day", "mo": "month", "y": "year"}
_MARK = re.compile(r"\[\d{1,3}\]")  # a footnote's, or the place of one in a list


def _with_period(mention: Mention, text: str) -> Mention:
    """A bare number with the period that follows it: `30000 per second`."""
    q = mention.quantity
    if q is None or q.unit != "number" or q.per is not None:
        return mention
    match = _PERIOD.match(text, mention.end)
    if match is None:
        return mention
    per = match["per"].lower() if match["per"] else _named(match["times"], match["short"].lower())
    end = match.end()
    return replace(mention, end=end, text=text[mention.start : end], quantity=replace(q, per=per, end=end))


def _named(times: str, short: str) -> str:
    """A short period by its name: `3 hour` for the `3h` of 1,500/3h."""
    period = _SHORT.get(short) or _SHORT[short[0]]
    return period if times in ("", "1") else f"{times} {period}"


_TO = re.compile(
    r"\s?(?:\bup to\b|\bbis zu\b|-|–|—|~|〜|\.{2,3}|…"
    r"|\b(?:to|and|through|bis|und|à|et|hasta|y|a|e|tot|en)\b)\s?"
)


def _ends(mention: Mention) -> list[Mention]:
    """The two ends of a range, which a claim on the smallest or the largest speaks of."""
    q = mention.quantity
    if q is None or q.high is None:
        return []
    match = next((m for m in _TO.finditer(mention.text) if m.start() > 0), None)
    if match is None or match.end() >= len(mention.text):
        return []
    middle, rest = mention.start + match.start(), mention.start + match.end()
    low = replace(q, high=None, text=mention.text[: match.start()], end=middle)
    high = replace(q, value=q.high, high=None, text=mention.text[match.end() :], start=rest)
    return [
        Mention(mention.block, mention.start, middle, low.text, quantity=low, end_of_range=LOW),
        Mention(mention.block, rest, mention.end, high.text, quantity=high, end_of_range=HIGH),
    ]


def _overlaps(start: int, end: int, spans: Iterable[tuple[int, int]]) -> bool:
    return any(start < b and a < end for a, b in spans)


def _bare(match: re.Match[str]) -> Quantity | None:
    digits = re.sub(r"[,'’\u00a0\u202f]", "", match.group()).replace("−", "-")
    try:
        value = Decimal(digits)
    except InvalidOperation:
        return None
    return Quantity(value, None, "number", text=match.group(), start=match.start(), end=match.end())


def date_mentions(block: Block, index: int, lang: str | None) -> tuple[Mention, ...]:
    """The dates of a block."""
    text = block.text[:MAX_TEXT]
    return tuple(
        Mention(index, d.start, d.end, text[d.start : d.end], date=d) for d in dates(text, lang=lang)
    )


Finder = Callable[[int], Iterable[Mention]]
"""Gives the mentions of one kind in one block of a page, by the block's number."""
