"""A page whose texts keep their links: where each stands, and where it leads."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, replace

from kb.page.encoding import decode
from kb.page.kinds import kind_of
from kb.page.page import Block, Page, Unread
from kb.page.read import MAX_MARKDOWN, read_body

_FIRST = 0xF0000  # a plane of characters that nobody's text has
_MARKS = re.compile("[\U000f0000-\U000ffffd]")
_TAG = re.compile(r"<a\b[^<>]{0,4000}>|</a\s*>|<[a-z][\w-]{0,40}\s[^<>]{0,1000}>", re.I)
_HREF = re.compile(r"\bhref\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s>]+))", re.I)
_ID = re.compile(r"\bid\s*=\s*[\"']?([\w:.-]+)", re.I)
_NOTE = re.compile(r"^[ ]{0,3}\[\^([^\]\s]+)\]:[ \t]*", re.M)
_REFERENCE = re.compile(r"\[\^([^\]\s]+)\]")


@dataclass(frozen=True, slots=True)
class Link:
    """A link in a block's text: `text[start:offset]` are the words that carry it.

    `target` is an address, `#name` for a place on the page; `anchor` says that it is that place.
    """

    offset: int
    target: str
    start: int
    anchor: bool = False


@dataclass(frozen=True, slots=True)
class LinkedPage:
    """A page, and the links of each of its blocks, in the order of `page.blocks`."""

    page: Page
    links: tuple[tuple[Link, ...], ...]


def read_linked(body: bytes, url: str | None = None, content_type: str | None = None) -> LinkedPage | Unread:
    """Read a page as `read_body` does, and keep the links of HTML and Markdown, footnotes among them."""
    kind = kind_of(body, url, content_type)
    targets: list[str] = []
    page: Page | Unread
    if kind == "html":
        page = read_body(_marked(decode(body, content_type, html=True).text, targets), url, "text/html")
    elif kind == "markdown" and len(body) <= MAX_MARKDOWN:
        text = _MARKS.sub("", decode(body, content_type, html=False).text)
        page = read_body(_marked(_rendered(text, targets), targets), url, "text/html")
    else:
        page = read_body(body, url, content_type)
    if isinstance(page, Unread):
        return page
    blocks, links = [], []
    for block in page.blocks:
        text, found = _parted(block.text, targets)
        blocks.append(_clean(replace(block, text=text)))
        links.append(found)
    return LinkedPage(replace(page, blocks=tuple(blocks), title=_MARKS.sub("", page.title)), tuple(links))


def _rendered(text: str, targets: list[str]) -> str:
    """Markdown as HTML, its footnotes marked: CommonMark knows none."""
    from markdown_it import MarkdownIt  # start-up time

    from kb.page.markdown_dialects import plain_markdown

    text = _NOTE.sub(lambda m: f"\n{_mark(f'={m[1]}', targets)}", text)
    text = _REFERENCE.sub(lambda m: _mark("(", targets) + _mark(f"#{m[1]}", targets), text)
    renderer = MarkdownIt("commonmark", {"html": True, "maxNesting": 60}).enable(["table", "strikethrough"])
    try:
        return str(renderer.render(plain_markdown(text)))
    except RecursionError:  # nested deeper than the parser follows
        return f"<pre>{html.escape(text)}</pre>"


def _marked(text: str, targets: list[str]) -> str:
    """HTML with a mark after each link, and one where a place begins that a link on the page leads to."""
    if not targets:
        text = _MARKS.sub("", text)
    wanted = {m[1] or m[2] or m[3] or "" for m in _HREF.finditer(text)}
    wanted = {w[1:] for w in wanted if w.startswith("#")}
    out: list[str] = []
    at = 0
    open_link = ""
    for found in _TAG.finditer(text):
        out.append(text[at : found.start()])
        at = found.end()
        tag = found[0].lower()
        if tag.startswith("</a"):
            out += [_mark(open_link, targets) if open_link else "", found[0]]
            open_link = ""
            continue
        out.append(found[0])
        id = _ID.search(found[0])
        if id and id[1] in wanted:
            out.append(_mark(f"={id[1]}", targets))
        if tag.startswith("<a") and not tag[2:3].isalpha():
            href = _HREF.search(found[0])
            open_link = html.unescape((href[1] or href[2] or href[3] or "").strip()) if href else ""
            out.append(_mark("(", targets) if open_link else "")
    return "".join([*out, text[at:]])


def _mark(target: str, targets: list[str]) -> str:
    if len(targets) > 0xFFF0:
        return ""
    targets.append(target)
    return chr(_FIRST + len(targets) - 1)


def _parted(text: str, targets: list[str]) -> tuple[str, tuple[Link, ...]]:
    """A text without its marks, and what they stood for."""
    out: list[str] = []
    links: list[Link] = []
    length = at = opened = 0
    for found in _MARKS.finditer(text):
        piece = text[at : found.start()]
        at = found.end()
        out.append(piece)
        length += len(piece)
        number = ord(found[0]) - _FIRST
        if number < len(targets):
            target = targets[number]
            if target == "(":
                opened = length
            elif target.startswith("="):
                links.append(Link(length, f"#{target[1:]}", length, anchor=True))
            else:
                links.append(Link(length, target, min(opened, length)))
    return "".join([*out, text[at:]]), tuple(links)


def _clean(block: Block) -> Block:
    def without(texts: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(_MARKS.sub("", t) for t in texts)

    return replace(
        block,
        headings=without(block.headings),
        row=without(block.row),
        column=without(block.column),
        caption=_MARKS.sub("", block.caption),
    )
