"""What an absence says is not there: of which dimension, counting what, and how a place names the thing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from kb.claims.claim import Claim
from kb.judging.default import speaks_of_default, told_as_default
from kb.judging.ends import HIGH, LOW, ends_named
from kb.judging.fit import KIN_NOUN, KIN_SAME, Answer, Fit
from kb.judging.mention import Finder, Mention
from kb.judging.reading import PageReading
from kb.judging.score import brand_of
from kb.judging.sentence import sentence_around
from kb.judging.slots import slots
from kb.judging.sought_kind import ALSO, GENERIC, is_of, kind_asked, things
from kb.judging.words import keys, words_of_labels
from kb.page import Block
from kb.quantity import Quantity, dimension_named, quantities, unit_dimension
from kb.quantity.basis import noun_of, same_noun


@dataclass(frozen=True, slots=True)
class Sought:
    """What is sought.

    Attributes:
        dimension: of the figure; None for any.
        noun: what is counted, "" where nothing is.
        thing: the words of what it is a figure of.
        own: all words of the absence and its attribute.
        plain: whether its words name a dimension alone: a price, a data rate.
        kind: "figure", "date" or "version".
        ends: whether a least or a most is sought, as in `ends`; empty where neither or both.
        name: what the subject is called, its maker aside.
        recurs: whether it may be how often something is.
        range: whether a range is sought.
        usual: whether a default is.
        head: the words of the thing before what it is of.
    """

    dimension: str | None
    noun: str
    thing: frozenset[str]
    own: frozenset[str]
    plain: bool
    kind: str
    ends: frozenset[str]
    name: frozenset[str]
    recurs: bool
    range: bool
    usual: bool
    head: frozenset[str]

    @classmethod
    def of(cls, claim: Claim) -> Sought:
        """What an absence seeks."""
        words = claim.value if isinstance(claim.value, str) else " ".join(claim.value)
        dimension, noun = kind_asked(words)
        kind = "date" if (dimension or claim.dimension) is None and _DATE.search(words) else "figure"
        counted = kind_asked(claim.attribute)
        if kind == "figure" and (dimension is None or (_SIZE.search(words) and counted[1])):
            dimension, noun = counted
            if (dimension or claim.dimension) is None and _VERSION.search(words):
                kind = "version"
        before = _BASIS.split(words, maxsplit=1)[0]  # what it is per is no part of the thing
        said = things(before) - GENERIC
        unit = keys(noun) if noun and not said <= keys(noun) else frozenset[str]()
        thing = said - unit or things(words) - GENERIC - unit or things(claim.attribute) - GENERIC - unit
        if dimension != "count":
            thing -= keys(noun)
        own = keys(f"{words} {claim.attribute}")
        dimension = claim.dimension or dimension
        telling = [w for w in words.split() if keys(w) - GENERIC]
        rest = [w for w in telling if dimension_named(w) != dimension]
        plain = dimension is not None and (not rest or rest == telling == words.split()[: len(rest)])
        ends = ends_named(f"{words} {claim.attribute}")
        return cls(
            dimension,
            noun if dimension == "count" else "",
            thing - _KINDS[kind],
            own,
            plain,
            kind,
            ends if len(ends) == 1 else frozenset(),
            keys(claim.subject) - brand_of(claim.subject).keys(),
            _RECURS.search(f"{words} {claim.attribute}") is not None,
            _RANGE.search(f"{words} {claim.attribute}") is not None,
            speaks_of_default(f"{words} {claim.attribute}"),
            thing & things(_OF.split(words, maxsplit=1)[0]),
        )

    @property
    def open(self) -> bool:
        """Whether any figure may be what is sought: neither a date or version, nor of one dimension."""
        return self.dimension is None and self.kind == "figure"

    def find(self, reading: PageReading) -> Finder:
        """Where mentions of the kind that is sought are found."""
        if self.kind == "date":
            return reading.dates
        if self.kind == "version":
            return lambda block: self._versions(reading, block)
        return reading.figures

    def labelled_blocks(self, reading: PageReading) -> list[int]:
        """The blocks whose labels or heading say all of the thing."""
        if not self.thing:
            return []
        return [
            index
            for index, block in enumerate(reading.blocks)
            if (block.row or block.column or block.headings)
            and self.thing <= words_of_labels((*block.row, *block.column, *block.headings[-1:]))
        ]

    def _versions(self, reading: PageReading, index: int) -> Sequence[Mention]:
        """The versions in a block that stand behind a word of the thing (`Git version 2.34`) or its label."""
        block, text = reading.blocks[index], reading.blocks[index].text
        labels = words_of_labels((*block.row, *block.column))
        if LOW not in self.ends and self.thing and self.thing | _A_VERSION <= labels:
            return reading.shapes(index, "version")
        out = []
        for m in reading.shapes(index, "version"):
            before = _BEHIND.search(text, max(0, m.start - _NAME_NEAR), m.start)
            if before is None:
                continue
            sentence = reading.sentence(m)
            said_whole = len(self.thing) > 1 and self.thing <= keys(sentence)
            named = said_whole or self.thing & keys(before[1])
            if named and (LOW not in self.ends or _LEAST.search(sentence)):
                out.append(m)
        return out

    def fit(self, reading: PageReading, mention: Mention) -> Fit | None:
        """How a figure may be the sought one; None where it is of another kind."""
        if self.kind != "figure":
            return Fit(Answer.OTHER, KIN_SAME)
        q = mention.quantity
        if q is None or self._is_no_value(q):
            return None
        if q.unit == "number":
            if self.counted(reading, mention):
                return Fit(Answer.OTHER, KIN_SAME)
            own = (
                self.slot(reading, mention)
                or self.labelled(reading, mention)
                or self.headed(reading, mention)
            )
            own = own or (self.is_default(reading, mention) and self.named(reading, mention) >= NAMED)
            return Fit(Answer.OTHER, KIN_NOUN) if own and self.bare(reading, mention) else None
        if not is_of(self.dimension, q.unit):
            return None
        if self.noun and q.unit.startswith("count:") and same_noun(self.noun, noun_of(q.unit)) is False:
            inside = keys(self.noun) & keys(mention.text)  # `embed objects` are embeds
            return Fit(Answer.OTHER, KIN_NOUN) if inside else None
        return Fit(Answer.OTHER, KIN_SAME)

    def _is_no_value(self, quantity: Quantity) -> bool:
        """Whether nothing that is sought can be so many: -1 for no limit, 2.7 of what is counted."""
        if self.dimension in ("count", "time", "data size") and quantity.value < 0:
            return True
        return self.dimension == "count" and quantity.value % 1 != 0

    def bare(self, reading: PageReading, mention: Mention) -> bool:
        """Whether a bare number may be of the dimension: its labels or its sentence name it or its unit."""
        if self.dimension is None or self.dimension == "count":
            return True
        block = reading.blocks[mention.block]
        label = (
            block.text[max(0, mention.start - _END_NEAR) : mention.start]
            if reading.note(mention).label
            else ""
        )
        for words in (label, *reversed(block.row), *block.column, *block.headings[-1:]):
            if named := dimension_named(_CAPITAL.sub(" ", words)):
                return named == self.dimension or (self.dimension, named) in ALSO
        first, last = self._span(reading, mention)
        units = (
            unit_dimension(q.unit)
            for w in _IN_UNIT.findall(block.text[first:last])
            for q in quantities(f"2 {w}")
        )
        return self.dimension in ("money", "length") or self.dimension in units

    def counted(self, reading: PageReading, mention: Mention) -> bool:
        """Whether a value counts the noun that is sought."""
        q = mention.quantity
        if not self.noun or q is None:
            return False
        if q.unit != "number":
            return bool(same_noun(self.noun, noun_of(q.unit)))
        text = reading.blocks[mention.block].text
        if before := _NUMBER_IS.search(text, max(0, mention.start - _NAMED_NEAR), mention.start):
            return any(same_noun(self.noun, noun) for noun in before.groups() if noun)
        after = _NEXT.match(text, mention.end)
        return after is not None and any(same_noun(self.noun, noun) for noun in after.groups() if noun)

    def headed(self, reading: PageReading, mention: Mention) -> bool:
        """Whether a number is what its text begins with, under a heading that says all of what is counted."""
        block = reading.blocks[mention.block]
        if mention.start or not self.noun or block.kind != "paragraph":
            return False
        return keys(self.noun) | self.thing <= words_of_labels(block.headings[-1:])

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
                if (
                    not slot.worded
                    and 3 * len(self.name & said) >= 2 * len(self.name) > 0
                    and self.own & said
                ):
                    return True
        return False

    def ends_of(self, reading: PageReading, mention: Mention) -> frozenset[str]:
        """Which end of its values a value is said to be, or that it is the usual one."""
        block, q = reading.blocks[mention.block], mention.quantity
        words = block.text[max(0, mention.start - _END_NEAR) : mention.start]
        words = _CLAUSES.split(words)[-1]
        said = _names(" ".join((words, *block.row[-1:], *block.column)))
        bound = {"at-least": LOW, "at-most": HIGH}.get(q.bound, "") if q is not None else ""
        return said or (frozenset({bound}) if bound else said)

    def other_end(self, reading: PageReading, mention: Mention) -> bool:
        """Whether a value is said to be another end than what is sought: a default, and no minimum."""
        if not self.ends:
            return False
        said = self.ends_of(reading, mention)
        return bool(said) and said.isdisjoint(self.ends) and (LOW in self.ends or LOW in said)

    def labelled(self, reading: PageReading, mention: Mention) -> bool:
        """Whether a value has a label of its own in the row of the thing: `ttl: in seconds, minimum: 20`."""
        row = words_of_labels(reading.blocks[mention.block].row)
        return bool(reading.note(mention).label) and bool(self.thing) and self.thing <= row

    def is_labelled_date(self, block: Block) -> bool:
        """Whether a date is sought and a label says just that: `Date`, of what its section is of."""
        return self.kind == "date" and bool(block.row) and keys(block.row[-1]) <= _KINDS["date"]

    def said(self, reading: PageReading, mention: Mention) -> frozenset[str]:
        """The words beside a figure: its sentence's, its labels', and those of the heading right above."""
        block = reading.blocks[mention.block]
        beside = (*block.row, *block.column, *block.headings[-1:])
        return words_of_labels(beside) | self.text(reading, mention)

    def text(self, reading: PageReading, mention: Mention) -> frozenset[str]:
        """The words of a figure's sentence, and where it is a default also of what goes before."""
        first, last = self._span(reading, mention)
        return words_of_labels((reading.blocks[mention.block].text[first:last],))

    def _span(self, reading: PageReading, mention: Mention) -> tuple[int, int]:
        """The span of a figure's sentence, and of what goes before it where it is a default."""
        first, last = sentence_around(reading.blocks[mention.block].text, mention.start, mention.end)
        if self.is_default(reading, mention):
            first = max(0, first - REACH)  # `The default is 5.` is of what the sentences before it tell of
        return first, last

    def is_default(self, reading: PageReading, mention: Mention) -> bool:
        """Whether a value is stated as a default, and no other end of its values is sought."""
        block = reading.blocks[mention.block]
        return LOW not in self.ends and block.table is None and told_as_default(block, mention)

    def named(self, reading: PageReading, mention: Mention) -> float:
        """The share of the thing's words that are beside a figure, 0 to 1."""
        if not self.thing:
            return 0.0
        said = self.said(reading, mention)
        return len(self.thing & said) / len(self.thing)


NAMED = 0.66  # of a thing's words, beside a bare number that is its default
REACH = 600  # characters before a default in which its text says what it is of

_DATE = re.compile(r"(?<!to-)(?<!to )\bdates?\b|\bend of (?:life|support|sale)\b", re.IGNORECASE)
_VERSION = re.compile(r"\bversions?\b", re.IGNORECASE)
_RECURS = re.compile(
    r"\b(?:intervals?|often|frequen\w+|periods?|every|cycles?|cadence|rate)\b", re.IGNORECASE
)
_OF = re.compile(r"\s(?:of|for|from|to|in|on|that)\s")
_SIZE = re.compile(r"\bsize\b", re.IGNORECASE)
"""What may be a number as well as bytes, as the attribute tells: the size of a set, its number of images."""
_RANGE = re.compile(r"\branges?\b", re.IGNORECASE)
USUAL = "usual"
_USUAL = re.compile(r"\b(?:defaults?|defaulted|initial|typical|usual|recommended)\b", re.IGNORECASE)
_LIMITED = re.compile(r"\b(?:limit\w*|quotas?|capp?\w*)\b", re.IGNORECASE)
"""What a least may be, too: limited to one in 30 seconds."""
_CLAUSES = re.compile(r"[,;:.]\s(?=[^\W\d_])|\n|\band\b")
_END_NEAR = 30  # characters before a value in which its end is named
_CAPITAL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_IN_UNIT = re.compile(r"(?:\bin |\()([a-z]+s)\b")
_BASIS = re.compile(r"\s(?:per|for each|for every)\s|/")
_LEAST = re.compile(
    r"\b(?:min(?:imum)?|least|lowest|smallest|oldest|earliest|newer|later|above|greater|higher|up)\b|[>≥+]"
    r"|\brequire[sd]?\b|\bneeds?\b",
    re.IGNORECASE,
)
_KINDS = {"figure": frozenset[str](), "date": keys("date day"), "version": keys("version versions required")}
"""Words that say which kind is sought, and not of what it is."""
_A_VERSION = keys("version")
_BEHIND = re.compile(
    r"((?:[A-Z][\w+#-]*[\s/]){0,3}[^\W\d_][\w.+#-]*)\W{0,4}(?:[Vv]ersion\W{0,2})?(?:(?:>=|≥|=|:)\s?)?$"
)
_NAME_NEAR = 40
_NUMBER_IS = re.compile(
    r"\bnumbers? of ([^\W\d_]+)(?:\s([^\W\d_]+))?\b[^.;:=\n\d]{0,40}?"
    r"(?:\s(?:is|are|to|at|of)\s(?:[a-z]+\s)?|[:=]\s?)$"
)
"""How a text gives a number of things before it: `The maximum number of items you can use is 99`."""
_NAMED_NEAR = 100
_NEXT = re.compile(r"\s([^\W\d_]+)(?:\s([^\W\d_]+))?")
_NEAR = 12  # characters before a number in its slot: "up to"


def _names(words: str) -> frozenset[str]:
    """The ends that words name, and whether the usual value."""
    plain = _LIMITED.sub(" ", words.replace("_", " "))
    named = ends_named(plain)
    return named | {USUAL} if _USUAL.search(plain) else named
