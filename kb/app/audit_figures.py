"""The figures of an article against the claims: which claim states each, or states something else."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kb.app.audit_idioms import Worded, bare, converts, said_loosely, worded
from kb.app.audit_mention import Mention, Status
from kb.app.audit_near import NAMED, Nearness, Passage, Spans
from kb.app.audit_score import SUMMED, Vocabulary, WordIndex, by_direction, by_kind
from kb.app.audit_values import (
    ValueIndex,
    before_values,
    closeness,
    coarse,
    either_way,
    near_enough,
    other_noun,
    rounds_to,
    telling,
)
from kb.app.audit_words import words_of
from kb.claims import Claim, ClaimSet
from kb.judging.lapsed import lapsed
from kb.quantity import Comparison, Quantity, noun_of, unit_dimension

if TYPE_CHECKING:
    from kb.store import ClaimNow

ABOUT_IT = 0.3
"""The least part of a claim's words that must be near a figure with the claim's own value."""

SURELY_ABOUT_IT = 0.62
"""The same for a number whose unit is left out, and for a date that is another than the claim's."""

CONTRADICTED = 0.5
"""The same for a figure with another value, where each name in the claim's subject is near too."""

HINTED_AT = 0.1
"""The same for a value that few claims have, and for a list of three members: they tell themselves."""

FEW = 3
"""How many claims may have a value for it to tell by itself whom it is about."""

RATHER = 0.25
"""By how much more of a claim's words must be near for it to be contradicted rather than another backed."""

BARE = 0.5
"""The same for a number without a unit, and for one in words."""

COUNTED = 0.4
"""The same for a number in words whose noun is the one that the claim counts."""

COORDINATED = 0.5
"""The part by which another claim's subject must stand beside a figure to share it: in Oslo and Turin."""

GROUP = re.compile(r"\b(?:both|all|each|either|every one)\b", re.IGNORECASE)
"""Words that speak of several things at once, named before."""

AS_GOOD = 0.8
"""Claims whose score reaches this part of the best one's are named with it."""

TWIN = 0.6
"""The same for claims of the best one's subject or source: an article seldom tells them apart."""


@dataclass(frozen=True, slots=True)
class Scored:
    """A claim with how much speaks for it."""

    score: float
    claim: Claim
    cover: float = 1.0


class Figures:
    """Finds the claims behind figures."""

    def __init__(self, claims: ClaimSet, words: Vocabulary, now: Mapping[str, ClaimNow]) -> None:
        self.claims = claims
        self.words = words
        self.now = now
        stating = [c for c in claims.claims if c.quantity is not None]
        self._values = ValueIndex((c, c.quantity) for c in stating if c.quantity is not None)
        self._before = ValueIndex((c, q) for c in claims.claims for q in before_values(c))
        loose = [c for c in stating if c.formula or (c.quantity and c.quantity.bound not in ("exact", ""))]
        self._loose = WordIndex(words, loose, ABOUT_IT)
        self._sure = WordIndex(words, stating, CONTRADICTED)

    def passage(self, passage: Passage, read: Sequence[Quantity]) -> list[tuple[Quantity, Mention]]:
        """A mention for each quantity of a passage; a bare number has one only where a claim states it."""
        loose = self._loose.near(passage.around)
        sure = self._sure.near(passage.around)
        starts: dict[str, list[int]] = {}
        for q in read:
            starts.setdefault(coarse(q.unit), []).append(q.start)
        units = {coarse(q.unit) for q in read} - {"plain"}
        out: list[tuple[Quantity, Mention]] = []
        for q in read:
            if q.unit == "number" and q.high is None:
                out += self._number(passage, q, units)
                continue
            near = passage.near(q.start, q.end, starts[coarse(q.unit)])
            out.append((q, self._figure(passage.mention("figure", q.start, q.end), q, near, loose, sure)))
        out = [(q, m) for q, m in out if m.claims or not said_loosely(q)]
        backed = {m.claims[0] for _, m in out if m.claims and m.status is not Status.OTHER}
        return [(q, _quiet(m) if _settled(m, backed) else m) for q, m in out]

    def _figure(
        self,
        mention: Mention,
        q: Quantity,
        near: Nearness,
        loose: Sequence[Claim],
        sure: Sequence[Claim],
    ) -> Mention:
        same = self._same(q, near, loose, sure)
        if not same and q.unit.startswith("count") and not any(c.isalpha() for c in q.text):
            # what a table's header counts may be the thing it is about: "Havlys | 34"
            same = self._same(replace(q, unit="number", per=None), near, loose, sure)
        if same and self._vague(same, near):  # a value that another thing has by chance
            other = self._contradicted(mention, q, near, sure)
            if other.status is Status.OTHER:
                surely = self.words.covered(self.claims.claim(other.claims[0]), near.without_own())
                if surely >= max(s.cover for s in same) + RATHER:
                    return other
        if same:
            return self._with_times(self.backed(mention, same, near), q, near)
        if q.high is not None:  # a range whose ends are two claims
            ends = [self._same(replace(q, value=v, high=None), near, loose, sure) for v in (q.value, q.high)]
            if all(ends):
                found = self.backed(mention, ends[0], near)
                more = tuple(s.claim.id or "" for s in self._best(ends[1], near)[0])
                claims = tuple(dict.fromkeys((*found.claims, *more)))
                return replace(found, claims=claims, together=(*found.together, *more[:1]))
        if converts(mention.block.text, q):
            number = Quantity(q.value, None, "number", text=q.text)
            same = [s for s, cover in self._scored(number, near, ()) if cover >= ABOUT_IT]
            same = [s for s in same if s.claim.quantity and ":" not in s.claim.quantity.unit]
            if same:
                return self.backed(mention, same, near)
        return self._taken_back(mention, q, near) or self._contradicted(mention, q, near, sure)

    def _same(
        self, q: Quantity, near: Nearness, loose: Sequence[Claim], sure: Sequence[Claim]
    ) -> list[Scored]:
        """The claims near by with this value."""
        scored = self._scored(q, near, (*loose, *sure) if q.bound == "about" else loose)
        same = [s for s, cover in scored if cover >= ABOUT_IT]
        if same or not telling(q) or len(scored) > FEW:
            return same
        hinted = [s for s, cover in scored if cover >= HINTED_AT]
        if hinted and GROUP.search(near.sentence):
            return [s for s, cover in scored if cover > 0]
        return hinted

    def _vague(self, same: Sequence[Scored], near: Nearness) -> bool:
        """Whether no claim with the value is surely meant: none has its subject beside the figure."""
        return not any(
            s.cover >= SURELY_ABOUT_IT or self.words.named(s.claim, near, COORDINATED) for s in same
        )

    def _scored(self, q: Quantity, near: Nearness, more: Iterable[Claim]) -> list[tuple[Scored, float]]:
        found = {c.id: True for c, _ in self._values.like(q) if c.id}
        found = {c.id: False for c in more if c.id} | found
        out = []
        dimension = coarse(q.unit)
        way = near.direction
        summed = bool(SUMMED.search(near.sentence))
        for id, alike in found.items():
            claim = self.claims.claim(id)
            ours = claim.quantity
            if ours is None or coarse(ours.unit) != dimension:
                continue
            if not (
                either_way(ours, q).holds
                or (claim.formula and rounds_to(ours, q))
                or (dimension == "plain" and other_noun(ours, q, self.words.of(claim)))
            ):
                continue
            score, cover = self.words.score(claim, near)
            if near.cell and not self.words.hinted(claim, near):
                continue  # a column about another thing
            if cover < BARE and not (alike and self._counts(claim, ours, q)):
                continue  # less of a sign: another number inside the claim's bound, or of things it has not
            told = score + closeness(ours, q) + by_direction(claim, way) + by_kind(claim, summed)
            out.append((Scored(told, claim, cover), cover))
        return out

    def _counts(self, claim: Claim, ours: Quantity, q: Quantity) -> bool:
        """Whether a plain number of a claim may count what the article counts: a word of the claim's own."""
        noun = set(words_of(noun_of(q.unit)))
        return ours.unit != "number" or not noun or bool(noun & set(self.words.of(claim)))

    def _with_times(self, mention: Mention, q: Quantity, near: Nearness) -> Mention:
        """With the claim that states the first factor of `8x400G`, if there is one."""
        if q.times is None:
            return mention
        source = self.claims.claim(mention.claims[0]).source_id
        count = Quantity(q.times, None, "number", text=str(q.times))
        more = [
            s
            for s, cover in self._scored(count, near, ())
            if cover >= ABOUT_IT and s.claim.source_id == source
        ]
        return replace(mention, claims=(*mention.claims, more[0].claim.id or "")) if more else mention

    # --- numbers that count nothing ----------------------------------------------------------------

    def _number(self, passage: Passage, q: Quantity, units: set[str]) -> list[tuple[Quantity, Mention]]:
        """A number whose unit is left out: a claim's own number, or one in a unit that stands near by."""
        near = passage.near(q.start, q.end)
        best = []
        alike = self._values.alike(q.value)
        rare = telling(q) and len(alike) <= FEW
        for claim, ours in alike:
            score, cover = self.words.score(claim, near)
            plain = coarse(ours.unit) == "plain"
            least = (
                ABOUT_IT
                if plain and rare
                else BARE
                if plain or coarse(ours.unit) in units
                else SURELY_ABOUT_IT
            )
            if cover >= least and (plain or ours.high is None):
                best.append(Scored(score + (1.0 if plain else 0.0), claim, cover))
        return [(q, self.backed(passage.mention("figure", q.start, q.end), best, near))] if best else []

    def numbers(self, passage: Passage, taken: Spans) -> list[Mention]:
        """Numbers in words, and digits that no reader takes for a quantity, where a claim has them."""
        out: list[Mention] = []
        for one in (*bare(passage.block.text), *worded(passage.block.text)):
            if taken.cross(one.start, one.end) and not one.inside:
                continue
            near = passage.near(one.start, one.end)
            best = list(self._worded(one, near))
            if best:
                out.append(self.backed(passage.mention("figure", one.start, one.end), best, near))
        return out

    def _worded(self, one: Worded, near: Nearness) -> Iterable[Scored]:
        counted = set(words_of(one.noun))
        for claim, ours in self._values.alike(one.value):
            if coarse(ours.unit) != "plain" or ours.high is not None:
                continue
            noun = {*words_of(ours.text), *words_of(ours.unit.partition(":")[2]), *words_of(claim.attribute)}
            noun.discard(str(one.value))
            if one.noun and not (counted & noun or (one.loose and any(near.get(w) >= NAMED for w in noun))):
                continue
            score, cover = self.words.score(claim, near)
            if cover >= (COUNTED if one.noun else ABOUT_IT if one.word else BARE):
                yield Scored(score, claim, cover)

    # --- what is said of a figure -------------------------------------------------------------------

    def backed(self, mention: Mention, scored: Sequence[Scored], near: Nearness) -> Mention:
        """A mention with the claims that state it, and what is known of the best one."""
        found, together = self._best(scored, near, mention.sentence)
        ids = tuple(s.claim.id or "" for s in found)
        return self.led_by(replace(mention, claims=ids, together=together), ids[0])

    def led_by(self, mention: Mention, id: str) -> Mention:
        """The mention with one of its claims as the first, and what is known of that one."""
        claim = self.claims.claim(id)
        present = self.now.get(id)
        verdict = present.verdict or "" if present else ""
        bad = verdict in ("drifted", "gone")
        return replace(
            mention,
            status=Status.DRIFTED if bad else Status.DERIVED if claim.formula else Status.HOLDS,
            claims=(id, *(other for other in mention.claims if other != id)),
            verdict=verdict,
            stated=stated_by(claim),
            found=present.found_text if present and bad else "",
            formula=claim.formula or "",
            worked=self._worked_out(claim),
            gone=bool(bad and present and present.confirmed),
        )

    def _worked_out(self, claim: Claim) -> str:
        """A claim's formula with figures in place of the ids."""
        from kb.claims import formula_inputs, worked  # start-up time

        if claim.formula is None:
            return ""
        inputs = {id: self.claims.claim(id).quantity for id in formula_inputs(claim.formula)}
        values = {id: q for id, q in inputs.items() if q is not None}
        return worked(claim.formula, values) if len(values) == len(inputs) else ""

    def _best(
        self, scored: Sequence[Scored], near: Nearness, sentence: str = ""
    ) -> tuple[list[Scored], tuple[str, ...]]:
        """The best claim with those that may be meant, and the ids of those that are stated with it."""
        ordered = sorted(scored, key=lambda s: -s.score)
        top = ordered[0]
        twins = {top.claim.subject, top.claim.source_id if top.claim.sourced else ""}
        several = bool(GROUP.search(sentence))
        words = set(words_of(top.claim.attribute))
        out, together = [top], []
        for one in ordered[1:]:
            twin = bool({one.claim.subject, one.claim.source_id} & twins)
            good = top.score * (TWIN if twin else AS_GOOD)
            beside = not twin and self.words.named(one.claim, near, COORDINATED, top.claim)
            alike = several and bool(words & set(words_of(one.claim.attribute)))
            close = one.score > 0 and (one.score >= good or (beside and one.score >= top.score * COORDINATED))
            grouped = alike and (len(ordered) <= FEW or one.cover >= top.cover * COORDINATED)
            if close or grouped:
                out.append(one)
            if grouped or (close and beside):
                together.append(one.claim.id or "")
        return out, tuple(together)

    def _taken_back(self, mention: Mention, q: Quantity, near: Nearness) -> Mention | None:
        """A value that a claim stated before: the article was not changed with the claim."""
        if lapsed(mention.block.text, mention.start, mention.end):
            return None  # the article itself says that it is past
        least = ABOUT_IT if telling(q) else BARE
        scored = []
        for claim, before in self._before.like(q):
            score, cover = self.words.score(claim, near)
            meant = cover >= BARE or self.words.named(claim, near, COORDINATED)
            if cover >= least and meant and either_way(before, q).holds:
                scored.append(Scored(score + closeness(before, q), claim, cover))
        if not scored:
            return None
        best = max(scored, key=lambda s: s.score).claim
        return self.otherwise(mention, best, gone=True)

    def otherwise(self, mention: Mention, claim: Claim, *, gone: bool) -> Mention:
        """A mention of which a claim says something else; `gone`: it is what the claim stated before."""
        present = self.now.get(claim.id or "")
        return replace(
            mention,
            status=Status.OTHER,
            claims=(claim.id or "",),
            verdict=present.verdict or "" if present else "",
            stated=stated_by(claim),
            found=present.found_text if present and present.verdict == "drifted" else "",
            gone=gone,
        )

    def _contradicted(self, mention: Mention, q: Quantity, near: Nearness, sure: Sequence[Claim]) -> Mention:
        """Where words surely speak of a claim that has another value; of counts, that says nothing."""
        if q.unit == "number" or unit_dimension(q.unit).startswith("count"):
            return mention
        bare_near = near.without_own()
        scored = []
        for claim in sure:
            ours = claim.quantity
            if ours is None or coarse(ours.unit) != coarse(q.unit):
                continue
            if either_way(ours, q) is not Comparison.DIFFERS or not near_enough(ours, q):
                continue
            if not (self.words.attributed(claim, bare_near) and self.words.called(claim, near)):
                continue
            if self.words.covered(claim, bare_near) >= CONTRADICTED:
                scored.append(Scored(self.words.score(claim, near)[0], claim))
        if not scored or lapsed(mention.block.text, mention.start, mention.end):
            return mention
        return self.otherwise(mention, max(scored, key=lambda s: s.score).claim, gone=False)


def _settled(mention: Mention, backed: set[str]) -> bool:
    """Whether the claim that a figure seems to contradict is stated as it is in the same passage."""
    return mention.status is Status.OTHER and not mention.gone and mention.claims[0] in backed


def _quiet(mention: Mention) -> Mention:
    return replace(mention, status=Status.NONE, claims=(), verdict="", stated="", found="")


def stated_by(claim: Claim) -> str:
    """What a claim states, with its basis."""
    value = claim.value if isinstance(claim.value, str) else ", ".join(claim.value)
    return f"{value} per {claim.per}" if claim.per and claim.per != "unspecified" else value
