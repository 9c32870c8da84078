"""Plain text: headings underlined or numbered, lists, tables aligned by spaces, and paragraphs."""

from __future__ import annotations

import re

from kb.page.page import Block
from kb.page.part import Part

_UNDERLINE = re.compile(r"^([=\-~^\"'#*+.:_`])\1{2,}\s*$")
_BULLET = re.compile(r"^(\s*)(?:[-*+•]|\(?(?:\d{1,3}|[a-zA-Z#])[.)])\s+(?=\S)")


def text_parts(text: str) -> list[Part | Block]:
    """Blocks of a plain text."""
    out: list[Part | Block] = []
    headings: list[tuple[int, str]] = []
    marks: list[str] = []
    for chunk in re.split(r"\n[ \t]*\n", text.replace("\r\n", "\n").replace("\r", "\n").expandtabs(8)):
        lines = [line.rstrip() for line in chunk.split("\n") if line.strip()]
        start = 0
        while start + 1 < len(lines):
            rule = _UNDERLINE.match(lines[start + 1])
            if rule is None or not lines[start].strip() or _UNDERLINE.match(lines[start]):
                break
            mark = rule.group(1)
            if mark not in marks:
                marks.append(mark)
            level = min(6, marks.index(mark) + 1)
            headings = [h for h in headings if h[0] < level]
            title = " ".join(lines[start].split())
            out.append(Part("heading", title, "content", level, tuple(t for _, t in headings)))
            headings.append((level, title))
            start += 2
        above = tuple(t for _, t in headings)
        current: list[str] = []
        kind, level = "paragraph", 0
        for line in lines[start:]:
            bullet = _BULLET.match(line)
            if bullet:
                if current:
                    out.append(Part(kind, " ".join(" ".join(current).split()), "content", level, above))
                current = [line[bullet.end() :]]
                kind, level = "item", 1 + len(bullet.group(1)) // 2
            else:
                current.append(line)
        if current:
            out.append(Part(kind, " ".join(" ".join(current).split()), "content", level, above))
    return out
