"""reStructuredText: plain text with directives, roles and substitutions."""

from __future__ import annotations

import re
from dataclasses import replace

from kb.page import rst
from kb.page.delimited import delimited_rows
from kb.page.flow import labelled
from kb.page.lines import dedent, end_hanging, end_while, width_of
from kb.page.page import Block
from kb.page.part import Part, plain_table
from kb.page.text import TextReader


class RstReader(TextReader):
    """Blocks of one text; `out` has them after `read`."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.marked = True
        self.replaced: dict[str, str] = {}
        for line in self.lines:
            found = rst.DIRECTIVE.match(line)
            if found and found.group(2) and found.group(3) == "replace":
                self.replaced[found.group(2)] = found.group(4) or ""

    def words(self, text: str) -> str:
        """The words of a text without markup."""
        return rst.inline(text, self.replaced).strip()

    def _prose(self, chunk: list[str], text: str) -> None:
        """A paragraph; of a line block (`| *Default:* 5`) each line is its own, and none is a snippet."""
        if not all(_PIPED.match(line) for line in chunk):
            super()._prose(chunk, text)
            return
        lines = [self.words(line.strip()[1:].strip()) for line in chunk]
        kind = "item" if self.level else "definition" if self.row else "paragraph"
        part = Part(
            "paragraph", "\n".join(filter(None, lines)), "content", 0, self.flow.heading_texts, self.row
        )
        for each in labelled(part):
            if each.kind == "paragraph":
                each.kind, each.level = kind, self.level
            self.add(each)

    def explicit(self, lines: list[str], at: int, depth: int) -> int:
        """A directive, a comment, a target or a footnote."""
        line = lines[at]
        end = end_hanging(lines, at + 1, width_of(line) + 1)
        found = rst.DIRECTIVE.match(line)
        inner = dedent(lines[at + 1 : end])
        if found is None:
            plain = rst.EXPLICIT.match(line)
            said = (plain.group(2) or "") if plain else ""
            note = re.match(r"\[([^\]]+)\]\s*(.*)", said)
            if note is not None:
                words = " ".join([f"[{note.group(1)}]", note.group(2), *(part.strip() for part in inner)])
                self.add(
                    Part(
                        "paragraph",
                        self.words(" ".join(words.split())),
                        "content",
                        0,
                        self.flow.heading_texts,
                    )
                )
            elif not said.startswith("_") and not said.startswith("|"):
                words = " ".join(" ".join([said, *inner]).split())
                if words:
                    self.add(Part("paragraph", words, "meta", 0, self.flow.heading_texts))
            return end
        name = found.group(3).lower().rsplit(":", 1)[-1]
        said = (found.group(4) or "").strip()
        options = end_while(inner, 0, lambda text: bool(rst.FIELD.match(text)))
        content = inner[options:]
        if found.group(2) or name in rst.SILENT:
            alt = next(
                (
                    m.group(3)
                    for text in inner[:options]
                    if (m := rst.FIELD.match(text)) and m.group(2) == "alt"
                ),
                None,
            )
            if alt:
                self.add(Part("paragraph", self.words(alt), "alt", 0, self.flow.heading_texts, self.row))
        elif name in rst.CODE:
            self.add_code(content if options or not said else inner)
        elif name in rst.CHANGES:
            words = " ".join([f"{rst.CHANGES[name]} {said}".strip(), *content])
            self.add(
                Part(
                    "paragraph",
                    self.words(" ".join(words.split())),
                    "changelog",
                    0,
                    self.flow.heading_texts,
                    self.row,
                )
            )
        elif name == "list-table":
            self._list_table(inner[:options], content, said)
        elif name == "csv-table":
            self._csv_table(inner[:options], content, said)
        elif name in rst.NOTES:
            if said and name not in ("figure", "class", "container", "grid", "table"):
                self.add(Part("paragraph", self.words(said), "content", 0, self.flow.heading_texts, self.row))
            start = len(self.out)
            self.body(content, depth + 1)
            if name == "table" and said:
                self._caption(start, self.words(said))
        else:
            self._described(said, [*shown_options(inner[:options]), *content], depth)
        return end

    def _described(self, said: str, content: list[str], depth: int) -> None:
        """An option, a function, a setting: its name is the label of what is said of it."""
        row, headings = self.row, self.flow.headings
        if said:
            term = self.words(said)
            self.add(Part("term", term, "content", 0, self.flow.heading_texts, row))
            self.row = (*row, term)
        self.body(content, depth + 1)
        self.row = row
        self.flow.go_under(headings)

    def _caption(self, start: int, caption: str) -> None:
        self.out[start:] = [
            replace(b, caption=caption) if isinstance(b, Block) else b for b in self.out[start:]
        ]
        self.out.insert(start, Part("caption", caption, "content", 0, self.flow.heading_texts, self.row))

    def _list_table(self, options: list[str], content: list[str], caption: str) -> None:
        rows = listed_rows(content)
        if rows:
            heads = _option(options, "header-rows")
            self.add_table(
                plain_table(rows, heads, self.tables, self.flow.heading_texts), self.words(caption)
            )

    def _csv_table(self, options: list[str], content: list[str], caption: str) -> None:

        rows = delimited_rows("\n".join(line for line in content if line.strip()), ",")
        header = next(
            (m.group(3) or "" for text in options if (m := rst.FIELD.match(text)) and m.group(2) == "header"),
            "",
        )
        heads = _option(options, "header-rows")
        if header:
            rows[:0] = delimited_rows(header, ",")
            heads += 1
        if rows:
            self.add_table(
                plain_table(rows, heads, self.tables, self.flow.heading_texts), self.words(caption)
            )


_PIPED = re.compile(r"\s*\|(?:\s|$)")


def _option(options: list[str], name: str) -> int:
    for text in options:
        found = rst.FIELD.match(text)
        if found is not None and found.group(2) == name and (found.group(3) or "").strip().isdigit():
            return min(int((found.group(3) or "0").strip()), 20)
    return 0


_OF_LAYOUT = frozenset({
    "align", "alt", "canonical", "caption", "class", "context", "figclass", "figwidth", "file", "format",
    "height", "icon", "language", "lineno-start", "linenos", "loading", "module", "name", "platform", "scale",
    "size", "style", "target", "theme", "width",
})  # fmt: skip
"""Options that say how or where a directive's text is shown, and nothing of what it describes."""


def shown_options(options: list[str]) -> list[str]:
    """What the options of a described thing say of it: `:default: 2secs`, `:type: int`."""
    out = []
    for text in options:
        found = rst.FIELD.match(text)
        if found is not None and found.group(3) and found.group(2).casefold() not in _OF_LAYOUT:
            out.append(text)
    return [*out, ""] if out else out


_BULLET = re.compile(r"(\s*)[*+-](?:\s+|$)")


def listed_rows(lines: list[str]) -> list[list[str]]:
    """The rows of a table that is written as a list of lists: cells may begin on the line of their row's
    bullet or below it, and what is indented further belongs to its cell, lists and all."""
    rows: list[list[str]] = []
    outer = inner = -1  # where the bullets of rows and of cells stand
    for line in lines:
        if not line.strip():
            continue
        width, said = width_of(line), line.strip()
        if (bullet := _BULLET.match(line)) and (outer < 0 or width <= outer):
            outer, inner = width, -1
            rows.append([])
            width, said = bullet.end(), line[bullet.end() :]
            line = " " * width + said
        if not said or not rows:
            continue
        if (bullet := _BULLET.match(line)) and (inner < 0 or width <= inner):
            inner = width
            rows[-1].append(line[bullet.end() :].strip())
        elif rows[-1]:
            rows[-1][-1] = f"{rows[-1][-1]} {said.strip()}".strip()
    return [row for row in rows if row]
