"""A PDF gives paragraphs, headings and tables with page numbers; a bad one is a reason, quickly."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from pdf_writer import grid, pdf

from kb.page import Page, Unread, pdf_worker, read_body, read_page
from kb.page import pdf as pdf_reader
from kb.page.pdf_tables import ruled_table
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


RULED = [
    (72, 740, 12, "Prices as of March"),
    (74, 700, 10, "Size"), (134, 700, 10, "Memory and"), (194, 700, 10, "Price"), (134, 689, 10, "storage"),
    (74, 670, 10, "small with"), (134, 670, 10, "80 GB"), (194, 670, 10, "$2.49"), (74, 659, 10, "two ports"),
    (74, 640, 10, "large"), (134, 640, 10, "160 GB"), (194, 640, 10, "$4.98"),
    (72, 600, 10, "Prices without tax."),
]  # fmt: skip
RULES = grid([72, 132, 192, 252], [712, 682, 652, 632])


def _cells(page: Page) -> dict[str, tuple[tuple[str, ...], tuple[str, ...]]]:
    return {b.text: (b.row, b.column) for b in page.blocks if b.kind == "cell" and not b.header}


@pytest.mark.parametrize("origin", [0, 30])
def test_the_cells_of_a_ruled_table_are_what_stands_between_its_rules(origin: float) -> None:
    words = [(x + origin, y + origin, size, text) for x, y, size, text in RULED]
    rules = [(a + origin, b + origin, c + origin, d + origin) for a, b, c, d in RULES]
    page = read_page(pdf([words], rules=rules, origin=origin), content_type="application/pdf")
    assert [(b.kind, b.text) for b in page.blocks if b.kind != "cell"] == [
        ("heading", "Prices as of March"),
        ("paragraph", "Prices without tax."),
    ]
    assert _cells(page) == {
        "80 GB": (("small with two ports",), ("Memory and storage",)),
        "$2.49": (("small with two ports",), ("Price",)),
        "160 GB": (("large",), ("Memory and storage",)),
        "$4.98": (("large",), ("Price",)),
    }


def test_words_close_to_a_rule_stay_on_their_side_of_it() -> None:
    """Letters that touch across a rule are one run of text to the page, and two cells to the reader."""
    words = [
        (74, 700, 10, "Model"), (104, 700, 10, "Mbps"), (134, 700, 10, "Watt"),
        (74, 680, 10, "Falcon"), (104, 680, 10, "80000"), (134, 680, 10, "700"),
        (74, 660, 10, "Heron"), (104, 660, 10, "40000"), (134, 660, 10, "350"),
    ]  # fmt: skip
    page = read_page(
        pdf([words], rules=grid([72, 103, 133, 160], [712, 692, 672, 652])), content_type="application/pdf"
    )
    assert _cells(page) == {
        "80000": (("Falcon",), ("Mbps",)),
        "700": (("Falcon",), ("Watt",)),
        "40000": (("Heron",), ("Mbps",)),
        "350": (("Heron",), ("Watt",)),
    }


def test_a_cell_over_two_columns_of_a_ruled_table_heads_both() -> None:
    words = [
        (134, 700, 10, "Memory"),
        (74, 680, 10, "Size"), (134, 680, 10, "least"), (194, 680, 10, "most"),
        (74, 660, 10, "small"), (134, 660, 10, "80 GB"), (194, 660, 10, "96 GB"),
        (74, 640, 10, "large"), (134, 640, 10, "160 GB"), (194, 640, 10, "192 GB"),
    ]  # fmt: skip
    rules = [*grid([72, 132, 252], [712, 692]), *grid([72, 132, 192, 252], [692, 672, 652, 632])]
    page = read_page(pdf([words], rules=rules), content_type="application/pdf")
    assert _cells(page)["192 GB"] == (("large",), ("Memory", "most"))


def test_a_table_aligned_by_spaces_is_read_from_where_its_words_stand() -> None:
    lines = ["Size      Memory      Price", "small     80 GB       $2.49", "large     160 GB      $4.98"]
    words = [(72, 700 - 14 * n, 10, line) for n, line in enumerate(lines)]
    page = read_page(pdf([words], font="Courier"), content_type="application/pdf")
    assert _cells(page) == {
        "80 GB": (("small",), ("Memory",)),
        "$2.49": (("small",), ("Price",)),
        "160 GB": (("large",), ("Memory",)),
        "$4.98": (("large",), ("Price",)),
    }


def test_frames_around_text_are_no_table() -> None:
    framed = [(72, 700, 10, "The Falcon moves 25.6 Tb/s."), (72, 660, 10, "The Heron moves 12.8 Tb/s.")]
    rules = [*grid([70, 300], [712, 692]), *grid([70, 300], [672, 652])]
    page = read_page(pdf([framed], rules=rules), content_type="application/pdf")
    assert [(b.kind, b.text) for b in page.blocks] == [
        ("paragraph", "The Falcon moves 25.6 Tb/s."),
        ("paragraph", "The Heron moves 12.8 Tb/s."),
    ]


def test_boxes_that_lie_over_each_other_are_no_table() -> None:
    boxes = [([0, 0, 90, 60], "a"), ([0, 60, 30, 90], "b"), ([30, 60, 90, 90], "c"), ([30, 30, 60, 60], "d")]
    assert ruled_table(boxes[:3]) is None
    assert ruled_table([*boxes, ([60, 30, 90, 60], "e")]) is None
    assert ruled_table([*boxes[1:], ([0, 30, 30, 60], "a"), ([60, 30, 90, 60], "e")]) is not None


def test_the_text_stays_where_the_search_for_tables_breaks(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = pdf([RULED], rules=RULES)
    done = subprocess.run(
        [sys.executable, "-P", pdf_worker.__file__], input=whole, capture_output=True, check=True
    )
    text, tables = done.stdout.splitlines()
    for rest in (b"", tables[: len(tables) // 2]):
        answer = subprocess.CompletedProcess([], -9, text + b"\n" + rest, b"")
        monkeypatch.setattr(pdf_reader.subprocess, "run", lambda *_, answer=answer, **__: answer)
        page = read_page(whole, content_type="application/pdf")
        assert "$2.49" in page.text


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
