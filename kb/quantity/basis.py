"""What a figure counts for, and whether two wordings of it mean the same."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache

_EQUAL = (
    "vm instance virtual-machine virtuelle-maschine",
    "hour hr h hourly stunde heure",
    "month mo monthly monat mois",
    "year yr yearly annum annual annually jahr an",
    "day daily tag jour",
    "week weekly woche semaine",
    "minute min",
    "second sec s sekunde seconde",
    "gpu accelerator gpus",
    "node server host system machine",
    "user seat person head capita benutzer nutzer utilisateur",
    "vcpu",
    "port",
    "gigabyte gb",
    "tebibyte tib",
    "gibibyte gib",
    "terabyte tb",
    "kilowatt-hour kwh",
    "request req",
    "operation op",
    "image img",
    "iteration iter",
    "message msg",
    "parameter param",
    "token tok",
)
_CLASS = {word: line.split()[0] for line in _EQUAL for word in line.split()}

_USUAL = frozenset(
    {"rack", "request", "token", "region", "account", "cluster", "core", "chip", "card", "link", "query"}
)

_SCALED = re.compile(
    r"(?<![\w.])(?P<number>\d+(?:\.\d+)?)?"
    r"(?:(?<=\d)(?P<sign>[kmb])|(?P<word>[ -]?\b(?:thousand|million|billion)))\b"
)
_SCALE = {"k": 3, "thousand": 3, "m": 6, "million": 6, "b": 9, "billion": 9}
_PERIOD = re.compile(r"\b(?:7 days?|24 hours?|60 minutes?|60 seconds?|12 months?)\b")
_PERIODS = {"7": "week", "24": "day", "60 m": "hour", "60 s": "minute", "12": "year"}
_ARTICLES = frozenset(["a", "an", "the", "one", "each", "every", "single", "per"])


def is_usual(noun: str) -> bool:
    """Whether a noun is a basis by itself, whatever stands behind it: per rack distribution."""
    return noun in _CLASS or noun in _USUAL


def _written_out(found: re.Match[str]) -> str:
    """A number in a basis in digits alone: per 1M tokens is per million tokens."""
    scale = _SCALE[found["sign"] or found["word"].strip(" -")]
    return str(int(Fraction(found["number"] or 1) * 10**scale))


def _period(found: re.Match[str]) -> str:
    """A period by its own name: every 7 days is every week."""
    return _PERIODS.get(found[0][:4]) or _PERIODS[found[0].partition(" ")[0]]


@lru_cache(4096)
def basis_key(words: str) -> tuple[str, ...]:
    """The words that tell one basis from another: singular, lower case, usual synonyms as one."""
    text = re.sub(r"(?<=\d)[, ](?=\d{3})", "", words.casefold()).replace("virtual machine", "vm")
    text = _PERIOD.sub(_period, _SCALED.sub(_written_out, text))
    parts = [w for w in re.findall(r"[^\W_]+(?:[-.][^\W_]+)*|%", text) if w not in _ARTICLES]
    return tuple(_CLASS.get(s, s) for s in (singular(p) for p in parts))


@lru_cache(4096)
def singular(word: str) -> str:
    """An English or French noun in the singular, as far as its ending tells; acronyms keep their case."""
    if len(word) < 3 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("aches", "iches", "anches")):
        return word[:-1]
    if word.endswith(("sses", "shes", "ches", "xes", "zes")) and len(word) > 4:
        return word[:-2]
    return word[:-1]


def same_basis(a: str | None, b: str | None) -> bool | None:
    """Whether two bases mean the same thing; None where one side is silent or leaves it open.

    The last word decides, as words before it only tell it apart from others of
    its kind: a GPU node and a node are one, a GPU and a node are not.
    """
    if not a or not b or "unspecified" in (a, b):
        return None
    ours, theirs = basis_key(a), basis_key(b)
    if not ours or not theirs:
        return None
    if ours == theirs:
        return True
    parts = [frozenset(basis_key(p)[-1:] for p in w.split(" per ")) for w in (a, b)]
    if parts[0] != parts[1] and (parts[0] < parts[1] or parts[1] < parts[0]):
        return None  # one says less: per GB, per GB per month
    numbers = [tuple(w for w in k if w[0].isdigit()) for k in (ours, theirs)]
    return numbers[0] == numbers[1] and ours[-1] == theirs[-1]


def noun_of(unit: str) -> str:
    """The counted noun in a unit: `GPU` of `count:GPU/hour`; empty where there is none."""
    above = unit.partition("/")[0]
    return above[6:] if above.startswith("count:") else above if above != "number" else ""


def same_noun(a: str, b: str) -> bool | None:
    """Whether two counted nouns may count the same things; None where the words do not tell."""
    if not a or not b:
        return None
    ours, theirs = basis_key(a.replace("-", " ")), basis_key(b.replace("-", " "))
    if not ours or not theirs or ours[-1] == theirs[-1]:
        return True
    if any(c.isdigit() for c in ours[-1] + theirs[-1]):
        return None  # a model's name (H100s) stands for what it is (GPUs)
    return False
