"""Lists: where a page names the members, and what is said where some have left."""

from __future__ import annotations

import kb
from kb.claims.case import claim_from_case


def said(page: str, **case: object) -> tuple[str, object]:
    verdict = kb.judge(claim_from_case(case), kb.read_page(page))
    return str(verdict.outcome), verdict.found


def test_a_word_of_the_title_tells_no_part_of_the_page_from_another() -> None:
    page = (
        "<h1>Finch desktop app</h1><h2>Releases</h2><h3>Platforms</h3><table><tr><th>Platform</th><th>Supported"
        " versions</th></tr><tr><td>Larch OS</td><td>10 and 11</td></tr><tr><td>Fern OS</td><td>7 and 8</td></tr>"
        "</table><h2>Releasing the app</h2><p>Run the script.</p>"
    )
    claim = {"subject": "Finch app on Larch OS", "attribute": "supported versions", "list": ["10", "11"]}
    assert said(page, **claim)[0] == "holds"


def test_one_of_two_members_left_is_a_change_where_the_page_says_the_other_nowhere() -> None:
    page = "<h1>Finch</h1><h2>Scaling</h2><p>Nests built with Twig scale by themselves.</p><p>{}</p>"
    claim = {"subject": "scaling of Finch nests", "attribute": "libraries", "list": ["Twig", "Straw SDK"]}
    assert said(page.format("Ask us."), **claim) == ("drifted", ("Twig",))


def test_a_list_in_a_snippet_has_a_member_in_each_line() -> None:
    page = "<h1>Finch queue</h1><h2>Example of kinds</h2><pre>os: larch\nkind:\n  - owl64\n  - wren32\n</pre>"
    claim = {"subject": "Finch queue example", "attribute": "kinds", "list": ["owl64", "wren32", "rook16"]}
    assert said(page, **claim) == ("drifted", ("owl64", "wren32"))
