"""How much the words around a place speak of a claim."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator

from kb.app.audit_near import NAMED, PASSAGE, PREVIOUS, Nearness
from kb.app.audit_words import WORD, key_of, words_of
from kb.claims import Claim, ClaimSet, formula_inputs
from kb.judging.direction import OPEN

SUBJECT, ATTRIBUTE, PUBLISHER = 1.0, 0.6, 0.5
"""What a word of each part of a claim counts for."""

ABSENT = 0.4
"""What a claim's word costs that the article does not have nearby."""


USUAL, LENGTH = 5.0, 0.25
"""What the words of a usual claim weigh, and how much less a claim of more words gains by each."""


WAY = 2.0
"""What speaks against a claim of another direction than the article gives."""

KIND = 0.5
"""What speaks for a calculated claim beside a calculation, and for another elsewhere."""

SUMMED = re.compile(r"\b(?:deriv|calculat|comput|averag)\w*|=|\d\s?[/×*÷]\s?\d", re.IGNORECASE)
"""What shows that a sentence calculates."""


class Vocabulary:
    """What each word of the claims is worth: rare ones tell more than common ones."""

    def __init__(self, claims: ClaimSet) -> None:
        self._claims = claims
        sources = {s.id: s for s in claims.sources}
        parts: dict[str, dict[str, float]] = {}
        extra: dict[str, set[str]] = {}
        for claim in claims.claims:
            id = claim.id or ""
            parts[id] = _parts(claim)
            about: list[str] = []
            for one in (claim, *self._inputs(claim)):
                source = sources.get(one.source_id or "")
                if source and one.sourced:
                    about += [source.publisher or "", source.title or ""]
                if one is not claim:
                    about.append(one.subject)
            extra[id] = {w for text in about for w in words_of(text)} - set(parts[id])
        seen = Counter(word for id in parts for word in (*parts[id], *extra[id]))
        self._total = len(parts) or 1
        self._seen = seen
        self._own = {
            id: tuple((w, f * self._worth(w)) for w, f in words.items()) for id, words in parts.items()
        }
        self._extra = {
            id: tuple((w, PUBLISHER * self._worth(w)) for w in sorted(ws)) for id, ws in extra.items()
        }
        self._subjects = {c.id or "": words_of(c.subject) for c in claims.claims}
        self._attributes = {c.id or "": words_of(c.attribute) for c in claims.claims}
        self._initials = {c.id or "": _initials(c.subject) for c in claims.claims}

    def _worth(self, word: str) -> float:
        return math.log(1 + self._total / self._seen[word])

    def _inputs(self, claim: Claim) -> Iterator[Claim]:
        """What a formula calculates from: its sources are the claim's."""
        for id in formula_inputs(claim.formula) if claim.formula else ():
            if id in self._claims:
                yield self._claims.claim(id)

    def score(self, claim: Claim, near: Nearness) -> tuple[float, float]:
        """How much the words speak of the claim, and which part of the claim's own words is there.

        Words of its source's publisher and title speak for a claim, and their absence
        says nothing: an article names its sources once.
        """
        id = claim.id or ""
        had, missed = self._had(id, near)
        whole = had + missed
        more = sum(weight * near.get(word) for word, weight in self._extra[id])
        bonus = min(more, whole / 2)
        if not whole:
            return bonus, 0.0
        score = (had - ABSENT * missed + bonus) * (USUAL / whole) ** LENGTH
        return score, min(1.0, (had + bonus) / whole)

    def of(self, claim: Claim) -> Collection[str]:
        """The claim's own words."""
        return {*self._subjects[claim.id or ""], *self._attributes[claim.id or ""]}

    def covered(self, claim: Claim, near: Nearness) -> float:
        """Which part of the claim's own words is there, those of its source left out."""
        had, missed = self._had(claim.id or "", near)
        return had / (had + missed) if had + missed else 0.0

    def _had(self, id: str, near: Nearness) -> tuple[float, float]:
        had = missed = 0.0
        short, spelled = self._initials[id]
        acronym = near.get(short) if short else 0.0
        for word, weight in self._own[id]:
            nearness = near.get(word)
            if acronym > nearness and word in spelled:
                nearness = acronym
            had += weight * nearness
            missed += weight * (1 - nearness)
        return had, missed

    def named(self, claim: Claim, near: Nearness, part: float = 1.0, but: Claim | None = None) -> bool:
        """Whether the claim's subject stands in the sentence, the row or the column.

        `part` of its words by weight is enough; those that it shares with the subject of `but` do not count.
        """
        id = claim.id or ""
        short, spelled = self._initials[id]
        acronym = bool(short) and near.get(short) >= NAMED
        shared = set(self._subjects[but.id or ""]) if but else set()
        words = [w for w in dict.fromkeys(self._subjects[id]) if w not in shared]
        there = [w for w in words if near.get(w) >= NAMED or (acronym and w in spelled)]
        return bool(there) and sum(map(self._worth, there)) >= part * sum(map(self._worth, words))

    def called(self, claim: Claim, near: Nearness) -> bool:
        """Whether each name and number of the claim's subject stands in the sentence, the row or before."""
        id = claim.id or ""
        short, spelled = self._initials[id]
        acronym = bool(short) and near.get(short) >= NAMED
        return all(
            near.get(key) >= PREVIOUS or (acronym and key in spelled)
            for word in WORD.findall(claim.subject)
            if not word.islower() and (key := key_of(word))
        )

    def hinted(self, claim: Claim, near: Nearness) -> bool:
        """Whether any word of the claim's subject stands nearer than in the paragraphs before."""
        words = (*self._subjects[claim.id or ""], self._initials[claim.id or ""][0])
        return any(near.get(word) > PASSAGE for word in words)

    def attributed(self, claim: Claim, near: Nearness) -> bool:
        """Whether at least half of what the claim says of its subject stands there too."""
        words = self._attributes[claim.id or ""]
        return sum(near.get(w) >= NAMED for w in words) * 2 >= len(words)

    def rarest(self, claim: Claim, part: float) -> list[str]:
        """The rarest of the claim's words that together weigh more than a part of all of them.

        Where none of these stands near a place, less than the rest of its words can be there.
        """
        own = sorted(self._own[claim.id or ""], key=lambda w: self._seen[w[0]])
        short, spelled = self._initials[claim.id or ""]
        whole = sum(weight for _, weight in own)
        out: list[str] = []
        weighed = 0.0
        for word, weight in own:
            if weighed > part * whole:
                break
            out.append(word)
            weighed += weight
        return [*out, short] if short and spelled & set(out) else out


class WordIndex:
    """Claims by the rarest of their words, so that most need not be looked at."""

    def __init__(self, words: Vocabulary, claims: Iterable[Claim], least: float) -> None:
        """Index claims of which a part `least` of the words must be near a place to matter."""
        self._by_word: dict[str, list[int]] = {}
        self._claims = list(claims)
        for number, claim in enumerate(self._claims):
            for word in words.rarest(claim, 1 - least):
                self._by_word.setdefault(word, []).append(number)

    def near(self, words: Iterable[str]) -> list[Claim]:
        """The claims that words may speak of, in the order of the files."""
        found = {number for word in words for number in self._by_word.get(word, ())}
        return [self._claims[number] for number in sorted(found)]


def _initials(subject: str) -> tuple[str, frozenset[str]]:
    """The acronym that stands for a name of three words or more, and the words it stands for.

    A capital inside a word counts too: InfiniBand Trade Association is the IBTA.
    """
    words = [w for w in WORD.findall(subject.partition("(")[0]) if words_of(w)]
    if len(words) < 3:
        return "", frozenset()
    letters = [
        "".join(c for n, c in enumerate(w) if not n or (c.isupper() and not w.isupper())) for w in words
    ]
    short = words_of("".join(letters))
    return short[0] if short else "", frozenset(k for w in words for k in words_of(w))


def _parts(claim: Claim) -> dict[str, float]:
    words: dict[str, float] = {}
    absent = claim.value if claim.kind == "absent" and isinstance(claim.value, str) else ""
    for text, weight in ((absent, ATTRIBUTE), (claim.attribute, ATTRIBUTE), (claim.subject, SUBJECT)):
        for word in words_of(text):
            words[word] = max(words.get(word, 0.0), weight)
    return words


def by_direction(claim: Claim, way: str | None) -> float:
    """What the direction says for a claim, where the article gives one or the claim is of one way only."""
    if way is not None and claim.direction not in (None, OPEN):
        return 1.0 if claim.direction == way else -WAY
    return -WAY / 2 if claim.direction == "each way" else 0.0


def by_kind(claim: Claim, summed: bool) -> float:
    """A calculated claim is meant where a calculation stands there, a source's where none does."""
    return KIND if bool(claim.formula) == summed else 0.0
