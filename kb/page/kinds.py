"""What kind of body it is: by its media type, else by the name it has, else by how it begins."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

MEDIA = {
    "html": "text/html",
    "markdown": "text/markdown",
    "rst": "text/x-rst",
    "asciidoc": "text/asciidoc",
    "text": "text/plain",
    "source": "text/jsx",
    "csv": "text/csv",
    "tsv": "text/tab-separated-values",
    "json": "application/json",
    "pdf": "application/pdf",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
}
"""The kinds that are read, each with its media type."""

_BY_TYPE = {
    **{media: kind for kind, media in MEDIA.items()},
    "application/xhtml+xml": "html",
    "application/xml": "html",
    "text/xml": "html",
    "text/x-markdown": "markdown",
    "text/mdx": "markdown",
    "text/prs.fallenstein.rst": "rst",
    "text/x-asciidoc": "asciidoc",
    "application/csv": "csv",
    "application/vnd.ms-excel": "csv",
    "text/json": "json",
    "application/ld+json": "json",
    "application/x-ndjson": "json",
    "application/x-pdf": "pdf",
}
_SUFFIXES = {
    "html": "html htm xhtml xht shtml xml",
    "markdown": "md markdown mdown mkd mdx qmd rmd",
    "rst": "rst rest",
    "asciidoc": "adoc asciidoc asc",
    "text": "txt text log man ini cfg conf toml yaml yml properties env ts js py",
    "source": "jsx tsx vue svelte astro",
    "csv": "csv",
    "tsv": "tsv tab",
    "json": "json jsonld ndjson jsonl geojson",
    "pdf": "pdf",
    "docx": "docx",
}
_BY_SUFFIX = {suffix: kind for kind, suffixes in _SUFFIXES.items() for suffix in suffixes.split()}
_UNTOLD = (
    "",
    "application/octet-stream",
    "binary/octet-stream",
    "unknown/unknown",
    "*/*",
    "application/unknown",
)
_HTML = re.compile(
    r"<(?:!doctype\s+html|!--|\?xml|/?(?:html|head|body|title|meta|link|script|style|div|p|h[1-6]|a|b|i|table"
    r"|tr|td|ul|ol|li|dl|br|span|section|article|main|nav|header|img|iframe|font|center|pre|form|strong|em)\b)",
    re.I,
)
_TAGS = re.compile(
    r"</(?:p|div|table|td|th|tr|h[1-6]|ul|ol|li|dl|dd|a|span|b|strong|section|article)\s*>", re.I
)
_MARKDOWN = re.compile(
    r"^(?:#{1,6} \S|\|?\s*:?-{3,}:?\s*\|[\s|:-]*$|```|\* \S.*\]\(|.*\[[^\]\n]+\]\([^)\s]+\))", re.M
)


def kind_of(body: bytes | str, url: str | None, content_type: str | None) -> str | None:
    """One of `MEDIA`'s keys; None for a body that is not read."""
    media = (content_type or "").split(";")[0].strip().lower()
    suffix = suffix_of(url)
    if media in _BY_TYPE and media != "text/plain":
        kind = _BY_TYPE[media]
        if kind == "html" and _head(body).startswith("%PDF-"):
            return "pdf"
        return kind
    if media == "text/plain":
        kind = _BY_SUFFIX.get(suffix, "text")
        return "text" if kind in ("html", "pdf", "docx") else kind
    if media.endswith("+json"):
        return "json"
    if media.endswith("+xml") and not media.startswith("image/"):
        return "html"
    if media.startswith("text/"):
        return _BY_SUFFIX.get(suffix, "text")
    if media not in _UNTOLD:
        return None
    if suffix in _BY_SUFFIX:
        return _BY_SUFFIX[suffix]
    return _sniff(body)


def suffix_of(url: str | None) -> str:
    """The ending of the last name in an address or a path, lower case, without its dot."""
    if not url:
        return ""
    try:
        path = urlsplit(url).path
    except ValueError:
        path = url
    name = path.rsplit("/", 1)[-1]
    return name.rsplit(".", 1)[-1].lower() if "." in name else ""


def _head(body: bytes | str) -> str:
    head = body[:4096].decode("latin-1") if isinstance(body, bytes) else body[:4096]
    return head.lstrip("\ufeff\xef\xbb\xbf \t\r\n\f")


def _sniff(body: bytes | str) -> str | None:
    head = _head(body)
    if head.startswith("%PDF-"):
        return "pdf"
    if _HTML.match(head):
        return "html"
    if re.match(r"[{\[]\s*[\"{\[\]}\d-]", head):
        return "json"
    if isinstance(body, bytes) and body.startswith(b"PK\x03\x04") and b"word/document.xml" in body:
        return "docx"
    if isinstance(body, bytes) and b"\x00" in body[:1024] and not body.startswith((b"\xff\xfe", b"\xfe\xff")):
        sample = body[:512]
        if not (max(sample[0::2].count(0), sample[1::2].count(0)) * 3 > len(sample)):
            return None
    if _TAGS.search(head):
        return "html"
    if len(_MARKDOWN.findall(head)) > 1 or head.startswith(("# ", "---\n")):
        return "markdown"
    return "text"
