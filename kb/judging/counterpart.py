"""What became of one block of an earlier edition: its counterpart on the page, or a row that is lost."""

from __future__ import annotations

from collections.abc import Iterator

from kb.judging import thresholds as t
from kb.judging.reading import PageReading, row_of
from kb.judging.words import Labels, words_of_labels


def counterpart(base: PageReading, index: int, reading: PageReading) -> int | None:
    """The block that a block of the earlier edition is now; None where none is sure to be it.

    Numbers aside. Where in the page it stands does not matter, and a block which stood there
    already, word for word, is its own counterpart and no other's.
    """
    old = base.blocks[index]
    text = base.masked()[index]
    unmoved = reading.unmoved(text, old.row, old.column)
    if unmoved:
        same = (i for i in unmoved if reading.blocks[i].headings[-1:] == old.headings[-1:])
        return next(same, unmoved[0])
    weight = t.TEXT if len(text) > t.SHORT_TEXT else t.TEXT / 2
    best, most = None, t.COUNTERPART
    for block, alike in _alike(base, text, reading):
        new = reading.blocks[block]
        whole, total = weight * alike, weight
        for counts, before, now in (
            (t.ROW_LABEL, old.row, new.row),
            (t.COLUMN_LABEL, old.column, new.column),
            (t.HEADING_LABEL, old.headings[-1:], new.headings[-1:]),
        ):
            total += counts
            whole += counts * _same(before, now)
        if whole / total > most:
            best, most = block, whole / total
    return best


def stays(base: PageReading, index: int, reading: PageReading, now: int) -> bool:
    """Whether block `now` stands where a block of the earlier edition stood, and no other can be either.

    Its labels and all its headings are the same, and so is its text, numbers aside.
    """
    old = base.blocks[index]
    text = base.masked()[index]
    for page, block in ((base, index), (reading, now)):
        its = page.unmoved(text, old.row, old.column)
        if [i for i in its if page.blocks[i].headings == old.headings] != [block]:
            return False
    return True


def _alike(base: PageReading, text: str, reading: PageReading) -> Iterator[tuple[int, float]]:
    """The blocks whose text is like `text`, and how much."""
    from rapidfuzz.fuzz import ratio  # start-up time
    from rapidfuzz.process import extract_iter

    for block in reading.worded(text):
        yield block, 1.0
    fresh, most = reading.fresh(base), t.COMPARED
    for _, score, block in extract_iter(text[:most], fresh, scorer=ratio, score_cutoff=100 * t.LIKE_TEXT):
        yield block, score / 100


def _same(before: Labels, now: Labels) -> float:
    """The share of two labels' words that both have; 1.0 where neither place has one."""
    if before == now:
        return 1.0
    a, b = words_of_labels(before), words_of_labels(now)
    return len(a & b) / len(a | b) if a | b else 1.0


def row_lost(base: PageReading, index: int, reading: PageReading) -> float:
    """Of a block in a row: the share of its sibling rows that are still there, where its own is not; 0 to 1.

    Rows are known by their labels. A row is there as long as some row, column or heading shares most of
    its words: tables are turned round, and made into sections.
    """
    block = base.blocks[index]
    mine = words_of_labels(row_of(block))
    labels = reading.labels()
    if not mine or mine in labels:
        return 0.0
    siblings = base.row_names(block) - {mine, frozenset()}
    if not siblings:
        return 0.0
    near = max((len(mine & words) / len(mine | words) for words in labels), default=0.0)
    if near >= t.SAME_ROW:
        return 0.0
    return (1.0 - near) * len(siblings & labels) / len(siblings)
