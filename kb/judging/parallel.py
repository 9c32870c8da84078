"""Values that stand alike, each behind a label of its own: the label that says most of the claim leads."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from kb.claims.claim import Claim
from kb.judging import thresholds as t
from kb.judging.candidate import Candidate, best_first
from kb.judging.entry import name_of
from kb.judging.reading import PageReading
from kb.judging.words import keys, words_of_labels

ANOTHER_LABEL = 6.0  # what it costs, in log odds, to stand behind a label that says less, and other words
LEAD = 3.0  # log odds, at most, that the value with the label that says more takes over

_LABEL = re.compile(r"(?:^|[.;,]\s|\n)(?P<label>[^\n.;:=]{2,80}?)\s?[:=]\s?[\"'`(]?$")
_SETTING = re.compile(r"(?:^|\n)\s*(?P<label>[A-Za-z]\w*[_.-][\w.-]*)\s[\"'`]?$")
_REACH = 120  # characters before a value in which its label begins

_NUMBER = re.compile(r"\d+(?:\.\d+)*")
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")

_Labelled = tuple[Candidate, frozenset[str]]


def parallel(reading: PageReading, claim: Claim, candidates: Sequence[Candidate]) -> list[Candidate]:
    """The candidates, best first; those behind whose label says less of the claim than one beside it.

    `Approval: 7 days; blue and green deployment: 5 days` states no deployment of 7 days, of the lines
    `ring-max-nests 512` and `ring-max-eggs 64` the second alone states eggs, `cap` under `flow` is none
    under `stream`, `Year 2` is no third year, and 7,000 write operations are no file operations where the
    page counts those, too.
    """
    if not candidates:
        return []
    top = candidates[0]
    least = top.total - t.NO_RIVAL
    own = keys(f"{claim.subject} {claim.attribute} {claim.where or ''} {claim.per or ''}")
    behind: set[int] = set()
    instead: list[Candidate] = []
    racing = [c for c in candidates if c.total >= least]
    groups = [(its, own, False) for its in _groups(reading, racing)]
    groups += [(its, own | _ordinals(claim), False) for its in _numbered(reading, racing)]
    for its, words_of_ours, ours_alone in (*groups, (_counted(racing), own, True)):
        said = [(c, words & words_of_ours, not words <= words_of_ours) for c, words in its]
        others = {mine for _, mine, apart in said if not (ours_alone and apart)}
        less = {
            id(c)
            for c, mine, apart in said
            if apart and not _is_alone(reading, c) and any(mine < other for other in others)
        }
        behind |= less
        if id(top) in less:
            mine = next(words for c, words, _ in said if c is top)
            instead += [c for c, other, _ in said if mine < other and other in others and id(c) not in less]
    if not behind:
        return list(candidates)
    sure = len({c.mention.text for c in instead}) == 1
    lead = {id(c): min(top.total, LEAD) for c in instead} if sure else {}
    return best_first(
        c.with_total(c.total - ANOTHER_LABEL)
        if id(c) in behind
        else c.with_total(max(c.total, lead[id(c)]))
        if id(c) in lead
        else c
        for c in candidates
    )


def _is_alone(reading: PageReading, c: Candidate) -> bool:
    """Whether a value is all that its cell says, which its column then is of, whatever others say more."""
    block = reading.blocks[c.mention.block]
    return block.table is not None and len(block.text.split()) <= len(c.mention.text.split()) + 1


def _groups(reading: PageReading, racing: Sequence[Candidate]) -> Iterator[list[_Labelled]]:
    """Values with what tells each from the others: in one text, in one row, or under one key.

    Not under names of settings, of which each has its own text.
    """
    texts: dict[int, list[Candidate]] = {}
    groups: dict[tuple[object, ...], list[_Labelled]] = {}
    for c in racing:
        block = reading.blocks[c.mention.block]
        texts.setdefault(c.mention.block, []).append(c)
        if block.table is not None and block.row and block.column:
            groups.setdefault((block.table, block.row), []).append((c, words_of_labels(block.column)))
        elif block.table is None and len(block.row) > 1 and not name_of(block.row[-2]).marked:
            groups.setdefault(("", block.row[-1]), []).append((c, words_of_labels(block.row[:-1])))
    for index, its in texts.items():
        if len(its) > 1:
            yield _labelled(reading.blocks[index].text, its)
    for group in groups.values():
        if len(group) > 1:
            yield group


def _numbered(reading: PageReading, racing: Sequence[Candidate]) -> list[list[_Labelled]]:
    """Values in rows whose labels are alike but for their numbers: Year 2, Year 3."""
    groups: dict[tuple[object, ...], list[_Labelled]] = {}
    for c in racing:
        block = reading.blocks[c.mention.block]
        if block.row and _NUMBER.search(block.row[-1]):
            alike = _NUMBER.sub("#", " ".join(block.row).casefold())
            key = alike, block.table, block.column, block.headings
            groups.setdefault(key, []).append((c, words_of_labels(block.row)))
    return [its for its in groups.values() if len(its) > 1]


def _ordinals(claim: Claim) -> frozenset[str]:
    """The numbers that a claim says as ordinals: the 3 of `third year`, which a page calls Year 3."""
    words = f"{claim.subject} {claim.attribute}".casefold().split()
    return frozenset(str(ORDINALS.index(word) + 1) for word in words if word in ORDINALS)


def _counted(racing: Sequence[Candidate]) -> list[_Labelled]:
    """The values that count something, each with the words of what it counts."""
    out = []
    for c in racing:
        q = c.mention.quantity
        if q is not None and (q.unit.startswith("count:") or q.unit.startswith("op/")):
            out.append((c, frozenset(w for w in keys(c.mention.text) if not w[0].isdigit())))
    return out


def _labelled(text: str, its: Sequence[Candidate]) -> list[_Labelled]:
    """The values of one text that stand behind a label, each with its words."""
    out = []
    end = 0
    for c in sorted(its, key=lambda c: (c.mention.start, -c.mention.end)):
        start = c.mention.start
        if start >= end:
            before = text[max(end, start - _REACH) : start]
            match = _SETTING.search(before) or _LABEL.search(before)
            if match is not None:
                out.append((c, words_of_labels((match["label"].strip(),))))
        end = max(end, c.mention.end)
    return out
