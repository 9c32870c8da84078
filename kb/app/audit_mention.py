"""A place of an article that states something, and what the claims say of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from kb.page import Block


class Status(StrEnum):
    """What the claims say of a place in the article."""

    HOLDS = "holds"
    DRIFTED = "drifted"
    OTHER = "other"
    DERIVED = "derived"
    SOURCE = "source"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Mention:
    """A quantity, a date, a list or a text in an article.

    Attributes:
        kind: `figure`, `date`, `list`, `text` or `absence`.
        text: the words, `block.text[start:end]`.
        sentence: the sentence around it.
        status: see `Status`; `holds` says that a claim backs it and is not known to have drifted.
        claims: the claims it was matched to, the best one first.
        together: those of them that it states as well as the first: "in Oslo and Turin". The others
            may be meant in its place.
        verdict: what kb.db says of the first one; "" where it says nothing.
        stated: what the first claim states.
        found: what its page says now, where that is something else.
        formula: how the value follows from claims, with their ids.
        worked: the same with the claims' figures in place of the ids.
        gone: whether the article states what is known not to hold any more.
        row: all cells of its row in a table.
    """

    kind: str
    text: str
    start: int
    end: int
    block: Block
    sentence: str
    status: Status = Status.NONE
    claims: tuple[str, ...] = ()
    verdict: str = ""
    stated: str = ""
    found: str = ""
    formula: str = ""
    worked: str = ""
    gone: bool = False
    row: str = ""
    together: tuple[str, ...] = ()

    @property
    def derived_from(self) -> bool:
        """Whether kb found the calculation itself: no claim states the value, `claims` are its inputs."""
        return bool(self.formula) and all(f"{{{id}}}" in self.formula for id in self.claims)

    @property
    def doubtful(self) -> bool:
        """Whether a person should look, though nothing is known to be wrong."""
        return not self.gone and (self.status in (Status.OTHER, Status.DRIFTED) or self.verdict == "unclear")
