"""Sources out as CSL JSON and BibTeX, and in again: the same sources; and what others write."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from claim_strategies import TODAY, sources
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kb.app.base import KnowledgeBase
from kb.app.from_citations import from_latex, read_bibtex, read_csl
from kb.app.incoming import changes, write_changes
from kb.app.settings import Settings
from kb.claims import Check, Source, load_claims
from kb.errors import UsageError
from kb.export.citation import Citation, as_bibtex, as_csl

HERE = Path("refs")


def folded(value: Any) -> Any:
    """The same with white space folded and no control characters: neither format keeps those."""
    if isinstance(value, str):
        return " ".join("".join(c if c.isprintable() else " " for c in value).split()) or "x"
    if isinstance(value, tuple):
        return tuple(folded(v) for v in value)
    if isinstance(value, Source | Check):
        texts = {f.name: getattr(value, f.name) for f in fields(value) if f.name != "claims"}
        return replace(value, **{n: folded(v) for n, v in texts.items() if v})
    return value


some_sources = sources().map(lambda s: folded(replace(s, claims=())))


@given(some_sources)
@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_a_source_comes_back_from_csl(source: Source) -> None:
    text = json.dumps(as_csl([Citation(source)], whole=True))
    (back,) = read_csl(HERE, text).sources
    assert replace(back, file=source.file) == source


@given(some_sources)
@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_a_source_comes_back_from_bibtex(source: Source) -> None:
    (back,) = read_bibtex(HERE, as_bibtex([Citation(source)], whole=True)).sources
    assert replace(back, file=source.file) == source


@given(st.text(max_size=30))
@settings(deadline=None)
def test_no_latex_makes_the_reader_raise(text: str) -> None:
    assert from_latex(text) is not None


BIB = r"""
@comment{what is here is for nobody}
@string{ann = "Annals of Fabrics"}
@article{lovelace:1843,
  author = {Lovelace, Ada and Babbage, Charles},
  title = {{\"U}ber {N}etze \& Knoten -- 100\,\% na\"{\i}ve},
  journal = ann, year = 2024, month = mar, doi = {10.1000/182},
  keywords = {fabrics, nodes},
}
@misc{sizes, title = "Node sizes", organization = {Example Works},
  howpublished = {\url{https://atlas.example/node\_sizes}}, urldate = {2026-09-28}, year = {n.d.}}
@online{prices, title = {Prices}, url = {ftp://atlas.example/}}
@misc{empty, note = {nothing}}
@techreport{memo, title = {A memo}, institution = {Example Works}, date = {2024-05/2024-06}}
"""


def test_what_others_write_in_bibtex_is_understood() -> None:
    found = read_bibtex(HERE, BIB)
    first, second, third = found.sources
    assert first.title == "Über Netze & Knoten – 100 % naïve"
    assert (first.id, first.publisher, first.role) == (
        "annals-of-fabrics-uber-netze",
        "Annals of Fabrics",
        "paper",
    )
    assert (first.url, first.published, first.tags) == (
        "https://doi.org/10.1000/182",
        "2024-03",
        ("fabrics", "nodes"),
    )
    assert (second.id, second.url) == ("sizes", "https://atlas.example/node_sizes")
    assert (second.publisher, second.retrieved) == ("Example Works", "2026-09-28")
    assert (second.published, second.note) == (None, "published: n.d.")
    assert (third.publisher, third.published, third.url) == ("Example Works", "2024-05", None)
    assert third.check.off == "no address yet"
    assert [(u.place, u.text) for u in found.unplaced] == [("refs:12", "Prices"), ("refs:13", "empty")]
    assert "is not http or https" in found.unplaced[0].why


CSL = [
    {
        "id": "http://refs.example/items/7",
        "type": "article-newspaper",
        "title": "Nodes grow",
        "author": [{"family": "Lovelace", "given": "Ada"}, {"literal": "Example Press"}],
        "URL": "https://press.example/nodes",
        "issued": {"date-parts": [["2024", "3", 18]]},
        "accessed": {"raw": "28 September 2026"},
    },
    {
        "id": 5,
        "title": "Sizes",
        "container-title": "Atlas",
        "DOI": "10.1000/182",
        "issued": {"literal": "spring"},
    },
    {"id": "none", "type": "book"},
]


@pytest.mark.parametrize("shape", [CSL, {"items": CSL}])
def test_what_others_write_in_csl_is_understood(shape: Any) -> None:
    found = read_csl(HERE, json.dumps(shape, indent=1))
    first, second = found.sources
    assert (first.id, first.publisher) == ("ada-lovelace-example-press-nodes", "Ada Lovelace, Example Press")
    assert (first.published, first.retrieved, first.role) == ("2024-03-18", "2026-09-28", "press")
    assert (second.id, second.publisher, second.url) == ("5", "Atlas", "https://doi.org/10.1000/182")
    assert (second.published, second.note) == (None, "published: spring")
    assert [u.text for u in found.unplaced] == ["none"]


@pytest.mark.parametrize(
    ("read", "text", "says"),
    [
        (read_csl, "[", "refs: is no JSON"),
        (read_csl, '["a"]', "refs: is no CSL JSON; it is a list of items"),
        (read_bibtex, "@misc{a,\n title = {x}\n@misc", "refs:3: is no BibTeX"),
        (
            read_bibtex,
            "@misc{a, title={x}}\n@misc{a, title={y}}",
            "is no BibTeX: repeated bibliography entry",
        ),
    ],
)
def test_what_is_no_bibliography_is_refused(read: Any, text: str, says: str) -> None:
    with pytest.raises(UsageError) as told:
        read(HERE, text)
    assert says in str(told.value)


def test_the_sources_are_written_as_files_that_lint_passes(tmp_path: Path) -> None:
    (tmp_path / "claims").mkdir()
    kb = KnowledgeBase(tmp_path, Settings(), tmp_path / "kb.db", TODAY)
    write_changes(kb, changes(kb, read_bibtex(HERE, BIB)))
    assert [s.id for s in load_claims(tmp_path, TODAY).sources] == [
        "annals-of-fabrics-uber-netze",
        "memo",
        "sizes",
    ]
    kb = KnowledgeBase(tmp_path, Settings(), tmp_path / "kb.db", TODAY)
    assert all(c.empty for c in changes(kb, read_bibtex(HERE, BIB)))
