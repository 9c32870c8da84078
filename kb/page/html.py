"""HTML and XHTML to blocks, in one pass over the parser's events.

No tree is built: the parser reports tags and text, and a stack of open elements
turns them into blocks. So depth costs nothing, and a page of any shape ends.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from kb.page.page import Block
from kb.page.part import BREAK, Cell, Part, Table, fold
from kb.page.roles import RANK, role_of
from kb.page.tables import table_blocks

_BLOCKS = frozenset(
    tag
    for line in (
        "address article aside audio blockquote body canvas center details dialog dir div dl fieldset figure",
        "footer form frameset head header hgroup html iframe legend main menu nav object ol optgroup option",
        "p search section select summary template ul video",
    )
    for tag in line.split()
)
_HEADINGS = {"h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": 5, "h6": 6}
_SKIPPED = frozenset(["style", "object", "math-annotation", "noframes", "iframe", "annotation", "datalist"])
_SCOPES = frozenset(["article", "aside", "details", "dialog", "footer", "nav", "section"])
_RAISED = str.maketrans("0123456789+-−()", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁽⁾")
_RAISABLE = re.compile(r"[\d+\-−(),\s]*\d[\d+\-−(),\s]*\Z")
_MAX_TABLE_DEPTH = 32


class _Open:
    """An open element, and what to go back to when it closes."""

    __slots__ = ("block", "headings", "kind", "level", "role", "row", "special", "tag")

    def __init__(self, tag: str, block: bool, reader: HtmlReader, special: str = "") -> None:
        self.tag = tag
        self.block = block
        self.special = special
        self.role = reader.role
        self.kind = reader.kind
        self.level = reader.level
        self.row = reader.row
        self.headings: Any = None


class HtmlReader:
    """A target for lxml's parser; `close` gives the blocks."""

    def __init__(self) -> None:
        self.out: list[Part | Block] = []
        self.sink = self.out
        self.stack: list[_Open] = []
        self.buf: list[str] = []
        self.cur = self.buf
        self.asides: list[tuple[str, list[str]]] = []
        self.role = "content"
        self.block_role = "content"
        self.kind = "paragraph"
        self.level = 0
        self.row: tuple[str, ...] = ()
        self.headings: list[tuple[int, str]] = []
        self.heading_texts: tuple[str, ...] = ()
        self.skip = 0
        self.pre = 0
        self.lists = 0
        self.tables: list[tuple[Table, Cell | None, list[Part | Block]]] = []
        self.table_count = 0
        self.terms: list[tuple[tuple[str, ...], list[str]]] = []
        self.raised: list[list[str]] = []
        self.script: list[str] | None = None
        self.scripts: list[tuple[str, str]] = []
        self.lang: str | None = None
        self.title = ""
        self.canonical: str | None = None
        self.meta: list[tuple[str, str]] = []
        self.times: list[str] = []
        self.roles: dict[tuple[str, tuple[tuple[str, str], ...]], str] = {}

    # --- events of the parser ---------------------------------------------------------------------

    def start(self, tag: str, attrs: Mapping[str, str]) -> None:
        """An element opens."""
        if self.skip:
            self.skip += 1
            return
        if tag == "br":
            self.cur.append("\n" if self.pre else BREAK)
            return
        if tag in _SKIPPED:
            self.skip = 1
            return
        if tag == "script":
            self.skip = 1
            kind = attrs.get("type", "")
            if kind.endswith("json"):
                self.script = []
                self.scripts.append((kind, attrs.get("id", "")))
            return
        role = self.role
        if attrs or tag in ("nav", "footer", "del", "s", "strike", "noscript", "template", "dialog"):
            role = role_of(tag, attrs)
            if RANK[role] < RANK[self.role]:
                role = self.role
        handler = _STARTS.get(tag)
        if handler is not None:
            handler(self, tag, attrs, role)
        elif tag in _BLOCKS:
            self._open_block(tag, role)
            if tag in _SCOPES:
                self.stack[-1].headings = list(self.headings)
            if tag == "html" and attrs.get("lang"):
                self.lang = attrs["lang"]
        else:
            if tag == "img" and attrs.get("alt"):
                self.asides.append(("alt" if RANK[role] < RANK["alt"] else role, [attrs["alt"]]))
            self._open_inline(tag, role)

    def end(self, tag: str) -> None:
        """An element closes."""
        if self.skip:
            self.skip -= 1
            if tag == "script" and not self.skip and self.script is not None:
                self._json_script("".join(self.script))
                self.script = None
            return
        if tag == "br":
            return
        while self.stack:
            top = self.stack.pop()
            self._close(top)
            if top.tag == tag:
                break

    def data(self, text: str) -> None:
        """Text between tags."""
        if self.skip:
            if self.script is not None:
                self.script.append(text)
            return
        self.cur.append(text)

    def close(self) -> list[Part | Block]:
        """The blocks."""
        while self.stack:
            self._close(self.stack.pop())
        self.flush()
        while self.tables:
            self._end_table()
        return self.out

    # --- text -------------------------------------------------------------------------------------

    def flush(self) -> None:
        """End the block that is being collected."""
        if self.buf:
            if self.pre:
                text = _lines("".join(self.buf))
            else:
                text = fold("".join(self.buf))
            if text:
                self._emit(text, self.block_role)
            self.buf = []
        if self.asides:
            asides = self.asides
            self.asides = []
            for role, words in asides:
                text = fold("".join(words))
                if text:
                    self._emit(text, role)
        self.cur = self.buf
        self.block_role = self.role

    def _emit(self, text: str, role: str) -> None:
        if (
            self.tables
            and self.tables[-1][1] is None
            and self.sink is not self.out
            and self.kind == "paragraph"
        ):
            pass
        part = Part(self.kind, text, role, self.level, self.heading_texts, self.row)
        self.sink.append(part)
        kind = self.kind
        if kind == "heading":
            self._heading(self.level, text)
        elif kind == "term":
            if self.terms:
                self.terms[-1][1].append(text)
        elif kind == "caption" and self.tables:
            self.tables[-1][0].caption = text

    def _heading(self, level: int, text: str) -> None:
        while self.headings and self.headings[-1][0] >= level:
            self.headings.pop()
        self.headings.append((level, text))
        self.heading_texts = tuple(t for _, t in self.headings)

    # --- elements ---------------------------------------------------------------------------------

    def _open_block(self, tag: str, role: str, special: str = "") -> _Open:
        self.flush()
        opened = _Open(tag, True, self, special)
        self.stack.append(opened)
        self.role = self.block_role = role
        return opened

    def _open_inline(self, tag: str, role: str, special: str = "") -> None:
        self.stack.append(_Open(tag, False, self, special))
        if role != self.role:
            self.role = role
            self.cur = []
            self.asides.append((role, self.cur))

    def _close(self, top: _Open) -> None:
        if top.block:
            self.flush()
            if top.special:
                self._end_special(top)
            self.kind = top.kind
            self.level = top.level
            self.row = top.row
            self.role = self.block_role = top.role
            if top.headings is not None:
                self.headings = top.headings
                self.heading_texts = tuple(t for _, t in self.headings)
            return
        if top.special == "sup":
            self._end_raised()
        if top.role != self.role:
            self.role = top.role
            if self.block_role != top.role and self.buf:
                self.flush()
            self.block_role = top.role if not self.buf else self.block_role
            self.cur = self.buf

    def _end_special(self, top: _Open) -> None:
        special = top.special
        if special == "table":
            self._end_table()
        elif special == "cell":
            self._end_cell()
        elif special == "pre":
            self.pre -= 1
        elif special == "list":
            self.lists -= 1
        elif special == "dl" and self.terms:
            self.terms.pop()

    def _start_heading(self, tag: str, attrs: Mapping[str, str], role: str) -> None:
        self._open_block(tag, role)
        self.kind = "heading"
        self.level = _HEADINGS[tag]
        while self.headings and self.headings[-1][0] >= self.level:
            self.headings.pop()
        self.heading_texts = tuple(t for _, t in self.headings)

    def _start_list(self, tag: str, attrs: Mapping[str, str], role: str) -> None:
        self._open_block(tag, role, "list")
        self.lists += 1

    def _start_item(self, tag: str, attrs: Mapping[str, str], role: str) -> None:
        self._open_block(tag, role)
        self.kind = "item"
        self.level = max(1, self.lists)

    def _start_pre(self, tag: str, attrs: Mapping[str, str], role: str) -> None:
        self._open_block(tag, role, "pre")
        self.kind = "code"
        self.pre += 1

    def _start_dl(self, tag: str, attrs: Mapping[str, str], role: str) -> None:
        self._open_block(tag, role, "dl")
        self.terms.append((self.row, []))

    def _start_term(self, tag: str, attrs: Mapping[str, str], role: str) -> None:
        self._open_block(tag, role)
        self.kind = "term"
        if self.terms:
            self.row, names = self.terms[-1]
            if names[:1] == [""]:
                names.clear()

    def _start_definition(self, tag: str, attrs: Mapping[str, str], role: str) -> None:
        self._open_block(tag, role)
        self.kind = "definition"
        if self.terms:
            above, names = self.terms[-1]
            if names[:1] != [""]:
                names.insert(0, "")  # so that the next term starts a new group
            self.row = (*above, *names[1:])

    def _start_caption(self, tag: str, attrs: Mapping[str, str], role: str) -> None:
        self._open_block(tag, role)
        self.kind = "caption"

    def _start_raised(self, tag: str, attrs: Mapping[str, str], role: str) -> None:
        self._open_inline(tag, role, "sup")
        self.raised.append(self.cur)
        self.cur = []

    def _end_raised(self) -> None:
        if not self.raised:
            return
        text = "".join(self.cur)
        self.cur = self.raised.pop()
        self.cur.append(text.strip().translate(_RAISED) if _RAISABLE.match(text) else text)

    def _start_title(self, tag: str, attrs: Mapping[str, str], role: str) -> None:
        if any(o.tag == "svg" for o in self.stack[-8:]):
            self._open_inline(tag, "alt")
            return
        self._open_block(tag, role)
        self.kind = "title"

    def _start_meta(self, tag: str, attrs: Mapping[str, str], role: str) -> None:
        self.stack.append(_Open(tag, False, self))
        name = (attrs.get("name") or attrs.get("property") or attrs.get("itemprop") or "").lower()
        content = attrs.get("content", "")
        if name and content:
            self.meta.append((name, content))
        if attrs.get("http-equiv", "").lower() == "content-language" and self.lang is None:
            self.lang = content

    def _start_link(self, tag: str, attrs: Mapping[str, str], role: str) -> None:
        self.stack.append(_Open(tag, False, self))
        if "canonical" in attrs.get("rel", "").lower().split() and attrs.get("href"):
            self.canonical = attrs["href"]

    def _start_time(self, tag: str, attrs: Mapping[str, str], role: str) -> None:
        if attrs.get("datetime"):
            self.times.append(attrs["datetime"])
        self._open_inline(tag, role)

    # --- tables -----------------------------------------------------------------------------------

    def _start_table(self, tag: str, attrs: Mapping[str, str], role: str) -> None:
        if len(self.tables) >= _MAX_TABLE_DEPTH:
            self._open_block(tag, role)
            return
        self._open_block(tag, role, "table")
        table = Table(
            self.table_count, role, self.heading_texts, attrs.get("role") in ("presentation", "none")
        )
        self.table_count += 1
        self.tables.append((table, None, self.sink))
        self.kind = "paragraph"
        self.level = 0
        self.row = ()

    def _start_section(self, tag: str, attrs: Mapping[str, str], role: str) -> None:
        self._open_block(tag, role)

    def _start_row(self, tag: str, attrs: Mapping[str, str], role: str) -> None:
        self._open_block(tag, role)
        if self.tables and self.tables[-1][1] is None:
            table = self.tables[-1][0]
            table.rows.append([])
            section = next(
                (o.tag for o in reversed(self.stack[-4:]) if o.tag in ("thead", "tfoot", "tbody")), ""
            )
            table.sections.append({"thead": "head", "tfoot": "foot"}.get(section, "body"))

    def _start_cell(self, tag: str, attrs: Mapping[str, str], role: str) -> None:
        if not self.tables or self.tables[-1][1] is not None:
            self._open_block(tag, role)
            return
        self._open_block(tag, role, "cell")
        table, _, sink = self.tables[-1]
        if not table.rows:
            table.rows.append([])
            table.sections.append("body")
        cell = Cell(tag == "th", role, self.heading_texts)
        if attrs:
            cell.rowspan = _span(attrs.get("rowspan"), 65534)
            cell.colspan = _span(attrs.get("colspan"), 1000)
            cell.scope = attrs.get("scope", "").lower()
            cell.id = attrs.get("id", "")
            cell.names = tuple(attrs.get("headers", "").split())
            if attrs.get("role") in ("rowheader", "columnheader") or cell.scope:
                cell.head = True
        table.rows[-1].append(cell)
        self.tables[-1] = (table, cell, sink)
        self.sink = cell.parts
        self.kind = "paragraph"
        self.level = 0
        self.row = ()

    def _end_cell(self) -> None:
        if self.tables:
            table, _, sink = self.tables[-1]
            self.tables[-1] = (table, None, sink)
            self.sink = sink

    def _end_table(self) -> None:
        table, _, sink = self.tables.pop()
        self.sink = sink
        if is_layout(table):
            for row in table.rows:
                for each in row:
                    sink.extend(each.parts)
        else:
            sink.extend(table_blocks(table))

    # --- embedded data ----------------------------------------------------------------------------

    def _json_script(self, text: str) -> None:
        from kb.page.json import pairs_of_text

        for names, value in pairs_of_text(text, limit=2_000):
            self.out.append(Part("pair", value, "data", 0, (), names))


def is_layout(table: Table) -> bool:
    """Whether a table only arranges the page."""
    if table.layout:
        return True
    width = max((len(row) for row in table.rows), default=0)
    if any(cell.head for row in table.rows for cell in row) or table.caption:
        return False
    if width <= 1:
        return True
    cells = [cell for row in table.rows for cell in row]
    if any(isinstance(p, Block) for cell in cells for p in cell.parts):
        return True
    return any(p.kind == "heading" for cell in cells for p in cell.parts if isinstance(p, Part))


def _span(text: str | None, limit: int) -> int:
    if text is None:
        return 1
    digits = re.match(r"\s*(\d{1,6})", text)
    if digits is None:
        return 1
    number = int(digits.group(1))
    return limit if number == 0 and limit > 1000 else max(1, min(number, limit))


def _lines(text: str) -> str:
    lines = text.replace("\r\n", "\n").replace("\r", "\n").replace(BREAK, "\n").expandtabs(8).split("\n")
    while lines and not lines[0].strip():
        lines.pop(0)
    while lines and not lines[-1].strip():
        lines.pop()
    return "\n".join(line.rstrip() for line in lines)


_STARTS: dict[str, Any] = {
    **dict.fromkeys(_HEADINGS, HtmlReader._start_heading),
    **dict.fromkeys(("ul", "ol", "menu", "dir"), HtmlReader._start_list),
    "li": HtmlReader._start_item,
    **dict.fromkeys(("pre", "textarea", "listing", "xmp", "plaintext"), HtmlReader._start_pre),
    "dl": HtmlReader._start_dl,
    "dt": HtmlReader._start_term,
    "dd": HtmlReader._start_definition,
    **dict.fromkeys(("caption", "figcaption"), HtmlReader._start_caption),
    "sup": HtmlReader._start_raised,
    "title": HtmlReader._start_title,
    "meta": HtmlReader._start_meta,
    "link": HtmlReader._start_link,
    "time": HtmlReader._start_time,
    "table": HtmlReader._start_table,
    **dict.fromkeys(("thead", "tbody", "tfoot"), HtmlReader._start_section),
    "tr": HtmlReader._start_row,
    "td": HtmlReader._start_cell,
    "th": HtmlReader._start_cell,
}
"""What to do for the elements that need more than opening a block or an inline run."""


def parse_html(text: str) -> HtmlReader:
    """Read a document or a fragment; never raises for what the text contains."""
    from lxml import etree  # type: ignore[import-untyped]  # start-up time

    reader = HtmlReader()
    parser = etree.HTMLParser(target=reader, encoding="utf-8", recover=True, huge_tree=True)
    body = text.replace("\x00", "\ufffd").encode("utf-8", "replace")
    try:
        etree.fromstring(body, parser)
    except etree.XMLSyntaxError:
        reader.close()  # nothing in it, or nothing more that the parser can follow
    return reader
