"""Sections that begin with facts: the text below them says what they are facts of."""

from __future__ import annotations

import kb

PAGE = """# Loom parameters

## spin_ttl

* Units: seconds
* Default: {0}
* Flags:

How long thread that nobody asked for is kept on the reel.

## wind_ttl

* Units: seconds
* Default: 60

How long a wheel turns before somebody looks at it again.

## oil_ttl

* Units: seconds
* Default: 30

How often the oil of the mill is poured.
"""


def judged(claim: str, page: str) -> tuple[str, object]:
    verdict = kb.judge(kb.Claim.parse(claim), kb.read_page(page, content_type="text/markdown"))
    return str(verdict.outcome), verdict.found


def test_a_default_is_found_by_what_the_text_below_it_says() -> None:
    claim = "thread that nobody asked for, time kept on the reel: 20 seconds"
    assert judged(claim, PAGE.format("20")) == ("holds", "20")
    assert judged(claim, PAGE.format("45")) == ("drifted", "45")


def test_the_text_of_another_section_tells_nothing() -> None:
    claim = "thread that nobody asked for, time kept on the reel: 60 seconds"
    assert judged(claim, PAGE.format("45"))[0] != "holds"
