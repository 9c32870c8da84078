"""What stands around a number and belongs to it: headers, labels, conversions, each, a price's period."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from kb.quantity.atom import Atom
from kb.quantity.context import NOTHING, Context, context_of, is_price_word, spelled_apart
from kb.quantity.exact import scaled
from kb.quantity.lexicon import word_set
from kb.quantity.nouns import is_plural, is_plural_acronym, one_of
from kb.quantity.per import basis_at, period_before, period_word
from kb.quantity.short import MEASURED
from kb.quantity.spelling import is_money, unit_at
from kb.quantity.suffix import LETTERS
from kb.quantity.tokens import CJK, SIGN, WORD, Tokens
from kb.quantity.units import unit_dimension

_COMPARING = frozenset({"than", ">", "<", "≥", "≤", ">=", "<=", "exceeding"})
_LABEL_STARTS = frozenset({",", ";", "|", ".", ":", "{", "[", "!", "?", "=", "、", "。", "，", "·", "•"})
_BESIDE_LABEL = frozenset({"max", "min", "approx", "ca", "about", "up", "to", "from", "default"})
_BESIDE_PRICE = frozenset(
    {"of", "is", "~", "≈", "about", "around", "at", "was", "a", "to", "up", "von", "de"}
)
_VERBS = word_set("stop", "verb")
_LINKS = frozenset({"and", "or", "und", "oder", "et", "ou", "y", "o", "/", "&"})


def add_before(t: Tokens, atom: Atom) -> None:
    """A unit or noun before a comparison (IOPS greater than 64,000), a period before a price (月額980円)."""
    i = atom.first
    if atom.lone and "numbered" not in atom.marks and t.low[i - 1] in _COMPARING:
        k = i - 3 if t.low[i - 1] == "than" else i - 2
        word = t.word[k] if k >= 0 else ""
        found = (
            unit_at(t, k, None)
            if k >= 0 and len(word) > 2 and t.kind[k] == WORD and unit_dimension(word.lower()) == "io rate"
            else None
        )
        if found:
            atom.unit = found[0]
        elif k >= 0 and t.kind[k] == WORD and is_plural_acronym(word):
            atom.unit = f"count:{one_of(word)}"
    if is_money(atom.unit or "number") and not atom.below:
        k = i - 1
        while k > 0 and i - k < 4 and t.low[k] in _BESIDE_PRICE:
            k -= 1
        if k > 0 and is_price_word(t.low[k]):
            atom.below = period_word(t.low[k - 1])  # an annual cost of $5
        k = i - 1
        if k >= 0 and t.kind[k] == CJK:
            atom.below = period_before(t.word[k])
    if not atom.per and not atom.lone and t.low[i - 1] in ("of", "is", ":", "was"):
        for k in range(i - 2, max(-1, i - 5), -1):
            if t.low[k] == "per":
                basis = basis_at(t, k, "en")
                if basis.end == i - 1 and basis.per:
                    atom.per = basis.per
                break


def add_context(t: Tokens, atom: Atom, context: Context) -> None:
    """What the header or a label in the text says, where the number itself is silent."""
    label = _label(t, atom)
    if label is None and context is NOTHING:
        return
    if label is not None:
        context = label.over(context)
    if context.noun:
        _letter(t, atom, context.noun)
    if t.word[atom.stop - 1] in ("G", "T") and atom.unit in _SIZED and _told_in(context):
        _as_factor(t, atom)
    if atom.lone and context is not NOTHING and "numbered" not in atom.marks and "pair" not in atom.marks:
        unit = context.unit or (f"count:{context.noun}" if context.noun else "")
        if unit or context.scale != 1:
            atom.unit = unit
            atom.value = scaled(atom.value, context.scale)
            atom.high = None if atom.high is None else scaled(atom.high, context.scale)
            atom.other = None if atom.other is None else scaled(atom.other, context.scale)
            atom.below, atom.per = atom.below or context.below, atom.per or context.per
        elif context.scale != 1 and label is None and atom.scale == 1:
            atom.value, atom.scale = scaled(atom.value, context.scale), context.scale
    elif (
        context.unit
        and context.scale != 1
        and atom.unit == context.unit
        and atom.scale == 1
        and not context.unit.startswith("count:")  # 12 users are 12, under Users (K) too
    ):
        atom.value = scaled(atom.value, context.scale)
        atom.high = None if atom.high is None else scaled(atom.high, context.scale)
    if is_money(atom.unit or "number") and not atom.below:
        atom.below = context.below
    if not atom.per and context.per and (is_money(atom.unit or "number") or label is not None):
        atom.per = context.per


_SIZED = frozenset({"gigabyte", "terabyte", "gigabit/second", "terabit/second"})


def _told_in(context: Context) -> bool:
    """Whether the numbers under a label are told in G and T alone: 4.1G under FLOPs, no port's 400G."""
    return context.noun in MEASURED or context.unit in ("flop/second", "op/second")


def _as_factor(t: Tokens, atom: Atom) -> None:
    """The letter was a factor and no size."""
    atom.scale, atom.unit = Decimal(10) ** (9 if t.word[atom.stop - 1] == "G" else 12), ""
    atom.value = scaled(atom.value, atom.scale)
    atom.high = None if atom.high is None else scaled(atom.high, atom.scale)


def _letter(t: Tokens, atom: Atom, noun: str) -> None:
    """`74 M` under a label that says what is counted: millions of it, and no unit."""
    alone = atom.lone and atom.scale == 1
    j = atom.stop if alone else atom.stop - 1
    word = t.word[j] if t.gap[j] == 1 and t.kind[j + 1] in ("", SIGN) else ""
    if word == "B" and noun != "parameter":
        return  # bytes
    if word not in ("k", "K", "M", "B") or not (alone or atom.unit == {"K": "kelvin", "B": "byte"}.get(word)):
        return
    atom.scale = Decimal(10) ** LETTERS[word]
    atom.unit, atom.stop = "", j + 1
    atom.value = scaled(atom.value, atom.scale)
    atom.high = None if atom.high is None else scaled(atom.high, atom.scale)
    atom.other = None if atom.other is None else scaled(atom.other, atom.scale)


def _label(t: Tokens, atom: Atom) -> Context | None:
    """The label before a colon that the number stands behind: `Monthly cost: 5 €`, `"Users": "270M+"`."""
    if ":" not in t.text and "=" not in t.text:
        return None
    k = atom.first - 1
    direct = True
    steps = 0
    while k > 0 and steps < 14:
        low = t.low[k]
        if (low in (":", "=") and t.kind[k - 1] in ("w", "m")) or (
            low == ":" and t.low[k - 1] in ("'", '"', ")")
        ):
            break
        if low in (";", "|", ".", "!", "?") or (low == "," and not direct):
            return None
        if t.kind[k] != SIGN and low not in _BESIDE_LABEL:
            direct = False
        k, steps = k - 1, steps + 1
    else:
        return None
    start = k - 1
    while start > 0 and k - start < 8 and t.low[start - 1] not in _LABEL_STARTS and t.gap[start] < 2:
        start -= 1
    text = t.text[t.start[start] : t.start[k]].strip(" \"'-*+#")
    if len(text) < 2 or len(text) > 80:
        return None
    context = context_of(text, None)
    text = spelled_apart(text)
    if t.low[k] == "=" and atom.value in (0, 1):
        context = context.without_noun()  # a flag
    if atom.lone and not direct:
        return None
    if not direct or not text.lower().startswith("per"):
        context = replace(context, per=context.per if text.lower().startswith("per ") else None)
    if text.lower().startswith("per "):
        from_per = context_of(f"({text})", None)
        context = replace(context, per=from_per.per, below=from_per.below)
    return replace(context, bound="", unit=context.unit if len(text) < 24 or "_" in text else "")


def add_conversion(t: Tokens, before: Atom | None, atom: Atom) -> None:
    """A conversion in brackets has the bound and the basis of what it converts."""
    if atom.times is not None:
        return
    if before is None or before.stop >= t.size or atom.first <= before.stop:
        return
    inner = t.low[before.stop : atom.first]
    if inner[0] != "(" and not (inner == [","] and "converted" in before.marks):
        return
    if ")" in inner or len(inner) > 4 or atom.unit == before.unit:
        return
    if unit_dimension(before.unit) != unit_dimension(atom.unit or "number") and not (
        is_money(before.unit) and is_money(atom.unit or "number")
    ):
        return
    if before.unit.startswith("count:"):
        return
    atom.marks["converted"] = True
    atom.bound = atom.bound or (before.bound if before.bound != "exact" else "")
    atom.per = atom.per or before.per


def add_each(t: Tokens, atom: Atom) -> None:
    """`nodes with 8 GPUs each`: what each is, from the nearest plural before."""
    if atom.per or atom.lone or t.low[atom.stop] not in ("each", "apiece"):
        return
    if t.low[atom.stop + 1] in ("with", "of"):
        return
    for k in range(atom.first - 1, max(-1, atom.first - 8), -1):
        if t.low[k] in (".", ";", ":"):
            return
        if t.low[k] in _VERBS:
            return
        if t.kind[k] == WORD and is_plural(t.word[k]) and unit_at(t, k, "en") is None:
            atom.per = one_of(t.word[k])
            return


def share_basis(t: Tokens, atoms: list[Atom]) -> None:
    """`400 Gb/s (NDR) or 800 Gb/s (XDR) per port`: the basis of the last belongs to each of a list."""
    for a, b in zip(reversed(atoms[:-1]), reversed(atoms[1:]), strict=True):
        if not b.per or a.per or a.lone or a.below != b.below or not 0 < b.first - a.stop <= 6:
            continue
        between = t.low[a.stop : b.first]
        linked = any(w in _LINKS for w in between) and not any(
            w in (".", ";", ":", "|", ",") for w in between
        )
        if linked and unit_dimension(a.unit) == unit_dimension(b.unit) and not a.unit.startswith("count:"):
            a.per = b.per


def shared_limit(t: Tokens, before: Atom | None, atom: Atom) -> str:
    """`a maximum of 30 minutes for some and 4 hours`: the limit of the first, where the second is linked.

    `over` reaches from one count to the next: `over 10,000 readers and 36,000 loans`.
    """
    if before is None or not 0 < atom.first - before.stop <= 6 or atom.lone:
        return ""
    if before.bound == "more-than":
        counts = atom.unit.startswith("count:") and before.unit.startswith("count:")
        joined = t.low[before.stop : atom.first] in (["and"], ["und"], ["et"], ["y"], ["e"])
        return before.bound if counts and joined and atom.value % 10 == 0 else ""
    if before.bound not in ("at-most", "at-least"):
        return ""
    if unit_dimension(atom.unit) != unit_dimension(before.unit) or "changed" in atom.marks:
        return ""
    between = t.low[before.stop : atom.first]
    linked = between[-1] in ("and", "or", "und", "oder", "et", "ou") or between == [","]
    return before.bound if linked and not any(w in (".", ";", ":", "|", "(") for w in between) else ""
