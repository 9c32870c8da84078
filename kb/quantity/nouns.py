"""Counted nouns: what a number counts, and what a figure is for."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from kb.quantity.basis import is_usual, singular
from kb.quantity.lexicon import irregular, months, word_set
from kb.quantity.spelling import unit_at
from kb.quantity.tokens import CJK, NAME, NUMBER, SIGN, WORD, Tokens

REACH = 8
"""Tokens after a number in which its noun is looked for."""

_ACRONYM = re.compile(r"[A-Z]{2,6}|[a-z][A-Z][A-Za-z]{1,6}|[A-Z]{2,6}e")
_MODEL = re.compile(r"[A-Z]{1,3}\d{2,5}[A-Za-z]{0,3}s?(?:-[a-z]+)?")
_PLURAL_ACRONYM = re.compile(r"([a-z]?[A-Z]{2,6}|[a-z][A-Z][A-Za-z]{1,6}|[A-Z]{1,3}\d{2,5}[A-Za-z]{0,2})s")
COUNTED_ALONE = word_set("counted alone")
"""Nouns that a number counts in the singular too: 2 vCPU."""
_ING_NOUNS = frozenset(
    [
        "building",
        "ring",
        "string",
        "spring",
        "listing",
        "recording",
        "meeting",
        "rating",
        "setting",
        "wing",
        "king",
        "painting",
    ]
)
_NOUN_AFTER_ACRONYM = word_set("after acronym")
_E_PLURALS = tuple(word_set("german plurals"))
_GERMAN_ENDINGS = ("ungen", "heiten", "keiten", "ionen", "schaften", "täten")


@cache
def stops(lang: str | None) -> frozenset[str]:
    """Words that end a noun phrase in a language's texts."""
    own = lang if lang in ("en", "de", "fr", "es") else "xx"
    keys = ["en", "verb"] if lang in (None, "en") else ["en", own]
    return word_set("stop", *keys)


@cache
def _not_plural() -> frozenset[str]:
    return word_set("not plural")


@lru_cache(4096)
def is_plural(word: str) -> bool:
    """Whether an English word looks like a plural noun."""
    low = word.lower()
    if (
        low in irregular()
        or _PLURAL_ACRONYM.fullmatch(word)
        or (low.endswith("s") and low[:-1] in COUNTED_ALONE)
    ):
        return True
    if len(low) < 3 or not low.endswith("s") or low in _not_plural():
        return False
    return not low.endswith(("ss", "us", "is", "'s"))


def is_plural_acronym(word: str) -> bool:
    """GPUs, vCPUs, H100s."""
    return _PLURAL_ACRONYM.fullmatch(word) is not None


@lru_cache(4096)
def one_of(word: str) -> str:
    """A noun in the singular, in lower case unless it is an acronym or a name."""
    low = word.lower()
    if low in irregular():
        return irregular()[low]
    m = _PLURAL_ACRONYM.fullmatch(word)
    if m:
        return m[1]
    if _ACRONYM.fullmatch(word) or _MODEL.fullmatch(word):
        return word
    return singular(low)


def noun_after(
    t: Tokens, j: int, lang: str | None, *, one: bool = False, scaled: bool = False
) -> tuple[str, int] | None:
    """The noun that a number before token `j` counts, and the token after it; None if it counts nothing.

    English: the first plural before anything that ends a noun phrase, else an
    acronym. Other languages: the next noun, as its capital or its place tells.
    """
    if j < t.size and t.kind[j] == CJK:
        return _chinese(t, j, scaled)
    if t.low[j] == "-" and t.gap[j] == 0 and t.gap[j + 1] == 0:
        return _hyphened(t, j + 1)
    if t.low[j] in months() and t.gap[j] and t.low[j] not in ("may", "mar"):
        return None
    if one and t.low[j] == "of":
        return None
    if t.low[j] in ("of", "de", "d'", "von", "des", "di", "do", "da", "av", "van"):
        j += 1
        if t.low[j] in ("the", "these", "those", "our", "its", "all", "den", "der"):
            j += 1
    if lang in (None, "en", "zh", "ja", "ko"):
        return _english(t, j, lang) or (_one_thing(t, j, lang) if one else None)
    if lang == "de":
        return _german(t, j) or _english_acronym(t, j, lang)
    return _romance(t, j, lang)


def _hyphened(t: Tokens, k: int) -> tuple[str, int] | None:
    """48-port, 8-building: the word after the hyphen, whatever stands behind it."""
    if t.kind[k] != WORD or t.low[k] in word_set("uncounted", "hyphen") or len(t.word[k]) < 3:
        return None
    if t.low[k].endswith("ing") and t.low[k] not in _ING_NOUNS:
        return None
    if t.low[k] in stops("en") or t.low[k].endswith(("ed", "ary")) or unit_at(t, k, "en"):
        return None
    noun, stop = one_of(t.word[k].removesuffix("al") if t.low[k] == "dimensional" else t.word[k]), k + 1
    while t.low[stop] == "-" and t.gap[stop] == 0 and t.kind[stop + 1] == WORD and t.gap[stop + 1] == 0:
        stop += 2
    return noun, stop


def _one_thing(t: Tokens, j: int, lang: str | None) -> tuple[str, int] | None:
    """What a digit one counts: the last word of a short phrase, in the singular."""
    k = j
    while k < min(t.size, j + 3) and t.kind[k] == WORD and t.low[k] not in stops(lang) and t.gap[k] == 1:
        k += 1
    word = t.word[k - 1] if k > j else ""
    if (
        len(word) < 3
        or is_plural(word)
        or word.lower().endswith(("ed", "ing", "ly"))
        or (word.istitle() and lang == "en")
    ):
        return None
    return (one_of(word), k) if k == t.size or t.kind[k] == SIGN or t.low[k] in stops(lang) else None


def _english(t: Tokens, j: int, lang: str | None) -> tuple[str, int] | None:
    ends, last = stops(lang), None
    k, stop = j, min(t.size, j + REACH)
    while k < stop:
        kind, word, low = t.kind[k], t.word[k], t.low[k]
        if t.gap[k] == 2 and (k > j or not (is_plural(word) and word.islower())):
            break
        if kind == SIGN:
            if word in "®™©":
                k += 1
                continue
            if word in "-/'" and t.gap[k] == 0 and t.gap[k + 1] == 0:
                k += 1
                continue
            if k == j and word == "(" and t.low[k + 2] == ")":
                k += 3
                continue
            break
        if kind == NUMBER:
            inner = unit_at(t, k + 1, lang) if t.gap[k + 1] == 0 or t.gap[k] else None
            if not inner:
                break
            k = inner[1]
            continue
        if kind == CJK or low in ends:
            break
        if kind == NAME:
            if _MODEL.fullmatch(word):
                last = (word, k + 1)
                if word.endswith("s") and word[-2:-1].isalnum():
                    return one_of(word), k + 1
            k += 1
            continue
        if is_plural(word) and not (_possessive(t, k) or (k == j and low in ("times",))):
            return _with_hyphen(t, j, k)
        if low == "node" and last and _MODEL.fullmatch(last[0]):
            break  # 8x H100 node
        if _ACRONYM.fullmatch(word) or low in COUNTED_ALONE:
            last = (word, k + 1)
        elif last and not _MODEL.fullmatch(last[0]):
            last = last if low not in ("cluster", "node", "nodes") else None
        k += 1
    if last is None:
        return None
    word = last[0]
    if _MODEL.fullmatch(word) or word.lower() in COUNTED_ALONE or last[1] == j + 1:
        return one_of(word), last[1]
    return None


def _possessive(t: Tokens, k: int) -> bool:
    return t.low[k + 1] == "'" and t.gap[k + 1] == 0


def _with_hyphen(t: Tokens, j: int, k: int) -> tuple[str, int]:
    """The plural at `k`, with what a hyphen ties to it where that is a unit of work: GPU-hours."""
    if (
        k - 2 >= j
        and t.word[k - 1] == "-"
        and t.gap[k] == 0
        and t.low[k] in ("seconds", "minutes", "hours", "days", "months", "years")
    ):
        return f"{t.word[k - 2]}-{one_of(t.word[k])}", k + 1
    return one_of(t.word[k]), k + 1


def _english_acronym(t: Tokens, j: int, lang: str | None) -> tuple[str, int] | None:
    if t.kind[j] == WORD and (_ACRONYM.fullmatch(t.word[j]) or _PLURAL_ACRONYM.fullmatch(t.word[j])):
        return one_of(t.word[j]), j + 1
    if t.kind[j] == NAME and _MODEL.fullmatch(t.word[j]):
        return one_of(t.word[j]), j + 1
    return None


def _german(t: Tokens, j: int) -> tuple[str, int] | None:
    """The next capitalised word, after adjectives."""
    k = j - 1
    while k < min(t.size, j + 5) - 1:
        k += 1
        inner = unit_at(t, k + 1, "de") if t.kind[k] == NUMBER and k > j - 1 else None
        if inner:
            k = inner[1] - 1
            continue
        if t.kind[k] != WORD or t.low[k] in stops("de"):
            return None
        word = t.word[k]
        if (
            word in ("NVMe", "SATA", "SAS", "HBM", "PCIe")
            and t.kind[k + 1] == WORD
            and t.word[k + 1][0].isupper()
        ):
            continue
        if word == "Uhr":
            return None
        if word[0].isupper() and len(word) > 1:
            if t.low[k + 1] == "-" and t.gap[k + 1] == 0 and t.gap[k + 2] == 0 and t.kind[k + 2] == WORD:
                word, k = t.word[k + 2], k + 2
            return german_singular(word), k + 1
        if not t.low[k].endswith(("e", "en", "er", "es", "em")):
            return None
    return None


def german_singular(word: str) -> str:
    """The singular of a German plural, as far as its ending tells."""
    low = word.lower()
    if low in irregular():
        return irregular()[low]
    if _PLURAL_ACRONYM.fullmatch(word) or _ACRONYM.fullmatch(word):
        return one_of(word)
    if low.endswith(_GERMAN_ENDINGS):
        return word[:-2]
    if low.endswith("nden"):
        return word[:-1]
    if low.endswith("nde") or len(word) < 5:
        return word
    if low.endswith("innen"):
        return word[:-3]
    if low.endswith(_E_PLURALS):
        return word[:-1]
    if low.endswith("en"):
        return word[:-1] if low[-3:-2] not in "td" else word[:-2]
    if low.endswith("s") and not low.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _romance(t: Tokens, j: int, lang: str | None) -> tuple[str, int] | None:
    """The next word, where it is a plural noun."""
    ends = stops(lang)
    for k in range(j, min(t.size, j + 3)):
        if t.kind[k] != WORD:
            return _english_acronym(t, k, lang) if t.kind[k] == NAME else None
        low, word = t.low[k], t.word[k]
        if low.startswith(("d'", "l'")):
            low, word = low[2:], word[2:]
        if low in ends or len(low) < 3:
            return None
        found = _english_acronym(t, k, lang)
        if found:
            return found
        if low in irregular():
            return irregular()[low], k + 1
        if lang in ("fr", "es", "pt") and low.endswith(("s", "x")):
            return _romance_singular(low, lang), k + 1
        if lang == "sv" and low.endswith(("ar", "er", "or", "are")):
            return (
                low[:-2] + "m" if low.endswith("mmar") else low[:-2] if not low.endswith("mmar") else low
            ).replace("mmm", "m"), k + 1
        if lang not in ("fr", "es", "pt", "sv") and t.gap[k] == 1:
            return word, k + 1
        if lang in ("fr", "es", "pt") and k == j:
            continue
        return None
    return None


def _romance_singular(low: str, lang: str | None) -> str:
    if low in ("pays", "mois", "fois", "temps", "prix", "choix", "bras", "cas", "repas"):
        return low
    if lang == "fr":
        return (
            low[:-3] + "al" if low.endswith("aux") and not low.endswith("eaux") and len(low) > 5 else low[:-1]
        )
    if lang in ("es", "pt") and low.endswith("ciones"):
        return low[:-4] + "ón"
    if lang == "es" and low.endswith("es") and low[-3:-2] in "rlndzj":
        return low[:-2]
    return low[:-1]


_COUNTERS = re.compile(
    r"[个個台臺块塊张張条條名人位颗顆核架卡路次套枚本件匹組组]|명|개|대|장|명의|人|件|台|個|回|基"
)


_HAN = re.compile(r"[\u3400-\u9fff\u30a0-\u30ff]+")
_FOR_EACH = ("あたり", "当たり", "につき", "당")


def _chinese(t: Tokens, j: int, scaled: bool) -> tuple[str, int] | None:
    """A measure word after the number, and the noun behind it where one stands."""
    word = t.word[j]
    m = _COUNTERS.match(word)
    if not m:
        return (word[:4], j + 1) if scaled and _HAN.fullmatch(word[:4]) else None  # 1.4 亿用户
    rest = word[m.end() :]
    if rest.startswith(_FOR_EACH):
        return None
    if rest and not _HAN.match(rest):
        rest = "" if rest != "の" or t.kind[j + 1] != WORD else rest[1:]  # what follows is a particle
    if not rest and t.kind[j + 1] == WORD and _ACRONYM.fullmatch(t.word[j + 1]):
        return t.word[j + 1], j + 2
    return (rest[:4] if 0 < len(rest) <= 4 else m[0]), j + 1


def _ends_phrase(t: Tokens, k: int, lang: str | None) -> bool:
    """Whether a plain noun stands at `k`, and a phrase ends with it: NAT gateway."""
    word = t.word[k]
    if not word.islower() or len(word) < 3 or word.endswith(("ed", "ing", "ly")) or unit_at(t, k, lang):
        return False
    return t.kind[k + 1] in ("", SIGN) or t.low[k + 1] in stops(lang)


_NO_PARTS = word_set("no parts")


def _compound(t: Tokens, k: int, lang: str | None) -> bool:
    """Whether the noun at `k` ends a compound in small letters: per storage account, per read unit."""
    return (
        t.word[k - 1].islower()
        and t.low[k] not in _NO_PARTS
        and not is_plural(t.word[k])
        and _ends_phrase(t, k, lang)
    )


def basis_noun(t: Tokens, k: int, lang: str | None) -> tuple[str, int] | None:
    """The noun of the phrase that starts at `k` ("approved drug", "GPU node"), adjectives left out."""
    while (
        t.low[k]
        in (
            "a",
            "an",
            "the",
            "each",
            "every",
            "single",
            "one",
            "jede",
            "jeder",
            "jedem",
            "physical",
            "unique",
        )
        and k + 1 < t.size
    ):
        k += 1
    if k >= t.size or t.kind[k] in (SIGN, NUMBER):
        return None
    if t.kind[k] == CJK:
        return t.word[k][:4], k + 1
    if t.kind[k] == NAME:
        if t.kind[k + 1] == WORD and _ACRONYM.fullmatch(t.word[k + 1]):
            return t.word[k + 1], k + 2
        return one_of(t.word[k]), k + 1
    modifier = t.low[k].endswith(("ing", "ed")) and t.low[k] not in _ING_NOUNS
    if t.low[k] in stops(lang) and not t.word[k].isupper() and not (modifier and t.kind[k + 1] == WORD):
        return None
    word, stop = t.word[k], k + 1
    following = t.kind[stop] == WORD and t.gap[stop] == 1 and t.low[stop] not in stops(lang)
    if following and t.low[k].endswith(
        ("ed", "ing", "ive", "ous", "ical", "ional", "able", "ual", "cal", "ary")
    ):
        inner = basis_noun(t, stop, lang)
        if inner:
            return inner
    if _ACRONYM.fullmatch(word) and following and singular(t.low[stop]) in _NOUN_AFTER_ACRONYM:
        return f"{word} {singular(t.low[stop])}", stop + 1
    if lang in (None, "en") and _ACRONYM.fullmatch(word) and following and _ends_phrase(t, stop, lang):
        return f"{word} {one_of(t.word[stop])}", stop + 1
    if lang in (None, "en") and following and _compound(t, stop, lang) and not is_usual(one_of(word)):
        return f"{word} {one_of(t.word[stop])}", stop + 1
    if lang == "de":
        while (
            word[0].islower()
            and t.kind[stop] == WORD
            and stop < k + 3
            and t.word[stop]
            and word.endswith(("e", "er", "en", "es", "em"))
        ):
            word, stop = t.word[stop], stop + 1
        return (german_singular(word) if _PLURAL_ACRONYM.fullmatch(word) else word), stop
    return one_of(word), stop
