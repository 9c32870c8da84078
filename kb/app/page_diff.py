"""What changed between two readings of a page, as a person would tell it.

Text is compared block by block, in the order of the page; tables cell by cell, each cell found by its row's
and column's headers, so a moved row or a new column hides nothing. Quantities that changed are marked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from kb.page import Block, Page
from kb.quantity import Comparison, Quantity, compare, quantities

_ALIKE = 0.5  # share of words in common from which two paragraphs are one that changed
_PAIRED = (
    200  # blocks on one side of a gap up to which pairs are looked for; past it they are told one by one
)

Span = tuple[int, int]
Where = tuple[tuple[str, ...], tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Change:
    """One difference.

    Attributes:
        what: `added`, `removed` or `changed`.
        kind: of the block.
        headings: the headings above it, outermost first.
        row: a cell's row headers.
        column: a cell's column headers.
        before: the text before; "" for what was added.
        after: the text after; "" for what was removed.
        lost: where in `before` quantities stand that `after` has not, nor what was added elsewhere.
        new: where in `after` quantities stand that `before` has not, nor what was removed elsewhere.
        said: the lost and new quantities in words.
    """

    what: str
    kind: str
    headings: tuple[str, ...]
    row: tuple[str, ...]
    column: tuple[str, ...]
    before: str
    after: str
    lost: tuple[Span, ...] = ()
    new: tuple[Span, ...] = ()
    said: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())


@dataclass(frozen=True, slots=True)
class _Unit:
    """A block of text, or a whole table where it stands."""

    key: tuple[str, ...]
    blocks: tuple[Block, ...]

    @property
    def is_table(self) -> bool:
        return self.key[0] == "table"


@dataclass(slots=True)
class _Draft:
    """A difference before it is known which of its quantities only moved."""

    before: Block | None
    after: Block | None
    lost: list[Quantity]
    new: list[Quantity]

    def told(self) -> Change:
        here = self.after or self.before
        assert here is not None
        return Change(
            what="added" if self.before is None else "removed" if self.after is None else "changed",
            kind=here.kind,
            headings=here.headings,
            row=here.row,
            column=here.column,
            before=self.before.text if self.before else "",
            after=self.after.text if self.after else "",
            lost=tuple((q.start, q.end) for q in self.lost),
            new=tuple((q.start, q.end) for q in self.new),
            said=(tuple(q.text for q in self.lost), tuple(q.text for q in self.new)),
        )


def page_diff(before: Page, after: Page) -> list[Change]:
    """The differences in visible text, in the order of the page."""
    old, new = _units(before), _units(after)
    drafts: list[_Draft] = []
    matcher = SequenceMatcher(None, [u.key for u in old], [u.key for u in new], autojunk=False)
    langs = (before.lang, after.lang)
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag == "equal":
            for a, b in zip(old[i1:i2], new[j1:j2], strict=True):
                if a.is_table:
                    drafts += _tables(a.blocks, b.blocks, langs)
        else:
            drafts += _gap(old[i1:i2], new[j1:j2], langs)
    _find_moved(drafts)
    return [draft.told() for draft in drafts]


def _units(page: Page) -> list[_Unit]:
    units: list[_Unit] = []
    tables: dict[int, list[Block]] = {}
    for block in page.blocks:
        if not block.visible or not block.text or block.kind == "title":
            continue
        if block.table is None:
            units.append(_Unit((block.kind, block.text, *block.row), (block,)))
        elif block.table in tables:
            tables[block.table].append(block)
        else:
            tables[block.table] = [block]
            units.append(_Unit(("table", str(block.table)), (block,)))
    return [_table(tables[int(unit.key[1])]) if unit.is_table else unit for unit in units]


def _table(blocks: list[Block]) -> _Unit:
    """A table is the same one while its caption and headings above are, or else its column headers."""
    caption = next((b.caption for b in blocks if b.caption), "")
    columns = dict.fromkeys(" / ".join(b.column) for b in blocks if b.column)
    name = caption or " > ".join(blocks[0].headings) or " | ".join(columns)
    return _Unit(("table", name), tuple(blocks))


def _gap(
    old: Sequence[_Unit], new: Sequence[_Unit], langs: tuple[str | None, str | None]
) -> Iterator[_Draft]:
    """A stretch that is not the same on both sides: what changed in place, what went, what came."""
    pairs = _pairs(old, new)
    next_old = 0
    for j, unit in enumerate(new):
        i = pairs.get(j)
        if i is None:
            yield from (_change(None, block, langs) for block in _told(unit))
            continue
        for gone in range(next_old, i):
            yield from (_change(block, None, langs) for block in _told(old[gone]))
        next_old = i + 1
        if unit.is_table:
            yield from _tables(old[i].blocks, unit.blocks, langs)
        else:
            yield _change(old[i].blocks[0], unit.blocks[0], langs)
    for gone in range(next_old, len(old)):
        yield from (_change(block, None, langs) for block in _told(old[gone]))


def _pairs(old: Sequence[_Unit], new: Sequence[_Unit]) -> dict[int, int]:
    """For units of `new`, which unit of `old` each was, never crossing."""
    if len(old) > _PAIRED or len(new) > _PAIRED:
        return {}
    found: dict[int, int] = {}
    first = 0
    for j, unit in enumerate(new):
        words = _words(unit)
        best, score = -1, 0.0
        for i in range(first, len(old)):
            if old[i].is_table == unit.is_table and old[i].blocks[0].kind == unit.blocks[0].kind:
                likeness = _likeness(_words(old[i]), words)
                if likeness > score:
                    best, score = i, likeness
        if score >= _ALIKE or (len(old) == len(new) == 1 and best >= 0 and score > 0):
            found[j] = best
            first = best + 1
    return found


def _words(unit: _Unit) -> list[str]:
    return [word for block in unit.blocks[:200] for word in block.text.casefold().split()]


def _likeness(a: list[str], b: list[str]) -> float:
    if not a or not b:
        return 0.0
    common = len(set(a) & set(b))
    return 2 * common / (len(set(a)) + len(set(b)))


def _told(unit: _Unit) -> Iterable[Block]:
    return (b for b in unit.blocks if not b.header) if unit.is_table else unit.blocks


def _tables(
    old: Sequence[Block], new: Sequence[Block], langs: tuple[str | None, str | None]
) -> Iterator[_Draft]:
    before, after = _cells(old), _cells(new)
    for where, block in after.items():
        was = before.get(where)
        if was is None:
            yield _change(None, block, langs)
        elif was.text != block.text:
            yield _change(was, block, langs)
    for where, block in before.items():
        if where not in after:
            yield _change(block, None, langs)


def _cells(blocks: Sequence[Block]) -> dict[tuple[Where, int], Block]:
    """Cells by their headers; of several with the same headers, by their number among these."""
    counts: dict[Where, int] = {}
    cells: dict[tuple[Where, int], Block] = {}
    for block in blocks:
        if block.header:
            continue
        where = (block.row, block.column)
        if not block.row and not block.column:
            where = ((str(block.row_index),), (str(block.column_index),))
        counts[where] = counts.get(where, 0) + 1
        cells[where, counts[where]] = block
    return cells


def _change(before: Block | None, after: Block | None, langs: tuple[str | None, str | None]) -> _Draft:
    old = _quantities(before, langs[0])
    new = _quantities(after, langs[1])
    return _Draft(before, after, [q for q in old if not _in(q, new)], [q for q in new if not _in(q, old)])


def _find_moved(drafts: list[_Draft]) -> None:
    """Take a quantity that went in one place and came in another for neither lost nor new."""
    gone = [(draft, q) for draft in drafts if draft.after is None for q in draft.lost]
    for draft in drafts:
        if draft.before is not None:
            continue
        for quantity in list(draft.new):
            there = next(((d, q) for d, q in gone if _in(quantity, [q])), None)
            if there is not None:
                gone.remove(there)
                there[0].lost.remove(there[1])
                draft.new.remove(quantity)


def _quantities(block: Block | None, lang: str | None) -> list[Quantity]:
    if block is None:
        return []
    header = " ".join(block.column) or None
    row = " ".join(block.row) or None
    return quantities(block.text, header=header, row=row, lang=lang)


def _in(quantity: Quantity, others: list[Quantity]) -> bool:
    return any(
        compare(quantity, other) is Comparison.SAME and quantity.bound == other.bound for other in others
    )
