"""What the words of an absence ask for: a dimension, the noun that is counted, and the words of the thing."""

from __future__ import annotations

import re

from kb.judging.words import keys
from kb.quantity import dimension_named, quantities, unit_dimension

_NUMBER_OF = re.compile(
    r"\b(?:(?:number|count)s? of|how many) (?:the )?(.+?)"
    r"(?:\s(?:per|in|of|for|on|a|each|ahead|can|may)\s.*)?$",
    re.IGNORECASE,
)
_IN_UNITS = re.compile(r"\b[Ii]n ([a-z]+s)$")
_LIMIT_ON = re.compile(
    r"^(?:an? )?(?:(?:maximum|upper|daily|total) )?limit (?:on|to) (?:the )?((?:[\w-]+ )*[^\W\d_]+[^\Ws]s)"
    r"(?:\s(?:per|in|of|for|on|a|each|ahead|can|may|that)\s.*)?$",
    re.IGNORECASE,
)
"""A limit on things is how many there may be."""
_PIECE = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
GENERIC = keys(
    "number count total size amount limit maximum minimum upper lower default value rate length longest "
    "period time threshold of how many long until since before after s"
)
"""Words that say how a figure is meant, and not of what it is."""
MULTIPLE = "multiple"
_TIMES = re.compile(r"\b(?:speed-?ups?|multipliers?|relative to)\b", re.IGNORECASE)
"""What asks for how many times something is of another: `3 times faster`, `5X`."""
_JOINED = re.compile(r"\d|_")
_OF_WHAT = re.compile(r"\s(?:of|within|until|before|after|by|for|which|that)\s")
_PLURALS = re.compile(r".*\b[^\W\d_]{2,}[^\Ws]s\b")
_AMOUNT = re.compile(r"\bamounts? of (?:the |an? )?([^\W\d_]+)", re.IGNORECASE)
_DATA = keys("data traffic transfer")
_PER = re.compile(r"\s(?:per|in|within|of|for|on|a|each)\s|/")
_SHORT = 3  # letters of a word that may be a unit by chance


def things(words: str) -> frozenset[str]:
    """The words of a thing; of an identifier in capitals within what it is made of: `handleSummary()`."""
    out: set[str] = set()
    for word in words.split():
        pieces = _PIECE.findall(word)
        made = len(pieces) > 1 and all(len(p) >= _SHORT for p in pieces) and not _JOINED.search(word)
        out |= {key for key in keys(" ".join(pieces) if made else word) if "-" not in key}
    return frozenset(out)


def kind_asked(words: str) -> tuple[str | None, str]:
    """The dimension that words ask for, and the noun that is counted: `number of seconds` is a time."""
    if _TIMES.search(words):
        return MULTIPLE, ""
    match = _NUMBER_OF.search(words) or _IN_UNITS.search(words) or _LIMIT_ON.search(words)
    if match is not None:
        unit = next((q.unit for q in quantities(f"2 {match[1]}")), "")
        if unit and not unit.startswith("count"):
            return unit_dimension(unit), match[1]
        return "count", _counted(match[1])
    if dimension := _dimension(words):
        return dimension, ""
    return _unit_named(words), ""


def _counted(words: str) -> str:
    """The noun that is counted, up to its last word in the plural: `items` of "items really usable"."""
    plural = _PLURALS.match(words)
    return plural[0] if plural else words


def _unit_named(words: str) -> str | None:
    """The dimension of a unit that words name before what it is per: `IOPS per node`, `days of leave`."""
    for i, word in enumerate(_PER.split(words, maxsplit=1)[0].split()):
        if word[-1] in "sS" and (i == 0 or word.isupper()):
            unit = next((q.unit for q in quantities(f"2 {word}")), "number")
            if len(word) > _SHORT and unit != "number" and not unit.startswith("count"):
                return unit_dimension(unit)
    return None


def _dimension(words: str) -> str | None:
    """What kind of figure words name: "price of extra GPU time" is a price, and no time."""
    if amount := _AMOUNT.search(words):
        if dimension := dimension_named(amount[1]):
            return dimension
        if keys(amount[1]) <= _DATA:
            return "data size"
    head = _OF_WHAT.split(words, maxsplit=1)[0]
    if dimension := dimension_named(head):
        return dimension
    return dimension_named(words) if keys(head) <= GENERIC else None  # no speed is "GPU of speed tests"


_HELD = re.compile(r"count:[KMGTP]i?B-")
"""How a unit of storage for a time begins: `2 GB-months`."""


def is_of(dimension: str | None, unit: str) -> bool:
    """Whether figures in a unit may be of a dimension; of none asked for, all are but bare numbers."""
    if dimension is None:
        return unit != "number"  # a figure of any kind
    if dimension == MULTIPLE:
        return unit == MULTIPLE or unit_dimension(unit) == "fraction"
    if dimension == "data size" and _HELD.match(unit):
        return True
    name = unit_dimension(unit)
    if (dimension, name) in ALSO or unit in _COUNTED.get(dimension, ()):
        return True
    return name == dimension or name.startswith(dimension + " ")


ALSO = frozenset(
    {
        ("length", "time"),
        ("power", "level"),
        ("frequency", "time"),
        ("volume", "data size"),
        ("length", "data size"),
        ("data rate", "data size"),
    }
)
"""What words of another dimension mean, too: the length of a session, a power in dBm, a month's bandwidth."""
_COUNTED = {
    "money": ("count:credit",),
    "length": ("count:character", "count:line", "count:word", "count:digit"),
    "io rate": ("op/second",),
}
"""What a dimension is counted in, too: the length of a text in characters."""
