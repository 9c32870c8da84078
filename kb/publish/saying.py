"""The words of reports as pages say them: each text no longer than a page can bear."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from types import SimpleNamespace

from kb.publish.badge import clipped
from kb.report import words
from kb.store.rows import PASSAGE


def _bounded(function: Callable[..., str]) -> Callable[..., str]:
    @wraps(function)
    def bounded(*given: object) -> str:
        return clipped(function(*given), PASSAGE)

    return bounded


_BOUNDED = ("plain", "statement", "value_text", "basis", "stated", "place", "newer_value")

SAYING = SimpleNamespace(
    **{name: _bounded(getattr(words, name)) for name in _BOUNDED},
    when=words.when,
    count=words.count,
)
"""What templates know as `kb_words`."""


def short(text: object) -> str:
    """Any text that strangers wrote, on one line and bounded."""
    return SAYING.plain(str(text or ""))  # type: ignore[no-any-return]
