"""Texts: where a page has a claimed phrase, and what stands in its place where it has not."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from functools import lru_cache

from kb.judging import thresholds as t
from kb.judging.fit import KIN_BARE, KIN_CASE, KIN_FAR, KIN_NOUN, KIN_SAME, Answer, Fit, squeezed
from kb.judging.mention import Mention
from kb.judging.reading import PageReading
from kb.judging.words import keys
from kb.quantity import quantities

_WORD = re.compile(r"[^\W_]+(?:[._'’+/-]+[^\W_]+)*[+#]*|[^\s\w]")


def _pieces(text: str) -> list[tuple[str, int, int]]:
    return [(m.group().casefold(), m.start(), m.end()) for m in _WORD.finditer(text)]


@lru_cache(maxsize=4096)
def exact_pattern(phrase: str) -> re.Pattern[str]:
    """The phrase with any white space, quotes and case, as whole words."""
    words = re.findall(r"\w+|[^\w\s]", phrase)
    body = r"[\s`\"'“”’*®™©]*".join(re.escape(w) for w in words) + ("s?" if words[-1].isalpha() else "")
    return re.compile(rf"(?<!\w){body}(?!\w)(?![.:/\-]\w)", re.IGNORECASE)


@lru_cache(maxsize=4096)
def loose_pattern(phrase: str) -> re.Pattern[str] | None:
    """The words of the phrase in order, with up to two others between any two; None for a single word."""
    words = phrase.split()
    if len(words) < 2:
        return None
    body = r"[\s®™©(),]+(?:[\w-]+[\s®™©(),]+){0,2}?".join(re.escape(w) for w in words)
    return re.compile(rf"(?<![\w.-]){body}(?![\w-])(?!\.\w)", re.IGNORECASE)


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
    if letters < 2:
        return None
    body = r"[\s`*-]*".join(parts)
    return re.compile(rf"(?<![\w.]){body}(?!\w)(?![.:/-]\w)", re.IGNORECASE)


def phrase_mentions(reading: PageReading, index: int, phrase: str) -> Iterable[Mention]:
    """The places in a block that have the phrase, or one like it, or the whole of a short cell."""
    block = reading.blocks[index]
    text = block.text
    seen: list[tuple[int, int]] = []
    for pattern in (exact_pattern(phrase), loose_pattern(phrase), like_pattern(phrase)):
        if pattern is None:
            continue
        for m in pattern.finditer(text):
            if not any(m.start() < end and start < m.end() for start, end in seen):
                seen.append((m.start(), m.end()))
                yield Mention(index, m.start(), m.end(), m.group())
    slot = block.kind in ("cell", "pair", "definition") and not block.header and len(text) <= t.SLOT
    if slot and not seen and text.strip():
        yield Mention(index, 0, len(text), text)
    if block.kind == "code" and block.row and not seen:
        value = _SET.match(text, text.find(block.row[-1]) + len(block.row[-1]))
        if value and len(value[1]) <= t.SLOT:
            yield Mention(index, value.start(1), value.end(1), value[1])


_SET = re.compile(r"""[\s=:]+['"]?([^\s'"].*?)['"]?[\s,;]*$""")
"""What a line of settings gives the name that it begins with: `--mode 'fast'`, `mode = fast`."""

PHRASES = 50  # places with the phrase that are looked at, wherever they stand


def phrases(reading: PageReading, phrase: str) -> list[Mention]:
    """The places anywhere on the page that have the phrase itself."""
    pattern, out = exact_pattern(phrase), []
    for index, block in enumerate(reading.blocks):
        if block.role != "meta":
            out += [Mention(index, m.start(), m.end(), m.group()) for m in pattern.finditer(block.text)]
            if len(out) >= PHRASES:
                break
    return out[:PHRASES]


def fit_phrase(phrase: str, mention: Mention, block_text: str) -> Fit | None:
    """How some words answer a claimed phrase."""
    if exact_pattern(phrase).search(mention.text):
        if phrase in mention.text:
            return Fit(Answer.VERBATIM, KIN_SAME)
        verbatim = squeezed(phrase) in squeezed(mention.text)
        kin = KIN_SAME
        if phrase.lower() != phrase:  # a name is no common word
            kin = KIN_CASE if " " in phrase else KIN_FAR
        return Fit(Answer.VERBATIM if verbatim else Answer.SAME, kin)
    loose = loose_pattern(phrase)
    if loose is not None and loose.search(mention.text):
        return Fit(Answer.SAME, KIN_BARE)
    if like_pattern(phrase) is not None and like_pattern(phrase).fullmatch(mention.text):  # type: ignore[union-attr]
        return Fit(Answer.OTHER, KIN_SAME)
    whole = mention.start == 0 and mention.end == len(block_text)
    if not whole:
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


def replaced(old: str, start: int, end: int, new: str) -> tuple[int, int] | None:
    """What stands in `new` where `old[start:end]` stood, by the words around it that both have."""
    a, b = _pieces(old), _pieces(new)
    first = next((i for i, (_, s, e) in enumerate(a) if e > start), len(a))
    last = next((i for i, (_, s, _) in enumerate(a) if s >= end), len(a))
    left, right = a[max(0, first - t.SIDE) : first], a[last : last + t.SIDE]
    j = _side(left, b, before=True)
    k = _side(right, b, before=False, at_least=j or 0)
    size = last - first
    if j is None or k is None:
        return None
    if not j < k or k - j > max(t.SLOT_WORDS, 3 * size):
        return None
    return b[j][1], b[k - 1][2]


def _side(
    words: Sequence[tuple[str, int, int]],
    text: Sequence[tuple[str, int, int]],
    *,
    before: bool,
    at_least: int = 0,
) -> int | None:
    """Where in `text` the words before (or after) the slot end (or begin)."""
    if not words:
        return 0 if before else len(text)
    needle = [w for w, _, _ in words]
    hay = [w for w, _, _ in text]
    matcher = SequenceMatcher(None, needle, hay, autojunk=False)
    pairs = [m for m in matcher.get_matching_blocks() if m.size]
    if before:
        near = [m for m in pairs if m.a + m.size >= len(needle) - 1]
        return near[-1].b + near[-1].size if near else None
    near = [m for m in pairs if m.a <= 1 and m.b >= at_least]
    return near[0].b if near else None
