"""A PDF gives paragraphs, headings and tables with page numbers; a bad one is a reason, quickly."""

from __future__ import annotations

from pathlib import Path

import pytest
from pdf_writer import pdf

from kb.page import Page, Unread, pdf_worker, read_body, read_page
from kb.page import pdf as pdf_reader
from kb.reasons import Reason

FIRST = [
    (72, 740, 9, "Falcon handbook"),
    (72, 700, 20, "Falcon 9000"),
    (72, 670, 10, "The Falcon moves up to 25.6 Tb/s over 64 ports, and its con-"),
    (72, 658, 10, "figuration takes 5 minutes."),
    (72, 630, 10, "A second paragraph costs $24,000."),
    (72, 610, 10, "\u2022 first point"),
    (72, 597, 10, "\u2022 second point: 3 racks"),
    (72, 40, 9, "Page 1 of 3"),
]
TABLE = [
    (72, 740, 9, "Falcon handbook"),
    (72, 700, 14, "Sizes"),
    (72, 670, 10, "Size"), (200, 670, 10, "Memory"), (300, 670, 10, "Price per hour"),
    (72, 655, 10, "small"), (200, 655, 10, "80 GB"), (300, 655, 10, "$2.49"),
    (72, 640, 10, "large"), (200, 640, 10, "160 GB"), (300, 640, 10, "$4.98"),
    (72, 600, 10, "Prices without tax."),
    (72, 40, 9, "Page 2 of 3"),
]  # fmt: skip
LAST = [(72, 740, 9, "Falcon handbook"), (72, 700, 10, "The end."), (72, 40, 9, "Page 3 of 3")]


@pytest.fixture(scope="module")
def page() -> Page:
    return read_page(
        pdf([FIRST, TABLE, LAST], title="Falcon handbook, 2nd edition"), content_type="application/pdf"
    )


def test_words_keep_their_page_and_their_headings(page: Page) -> None:
    told = [
        (b.kind, b.text, b.page, b.headings) for b in page.blocks if b.role == "content" and b.kind != "cell"
    ]
    assert told == [
        ("heading", "Falcon 9000", 1, ()),
        (
            "paragraph",
            "The Falcon moves up to 25.6 Tb/s over 64 ports, and its configuration takes 5 minutes.",
            1,
            ("Falcon 9000",),
        ),
        ("paragraph", "A second paragraph costs $24,000.", 1, ("Falcon 9000",)),
        ("item", "first point", 1, ("Falcon 9000",)),
        ("item", "second point: 3 racks", 1, ("Falcon 9000",)),
        ("heading", "Sizes", 2, ("Falcon 9000",)),
        ("paragraph", "Prices without tax.", 2, ("Falcon 9000", "Sizes")),
        ("paragraph", "The end.", 3, ("Falcon 9000", "Sizes")),
    ]


def test_words_in_columns_are_a_table_whose_cells_know_their_headers(page: Page) -> None:
    cells = {b.text: (b.row, b.column, b.page) for b in page.blocks if b.kind == "cell" and not b.header}
    assert cells == {
        "80 GB": (("small",), ("Memory",), 2),
        "$2.49": (("small",), ("Price per hour",), 2),
        "160 GB": (("large",), ("Memory",), 2),
        "$4.98": (("large",), ("Price per hour",), 2),
    }


def test_running_heads_and_feet_are_marked(page: Page) -> None:
    assert [b.text for b in page.blocks if b.role == "footer" and b.page == 2] == [
        "Falcon handbook",
        "Page 2 of 3",
    ]


def test_the_document_tells_its_title_its_date_and_its_length(page: Page) -> None:
    assert (page.title, page.published, page.pages) == ("Falcon handbook, 2nd edition", "2026-03-01", 3)


@pytest.mark.parametrize(
    "body",
    [
        b"%PDF-1.4 nothing more",
        b"%PDF-1.7\n" + b"1 0 obj\n<<" * 10_000,
        pdf([FIRST])[:400],
        b"%PDF-1.4\n1 0 obj <</Type/Catalog/Pages 1 0 R/Kids[1 0 R]/Count 99999999>> endobj\ntrailer<</Root 1 0 R>>",
    ],
)
def test_a_broken_file_is_undecodable(body: bytes) -> None:
    seen = read_body(body, content_type="application/pdf")
    assert isinstance(seen, Unread)
    assert seen.reason in (Reason.UNDECODABLE, Reason.EMPTY)


def test_a_locked_file_says_that_it_is_locked() -> None:
    locked = pdf([LAST]).replace(
        b"trailer << ",
        b"trailer << /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O ("
        + b"o" * 32
        + b") /U ("
        + b"u" * 32
        + b") >> "
        b"/ID [(0123456789abcdef)(0123456789abcdef)] ",
    )
    seen = read_body(locked, content_type="application/pdf")
    assert isinstance(seen, Unread)
    assert (seen.reason, "password" in seen.detail) == (Reason.UNDECODABLE, True)


def test_a_file_without_words_is_empty() -> None:
    seen = read_body(pdf([[]]), content_type="application/pdf")
    assert isinstance(seen, Unread)
    assert seen.reason is Reason.EMPTY


def test_a_reader_that_takes_too_long_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf_reader, "MAX_SECONDS", 0.001)
    seen = read_body(pdf([LAST]), content_type="application/pdf")
    assert isinstance(seen, Unread)
    assert seen.reason is Reason.TOO_LARGE


def test_the_reading_process_has_limits_and_nothing_of_kb() -> None:
    source = Path(pdf_worker.__file__).read_text(encoding="utf-8")
    assert "RLIMIT_AS" in source
    assert "RLIMIT_CPU" in source
    assert "import kb" not in source
    assert "from kb" not in source
