"""Kindred names: what is called nearly as a claimed name is, and may have taken its place."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from kb.judging import thresholds as t
from kb.judging.mention import Mention
from kb.judging.reading import PageReading

_WORD = re.compile(r"[^\W_]+(?:\.[^\W_]+)*")
_JOINT = re.compile(r"[-_ /]")
_PATH = re.compile(r"~?/[^\s/]+(?:/[^\s/]+)*/?")
_DIGIT = re.compile(r"\d")
LEAST = 4  # words and letters of the last one, above which that one tells a kind
PART = 4  # letters from which on a part of a path tells it from others
_CAPITAL = r"[A-Z](?:[\w.]*\w)?"
_LOWER = r"[a-z][a-z0-9]*"
_END = r"(?:(?<=\d)(?=-[a-z])|(?![\w-]|\.\d))"
"""Where a name ends; behind a number a build may follow, which is no part of it: Larch 22.10-py3."""


@lru_cache(maxsize=4096)
def kindred_pattern(name: str) -> re.Pattern[str] | None:
    """Names of our form with some of our words: X-Fern-Request-Id for X-Request-Id, Larch 9 for Larch 7 Pro.

    None for a text that is no such name: it must be all capitalised words, small ones tied by one sign,
    or a path.
    """
    if _PATH.fullmatch(name):
        return _paths(name)
    joints = set(_JOINT.findall(name))
    words = _WORD.findall(name)
    if len(joints) != 1 or len(words) < 2 or len("".join(words)) + len(words) - 1 != len(name):
        return None
    joint = joints.pop()
    if any(w[0].isdigit() for w in words[:1]):
        return None
    named = [w[:1].isupper() or w[:1].isdigit() for w in words]
    if all(named):
        other = rf"(?:{_CAPITAL}|\d[\w.]*)"
    elif not any(named) and joint != " ":
        other = _LOWER
    else:
        return None
    tie = re.escape(joint)
    first, last = re.escape(words[0]), re.escape(words[-1])
    many = len(words)
    forms = []
    if len(words[-1]) + many > LEAST and not _DIGIT.search(words[-1]):  # another of the kind that we are
        forms.append(rf"(?:{other}{tie}){{1,{many}}}{last}")
    if len(words[0]) > 2 and _DIGIT.search("".join(words[1:])):  # another model of our make
        forms.append(rf"{first}{tie}\d(?:[\w.]*\w)?(?:{tie}{_CAPITAL}){{0,2}}")
    if many > 2:
        forms.append(rf"{first}{tie}(?:{other}{tie}){{1,{many}}}{last}")
    if not forms:
        return None
    return re.compile(rf"(?<![\w.-])(?:{'|'.join(forms)}){_END}")


def _paths(name: str) -> re.Pattern[str] | None:
    """Paths with a part of ours: /usr/local/share/larch for /usr/share/larch.db."""
    parts = [re.escape(p) for p in name.strip("~/").split("/") if len(p) >= PART]
    if not parts:
        return None
    ours = rf"(?:{'|'.join(parts)})(?![^\s/`'\",;.)])"
    return re.compile(rf"(?<![\w./:-])~?/(?:[^\s/`'\"]+/)*{ours}(?:/[^\s/`'\",;]*)*(?<![.,])")


def replaced(reading: PageReading, base: PageReading | None, name: str, other: str) -> bool:
    """Whether a kindred name may have taken our name's place: ours is gone, and it is new."""
    pattern = kindred_pattern(name)
    if pattern is None or not pattern.fullmatch(other) or exact(name).search(reading.text):
        return False
    return base is None or not exact(other).search(base.text)


@lru_cache(maxsize=1024)
def exact(name: str) -> re.Pattern[str]:
    """A name as a whole, in any case."""
    return re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])", re.IGNORECASE)


def kindred(reading: PageReading, blocks: Iterable[int], name: str) -> list[Mention]:
    """Where some blocks have kindred names."""
    pattern = kindred_pattern(name)
    if pattern is None:
        return []
    ours = name.casefold()
    return [
        Mention(index, m.start(), m.end(), m.group())
        for index in blocks
        for m in pattern.finditer(reading.blocks[index].text[: t.SLOT_TEXT])
        if m.group().casefold() != ours
    ]
