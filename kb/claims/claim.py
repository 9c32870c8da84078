"""One checkable statement tied to a source, as the claims files state it (design, section 3)."""

from __future__ import annotations

from dataclasses import dataclass

from kb.quantity import Quantity

KINDS = ("figure", "date", "text", "list", "absent", "formula")
"""What a claim states; the one key that states it gives the kind."""

DIRECTIONS = ("each way", "both ways", "bidirectional", "unspecified")


@dataclass(frozen=True, slots=True)
class Was:
    """What we stated before, up to and including the day `until` (ISO date).

    `kind` is the key that stated it: figure, date, text, list or absent; "" is the claim's own.
    """

    value: str | tuple[str, ...]
    until: str
    why: str = ""
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Accepted:
    """A value of the page that we know of, while we keep our own. `on` is an ISO date."""

    found: str | tuple[str, ...]
    on: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class Claim:
    """One statement. Texts are as the file writes them.

    Attributes:
        id: in full, `<file>.<name>`; None for a claim that stands in no file.
        subject: what it is about, in words that the source uses.
        kind: one of `KINDS`.
        attribute: which property of the subject; may be empty.
        value: the text of the kind's own key: the figure (for a formula too), the date, the
            text, the words of the absence; a tuple for a list.
        quantity: the figure as read, for `figure` and `formula`; None for the others.
        complete: of a list: whether nothing may be added to it.
        dimension: of an absence: which quantities count, where its words do not say it.
        formula: the calculation with ids in full, for `formula` only.
        per: the basis in the source's words; `unspecified` says that the source leaves it open.
        direction: one of `DIRECTIONS`, or None.
        quote: the source's words as a person copied them.
        retrieved: ISO date of the last reading by a person: the claim's own, else its source's.
        where: a hint only: a heading, a row, a column.
        context: the sentence that the claim comes from (cases only).
        status: None or `proposed`.
        source_id: id of its file; None where it stands in no file.
        sourced: whether its file has a source. A claim that is not sourced is our own statement.
        file: path of its file relative to the knowledge base, "" if none.
        line: line where it starts, from 1; 0 if none.
    """

    id: str | None
    subject: str
    kind: str
    value: str | tuple[str, ...]
    attribute: str = ""
    quantity: Quantity | None = None
    complete: bool = False
    dimension: str | None = None
    formula: str | None = None
    per: str | None = None
    direction: str | None = None
    quote: str | None = None
    retrieved: str | None = None
    where: str | None = None
    note: str | None = None
    tags: tuple[str, ...] = ()
    was: tuple[Was, ...] = ()
    accepted: Accepted | None = None
    status: str | None = None
    context: str | None = None
    source_id: str | None = None
    sourced: bool = True
    file: str = ""
    line: int = 0

    @classmethod
    def parse(cls, text: str) -> Claim:
        """Read `SUBJECT[, ATTRIBUTE]: VALUE [per BASIS][, DIRECTION][, retrieved DATE]`.

        The value is a figure, else a date, else a text.

        Raises:
            ClaimsError: what is not understood; the message shows the parts.
        """
        from kb.claims.statement import parse_statement

        return parse_statement(text)


def folded(text: str) -> str:
    """Words without regard to case and white space: two claims speak of one thing where these are equal."""
    return " ".join(text.casefold().split())
