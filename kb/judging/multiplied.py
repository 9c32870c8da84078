"""A basis that differs, and the multiplication by which the page settles it (design, section 9.4)."""

from __future__ import annotations

from fractions import Fraction

from kb.judging.mention import Mention
from kb.judging.reading import PageReading
from kb.quantity import Quantity, convert, same_basis

NEAR = 12  # blocks before and after, under the same heading, that may state the count


def settles(reading: PageReading, claimed: Quantity, mention: Mention) -> bool:
    """Whether a count in the same row or under the same heading makes one value the other.

    400 Gbps per GPU is 3,200 Gbps per VM where 8 GPUs are said to be in it.
    """
    found = mention.quantity
    if found is None or claimed.high is not None or found.high is not None:
        return False
    theirs = (
        convert(found.value, found.unit, claimed.unit)
        if found.unit != claimed.unit
        else Fraction(found.value)
    )
    ours = Fraction(claimed.value)
    if theirs is None or not ours or not theirs:
        return False
    factor, noun = (theirs / ours, claimed.per) if theirs > ours else (ours / theirs, found.per)
    if factor == 1 or factor.denominator != 1 or not noun:
        return False
    return _stated(reading, mention, factor, noun)


def doubles(reading: PageReading, direction: str, claimed: Quantity, mention: Mention) -> bool:
    """Whether the page's words make one value the other by the two directions that it states.

    900 GB/s each way is 1,800 GB/s both ways where the page counts two directions.
    """
    found = mention.quantity
    if found is None or claimed.high is not None or found.high is not None or direction == "bidirectional":
        return False
    theirs = convert(found.value, found.unit, claimed.unit)
    ours = Fraction(claimed.value)
    if theirs is None or theirs != (2 * ours if direction == "each way" else ours / 2):
        return False
    return _stated(reading, mention, Fraction(2), "direction")


def _stated(reading: PageReading, mention: Mention, factor: Fraction, noun: str) -> bool:
    """Whether `factor` of `noun` are counted in the same row or under the same heading."""
    block = reading.blocks[mention.block]
    first = max(0, mention.block - NEAR)
    for index in range(first, min(len(reading.blocks), mention.block + NEAR + 1)):
        other = reading.blocks[index]
        row = other.table is not None and (other.table, other.row_index) == (block.table, block.row_index)
        if not row and other.headings != block.headings:
            continue
        for m in reading.figures(index):
            q = m.quantity
            if (
                m != mention
                and q is not None
                and q.high is None
                and q.value == factor
                and _counts(q, m, noun)
            ):
                return True
    return False


def _counts(q: Quantity, mention: Mention, noun: str) -> bool:
    if not q.unit.startswith("count:"):
        return False
    return bool(same_basis(noun, q.unit[6:])) or any(same_basis(noun, w) for w in mention.text.split()[1:])
