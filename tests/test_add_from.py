"""kb add --from: an article's figures become proposed claims under the sources that it names."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kb.app.base import KnowledgeBase
from kb.app.from_article import propose_claims
from kb.app.incoming import changes, write_changes
from kb.claims import ClaimSet, load_claims, read_claims
from kb.cli.main import run
from kb.errors import UnreadableError

ARTICLE = """\
# Atlas, a year on

The A100 node has 640 GB of memory [1], up from 320 GB[^old], and [its maker](https://maker.example/net) says
that its network carries more than 3,200 Gbps per node. Boreas, retrieved 28 September 2026, runs 24 nodes.
A rack of Boreas draws 48 / 2 = 24 kW. It rains on 12 days a month.

The Oslo Gazette reported that Atlas spent about 6.9 million EUR. Its 700 people are glad.

| Node | Memory | Price |
|---|---|---|
| Atlas A50 | 320 GB [1] | $2.49/hour [2] |

## Sources

1. Example Works: Atlas node sizes, retrieved 2026-09-28. https://atlas.example/a100
2. [Prices of Atlas](https://atlas.example/prices), Example Works, 2026-08
3. Boreas, retrieved 2026-09-28.
4. Oslo Gazette: What Atlas costs, 2024-05-03.

[^old]: Example Works, "Old sizes", 2024, https://old.example/sizes (accessed 3 May 2025)
"""

PLACED = {
    ("https://atlas.example/a100", "640 GB"),
    ("https://atlas.example/a100", "320 GB"),
    ("https://atlas.example/prices", "$2.49/hour"),
    ("https://old.example/sizes", "320 GB"),
    ("https://maker.example/net", "more than 3,200 Gbps"),
    (None, "24 nodes"),
    (None, "about 6.9 million EUR"),
    (None, "700 people"),
}

HTML = """\
<html lang="en"><head><title>Atlas</title><link rel="canonical" href="https://our.example/atlas"></head><body>
<h1>Atlas</h1><p>The A100 node has 640&nbsp;GB of memory.<sup><a href="#fn1" id="r1">1</a></sup>
See <a href="https://our.example/more">more of ours</a>. A node costs $2.49 per hour<a href="#fn2">[2]</a>,
says <a href="https://list.example/a?b=1&amp;c=2">the list</a>. Its maker promises 99.9 %
(<a href="https://list.example/sla">service levels</a>).</p>
<ol><li id="fn1">Example Works: Node sizes, retrieved 2026-09-28.
<a href="https://atlas.example/sizes">https://atlas.example/sizes</a> <a href="#r1">&#8617;</a></li>
<li id="fn2"><a href="https://atlas.example/prices">Prices</a>, Example Works.</li></ol></body></html>
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "base" / "claims").mkdir(parents=True)
    return tmp_path / "base"


def add_from(root: Path, name: str, text: str | bytes, *options: str) -> int:
    path = root.parent / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
    return run(["add", "--from", str(path), "--kb", str(root), *options])


def base(root: Path) -> ClaimSet:
    return load_claims(root, date(2100, 1, 1))


def placed(claims: ClaimSet) -> set[tuple[str | None, object]]:
    urls = {s.id: s.url for s in claims.sources}
    return {(urls[c.source_id or ""], c.value) for c in claims.claims}


def test_each_figure_goes_to_the_source_that_is_cited_for_it(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert add_from(root, "atlas.md", ARTICLE) == 0
    claims = base(root)
    assert placed(claims) == PLACED
    assert {c.status for c in claims.claims} == {"proposed"}
    out = capsys.readouterr().out
    assert "atlas.md:5: not placed" in out
    assert "It rains on 12 days a month." in out
    assert "24 kW" not in "".join(str(c.value) for c in claims.claims)  # a sum of the article's own
    assert "Next: give the sources that have none their `url`" in out


def test_each_claim_says_where_it_came_from_and_what_it_is_about(root: Path) -> None:
    assert add_from(root, "atlas.md", ARTICLE) == 0
    by_value = {(c.value, c.source_id): c for c in base(root).claims}
    memory = by_value["640 GB", "example-works-atlas-node-sizes"]
    assert (memory.subject, memory.attribute, memory.retrieved) == ("A100", "node memory", "2026-09-28")
    assert memory.note is not None
    assert "atlas.md:3: The A100 node has 640 GB" in memory.note
    row = by_value["320 GB", "example-works-atlas-node-sizes"]
    assert (row.subject, row.attribute) == ("Atlas A50", "Memory")
    network = next(c for c in base(root).claims if c.value == "more than 3,200 Gbps")
    assert network.per == "node"


def test_the_sources_are_read_from_every_usual_form(root: Path) -> None:
    assert add_from(root, "atlas.md", ARTICLE) == 0
    told = {
        s.url or s.title: (s.publisher, s.title, s.published, s.retrieved, s.check.off)
        for s in base(root).sources
    }
    off = "no address yet"
    assert told == {
        "https://atlas.example/a100": ("Example Works", "Atlas node sizes", None, "2026-09-28", None),
        "https://atlas.example/prices": ("Example Works", "Prices of Atlas", "2026-08", None, None),
        "https://old.example/sizes": ("Example Works", "Old sizes", "2024", "2025-05-03", None),
        "https://maker.example/net": ("maker.example", "its maker", None, None, None),
        "Boreas": ("", "Boreas", None, "2026-09-28", off),
        "What Atlas costs": ("Oslo Gazette", "What Atlas costs", "2024-05-03", None, off),
    }


def test_what_is_proposed_passes_lint_and_is_reported_apart(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert add_from(root, "atlas.md", ARTICLE) == 0
    assert run(["lint", "--kb", str(root)]) == 0
    assert run(["build", "--kb", str(root)]) == 0
    capsys.readouterr()
    assert run(["report", "--kb", str(root)]) == 3
    assert "claims are only proposed, so nothing is known." in capsys.readouterr().out


def test_footnotes_and_links_of_html_are_followed(root: Path) -> None:
    assert add_from(root, "atlas.html", HTML) == 0
    claims = base(root)
    assert placed(claims) == {
        ("https://atlas.example/sizes", "640 GB"),
        ("https://atlas.example/prices", "$2.49"),
        ("https://list.example/sla", "99.9 %"),
    }
    assert {s.url for s in claims.sources} == {url for url, _ in placed(claims)}


def test_a_second_time_nothing_is_new(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert add_from(root, "atlas.md", ARTICLE) == 0
    before = {p.name: p.read_bytes() for p in (root / "claims").iterdir()}
    capsys.readouterr()
    assert add_from(root, "atlas.md", ARTICLE) == 0
    assert {p.name: p.read_bytes() for p in (root / "claims").iterdir()} == before
    assert "0 new sources, 0 new claims, 1 not placed, 8 figures stated already." in capsys.readouterr().out


def test_sources_that_the_base_has_get_the_claims(root: Path) -> None:
    known = (
        "source: {title: Sizes, publisher: Example Works, url: 'https://atlas.example/a100'}\nclaims: []\n"
    )
    (root / "claims" / "sizes.yaml").write_text(known, encoding="utf-8")
    assert add_from(root, "atlas.md", ARTICLE) == 0
    assert {c.value for c in base(root).source("sizes").claims} == {"640 GB", "320 GB"}
    assert (root / "claims" / "sizes.yaml").read_text(encoding="utf-8").startswith("source: {title: Sizes")


def test_a_dry_run_prints_yaml_and_writes_nothing(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert add_from(root, "atlas.md", ARTICLE, "--dry-run") == 0
    said = capsys.readouterr()
    assert "# claims/example-works-atlas-node-sizes.yaml\nsource:\n" in said.out
    assert "not placed" in said.err
    assert not list((root / "claims").iterdir())


def test_json_tells_files_and_what_was_not_placed(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert add_from(root, "atlas.md", ARTICLE, "--json") == 0
    said = json.loads(capsys.readouterr().out)
    assert len(said["files"]) == 6
    assert all(f["written"] and f["new"] for f in said["files"])
    (unplaced,) = said["unplaced"]
    assert unplaced["place"].endswith("atlas.md:5")
    assert unplaced["why"] == "nothing near it names a source"


def test_an_article_that_names_no_source_gives_nothing(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert add_from(root, "bare.md", "# Atlas\n\nThe A100 node has 640 GB of memory.\n") == 3
    out = " ".join(capsys.readouterr().out.split())
    assert "bare.md:3: not placed, the article names no sources" in out
    assert not list((root / "claims").iterdir())


TWINS = """\
# Nodes

Example Works says that its nodes have 640 GB of memory.

## Sources

- Example Works: Atlas, retrieved 2026-09-28. https://atlas.example/
- Example Works: Boreas, retrieved 2026-09-28. https://boreas.example/
"""


def test_where_it_may_be_two_sources_it_is_left_out(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert add_from(root, "twins.md", TWINS) == 0
    assert not base(root).claims
    assert len(base(root).sources) == 2
    out = " ".join(capsys.readouterr().out.split())
    assert "it may be from “Example Works: Atlas” or “Example Works: Boreas”" in out


def test_a_pdf_is_read_too(root: Path) -> None:
    from page.pdf_writer import pdf

    lines = [
        "The A100 node has 640 GB of memory [1].",
        "Sources",
        "[1] Example Works: Sizes, retrieved 2026-09-28.",
    ]
    words = [
        (72.0, 700.0 - 40 * n, 20.0 if line == "Sources" else 12.0, line) for n, line in enumerate(lines)
    ]
    assert add_from(root, "atlas.pdf", pdf([words])) == 0
    (claim,) = base(root).claims
    assert (claim.value, base(root).sources[0].title) == ("640 GB", "Sizes")


def test_a_text_pasted_from_a_browser_is_read(root: Path) -> None:
    told = "Example Works says that the A100 node has 640 GB of memory, more than the nodes before it had, "
    text = f"{told}{'and that all is well ' * 9}.\nSources\n- Example Works: Sizes, retrieved 2026-09-28.\n"
    assert add_from(root, "atlas.txt", text) == 0
    (claim,) = base(root).claims
    assert (claim.value, base(root).sources[0].title) == ("640 GB", "Sizes")


@pytest.mark.parametrize(
    ("name", "text", "code", "says"),
    [
        ("no.json", "[", 2, "is no JSON"),
        ("no.csv", b"subject,figure\n\xff,1", 2, "save it as CSV UTF-8"),
        ("no.bib", "@misc{", 2, "is no BibTeX"),
        (
            "no.csv",
            "subject,figure,url\nA,400 Gbsp,https://a.example/x\n",
            2,
            'no.csv:2: unit "Gbsp" is unknown',
        ),
        ("no.bin", b"\x00\x01\x02" * 500, 3, "no.bin"),
    ],
)
def test_what_cannot_be_taken_in_is_said(
    name: str, text: str | bytes, code: int, says: str, root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert add_from(root, name, text) == code
    assert says in capsys.readouterr().err
    assert not list((root / "claims").iterdir())


def test_a_file_and_a_page_are_two_things(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert add_from(root, "atlas.md", ARTICLE, "https://atlas.example/") == 2
    assert run(["add", "--kb", str(root)]) == 2
    assert "kb add --from FILE" in capsys.readouterr().err
    assert run(["add", "--from", "none.md", "--kb", str(root)]) == 2


PIECES = st.sampled_from(
    [
        *(
            "# Sources\n\n",
            "## A\n\n",
            "\n\n",
            "\n- ",
            "\n1. ",
            " [1]",
            "[^1]",
            "\n[^1]: ",
            " [2, 3]",
            "¹",
            " = ",
        ),
        *(
            "| a | b |\n|---|---|\n| Atlas | 5 GB |\n",
            "[x](https://a.example/x)",
            "<https://b.example>",
            "[y](#z)",
        ),
        *(
            "Example Works: Sizes, retrieved 2026-09-28.",
            "Example Works says ",
            "(Example Works, 3 May 2024)",
            "2099",
        ),
        *(
            "640 GB ",
            "more than 3,200 Gbps per GPU ",
            "$2.49/hour",
            "8x400G",
            "3.350 ",
            "0 °C",
            "-5 °C ",
            "1/3",
            "“",
            ")",
        ),
        *(
            "retrieved 1 May 2099",
            "https://",
            "<a href='https://c.example/?a=1&amp;b'>c</a>",
            "<p id=z>",
            "100 %",
            "1:1",
        ),
    ]
) | st.text(max_size=12)


@given(st.lists(PIECES, max_size=14).map("".join), st.sampled_from(["md", "html", "txt"]))
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_whatever_an_article_holds_the_files_pass_lint(
    tmp_path_factory: pytest.TempPathFactory, text: str, kind: str
) -> None:
    root = tmp_path_factory.mktemp("any")
    (root / "claims").mkdir()
    article = root / f"article.{kind}"
    article.write_bytes(text.encode("utf-8", "replace") or b" ")
    kb = KnowledgeBase.open(root)
    try:
        incoming = propose_claims(kb, article)
    except UnreadableError:
        return
    write_changes(kb, changes(kb, incoming))
    _, problems = read_claims(root, kb.today)
    assert [str(p) for p in problems if p.level == "error"] == []
