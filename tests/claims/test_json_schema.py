"""The JSON Schema for editors: current in the repository, and of one mind with the reader."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator

from kb.claims import DIRECTIONS, ROLES, schema
from kb.claims.json_schema import LINE
from kb.claims.shape import SHAPES

ROOT = Path(__file__).resolve().parents[2]
FILE = ROOT / "docs" / "claims.schema.json"


class Loader(yaml.SafeLoader):
    """As an editor reads YAML 1.2: numbers and true/false are typed, `off` and dates are texts."""


Loader.yaml_implicit_resolvers = {}
for tag, pattern, first in [
    ("bool", r"^(?:true|false)$", "tf"),
    ("int", r"^[-+]?\d+$", "-+0123456789"),
    ("float", r"^[-+]?\d*\.\d+$", "-+.0123456789"),
]:
    Loader.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", __import__("re").compile(pattern), list(first))


def faults(text: str) -> list[str]:
    return [e.message for e in Draft202012Validator(schema()).iter_errors(yaml.load(text, Loader))]


def test_the_file_in_the_repository_is_what_kb_prints() -> None:
    assert json.loads(FILE.read_text("utf-8")) == schema(), "run `kb lint --schema > docs/claims.schema.json`"


def test_it_is_a_json_schema() -> None:
    Draft202012Validator.check_schema(schema())


def test_it_describes_every_key() -> None:
    for name, part in schema()["$defs"].items():
        for key, body in part["properties"].items():
            if name != "was" or key in ("until", "why"):
                assert body.get("description"), f"{name}.{key} has no description"


def test_it_knows_the_words_that_claims_know() -> None:
    defs: dict[str, Any] = schema()["$defs"]
    assert defs["claim"]["properties"]["direction"]["enum"] == list(DIRECTIONS)
    assert defs["source"]["properties"]["role"]["enum"] == list(ROLES)
    assert set(defs["claim"]["properties"]) == set(SHAPES["claims"].__annotations__)


def test_every_file_of_ours_is_valid_and_names_it_in_its_first_line() -> None:
    files = sorted((ROOT / "claims").rglob("*.yaml")) + sorted((ROOT / "examples").rglob("claims/**/*.yaml"))
    assert files
    for file in files:
        text = file.read_text("utf-8")
        assert faults(text) == [], file
        first = text.partition("\n")[0]
        assert first.startswith(LINE), file
        assert (file.parent / first.removeprefix(LINE)).resolve() == FILE, file


VALID = [
    "claims: []",
    "source: {title: T, url: 'https://e.example/p'}\nclaims: []",
    "source: {title: T, check: {off: sold}}\nclaims: []",
    "claims: [{id: 1, subject: S, figure: 400}]",
    "claims: [{id: a, subject: S, date: 1999}, {id: b, subject: S, date: 2024-Q3}]",
    "claims: [{id: a, subject: S, formula: '1 + 1', figure: 2}]",
    "claims: [{id: a, subject: S, list: [a, 1], complete: true}]",
    "claims: [{id: a, subject: S, figure: 1, was: [{text: x, until: 2024-01-01}]}]",
    "claims: [{id: a, subject: S, figure: 1, accepted: {found: [a], on: 2024-01-01}}]",
]


@pytest.mark.parametrize("text", VALID)
def test_what_the_reader_takes_the_schema_takes(text: str) -> None:
    assert faults(text) == []


INVALID = [
    "{}",
    "claims: [{subject: S, figure: 1}]",
    "claims: [{id: a b, subject: S, figure: 1}]",
    "claims: [{id: a, subject: S}]",
    "claims: [{id: a, subject: S, figure: 1, text: x}]",
    "claims: [{id: a, subject: S, formula: '1'}]",
    "claims: [{id: a, subject: S, formula: '1', text: x}]",
    "claims: [{id: a, subject: S, text: x, complete: true}]",
    "claims: [{id: a, subject: S, text: x, dimension: price}]",
    "claims: [{id: a, subject: S, figure: 1, direction: up}]",
    "claims: [{id: a, subject: S, figur: 1}]",
    "claims: [{id: a, subject: S, list: []}]",
    "claims: [{id: a, subject: S, figure: 1, was: [{figure: 1}]}]",
    "claims: [{id: a, subject: S, figure: 1, was: [{until: 2024-01-01}]}]",
    "claims: [{id: a, subject: S, figure: 1, retrieved: 2024}]",
    "source: {title: T}\nclaims: []",
    "source: {title: T, url: 'ftp://e.example/p'}\nclaims: []",
    "source: {url: 'https://e.example/p', check: {every: weekly}}\nclaims: []",
]


@pytest.mark.parametrize("text", INVALID)
def test_what_the_reader_refuses_by_its_form_the_schema_refuses(text: str) -> None:
    assert faults(text)
