"""What an absence says is not there: of which dimension, counting what, and how a place names the thing."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kb.claims.claim import Claim
from kb.judging.evidence import sentence_around
from kb.judging.fit import KIN_NOUN, KIN_SAME, Answer, Fit
from kb.judging.mention import Mention
from kb.judging.reading import PageReading
from kb.judging.slots import slots
from kb.judging.words import keys, words_of_labels
from kb.quantity import dimension_named, quantities, unit_dimension
from kb.quantity.basis import noun_of, same_noun

_NUMBER_OF = re.compile(
    r"\b(?:(?:number|count)s? of|how many) (?:the )?(.+?)"
    r"(?:\s(?:per|in|of|for|on|a|each|ahead|can|may)\s.*)?$",
    re.IGNORECASE,
)
_IN_UNITS = re.compile(r"\bin ([^\W\d_]+s)$", re.IGNORECASE)
_PIECE = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_GENERIC = keys(
    "number count total size amount limit maximum minimum default value rate length longest period time "
    "of how many long"
)
"""Words that say how a figure is meant, and not of what it is."""


@dataclass(frozen=True, slots=True)
class Sought:
    """What is sought.

    Attributes:
        dimension: of the figure; None for any.
        noun: what is counted, "" where nothing is.
        thing: the words of what it is a figure of.
        own: all words of the absence and its attribute.
        plain: whether its words name a dimension alone: a price, a data rate.
    """

    dimension: str | None
    noun: str
    thing: frozenset[str]
    own: frozenset[str]
    plain: bool

    @classmethod
    def of(cls, claim: Claim) -> Sought:
        """What an absence seeks."""
        words = claim.value if isinstance(claim.value, str) else " ".join(claim.value)
        dimension, noun = _kind(words)
        if dimension is None:
            dimension, noun = _kind(claim.attribute)
        unit = keys(noun) if noun and not _things(words) - _GENERIC <= keys(noun) else frozenset[str]()
        thing = _things(words) - _GENERIC - unit or _things(claim.attribute) - _GENERIC - unit
        if dimension != "count":
            thing -= keys(noun)
        own = keys(f"{words} {claim.attribute}")
        dimension = claim.dimension or dimension
        telling = [w for w in words.split() if keys(w) - _GENERIC]
        rest = [w for w in telling if dimension_named(w) != dimension]
        plain = dimension is not None and (not rest or rest == telling == words.split()[: len(rest)])
        return cls(dimension, noun if dimension == "count" else "", thing, own, plain)

    def fit(self, reading: PageReading, mention: Mention) -> Fit | None:
        """How a figure may be the sought one; None where it is of another kind."""
        q = mention.quantity
        if q is None:
            return None
        if q.unit == "number":
            if self.counted(reading, mention):
                return Fit(Answer.OTHER, KIN_SAME)
            return Fit(Answer.OTHER, KIN_NOUN) if self.slot(reading, mention) else None
        if not _of(self.dimension, q.unit):
            return None
        if self.noun and q.unit.startswith("count:") and same_noun(self.noun, noun_of(q.unit)) is False:
            inside = keys(self.noun) & keys(mention.text)  # `embed objects` are embeds
            return Fit(Answer.OTHER, KIN_NOUN) if inside else None
        return Fit(Answer.OTHER, KIN_SAME)

    def counted(self, reading: PageReading, mention: Mention) -> bool:
        """Whether a value counts the noun that is sought."""
        q = mention.quantity
        if not self.noun or q is None:
            return False
        if q.unit != "number":
            return bool(same_noun(self.noun, noun_of(q.unit)))
        after = _NEXT.match(reading.blocks[mention.block].text, mention.end)
        return after is not None and bool(same_noun(self.noun, after[1]))

    def slot(self, reading: PageReading, mention: Mention) -> bool:
        """Whether a value stands where a label names the thing: the row `Tables`, a setting `table_size`."""
        for slot in slots(reading, mention.block, self.own):
            if (
                slot.start <= mention.start
                and mention.end <= slot.end
                and mention.start - slot.start <= _NEAR
            ):
                said = words_of_labels((slot.label, *slot.beside))
                if 2 * len(self.thing & said) > len(self.thing):
                    return True
        return False

    def said(self, reading: PageReading, mention: Mention) -> frozenset[str]:
        """The words beside a figure: its sentence's, its labels', and those of the heading right above."""
        block = reading.blocks[mention.block]
        first, last = sentence_around(block.text, mention.start, mention.end)
        beside = (*block.row, *block.column, *block.headings[-1:])
        return words_of_labels((block.text[first:last], *beside))

    def named(self, reading: PageReading, mention: Mention) -> float:
        """The share of the thing's words that are beside a figure, 0 to 1."""
        if not self.thing:
            return 0.0
        said = self.said(reading, mention)
        return len(self.thing & said) / len(self.thing)


_NEXT = re.compile(r"\s([^\W\d_]+)")
_NEAR = 12  # characters before a number in its slot: "up to"


def _things(words: str) -> frozenset[str]:
    """The words of a thing; of an identifier in capitals within what it is made of: `handleSummary()`."""
    out: set[str] = set()
    for word in words.split():
        pieces = _PIECE.findall(word)
        out |= keys(" ".join(pieces) if len(pieces) > 1 and "_" not in word else word)
    return frozenset(out)


def _kind(words: str) -> tuple[str | None, str]:
    """The dimension that words ask for, and the noun that is counted: `number of seconds` is a time."""
    match = _NUMBER_OF.search(words) or _IN_UNITS.search(words)
    if match is not None:
        unit = next((q.unit for q in quantities(f"2 {match[1]}")), "")
        if unit and not unit.startswith("count"):
            return unit_dimension(unit), match[1]
        return "count", match[1]
    return _dimension(words), ""


def _dimension(words: str) -> str | None:
    """What kind of figure words name: "price of extra GPU time" is a price, and no time."""
    return dimension_named(words.partition(" of ")[0]) or dimension_named(words)


def _of(dimension: str | None, unit: str) -> bool:
    if dimension is None:
        return unit != "number"  # a figure of any kind
    name = unit_dimension(unit)
    if (dimension, name) in _ALSO:
        return True
    return name == dimension or name.startswith(dimension + " ")


_ALSO = frozenset({("length", "time"), ("power", "level")})
"""What is meant by words of another dimension, too: the length of a session, a power in dBm."""
