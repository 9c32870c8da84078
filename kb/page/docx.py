"""Word documents (.docx): opened by python-docx, walked in the order of their text, read as HTML.

What a person sees is taken: inserted text but not deleted, the words of links, notes where they are
called and at the end. python-docx comes with the extra `office`.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from html import escape
from importlib.util import find_spec
from io import BytesIO
from typing import Any

from kb.page.html import HtmlReader, parse_html
from kb.page.page import Unread
from kb.reasons import Reason

INSTALL = 'pip install "citedrift[office]"'
"""What to type where python-docx lacks."""

MAX_XML = 20 * 1024**2
"""Bytes of all XML in the file, unpacked: some thousand pages."""

MAX_TAGS = 2_000_000
"""In all its XML; each costs about 200 bytes of memory."""

MAX_BYTES = 256 * 1024**2
"""Of everything in the file, unpacked."""

MAX_ENTRIES = 5_000

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_NOTES = ("footnotes", "endnotes")
_UNSEEN = {f"{_W}{name}" for name in ("del", "moveFrom", "instrText", "delText", "rPr", "pPr", "sectPr")}
_HEADING = re.compile(r"heading ([1-9])$", re.I)
_ENTITIES = re.compile(rb"<!(?:DOCTYPE|ENTITY)")


def read_docx(body: bytes) -> HtmlReader | Unread:
    """The document as HTML that was read; a broken, locked or hostile file is a reason."""
    if find_spec("docx") is None:
        return Unread(Reason.UNSUPPORTED_TYPE, f"a Word document, which python-docx reads: {INSTALL}")
    try:
        why = _hostile(body)
        return why or parse_html(_as_html(body))
    except Exception as error:  # noqa: BLE001 - whatever a hostile file does to the library ends here
        return Unread(
            Reason.UNDECODABLE, f"the Word document is broken ({type(error).__name__}: {error})"[:200]
        )


def _hostile(body: bytes) -> Unread | None:
    """Why a file is not opened at all: what it would unpack to."""
    with zipfile.ZipFile(BytesIO(body)) as file:
        entries = file.infolist()
        xml = [e for e in entries if e.filename.endswith((".xml", ".rels"))]
        size, whole = sum(e.file_size for e in xml), sum(e.file_size for e in entries)
        if size > MAX_XML or whole > MAX_BYTES or len(entries) > MAX_ENTRIES:
            return Unread(Reason.TOO_LARGE, f"the Word document unpacks to {whole:,} bytes, {size:,} of text")
        tags = 0
        for entry in xml:
            text = file.read(entry)
            tags += text.count(b"<")
            if _ENTITIES.search(text):
                return Unread(Reason.UNSUPPORTED_TYPE, "XML that declares entities of its own")
        if tags > MAX_TAGS:
            return Unread(Reason.TOO_LARGE, f"the Word document has {tags:,} tags")
    return None


def _as_html(body: bytes) -> str:
    import docx  # start-up time, and an extra

    document = docx.Document(BytesIO(body))
    walk = _Walk(document)
    out = [*walk.blocks(document.element.body), *walk.notes()]
    title = document.core_properties.title
    head = f"<title>{escape(title)}</title>" if title else ""
    lang = walk.language()
    return f"<html{f' lang={lang!r}' if lang else ''}><head>{head}</head><body>{''.join(out)}</body></html>"


class _Walk:
    """Goes through a document's XML; notes are gathered on the way, in the order of their calls."""

    def __init__(self, document: Any) -> None:
        self._document = document
        self._styles = {s.style_id: s for s in document.styles}
        titles = {id for id, style in self._styles.items() if (style.name or "").lower() == "title"}
        used = document.element.body.iter(f"{_W}pStyle")
        self._titled = int(any(style.get(f"{_W}val") in titles for style in used))
        self._called: list[tuple[str, str]] = []
        self._boxes: list[Any] = []

    def language(self) -> str:
        found = self._document.styles.element.find(f".//{_W}lang")
        said = found.get(f"{_W}val") if found is not None else None
        return said if said and re.fullmatch(r"[A-Za-z]{2,3}(?:-\w+)*", said) else ""

    def blocks(self, parent: Any) -> Iterator[str]:
        """The HTML of a body's or a cell's paragraphs and tables."""
        depth = 0
        for child in _inside(parent):
            if child.tag == f"{_W}p":
                level = self._list_level(child)
                while depth > level:
                    yield "</ul>"
                    depth -= 1
                while depth < level:
                    yield "<ul>"
                    depth += 1
                yield self._paragraph(child, level)
                boxes, self._boxes = self._boxes, []
                for box in boxes:
                    yield from self.blocks(box)
            elif child.tag == f"{_W}tbl":
                yield "</ul>" * depth
                depth = 0
                yield from self._table(child)
        yield "</ul>" * depth

    def _paragraph(self, element: Any, level: int) -> str:
        text = "".join(self._texts(element))
        if not text.strip():
            return ""
        if level:
            return f"<li>{text}</li>"
        rank = min(self._heading(element), 6)
        tag = f"h{rank}" if rank else "p"
        return f"<{tag}>{text}</{tag}>"

    def _style(self, element: Any) -> Any:
        found = element.find(f"{_W}pPr/{_W}pStyle")
        return self._styles.get(found.get(f"{_W}val")) if found is not None else None

    def _heading(self, element: Any) -> int:
        """A heading's level by its outline or its style, one below the title where there is one; else 0."""
        own = element.find(f"{_W}pPr/{_W}outlineLvl")
        style = self._style(element)
        seen = 0
        while own is None and style is not None and seen < 10:
            name = style.name or ""
            if name.lower() == "title":
                return 1
            if found := _HEADING.match(name):
                return int(found[1]) + self._titled
            own = style.element.find(f"{_W}pPr/{_W}outlineLvl")
            style, seen = style.base_style, seen + 1
        rank = int(own.get(f"{_W}val")) + 1 if own is not None else 0
        return rank + self._titled if 0 < rank < 10 else 0

    def _list_level(self, element: Any) -> int:
        """1 for an item of a list, more for one of a list in it; 0 for what is no item."""
        own = element.find(f"{_W}pPr/{_W}numPr")
        style = self._style(element)
        name = (style.name or "") if style is not None else ""
        seen = 0
        while own is None and style is not None and seen < 10:
            own = style.element.find(f"{_W}pPr/{_W}numPr")
            style, seen = style.base_style, seen + 1
        if own is None or self._heading(element):  # a numbered heading is a heading
            return 0
        numbered, level = own.find(f"{_W}numId"), own.find(f"{_W}ilvl")
        if numbered is not None and numbered.get(f"{_W}val") == "0":
            return 0
        if level is not None:
            return min(int(level.get(f"{_W}val")), 8) + 1
        return int(name[-1]) if name.startswith("List") and name[-1:].isdigit() else 1

    # --- the words of a paragraph ------------------------------------------------------------------

    def _texts(self, parent: Any) -> Iterator[str]:
        for child in parent:
            tag = child.tag
            if not isinstance(tag, str) or tag in _UNSEEN or tag == _FALLBACK:
                continue
            if tag == f"{_W}r":
                yield from self._run(child)
            elif tag == f"{_W}hyperlink":
                yield from self._link(child)
            elif tag == f"{_M}t":
                yield escape(child.text or "")
            else:
                yield from self._texts(child)

    def _run(self, run: Any) -> Iterator[str]:
        properties = run.find(f"{_W}rPr")
        has = {p.tag.rpartition("}")[2] for p in properties if _on(p)} if properties is not None else set()
        if "vanish" in has:
            return
        raised = properties.find(f"{_W}vertAlign") if "vertAlign" in has else None
        marks = ["strong"] if "b" in has else []
        marks += ["s"] if has & {"strike", "dstrike"} else []
        marks += {"superscript": ["sup"], "subscript": ["sub"]}.get(
            raised.get(f"{_W}val") if raised is not None else "", []
        )
        text = "".join(self._pieces(run))
        if not text:
            return
        yield "".join(f"<{m}>" for m in marks) + text + "".join(f"</{m}>" for m in reversed(marks))

    def _pieces(self, run: Any) -> Iterator[str]:
        for child in run:
            tag = child.tag
            if tag == f"{_W}t":
                yield escape(child.text or "")
            elif tag in (f"{_W}br", f"{_W}cr"):
                yield "<br>"
            elif tag == f"{_W}tab":
                yield " "
            elif tag == f"{_W}noBreakHyphen":
                yield "-"
            elif tag in (f"{_W}footnoteReference", f"{_W}endnoteReference"):
                kind = "footnotes" if "footnote" in tag else "endnotes"
                self._called.append((kind, child.get(f"{_W}id") or ""))
                yield f"<sup>[{len(self._called)}]</sup>"
            elif isinstance(tag, str) and tag not in _UNSEEN and tag != _FALLBACK:
                self._boxes += [
                    box
                    for box in child.iter(f"{_W}txbxContent")
                    if not any(a.tag == _FALLBACK for a in box.iterancestors())
                ]

    def _link(self, link: Any) -> Iterator[str]:
        relation = self._document.part.rels.get(link.get(f"{_R}id") or "")
        text = "".join(self._texts(link))
        target = relation.target_ref if relation is not None and relation.is_external else ""
        yield f'<a href="{escape(target)}">{text}</a>' if target else text

    # --- tables and notes ----------------------------------------------------------------------------

    def _table(self, table: Any) -> Iterator[str]:
        rows = [r for r in _inside(table) if r.tag == f"{_W}tr"]
        look = table.find(f"{_W}tblPr/{_W}tblLook")
        first = look is not None and (
            look.get(f"{_W}firstRow") in ("1", "true") or _flag(look.get(f"{_W}val"), 0x20)
        )
        yield "<table>"
        grown: dict[int, tuple[int, int]] = {}
        cells: list[list[tuple[Any, int, int]]] = []
        for number, row in enumerate(rows):
            out: list[tuple[Any, int, int]] = []
            at = 0
            for cell in (c for c in _inside(row) if c.tag == f"{_W}tc"):
                span = _number(cell.find(f"{_W}tcPr/{_W}gridSpan"), 1)
                merge = cell.find(f"{_W}tcPr/{_W}vMerge")
                if merge is not None and merge.get(f"{_W}val", "continue") == "continue" and at in grown:
                    up, place = grown[at]
                    kept = cells[up][place]
                    cells[up][place] = (kept[0], kept[1], kept[2] + 1)
                else:
                    grown.pop(at, None)
                    if merge is not None:
                        grown[at] = (number, len(out))
                    out.append((cell, span, 1))
                at += span
            cells.append(out)
        for number, (row, out) in enumerate(zip(rows, cells, strict=True)):
            head = row.find(f"{_W}trPr/{_W}tblHeader") is not None or (first and not number and len(rows) > 1)
            tag = "th" if head else "td"
            yield "<tr>"
            for cell, across, down in out:
                yield f'<{tag} colspan="{across}" rowspan="{down}">'
                yield from self.blocks(cell)
                yield f"</{tag}>"
            yield "</tr>"
        yield "</table>"

    def notes(self) -> Iterator[str]:
        """The foot- and endnotes that the text calls, in its order, each with its mark."""
        parts = {kind: self._notes_of(kind) for kind in _NOTES}
        number = 0
        while number < len(self._called):  # a note may call another
            kind, id = self._called[number]
            number += 1
            note = parts[kind].get(id)
            if note is not None:
                words = " ".join("".join(self._texts(p)) for p in note.iter(f"{_W}p"))
                yield f"<p>[{number}] {words}</p>"

    def _notes_of(self, kind: str) -> dict[str, Any]:
        from docx.oxml.parser import parse_xml  # start-up time, and an extra

        for relation in self._document.part.rels.values():
            if not relation.is_external and relation.reltype.endswith(f"/{kind}"):
                root = parse_xml(relation.target_part.blob)
                return {note.get(f"{_W}id", ""): note for note in root}
        return {}


def _inside(parent: Any) -> Iterator[Any]:
    """The children of an element, those of content controls and insertions in their place."""
    for child in parent:
        if child.tag in (f"{_W}sdt", f"{_W}sdtContent", f"{_W}ins", f"{_W}customXml"):
            yield from _inside(child)
        else:
            yield child


def _on(element: Any) -> bool:
    return element.get(f"{_W}val") not in ("0", "false", "none", "baseline")


def _flag(value: str | None, bit: int) -> bool:
    return bool(value and re.fullmatch(r"[0-9A-Fa-f]{1,8}", value) and int(value, 16) & bit)


def _number(element: Any, default: int) -> int:
    value = element.get(f"{_W}val") if element is not None else None
    return min(int(value), 1000) if value and value.isdigit() and int(value) else default
