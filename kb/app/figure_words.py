"""A quantity of a text as the figure that a claim of it would write."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kb.claims.figures import read_figure
from kb.page import Block
from kb.quantity import Comparison, Quantity, compare

BEFORE = 3
"""Words before a number that may bound it: `more than`, `at least about`, `no more than`."""

_PER = re.compile(r"(?P<value>.*\S)\s+per\s+(?P<per>\S.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Figure:
    """The value in the text's words, what it counts for, and the quantity as a claims file reads it."""

    value: str
    per: str | None
    quantity: Quantity


def as_figure(block: Block, q: Quantity) -> Figure | None:
    """The figure that states `q`, which stands in `block`: with the words before it that bound it.

    None where no figure of a claims file says the same.
    """
    attribute = " ".join(block.column[-1:])
    words = block.text[: q.start].split(" ")
    for back in range(BEFORE + 1):
        before = " ".join(words[len(words) - 1 - back : -1]) if back else ""
        value = f"{before} {q.text}".strip()
        read = read_figure(value, attribute)[0]
        if read is None or read.bound != q.bound or compare(read, q) is Comparison.DIFFERS:
            continue
        apart = _PER.fullmatch(value)
        if apart:
            same = read_figure(apart["value"], attribute, apart["per"])[0]
            if same is not None and same.per == read.per and compare(same, read) is Comparison.SAME:
                return Figure(apart["value"], apart["per"], same)
        return Figure(value, None if re.search(r"/| per ", q.text) else q.per, read)
    return None
