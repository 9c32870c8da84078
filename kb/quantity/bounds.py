"""Words that make a number a bound or near: up to, at least, over, about, or more, max."""

from __future__ import annotations

from functools import cache

from kb.quantity.atom import Atom
from kb.quantity.lexicon import bounds, word_set
from kb.quantity.spelling import is_money
from kb.quantity.tokens import CJK, NUMBER, SIGN, WORD, Tokens
from kb.quantity.units import unit_dimension

_SKIP = word_set("beside")
_ONLY_MONEY = frozenset({"from", "desde", "от", "dès", "starts from"})
_SPANS = frozenset(
    {"over", "über", "above", "within", "under", "innerhalb von", "binnen", "inside", "beyond"}
)
_BEFORE_OVER = word_set("before over")
_STOPS = word_set("stop", "en")
_LIMIT_WORDS = bounds("limits")
_REACH = frozenset(
    {"of", "is", "at", "to", "was", "von", "de", "beträgt", ":", "=", "are", "est", "es", "set"}
)
_CLAUSE = frozenset({",", ";", ".", "!", "?", "|", "—"})
_CHANGE_VERBS = word_set("changes")


def bound_of(t: Tokens, atom: Atom, floor: int) -> str:
    """The bound of an atom from the words beside it; empty where none stands there.

    `floor` is the end of the quantity before it, over which nothing reaches.
    Where a limit and an "about" meet, the limit wins.
    """
    if "changed" in atom.marks:
        floor = max(floor, atom.first - 2)
    before = _before(t, atom, floor)
    after = _after(t, atom)
    limit = next((b for b in (after, before) if b and b != "about"), "")
    if limit and after == "at-least" and before in ("more-than", "at-most"):
        limit = after if before == "more-than" else before
    return limit or atom.bound or before or after or _far_before(t, atom, floor)


def _before(t: Tokens, atom: Atom, floor: int) -> str:
    k, result, skipped = atom.first, "", 0
    known = bounds("before")
    while k > floor:
        if t.kind[k - 1] == CJK:
            inside = _in_run(t.low[k - 1], known)
            return inside if inside and (inside != "about" or not result) else result
        found = _phrase(t, k, floor, known)
        if found:
            phrase, start = found
            bound = known[phrase]
            if not _means_it(t, phrase, start, atom, floor):
                return result
            if bound != "about":
                return bound
            result, k = "about", start
            continue
        if t.low[k - 1] not in _SKIP or skipped > 3:
            return result
        k, skipped = k - 1, skipped + 1
    return result


_ABBREVIATED = frozenset(
    [
        "max",
        "min",
        "ca",
        "approx",
        "etc",
        "mind",
        "env",
        "aprox",
        "est",
        "höchst",
        "maks",
        "c",
        "appr",
        "zzgl",
    ]
)


def _bare(low: str) -> str:
    """A French word without its article: environ of d'environ."""
    return low[2:] if low[1:2] == "'" and low[0] in "dl" and len(low) > 3 else low


def _in_run(run: str, known: dict[str, str]) -> str:
    """The bound that a run of Chinese, Japanese or Korean ends with."""
    return next((known[run[-n:]] for n in (3, 2, 1) if run[-n:] in known), "")


@cache
def _last_words() -> frozenset[str]:
    """What a phrase before a number may end with; signs that are passed over count too."""
    ends = {phrase.rpartition(" ")[2] for phrase in bounds("before")}
    return frozenset(ends | {f"{a}'{w}" for w in ends for a in "dl"} | {".", ":", "-"})


@cache
def _first_words() -> frozenset[str]:
    return frozenset(phrase.partition(" ")[0] for phrase in bounds("after"))


def _phrase(t: Tokens, k: int, floor: int, known: dict[str, str]) -> tuple[str, int] | None:
    """The longest phrase of `known` that ends before token `k`."""
    if t.low[k - 1] not in _last_words():
        return None
    words: list[str] = []
    best, i = None, k
    while i > floor and len(words) < 5:
        i -= 1
        word = _bare(t.low[i])
        if word in "-.:" and word and (t.gap[i] == 0 or word == "-"):
            if word == "." and (i + 1 < k or t.low[i - 1] not in _ABBREVIATED):
                break
            if word == "-" and t.gap[i] != 0:
                break
            continue
        if t.gap[i + 1 : i + 2] == [2] and len(words) > 1:
            break
        words.insert(0, word)
        phrase = " ".join(words)
        if phrase in known:
            best = (phrase, i)
    return best


def _means_it(t: Tokens, phrase: str, start: int, atom: Atom, floor: int) -> bool:
    """Whether the phrase bounds this number, and is not a plain preposition."""
    before = t.low[start - 1] if start > floor else ""
    dimension = unit_dimension(atom.unit) if atom.unit else ""
    if phrase in ("below", "under", "above", "over", "near", "beyond") and "the" in t.low[start : atom.first]:
        return False  # below the 5% baseline
    if phrase in _ONLY_MONEY:
        return (
            is_money(atom.unit)
            and atom.high is None
            and "changed" not in atom.marks
            and (floor == 0 or start > floor)  # "to $44 billion from $39 billion"
            and not any(w in _CHANGE_VERBS for w in t.low[max(floor, start - 6) : start])
        )
    if phrase == ">" and t.gap[start] == 2:
        return False  # a quoted line
    if phrase == "like":
        return before in ("is", "was", "and", "are") or before.endswith("'s")
    if phrase in ("within", "inside", "binnen", "sous"):
        return dimension in ("time", "length", "fraction", "temperature") or dimension.startswith("money")
    if phrase in _SPANS:
        if start <= floor and floor > 0 and dimension in ("length", "time"):
            return False
        if dimension == "time" and phrase in ("over", "über"):
            return before in _BEFORE_OVER and before not in ("and", "by")
        if dimension == "length" and phrase == "over":
            return before in _BEFORE_OVER or not before
        return not (phrase == "under" and before in ("falls", "listed"))
    title = (
        t.word[start].istitle()
        and start > floor
        and t.kind[start - 1] in (WORD, "m")
        and t.word[start - 1][:1].isupper()
    )
    if title and phrase in ("max", "min"):
        return False  # iPhone 15 Pro Max 256GB
    if phrase in ("limit", "limits", "cap", "max", "min", "maximum", "minimum"):
        return t.low[start + 1] != ")"
    return True


def _after(t: Tokens, atom: Atom) -> str:
    j = atom.stop
    if j >= t.size or t.gap[j] == 2:
        return ""
    if t.low[j] in ("〜", "～", "~") and is_money(atom.unit) and t.kind[j + 1] != NUMBER:
        return "at-least"
    if t.kind[j] == CJK:
        return next((b for p, b in bounds("after").items() if not p.isascii() and t.low[j].startswith(p)), "")
    if t.low[j] == "ish" or (t.low[j] == "-" and t.low[j + 1] == "ish"):
        return "about"
    if t.low[j] in (",", "(") and t.low[j + 1] in ("max", "min", "maximum", "minimum", "or", "at", "and"):
        j += 1
    known = bounds("after")
    if _first_words().isdisjoint(t.low[j : j + 5]):
        return ""
    for k in range(j + 1, min(t.size, j + 5)):  # 4 GB of RAM or less
        if t.low[k] in ("or", "oder", "ou", "o") and " ".join(t.low[k : k + 2]) in known:
            return known[" ".join(t.low[k : k + 2])]
        if t.kind[k - 1] not in (WORD, "m") or t.low[k - 1] in ("and", "or", "with", "to", "for", "in", "by"):
            break
    if t.low[j] not in _first_words():
        return ""
    for size in (3, 2, 1):
        phrase = " ".join(t.low[j : j + size])
        if phrase not in known or t.size < j + size:
            continue
        nxt = j + size
        if size == 1 and phrase in (
            "max",
            "min",
            "maximum",
            "minimum",
            "limit",
            "cap",
            "ceiling",
            "approx",
            "approximately",
        ):
            k = nxt + 1 if t.low[nxt] == "." else nxt
            if t.kind[k] == NUMBER or t.low[k] in ("of", ":", "=", "is", "to", "$", "€", "~", "size"):
                return ""
            if phrase in ("approx", "approximately") and t.kind[k] not in ("", SIGN):
                return ""
        return known[phrase]
    return ""


def _title_before(t: Tokens, k: int, floor: int) -> str:
    """`Max file size 25 MB`: a limit word at the start, and only nouns between."""
    i = k - 1
    while i > floor and k - i <= 4 and t.kind[i] == WORD and t.low[i] not in _STOPS:
        i -= 1
    first = t.low[i]
    if (
        k - i < 2
        or first not in ("max", "maximum", "min", "minimum")
        or (i > floor and t.kind[i - 1] == WORD)
    ):
        return ""
    return _LIMIT_WORDS[first]


def _far_before(t: Tokens, atom: Atom, floor: int) -> str:
    """`limited to the baseline rate of 40 MiB/s`, `maximum bandwidth: 10 Gbps`."""
    k = atom.first
    if k > floor and t.low[k - 1] not in _REACH:
        return _title_before(t, k, floor)
    if k <= floor:
        return ""
    for i in range(k - 1, max(floor, k - 11) - 1, -1):
        low = t.low[i]
        if low in _CLAUSE and not (low == "." and t.low[i - 1] in ("max", "min")):
            return ""
        if low in _LIMIT_WORDS:
            if low in ("exceed",) and t.low[i - 1] not in ("not", "cannot", "can't", "never"):
                return ""
            if low in ("limit", "limits") and t.low[k - 1] not in (
                "of",
                "is",
                "to",
                ":",
                "=",
                "at",
                "are",
                "set",
            ):
                return ""
            return _LIMIT_WORDS[low]
    return ""
