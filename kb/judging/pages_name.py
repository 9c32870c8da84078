"""Whether a name is what the page itself is called, so that it need not stand beside a value."""

from __future__ import annotations

import re

from kb.judging.reading import PageReading
from kb.judging.surroundings import LEAD
from kb.judging.words import keys

_PARTS = re.compile(r"[._/-]+")


def is_pages_own(reading: PageReading, key: str) -> bool:
    """Whether a name is the page's, as its title, address or opening alone says: x.conf of /x-conf.html."""
    if key in reading.topic:
        return False
    said = [block for block, how in reading.heard.get(key, {}).items() if how > LEAD]
    if said:
        return _below_title(reading, max(said))
    return all(keys(part) <= reading.topic.keys() for part in _PARTS.split(key))


def _below_title(reading: PageReading, last: int) -> bool:
    """Whether a block stands between the page's first heading and the next."""
    heads = (i for i, b in enumerate(reading.blocks) if b.kind == "heading" and b.role == "content")
    first, second = next(heads, last), next(heads, last)
    return first < last < second
