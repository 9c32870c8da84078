"""The quantities of a page, numbered, so that a person can choose those to state."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from kb.app.article_wording import wording
from kb.app.figure_words import Figure, as_figure
from kb.claims import Claim
from kb.errors import UsageError
from kb.page import Block, Page
from kb.quantity import Quantity, quantities

AROUND = 60
"""Characters of a page that are shown on each side of a quantity."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A quantity that a person sees on the page, and the words in which a claim would state it.

    Attributes:
        number: counts from 1, in reading order.
        labels: the nearest heading, the row's and the column's headers.
        context: the words around it.
        figure: None where no claim can write it.
    """

    number: int
    quantity: Quantity
    block: Block
    labels: tuple[str, ...]
    context: str
    subject: str
    attribute: str
    figure: Figure | None

    def claim(self, subject: str = "", attribute: str | None = None, per: str | None = None) -> Claim:
        """The claim that states it; what is given stands in place of the page's words.

        Raises:
            UsageError: there is no subject, or no claim can state it.
        """
        if self.figure is None:
            raise UsageError(
                f'{self.number}: "{self.quantity.text}" cannot be a figure; write the statement yourself'
            )
        subject = subject or self.subject
        if not subject:
            raise UsageError(f"{self.number}: nothing says what it is about; say it with --subject TEXT")
        return replace(
            Claim(id=None, subject=subject, kind="figure", value=self.figure.value),
            attribute=self.attribute if attribute is None else attribute,
            per=per or self.figure.per,
            quantity=self.figure.quantity,
        )


def choices(page: Page) -> list[Choice]:
    """The quantities of a page that a person sees, in reading order."""
    out: list[Choice] = []
    for block in page.blocks:
        if not block.visible or block.role != "content":
            continue
        header, row = " ".join(block.column) or None, " ".join(block.row) or None
        for q in quantities(block.text, header, row, page.lang):
            subject, attribute = wording(block, q.start, q.end, "")
            heading = " ".join(block.headings[-1:]) or page.title
            out.append(
                Choice(
                    number=len(out) + 1,
                    quantity=q,
                    block=block,
                    labels=(*block.headings[-1:], *block.row, *block.column),
                    context=block.text[max(0, q.start - AROUND) : q.end + AROUND],
                    subject=subject or heading,
                    attribute=attribute,
                    figure=as_figure(block, q),
                )
            )
    return out


def chosen(listed: Sequence[Choice], words: str) -> list[Choice]:
    """Those that `3,5` or `2-4 7` name, each once.

    Raises:
        UsageError: it names none of them.
    """
    found: dict[int, Choice] = {}
    for part in re.split(r"[\s,;]+", words.strip()):
        ends = re.fullmatch(r"(\d{1,6})(?:-(\d{1,6}))?", part)
        first, last = (int(ends[1]), int(ends[2] or ends[1])) if ends else (0, 0)
        if not ends or not 1 <= first <= last <= len(listed):
            raise UsageError(
                f'"{part}" names none of the {len(listed)} quantities; write numbers such as 3,5'
            )
        found |= {n: listed[n - 1] for n in range(first, last + 1)}
    return list(found.values())
