"""Text to dates, at their precision."""

from __future__ import annotations

import re

from kb.quantity.quantity import Date

_MONTHS = ["january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"]
_MONTH = "|".join([*(m[:3] for m in _MONTHS), *_MONTHS])
_DATE = re.compile(
    rf"(?<![\w.-])(?:(?P<iso>\d{{4}}-\d\d(?:-\d\d)?)|(?P<d>\d{{1,2}}) (?P<m>{_MONTH})\w* (?P<y>\d{{4}})"
    rf"|(?P<m2>{_MONTH})\w* (?:(?P<d2>\d{{1,2}}), )?(?P<y2>\d{{4}})|(?P<year>(?:19|20)\d\d))(?![\w-])",
    re.IGNORECASE,
)


def dates(text: str, lang: str | None = None) -> list[Date]:
    """Read all dates in a text, in order."""
    out = []
    for m in _DATE.finditer(text):
        if m["iso"] or m["year"]:
            value = m["iso"] or m["year"]
        else:
            month = [n[:3] for n in _MONTHS].index((m["m"] or m["m2"])[:3].lower()) + 1
            day = m["d"] or m["d2"]
            value = f"{m['y'] or m['y2']}-{month:02}" + (f"-{int(day):02}" if day else "")
        out.append(Date(value, m[0], m.start(), m.end()))
    return out
