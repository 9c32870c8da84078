"""The words of `words.txt`, by section, made ready for look-ups."""

from __future__ import annotations

from decimal import Decimal
from functools import cache
from importlib.resources import files

EVERYWHERE = "en"
"""The language whose number words count in every text."""

UNKNOWN = ("en", "de", "fr")
"""The languages whose number words count where the language is not known."""


@cache
def _sections() -> dict[str, list[list[str]]]:
    out: dict[str, list[list[str]]] = {}
    rows: list[list[str]] = []
    for line in files("kb.quantity").joinpath("words.txt").read_text("utf-8").splitlines():
        if line.startswith("["):
            rows = out.setdefault(line.strip("[] "), [])
        elif line and not line.startswith("#"):
            rows.append([c.strip() for c in line.split("|")])
    return out


def _spread(cell: str) -> list[str]:
    return [w.replace("_", " ") for w in cell.split()]


@cache
def number_words(lang: str | None) -> dict[str, tuple[str, Decimal]]:
    """Word to (`digit`, `scale` or `part`) and its value, for texts in one language."""
    langs = {EVERYWHERE, lang} if lang else set(UNKNOWN)
    out: dict[str, tuple[str, Decimal]] = {}
    for kind, section in (("digit", "digits"), ("scale", "scales"), ("part", "fractions")):
        for value, language, words in _sections()[section]:
            if language not in langs:
                continue
            for word in _spread(words):
                if language == lang and language != EVERYWHERE:
                    out[word] = (kind, Decimal(value))
                else:
                    out.setdefault(word, (kind, Decimal(value)))
    return out


@cache
def _french() -> frozenset[str]:
    return frozenset(
        word for _, language, words in _sections()["digits"] if language == "fr" for word in _spread(words)
    )


def is_money_part(word: str, before: str, lang: str | None) -> bool:
    """Whether cents are a part of money and no French hundred: behind digits, and behind English numbers."""
    return word in ("cent", "cents") and before not in _french() and not (before == "six" and lang == "fr")


@cache
def scales(lang: str | None) -> dict[str, Decimal]:
    """Scale words and abbreviations that may follow digits, of all languages, the text's own first."""
    out: dict[str, Decimal] = {}
    rows = _sections()["scales"]
    for value, _, words in sorted(rows, key=lambda r: r[1] != (lang or EVERYWHERE)):
        for word in _spread(words):
            out.setdefault(word, Decimal(value))
    return out


@cache
def bounds(place: str) -> dict[str, str]:
    """Phrase to what it means, of a section such as `before` and `after` (the number)."""
    out: dict[str, str] = {}
    for bound, *phrases in _sections()[place]:
        for phrase in phrases:
            out.setdefault(phrase.replace("_", " "), bound)
    return out


@cache
def word_set(section: str, *keys: str) -> frozenset[str]:
    """All words of a section, or of some of its rows."""
    return frozenset(
        w
        for key, *cells in _sections()[section]
        if not keys or key in keys
        for c in cells
        for w in _spread(c)
    )


@cache
def irregular() -> dict[str, str]:
    """Plural to singular, for nouns whose ending does not tell."""
    return {row[0]: row[1] for row in _sections()["irregular"]}


@cache
def months() -> dict[str, int]:
    """Month names and their abbreviations in all languages, to the month's number."""
    out: dict[str, int] = {}
    for number, words in _sections()["months"]:
        for word in words.split():
            out.setdefault(word, int(number))
    return out
