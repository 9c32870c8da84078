"""Words of claims and pages, made comparable: identifiers stay exact, plain words lose their endings."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from kb.judging.large_numbers import LARGE, in_digits, with_letter

_TOKEN = re.compile(
    r"(?<![\w-])--?[A-Za-z0-9](?:[\w-]*\w)?(?:=[\w.]+)?"  # an option of a command: -1, --long
    rf"|(?<![\w.,])(?i:{LARGE})"  # 1.4 million
    r"|(?<![\w.,])\d{1,3}(?:,\d{3})+(?![\w,])"  # 20,000 as one number
    r"|_{0,2}[^\W_]+(?:[._][^\W_]+|_+)*(?:\.[*])?"  # words, also dotted or underscored: session.timeout.ms
)
_TIED = re.compile(r"(?<![\w-])[a-z][a-z0-9]*(?:-[a-z0-9]+)+(?![\w-])")
_BEGUN = re.compile(r"(?<![\w-])[A-Z][a-z]+(?:-[A-Za-z][a-z]*)+(?![\w-])")
"""Words that a hyphen ties where a sentence or a title begins with them: Self-hosted."""
_BRAND = re.compile(
    r"[A-Z][A-Za-z]*\.[A-Za-z]{2,4}|[a-z]+\.(?:com|org|net|io|ai|gov|edu|dev|app|co|eu|uk|de|fr|js)"
)  # Node.js, GOV.UK: a name, said at every turn or not
_PIECE = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_NUMBER = re.compile(r"\d+(?:\.\d+)*")
_MARK = re.compile(r"(?<=[^\W\d_]{3})[¹²³⁰⁴⁵⁶⁷⁸⁹]+")
"""A footnote's mark behind a word, which is no part of it."""
_BOUND = re.compile(
    r"(?P<least>\b(?:or|and)\s(?:later|newer|higher|above|up|greater)\b|\bno less than\b"
    r"|(?<=\d)\+(?![\w+])|≥|>=)|\b(?:no more than|not (?:to )?exceed(?:ing)?|[Uu]p to(?=\s\d)|[Aa]t most)\b"
)
"""What makes a value the least or the most that there may be."""
_OF_BOUNDS = (
    "later", "newer", "higher", "above", "or up", "and up", "greater", "less than", "+", "≥", ">=",
    "more than", "exceed", "p to ", "t most",
)  # fmt: skip
STOP = frozenset(
    {
        "a", "an", "the", "of", "in", "on", "at", "to", "for", "from", "by", "with", "and", "or", "nor",
        "as", "is", "are", "be", "been", "being", "was", "were", "it", "its", "this", "that", "these",
        "those", "which", "who", "whom", "whose", "there", "here", "than", "then", "if", "when", "while",
        "into", "onto", "over", "under", "per", "each", "every", "any", "can", "may", "has", "have",
        "had", "do", "does", "did", "will", "would", "should", "could", "must", "not", "no", "via", "up",
        "out", "about", "between", "within", "you", "your", "we", "our", "they", "their", "them", "he",
        "she", "i", "me", "my", "us", "also", "just", "only",
    }
)  # fmt: skip
"""Words that join others and name nothing."""

_ENDINGS = (
    "ations",
    "ation",
    "ating",
    "ated",
    "ates",
    "ate",
    "ings",
    "ing",
    "ments",
    "ment",
    "ions",
    "ion",
    "ers",
    "er",
    "ed",
    "ly",
    "es",
    "s",
    "e",
)

_NOUNS = ("oval", "ieval", "rival", "ewal", "rawal", "ovals", "ievals", "rivals", "ewals", "rawals")
"""How nouns of a verb end that only lose their ending: removal, retrieval, arrival, renewal, withdrawal."""

# Words that technical writing uses one for the other; each group reads as its first word.
_SAME = (
    "maximum max maximal greatest largest highest",
    "minimum min minimal least smallest lowest",
    "limit quota cap",
    "price cost fee charge pricing",
    "memory ram",
    "bandwidth throughput",
    "number count",
    "duration length",
    "retention retain retained",
    "year annual annually yearly",
    "month monthly",
    "day daily",
    "hour hourly hr",
    "week weekly",
    "email mail",
    "byte octet",
    "license licence",
    "color colour",
    "behavior behaviour",
    "center centre",
    "gray grey",
    "catalog catalogue",
    "program programme",
)


BRITISH = 5
"""Letters from which on a stem in -is reads as one in -iz: organis, organiz."""


def _stem(word: str) -> str:
    if word.endswith(("ies", "ied")) and len(word) > 5:
        return word[:-3] + "y"
    if len(word) > 6 and word.endswith(_NOUNS):
        word = word.rstrip("s")[:-2]  # removal, renewals
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            stem = word[: -len(ending)]
            if len(stem) > BRITISH and stem.endswith("is"):
                return stem[:-1] + "z"
            return stem[:-1] if len(stem) > 4 and stem[-1] == stem[-2] and stem[-1] not in "sl" else stem
    return word


_CANON = {_stem(w): _stem(group.split()[0]) for group in _SAME for w in group.split()}


def stem(word: str) -> str:
    """A plain word in lower case without its ending; words used one for the other read as one."""
    bare = _stem(word)
    return _CANON.get(bare, bare)


LEAST, MOST = stem("minimum"), stem("maximum")
"""The words that bounds say: `3.9 or later` is a minimum."""

INSIDE = 0.6
"""What a part of an identifier says of the word that it is: `retry.max.ms` hardly speaks of `retry`."""


class Token(NamedTuple):
    """One word at its place.

    `sharp`: an identifier or number, which only itself can answer. `says`: how much it says
    the word, less where it is only a part of an identifier.
    """

    key: str
    start: int
    end: int
    sharp: bool
    says: float = 1.0


_SEVERAL = re.compile(r"[A-Z]+\d+s|[a-z]+[A-Z]{2,}s")
"""Several of what an identifier names."""
SHOUTED = 6
"""Letters from which a word in capitals is no abbreviation but a word: UPDATE, TIMEOUT."""


LONGEST = 256
"""Characters of the longest word; what is longer names nothing (a data address, a page without a space)."""


_VERSION = re.compile(r"v?(\d+(?:\.\d+)+)")
_ZEROS = re.compile(r"(?:\.0)+$")
_SIZED = re.compile(r"\d+(?:\.\d+)?[kmgt]b")


def _even(low: str) -> str:
    """A word as all its spellings: `25` of 25.0, 25.0.0 and v25.0, `16g` of 16GB. Others as they are."""
    if "," in low:
        return low.replace(",", "")
    if low[-1] == "b" and _SIZED.fullmatch(low):
        return low[:-1]
    version = _VERSION.fullmatch(low)
    return _ZEROS.sub("", version[1]) if version else low


@lru_cache(maxsize=65536)
def _key(word: str) -> tuple[str, bool]:
    low = _even(word.lower())
    if _NUMBER.fullmatch(low):
        return low, True
    if len(word) > 2 and word[-1] == "s" and word[:-1].isupper() and word[:-1].isalpha():
        return _CANON.get(low[:-1], low[:-1]), False  # GPUs
    if _SEVERAL.fullmatch(word):
        word, low = word[:-1], low[:-1]  # A100s, vCPUs
    inner = any(c.isdigit() for c in word) or "." in word or "_" in word or low.startswith("-")
    if _BRAND.fullmatch(word):
        return low, False
    camel = any(c.isupper() for c in word[1:]) and not word.isupper()
    if inner or camel:
        return low, True
    if 1 < len(word) < SHOUTED and word.isupper():
        return _CANON.get(low, low), False
    stem = _stem(low)
    return _CANON.get(stem, stem), False


@lru_cache(maxsize=16384)
def is_strict(word: str) -> bool:
    """Whether a sharp word is an identifier that nothing else is called by, and no name such as RoCE."""
    if any(c.isdigit() for c in word) or "_" in word or word.startswith("-") or word.count(".") > 1:
        return True
    return len(_PIECE.findall(word)) > 1 and not word[:-1].istitle() and word[-1].islower()


_MEASURED = re.compile(r"(\d+(?:\.\d+)?)(?:k|m|g|t|[kmgt]?b|bit|[kmg]?hz|m?w|ms|s|h|x)")
"""A number that its unit follows at once."""
_GLUED = re.compile(r"(\d+(?:\.\d+)?)(?:x(?=[a-z]+\d))?([a-z]{4,}|(?<=x)[a-z]+\d+)")
"""A number with what it counts behind it, without a space: 8vCPU, 4x of 4xA100."""


@lru_cache(maxsize=65536)
def _inside(word: str) -> tuple[tuple[str, bool], ...]:
    """What an identifier also speaks of: `disk_free_limit.absolute` of disk_free_limit, MAIN_PORT of port."""
    out = []
    low = word.lower()
    if "." in word and not _NUMBER.fullmatch(low) and not _VERSION.fullmatch(low):
        parts = low.split(".")
        out += [(".".join(parts[:n]), True) for n in range(1, len(parts)) if "_" in parts[0] or n > 1]
    if low[0] == "v" and low[1:].isdigit():  # v25 says 25, though 5 does not say v5
        out.append((low[1:], True))
    if measured := _MEASURED.fullmatch(low):  # 8bit says 8, 190m says 190
        out.append((_even(measured[1]), True))
    elif glued := _GLUED.fullmatch(low):  # 8vCPU says 8 and vCPU
        out += [(_even(glued[1]), True), _key(word[glued.start(2) :])]
    pieces = _PIECE.findall(word)
    if len(pieces) > 1:
        out += [_key(piece) for piece in pieces if len(piece) > 2 and piece.lower() != low]
    return tuple(out)


@lru_cache(maxsize=16384)
def _option(word: str, stems: bool) -> tuple[tuple[str, bool, float], ...]:
    """What an option of a command says: `--name=VALUE` is called name, with its dashes and without."""
    name, _, value = word.partition("=")
    bare = name.lstrip("-").lower()
    key, sharp = _key(bare)
    if len(bare) < 3:
        return ((name.lower(), True, 1.0), (key, sharp, 1.0))
    out = [(bare, True, 1.0)]
    if key != bare:
        out.append((key, sharp, 1.0))
    if value and not value.isupper():
        out.append((f"{bare}={value.lower()}", True, 1.0))
    if stems:
        out += [(*_key(piece), INSIDE) for piece in bare.split("-") if piece != bare and len(piece) > 1]
    return tuple(out)


@lru_cache(maxsize=65536)
def _said(word: str, stems: bool) -> tuple[tuple[str, bool, float], ...]:
    """What one word says, wherever it stands: each key, if it is sharp, and how much it says it."""
    if len(word) > LONGEST or word.lower() in STOP:
        return ()
    if word[0] == "-":
        return _option(word, stems)
    if word[0].isdigit() and any(c.isspace() for c in word):
        return _large(word, stems)
    key, sharp = _key(word)
    out = [(key, sharp, 1.0)]
    if not sharp and "." in key:  # Node.js is also Node
        out.append((_key(key.partition(".")[0])[0], False, 1.0))
    if stems and sharp:
        out += [(k, s, INSIDE) for k, s in _inside(word)]
        if full := in_digits(word):
            out.append((full, True, 1.0))
    return tuple(out)


def _large(word: str, stems: bool) -> tuple[tuple[str, bool, float], ...]:
    """What `1.4 million` says: 1400000, and where it answers to a claim's word 1.4m and its number, too."""
    full = (in_digits(word) or word.lower(), True, 1.0)
    if not stems:
        return (full,)
    short, number = with_letter(word)
    return full, (short, True, 1.0), (_even(number), True, INSIDE)


def tokens(text: str, *, stems: bool = True) -> list[Token]:
    """The words of a text in order, without stop words; with `stems` also what dotted names begin with."""
    text = _unmarked(text)
    found = _bounds(text)
    for match in _TOKEN.finditer(text):
        for key, sharp, says in _said(match.group(), stems):
            found.append(Token(key, match.start(), match.end(), sharp, says))
    found += _tied(text, stems)
    return found


def _keys(text: str, stems: bool) -> list[str]:
    """The words of `tokens`, wherever they stand."""
    text = _unmarked(text)
    found = [key for word in _TOKEN.findall(text) for key, _, _ in _said(word, stems)]
    found += [token.key for token in (*_bounds(text), *_tied(text, stems))]
    return found


def _unmarked(text: str) -> str:
    """A text with blanks for the marks of footnotes."""
    if "¹" in text or "²" in text or "³" in text:
        return _MARK.sub(lambda m: " " * len(m[0]), text)
    return text


def _bounds(text: str) -> list[Token]:
    for sign in _OF_BOUNDS:  # few texts have one, and looking for bounds costs
        if sign in text:
            return [Token(LEAST if m["least"] else MOST, *m.span(), False) for m in _BOUND.finditer(text)]
    return []


def _tied(text: str, stems: bool) -> list[Token]:
    """What hyphens tie into one name: prod-large is not large."""
    if "-" not in text:
        return []
    tied = (m for m in _TIED.finditer(text) if m.end() - m.start() <= LONGEST)
    found = [Token(m.group(), *m.span(), False) for m in tied]
    if stems:
        found += [Token(m.group().lower(), *m.span(), False) for m in _BEGUN.finditer(text)]
    return found


@lru_cache(maxsize=4096)
def claim_tokens(text: str, stems: bool = False) -> tuple[Token, ...]:
    """`tokens` of a part of a claim, which many captures are judged for."""
    return tuple(tokens(text, stems=stems))


@lru_cache(maxsize=16384)
def speech(text: str) -> Mapping[str, float]:
    """The distinct words of a text, with how much it says each."""
    out: dict[str, float] = {}
    for token in tokens(text):
        out[token.key] = max(out.get(token.key, 0.0), token.says)
    return out


@lru_cache(maxsize=16384)
def keys(text: str) -> frozenset[str]:
    """The distinct words of a text, parts of identifiers left out."""
    return frozenset(_keys(text, False))


Labels = tuple[str, ...]
"""The labels of a row, a column or a part of a page, outermost first."""


@lru_cache(maxsize=16384)
def words_of_labels(labels: Labels) -> frozenset[str]:
    """The distinct words of some labels, parts of identifiers included."""
    return frozenset([key for label in labels for key in _keys(label, True)])


_DIGITS = re.compile(r"(?<![^\W\d_])(?:[^\W\d_]*\d[^\W_]*)(?:[.,'’\u00a0\u202f-]\d[^\W_]*)*")
_DIGIT = re.compile(r"\d+(?:[.,'’\u00a0\u202f]\d+)*")


@lru_cache(maxsize=65536)
def _mask(word: str) -> tuple[str, tuple[str, ...]]:
    """A word with its numbers masked, and what of it may be asked to stay."""
    return _DIGIT.sub("#", word), (_even(word), *word.split("-"))


def masked(text: str, keep: frozenset[str] = frozenset(), met: set[str] | None = None) -> str:
    """The text with every number as `#`, in lower case, so that rewording shows and new figures do not.

    The words in `keep` (the claim's own identifiers) stay as they are. All words that could have
    been kept are added to `met`.
    """

    def mask(match: re.Match[str]) -> str:
        word = match.group()
        hidden, parts = _mask(word)
        if met is not None:
            met.update(parts)
        return hidden if keep.isdisjoint(parts) else word

    low = text.lower()
    return " ".join((_DIGITS.sub(mask, low) if _DIGIT.search(low) else low).split())
