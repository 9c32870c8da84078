"""Manuals and option references: what names each entry is read as its name."""

from __future__ import annotations

import kb
from kb.page import Block


def blocks(text: str, content_type: str) -> tuple[Block, ...]:
    return kb.read_page(text.encode(), content_type=content_type).blocks


FENCED = """# Pond settings

```{note}
Wait for the ice to go.
```

```{config:option} pond.max_depth pond
:type: "integer"
:defaultdesc: "`16`"

Suggested value: `64`

How deep it may be.
```

Between them is text.

```{config:option} pond.min_depth pond
:defaultdesc: "`2`"

How deep it must be.
```

```{code-block} ini
pond.min_depth = 3
```

After them is text.
"""


def test_a_fence_that_describes_an_option_names_what_it_frames() -> None:
    found = {b.text: (b.kind, b.row) for b in blocks(FENCED, "text/markdown")}
    assert found["pond.max_depth"] == ("term", ())
    assert found['defaultdesc: "16"'][1][:1] == ("pond.max_depth",)
    assert found["Suggested value: 64"][1][:1] == ("pond.max_depth",)
    assert found['defaultdesc: "2"'][1][:1] == ("pond.min_depth",)


def test_text_after_a_directive_is_text_and_in_no_entry() -> None:
    found = {b.text: (b.kind, b.row) for b in blocks(FENCED, "text/markdown")}
    assert found["Wait for the ice to go."] == ("paragraph", ())
    assert found["Between them is text."] == ("paragraph", ())
    assert found["After them is text."] == ("paragraph", ())
    assert found["pond.min_depth = 3"][0] == "code"


MANUAL = """POND(5)                     File formats                     POND(5)

DESCRIPTION
     The file has one setting on each line.

     Depth   How deep the pond is, in metres, from its wall to the middle, where
             the geese are.  The default is 4.

     FlockLimit
             This sets how many geese there may be.  The default value is
             256.  No fee is taken for more; see flock(2) for how they are
             told apart.
"""


def test_a_manuals_short_term_stands_on_the_line_of_its_text() -> None:
    found = [(b.kind, b.row, b.text) for b in blocks(MANUAL, "text/plain")]
    assert ("term", (), "Depth") in found
    said = next(text for kind, row, text in found if kind == "definition" and row[-1:] == ("Depth",))
    assert said.startswith("How deep") and said.endswith("The default is 4.")


def test_a_number_that_ends_a_sentence_begins_no_list() -> None:
    texts = [b.text for b in blocks(MANUAL, "text/plain")]
    assert any("The default value is 256. No fee" in text for text in texts)
    lists = [b.text for b in blocks("Steps:\n1. Feed.\n2. Wait.\n", "text/plain") if b.kind == "item"]
    assert lists == ["Feed.", "Wait."]
