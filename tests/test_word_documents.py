"""Word documents: read in the order of their text, by every command that reads a page; hostile ones are bounded."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import docx
import pytest
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.opc.packuri import PackURI
from docx.opc.part import Part as OpcPart
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls

import kb.page.docx
from kb.cli.main import run
from kb.errors import UnreadableError
from kb.page import Block, Page, Unread, read_body, read_response
from kb.reasons import Reason

MEDIA = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


def saved(document: Any) -> bytes:
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def page_of(document: Any) -> Page:
    page = read_body(saved(document), url="draft.docx")
    assert isinstance(page, Page), page
    return page


def blocks_of(document: Any) -> list[tuple[str, str]]:
    return [(b.kind, b.text) for b in page_of(document).blocks]


def cell(page: Page, text: str) -> Block:
    return next(b for b in page.blocks if b.table is not None and b.text == text)


def with_notes(document: Any, kind: str, notes: dict[str, str]) -> None:
    """Give a document a part of foot- or endnotes."""
    each = "".join(
        f'<w:{kind} w:id="{id}"><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:{kind}>'
        for id, text in notes.items()
    )
    xml = f"<w:{kind}s {nsdecls('w')}>{each}</w:{kind}s>"
    type_ = f"application/vnd.openxmlformats-officedocument.wordprocessingml.{kind}s+xml"
    part = OpcPart(PackURI(f"/word/{kind}s.xml"), type_, xml.encode(), document.part.package)
    relation = {"footnote": RELATIONSHIP_TYPE.FOOTNOTES, "endnote": RELATIONSHIP_TYPE.ENDNOTES}[kind]
    document.part.relate_to(part, relation)


def call_note(paragraph: Any, kind: str, id: str) -> None:
    run = paragraph.add_run()
    run._r.append(parse_xml(f'<w:{kind}Reference {nsdecls("w")} w:id="{id}"/>'))


def test_headings_paragraphs_and_lists_come_in_order() -> None:
    document = docx.Document()
    document.add_heading("Atlas nodes", 0)
    document.add_heading("Sizes", 1)
    document.add_paragraph("A node has 8 GPUs.")
    document.add_paragraph("3,200 Gbps of network", style="List Bullet")
    document.add_paragraph("of which 400 Gbps for each GPU", style="List Bullet 2")
    document.add_paragraph("960 GB of memory", style="List Number")
    page = page_of(document)
    assert [(b.kind, b.text) for b in page.blocks] == [
        ("heading", "Atlas nodes"),
        ("heading", "Sizes"),
        ("paragraph", "A node has 8 GPUs."),
        ("item", "3,200 Gbps of network"),
        ("item", "of which 400 Gbps for each GPU"),
        ("item", "960 GB of memory"),
    ]
    assert page.blocks[2].headings == ("Atlas nodes", "Sizes")
    assert [b.level for b in page.blocks[3:]] == [1, 2, 1]
    assert page.content_type == MEDIA


def test_the_cells_of_a_table_know_their_headers() -> None:
    document = docx.Document()
    table = document.add_table(2, 2)
    for place, text in zip(
        [(0, 0), (0, 1), (1, 0), (1, 1)], ["Node", "Network", "Atlas", "3,200 Gbps"], strict=True
    ):
        table.cell(*place).text = text
    found = cell(page_of(document), "3,200 Gbps")
    assert (found.row, found.column) == (("Atlas",), ("Network",))


def test_merged_cells_speak_for_what_they_span() -> None:
    document = docx.Document()
    table = document.add_table(3, 3)
    rows = [["", "Network", ""], ["Atlas", "3,200 Gbps", "400 Gbps"], ["", "1,600 Gbps", "200 Gbps"]]
    for r, row in enumerate(rows):
        for c, text in enumerate(row):
            table.cell(r, c).text = text
    table.cell(0, 1).merge(table.cell(0, 2))
    table.cell(1, 0).merge(table.cell(2, 0))
    page = page_of(document)
    assert cell(page, "400 Gbps").column == ("Network",)
    assert "Atlas" in cell(page, "200 Gbps").row


def test_notes_stand_where_they_are_called_and_at_the_end() -> None:
    document = docx.Document()
    paragraph = document.add_paragraph("A node has 3,200 Gbps")
    call_note(paragraph, "footnote", "2")
    paragraph.add_run(" and 8 GPUs")
    call_note(paragraph, "endnote", "5")
    with_notes(document, "footnote", {"2": "Measured at the port."})
    with_notes(document, "endnote", {"5": "Some have 4 GPUs."})
    assert blocks_of(document) == [
        ("paragraph", "A node has 3,200 Gbps[1] and 8 GPUs[2]"),
        ("paragraph", "[1] Measured at the port."),
        ("paragraph", "[2] Some have 4 GPUs."),
    ]


def test_the_words_of_a_link_are_read() -> None:
    document = docx.Document()
    paragraph = document.add_paragraph("See ")
    id = document.part.relate_to("https://atlas.example/sizes", RELATIONSHIP_TYPE.HYPERLINK, is_external=True)
    link = parse_xml(
        f'<w:hyperlink {nsdecls("w", "r")} r:id="{id}"><w:r><w:t>the sizes</w:t></w:r></w:hyperlink>'
    )
    paragraph._p.append(link)
    paragraph.add_run(" of 2026.")
    assert blocks_of(document) == [("paragraph", "See the sizes of 2026.")]


def test_changes_are_read_as_if_they_were_accepted() -> None:
    document = docx.Document()
    paragraph = document.add_paragraph("It has ")
    paragraph._p.append(parse_xml(f"<w:del {nsdecls('w')}><w:r><w:delText>400</w:delText></w:r></w:del>"))
    paragraph._p.append(parse_xml(f"<w:ins {nsdecls('w')}><w:r><w:t>800</w:t></w:r></w:ins>"))
    paragraph.add_run(" Gbps.")
    hidden = paragraph.add_run(" 900 Gbps")
    hidden.font.hidden = True
    assert blocks_of(document) == [("paragraph", "It has 800 Gbps.")]


def test_text_in_a_content_control_is_read() -> None:
    document = docx.Document()
    body = document.element.body
    inner = "<w:sdtContent><w:p><w:r><w:t>In a control of 5 kW</w:t></w:r></w:p></w:sdtContent>"
    body.insert(0, parse_xml(f"<w:sdt {nsdecls('w')}>{inner}</w:sdt>"))
    assert blocks_of(document) == [("paragraph", "In a control of 5 kW")]


def test_a_raised_exponent_is_no_part_of_the_digits() -> None:
    document = docx.Document()
    paragraph = document.add_paragraph("120 m")
    paragraph.add_run("2").font.superscript = True
    assert "1202" not in blocks_of(document)[0][1].replace(" m", "")
    assert blocks_of(document)[0][1].startswith("120 m")


def test_title_and_language_are_those_of_the_document() -> None:
    document = docx.Document()
    document.core_properties.title = "Sizes"
    document.add_paragraph("One node")
    page = page_of(document)
    assert (page.title, page.lang) == ("Sizes", "en")


def test_an_answer_of_that_type_is_read_too() -> None:
    document = docx.Document()
    document.add_paragraph("An Atlas A100 node has 3,200 Gbps of network bandwidth.")
    seen = read_response(
        status=200,
        headers={"content-type": MEDIA},
        requested="https://atlas.example/sizes",
        url="https://atlas.example/sizes",
        body=saved(document),
    )
    assert isinstance(seen, Page)
    assert seen.text == "An Atlas A100 node has 3,200 Gbps of network bandwidth."


# --- hostile, broken, locked ------------------------------------------------------------------------


def zipped(**entries: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in entries.items():
            file.writestr(name.replace("__", "/") + ".xml", content)
    return out.getvalue()


def swapped(change: Callable[[bytes], bytes]) -> bytes:
    """A document whose text was changed by hand."""
    document = docx.Document()
    document.add_paragraph("MARK")
    out = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(saved(document))) as old,
        zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for entry in old.infolist():
            text = old.read(entry)
            new.writestr(entry, change(text) if entry.filename == "word/document.xml" else text)
    return out.getvalue()


BOMB = b"<w:p><w:r><w:t>" + b"A" * 30_000_000 + b"</w:t></w:r></w:p>"
ENTITY = b'<!DOCTYPE w [<!ENTITY a "aaaaaaaaaa">]>'


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (swapped(lambda text: text.replace(b"<w:p>", BOMB + b"<w:p>", 1)), Reason.TOO_LARGE),
        (swapped(lambda text: text.replace(b"<w:p>", b"<w:p/>" * 2_100_000 + b"<w:p>", 1)), Reason.TOO_LARGE),
        (swapped(lambda text: text.replace(b"?>", b"?>" + ENTITY, 1)), Reason.UNSUPPORTED_TYPE),
        (swapped(lambda text: text.replace(b"</w:p>", b"", 1)), Reason.UNDECODABLE),
        (swapped(lambda text: text.replace(b"<w:p>", b"<w:sdt>" * 3000, 1)), Reason.UNDECODABLE),
        (swapped(lambda text: b""), Reason.UNDECODABLE),
        (zipped(word__document=b"<w/>"), Reason.UNDECODABLE),
        (b"PK\x03\x04 but no archive", Reason.UNDECODABLE),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, Reason.UNSUPPORTED_TYPE),
        (saved(docx.Document()), Reason.EMPTY),
    ],
    ids=["bomb", "tags", "entities", "broken", "deep", "no text", "no package", "no archive", "old", "empty"],
)
def test_what_is_no_readable_document_is_a_reason(body: bytes, reason: Reason) -> None:
    page = read_body(body, url="draft.docx")
    assert isinstance(page, Unread)
    assert page.reason is reason
    assert len(page.detail) <= 200


def test_every_cut_of_a_document_is_told_and_raises_nothing() -> None:
    document = docx.Document()
    document.add_paragraph("A node has 8 GPUs.")
    body = saved(document)
    for size in range(1, len(body), len(body) // 40):
        page = read_body(body[:size], url="draft.docx")
        assert isinstance(page, Unread)


# --- the commands -----------------------------------------------------------------------------------


@pytest.fixture
def draft(tmp_path: Path) -> Path:
    document = docx.Document()
    document.add_heading("Nodes", 1)
    document.add_paragraph("An Atlas A100 node has 3,200 Gbps of network bandwidth.")
    path = tmp_path / "draft.docx"
    path.write_bytes(saved(document))
    (tmp_path / "claims").mkdir()
    (tmp_path / "claims" / "atlas.yaml").write_text(
        "source: {title: Sizes, publisher: Works, url: https://atlas.example/, retrieved: 2026-09-28}\n"
        "claims:\n"
        "  - {id: link, subject: Atlas A100 node, attribute: network bandwidth, figure: '3,200 Gbps'}\n",
        encoding="utf-8",
    )
    return path


def test_a_word_document_is_audited(draft: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["audit", str(draft), "--kb", str(draft.parent)]) == 0
    assert "[+3,200 Gbps]" in capsys.readouterr().out
    assert run(["audit", str(draft), "--kb", str(draft.parent), "--fix"]) == 2
    assert "audit it without --fix" in capsys.readouterr().err


def test_a_claim_is_verified_on_a_word_document(draft: Path, capsys: pytest.CaptureFixture[str]) -> None:
    claim = "Atlas A100 node, network bandwidth: 3.2 Tbps"
    assert run(["verify", claim, "--page", str(draft)]) == 0
    assert "holds" in capsys.readouterr().out


def test_without_the_extra_it_is_said_what_to_type(
    draft: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(kb.page.docx, "find_spec", lambda name: None)
    assert run(["audit", str(draft), "--kb", str(draft.parent)]) == UnreadableError.exit_code
    assert 'pip install "citedrift[office]"' in capsys.readouterr().err
