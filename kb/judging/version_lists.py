"""Lists of versions: `Python 3.7, CUDA 10.1, PyTorch 1.5` labels each version with the name before it."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import islice

from kb.judging.mention import Mention

_NAME = r"(?P<name>[A-Za-z][\w.+-]*(?:\s[A-Z][\w.+-]*)?)"
_PAIR = re.compile(rf"(?:^|[:,;(]\s?|\band\s){_NAME}\sv?\d+(?:\.\d+)+[\w.+-]*(?=\s*(?:[,;)]|and\b|\.?$))")
_BEFORE = re.compile(rf"(?:^|[:,;(]\s?|\band\s){_NAME}\sv?$")
_REACH = 40
LEAST = 3
"""Names with versions that make a list."""


def version_label(text: str, mention: Mention) -> str:
    """The name whose version a value in a list of versions is; empty where it is none."""
    if "." not in mention.text:
        return ""
    found = _BEFORE.search(text[max(0, mention.start - _REACH) : mention.start])
    return found["name"] if found is not None and _is_list(text) else ""


@lru_cache(maxsize=1024)  # asked for each of its versions
def _is_list(text: str) -> bool:
    return text.count(",") >= LEAST - 1 and sum(1 for _ in islice(_PAIR.finditer(text), LEAST)) == LEAST
