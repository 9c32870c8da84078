"""A body of bytes or text to a `Page`, by its kind."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from kb.errors import UnreadableError
from kb.page.encoding import Decoded, decode
from kb.page.kinds import MEDIA, kind_of
from kb.page.page import Block, Page, Unread
from kb.page.part import Part
from kb.reasons import Reason

MAX_BYTES = 64 * 1024 * 1024
"""Larger bodies are not read (`too-large`); fetching stops earlier."""

MAX_MARKDOWN = 1_500_000
"""Characters of Markdown; longer ones are read as plain text, which costs no more than their length."""

MAX_LINE = 100_000
"""Characters of one line of Markdown, beyond which it is no text that a person wrote."""


@dataclass(slots=True)
class _Read:
    """What a reader of one kind found."""

    parts: list[Part | Block]
    kind: str
    lang: str | None = None
    title: str = ""
    canonical: str | None = None
    meta: list[tuple[str, str]] = field(default_factory=list)


def read_page(body: bytes | str, url: str | None = None, content_type: str | None = None) -> Page:
    """Read a body into a page.

    Args:
        body: as it came, decoded from its content coding; a `str` is text already decoded.
        url: where it came from; its suffix tells the kind where no header does.
        content_type: the header, parameters and all.

    Raises:
        UnreadableError: it cannot be read; `facts` has `reason` and `detail`.

    >>> read_page("<h1>Prices</h1><p>H100: $2.49 per hour</p>").blocks[1].headings
    ('Prices',)
    """
    page = read_body(body, url, content_type)
    if isinstance(page, Unread):
        detail = f": {page.detail}" if page.detail else ""
        raise UnreadableError(f"{page.reason.sentence}{detail}", reason=page.reason, detail=page.detail)
    return page


def read_body(body: bytes | str, url: str | None = None, content_type: str | None = None) -> Page | Unread:
    """Read a body into a page, or say why that cannot be done; never raises for what it contains."""
    if len(body) > MAX_BYTES:
        return Unread(Reason.TOO_LARGE, f"{len(body)} bytes, more than {MAX_BYTES}")
    if not body.strip():
        return Unread(Reason.EMPTY)
    kind = kind_of(body, url, content_type)
    if kind in (None, "docx") and isinstance(body, bytes) and body.startswith(_OLD_WORD):
        return Unread(Reason.UNSUPPORTED_TYPE, "an old or locked Word document; save it as .docx, unlocked")
    if kind is None:
        return Unread(Reason.UNSUPPORTED_TYPE, (content_type or "unknown").split(";")[0].strip())
    if kind == "pdf":
        from kb.page.pdf import read_pdf

        return read_pdf(body if isinstance(body, bytes) else body.encode("latin-1", "replace"), url)
    if kind == "docx":
        return _docx(body if isinstance(body, bytes) else body.encode("latin-1", "replace"), url)
    if isinstance(body, str):
        decoded = Decoded(body.removeprefix("\ufeff"), "utf-8", "")
    else:
        decoded = decode(body, content_type, html=kind == "html")
    if not decoded.text.strip():
        return Unread(Reason.EMPTY)
    if _binary(decoded.text):
        return Unread(Reason.UNDECODABLE, "the body is not text")
    own = _OWN_ENTITIES.search(decoded.text, 0, _PROLOGUE) if kind == "html" else None
    if own is not None and (own[1].lower() != "html" or "xml" in (content_type or "")):
        # Expanding them could make gigabytes of a line, and unexpanded they are not what a person sees;
        # in HTML that is no XML a browser expands none either.
        return Unread(Reason.UNSUPPORTED_TYPE, "XML that declares entities of its own")
    return _page(_READERS[kind](decoded.text), decoded, url)


def _docx(body: bytes, url: str | None) -> Page | Unread:
    from kb.page.docx import read_docx

    reader = read_docx(body)
    if isinstance(reader, Unread):
        return reader
    if not reader.out:
        return Unread(Reason.EMPTY, "the Word document has no text")
    read = _Read(reader.out, "docx", reader.lang, reader.title)
    return _page(read, Decoded("", "utf-8", ""), url)


_OLD_WORD = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""How an old Word document begins, and a new one that is locked with a password."""
_PROLOGUE = 4_000  # characters in which a document type stands
_OWN_ENTITIES = re.compile(
    r"\A\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<!DOCTYPE\s+([\w:]*)[^\[>]*\[.*?<!ENTITY\s", re.S | re.I
)


def _page(read: _Read, decoded: Decoded, url: str | None) -> Page:
    blocks = tuple(p if isinstance(p, Block) else p.block() for p in read.parts)
    title = read.title or next((b.text for b in blocks if b.kind == "title"), "")
    return Page(
        blocks=blocks,
        lang=_lang(read),
        title=title,
        url=url,
        canonical=read.canonical,
        published=_published(read),
        content_type=MEDIA[read.kind],
        encoding=decoded.encoding,
        encoding_source=decoded.source,
    )


# --- one for each kind ----------------------------------------------------------------------------


def _html(text: str) -> _Read:
    from kb.page.html import parse_html

    reader = parse_html(_without_cdata(text) if text.startswith("<?xml") else text)
    return _Read(reader.out, "html", reader.lang, "", reader.canonical, reader.meta)


def _without_cdata(text: str) -> str:
    """XML's sections of plain characters, which HTML does not know; a feed keeps markup in them."""
    pieces: list[str] = []
    at = 0
    feed = re.search(r"<(?:rss|feed|rdf:RDF)\b", text[:2_000]) is not None
    while (start := text.find("<![CDATA[", at)) >= 0 and (end := text.find("]]>", start)) >= 0:
        inner = text[start + 9 : end]
        pieces += [text[at:start], inner if feed else inner.replace("&", "&amp;").replace("<", "&lt;")]
        at = end + 3
    return "".join([*pieces, text[at:]])


def _markdown(text: str) -> _Read:
    from kb.page.markdown import parse_markdown

    if len(text) > MAX_MARKDOWN or (len(text) > MAX_LINE and max(map(len, text.split("\n"))) > MAX_LINE):
        return _text(text)
    try:
        reader = parse_markdown(text)
    except RecursionError:  # nested deeper than the Markdown parser follows
        return _text(text)
    first = next((p.text for p in reader.out if p.kind == "heading" and p.level == 1), "")
    return _Read(reader.out, "markdown", reader.lang, reader.title or first, reader.canonical, reader.meta)


def _text(text: str) -> _Read:
    from kb.page.rst import is_rst
    from kb.page.text import TextReader

    if is_rst(text):
        read = _rst(text)
        read.kind = "text"
        return read
    reader = TextReader(text)
    return _Read(reader.read(), "text", None, _said_title(reader.out) or reader.title, None, reader.meta)


def _source(text: str) -> _Read:
    """The source of a page's component: its markup, the rows it lists, and the rest as data."""
    from kb.page.html import parse_html
    from kb.page.literals import jsx_markup, literal_tables

    shown = parse_html(jsx_markup(text))
    read = _text(text)
    for part in read.parts:
        if isinstance(part, Part):
            part.role = "data"
    tables = literal_tables(text, shown.table_count, ())
    return _Read([*shown.out, *tables, *(p for p in read.parts if isinstance(p, Part))], "source")


def _rst(text: str) -> _Read:
    from kb.page.rst_blocks import RstReader

    reader = RstReader(text)
    return _Read(reader.read(), "rst", None, _said_title(reader.out) or reader.title, None, reader.meta)


def _said_title(parts: list[Part | Block]) -> str:
    """The title that a head of `Name: value` lines states."""
    for part in parts[:12]:
        if part.kind == "pair" and part.row[-1:] == ("Title",):
            return part.text.removeprefix("Title:").strip()
    return ""


def _asciidoc(text: str) -> _Read:
    from kb.page.asciidoc import AsciidocReader

    reader = AsciidocReader(text)
    return _Read(reader.read(), "asciidoc", reader.lang, reader.title, None, reader.meta)


def _csv(text: str) -> _Read:
    from kb.page.delimited import read_delimited
    from kb.page.tables import table_blocks

    return _Read(list(table_blocks(read_delimited(text))), "csv")


def _tsv(text: str) -> _Read:
    from kb.page.delimited import read_delimited
    from kb.page.tables import table_blocks

    return _Read(list(table_blocks(read_delimited(text, tab=True))), "tsv")


def _json(text: str) -> _Read:
    from kb.page.json import load, pairs

    try:
        data = load(text)
    except (ValueError, RecursionError):
        return _text(text)
    parts: list[Part | Block] = [Part("pair", value, "content", 0, (), names) for names, value in pairs(data)]
    return _Read(parts, "json")


_READERS = {
    "html": _html,
    "markdown": _markdown,
    "rst": _rst,
    "asciidoc": _asciidoc,
    "text": _text,
    "source": _source,
    "csv": _csv,
    "tsv": _tsv,
    "json": _json,
}

# --- what a page says of itself -------------------------------------------------------------------

_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_PUBLISHED = (
    "article:published_time",
    "datepublished",
    "date",
    "dc.date",
    "dc.date.issued",
    "dcterms.date",
    "dcterms.created",
    "publish-date",
    "publish_date",
    "pubdate",
    "published",
    "created",
    "ms.date",
)


def _lang(read: _Read) -> str | None:
    said = read.lang or next((v for k, v in read.meta if k in ("lang", "language", "og:locale")), None)
    primary = re.match(r"\s*([A-Za-z]{2,3})(?![A-Za-z])", said) if said else None
    return primary.group(1).lower() if primary else None


def _published(read: _Read) -> str | None:
    for name in _PUBLISHED:
        for key, value in read.meta:
            if key == name and (found := _DATE.search(value)):
                return found.group(0)
    return None


def _binary(text: str) -> bool:
    sample = text[:4096]
    odd = sum(1 for c in sample if (c < " " and c not in "\t\n\r\f\x1b") or c == "\ufffd")
    return odd * 10 > len(sample)
