"""The words of reports as pages say them: each text no longer than a page can bear."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from types import SimpleNamespace

from kb.publish.badge import clipped
from kb.publish.queries import Before
from kb.report import words
from kb.store import ClaimNow
from kb.store.rows import PASSAGE


def _bounded(function: Callable[..., str]) -> Callable[..., str]:
    @wraps(function)
    def bounded(*given: object) -> str:
        return clipped(function(*given), PASSAGE)

    return bounded


_BOUNDED = ("plain", "statement", "value_text", "basis", "stated", "place", "newer_value")


def sentence(claim: ClaimNow, retrieved: str | None) -> str:
    """What is claimed, where it was read and when, as a sentence: it reads well whatever the words are."""
    value, about = words.stated(claim), words.statement(claim)
    if claim.kind == "formula":
        return f"By our own calculation it is {value} for {about}."
    if not claim.url and not claim.publisher:
        return f"We state {value} for {about}."
    who = words.plain(claim.publisher or "")
    page = f"“{words.plain(claim.title)}”" if claim.title else "its page"
    day = f", as we read it on {retrieved}" if retrieved else ""
    return f"{f'{who} gives, in {page},' if who else f'{page} gives'} {value} for {about}{day}."


def passage_before(claim: ClaimNow, before: Before) -> list[tuple[str, bool]]:
    """The quote of an earlier reading, as `words.passage` gives the present one."""
    then = replace(claim, evidence=before.evidence, found=before.found, verdict="holds")
    return words.passage(then, PASSAGE)


SAYING = SimpleNamespace(
    **{name: _bounded(getattr(words, name)) for name in _BOUNDED},
    sentence=_bounded(sentence),
    when=words.when,
    count=words.count,
    how=words.how,
)
"""What templates know as `kb_words`."""


def short(text: object) -> str:
    """Any text that strangers wrote, on one line and bounded."""
    return SAYING.plain(str(text or ""))  # type: ignore[no-any-return]
