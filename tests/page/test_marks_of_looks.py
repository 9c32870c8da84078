"""Marks in a source that say how words look, or what they are called by, are no words of the page."""

from __future__ import annotations

from kb.page import read_page


def texts(body: str, content_type: str) -> list[str]:
    return [block.text for block in read_page(body.encode(), content_type=content_type).blocks]


def test_the_role_of_a_few_words_of_asciidoc_is_left_out() -> None:
    body = "= Sizes of a [.brand]`Pot`\n\nA [.term]_Pot_ holds 5 [.unit]#litres of soup# and [.no]*more*.\n"
    assert texts(body, "text/asciidoc") == ["Sizes of a Pot", "A Pot holds 5 litres of soup and more."]


def test_the_attributes_before_a_term_of_markdown_are_left_out() -> None:
    body = "{: #lid}**Lid** (`cap`)\n: What closes a pot.\n\nWritten as {: it } in a line.\n"
    assert texts(body, "text/markdown") == [
        "Lid (cap)",
        "What closes a pot.",
        "Written as {: it } in a line.",
    ]
