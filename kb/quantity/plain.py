"""Text as people see it, with every character where it was: entities, tags and marks become spaces or signs."""

from __future__ import annotations

import html
import re

_DEBRIS = re.compile(
    r"[&<\\*`$^~_\u00a0\u00ad\u2000-\u200d\u2011\u2028-\u202f\u2060\u3000\u2212\u2018\u2019\u02bc\uff05-\uff5d\ufeff\u2044]"
)
_CHARACTERS = dict.fromkeys("\xa0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u3000\u2028\u2029", " ")
_CHARACTERS |= dict.fromkeys("`\u200b\u200c\u200d\u2060\ufeff\xad", " ")
_CHARACTERS |= {"\u2011": "-", "\u2212": "-", "\u2018": "'", "\u2019": "'", "\u02bc": "'", "\u2044": "/"}
_CHARACTERS |= {chr(c + 0xFEE0): chr(c) for c in range(0x21, 0x7F) if chr(c) not in "~"}
_TABLE = str.maketrans(_CHARACTERS)
_ENTITY = re.compile(r"&(?:#\d{1,6}|#x[0-9a-fA-F]{1,5}|[A-Za-z]{2,12}\d?);")
_TAG = re.compile(r"</?[A-Za-z][^<>]{0,300}>")
_RAISED = re.compile(r"<sup\b[^<>]{0,80}>\s?([^<>]{1,12}?)\s?</sup\s?>", re.IGNORECASE)
_SUPERSCRIPT = str.maketrans("0123456789-+", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺")
_MARKS = re.compile(r"\*\*|__|(?<![\w*])\*(?=\S)|(?<=\S)\*(?![\w*])")
_MATH = re.compile(r"\$(?=\\\$)|(?<=[\d}])\$(?=\s|[/.,;:)]|$)(?=.*)")


def plain(text: str) -> str:
    """The same text without markup, of the same length.

    An entity becomes its character, right-aligned so that it still touches
    what follows; tags, emphasis and code marks become spaces; every kind of
    space becomes a space. Raised figures in `<sup>` become superscript digits.
    """
    if not _DEBRIS.search(text):
        return text
    math = "\\$" in text
    if "<" in text:
        text = _RAISED.sub(_raise, text)
        text = _TAG.sub(lambda m: " " * len(m[0]), text)
    if "&" in text:
        text = _ENTITY.sub(_entity, text)
    text = text.translate(_TABLE)
    if "\\" in text:
        if math:
            text = _MATH.sub(" ", text)
        text = text.replace("\\", " ")
    if "*" in text or "__" in text:
        text = _MARKS.sub(lambda m: " " * len(m[0]), text)
    return text


def _entity(m: re.Match[str]) -> str:
    char = html.unescape(m[0])
    return char.rjust(len(m[0])) if len(char) <= 2 else m[0]


def _raise(m: re.Match[str]) -> str:
    """`<sup>2</sup>` as a superscript two that touches what stands before it."""
    return m[1].translate(_SUPERSCRIPT).ljust(len(m[0]))
