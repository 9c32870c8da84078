"""A response's body, read into blocks as a person sees them, or the reason why it is not the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kb.later import later
from kb.page.page import KINDS, ROLES, Block, Page, Unread

if TYPE_CHECKING:
    from kb.page.obstacle import read_response
    from kb.page.read import read_body, read_page

READER_VERSION = "8"
"""Changes whenever the same bytes would give other blocks; what was read is cached under it."""

__all__ = [
    "KINDS",
    "READER_VERSION",
    "ROLES",
    "Block",
    "Page",
    "Unread",
    "read_body",
    "read_page",
    "read_response",
]

__getattr__ = later(
    __name__,
    {
        "obstacle": ("read_response",),
        "read": ("read_body", "read_page"),
    },
)
"""Load the readers on first use: they stand on lxml and others, which start slowly."""
