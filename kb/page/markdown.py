"""Markdown, with its front matter, tables and embedded HTML."""

from __future__ import annotations

import re

from kb.page.html import HtmlReader, parse_html
from kb.page.part import Part

_FRONT = re.compile(r"\A\ufeff?(---|\+\+\+)[ \t]*\r?\n(.*?)^\1[ \t]*(?:\r?\n|\Z)", re.S | re.M)
_FIELD = re.compile(r"""^([A-Za-z_][\w.-]*)[ \t]*[:=][ \t]*(.*?)[ \t]*$""", re.M)


def parse_markdown(text: str) -> HtmlReader:
    """Render as GitHub does and read the result; front matter becomes pairs of role `data`."""
    from markdown_it import MarkdownIt  # start-up time

    front, body = _front_matter(text)
    renderer = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    reader = parse_html(renderer.render(body))
    parts: list[Part] = []
    for name, value in front:
        if name.lower() == "title" and not reader.title:
            reader.title = value
            parts.append(Part("title", value))
        else:
            parts.append(Part("pair", value, "data", 0, (), (name,)))
        if name.lower() in ("date", "published", "last_updated", "lastmod", "ms.date"):
            reader.meta.append(("date", value))
    reader.out[:0] = parts
    return reader


def _front_matter(text: str) -> tuple[list[tuple[str, str]], str]:
    found = _FRONT.match(text)
    if found is None:
        return [], text
    fields = [(n, v.strip("'\"")) for n, v in _FIELD.findall(found.group(2)) if v.strip("'\"")]
    return fields, text[found.end() :]
