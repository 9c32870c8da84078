"""Markdown: rendered as its sites render it, then read as HTML."""

from __future__ import annotations

import json
import re

from kb.page.html import HtmlReader, parse_html
from kb.page.markdown_dialects import plain_markdown
from kb.page.part import BREAK, Part, fold

_FRONT = re.compile(r"\A(?:---|\+\+\+)[ \t]*\n(.*?)^(?:---|\+\+\+|\.\.\.)[ \t]*(?:\n|\Z)", re.S | re.M)
_FRONT_JSON = re.compile(r"\A\s*<!--\s*(\{.*?\})\s*-->", re.S)
_FIELD = re.compile(r"""^([A-Za-z_][\w.-]*)[ \t]*[:=][ \t]*(\S.*?)[ \t]*$""", re.M)


def parse_markdown(text: str) -> HtmlReader:
    """Render and read; front matter becomes pairs of role `data`, its title the page's title.

    Raises:
        RecursionError: it is nested deeper than the parser follows.
    """
    from markdown_it import MarkdownIt  # start-up time

    front, body = _front_matter(text.replace("\r\n", "\n").replace("\r", "\n"))
    renderer = MarkdownIt("commonmark", {"html": True, "maxNesting": 60}).enable(["table", "strikethrough"])
    reader = parse_html(renderer.render(plain_markdown(body)))
    parts: list[Part] = []
    for name, value in front:
        if name.lower() == "title" and not reader.title:
            reader.title = value
            parts.append(Part("title", value))
        else:
            parts.append(Part("pair", value, "data", 0, (), (name,)))
        reader.meta.append((name.lower(), value))
    reader.out[:0] = parts
    return reader


def _front_matter(text: str) -> tuple[list[tuple[str, str]], str]:
    found = _FRONT.match(text)
    if found is not None:
        lines = _FIELD.findall(found.group(1))
        fields = [(n, fold(v.strip("'\"").replace(BREAK, " "))) for n, v in lines]
        return [(n, v) for n, v in fields if v and v not in ("|", ">", "|-", ">-")], text[found.end() :]
    found = _FRONT_JSON.match(text)
    if found is not None:
        try:
            data = json.loads(found.group(1), strict=False)
        except (ValueError, RecursionError):
            return [], text
        return [(n, fold(v)) for n, v in data.items() if isinstance(v, str) and v.strip()], text[
            found.end() :
        ]
    return [], text
