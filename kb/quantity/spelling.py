"""Units as written: which unit stands at a token."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from kb.quantity.tokens import Tokens, token_words
from kb.quantity.units import PERIODS, registry, unit_dimension


@dataclass(frozen=True, slots=True)
class Spelling:
    """One spelling in tokens; `exact` says that case matters, `lang` that it counts in one language alone."""

    tokens: tuple[str, ...]
    spaced: tuple[bool, ...]
    exact: bool
    unit: str
    lang: str


@cache
def _heads() -> dict[str, tuple[Spelling, ...]]:
    """Spellings by their first token in lower case, the longest first, symbols before words."""
    out: dict[str, list[Spelling]] = {}
    known = registry()
    for exact, spellings in ((True, known.symbols), (False, known.words)):
        for text, unit in spellings.items():
            bare, _, lang = text.partition("@")
            tokens = token_words(bare if exact else bare.lower())
            spaced = tuple(gap for _, gap in tokens)
            words = tuple(word for word, _ in tokens)
            out.setdefault(words[0].lower(), []).append(Spelling(words, spaced, exact, unit, lang))
    return {
        head: tuple(sorted(found, key=lambda s: (-len(s.tokens), not s.exact))) for head, found in out.items()
    }


def unit_at(t: Tokens, i: int, lang: str | None) -> tuple[str, int] | None:
    """The unit whose spelling starts with token `i`, the longest one, and the token after it."""
    if i >= len(t.low):
        return None
    found = _heads().get(t.low[i])
    if not found:
        return None
    size = len(t.low)
    for s in found:
        n = len(s.tokens)
        if (s.lang and s.lang != lang) or i + n > size:
            continue
        words = t.word if s.exact else t.low
        if words[i] != s.tokens[0]:
            continue
        if n > 1 and not all(
            words[i + k] == s.tokens[k] and bool(t.gap[i + k]) == s.spaced[k] for k in range(1, n)
        ):
            continue
        return s.unit, i + n
    return None


def unit_in_brackets(t: Tokens, i: int, lang: str | None) -> tuple[str, int] | None:
    """The unit in the square bracket at token `i`, and the token after it: the ms of `12 [ms]`."""
    found = unit_at(t, i + 1, lang) if t.gap[i] else None
    if found is None or t.low[found[1]] != "]" or (len(t.word[i + 1]) == 1 and t.word[i + 1] not in "BsW"):
        return None  # [m] and [a] are notes
    return found[0], found[1] + 1


def period_at(t: Tokens, i: int, lang: str | None) -> tuple[str, int] | None:
    """The period (hour, month) that starts with token `i`."""
    found = unit_at(t, i, lang)
    return found if found and found[0] in PERIODS else None


@cache
def is_money(unit: str) -> bool:
    """Whether a unit is a currency, or one for a period."""
    return unit_dimension(unit).startswith("money")
