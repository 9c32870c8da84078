"""Lists: where a page names the members, and what is said where some have left."""

from __future__ import annotations

import pytest

import kb
from kb.claims.case import claim_from_case
from kb.judging import thresholds


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


def test_members_may_head_sections_of_one_level() -> None:
    page = "<h1>Finch leave</h1><h2>States</h2>" + "".join(
        f"<h3>{state} leave</h3><ul><li>Up to {n} weeks, or more.</li></ul>"
        for n, state in enumerate(("Larchland", "Fernia", "Mossgau"))
    )
    claim = {"subject": "states of Finch leave", "attribute": "names", "list": ["Larchland", "Mossgau"]}
    assert said(page, **claim)[0] == "holds"


def test_a_heading_may_name_all_members() -> None:
    page = "<h1>Finch data</h1><h3>Download the Finch data: CSV | XLSX</h3><p>The CSV file has rows, and more.</p>"
    claim = {"subject": "Finch data", "attribute": "download formats", "list": ["CSV", "XLSX"]}
    assert said(page, **claim) == ("holds", ("CSV", "XLSX"))


def test_the_names_of_settings_in_one_section_are_a_list() -> None:
    page = '<h1>Finch settings</h1><h2>Aliases of commands</h2><pre>[alias]\nb = "build"\nd = "dust"\nt = "test"\n</pre>'
    claim = {"subject": "Finch commands", "attribute": "aliases", "list": ["b", "t"], "complete": True}
    assert said(page, **claim) == ("drifted", ("b", "d", "t"))


def test_members_may_stand_on_several_lines_of_a_snippet() -> None:
    page = "<h1>Finch nests</h1><p>Kinds of Finch nests that are limited:</p><pre>nests = [{{\n kind =&gt; 'open'\n}}, {{\n kind =&gt; '{}'\n}}]</pre>"
    claim = {"subject": "Finch nests", "attribute": "kinds limited", "list": ["open", "domed"]}
    assert said(page.format("domed"), **claim)[0] == "holds"
    assert said(page.format("flat"), **claim)[0] != "holds"


def test_a_version_under_development_is_a_version() -> None:
    page = (
        "<h1>Finch</h1><h2>Tested</h2><table><tr><th>System</th><th>Twig version</th></tr><tr><td>Larch OS</td>"
        "<td>Twig 2.5.1</td></tr><tr><td>Fern OS</td><td>Twig 2.8.0dev</td></tr></table>"
    )
    claim = {"subject": "Finch", "attribute": "Twig version tested", "list": ["2.0.1", "2.3.0.dev2024"]}
    assert said(page, **claim) == ("drifted", ("2.5.1", "2.8.0dev"))


def test_versions_that_strokes_join_are_a_list_behind_a_name() -> None:
    before = "<h1>Finch library</h1><h2>Needs</h2><ul><li>Twig 1.15/1.16/1.17</li><li>Larch or Fern</li></ul>"
    claim = {"subject": "Finch library", "attribute": "Twig versions", "list": ["1.15", "1.16", "1.17"]}
    assert said(before, **claim) == ("holds", ("1.15", "1.16", "1.17"))


def test_all_members_together_as_before_need_a_lesser_score(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thresholds, "LIST_PLACED", 1.1)
    page = "<h1>Finch nests</h1><h2>Sizes</h2><p>Finch nests are {}.</p>"
    claim = {"subject": "Finch nests", "attribute": "sizes", "list": ["small", "wide", "deep"]}
    made = claim_from_case({"id": "x", "page": "p", **claim})
    before, same, less = (
        kb.read_page(page.format(sizes).encode(), content_type="text/html")
        for sizes in ("small, wide and deep", "small, wide, deep and new", "small and wide")
    )
    assert str(kb.judge(made, same, before).outcome) == "holds"
    assert str(kb.judge(made, less, before).outcome) == "gone"


def changed(before: str, now: str, **case: object) -> tuple[str, object]:
    verdict = kb.judge(claim_from_case(case), kb.read_page(now), kb.read_page(before))
    return str(verdict.outcome), verdict.found


def test_a_name_that_was_not_beside_the_list_before_need_not_be_now() -> None:
    page = (
        "<h1>Nest notes</h1><p>FinchDB Enterprise has lines of long support.</p>"
        "<h2>Currently supported lines</h2><ul><li>v1.{0}.x - the latest is v1.{0}.3</li>"
        "<li>v1.{1}.x - the latest is v1.{1}.16</li></ul><p>They get fixes.</p>"
    )
    claim = {"subject": "FinchDB supported lines", "attribute": "versions", "list": ["v1.110.x", "v1.102.x"]}
    before, now = page.format(110, 102), page.format(148, 136)
    assert changed(before, now, **claim) == ("drifted", ("v1.148.x", "v1.136.x"))
    assert changed(before, before, **claim)[0] == "holds"
