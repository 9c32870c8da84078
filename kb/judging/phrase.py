"""Texts: where a page has a claimed phrase, and what stands in its place where it has not."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise

from kb.judging import thresholds as t
from kb.judging.denial import denied, denies
from kb.judging.fit import KIN_BARE, KIN_CASE, KIN_FAR, KIN_NOUN, KIN_SAME, Answer, Fit, squeezed
from kb.judging.kindred import kindred_pattern
from kb.judging.mention import Mention
from kb.judging.reading import PageReading
from kb.judging.slots import set_span, value_span
from kb.judging.words import keys
from kb.page import Block
from kb.quantity import quantities

_BETWEEN = r"(?-i:[\s`\"'“”’*®™©]*)"
_LETTER = r"(?-i:(?![\u3040-\u30ff\u3400-\u9fff])(?![\uac00-\ud7af])\w)"
"""A letter or digit of a script that parts its words, as Chinese, Japanese and Korean do not from others.

In two sets of two spans, whose case is not asked for: a set of more takes milliseconds to compile.
"""
_WORD = re.compile(r"[^\W_]")
_SLOTS = ("cell", "pair", "definition")


@lru_cache(maxsize=4096)
def exact_pattern(phrase: str) -> re.Pattern[str]:
    """The phrase with any white space, quotes and case, as whole words."""
    words = re.findall(r"\w+(?:[-‐‑–]\w+)*|[^\w\s]", phrase)
    body = _tied(words[0])
    for before, word in pairwise(words):
        tied = before[-1].isalnum() and word[0].isalnum() and not (before[-1] + word[0]).isdigit()
        body += (f"(?:{_BETWEEN}|[-‐‑])" if tied else _BETWEEN) + _tied(word)
    body += "s?" if words[-1].isalpha() else ""
    return re.compile(rf"(?<!{_LETTER}){body}(?!{_LETTER})(?![.:/]\w|-(?!{_QUALIFIED})\w)", re.IGNORECASE)


_QUALIFIED = r"(?-i:[a-zA-Z]{2,})(?:ed|able|ible|ing|only|style)\b"
"""What a hyphen ties to a value that it leaves as it is: `zlib-compressed`, `Debian-based`."""


def _tied(word: str) -> str:
    """A word whose hyphens, but those of numbers, may be spaces or left out."""
    parts = re.split(r"([-‐‑–])", word) if len(word) > 1 else [word]
    for i in range(1, len(parts), 2):
        numbers = (parts[i - 1][-1] + parts[i + 1][0]).isdigit()
        parts[i] = r"\s?[-‐‑–]{1,2}\s?" if numbers else r"[\s\-‐‑]?"
    return "".join(part if i % 2 else re.escape(part) for i, part in enumerate(parts))


@lru_cache(maxsize=4096)
def loose_pattern(phrase: str) -> re.Pattern[str] | None:
    """The words of the phrase in order, with up to two others between any two; None for a single word."""
    words = phrase.split()
    if len(words) < 2:
        return None
    body = r"[\s®™©(),]+(?:[\w-]+[\s®™©(),]+){0,2}?".join(re.escape(w) for w in words)
    return re.compile(rf"(?<![\w.-]){body}(?![\w-])(?!\.\w)", re.IGNORECASE)


_FORMED = re.compile(r"\d\.\d+\s?[-–]\s?v?\d+\.\d|[\[(]\d+,\s?\d+[)\]]")
"""Numbers that are written together in a way of their own: 3.4 - 5.0, [3, 127]."""


@lru_cache(maxsize=4096)
def like_pattern(phrase: str) -> re.Pattern[str] | None:
    """The phrase with other numbers in it: `PyTorch 22.11 NGC container` for `PyTorch 21.02 NGC container`.

    None for a phrase without digits, or with too little beside them.
    """
    if not re.search(r"\d", phrase):
        return None
    parts, letters = [], 0
    for word in re.findall(r"[^\W_]+(?:[._/-][^\W_]+)*|[^\w\s]", phrase):
        if re.search(r"\d", word):
            shape = re.sub(
                r"\d+(?:\\\.\d+)*", lambda _: r"\d+(?:\.\d+)*", re.escape(word).replace(r"\-", "-")
            )
            parts.append(shape)
            letters += len(re.findall(r"[^\W\d_]", word))
        else:
            parts.append(re.escape(word))
            letters += len(word) if word.isalpha() else 0
    if letters < 2 and not _FORMED.search(phrase):
        return None
    body = r"[\s`*-]*".join(parts)
    return re.compile(rf"(?<![\w.]){body}(?!\w)(?![.:/-]\w)", re.IGNORECASE)


def phrase_mentions(reading: PageReading, index: int, phrase: str) -> Iterable[Mention]:
    """The places in a block that have the phrase, or one like it, or the whole of a short cell."""
    block = reading.blocks[index]
    text = block.text
    slot = block.kind in _SLOTS and not block.header and len(text) <= t.SLOT
    first, last = value_span(block) if slot and _WORD.search(text) else (0, 0)
    if first < last and another(phrase, text[first:last]):
        yield Mention(index, first, last, text[first:last])
        return
    seen: list[tuple[int, int]] = []
    for pattern in (exact_pattern(phrase), loose_pattern(phrase), like_pattern(phrase)):
        if pattern is None:
            continue
        for m in pattern.finditer(text):
            if not any(m.start() < end and start < m.end() for start, end in seen):
                seen.append((m.start(), m.end()))
                denied = _DENIED.search(text, 0, m.start())
                start = denied.start() if denied else m.start()
                yield Mention(index, start, m.end(), text[start : m.end()])
    if first < last and not seen:
        yield Mention(index, first, last, text[first:last])
    if block.kind == "code" and block.row and not seen and (value := set_span(block)):
        yield Mention(index, *value, text[value[0] : value[1]])


_DENIED = re.compile(
    r"\b(?:(?:not|never|non|except|excluding|other than)\s|(?:non|anti|bi|tri|semi|sub|multi|pre|post)-)$",
    re.IGNORECASE,
)
"""What makes a phrase that follows it mean the other thing."""

_OPTION = re.compile(r"\s+[-+!][^\W\d_]")
"""How a further part of a setting begins: the `-SSLv3` of `all -SSLv3`."""


def another(phrase: str, value: str) -> bool:
    """Whether a value means something else, though the phrase stands in it: `all -SSLv3` for all."""
    match = exact_pattern(phrase).search(value)
    if match is None:
        return False
    return bool(_OPTION.match(value, match.end()) or _DENIED.search(value, 0, match.start()))


PHRASES = 50  # places with the phrase that are looked at, wherever they stand


def phrases(reading: PageReading, phrase: str) -> list[Mention]:
    """The places anywhere on the page that have the phrase itself."""
    pattern, out = exact_pattern(phrase), []
    for index, block in enumerate(reading.blocks):
        if block.role != "meta" and pattern.search(block.text):
            out += [m for m in phrase_mentions(reading, index, phrase) if pattern.fullmatch(m.text)]
            if len(out) >= PHRASES:
                break
    return out[:PHRASES]


def fit_phrase(phrase: str, mention: Mention, block: Block) -> Fit | None:
    """How some words answer a claimed phrase."""
    if another(phrase, mention.text):
        return Fit(Answer.OTHER, KIN_SAME)
    first, last = value_span(block)
    if mention.end < last <= t.SLOT and block.kind in _SLOTS and another(phrase, block.text[first:last]):
        return None  # a part of another value
    if exact_pattern(phrase).search(mention.text):
        if phrase in mention.text:
            return Fit(Answer.VERBATIM, KIN_SAME)
        verbatim = squeezed(phrase) in squeezed(mention.text)
        kin = KIN_SAME
        if phrase.lower() != phrase:  # a name is no common word
            kin = KIN_CASE if " " in phrase else KIN_FAR
        return Fit(Answer.VERBATIM if verbatim else Answer.SAME, kin)
    words = denied(phrase)
    if words and words <= keys(mention.text):
        return Fit(Answer.SAME, KIN_BARE) if denies(mention.text) else Fit(Answer.OTHER, KIN_SAME)
    near = kindred_pattern(phrase)
    if near is not None and near.fullmatch(mention.text):
        return Fit(Answer.OTHER, KIN_SAME)
    loose = loose_pattern(phrase)
    if loose is not None and loose.search(mention.text):
        return Fit(Answer.SAME, KIN_BARE)
    if like_pattern(phrase) is not None and like_pattern(phrase).fullmatch(mention.text):  # type: ignore[union-attr]
        return Fit(Answer.OTHER, KIN_SAME)
    if (mention.start, mention.end) not in ((0, len(block.text)), (first, last)):
        return Fit(Answer.OTHER, KIN_BARE)
    if _measured(mention.text) and not _measured(phrase):
        return Fit(Answer.OTHER, KIN_FAR)
    if _ADDRESS.match(mention.text):
        return None
    if keys(phrase) & keys(mention.text):
        return Fit(Answer.OTHER, KIN_SAME)
    long = len(mention.text.split()) > t.WORDIER * len(phrase.split()) + t.WORDIER
    return Fit(Answer.OTHER, KIN_NOUN if long else KIN_BARE)


_ADDRESS = re.compile(r"\s*(?:https?://|www\.)\S+\s*$")


@lru_cache(maxsize=4096)
def _measured(text: str) -> bool:
    """Whether a text is a number or a quantity as a whole, and no name or phrase."""
    bare = re.sub(r"\([^()]*\)", "", text).strip()
    return any(len(q.text) >= len(bare) - 1 for q in quantities(bare, bare=True))
