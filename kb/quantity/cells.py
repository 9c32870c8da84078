"""Cells of a table, fast: what stands around a number is read once, and the numbers are put into it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal

from kb.quantity.context import Context
from kb.quantity.quantity import Quantity

Read = Callable[[str, Context, str | None, bool], tuple[Quantity, ...]]

_PLAIN = re.compile(
    r"([^\d|½¼¾⅓⅔⅛]{0,12}?)(\d{1,3}(?:,\d{3})+(?:\.\d{1,4})?|\d{1,7}(?:\.\d{1,2})?)((?:[^\d\w.,'½¼¾⅓⅔⅛⁰¹²³]\D{0,23})?|[A-Za-zµ%°€]\D{0,23})"
)
"""A cell with one number, written so that nothing hangs on its digits: before, digits, behind."""

_SAMPLES = ("37", "4128.5")
_NOTHING = Quantity(Decimal(0), None, "")
_HANGS_ON_DIGITS = re.compile(r"(?:1[5-9]|20|21)\d\d|0\d+|\d{5}")
"""Years, padded numbers, postal codes."""

_NO_TEMPLATE = re.compile(r"[\d]|^\s?[⁰¹²³⁴⁵⁶⁷⁸⁹⁻]|^\s?[GTBsxX]\b|^\s?[GT](?:\s|$)|^[-:]|^\s*(?:[-–—]|to)\s")


class Templates:
    """What cells with the same words around one number mean; bounded in number."""

    LIMIT = 20_000

    def __init__(self, read: Read) -> None:
        self._read = read
        self._known: dict[tuple[str, str, Context, str | None, bool], Quantity | None] = {}

    def cell(
        self, text: str, by: int, context: Context, lang: str | None, bare: bool, out: list[Quantity]
    ) -> bool:
        """Add the quantity of one cell, as the whole grammar reads it; False where that must be asked."""
        m = _PLAIN.fullmatch(text)
        if m is None:
            return False
        before, digits, behind = m.groups()
        number = digits
        if "," in digits:
            if lang != "en":
                return False
            number = digits.replace(",", "")
        elif digits == "1" or _HANGS_ON_DIGITS.fullmatch(digits):
            return False
        key = (before, behind, context, lang, bare)
        try:
            template = self._known[key]
        except KeyError:
            template = self._learn(key)
        if template is None:
            return False
        if template is _NOTHING:
            return True
        start, stop = template.start, len(text) - template.end
        out.append(
            Quantity(
                Decimal(number), None, template.unit, template.bound, template.per, None,
                text[start:stop], start + by, stop + by,
            )
        )  # fmt: skip
        return True

    def _learn(self, key: tuple[str, str, Context, str | None, bool]) -> Quantity | None:
        """The one quantity of such a cell, its `end` counted from the text's; None if there is none."""
        before, behind, context, lang, bare = key
        template = None
        if not _NO_TEMPLATE.search(behind):
            first, second = (self._read(f"{before}{n}{behind}", context, lang, bare) for n in _SAMPLES)
            if not first and not second:
                template = _NOTHING
            elif len(first) == len(second) == 1:
                q, p = first[0], second[0]
                alike = (p.unit, p.bound, p.per, p.start) == (q.unit, q.bound, q.per, q.start)
                exact = [str(x.value) for x in (q, p)] == list(_SAMPLES)
                if alike and exact and q.high is None and not q.readings and q.times is None:
                    template = replace(q, end=len(before) + len(_SAMPLES[0]) + len(behind) - q.end, text="")
        if len(self._known) >= self.LIMIT:
            self._known.clear()
        self._known[key] = template
        return template
