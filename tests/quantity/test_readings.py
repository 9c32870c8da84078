"""What the reader makes of spellings: one row each, in our own words, written as `told` writes quantities."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb.quantity import Quantity, quantities

ROWS = [
    line.rstrip("\n")
    for line in (Path(__file__).parent / "readings.txt").read_text("utf-8").splitlines()
    if line and not line.startswith("#")
]
BOUNDS = {"at-least": ">=", "at-most": "<=", "more-than": ">", "less-than": "<", "about": "~", "exact": ""}


def told(q: Quantity) -> str:
    """`<=400..800 gigabit/second x8 /port`."""
    text = BOUNDS[q.bound] + str(q.value) + (f"..{q.high}" if q.high is not None else "") + f" {q.unit}"
    return text + (f" x{q.times}" if q.times is not None else "") + (f" /{q.per}" if q.per else "")


@pytest.mark.parametrize("row", ROWS, ids=[r[:60] for r in ROWS])
def test_each_spelling_is_read_as_it_is_meant(row: str) -> None:
    text, _, rest = row.partition(" => ")
    words, *options = text.split("\\t")
    settings = dict(o.partition("=")[::2] for o in options)
    found = quantities(
        words, header=settings.get("header"), row=settings.get("row"), lang=settings.get("lang", "en")
    )
    assert " | ".join(map(told, found)) == rest


def test_words_and_spans_are_those_of_the_text() -> None:
    text = "It has <b>8</b>&nbsp;GPUs, up to 3.2&nbsp;Tbps per VM and costs $98.32/hr."
    for q in quantities(text, lang="en"):
        assert text[q.start : q.end] == q.text
        assert str(q.value) in q.text


def test_bare_numbers_are_read_only_when_asked_for() -> None:
    assert quantities("45000 (45 seconds)", lang="en")[0].unit == "second"
    plain, seconds = quantities("45000 (45 seconds)", lang="en", bare=True)
    assert (plain.value, plain.unit, seconds.unit) == (45000, "number", "second")


def test_a_long_text_reads_as_its_sentences_do() -> None:
    sentence = "The first of 12 links carries 400 Gbps per port. "
    once = [(q.value, q.unit, q.per) for q in quantities(sentence, lang="en")]
    many = quantities(sentence * 200, lang="en")
    assert [(q.value, q.unit, q.per) for q in many] == once * 200
    assert [q.start for q in many[:2]] == [q.start for q in quantities(sentence, lang="en")]


def test_a_cell_read_by_template_reads_like_the_same_words_in_a_sentence() -> None:
    for cell in (
        "640 GB",
        "$98.32/hr",
        "up to 96 Gbps",
        "3.35 TB/s per GPU",
        "~120 kW",
        "48 ports",
        "12,400 IOPS",
    ):
        alone = quantities(cell, lang="en")
        inside = quantities(
            f"as we have been told by those who know of all of this, it is {cell} there", lang="en"
        )
        assert [(q.value, q.unit, q.bound, q.per) for q in alone] == [
            (q.value, q.unit, q.bound, q.per) for q in inside
        ]


def test_a_letter_under_a_label_of_sizes_is_a_size() -> None:
    for header, unit in (
        ("Default block size", "megabyte"),
        ("log_buffer_size", "megabyte"),
        ("batch_size", "number"),
    ):
        assert quantities("64M", header=header, lang="en", bare=True)[0].unit == unit
    sentence = quantities("The default block size is 64M.", lang="en", bare=True)[0]
    assert (str(sentence.value), sentence.unit) == ("64", "megabyte")
