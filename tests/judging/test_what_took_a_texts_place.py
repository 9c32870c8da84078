"""Texts whose block has another value now, between the same words or of the same form."""

from __future__ import annotations

import pytest

import kb
from kb.claims import claim_from_case
from kb.judging.form import form_of


def judged(
    subject: str, attribute: str, text: str, before: str, page: str, kind: str = "text/html"
) -> tuple[str, object]:
    claim = claim_from_case({"id": "a", "subject": subject, "attribute": attribute, "text": text})
    base = kb.read_page(before.encode(), content_type=kind)
    verdict = kb.judge(claim, kb.read_page(page.encode(), content_type=kind), base)
    return str(verdict.outcome), verdict.found


REST = """<p>Larch draws trees from seeds of any kind.</p><table><tr><th>Tree</th><th>Height</th></tr>
<tr><td>Small</td><td>4.2</td></tr><tr><td>Large</td><td>9.1</td></tr></table>"""


def page(text: str) -> str:
    return f"<title>Larch readme</title><h1>Larch</h1><h2>Setting up</h2>{text}{REST}"


@pytest.mark.parametrize(
    ("attribute", "old", "new", "text"),
    [
        (
            "clone address",
            "https://fern.example/larch-2.git",
            "https://fern.example/larch.git",
            "git clone {}",
        ),
        ("address for questions", "larch.help@fern.example", "treehelp@fern.example", "<p>{}</p>"),
        ("method that adds seeds", "add_seeds", "add_seeds_or_box", "<p>Then call tree.{}(seed).</p>"),
        ("extra that is installed for the readme's notebooks", ".[demo]", ".[readme]", 'pip install -e "{}"'),
    ],
)
def test_a_new_token_of_our_form_takes_our_place_in_its_block(
    attribute: str, old: str, new: str, text: str
) -> None:
    text = text if text.startswith("<") else f"<pre>{text}</pre>"
    assert judged("Larch source code", attribute, old, page(text.format(old)), page(text.format(new))) == (
        "drifted",
        new,
    )


def test_what_stands_between_the_words_on_both_sides_is_found_with_all_its_words() -> None:
    before = page("<p>The posts are staggered (alternating 2 seats and 3 seats).</p>")
    now = page("<p>The posts are staggered (alternating 4 seats in even years and 5 seats in odd ones).</p>")
    said = judged("Larch posts", "seats in alternating years", "2 seats and 3 seats", before, now)
    assert said == ("drifted", "4 seats in even years and 5 seats in odd ones")


def test_another_line_of_a_list_that_ends_as_ours_did_is_no_change_of_ours() -> None:
    before = page("<ul><li>slateOS 9.0 or later</li><li>wristOS 2.0 or later</li></ul>")
    now = page("<ul><li>wristOS 2.0 or later</li><li>visionBoard 1.0 or later</li></ul>")
    said, found = judged("Larch", "least slate version", "slateOS 9.0", before, now)
    assert "visionBoard" not in str(found)
    assert said != "holds"


def test_nothing_took_the_place_of_a_thing_that_is_gone() -> None:
    thick = "<p>Send option_thick and option_static (bits 22 and 12)</p>"
    thin = "<p>Send option_thin and option_static (bits 20 and 12)</p>"
    before, now = page(thin + thick), page(thick)
    assert judged("kind option_thin", "feature bits", "bits 20 and 12", before, now)[0] == "gone"


@pytest.mark.parametrize(
    ("value", "form"),
    [
        ("a@b.example", "mail"),
        ("https://b.example/x", "address"),
        ("/etc/larch.conf", "path"),
        ("larch/fern-7b", "path"),
        ("--dry-run", "option"),
        ("tree.example", "domain"),
        ("add_seeds", "snake"),
        ("tree-grower", "kebab"),
        ("larch.grow.Main", "dotted"),
        ("simple majority", ""),
        ("Draft", ""),
    ],
)
def test_a_value_has_the_form_that_it_is_written_in(value: str, form: str) -> None:
    assert form_of(value) == form
