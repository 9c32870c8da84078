"""XML that any parser takes, whatever was scraped."""

from __future__ import annotations

import re
from xml.etree import ElementTree

_ILLEGAL = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def legal(text: str) -> str:
    """`text` without the characters that XML 1.0 has no form for."""
    return _ILLEGAL.sub("\ufffd", text)


def add(
    parent: ElementTree.Element, name: str, text: str = "", /, **attributes: str | None
) -> ElementTree.Element:
    """A new last child; attributes that are None are left out."""
    child = ElementTree.SubElement(
        parent, name, {k.rstrip("_"): legal(v) for k, v in attributes.items() if v is not None}
    )
    if text:
        child.text = legal(text)
    return child


def document(root: ElementTree.Element) -> str:
    """The whole document, indented."""
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode")
