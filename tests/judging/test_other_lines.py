"""Lines that begin with a name, and plain words that head an entry: which setting or option a value is of."""

from __future__ import annotations

import pytest

import kb
from kb.judging.line_names import line_names, names_before
from kb.page import Block

SNIPPET = """# Loom

Sparse threads are packed:

```
warp-max-packed-threads 512
warp-max-packed-length 64
weft-max-packed-threads 128
```
"""

OPTIONS = "# loomtest\n\nArguments:\n\n" + "\n".join(
    f"* `-{letter},--{word} <number>` {word} of the loom. Default : {value}."
    for letter, word, value in zip(
        "abcdefghS", ["ash", "bay", "cob", "den", "elm", "fen", "gum", "hop", "stamp"], range(9), strict=True
    )
)

SETTINGS = "# Loom settings\n\n" + "\n".join(
    f"## {name}\n\nIt is used by the loom.\n\n| Type: | int |\n| --- | --- |\n| Default: | {value} |\n"
    for name, value in [(f"loom.{n}.ms", 100 + n) for n in range(9)] + [("turns", 70), ("picks", 4)]
)


def told(claim: str, text: str, before: str | None = None) -> tuple[str, object]:
    base = kb.read_page(before.encode(), content_type="text/markdown") if before is not None else None
    page = kb.read_page(text.encode(), content_type="text/markdown")
    verdict = kb.judge(kb.Claim.parse(claim), page, base)
    return str(verdict.outcome), verdict.found


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("cache-size ", {"cache-size"}),
        ("  cache_size = ", {"cache-size"}),
        ('"cache.size": "', {"cache.size"}),
        ("-s,--swap <0/1> swaps the two. Default: ", {"s", "swap"}),
        ("$ -S | --stamp: ", {"S", "stamp"}),
        ("mAP ", set()),
        ("The cache-size is ", set()),
        ("first line\ncache-size ", {"cache-size"}),
        ("cache-size 4\nof ", set()),
    ],
)
def test_a_line_before_a_value_is_called_by_the_name_that_it_begins_with(line: str, names: set[str]) -> None:
    assert names_before(f"{line}60", len(line)) == names


def test_the_names_of_a_pages_lines_are_those_set_to_a_number_and_options() -> None:
    text = "warp-length 64\nweft.length = 3\n-v, --verbose\nThe reed-width of 5 is fixed.\nmode-name off"
    assert line_names([Block("paragraph", text)]) == {"warp-length", "weft.length", "v", "verbose"}


def test_a_value_that_a_snippet_sets_another_name_to_is_not_ours() -> None:
    assert told("Loom weft-max-packed-threads, value: 128", SNIPPET) == ("holds", "128")
    assert told("Loom weft-max-packed-threads, value: 512", SNIPPET) == ("drifted", "128")
    lost = "Loom list-max-packed-threads, value: 512"
    assert told(lost, SNIPPET)[0] == "gone"
    before = SNIPPET.replace("weft", "list").replace("128", "512")
    assert told(lost, SNIPPET, before)[0] == "gone"


def test_an_option_of_one_letter_is_another_in_capitals() -> None:
    assert told("loomtest stamp option (-S), default: 8", OPTIONS) == ("holds", "8")
    assert told("loomtest swap option (-s), default: 8", OPTIONS)[0] == "gone"


def test_an_entry_that_a_plain_word_names_is_the_claims_whose_subject_ends_with_it() -> None:
    assert told("Loom setting turns, default value: 70", SETTINGS) == ("holds", "70")
    assert told("Loom setting turns, default value: 4", SETTINGS) == ("drifted", "70")
    assert told("Loom setting picks, default value: 70", SETTINGS) == ("drifted", "4")


def test_a_letter_of_a_size_is_by_thousands_of_either_kind() -> None:
    page = "# loomtest\n\n* `-b,--minbytes <size>` least size to begin with. Default : 32M ({}).\n"
    claim = "loomtest least size (-b), default: 32M"
    assert told(claim, page.format("Mebibytes"))[0] == "holds"
    assert told(claim, page.format("Megabytes"))[0] == "holds"
    assert told(claim, page.format("Kibibytes"))[0] != "holds"
