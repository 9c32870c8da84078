"""What prose states in words that no reader of quantities takes for one: a single server, over a year."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal

from kb.app.audit_values import coarse
from kb.quantity import Quantity, quantities

_ORDINALS = ["second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"]
_ORDINALS += ["eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth"]
_ORDINALS += ["eighteenth", "nineteenth", "twentieth"]
_TIMES = {"doubl": 2, "tripl": 3, "quadrupl": 4, "twice": 2, "thrice": 3}
_FEW = {"single": 1, "sole": 1, "one": 1, "own": 1, "both": 2, "pair": 2, "couple": 2, "trio": 3}

_WORDED = re.compile(
    rf"\b(?:(?P<times>doubl|tripl|quadrupl)(?:e|es|ed|ing)|(?P<adverb>twice|thrice)"
    rf"|(?P<nth>{'|'.join(_ORDINALS)})(?=[- ]generation\b)|(?:a|an|one)[ -](?P<part>{'|'.join(_ORDINALS)})"
    rf"|(?P<few>{'|'.join(_FEW)})(?:s|ed|ing)?)\b",
    re.IGNORECASE,
)
_BARE = re.compile(r"(?<![\w.,:/-])\d{1,3}(?:,\d{3})+(?![\w-])|(?<![\w.,:/-])\d+(?:\.\d+)?(?![\w-])")

_ARTICLE = re.compile(
    r"\b(?:over|more than|just over|less than|just under|under|about|around|roughly|almost|nearly|at least"
    r"|at most|up to|within|for|takes?|took|lasts?|lasted)\s(?P<a>an?|one)(?=\s[^\W\d_])",
    re.IGNORECASE,
)
_HALF = re.compile(
    r"\b(?P<part>half|quarter)(?:[ -](?:of )?an?)?[ -](?P<unit>[^\W\d_]{3,12})\b", re.IGNORECASE
)
_PARTS = {"half": Decimal("0.5"), "quarter": Decimal("0.25")}
_EQUALS = re.compile(
    r"\b(?:one|an?|each|every|1)\s(?P<of>[^\s,;()]{1,20}(?:\s[^\s,;()]{1,20})?)\s"
    r"(?:=|is|are|equals?|makes?|contains?|holds?|corresponds? to|is equal to)\s+$",
    re.IGNORECASE,
)

NOUNS = 5
"""How many words after a number in words may name what it counts: a single 8-GPU B300 server."""


@dataclass(frozen=True, slots=True)
class Worded:
    """A number at its place.

    `noun` is the text that must name what it counts, "" where none must; `word`: it is in words;
    `inside`: it may stand inside a quantity, as in "18 fourth-generation links"; `loose`: what it
    counts may stand anywhere in the sentence, as in "the cards pair up".
    """

    start: int
    end: int
    value: Decimal
    noun: str = ""
    word: bool = False
    inside: bool = False
    loose: bool = False


def stated(text: str, header: str | None, row: str | None, lang: str | None) -> list[Quantity]:
    """The quantities of a text as an article writes them, in order."""
    found = [
        replace(q, unit="multiple") if q.unit == "count:time" else q  # "18 times"
        for q in quantities(text, header, row, lang, bare=True)
    ]
    more = [*_with_article(text, lang), *_parts(text, lang)]
    return sorted(
        [q for q in found if not any(_cross(q, m) for m in more)] + more, key=lambda q: (q.start, q.end)
    )


def _cross(a: Quantity, b: Quantity) -> bool:
    return a.start < b.end and b.start < a.end


def _with_article(text: str, lang: str | None) -> Iterator[Quantity]:
    """An article as a number: over a year, about a kilometre."""
    places = [m.span("a") for m in _ARTICLE.finditer(text)]
    if not places:
        return
    letters = list(text)
    for start, end in places:
        letters[start:end] = "1".ljust(end - start)
    for q in quantities("".join(letters), None, None, lang):
        if coarse(q.unit) != "plain" and len(q.text.split()) == 2 and q.start in {a for a, _ in places}:
            yield replace(q, text=text[q.start : q.end])


def said_loosely(q: Quantity) -> bool:
    """Whether it is an article for a number: without a claim, "a year" states nothing."""
    return q.text.partition(" ")[0].lower() in ("a", "an", "one")


def _parts(text: str, lang: str | None) -> Iterator[Quantity]:
    """Half an hour, a quarter of a mile."""
    for found in _HALF.finditer(text):
        read = quantities(f"1 {found['unit']}", None, None, lang)
        if len(read) == 1 and coarse(read[0].unit) != "plain":
            value = _PARTS[found["part"].lower()]
            yield Quantity(value, None, read[0].unit, text=found[0], start=found.start(), end=found.end())


def worded(text: str) -> Iterator[Worded]:
    """Numbers in words: doubled, fourth-generation, an eighteenth (of 18x), a single server, both."""
    for found in _WORDED.finditer(text):
        word = (found["times"] or found["adverb"] or found["nth"] or found["part"] or found["few"]).lower()
        few = _FEW.get(word) if found["few"] else None
        noun = ""
        if few is not None:
            after = re.match(rf"(?:\W+\w+){{1,{NOUNS}}}", text[found.end() : found.end() + 80])
            noun = found[0] + (after[0] if after else "")
        value = few or _TIMES.get(word) or _ORDINALS.index(word) + 2
        inside, loose = bool(found["nth"]), few is not None and few > 1
        yield Worded(found.start(), found.end(), Decimal(value), noun, True, inside, loose)


def bare(text: str) -> Iterator[Worded]:
    """Digits that count nothing: a port's, a version's."""
    for found in _BARE.finditer(text):
        yield Worded(found.start(), found.end(), Decimal(found[0].replace(",", "")))


def converts(text: str, q: Quantity) -> bool:
    """Whether a quantity ends a statement such as "one gigabyte is 8 Gb": then its number is a ratio."""
    found = _EQUALS.search(text[max(0, q.start - 60) : q.start])
    if not found or coarse(q.unit) == "plain":
        return False
    left = quantities(f"1 {found['of']}")
    return any(coarse(one.unit) == coarse(q.unit) for one in left)
