"""Frames: what stands now where a phrase stood in a sentence, by the words around it on both editions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher

from kb.judging import thresholds as t
from kb.judging.mention import Mention
from kb.judging.reading import PageReading
from kb.judging.sentence import sentence_around
from kb.judging.slots import CLAUSE, trimmed
from kb.judging.words import STOP

_WORD = re.compile(r"\w+(?:[.'’+/-]+\w+)*[+#]*|[^\s\w]")
_SENTENCE = re.compile(r"[^.!?\n]+(?:[.!?](?!\s)[^.!?\n]*)*")
_KINDS = ("paragraph", "item", "cell", "definition", "caption", "pair", "code")
_PART = re.compile(rf"{CLAUSE.pattern}|\swith\s", re.IGNORECASE)
ONE_SIDE = 2  # words that name something, by which a frame of one side alone is found
SHARE = 0.6  # of a frame's words, which a sentence has

_CLOSING = {")": "(", "]": "[", "}": "{"}

Piece = tuple[str, int, int]
"""A word, in lower case, and where it stands."""


def framed(
    base: PageReading, places: Iterable[Mention], reading: PageReading, blocks: Sequence[int]
) -> list[Mention]:
    """What stands now in sentences that had a phrase at `places`, in each block that may be one of them."""
    out = []
    frames = []
    for place in places:
        old = base.blocks[place.block].text
        first, last = sentence_around(old, place.start, place.end)
        frame = old[first : place.start], old[place.end : last]
        if frame not in frames and _names(_pieces(frame[0]) + _pieces(frame[1])):
            frames.append(frame)
    for index in blocks[: t.SLOT_BLOCKS]:
        block = reading.blocks[index]
        if block.header or block.kind not in _KINDS or len(block.text) > t.SLOT_TEXT:
            continue
        for sentence in _SENTENCE.finditer(block.text):
            if sentence.group() in base.text:
                continue  # it was said before, beside ours
            for before, after in frames:
                if block.kind == "code" and not _may_fill(before, after, sentence.group()):
                    continue
                span = _filled(before, after, sentence.group())
                if span is not None:
                    start, end = sentence.start() + span[0], sentence.start() + span[1]
                    out.append(Mention(index, start, end, block.text[start:end]))
                    break
    return list(dict.fromkeys(out))


def _may_fill(before: str, after: str, line: str) -> bool:
    """Whether a line of a snippet has a word next to the phrase, which is sooner asked than all of them."""
    low = line.casefold()
    sides = _named(before)[-2:] + _named(after)[:2]
    return any(word in low for word in sides)


def _named(text: str) -> list[str]:
    return [w for w, _, _ in _pieces(text) if w[0].isalnum() and w not in STOP]


def _pieces(text: str) -> list[Piece]:
    return [(m.group().casefold(), m.start(), m.end()) for m in _WORD.finditer(text)]


def _names(words: Iterable[Piece]) -> int:
    """How many words that name something there are; an identifier names as much as two."""
    return sum(1 + ("_" in w) for w, _, _ in words if w not in STOP and w[0].isalnum())


def _filled(before: str, after: str, text: str) -> tuple[int, int] | None:
    """What stands in a sentence between the words that stood before and after a phrase."""
    left, right, now = _pieces(before)[-t.SIDE :], _pieces(after)[: t.SIDE], _pieces(text)
    right = right if _names(right) else []
    j, known = _side(left, now, before=True) if _names(left) else (0, 0)
    if j is None:
        return None
    k, after_known = _side(right, now, before=False, at_least=j + 1) if right else (None, 0)
    if right and k is None:
        if right[0][0][0].isalnum() or known < max(ONE_SIDE, _names(left)):
            return None
        right = []  # what a new clause went on with is not what told the place
    both = bool(_names(left)) and bool(right)
    if known + after_known < max(1 if both else ONE_SIDE, SHARE * (_names(left) + _names(right))):
        return None
    first = now[j][1] if j < len(now) else len(text)
    if k is not None:
        last = now[k - 1][2]
    else:
        last = _end(text, first)
    while word := re.match(r"(?:an?|the)\s+", text[first:last], re.IGNORECASE):
        first += word.end()
    first, last = trimmed(text, first, last)
    while (
        last > first + 1 and text[last - 1] in _CLOSING and _CLOSING[text[last - 1]] not in text[first:last]
    ):
        first, last = trimmed(text, first, last - 1)
    count = len(_pieces(text[first:last]))
    return (first, last) if 0 < count <= t.SLOT_WORDS else None


def _end(text: str, first: int) -> int:
    """Where what begins at `first` ends: at its closing quote, else with its clause."""
    quote = text[first : first + 1] if text[first : first + 1] in ("'", '"', "`") else ""
    if quote and (closed := text.find(quote, first + 1)) > 0:
        return closed
    for stop in _PART.finditer(text, first):
        joins = stop.group().strip() in ("and", "or")
        if not (joins and text[first : first + 1].isupper() and text[stop.end() : stop.end() + 1].isupper()):
            return stop.start()
    return len(text)


def _side(
    words: Sequence[Piece], text: Sequence[Piece], *, before: bool, at_least: int = 0
) -> tuple[int | None, int]:
    """Where in `text` the words before (or after) a slot end (or begin), and how many naming words fit."""
    needle, hay = [w for w, _, _ in words], [w for w, _, _ in text]
    pairs = [m for m in SequenceMatcher(None, needle, hay, autojunk=False).get_matching_blocks() if m.size]
    if before:
        near = [m for m in pairs if m.a + m.size >= len(needle) - 1]
        place = near[-1].b + near[-1].size if near else None
    else:
        near = [m for m in pairs if m.a <= 1 and m.b >= at_least]
        place = near[0].b if near else None
    fitting = sum(_names(words[m.a : m.a + m.size]) for m in pairs)
    return place, fitting
