"""AsciiDoc: sections, lists, definitions, tables and listings."""

from __future__ import annotations

import re

from kb.page.flow import Flow, labelled
from kb.page.listings import named_lines
from kb.page.page import Block
from kb.page.part import Cell, Part, Table, fold
from kb.page.tables import table_blocks

_SECTION = re.compile(r"(={1,6}|#{1,6})\s+(\S.*)$")
_ATTRIBUTE = re.compile(r":(!?[\w-]+!?):(?:\s+(.*)|\s*)$")
_BLOCK_ATTRIBUTES = re.compile(r"\[{1,2}[^\]]*\]{1,2}\s*$")
_TITLE = re.compile(r"\.([^\s.].*)$")
_ITEM = re.compile(r"\s*(\*{1,5}|-|\.{1,5}|\d+\.)\s+(\S.*)$")
_TERM = re.compile(r"\s*(\S.*?)(:{2,4}|;;)(?:\s+(.*)|\s*)$")
_ADMONITION = re.compile(r"(?:NOTE|TIP|IMPORTANT|CAUTION|WARNING):\s+")
_FENCES = ("----", "....", "++++", "```", "====", "****", "____", "--", "////")
_CELL = re.compile(r"(?:(\d+)?(?:\.(\d+))?\+|(\d+)\*)?(?:[<^>]?(?:\.[<^>])?)?([a-z])?\|")
_MACRO = re.compile(
    r"(?:link|xref|mailto|https?)://?[^\s\[]*\[([^\]]*)\]|(?:link|xref|mailto):[^\s\[]*\[([^\]]*)\]"
)
_CROSS = re.compile(r"<<[^,>]+(?:,\s*([^>]+))?>>")
_SPAN = re.compile(r"\[\.[\w.-]+\](?:#{1,2}([^#\n]+?)#{1,2}|(?=[`*_+]))")
"""The role of a few words, which says how they look: [.term]_Pod_, [.term]#Pod#."""
_FOOTNOTE = re.compile(r"footnote:\w*\[([^\]]*)\]")


class AsciidocReader:
    """Blocks of one document; `out` has them after `read`."""

    def __init__(self, text: str) -> None:
        self.lines = text.replace("\r\n", "\n").replace("\r", "\n").expandtabs(4).split("\n")
        self.out: list[Part | Block] = []
        self.flow = Flow()
        self.attributes: dict[str, str] = {}
        self.meta: list[tuple[str, str]] = []
        self.title = ""
        self.lang: str | None = None
        self.tables = 0
        self.caption = ""
        self.options = ""
        self.terms: tuple[str, ...] = ()
        self.attached = False
        """Whether a `+` joins the next block to the item before it."""

    def read(self) -> list[Part | Block]:
        """Read it all."""
        at = 0
        while at < len(self.lines):
            at = self._block(at)
        return self.out

    def _block(self, at: int) -> int:
        line = self.lines[at].rstrip()
        if not line:
            return at + 1
        if line == "+":
            self.attached = True
            return at + 1
        if not self.attached and not _TERM.match(line) and not line.startswith("["):
            self.terms = ()
        self.attached = False
        if line.startswith("//") and not line.startswith("////"):
            return at + 1
        found = _ATTRIBUTE.match(line)
        if found is not None:
            self.attributes[found.group(1)] = (found.group(2) or "").strip()
            self.meta.append((found.group(1).lower(), (found.group(2) or "").strip()))
            if found.group(1) == "lang":
                self.lang = (found.group(2) or "").strip()
            return at + 1
        found = _SECTION.match(line)
        if found is not None:
            self._heading(len(found.group(1)), self._words(found.group(2)))
            return at + 1
        if line.startswith(("|===", ",===")):
            return self._table(at)
        fence = next((f for f in _FENCES if line.startswith(f) and not line.strip(f[0])), None)
        if fence is not None:
            return self._fenced(at, line)
        if _BLOCK_ATTRIBUTES.match(line):
            self.options += line
            return at + 1
        found = _TITLE.match(line)
        if found is not None:
            self.caption = self._words(found.group(1))
            return at + 1
        return self._text(at, line)

    def _heading(self, level: int, text: str) -> None:
        if level == 1 and not self.title:
            self.title = text
        self.flow.go_under(tuple(h for h in self.flow.headings if h[0] < level))
        self._add("heading", text, level)
        self.flow.set_heading(level, text)
        self.terms = ()

    def _text(self, at: int, line: str) -> int:
        caption, self.caption, self.options = self.caption, "", ""
        if caption:
            self._add("paragraph", caption)
        item = _ITEM.match(line)
        term = None if item else _TERM.match(line)
        end = at + 1
        stop = (item, term) != (None, None)
        while end < len(self.lines) and self.lines[end].strip():
            below = self.lines[end]
            if below.startswith(("|===", "----", "....", "====", "[")) or (
                stop and (_ITEM.match(below) or _TERM.match(below) or below.strip() == "+")
            ):
                break
            end += 1
        words = [self.lines[n].strip() for n in range(at + 1, end)]
        if term is not None:
            self.terms = (self._words(term.group(1)),)
            self._add("term", self.terms[0])
            said = self._words(" ".join([term.group(3) or "", *words]))
            if said:
                self._add("definition", said, row=self.terms)
            return end
        if item is not None:
            mark = item.group(1)
            text = self._words(" ".join([item.group(2), *words]))
            level = len(mark) if mark[0] in "*." else 1
            self._labelled("item", text, level)
            return end
        if line.startswith(" "):
            self._code([self.lines[n] for n in range(at, end)])
            return end
        self._labelled("paragraph", self._words(" ".join([_ADMONITION.sub("", line), *words])), 0)
        return end

    def _fenced(self, at: int, fence: str) -> int:
        end = at + 1
        while end < len(self.lines) and self.lines[end].rstrip() != fence:
            end += 1
        if fence.startswith(("----", "....", "```")):
            if self.caption:
                self._add("caption", self.caption)
            self._code(self.lines[at + 1 : end])
            self.caption = self.options = ""
            return end + 1
        if fence.startswith(("++++", "////")):
            return end + 1
        self.lines[end : end + 1] = [""]  # a frame around text: read on inside it
        return at + 1

    def _code(self, lines: list[str]) -> None:
        text = "\n".join(line.rstrip() for line in lines).strip("\n")
        pairs = named_lines(text)
        for line, names in pairs if pairs is not None else [(text, ())]:
            self._add("code", line, row=(*self.terms, *names))

    def _table(self, at: int) -> int:
        close = self.lines[at].rstrip()
        end = at + 1
        while end < len(self.lines) and self.lines[end].rstrip() != close:
            end += 1
        body = self.lines[at + 1 : end]
        table = self._rows(body)
        table.caption = self.caption
        if self.caption:
            self._add("caption", self.caption)
        self.out.extend(table_blocks(table))
        self.tables += 1
        self.caption = self.options = ""
        return end + 1

    def _rows(self, body: list[str]) -> Table:
        cells: list[Cell] = []
        counts: list[int] = []
        for line in body:
            count = len(cells)
            marks = list(_CELL.finditer(line))
            if not marks:
                if cells and line.strip():
                    _append(cells[-1], self._words(line))
                continue
            if cells and line[: marks[0].start()].strip():
                _append(cells[-1], self._words(line[: marks[0].start()]))
            for mark, after in zip(marks, [*marks[1:], None], strict=True):
                text = self._words(line[mark.end() : after.start() if after else None])
                for _ in range(min(int(mark.group(3) or 1), 100)):
                    cell = Cell(mark.group(4) == "h", headings=self.flow.heading_texts)
                    cell.colspan = min(int(mark.group(1) or 1), 1_000)
                    cell.rowspan = min(int(mark.group(2) or 1), 100)
                    _append(cell, text)
                    cells.append(cell)
            counts.append(sum(cell.colspan for cell in cells[count:]))
        width = self._width(counts)
        header = "header" in self.options or (
            len(body) > 1 and body[0].strip() != "" and body[1].strip() == ""
        )
        if "noheader" in self.options:
            header = False
        return _laid_out(cells, width, self.tables, header)

    def _width(self, counts: list[int]) -> int:
        stated = re.search(r"cols=\"?([^\"\]]+)", self.options)
        if stated is not None:
            total = 0
            for spec in re.split(r"[,;]", stated.group(1)):
                times = re.match(r"\s*(\d+)\*", spec)
                total += int(times.group(1)) if times else 1
            return max(1, min(total, 1_000))
        return max(1, counts[0] if counts else 1)

    def _words(self, text: str) -> str:
        if "{" in text:
            text = re.sub(r"\{([\w-]+)\}", lambda m: self.attributes.get(m.group(1), m.group(0)), text)
        text = _MACRO.sub(lambda m: m.group(1) or m.group(2) or "", text)
        text = _CROSS.sub(lambda m: m.group(1) or "", text)
        text = _FOOTNOTE.sub(r" (\1)", text)
        text = _SPAN.sub(lambda m: m.group(1) or "", text)
        text = re.sub(r"(?<![\w*])\*{1,2}(\S(?:[^*]*\S)?)\*{1,2}(?![\w*])", r"\1", text)
        text = re.sub(r"(?<![\w`+])(`{1,2}|\+{1,2})(\S(?:[^`+]*\S)?)\1(?![\w`+])", r"\2", text)
        text = re.sub(r"(?<!\w)_([^\s_](?:[^_]*[^\s_])?)_(?!\w)", r"\1", text)
        return fold(text.replace(" +", "") if text.endswith(" +") else text)

    def _labelled(self, kind: str, text: str, level: int) -> None:
        for part in labelled(Part(kind, text, "content", level, self.flow.heading_texts)):
            self._add(part.kind, part.text, part.level, part.row)

    def _add(self, kind: str, text: str, level: int = 0, row: tuple[str, ...] = ()) -> None:
        if text.strip():
            role = self.flow.section_role if kind != "heading" else ""
            self.out.append(Part(kind, text, role or "content", level, self.flow.heading_texts, row))


def _append(cell: Cell, text: str) -> None:
    if not text:
        return
    if cell.parts and isinstance(cell.parts[0], Part):
        cell.parts[0].text += " " + text
    else:
        cell.parts.append(Part("paragraph", text))


def _laid_out(cells: list[Cell], width: int, number: int, header: bool) -> Table:
    """Cells that follow each other, in rows of `width` places less those that a cell above covers."""
    table = Table(number)
    covered: dict[int, int] = {}
    at = r = 0
    while at < len(cells):
        row = table.add_row("head" if header and r == 0 else "body")
        free = width - covered.pop(r, 0)
        while at < len(cells) and free > 0:
            cell = cells[at]
            cell.head = cell.head or (header and r == 0)
            row.append(cell)
            free -= cell.colspan
            for below in range(r + 1, r + cell.rowspan):
                covered[below] = covered.get(below, 0) + cell.colspan
            at += 1
        r += 1
    return table
