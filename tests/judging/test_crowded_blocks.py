"""Values in a block with many others: which of them it may be taken for."""

from __future__ import annotations

import kb
from kb.judging.aside import is_reference
from kb.judging.mention import Mention
from kb.judging.nearness import Rivals
from kb.judging.reading import reading_of
from kb.judging.search import search_for


def crowd(text: str, at: str, *, labelled: bool = False) -> int:
    reading = reading_of(kb.read_page(f"<pre>{text}</pre>"))
    mentions = search_for(kb.Claim.parse("loom, wait: 5 s")).find(reading)(0)
    value = next(m for m in mentions if m.text == at)
    return Rivals(reading, {0: mentions}).crowd(value, labelled=labelled)


LINES = "The loom waits for 5 s.\nThe mill waits for 7 s or 8 s, or longer.\nReels wait 2 s."


def test_of_many_values_those_of_other_lines_are_no_rivals() -> None:
    assert crowd(LINES, "5 s") == 1
    assert crowd(LINES, "8 s") == 2


def test_on_one_line_all_values_are_rivals_but_where_the_claims_words_label_one() -> None:
    line = LINES.replace("\n", " ")
    assert crowd(line, "7 s") == 4
    assert crowd(line, "7 s", labelled=True) == 2


def test_the_number_that_a_method_is_called_with_is_no_page_of_a_manual() -> None:
    def is_manual(text: str) -> bool:
        start = text.index("(8)") + 1
        return is_reference(text, Mention(0, start, start + 1, "8"))

    assert is_manual("See loomd(8) and loom.conf(8).")
    assert not is_manual("mill = Loom.load(thread).half().turn(8)")
