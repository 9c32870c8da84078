"""Plain text: sections, lists, definitions, tables, snippets and paragraphs."""

from __future__ import annotations

import re
from itertools import pairwise

from kb.page.commented import commented, commented_out
from kb.page.flow import Flow, Headings, labelled
from kb.page.labels import introduces, label_of
from kb.page.lines import (
    dedent,
    end_hanging,
    end_while,
    goes_on,
    hanging_tag,
    indent_at,
    next_indent,
    not_blank,
    width_of,
)
from kb.page.listings import named_lines, settings
from kb.page.page import Block
from kb.page.part import Part, Table
from kb.page.rst import FIELD
from kb.page.tables import table_blocks
from kb.page.text_tables import (
    GRID,
    SIMPLE,
    aligned_table,
    grid_table,
    is_rule,
    leader_pair,
    piped_table,
    simple_table,
)

_FRAMED = re.compile(r"(={1,6})\s+(\S.*?)\s+\1$")
_RULE = re.compile(r"([^\w\s])\1{2,}\s*$", re.ASCII)
_BULLET = re.compile(r"(\s*)([-*+•‣◦–]|\(?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,5}|#)[.)])(\s+)(?=\S)")
_OPTION = re.compile(
    r"(\s*)(-{1,2}[A-Za-z?][^\s,]*(?:[ =,]+(?:-{1,2}\S+|<\S+>|\[\S+\]|[A-Z][A-Z_]*))*)"
    r"(?:(?:\s{2,}|\s+:\s+)(\S.*))?$"
)
_NUMBER = re.compile(r"(\d+(?:\.\d+){0,5})\.?\s+\S")
_CAPITALS = re.compile(r"[A-Z][A-Z0-9 ,/&'()-]{2,60}$")
_PROSE = re.compile(r"[A-Za-z]{2,}[,.;]?(?: [A-Za-z'(]+[,.;:)]?){4,}")
MAX_DEPTH = 12
"""Levels of lists and definitions that are told apart; what is deeper is read as paragraphs."""

_GAP = re.compile(r"[^\s.!?:;,] {2,}\S")


class TextReader:
    """Blocks of one text; `out` has them after `read`."""

    def __init__(self, text: str) -> None:
        self.out: list[Part | Block] = []
        self.marked = False
        """Whether the text has the markup of reStructuredText."""
        self.flow = Flow()
        self.flow.sink = self.out
        self.marks: list[str] = []
        self.row: tuple[str, ...] = ()
        self.level = 0
        self.tables = 0
        self.title = ""
        self.lines = (
            text.replace("\r\n", "\n").replace("\r", "\n").replace("\f", "\n\n").expandtabs(8).split("\n")
        )
        self.meta: list[tuple[str, str]] = []
        widths = sorted(len(line) for line in self.lines if line.strip())
        self.width = widths[len(widths) * 3 // 4] if widths else 0
        """How long most lines of the text are at most."""
        self.label = ""
        """What the line above a list says that its items are."""
        self.looked: tuple[list[str], int] = ([], 0)
        """Lines in which no table begins before this one."""

    def read(self) -> list[Part | Block]:
        """Read it all."""
        self.body(self.lines, 0)
        return self.out

    # --- blocks -----------------------------------------------------------------------------------

    def body(self, lines: list[str], depth: int) -> None:
        """Read lines that stand at one indentation or deeper."""
        at = 0
        while at < len(lines):
            if not lines[at].strip():
                at += 1
            elif depth < MAX_DEPTH:
                at = self._block(lines, at, depth)
            else:
                end = end_while(lines, at, not_blank)
                self._prose(lines[at:end], " ".join(" ".join(lines[at:end]).split()))
                at = end

    def _block(self, lines: list[str], at: int, depth: int) -> int:
        line = lines[at]
        if depth == 0 or not line[0].isspace():
            after = self._heading(lines, at)
            if after:
                return after
        if self.marked and line.lstrip().startswith(".."):
            return self.explicit(lines, at, depth)
        if not self.marked and line.lstrip()[:1] in ("#", "/", ";"):
            end = end_while(lines, at, not_blank)
            names = commented(lines[at:end])
            if names:
                self._commented(lines[at:end], names)
                return end
        if GRID.match(line):
            end = end_while(lines, at, lambda text: text.lstrip()[:1] in ("+", "|") and bool(text.strip()))
            table = grid_table(lines[at:end], self.tables, self.flow.heading_texts)
            if table is not None:
                self.add_table(table)
            else:
                self.add_code(lines[at:end])
            return end
        if SIMPLE.match(line):
            end = self._simple_end(lines, at)
            if end:
                self.add_table(simple_table(lines[at:end], self.tables, self.flow.heading_texts))
                return end
        if line.lstrip().startswith("<!--") and line.rstrip().endswith("-->"):
            self.add(Part("paragraph", line.strip()[4:-3].strip(), "meta", 0, self.flow.heading_texts))
            return at + 1
        drawn = self._drawn(lines, at)
        if drawn is not None:
            self.add_table(drawn[0])
            return drawn[1]
        field = FIELD.match(line)
        if field is not None and (self.marked or field.group(3)):
            return self._field(lines, at, field)
        bullet = _BULLET.match(line)
        if bullet is not None and not _is_initial(bullet, lines, at):
            return self._item(lines, at, bullet, depth)
        option = _OPTION.match(line)
        if option is not None and (option.group(3) or indent_at(lines, at + 1) > len(option.group(1))):
            return self._definition(lines, at, option.group(2), option.group(3) or "", depth)
        tag = hanging_tag(lines, at)
        if tag is not None:
            return self._definition(lines, at, tag[0], tag[1], depth)
        if self._is_term(lines, at):
            return self._definition(lines, at, line.strip(), "", depth)
        return self._paragraph(lines, at)

    def _commented(self, chunk: list[str], names: tuple[str, ...]) -> None:
        """A setting of a file with the comment above it; several commented out are one block each."""
        off = commented_out(chunk)
        if len(off) > 1:
            told = chunk[: len(chunk) - len(off)]
            text = "\n".join(" ".join(line.split()) for line in told)
            self.add(Part("definition", text, "content", 0, self.flow.heading_texts, (*self.row, *names)))
            for name, line in off:
                self.add(Part("pair", line, "content", 0, self.flow.heading_texts, (*self.row, name)))
            return
        text = "\n".join(" ".join(line.split()) for line in chunk)
        self.add(Part("definition", text, "content", 0, self.flow.heading_texts, (*self.row, *names)))

    def _heading(self, lines: list[str], at: int) -> int:
        """Read a section's title; 0 where there is none."""
        line = lines[at].rstrip()
        below = lines[at + 1].rstrip() if at + 1 < len(lines) else ""
        framed = _FRAMED.match(line)
        if framed is not None:  # == Limits ==, as wikis write it
            self._set_heading(framed.group(2), framed.group(1) + " ")
            return at + 1
        rule = _RULE.match(line)
        if rule is not None and not line[0].isspace():
            under = lines[at + 2].rstrip() if at + 2 < len(lines) else ""
            if below.strip() and under == line and not _RULE.match(below):
                self._set_heading(below.strip(), rule.group(1) * 2)
                return at + 3
            return at + 1 if not below.strip() or len(line) > 3 else 0
        rule = _RULE.match(below) if not line[:1].isspace() else None
        if (
            rule is not None
            and len(below) * 2 > len(line)
            and not re.search(r"\S {2,}\S", line.lstrip("0123456789. "))
        ):
            self._set_heading(line.strip(), rule.group(1))
            return at + 2
        alone = (at == 0 or not lines[at - 1].strip()) and not line[:1].isspace()
        if alone and _CAPITALS.match(line) and next_indent(lines, at + 1) > 0 and len(line) > 3:
            self._set_heading(line.strip(), "CAPITALS")
            return at + 1
        return 0

    def _set_heading(self, text: str, mark: str) -> None:
        text = self.words(text)
        number = _NUMBER.match(text)
        if mark not in self.marks:
            self.marks.append(mark)
        level = self.marks.index(mark) + 1
        if mark == "CAPITALS":
            level = 2 if len(self.marks) > 1 else 1
        if number is not None and not self.marked:
            level = number.group(1).count(".") + 1 + (self.marks[:1] != [mark] and bool(self.title))
        level = min(level, 6)
        if not self.title:
            self.title = text
        above: Headings = tuple(h for h in self.flow.headings if h[0] < level)
        self.flow.go_under(above)
        self.add(Part("heading", text, "content", level, self.flow.heading_texts))
        self.flow.set_heading(level, text)

    def _simple_end(self, lines: list[str], at: int) -> int:
        """Where a table between `===  ===` rules ends: after its last rule before a blank line."""
        rules = 1
        for n in range(at + 1, min(len(lines), at + 5_000)):
            if SIMPLE.match(lines[n]):
                rules += 1
                if n + 1 >= len(lines) or not lines[n + 1].strip():
                    return n + 1 if rules > 1 else 0
        return 0

    def _drawn(self, lines: list[str], at: int) -> tuple[Table, int] | None:
        """The table that begins at a line, and where it ends; a run of lines is looked at once."""
        line = lines[at]
        if self.looked[0] is lines and at < self.looked[1]:
            return None
        piped = "|" in line
        if not piped and not _GAP.search(line):
            return None
        end = end_while(lines, at, not_blank)
        if not piped:
            end = end_while(lines[at:end], 0, lambda text: bool(_GAP.search(text) or is_rule(text))) + at
        if end - at < 2 or (not piped and _BULLET.match(line) and not line.lstrip()[0].isdigit()):
            return None
        headings = self.flow.heading_texts
        table = (piped_table if piped else aligned_table)(lines[at:end], self.tables, headings)
        if table is None:
            self.looked = (lines, end)
            return None
        return table, end

    def add_table(self, table: Table, caption: str = "") -> None:
        """A table that was drawn."""
        if caption:
            table.caption = caption
            self.add(Part("caption", caption, "content", 0, self.flow.heading_texts, self.row))
        for cells in table.rows:
            for cell in cells:
                for part in cell.parts:
                    if isinstance(part, Part) and self.marked:
                        part.text = self.words(part.text)
        self.tables += 1
        self.out.extend(table_blocks(table))

    def _field(self, lines: list[str], at: int, field: re.Match[str]) -> int:
        end = end_while(
            lines, at + 1, lambda text: bool(text.strip()) and width_of(text) > len(field.group(1))
        )
        value = " ".join([field.group(3) or "", *(line.strip() for line in lines[at + 1 : end])])
        value = self.words(" ".join(value.split()))
        name = self.words(field.group(2))
        if value:
            self.add(
                Part("pair", f"{name}: {value}", "content", 0, self.flow.heading_texts, (*self.row, name))
            )
            self.meta.append((name.lower(), value))
        return end

    def _item(self, lines: list[str], at: int, bullet: re.Match[str], depth: int) -> int:
        start = bullet.end()
        end = end_hanging(lines, at + 1, len(bullet.group(1)) + 1)
        inner = [lines[at][start:], *(line[min(start, width_of(line)) :] for line in lines[at + 1 : end])]
        first = end_while(
            inner, 0, lambda text: bool(text.strip()) and (text is inner[0] or not _BULLET.match(text))
        )
        text = self.words(" ".join(" ".join(inner[:first]).split()))
        self.level += 1
        if self.level == 1 and not (self.out and self.out[-1].kind in ("item", "code") and self.label):
            last = self.out[-1] if self.out else None
            self.label = introduces(last.text) if last is not None and last.kind == "paragraph" else ""
        row = (*self.row, self.label) if self.level == 1 and self.label else self.row
        part = Part("item", text, "content", self.level, self.flow.heading_texts, row)
        for each in labelled(part):
            self.add(each)
        if any(line.strip() for line in inner[first:]):
            outer = self.row
            self.row = (*row, text.rstrip(" :")) if len(text) <= 100 else row
            self.body(inner[first:], depth + 1)
            self.row = outer
        self.level -= 1
        return end

    def _is_term(self, lines: list[str], at: int) -> bool:
        """Whether a line is explained by indented lines right below it."""
        line = lines[at].rstrip()
        if at + 1 >= len(lines) or not lines[at + 1].strip():
            return False
        if at > 0 and lines[at - 1].strip() and width_of(lines[at - 1]) == width_of(line):
            return False
        return (
            width_of(lines[at + 1]) >= width_of(line) + 2
            and len(line) <= 100
            and line[-1] not in ".,;"
            and not line.endswith("::")
            and len(line.split()) <= 12
        )

    def _definition(self, lines: list[str], at: int, term: str, first: str, depth: int) -> int:
        term = self.words(term)
        self.add(Part("term", term, "content", 0, self.flow.heading_texts, self.row))
        row = self.row
        self.row = (*row, term.rstrip(" :"))
        margin = width_of(lines[at])
        start = at + 1
        if first:
            start = end_while(
                lines,
                start,
                lambda text: bool(text.strip()) and width_of(text) > margin and not _BULLET.match(text),
            )
            margin = lines[at].rindex(first) - 4
        end = end_hanging(lines, start, margin + 1)
        inner = dedent(lines[start:end])
        first_end = end_while(
            inner,
            0,
            lambda text: (
                bool(text.strip())
                and (not _BULLET.match(text) or (text is not inner[0] and goes_on(text)))
                and not text[0].isspace()
            ),
        )
        said = [first, *(line.strip() for line in lines[at + 1 : start])] if first else inner[:first_end]
        words = self.words(" ".join(" ".join(said).split()))
        shaped = not first and (
            (first_end > 1 and not _PROSE.search(words))
            or (inner and (inner[0].startswith("..") or self._drawn(inner, 0) is not None))
        )
        if words and not shaped:
            self.add(Part("definition", words, "content", 0, self.flow.heading_texts, self.row))
            inner = inner if first else inner[first_end:]
        self.body(inner, depth + 1)
        self.row = row
        return end

    def _paragraph(self, lines: list[str], at: int) -> int:
        width = width_of(lines[at])
        stop = at + 1
        while stop < len(lines) and lines[stop].strip() and not self._starts(lines[stop]):
            if abs(width_of(lines[stop]) - width) >= 4 or self._drawn(lines, stop) is not None:
                break
            stop += 1
        chunk = lines[at:stop]
        text = " ".join(" ".join(chunk).split())
        literal = text.endswith("::")
        if literal and (self.marked or text != "::"):
            text = text[:-1] if text[:-2].strip() and not text.endswith(" ::") else text[:-2].rstrip()
        if text:
            self._prose(chunk, text)
        if literal:
            code = end_hanging(lines, stop, width + 1)
            if code > stop:
                self.add_code(lines[stop:code])
                return code
        return stop

    def _prose(self, chunk: list[str], text: str) -> None:
        leaders = [leader_pair(line) for line in chunk]
        if any(leaders) and all(leaders):
            for line, pair in zip(chunk, leaders, strict=True):
                assert pair is not None
                names = (*self.row, pair[0])
                self.add(Part("pair", " ".join(line.split()), "content", 0, self.flow.heading_texts, names))
            return
        if (
            ("=" in chunk[0] or width_of(chunk[0]) >= 4)
            and settings("\n".join(chunk)) is not None
            and not _PROSE.search(text)
        ):
            self.add_code(chunk)
            return
        if len(chunk) > 1 and sum(1 for line in chunk if label_of(line.strip())) == len(chunk):
            joined = "\n".join(" ".join(line.split()) for line in chunk)
            for part in labelled(Part("paragraph", joined, "content", 0, self.flow.heading_texts, self.row)):
                self.add(part)
            return
        if (width_of(chunk[0]) >= 4 or (self.row and len(chunk) > 1)) and not _PROSE.search(text):
            self.add_code(chunk)
            return
        if not self.marked and _own_lines(chunk, self.width):
            joined = "\n".join(" ".join(line.split()) for line in chunk)
            kind = "item" if self.level else "definition" if self.row else "paragraph"
            part = Part(kind, joined, "content", self.level, self.flow.heading_texts, self.row)
            for each in labelled(part) if kind == "paragraph" else [part]:
                self.add(each)
            return
        kind = "item" if self.level else "definition" if self.row else "paragraph"
        part = Part(kind, self.words(text), "content", self.level, self.flow.heading_texts, self.row)
        for each in labelled(part) if kind == "paragraph" else [part]:
            self.add(each)

    def add_code(self, lines: list[str]) -> None:
        """A snippet, its settings told apart."""
        text = "\n".join(line.rstrip() for line in dedent(lines)).strip("\n")
        if not text:
            return
        pairs = named_lines(text)
        for line, names in pairs if pairs is not None else [(text, ())]:
            self.add(Part("code", line, "content", 0, self.flow.heading_texts, (*self.row, *names)))

    def _starts(self, line: str) -> bool:
        return bool(
            (_BULLET.match(line) and not re.match(r"\s*(?:–|[a-zA-Z][.)])\s", line) and not goes_on(line))
            or GRID.match(line)
            or (self.marked and (line.lstrip().startswith(".. ") or FIELD.match(line)))
        )

    # --- words ------------------------------------------------------------------------------------

    def words(self, text: str) -> str:
        """The words of a text without markup."""
        return text

    def explicit(self, lines: list[str], at: int, depth: int) -> int:
        """A line that begins with two dots, where these are markup."""
        return self._paragraph(lines, at)

    def add(self, part: Part) -> None:
        """Take a block; the section that it stands in may tell its role."""
        if not part.text:
            return
        if part.role == "content" and self.flow.section_role and part.kind != "heading":
            part.role = self.flow.section_role
        self.out.append(part)


def _own_lines(chunk: list[str], usual: int) -> bool:
    """Whether lines were broken on purpose: in most of them the next word would have found room."""
    if len(chunk) < 3:
        return False
    widths = sorted(len(line.rstrip()) for line in chunk)
    width = max(widths[-2] if len(widths) > 3 else widths[-1], usual)
    broken = 0
    for line, after in pairwise(chunk):
        if len(line.rstrip()) + 1 + len(after.split(maxsplit=1)[0]) <= width:
            broken += 1
    return broken * 10 >= (len(chunk) - 1) * 7


def _is_initial(bullet: re.Match[str], lines: list[str], at: int) -> bool:
    """Whether what looks like an enumerator (`A. Smith wrote`) begins a paragraph."""
    if not bullet.group(2)[0].isalpha() or at + 1 >= len(lines) or not lines[at + 1].strip():
        return False
    return width_of(lines[at + 1]) <= len(bullet.group(1)) and not _BULLET.match(lines[at + 1])
