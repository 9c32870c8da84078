"""Texts in slots: where the slot for a claim is plain, what stands in it decides; another's never does."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from kb.claims.claim import Claim
from kb.judging import thresholds as t
from kb.judging.candidate import Anchor, Candidate, best_first
from kb.judging.kindred import replaced
from kb.judging.mention import Finder, Mention
from kb.judging.phrase import another, exact_pattern
from kb.judging.reading import PageReading
from kb.judging.slots import Slot, slots, value_span
from kb.judging.words import keys, words_of_labels
from kb.page import Block

DECIDED = 3.0
"""Log odds of what stands in the claim's own slot, at least. By rule: a labelled value speaks for itself."""
BEHIND = 5.0  # log odds that all else is behind it
FILLED = 3.0
"""Log odds for standing where our value stood in the same sentence. By rule."""
KINDRED = 2.0
"""Log odds for a new name that is nearly ours, where the page has ours no more. By rule."""
FOREIGN = 9.0
"""Log odds that another entry's value is behind. By rule (design, section 9): the subject must be there."""
SIBLINGS = 2  # other entries with the same label, from which on an entry must be called by its name
SAME_ATTRIBUTE = 0.15  # a slot may name the attribute so much less than the best place
TELLS = 12  # letters of a row's other cells that tell it from other rows


def kept_slot(base: PageReading, anchor: Anchor, reading: PageReading) -> int | None:
    """The block that is, by its labels or its row's rest, what ours was; None where that is not plain."""
    old = base.blocks[anchor.mention.block]
    if not (old.row or old.column):
        return None
    found = []
    if not old.header:
        key = _labels(old)
        found = [i for i, b in enumerate(reading.blocks) if not b.header and _labels(b) == key]
    if not found:
        found = _beside_the_same(base, anchor.mention.block, reading)
    return found[0] if len({reading.blocks[i].text for i in found}) == 1 else None


def whole_slot(reading: PageReading, index: int, find: Finder) -> list[Mention]:
    """What stands in one slot: our phrase, or all that it has."""
    block = reading.blocks[index]
    first, last = value_span(block)
    found = list(find(index))
    if found or not first < last <= first + t.SLOT:
        return found
    return [Mention(index, first, last, block.text[first:last])]


def _labels(block: Block) -> tuple[object, ...]:
    """What labels a block, in one case: both headers of a cell, or a label under its heading."""
    if not (block.row or block.column):
        return ()
    lower = tuple(x.casefold() for x in block.row), tuple(x.casefold() for x in block.column)
    return (*lower, *(h.casefold() for h in block.headings[-1:]))


def _beside_the_same(base: PageReading, index: int, reading: PageReading) -> list[int]:
    """The cells under our column whose row has the same other cells, where those say enough."""
    old = base.blocks[index]
    if old.table is None:
        return []
    rest = _rest(base, index)
    if sum(map(len, rest)) < TELLS:
        return []
    column = tuple(x.casefold() for x in old.column)
    return [
        i
        for i, b in enumerate(reading.blocks)
        if b.table is not None
        and b.header == old.header
        and tuple(x.casefold() for x in b.column) == column
        and _rest(reading, i) == rest
    ]


def _rest(reading: PageReading, at: int) -> tuple[str, ...]:
    """The other cells of a cell's row."""
    block, out = reading.blocks[at], []
    if block.table is None:
        return ()
    for step in (-1, 1):
        i = at + step
        while 0 <= i < len(reading.blocks):
            other = reading.blocks[i]
            if other.table != block.table or other.row_index != block.row_index:
                break
            out.append((other.column_index or 0, other.text))
            i += step
    return tuple(text for _, text in sorted(out))


def slot_mentions(reading: PageReading, blocks: Iterable[int], claim: Claim) -> list[Mention]:
    """What stands, instead of a claimed text, in those slots of some blocks that its attribute labels."""
    own, value = keys(claim.attribute), claim.value if isinstance(claim.value, str) else ""
    out = []
    for index in blocks:
        for slot in slots(reading, index, own):
            text = reading.blocks[index].text[slot.start : slot.end]
            if slot.worded and not _may_be_named(value, text):
                continue
            if words_of_labels((slot.label,)) & own and (
                another(value, text) or not exact_pattern(value).search(text)
            ):
                out.append(Mention(index, slot.start, slot.end, text))
    return list(dict.fromkeys(out))


def _may_be_named(value: str, text: str) -> bool:
    """Whether a text may be another name where ours has capitals or digits, and is no mere remark."""
    if len(text.split()) > 2 * len(value.split()) + 2:
        return False
    return not _marked(value) or _marked(text)


def _marked(text: str) -> bool:
    return any(c.isdigit() or c.isupper() for c in text)


def settled(
    reading: PageReading,
    base: PageReading | None,
    claim: Claim,
    candidates: Sequence[Candidate],
    anchor: Anchor | None,
    filled: Sequence[Mention] = (),
) -> list[Candidate]:
    """The candidates of a text claim, best first: what its own slot has leads, another's falls behind."""
    if not candidates:
        return []
    known = base if anchor is not None else None
    value = claim.value if isinstance(claim.value, str) else ""
    now, before = frozenset(filled), _unchanged(known, candidates, reading) if known else frozenset()
    out = [
        replace(
            c,
            total=c.total
            + FILLED * (c.mention in now)
            + KINDRED * (not c.fit.answer.holds and replaced(reading, base, value, c.mention.text))
            - FOREIGN * (c.mention in before),
        )
        for c in candidates
    ]
    kept = kept_slot(known, anchor, reading) if known and anchor else None
    inside = [c for c in out if c.mention.block == kept]
    if not inside:
        foreign = _foreign(reading, known, claim, out)
        inside = _named(reading, claim, [c for c, its in zip(out, foreign, strict=True) if not its])
        out = [
            c if c in inside or not its else c.with_total(c.total - FOREIGN)
            for c, its in zip(out, foreign, strict=True)
        ]
    if inside:
        lead = max([c for c in inside if c.fit.answer.holds] or inside, key=lambda c: c.total)
        top = max(lead.total, DECIDED)
        out = [c.with_total(top if c is lead else min(c.total, top - BEHIND)) for c in out]
    return best_first(out)


def _unchanged(
    base: PageReading, candidates: Sequence[Candidate], reading: PageReading
) -> frozenset[Mention]:
    """What other values stood in the same slots before, beside ours: none of them is what ours became."""
    stood = {(_labels(b), b.text) for b in base.blocks if b.row or b.column}
    return frozenset(
        c.mention
        for c in candidates
        if not c.fit.answer.holds
        and (b := reading.blocks[c.mention.block])
        and (b.row or b.column)
        and (_labels(b), b.text) in stood
    )


def _named(reading: PageReading, claim: Claim, candidates: Sequence[Candidate]) -> list[Candidate]:
    """What stands in the slots that the claim's words name wholly, where they agree on whether it is ours."""
    attribute = keys(claim.attribute)
    own = attribute | keys(claim.subject)
    if not candidates:
        return []
    best = max(c.total for c in candidates)
    racing = [c for c in candidates if c.total > max(best - t.NO_RIVAL, -DECIDED)]
    value = claim.value if isinstance(claim.value, str) else ""
    slotted = [c for c in racing if _is_named(reading, c, attribute, own, value)]
    asked = [*slotted, *(c for c in racing if c.fit.answer.holds)]
    subject = max((c.named for c in asked), default=0.0)
    near = [c for c in asked if c.named >= subject - t.SAME_SUBJECT]
    named = max((c.signs[t.ATTRIBUTE_SIGN] for c in near), default=0.0)
    inside = [
        c
        for c in slotted
        if c.named >= subject - t.SAME_SUBJECT and c.signs[t.ATTRIBUTE_SIGN] >= named - SAME_ATTRIBUTE
    ]
    if len({c.fit.answer.holds for c in inside}) != 1:
        return []
    values = {c.mention.text.casefold() for c in inside}
    return inside if len(values) == 1 or inside[0].fit.answer.holds else []


def _is_named(
    reading: PageReading, c: Candidate, attribute: frozenset[str], own: frozenset[str], value: str
) -> bool:
    """Whether a candidate's slot has a label of the claim's words alone, and most of its attribute by it."""
    for slot in slots(reading, c.mention.block, attribute):
        words = keys(slot.label)
        if slot.worded and not _may_be_named(value, c.mention.text):
            continue
        if words and words <= own and words & attribute and slot.has(c.mention.block, *_span(c)):
            said = words.union(words_of_labels(slot.beside), reading.said(c.mention.block))
            if 2 * len(said & attribute) > len(attribute):
                return True
    return False


def _span(c: Candidate) -> tuple[int, int]:
    return c.mention.start, c.mention.end


def _foreign(
    reading: PageReading,
    base: PageReading | None,
    claim: Claim,
    candidates: Sequence[Candidate],
) -> list[bool]:
    """Which candidates stand in another entry's slot: one of several that are told apart by names alone."""
    attribute, subject = keys(claim.attribute), keys(claim.subject)
    its: list[tuple[str, str] | None] = []
    entries: dict[str, dict[str, set[int]]] = {}
    for c in candidates:
        slot = _slot_of(reading, c, attribute)
        pair = None
        if slot is not None and (entry := next((e for e in slot.beside if e), "")):
            pair = slot.label.casefold(), entry
            entries.setdefault(pair[0], {}).setdefault(entry, set()).add(c.mention.block)
        its.append(pair)
    known = _entries(base) if base is not None else None
    out = []
    for c, pair in zip(candidates, its, strict=True):
        if pair is None or len(entries[pair[0]]) < SIBLINGS or len(entries[pair[0]][pair[1]]) > 1:
            out.append(False)  # no entries, or a group of them
            continue
        label, entry = pair
        others = [words_of_labels((e,)) for e in entries[label]]
        telling = {
            w
            for w in subject - attribute
            if w not in reading.topic and 2 * sum(w in words for words in others) <= len(others)
        }
        out.append(
            bool(telling)
            and telling.isdisjoint(words_of_labels((entry, *_rest(reading, c.mention.block))))
            and telling.isdisjoint(reading.said(c.mention.block))
            and (known is None or entry.casefold() in known)
        )
    return out


def _slot_of(reading: PageReading, c: Candidate, attribute: frozenset[str]) -> Slot | None:
    """The slot that a candidate stands in, by the label that says most of the attribute."""
    found = [s for s in slots(reading, c.mention.block, attribute) if s.has(c.mention.block, *_span(c))]
    found = [s for s in found if keys(s.label) & attribute]
    return max(found, key=lambda s: len(keys(s.label) & attribute), default=None)


def _entries(base: PageReading) -> frozenset[str]:
    """All that may be called an entry on the earlier page."""
    return frozenset(label.casefold() for b in base.blocks for label in (*b.row, *b.column, *b.headings[-1:]))
