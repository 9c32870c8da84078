"""HTML and XHTML to blocks, in one pass over the parser's events.

No tree is built: the parser reports tags and text, and a stack of open elements
turns them into blocks. So depth costs nothing, and a page of any shape ends.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

from kb.page.elements import Attributes, Elements, Open
from kb.page.embedded import pairs_of_script
from kb.page.flow import PSEUDO
from kb.page.labels import MAX_LABELS, introduces
from kb.page.page import Block
from kb.page.part import BREAK, Cell, Part, Table, fold
from kb.page.roles import RANK, hidden_by_css
from kb.page.tables import is_layout, table_blocks

_HEADINGS = {"h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": 5, "h6": 6}
_SKIPPED = ("iframe", "annotation", "annotation-xml", "defs", "symbol", "noembed")
_FRACTION = re.compile(r"([⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3})\s*[/⁄]\s*\Z")
_PLAIN_DIGITS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_MAX_TABLE_DEPTH = 32
_MAX_SCRIPT = 4_000_000
_MAX_CONTENTS = 500
"""Items of a list of contents."""

_MAX_CAPTION = 200
_MAX_FIGURE = 20_000
_NUMBERED = re.compile(
    r"(?:Table|Tab\.|Tabelle|Tableau|Tabla|Tabella|Tabel)\s+[\dA-Z][\w.-]*\W*(?:\s|$)", re.I
)
_MAX_PARENT = 100
"""Characters of a list item that still label the list inside it."""


class HtmlReader(Elements):
    """What the elements of HTML mean; `out` has the blocks after `close`."""

    # --- headings, lists, definitions -------------------------------------------------------------

    def _start_heading(self, tag: str, attrs: Attributes, role: str) -> None:
        self.open_block(tag, role)
        self.kind = "heading"
        level = _HEADINGS.get(tag, 0)
        if not level:
            stated = attrs.get("aria-level", "2")
            level = min(6, max(1, int(stated))) if stated.isascii() and stated.isdigit() else 2
        self.level = level
        self.go_under(tuple(h for h in self.headings if h[0] < level))

    def _start_list(self, tag: str, attrs: Attributes, role: str) -> None:
        self.open_block(tag, role, "list")
        self.lists += 1
        last = self.sink[-1] if self.sink else None
        if self.in_cell or last is None:
            return
        if last.kind == "item" and self.kind == "item" and last.level == self.level:
            if len(last.text) <= _MAX_PARENT and len(last.row) < MAX_LABELS:
                self.row = (*last.row, last.text.rstrip(" :"))
        elif last.kind == self.kind == "paragraph":
            coded = isinstance(last, Part) and last.coded
            self.row = (*self.row, label) if (label := introduces(last.text, coded)) else self.row

    def _start_item(self, tag: str, attrs: Attributes, role: str) -> None:
        opened = self.open_block(tag, role)
        opened.cls = attrs.get("class", "")
        opened.restore = True
        self.kind = "item"
        self.level = max(1, self.lists)

    def _start_card(self, tag: str, attrs: Attributes, role: str) -> None:
        opened = self.open_block(tag, role)
        opened.restore = tag != "div"
        if attrs:
            opened.cls = attrs.get("class", "")
            self.open_panel(opened, attrs)

    def _start_pre(self, tag: str, attrs: Attributes, role: str) -> None:
        self.open_block(tag, role, "pre")
        self.kind = "code"
        self.pre += 1

    def _start_dl(self, tag: str, attrs: Attributes, role: str) -> None:
        self.open_block(tag, role, "dl")
        self.terms.append((self.row, []))

    def _start_term(self, tag: str, attrs: Attributes, role: str) -> None:
        self.open_block(tag, role)
        self.kind = "term"
        if self.terms:
            self.row, names = self.terms[-1]
            if names[:1] == [""]:
                names.clear()

    def _start_definition(self, tag: str, attrs: Attributes, role: str) -> None:
        self.open_block(tag, role)
        self.kind = "definition"
        if self.terms:
            above, names = self.terms[-1]
            if names[:1] != [""]:
                names.insert(0, "")  # so that the next term starts a new group
            self.row = (*above, *names[1:])[-MAX_LABELS:]

    def _end_dl(self, top: Open) -> None:
        if self.terms:
            self.terms.pop()

    def _end_list(self, top: Open) -> None:
        self.lists -= 1
        if not 2 <= len(self.sink) - top.start <= _MAX_CONTENTS or self.in_cell:
            return
        items = self.sink[top.start :]
        if all(isinstance(p, Part) and p.linked == "page" for p in items):
            self._navigate(items)

    def _start_header(self, tag: str, attrs: Attributes, role: str) -> None:
        inside = len(self.stack) > 50 or any(
            o.tag in ("main", "article", "section", "header") for o in self.stack
        )
        self.open_block(tag, role, "" if inside else "banner")

    def _end_banner(self, top: Open) -> None:
        """Links in the head of a site are navigation."""
        self._navigate([p for p in self.sink[top.start :] if isinstance(p, Part) and p.linked])

    def _navigate(self, parts: list[Part | Block]) -> None:
        for part in parts:
            if isinstance(part, Part) and part.role == "content":
                part.role = "navigation"

    def _start_option(self, tag: str, attrs: Attributes, role: str) -> None:
        self.open_block(tag, role if "selected" in attrs or RANK[role] >= RANK["hidden"] else "hidden")
        self.kind = "item"
        self.level = 1

    def _end_pre(self, top: Open) -> None:
        self.pre -= 1

    def _start_caption(self, tag: str, attrs: Attributes, role: str) -> None:
        self.open_block(tag, role, "caption")
        self.kind = "caption"

    def _end_caption(self, top: Open) -> None:
        if len(self.sink) == top.start:
            return
        text = " ".join(p.text for p in self.sink[top.start : top.start + 20])
        if top.tag == "figcaption":
            figure = next((o for o in self.stack[-1:-6:-1] if o.tag == "figure"), None)
            if figure is not None:
                figure.name = text
        elif self.tables and self.tables[-1].cell is None:
            self.tables[-1].caption = text

    def _start_figure(self, tag: str, attrs: Attributes, role: str) -> None:
        self.open_block(tag, role, "figure")

    def _end_figure(self, top: Open) -> None:
        """A caption below its table names it, too."""
        if top.name and len(self.sink) - top.start < _MAX_FIGURE:
            for at in range(top.start, len(self.sink)):
                block = self.sink[at]
                if isinstance(block, Block) and not block.caption:
                    self.sink[at] = replace(block, caption=top.name)

    # --- raised and lowered text ------------------------------------------------------------------

    def _start_raised(self, tag: str, attrs: Attributes, role: str) -> None:
        self.open_inline(tag, attrs, role, "" if self.raised else "sup")
        if role == self.stack[-1].role and not self.raised:
            self.raised.append(self.cur)
            self.cur = []

    def _end_raised(self, top: Open) -> None:
        if self.raised and self.generation == top.generation:
            self.lower()

    def _start_lowered(self, tag: str, attrs: Attributes, role: str) -> None:
        self.open_inline(tag, attrs, role, "sub")
        self.stack[-1].mark = 0
        self.stack[-1].start = len(self.cur)
        found = _FRACTION.search("".join(self.cur[-3:]))
        if found is not None and not self.raised:
            before = "".join(self.cur[-3:])[: -len(found.group(0))]
            space = " " if before[-1:].isdigit() else ""
            self.cur[-3:] = [f"{before}{space}{found.group(1).translate(_PLAIN_DIGITS)}/"]

    # --- tabs and accordions ----------------------------------------------------------------------

    def _start_tab(self, tag: str, attrs: Attributes, role: str) -> None:
        opened = self.open_block(tag, role, "control")
        self.open_control(opened, attrs)

    def _start_details(self, tag: str, attrs: Attributes, role: str) -> None:
        opened = self.open_block(tag, role)
        opened.restore = True
        if "open" not in attrs and RANK[role] < RANK["hidden"]:
            self.role = self.block_role = "hidden"

    def _start_summary(self, tag: str, attrs: Attributes, role: str) -> None:
        around = self.stack[-1] if self.stack else None
        self.open_block(
            tag, around.role if around is not None and around.tag == "details" else role, "summary"
        )
        self.kind = "paragraph"

    def _end_summary(self, top: Open) -> None:
        if len(self.sink) > top.start and len(text := self.sink[-1].text) <= 100:
            self.set_heading(PSEUDO, text)
            top.headings = self.headings

    def _end_lowered(self, top: Open) -> None:
        """A lowered word is set apart, as it looks; lowered digits and letters are not (H2O)."""
        if self.generation == top.generation and len(self.cur) - top.start == 1 and top.start > 0:
            word = self.cur[top.start]
            if len(word) > 2 and word.isalpha() and self.cur[top.start - 1][-1:].isalpha():
                self.cur[top.start] = f" {word}"

    # --- the head ---------------------------------------------------------------------------------

    def _start_html(self, tag: str, attrs: Attributes, role: str) -> None:
        self.open_block(tag, role)
        said = attrs.get("lang") or attrs.get("xml:lang")
        if said and self.lang is None:
            self.lang = said

    def _start_title(self, tag: str, attrs: Attributes, role: str) -> None:
        if any(o.tag == "svg" for o in self.stack[-8:]):
            self.open_inline(tag, attrs, "alt" if RANK[role] < RANK["alt"] else role)
            return
        self.open_block(tag, role)
        self.kind = "title"

    def _start_meta(self, tag: str, attrs: Attributes, role: str) -> None:
        self.stack.append(Open(tag, False, self))
        name = (attrs.get("name") or attrs.get("property") or attrs.get("itemprop") or "").strip().lower()
        content = fold(attrs.get("content", "").replace(BREAK, " "))
        if not content:
            return
        if name:
            self.meta.append((name, content))
        if name in ("description", "og:description", "twitter:description", "keywords"):
            self.out.append(Part("paragraph", content, "meta"))
        elif "itemprop" in attrs:
            self.sink.append(Part("pair", content, "data", 0, self.heading_texts, (attrs["itemprop"],)))
        elif self.lang is None and attrs.get("http-equiv", "").lower() == "content-language":
            self.lang = content

    def _start_link(self, tag: str, attrs: Attributes, role: str) -> None:
        self.stack.append(Open(tag, False, self))
        if "canonical" in attrs.get("rel", "").lower().split() and attrs.get("href"):
            self.canonical = attrs["href"].strip()

    def _start_skipped(self, tag: str, attrs: Attributes, role: str) -> None:
        self.skip = 1

    def _start_script(self, tag: str, attrs: Attributes, role: str) -> None:
        self.skip = 1
        self.collect = [tag if tag == "style" else attrs.get("type", "").lower()]

    def end_collected(self) -> None:
        """A style sheet may hide parts of the page; a script may hold data."""
        kind, *pieces = self.collect or [""]
        self.collect = None
        if kind == "style":
            classes, ids = hidden_by_css("".join(pieces))
            self.hidden_classes |= classes
            self.hidden_ids |= ids
        elif sum(map(len, pieces)) <= _MAX_SCRIPT:
            for names, value in pairs_of_script("".join(pieces), kind):
                self.out.append(Part("pair", value, "data", 0, (), names))
                if names[-1:] == ("datePublished",):
                    self.meta.append(("datepublished", value))
                elif names[-1:] == ("inLanguage",):
                    self.meta.append(("language", value))

    # --- tables -----------------------------------------------------------------------------------

    def _start_table(self, tag: str, attrs: Attributes, role: str) -> None:
        if len(self.tables) >= _MAX_TABLE_DEPTH:
            self.open_block(tag, role)
            return
        opened = self.open_block(tag, role, "table")
        if attrs:
            self.open_panel(opened, attrs)
        table = Table(self.table_count, role, self.sink)
        table.headings = self.heading_texts
        table.caption = self._caption_before()
        table.layout = attrs.get("role", "").lower() in ("presentation", "none")
        self.table_count += 1
        self.tables.append(table)
        self.in_cell = False
        self.kind = "paragraph"
        self.level = 0
        self.row = ()

    def _caption_before(self) -> str:
        """The caption of the figure around a table, or a line `Table 3: …` right above it."""
        figure = next((o for o in self.stack[-2:-5:-1] if o.tag == "figure"), None)
        if figure is not None and figure.name:
            return figure.name
        last = self.sink[-1] if self.sink else None
        if last is None or last.kind not in ("paragraph", "pair") or len(last.text) > _MAX_CAPTION:
            return ""
        return last.text if _NUMBERED.match(last.text) else ""

    def _start_row(self, tag: str, attrs: Attributes, role: str) -> None:
        self.open_block(tag, role)
        if self.tables and self.tables[-1].cell is None:
            section = next((o.tag for o in self.stack[-2:-5:-1] if o.tag in ("thead", "tfoot", "tbody")), "")
            self.tables[-1].add_row({"thead": "head", "tfoot": "foot"}.get(section, "body"))

    def _start_cell(self, tag: str, attrs: Attributes, role: str) -> None:
        if not self.tables or self.tables[-1].cell is not None:
            self.open_block(tag, role)
            return
        opened = self.open_block(tag, role, "cell")
        table = self.tables[-1]
        row = table.rows[-1] if table.rows else table.add_row()
        cell = Cell(tag == "th", role, self.heading_texts)
        if attrs:
            cell.rowspan = _span(attrs.get("rowspan") or attrs.get("aria-rowspan"), 65534)
            cell.colspan = _span(attrs.get("colspan") or attrs.get("aria-colspan"), 1000)
            cell.scope = attrs.get("scope", "").lower()
            cell.id = attrs.get("id", "")
            cell.names = tuple(attrs.get("headers", "").split())
            aria = attrs.get("role", "")
            if aria == "rowheader":
                cell.scope = cell.scope or "row"
            if aria in ("rowheader", "columnheader") or cell.scope:
                cell.head = True
        row.append(cell)
        table.cell = cell
        self.sink = cell.parts
        opened.start = 0
        self.in_cell = True
        self.kind = "paragraph"
        self.level = 0
        self.row = ()

    def _end_cell(self, top: Open) -> None:
        table = self.tables[-1]
        table.cell = None
        self.sink = table.sink
        self.in_cell = False
        top.start = len(self.sink)

    def _end_table(self, top: Open) -> None:
        table = self.tables.pop()
        self.sink = table.sink
        self.in_cell = bool(self.tables) and self.tables[-1].cell is not None
        if is_layout(table):
            for row in table.rows:
                for each in row:
                    self.sink.extend(each.parts)
        else:
            self.go_under(top.headings)
            self.sink.extend(table_blocks(table))


def _span(text: str | None, limit: int) -> int:
    found = re.match(r"\s*(\d{1,6})", text) if text else None
    if found is None:
        return 1
    number = int(found.group(1))
    return limit if number == 0 and limit > 1000 else max(1, min(number, limit))


_STARTS: dict[str, Callable[[HtmlReader, str, Attributes, str], None]] = {
    **dict.fromkeys((*_HEADINGS, "heading"), HtmlReader._start_heading),
    **dict.fromkeys(("ul", "ol", "menu", "dir"), HtmlReader._start_list),
    "li": HtmlReader._start_item,
    "option": HtmlReader._start_option,
    "header": HtmlReader._start_header,
    **dict.fromkeys(("div", "section", "article"), HtmlReader._start_card),
    **dict.fromkeys(("pre", "textarea", "listing", "xmp", "plaintext"), HtmlReader._start_pre),
    "dl": HtmlReader._start_dl,
    "dt": HtmlReader._start_term,
    "dd": HtmlReader._start_definition,
    **dict.fromkeys(("caption", "figcaption"), HtmlReader._start_caption),
    "figure": HtmlReader._start_figure,
    "sup": HtmlReader._start_raised,
    "sub": HtmlReader._start_lowered,
    "tab": HtmlReader._start_tab,
    "details": HtmlReader._start_details,
    "summary": HtmlReader._start_summary,
    "html": HtmlReader._start_html,
    "title": HtmlReader._start_title,
    "meta": HtmlReader._start_meta,
    "link": HtmlReader._start_link,
    **dict.fromkeys(("script", "style"), HtmlReader._start_script),
    **dict.fromkeys(_SKIPPED, HtmlReader._start_skipped),
    "table": HtmlReader._start_table,
    "tr": HtmlReader._start_row,
    **dict.fromkeys(("td", "th"), HtmlReader._start_cell),
}

_ENDS: dict[str, Callable[[HtmlReader, Open], None]] = {
    "list": HtmlReader._end_list,
    "banner": HtmlReader._end_banner,
    "pre": HtmlReader._end_pre,
    "dl": HtmlReader._end_dl,
    "caption": HtmlReader._end_caption,
    "figure": HtmlReader._end_figure,
    "sup": HtmlReader._end_raised,
    "sub": HtmlReader._end_lowered,
    "control": HtmlReader.end_control,
    "summary": HtmlReader._end_summary,
    "table": HtmlReader._end_table,
    "cell": HtmlReader._end_cell,
}


HtmlReader.starts = _STARTS
HtmlReader.ends = _ENDS


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
