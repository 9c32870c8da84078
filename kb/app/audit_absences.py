"""Places where an article says that a source states no such figure, for the claims that say so too."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kb.app.audit_mention import Mention
from kb.app.audit_near import NAMED, Nearness, Passage
from kb.app.audit_score import Vocabulary, WordIndex
from kb.app.audit_words import words_of
from kb.claims import Claim, ClaimSet
from kb.quantity import dimension_named, quantities, unit_dimension

SUBJECT = 0.5
"""The part of an absence's subject, by weight, that must stand in the sentence, the row or the column."""

COVERED = 0.5
"""The part of all its words that must be near."""

CLOSE = 0.75
"""How much of what the best claim has near it others must have to be meant with it."""

LONGEST = 60
"""Characters of a phrase that says it."""

TOKENS = 8
"""Words of such a phrase that may be a unit."""

_NEGATED = re.compile(
    r"\b(?:no|not|none|without|neither|nor|never|nothing|lacks?|lacking|unspecified|unstated|undisclosed"
    r"|silent|cannot)\b|n[’']t\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[.;,()|]")


class Absences:
    """Finds the absences that claims state."""

    def __init__(self, claims: ClaimSet, words: Vocabulary) -> None:
        self._words = words
        self._absent = WordIndex(words, [c for c in claims.claims if c.kind == "absent"], SUBJECT)

    def mentions(self, passage: Passage) -> Iterator[tuple[Mention, list[Claim]]]:
        """Each phrase that says so, with the claims whose subject and figure its sentence or row names."""
        claims = self._absent.near(passage.around)
        if not claims:
            return
        text = passage.block.text
        at = 0
        for found in _NEGATED.finditer(text):
            if found.start() < at:
                continue
            cut = _CLAUSE.search(text, found.end())
            at = min(cut.start() if cut else len(text), found.start() + LONGEST)
            while at < len(text) and text[at - 1 : at + 1].isalnum():
                at -= 1
            phrase = text[found.start() : at].rstrip()
            near = passage.near(found.start(), found.start() + len(phrase))
            meant = [
                c
                for c in claims
                if self._words.named(c, near, SUBJECT)
                and self._words.covered(c, near) >= COVERED
                and _speaks_of(c, phrase, near)
            ]
            if meant:
                scored = sorted(((self._words.covered(c, near), c) for c in meant), key=lambda s: -s[0])
                close = [c for score, c in scored if score >= scored[0][0] * CLOSE]
                yield passage.mention("absence", found.start(), found.start() + len(phrase)), close


def _speaks_of(claim: Claim, phrase: str, near: Nearness) -> bool:
    """Whether the sentence names what is absent: by its words, or by a unit of its dimension."""
    value = claim.value if isinstance(claim.value, str) else ""
    if any(near.get(word) >= NAMED for word in words_of(value)):
        return True
    dimension = claim.dimension or dimension_named(value)
    units = [q.unit for token in phrase.split()[:TOKENS] for q in quantities(f"1 {token}")]
    return bool(dimension) and any(unit_dimension(unit) == dimension for unit in units)
