"""Lists: members that take the unit of the last, and counts of a part that take the noun of the whole."""

from __future__ import annotations

from fractions import Fraction

from kb.quantity.atom import Atom
from kb.quantity.exact import scaled
from kb.quantity.lexicon import bounds, word_set
from kb.quantity.tokens import Tokens
from kb.quantity.units import PERIODS

_COMMA = frozenset({",", "、", "،", ";"})
_WORDS_OF_LISTS = word_set("list words")
_OF = frozenset(
    {
        "of",
        "of the",
        "out of",
        "out of the",
        "von",
        "von den",
        "der",
        "sur",
        "sur les",
        "of all",
        "of its",
        "of our",
        "of these",
        "de",
        "de los",
        "de las",
    }
)


def between(t: Tokens, a: Atom, b: Atom) -> str | None:
    """The few words between two atoms; None where there are many, a line's end or an overlap."""
    if b.first < a.stop or b.first - a.stop > 6:
        return None
    if any(g == 2 for g in t.gap[a.stop : b.first + 1]) and b.first - a.stop > 2:
        return None
    begin = a.stop
    if a.lone and t.low[begin] == "-" and t.gap[begin] == 0 and t.gap[begin + 1] and b.first > begin + 1:
        begin += 1  # a 5- to 10-minute wait, 8- or 16-bit
    return " ".join(t.low[begin : b.first])


def lists(t: Tokens, atoms: list[Atom], lang: str | None) -> list[list[Atom]]:
    """Lists whose members take the unit of the last, or the currency of the first."""
    if not any(a.lone for a in atoms):
        return [[a] for a in atoms]
    groups: list[list[Atom]] = []
    i = 0
    while i < len(atoms):
        run, links = [atoms[i]], list[str]()
        while i + len(run) < len(atoms):
            nxt = atoms[i + len(run)]
            words = between(t, run[-1], nxt)
            kind = _link(t, run[-1], nxt, words)
            if not kind:
                break
            links.append(kind)
            run.append(nxt)
        groups += _shared(run, links)
        i += len(run)
    for group in groups:
        if len(group) == 1 and group[0].lone:
            _of_noun(t, group[0], atoms)
    return groups


def _link(t: Tokens, a: Atom, b: Atom, words: str | None) -> str:
    """What ties two members of a list: `/`, `,` or a word; empty where nothing does."""
    if not words:
        return ""
    if words == "¦":
        return "/"
    if words == "/":
        if a.lone and b.unit in PERIODS and Fraction(b.value) < Fraction(a.value):
            return ""  # 1,500/3h is a rate
        return "/" if t.gap[b.first] == 0 or t.gap[a.stop] > 0 else ""
    if words in ("±", "+/-"):
        return "or"  # 5 ± 0.2 mm
    if words in _COMMA:
        return ","
    head, _, rest = words.partition(" ")
    if head == "nor" and words in bounds("before"):
        return "or"  # not less than 14 nor more than 60 days
    if head in ("and", "or", "nor", "und", "oder", "et", "ou", "to") and rest in bounds("before"):
        return "or"  # no fewer than 3 and no more than 5 nodes
    if (
        words in _WORDS_OF_LISTS
        or (words[0] in ",、" and words[2:] in _WORDS_OF_LISTS)
        or words in ("and / or", "or even", "and then")
    ):
        return "or"
    return ""


def _shared(run: list[Atom], links: list[str]) -> list[list[Atom]]:
    """Split a run into lists, giving units from the right to members that have none."""
    groups: list[list[Atom]] = []
    start = 0
    for k in range(len(run)):
        last = k == len(run) - 1
        if run[k].lone and not last:
            continue
        members, ties = run[start : k + 1], links[start:k]
        start = k + 1
        groups += _give(members, ties)
    return groups


def _give(members: list[Atom], ties: list[str]) -> list[list[Atom]]:
    last = members[-1]
    if len(members) == 1 or last.lone:
        return [[m] for m in members]
    if "/" in ties and set(ties) != {"/"}:
        cut = max(k for k, x in enumerate(ties) if x != "/") + 1
        return [[m] for m in members[:cut]] + _give(members[cut:], ties[cut:])
    firm = "/" in ties or "or" in ties or len(members) > 2
    if not firm or any("numbered" in m.marks or "pair" in m.marks for m in members[:-1]):
        return [[m] for m in members]
    if last.unit in ("fraction", "ratio"):
        return [[m] for m in members]
    for m in members[:-1]:
        m.unit, m.below, m.per, m.bound = last.unit, last.below, last.per, m.bound
        if m.scale == 1 and last.scale != 1 and Fraction(m.value) < Fraction(10000):
            factor = last.scale
            m.value = scaled(m.value, factor)
            m.high = None if m.high is None else scaled(m.high, factor)
    return [members]


def _of_noun(t: Tokens, a: Atom, atoms: list[Atom]) -> None:
    """`10 of the 14 counties`: what the first counts stands behind the second."""
    for b in atoms:
        if b.first >= a.stop:
            if (
                b.unit.startswith("count:")
                and between(t, a, b) in _OF
                and Fraction(a.value) <= Fraction(b.value)
            ):
                a.unit = b.unit
            return
