"""What the claim is about, gone from the page: then a neighbour's value is no change of ours."""

from __future__ import annotations

import re

from kb.claims.claim import Claim
from kb.judging import thresholds as t
from kb.judging.candidate import Anchor
from kb.judging.other_name import other_names, product_of
from kb.judging.reading import PageReading
from kb.judging.score import brand_of
from kb.judging.words import Token, tokens
from kb.quantity import is_symbol


def vanished(claim: Claim, reading: PageReading, base: PageReading | None, anchor: Anchor | None) -> str:
    """A word of the subject that the page has nowhere, though it told our place; empty where all are there.

    With an earlier page it is a word that stood at our value there: a row, a plan or a role
    that was called by it. Without one only a name counts, as plain words may be our own.
    """
    placed = base is not None and anchor is not None
    maker = 0 if brand_of(claim.subject) else None if placed else product_of(claim.subject)
    joined = _joined(claim.subject)
    for token in tokens(claim.subject, stems=False):
        if token.start == maker:
            continue  # pages seldom say whose it is
        if token.start in other_names(claim.subject):
            continue  # another name of what stands before it
        if _said(reading, token.key) or _said(reading, joined.get(token.start, token.key)):
            continue
        if base is None or anchor is None:
            if _is_name(claim.subject, token) and not is_symbol(claim.subject[token.start : token.end]):
                return claim.subject[token.start : token.end]
        elif token.key in base.words(anchor.mention.block):
            return claim.subject[token.start : token.end]
    return ""


_TIED = re.compile(r"\w+(?:-\w+)+")


def _joined(subject: str) -> dict[int, str]:
    """For each place in a name with hyphens the name without them: PCIe for the PCI and the E of PCI-E."""
    out = {}
    for match in _TIED.finditer(subject):
        for part in re.finditer(r"\w+", match.group()):
            out[match.start() + part.start()] = match.group().replace("-", "").lower()
    return out


def _is_name(subject: str, token: Token) -> bool:
    word = subject[token.start : token.end]
    return any(c.isupper() for c in (word if token.start else word[1:])) or (
        token.end == len(subject) and word[:1].isupper()
    )


def _said(reading: PageReading, key: str) -> bool:
    """Whether a page has a word, or one that begins as it does: charitable, charity."""
    if key in reading.heard or key in reading.topic:
        return True
    stem = key[: max(t.WORD_BEGINS, len(key) - 2)]
    return len(stem) < len(key) and any(other.startswith(stem) for other in reading.heard)
