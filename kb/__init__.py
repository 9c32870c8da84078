"""kb keeps cited figures with their sources and says whether they still hold.

The names below are what the package promises (design, section 11); each is
loaded when it is first used.

>>> import kb
>>> [str(q.value) + " " + q.unit for q in kb.quantities("up to 3.2 Tbps per VM")]
['3.2 terabit/second']
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kb.version import __version__ as __version__

if TYPE_CHECKING:
    from kb.app.base import KnowledgeBase
    from kb.claims import Claim, Source
    from kb.errors import KbError
    from kb.judging import Verdict, judge
    from kb.page import Block, Page, Unread, read_page, read_response
    from kb.quantity import Date, Quantity, dates, quantities
    from kb.reasons import Outcome, Reason

_HOMES = {
    "KnowledgeBase": "kb.app.base",
    "Claim": "kb.claims",
    "Source": "kb.claims",
    "KbError": "kb.errors",
    "Verdict": "kb.judging",
    "judge": "kb.judging",
    "Block": "kb.page",
    "Page": "kb.page",
    "Unread": "kb.page",
    "read_page": "kb.page",
    "read_response": "kb.page",
    "Date": "kb.quantity",
    "Quantity": "kb.quantity",
    "dates": "kb.quantity",
    "quantities": "kb.quantity",
    "Outcome": "kb.reasons",
    "Reason": "kb.reasons",
}

__all__ = [
    "Block",
    "Claim",
    "Date",
    "KbError",
    "KnowledgeBase",
    "Outcome",
    "Page",
    "Quantity",
    "Reason",
    "Source",
    "Unread",
    "Verdict",
    "dates",
    "judge",
    "quantities",
    "read_page",
    "read_response",
]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'kb' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(home), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
