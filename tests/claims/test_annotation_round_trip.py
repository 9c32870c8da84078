"""Claims out as W3C Web Annotations, and in again; and annotations that others made."""

from __future__ import annotations

import json
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from claim_strategies import TODAY, sources
from hypothesis import HealthCheck, assume, given, settings
from test_table_round_trip import empty_base, trimmed

from kb.app.from_annotations import is_annotations, read_annotations
from kb.app.from_file import read_file
from kb.app.incoming import changes, write_changes
from kb.claims import ClaimSet, Source, load_claims, read_claims, write_source
from kb.cli.main import run
from kb.errors import UsageError
from kb.export.annotation import as_annotations

HERE = Path("notes.json")

# What https://www.w3.org/TR/annotation-model/ asks of a page of annotations, as far as kb writes any.
MODEL = {
    "type": "object",
    "required": ["@context", "id", "type", "items"],
    "properties": {
        "@context": {"contains": {"const": "http://www.w3.org/ns/anno.jsonld"}},
        "id": {"format": "iri", "pattern": "^urn:"},
        "type": {"const": "AnnotationPage"},
        "items": {
            "items": {
                "required": ["id", "type", "target"],
                "properties": {
                    "type": {"const": "Annotation"},
                    "motivation": {"const": "describing"},
                    "body": {
                        "required": ["type", "value"],
                        "properties": {
                            "type": {"const": "TextualBody"},
                            "format": {"const": "text/plain"},
                            "value": {"type": "string", "minLength": 1},
                        },
                    },
                    "target": {
                        "required": ["type", "source"],
                        "properties": {
                            "type": {"const": "SpecificResource"},
                            "source": {"type": "string", "pattern": "^https?://"},
                            "selector": {
                                "required": ["type", "exact"],
                                "properties": {
                                    "type": {"const": "TextQuoteSelector"},
                                    "exact": {"type": "string"},
                                    "prefix": {"type": "string"},
                                    "suffix": {"type": "string"},
                                },
                                "additionalProperties": False,
                            },
                        },
                        "additionalProperties": False,
                    },
                },
            }
        },
    },
}


@given(sources().map(trimmed))
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_every_claim_of_a_page_comes_back_as_it_was(source: Source) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "claims").mkdir()
        (folder / "claims" / "s.yaml").write_bytes(write_source(source).encode("utf-8"))
        read, problems = read_claims(folder, TODAY)
        assume(read and read[0].claims and not any(p.level == "error" for p in problems))
        before = ClaimSet(read)
        page = as_annotations(before, list(before.claims), {})
        jsonschema.validate(page, MODEL)
        (folder / "out.json").write_bytes(json.dumps(page, ensure_ascii=False).encode("utf-8"))
        kb = empty_base(folder / "base")
        write_changes(kb, changes(kb, read_file(kb, folder / "out.json")))
        after = load_claims(kb.root, TODAY)
    assert [replace(c, line=0) for c in after.claims] == [replace(c, line=0) for c in before.claims]
    assert replace(after.sources[0], claims=()) == replace(before.sources[0], claims=())


def note(body: Any, target: Any, **more: Any) -> dict[str, Any]:
    return {"type": "Annotation", "id": "https://notes.example/1", "body": body, "target": target, **more}


QUOTED = {
    "source": "https://atlas.example/sizes",
    "selector": [
        {"type": "TextPositionSelector", "start": 1, "end": 9},
        {"type": "TextQuoteSelector", "exact": "3,200 Gbps\n per node", "prefix": "has "},
    ],
}
SAID = {"type": "TextualBody", "value": "Atlas A100, network: 3,200 Gbps per node"}


@pytest.mark.parametrize(
    "shape",
    [
        lambda one: one,
        lambda one: [one],
        lambda one: {"type": "AnnotationPage", "items": [one]},
        lambda one: {"type": "AnnotationCollection", "first": {"type": "AnnotationPage", "items": [one]}},
    ],
)
@pytest.mark.parametrize("body", [SAID, [SAID], SAID["value"], [SAID, {"type": "TextualBody", "value": ""}]])
def test_what_somebody_noted_of_a_passage_is_a_proposed_claim(shape: Any, body: Any) -> None:
    data = shape(note(body, QUOTED, created="2026-09-28T10:00:00Z"))
    assert is_annotations(data)
    incoming = read_annotations(HERE, json.dumps(data), data)
    ((claim,),) = [s.claims for s in incoming.sources]
    assert incoming.sources[0].url == "https://atlas.example/sizes"
    assert (claim.subject, claim.attribute, claim.value, claim.per) == (
        *("Atlas A100", "network", "3,200 Gbps"),
        "node",
    )
    assert (claim.quote, claim.status, claim.retrieved) == ("3,200 Gbps per node", "proposed", "2026-09-28")


@pytest.mark.parametrize(
    ("body", "target", "why"),
    [
        ("a fine page", "https://atlas.example/", "the form is SUBJECT"),
        (SAID, {"id": "https://atlas.example/"}, ""),
        (SAID, "https://atlas.example/", ""),
        (SAID, None, "it has no target with an address"),
        (None, QUOTED, "the form is SUBJECT"),
    ],
)
def test_what_states_no_claim_is_told(body: Any, target: Any, why: str) -> None:
    data = [note(body, target)]
    incoming = read_annotations(HERE, json.dumps(data), data)
    assert len(incoming.unplaced) == (1 if why else 0)
    assert all(why in u.why for u in incoming.unplaced)


def test_json_that_is_neither_is_refused(tmp_path: Path) -> None:
    kb = empty_base(tmp_path / "base")
    (tmp_path / "x.json").write_text('{"a": [1, 2]}', encoding="utf-8")
    assert not read_file(kb, tmp_path / "x.json").sources
    (tmp_path / "x.json").write_text("[1, 2]", encoding="utf-8")
    with pytest.raises(UsageError, match="is no CSL JSON"):
        read_file(kb, tmp_path / "x.json")


@pytest.mark.parametrize(
    ("form", "name"), [("csv", "c.csv"), ("annotations", "c.json"), ("csl", "c.json"), ("bibtex", "c.bib")]
)
def test_the_command_takes_in_what_the_command_wrote(form: str, name: str, tmp_path: Path) -> None:
    text = (
        "source: {title: Sizes, publisher: Example Works, url: 'https://atlas.example/a', retrieved: 2026-01-02}\n"
        "claims:\n- {id: link, subject: Atlas, figure: 400 Gbps, per: GPU, quote: '=400 Gbps'}\n"
        "- {id: cities, subject: Atlas, list: [Oslo, 'Turin|Torino']}\n"
    )
    for folder in ("one", "two"):
        (tmp_path / folder / "claims").mkdir(parents=True)
    (tmp_path / "one" / "claims" / "atlas.yaml").write_text(text, encoding="utf-8")
    out = str(tmp_path / name)
    assert run(["export", "--format", form, "--out", out, "--kb", str(tmp_path / "one")]) == 0
    assert run(["add", "--from", out, "--kb", str(tmp_path / "two")]) == 0
    one, two = (load_claims(tmp_path / f, TODAY) for f in ("one", "two"))
    assert [replace(s, claims=()) for s in one.sources] == [replace(s, claims=()) for s in two.sources]
    if form in ("csv", "annotations"):
        assert [replace(c, line=0) for c in one.claims] == [replace(c, line=0) for c in two.claims]
    else:
        assert not two.claims
