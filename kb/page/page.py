"""What a page says, in blocks, or why it could not be read."""

from __future__ import annotations

from dataclasses import dataclass

from kb.reasons import Reason

KINDS = ("title", "heading", "paragraph", "item", "cell", "caption", "term", "definition", "code", "pair")
"""Kinds of block. A `pair` is a value (`label: value`, JSON, JSON-LD); its label is in `row`."""

ROLES = (
    "content",
    "navigation",
    "footer",
    "cookie",
    "related",
    "changelog",
    "comment",
    "struck",
    "hidden",
    "alt",
    "noscript",
    "data",
    "meta",
)
"""What part a block plays. `content` is what a person came for; `hidden` is behind a click; `data` is
embedded state (JSON-LD and the like); `meta` is never shown (meta description, template)."""


@dataclass(frozen=True, slots=True)
class Block:
    """One part of a page, in reading order; a table cell is a block.

    Attributes:
        kind: one of `KINDS`.
        text: the words as a person sees them, white space folded; `code` keeps its lines.
        role: one of `ROLES`.
        level: of a heading (1 to 6), or the depth of a list item; 0 elsewhere.
        headings: the headings above it, outermost first (its own left out).
        row: headers of its row, outermost first; for a `definition` or `pair`, its label.
        column: headers of its column, outermost first.
        caption: caption of its table or figure, else "".
        table: number of its table on the page, from 0; None outside tables.
        row_index: row in that table, from 0, header rows counted; column_index likewise.
        column_index: see row_index.
        header: whether the cell is itself a header.
        page: page of a PDF, from 1; None elsewhere.
    """

    kind: str
    text: str
    role: str = "content"
    level: int = 0
    headings: tuple[str, ...] = ()
    row: tuple[str, ...] = ()
    column: tuple[str, ...] = ()
    caption: str = ""
    table: int | None = None
    row_index: int | None = None
    column_index: int | None = None
    header: bool = False
    page: int | None = None

    @property
    def visible(self) -> bool:
        """Whether a person sees it without a click or a developer's tools."""
        return self.role not in ("hidden", "alt", "noscript", "data", "meta")


@dataclass(frozen=True, slots=True)
class Page:
    """A page as a person sees it.

    Attributes:
        blocks: in reading order.
        lang: BCP 47 primary language, lower case ("en", "de"); None where unknown.
        title: the document's title, else "".
        url: where it came from, if known.
        canonical: the address it says it has, if any.
        published: ISO date that the page gives for itself, if any.
        content_type: media type that decided how it was read.
        encoding: character encoding that decided, and `encoding_source` why (bom, header, meta, guess).
        encoding_source: see encoding.
        pages: number of pages of a PDF; None elsewhere.
    """

    blocks: tuple[Block, ...]
    lang: str | None = None
    title: str = ""
    url: str | None = None
    canonical: str | None = None
    published: str | None = None
    content_type: str = "text/html"
    encoding: str = "utf-8"
    encoding_source: str = ""
    pages: int | None = None

    @property
    def text(self) -> str:
        """The visible text: the texts of visible blocks, one a line."""
        return "\n".join(b.text for b in self.blocks if b.visible and b.text)


@dataclass(frozen=True, slots=True)
class Unread:
    """Why a response is not the page that was asked for."""

    reason: Reason
    detail: str = ""
