"""kb keeps cited figures with their sources and says whether they still hold.

The names below are what the package promises (design, section 11); each is
loaded when it is first used.

>>> import kb
>>> [str(q.value) + " " + q.unit for q in kb.quantities("up to 3.2 Tbps per VM")]
['3.2 terabit/second']
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kb.later import later
from kb.version import __version__ as __version__

if TYPE_CHECKING:
    from kb.app.base import KnowledgeBase
    from kb.claims import Claim, Source
    from kb.errors import KbError
    from kb.judging import Verdict, judge
    from kb.page import Block, Page, Unread, read_page, read_response
    from kb.quantity import Date, Quantity, dates, quantities
    from kb.reasons import Outcome, Reason

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


__getattr__ = later(
    __name__,
    {
        "app.base": ("KnowledgeBase",),
        "claims": ("Claim", "Source"),
        "errors": ("KbError",),
        "judging": ("Verdict", "judge"),
        "page": ("Block", "Page", "Unread", "read_page", "read_response"),
        "quantity": ("Date", "Quantity", "dates", "quantities"),
        "reasons": ("Outcome", "Reason"),
    },
)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
