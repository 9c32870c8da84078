"""Dates that a page tells in its change log."""

from __future__ import annotations

import kb

PAGE = """# Osprey

Osprey mends nets. It has 12 knots.

## Changelog

- 2021-11-05: Added the tarred net, with 14 knots.
- 2021-03-01: Added the plain net.
"""


def test_a_change_log_tells_when_something_was_done_and_no_other_value() -> None:
    page = kb.read_page(PAGE, content_type="text/markdown")
    added = kb.judge(kb.Claim.parse("tarred net in Osprey, date it was added: 5 November 2021"), page)
    assert (str(added.outcome), added.found) == ("holds", "2021-11-05")
    knots = kb.judge(kb.Claim.parse("tarred net in Osprey, knots: 14 knots"), page)
    assert str(knots.outcome) != "holds"
