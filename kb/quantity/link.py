"""Numbers that belong together: ranges, changes, multiplications, sums of units."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction

from kb.quantity.atom import Atom
from kb.quantity.exact import negated, plain_number, scaled
from kb.quantity.lexicon import word_set
from kb.quantity.lists import between, lists
from kb.quantity.multiples import CROSS, ROUND
from kb.quantity.spelling import is_money
from kb.quantity.tokens import WORD, Tokens
from kb.quantity.units import convert, unit_dimension, unit_vector

_RANGE = frozenset(
    [
        "-",
        "–",
        "—",
        "−",
        "‐",
        "~",
        "〜",
        "～",
        "..",
        "...",
        "…",
        "to",
        "bis",
        "through",
        "thru",
        "à",
        "tot",
        "till",
        "hasta",
        "至",
        "到",
        "- to -",
        "to all",
        "to about",
        "to around",
        "to a maximum of",
        "to up to",
        "bis zu",
        "up to",
        "jusqu'à",
        "to over",
        "to nearly",
        "al",
        "do",
        "a",
        "до",
        "bis ca .",
        "to at least",
        "to more than",
    ]
)
_ONLY_IN = {"a": ("es", "pt", "it"), "al": ("it", "es"), "do": ("cs", "pl"), "up to": ()}
_BETWEEN = frozenset(["between", "zwischen", "entre", "tra", "tussen", "mellan", "między"])
_AND = frozenset({"and", "und", "et", "y", "e", "en", "och", "a"})
_ARROWS = frozenset({"→", "->", "=>", "⇒", "➜", "➔"})
_CHANGE_TO = frozenset(
    {"to", "auf", "à", "a", "down to", "up to", "to around", "to about", "to over", "to only", "to just"}
)
_CHANGES = word_set("changes")
_DIMENSIONS = frozenset({"length", "resolution"})
_FINE = {"inch": "foot", "ounce": "pound"}


def link(t: Tokens, atoms: list[Atom], lang: str | None) -> list[list[Atom]]:
    """Groups of atoms that stand together: one for each list, most of one atom alone."""
    return lists(t, _multiplied(t, _ranges(t, atoms, lang)), lang)


def _ranges(t: Tokens, atoms: list[Atom], lang: str | None) -> list[Atom]:
    out: list[Atom] = []
    for b in atoms:
        if out:
            a = out[-1]
            words = between(t, a, b)
            if words is not None and a.high is None and _joined(t, a, b, words, lang):
                continue
            if words and b.lone and not a.lone and _LIMITED.fullmatch(words) and t.kind[b.stop] != WORD:
                b.unit, b.below, b.per = a.unit, a.below, a.per
            low = _before_gloss(t, out, b)
            if low is not None and not _changes(t, low) and _range(t, low, b, "to"):
                continue
        out.append(b)
    return out


_LIMITED = re.compile(r"(?:and|but) (?:(?:no|not) (?:more|longer|later|less|fewer) than|at (?:most|least))")
"""Between two bounds of one thing, of which the second leaves the unit out: two weeks and at most four."""
_GLOSS = 8  # tokens of a bracket behind the lower end of a range


def _before_gloss(t: Tokens, atoms: list[Atom], b: Atom) -> Atom | None:
    """The lower end that a bracket parts from `b`: `from 128 KiB (131072 bytes) to 16 MiB`."""
    k = b.first - 1
    first = {"to": "from", "and": "between"}.get(t.low[k])
    if first is None or t.low[k - 1] != ")":
        return None
    opens = next((i for i in range(k - 2, max(0, k - _GLOSS), -1) if t.low[i] == "("), None)
    low = next((a for a in reversed(atoms) if a.stop == opens), None)
    return low if low is not None and low.high is None and t.low[low.first - 1] == first else None


def _joined(t: Tokens, a: Atom, b: Atom, words: str, lang: str | None) -> bool:
    """Whether `b` went into `a`, as its upper end or as another part of it."""
    from_to = words == "auf" and "von" in t.low[max(0, a.first - 3) : a.first]  # the verb may come last
    if words in _ARROWS or from_to or (words in _CHANGE_TO and _changes(t, a)):
        _share(a, b)
        b.marks["changed"] = a.marks["changed"] = True
        return False
    if words in ("in", "von", "sur", "out of") and _fraction(t, a, b):
        return True
    if words in ("to", "- to -") and _ratio(t, a, b):
        return True
    if words in _RANGE or (words in _AND and _after_between(t, a)) or (words == "" and _glued_minus(t, a, b)):
        if (
            words in _ONLY_IN
            and lang not in _ONLY_IN[words]
            and not (words == "up to" and t.low[a.first - 1] == "from")
        ):
            return False
        return _range(t, a, b, words)
    return words in ("", "and", "und", "et", "y") and _sum(t, a, b, words)


def _glued_minus(t: Tokens, a: Atom, b: Atom) -> bool:
    """`5 -10 GB`, read as a minus at first."""
    if not (b.signed and not a.signed and a.lone and b.high is None) or t.word[b.first] != "-":
        return False
    if -Fraction(b.value) <= Fraction(a.value):
        return False
    b.value, b.signed = negated(b.value), False
    return True


def _after_between(t: Tokens, a: Atom) -> bool:
    return any(w in _BETWEEN for w in t.low[max(0, a.first - 3) : a.first])


def _changes(t: Tokens, a: Atom) -> bool:
    """Whether "from 5 to 9" tells a change, not a range."""
    before = t.low[max(0, a.first - 8) : a.first]
    if a.hyphen and "from" in before[-2:]:
        return True
    return any(w in ("from", "von", "de", "um") for w in before[-3:]) and any(w in _CHANGES for w in before)


def _share(a: Atom, b: Atom) -> None:
    """The unit of one to the other, where that has none."""
    if a.lone and not b.lone and "numbered" not in a.marks:
        a.unit, a.below, a.per = b.unit, b.below, b.per
        if a.scale == 1 and b.scale != 1 and Fraction(a.value) < 1000 and is_money(b.unit):
            a.value, a.scale = scaled(a.value, b.scale), b.scale
    elif b.lone and a.prefixed:
        b.unit, b.below, b.per = a.unit, b.below or a.below, b.per or a.per


def _range(t: Tokens, a: Atom, b: Atom, words: str) -> bool:
    if "numbered" in a.marks or (a.marks.get("times") and words not in ("-", "–")):
        return False
    tight = words in ("-", "–", "−", "‐", "—")
    spaced = tight and t.gap[a.stop] > 0
    if b.bound and b.bound != "at-least":
        return False
    if (
        b.lone
        and not a.lone
        and not tight
        and any(w in _CHANGES for w in t.low[max(0, a.first - 3) : a.first])
    ):
        return False  # fell 0.8% to 5,234
    if a.prefixed and b.unit == "metre" and t.low[b.stop - 1] == "m" and is_money(a.unit):
        b.unit, b.scale, b.value = "", Decimal(10**6), scaled(b.value, Decimal(10**6))  # €350m-400m
    if (
        (a.lone and not b.lone)
        or (
            b.lone
            and not a.lone
            and (a.prefixed or (a.unit in ("percent", "multiple", "celsius") and not spaced))
        )
        or (a.lone and b.lone)
    ):
        low = a.value if a.scale != 1 else _scale_down(a, b)
    elif not a.lone and not b.lone:
        return _two_units(a, b)
    else:
        return False
    if Fraction(low) >= Fraction(b.value) or (spaced and a.lone and b.lone):
        return False
    a.value, a.high, a.high_other = low, b.value, b.other
    if a.other is not None and a.scale == 1 and b.scale != 1 and low != a.value:
        a.other = scaled(a.other, b.scale)
    _absorb(a, b)
    return True


def _scale_down(a: Atom, b: Atom) -> Decimal | Fraction:
    """The lower end with the scale that stands at the upper one: 5 to 10 million."""
    if b.scale == 1:
        return a.value
    low = scaled(a.value, b.scale)
    return low if Fraction(low) < Fraction(b.value) else a.value


def _two_units(a: Atom, b: Atom) -> bool:
    if a.unit == b.unit or (
        a.unit.startswith("count:") and b.unit.startswith("count:") and a.unit[-3:] == b.unit[-3:]
    ):
        high: Decimal | Fraction | None = b.value
    elif unit_dimension(a.unit) == unit_dimension(b.unit) != "fraction" and not is_money(a.unit):
        converted = convert(b.value, b.unit, a.unit)
        high = None if converted is None else plain_number(converted)
    else:
        return False
    low = _scale_down(a, b) if a.scale == 1 and a.prefixed and Fraction(a.value) < 1000 else a.value
    if high is None or Fraction(low) >= Fraction(high):
        return False
    a.value, a.high, a.high_other = low, high, b.other
    _absorb(a, b)
    return True


def _absorb(a: Atom, b: Atom) -> None:
    """All that `b` knew, into `a`, which now reaches to its end."""
    a.stop, a.unit = b.stop, a.unit or b.unit
    a.below, a.per, a.bound = b.below or a.below, b.per or a.per, a.bound or b.bound
    a.settled = a.settled or b.settled
    a.prefixed = a.prefixed or b.prefixed
    a.scale = b.scale if b.scale != 1 else a.scale
    a.marks.update(b.marks)


def _fraction(t: Tokens, a: Atom, b: Atom) -> bool:
    """`9 in 10`, `one in five`."""
    whole = all(isinstance(x.value, Decimal) and x.value == int(x.value) for x in (a, b))
    if not (a.lone and whole and int(Fraction(b.value)) in ROUND and Fraction(a.value) < Fraction(b.value)):
        return False
    counted = not b.lone and b.unit.startswith("count:") and t.low[a.stop] == "in"
    if not (b.lone or counted) or t.low[a.stop] not in ("in", "out"):
        return False
    a.value, a.unit, a.stop = plain_fraction(a, b), "fraction", b.number + 1
    return True


def plain_fraction(a: Atom, b: Atom) -> Fraction:
    """`a` over `b`."""
    return Fraction(a.value) / Fraction(b.value)


def _ratio(t: Tokens, a: Atom, b: Atom) -> bool:
    """`18 to 1`."""
    if not (a.lone and b.lone and b.value == 1 and a.in_digits and b.in_digits and Fraction(a.value) >= 1):
        return False
    if "from" in t.low[max(0, a.first - 2) : a.first] or (
        t.kind[b.stop] == "w"
        and t.low[b.stop]
        not in ("ratio", "in", "for", "on", "and", "or", "at", "with", "compression", "leverage")
    ):
        return False
    a.unit, a.stop = "ratio", b.stop
    return True


def _sum(t: Tokens, a: Atom, b: Atom, words: str) -> bool:
    """`3h 24m`, `5 ft 10 in`: one quantity, in the smaller unit."""
    if words == "" and a.unit == "hour" and b.lone and t.gap[b.first] == 0:
        b.unit = "minute"  # 1h30
    if a.lone or b.lone or a.per or b.per or a.below or a.high is not None or t.gap[b.first] == 2:
        return False
    if b.unit == "metre" and a.unit == "hour" and t.low[b.stop - 1] == "m":
        b.unit = "minute"  # 3h 24m
    if a.unit == "metre" and b.unit == "second" and t.low[a.stop - 1] == "m":
        a.unit = "minute"  # 5m 30s
    times = unit_dimension(a.unit) == unit_dimension(b.unit) == "time"
    if not (times or _FINE.get(b.unit) == a.unit) or a.hyphen or b.hyphen:
        return False
    if words and (a.unit not in ("hour", "minute", "day") or Fraction(a.value) != int(a.value)):
        return False
    whole = convert(a.value, a.unit, b.unit)
    (big, base), (small, other) = unit_vector(a.unit), unit_vector(b.unit)
    if (
        whole is None
        or base != other
        or small >= big
        or Fraction(b.value) * small >= big
        or Fraction(a.value) != int(a.value)
    ):
        return False
    a.value, a.unit, a.stop = plain_number(whole + Fraction(b.value)), b.unit, b.stop
    a.per, a.below, a.bound = b.per, b.below, a.bound or b.bound
    return True


def _multiplied(t: Tokens, atoms: list[Atom]) -> list[Atom]:
    """`8 x 400 Gb/s` and `$0.15 x 3`: the multiplier into what it multiplies."""
    out: list[Atom] = []
    i = 0
    while i < len(atoms):
        chain = [atoms[i]]
        while (
            chain[-1].marks.get("times")
            and i + len(chain) < len(atoms)
            and atoms[i + len(chain)].first - chain[-1].stop <= 1
        ):
            chain.append(atoms[i + len(chain)])
        if len(chain) > 1:
            out += _chain(chain)
            i += len(chain)
            continue
        a = atoms[i]
        prev = out[-1] if out else None
        if (
            prev is not None
            and not prev.lone
            and a.lone
            and prev.times is None
            and between(t, prev, a) in CROSS | {"*"}
            and prev.high is None
        ):
            if not (a.value == 8 and t.low[a.stop] == "=" and unit_dimension(prev.unit).startswith("data")):
                prev.times, prev.stop = a.value, a.stop
        else:
            out.append(a)
        i += 1
    return out


def _chain(chain: list[Atom]) -> list[Atom]:
    last = chain[-1]
    if last.lone:
        for atom in chain:
            atom.marks["pair"] = True
        return chain
    sized = unit_dimension(last.unit) in _DIMENSIONS
    small = last.unit in ("millimetre", "centimetre", "inch", "foot", "pixel") or len(chain) > 2
    if sized and (small or any(Fraction(a.value) != int(a.value) for a in chain[:-1])):
        for atom in chain[:-1]:
            atom.unit = last.unit
        return chain
    if last.unit.startswith("count:") and len(chain) == 2 and "count:" in last.unit:
        chain[0].marks["pair"] = True
        return [last] if chain[0].lone else chain
    product = Fraction(1)
    for atom in chain[:-1]:
        product *= Fraction(atom.value)
    last.times, last.first = plain_number(product), chain[0].first
    return [last]
