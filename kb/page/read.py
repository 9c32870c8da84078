"""A body of bytes or text to a `Page`, by its kind."""

from __future__ import annotations

import json
import re
from urllib.parse import urlsplit

from kb.errors import UnreadableError
from kb.page.encoding import Decoded, decode
from kb.page.html import HtmlReader, parse_html
from kb.page.page import Block, Page, Unread
from kb.page.part import Part
from kb.reasons import Reason

MAX_BYTES = 64 * 1024 * 1024
"""Larger bodies are not read (`too-large`); fetching stops earlier."""

_BY_TYPE = {
    "text/html": "html",
    "application/xhtml+xml": "html",
    "text/markdown": "markdown",
    "text/x-markdown": "markdown",
    "text/x-rst": "text",
    "text/prs.fallenstein.rst": "text",
    "text/asciidoc": "text",
    "text/csv": "csv",
    "application/csv": "csv",
    "text/tab-separated-values": "tsv",
    "application/json": "json",
    "text/json": "json",
    "application/ld+json": "json",
    "application/pdf": "pdf",
    "application/x-pdf": "pdf",
    "application/xml": "html",
    "text/xml": "html",
}
_BY_SUFFIX = {
    "html": "html",
    "htm": "html",
    "xhtml": "html",
    "md": "markdown",
    "markdown": "markdown",
    "mdx": "markdown",
    "rst": "text",
    "txt": "text",
    "adoc": "text",
    "asciidoc": "text",
    "csv": "csv",
    "tsv": "tsv",
    "tab": "tsv",
    "json": "json",
    "jsonld": "json",
    "pdf": "pdf",
    "xml": "html",
    "log": "text",
    "text": "text",
}
_MEDIA = {
    "html": "text/html",
    "markdown": "text/markdown",
    "text": "text/plain",
    "csv": "text/csv",
    "tsv": "text/tab-separated-values",
    "json": "application/json",
    "pdf": "application/pdf",
}
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


def read_page(body: bytes | str, url: str | None = None, content_type: str | None = None) -> Page:
    """Read a body into a page.

    Args:
        body: as it came, decoded from its content coding; a `str` is text already decoded.
        url: where it came from; its suffix tells the kind where no header does.
        content_type: the header, parameters and all.

    Raises:
        UnreadableError: it cannot be read; `facts` has `reason` and `detail`.
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
    kind = _kind(body, url, content_type)
    if kind is None:
        return Unread(Reason.UNSUPPORTED_TYPE, (content_type or "unknown").split(";")[0].strip())
    if kind == "pdf":
        from kb.page.pdf import read_pdf

        return read_pdf(body if isinstance(body, bytes) else body.encode("latin-1", "replace"), url)
    if isinstance(body, str):
        decoded = Decoded(body.removeprefix("\ufeff"), "utf-8", "")
    else:
        decoded = decode(body, content_type, html=kind == "html")
    if not decoded.text.strip():
        return Unread(Reason.EMPTY)
    if _binary(decoded.text):
        return Unread(Reason.UNDECODABLE, "the body is not text")
    return _read_text(decoded, kind, url)


def _read_text(decoded: Decoded, kind: str, url: str | None) -> Page:
    text = decoded.text
    reader: HtmlReader | None = None
    parts: list[Part | Block]
    if kind == "json":
        try:
            data = json.loads(text, strict=False, parse_float=str, parse_int=str)
        except (ValueError, RecursionError):
            kind = "text"
        else:
            from kb.page.json import pairs

            parts = [Part("pair", value, "content", 0, (), names) for names, value in pairs(data)]
    if kind == "html":
        reader = parse_html(text)
    elif kind == "markdown":
        from kb.page.markdown import parse_markdown

        reader = parse_markdown(text)
    elif kind in ("csv", "tsv"):
        from kb.page.delimited import read_delimited
        from kb.page.tables import table_blocks

        parts = list(table_blocks(read_delimited(text, kind == "tsv")))
    elif kind == "text":
        from kb.page.text import text_parts

        parts = text_parts(text)
    if reader is not None:
        parts = reader.out
    blocks = tuple(p if isinstance(p, Block) else p.block() for p in parts)
    title = next((b.text for b in blocks if b.kind == "title"), "")
    return Page(
        blocks=blocks,
        lang=_lang(reader),
        title=title,
        url=url,
        canonical=reader.canonical if reader else None,
        published=_published(reader) if reader else None,
        content_type=_MEDIA[kind],
        encoding=decoded.encoding,
        encoding_source=decoded.source,
    )


def _lang(reader: HtmlReader | None) -> str | None:
    if reader is None or not reader.lang:
        return None
    primary = re.match(r"[A-Za-z]{2,3}(?![A-Za-z])", reader.lang.strip())
    return primary.group(0).lower() if primary else None


def _published(reader: HtmlReader) -> str | None:
    wanted = (
        "article:published_time",
        "datepublished",
        "date",
        "dc.date",
        "dcterms.date",
        "publish-date",
        "pubdate",
    )
    for name in wanted:
        for key, value in reader.meta:
            if key == name and (found := _DATE.search(value)):
                return found.group(0)
    return None


def _kind(body: bytes | str, url: str | None, content_type: str | None) -> str | None:
    """html, markdown, text, csv, tsv, json or pdf; None for what is not read."""
    media = (content_type or "").split(";")[0].strip().lower()
    suffix = _suffix(url)
    if media in _BY_TYPE:
        return _BY_TYPE[media]
    if media == "text/plain":
        return _BY_SUFFIX.get(suffix, "text") if suffix not in ("html", "htm", "pdf") else "text"
    if media.endswith("+json"):
        return "json"
    if media.startswith("text/"):
        return "text"
    if media and media not in ("application/octet-stream", "binary/octet-stream", "unknown/unknown", "*/*"):
        return None
    if suffix in _BY_SUFFIX:
        return _BY_SUFFIX[suffix]
    return _sniff(body)


def _suffix(url: str | None) -> str:
    if not url:
        return ""
    try:
        path = urlsplit(url).path
    except ValueError:
        path = url
    name = path.rsplit("/", 1)[-1]
    return name.rsplit(".", 1)[-1].lower() if "." in name else ""


def _sniff(body: bytes | str) -> str | None:
    head = body[:1024].decode("latin-1") if isinstance(body, bytes) else body[:1024]
    start = head.lstrip("\ufeff\xef\xbb\xbf \t\r\n\f")
    if start.startswith("%PDF-"):
        return "pdf"
    if re.match(r"<(?:!doctype|!--|\?xml|/?[a-z][a-z0-9-]*[\s/>])", start, re.I):
        return "html"
    if start[:1] in "{[" and start[:1]:
        return "json"
    if re.search(r"</?(?:p|div|table|td|h[1-6]|ul|li|br|a|span|b)\b[^>]*>", head, re.I):
        return "html"
    if isinstance(body, bytes) and b"\x00" in body[:1024] and not body.startswith((b"\xff\xfe", b"\xfe\xff")):
        return None
    return "text"


def _binary(text: str) -> bool:
    sample = text[:4096]
    odd = sum(1 for c in sample if (c < " " and c not in "\t\n\r\f\x1b") or c == "\ufffd")
    return odd > len(sample) * 0.1
