"""Markdown: rendered as its sites render it, then read as HTML."""

from __future__ import annotations

from kb.page.front_matter import front_matter, nested
from kb.page.html import HtmlReader, parse_html
from kb.page.markdown_dialects import plain_markdown
from kb.page.page import Block
from kb.page.part import Part


def parse_markdown(text: str) -> HtmlReader:
    """Render and read; front matter becomes pairs of role `data`, lists and tables, its title the page's.

    Raises:
        RecursionError: it is nested deeper than the parser follows.
    """
    from markdown_it import MarkdownIt  # start-up time

    front, whole, body = front_matter(text.replace("\r\n", "\n").replace("\r", "\n"))
    renderer = MarkdownIt("commonmark", {"html": True, "maxNesting": 60}).enable(["table", "strikethrough"])
    reader = parse_html(renderer.render(plain_markdown(body)))
    parts: list[Part | Block] = []
    for name, value in front:
        if name.lower() == "title" and not reader.title:
            reader.title = value
            parts.append(Part("title", value))
        else:
            parts.append(Part("pair", value, "data", 0, (), (name,)))
        reader.meta.append((name.lower(), value))
    reader.out[:0] = [*parts, *nested(whole, reader.table_count)]
    return reader
