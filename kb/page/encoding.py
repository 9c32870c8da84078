"""Bytes to text, in the order that browsers use: byte order mark, header, meta, guess."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

_LABELS = {
    "windows-1252": "ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 iso8859-1 "
    "iso88591 iso_8859-1 iso_8859-1:1987 l1 latin1 us-ascii windows-1252 x-cp1252",
    "utf-8": "unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf-8 utf8 x-unicode20utf8",
    "iso-8859-2": "csisolatin2 iso-8859-2 iso-ir-101 iso8859-2 iso88592 iso_8859-2 iso_8859-2:1987 l2 latin2",
    "iso-8859-3": "csisolatin3 iso-8859-3 iso-ir-109 iso8859-3 iso88593 iso_8859-3 iso_8859-3:1988 l3 latin3",
    "iso-8859-4": "csisolatin4 iso-8859-4 iso-ir-110 iso8859-4 iso88594 iso_8859-4 iso_8859-4:1988 l4 latin4",
    "iso-8859-5": "csisolatincyrillic cyrillic iso-8859-5 iso-ir-144 iso8859-5 "
    "iso88595 iso_8859-5 iso_8859-5:1988",
    "iso-8859-6": "arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 iso-8859-6 iso-8859-6-e "
    "iso-8859-6-i iso-ir-127 iso8859-6 iso88596 iso_8859-6 iso_8859-6:1987",
    "iso-8859-7": "csisolatingreek ecma-118 elot_928 greek greek8 iso-8859-7 iso-ir-126 iso8859-7 iso88597 "
    "iso_8859-7 iso_8859-7:1987 sun_eu_greek",
    "iso-8859-8": "csiso88598e csisolatinhebrew hebrew iso-8859-8 iso-8859-8-e iso-ir-138 iso8859-8 iso88598 "
    "iso_8859-8 iso_8859-8:1988 visual csiso88598i iso-8859-8-i logical",
    "iso-8859-10": "csisolatin6 iso-8859-10 iso-ir-157 iso8859-10 iso885910 l6 latin6",
    "iso-8859-13": "iso-8859-13 iso8859-13 iso885913",
    "iso-8859-14": "iso-8859-14 iso8859-14 iso885914",
    "iso-8859-15": "csisolatin9 iso-8859-15 iso8859-15 iso885915 iso_8859-15 l9",
    "iso-8859-16": "iso-8859-16",
    "koi8-r": "cskoi8r koi koi8 koi8-r koi8_r",
    "koi8-u": "koi8-ru koi8-u",
    "mac-roman": "csmacintosh mac macintosh x-mac-roman",
    "mac-cyrillic": "x-mac-cyrillic x-mac-ukrainian",
    "cp866": "866 cp866 csibm866 ibm866",
    "cp874": "dos-874 iso-8859-11 iso8859-11 iso885911 tis-620 windows-874",
    "windows-1250": "cp1250 windows-1250 x-cp1250",
    "windows-1251": "cp1251 windows-1251 x-cp1251",
    "windows-1253": "cp1253 windows-1253 x-cp1253",
    "windows-1254": "cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 iso_8859-9 iso_8859-9:1989 "
    "l5 latin5 windows-1254 x-cp1254",
    "windows-1255": "cp1255 windows-1255 x-cp1255",
    "windows-1256": "cp1256 windows-1256 x-cp1256",
    "windows-1257": "cp1257 windows-1257 x-cp1257",
    "windows-1258": "cp1258 windows-1258 x-cp1258",
    "gbk": "chinese csgb2312 csiso58gb231280 gb2312 gb_2312 gb_2312-80 gbk iso-ir-58 x-gbk",
    "gb18030": "gb18030",
    "big5": "big5 big5-hkscs cn-big5 csbig5 x-x-big5",
    "euc-jp": "cseucpkdfmtjapanese euc-jp x-euc-jp",
    "iso-2022-jp": "csiso2022jp iso-2022-jp",
    "shift_jis": "csshiftjis ms932 ms_kanji shift-jis shift_jis sjis windows-31j x-sjis",
    "euc-kr": "cseuckr csksc56011987 euc-kr iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 "
    "ksc_5601 windows-949",
    "utf-16be": "unicodefffe utf-16be",
    "utf-16le": "csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16 utf-16le",
}
"""The labels that pages use, under the encoding that browsers read them as (encoding.spec.whatwg.org)."""

_BY_LABEL = {label: name for name, labels in _LABELS.items() for label in labels.split()}

_CODECS = {"gbk": "gb18030", "big5": "big5hkscs", "shift_jis": "cp932", "euc-kr": "cp949"}
"""Python's codec where the one of that name reads less than browsers do."""

_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_BE, "utf-16be"), (codecs.BOM_UTF16_LE, "utf-16le"))

_PRESCAN = 1024
_META = re.compile(rb"<meta[\s/]([^>]*)", re.I)
_ATTRIBUTE = re.compile(rb"""([^\s=/>"']+)\s*(?:=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']*)))?""")
_COMMENT = re.compile(rb"<!--.*?-->", re.S)
_XML = re.compile(rb"""^<\?xml[^>]*\sencoding\s*=\s*["']\s*([\w.:-]+)""")
_CHARSET = re.compile(r"charset\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s;\"']+))", re.I)


@dataclass(frozen=True, slots=True)
class Decoded:
    """Text, the encoding that gave it, and why that one: `bom`, `header`, `meta` or `guess`."""

    text: str
    encoding: str
    source: str


def encoding_named(label: str) -> str | None:
    """The encoding that browsers mean by a label; None for one that they do not know."""
    return _BY_LABEL.get(label.strip(" \t\n\r\f").lower())


def charset_of(content_type: str) -> str | None:
    """The charset parameter of a media type, as written."""
    found = _CHARSET.search(content_type)
    return next((g for g in found.groups() if g is not None), None) if found else None


def decode(body: bytes, content_type: str | None = None, html: bool = True) -> Decoded:
    """Decode as a browser would; what an encoding does not know becomes U+FFFD."""
    for bom, name in _BOMS:
        if body.startswith(bom):
            return Decoded(_text(body[len(bom) :], name), name, "bom")
    label = charset_of(content_type) if content_type else None
    declared = encoding_named(label) if label else None
    if declared:
        return Decoded(_text(body, declared), declared, "header")
    declared = _meta(body[:_PRESCAN]) if html else None
    if declared:
        return Decoded(_text(body, declared), declared, "meta")
    return _guess(body)


def _meta(head: bytes) -> str | None:
    """What the first kilobyte declares; UTF-16 there can only be wrong, and is read as UTF-8."""
    head = _COMMENT.sub(b"", head)
    for tag in _META.finditer(head):
        attrs: dict[str, str] = {}
        for name, *values in _ATTRIBUTE.findall(tag.group(1)):
            attrs.setdefault(name.decode("latin-1").lower(), b"".join(values).decode("latin-1"))
        label: str | None = attrs.get("charset")
        if label is None and attrs.get("http-equiv", "").lower() == "content-type":
            label = charset_of(attrs.get("content", ""))
        found = encoding_named(label) if label else None
        if found:
            return "utf-8" if found.startswith("utf-16") else found
    xml = _XML.match(head)
    found = encoding_named(xml.group(1).decode("latin-1")) if xml else None
    return "utf-8" if found and found.startswith("utf-16") else found


def _guess(body: bytes) -> Decoded:
    try:
        return Decoded(body.decode("utf-8"), "utf-8", "guess")
    except UnicodeDecodeError as error:
        if error.start > 0 and len(body) - error.start < 4 and error.reason == "unexpected end of data":
            return Decoded(_text(body, "utf-8"), "utf-8", "guess")
    head = body[:512]
    if len(head) >= 4 and head.count(0) > len(head) // 4:
        even = head[0::2].count(0)
        name = "utf-16be" if even > head[1::2].count(0) else "utf-16le"
        return Decoded(_text(body, name), name, "guess")
    return Decoded(_text(body, "windows-1252"), "windows-1252", "guess")


def _text(body: bytes, name: str) -> str:
    if name == "windows-1252":
        try:
            return body.decode("cp1252")
        except UnicodeDecodeError:  # five bytes that browsers read as control characters
            return "".join(_LATIN[b] for b in body)
    return body.decode(_CODECS.get(name, name), "replace")


_LATIN = [bytes([b]).decode("cp1252", "replace") for b in range(256)]
for _byte in (0x81, 0x8D, 0x8F, 0x90, 0x9D):
    _LATIN[_byte] = chr(_byte)
