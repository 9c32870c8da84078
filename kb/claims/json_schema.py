"""A JSON Schema of a claims file, so that an editor completes and checks it while it is written."""

from __future__ import annotations

from typing import Any

from kb.claims.entry import VALUE_KEYS
from kb.claims.shape import adapter

LINE = "# yaml-language-server: $schema="
"""How a claims file's first line names its schema."""


def schema() -> dict[str, Any]:
    """The schema (draft 2020-12), from the same table that the files are read by.

    It says less than `kb lint`: whether a unit exists, a day is in the future or a sum is right,
    no schema can say.
    """
    made: dict[str, Any] = adapter().json_schema()
    defs = made.pop("$defs")
    shapes = {name.removesuffix("Shape").lower(): body for name, body in defs.items()}
    claim = shapes["claim"]
    claim["oneOf"] = [{"required": [key]} for key in VALUE_KEYS]
    claim["dependentRequired"] = {"formula": ["figure"], "complete": ["list"], "dimension": ["absent"]}
    shapes["was"]["oneOf"] = [{"required": [key]} for key in VALUE_KEYS]
    shapes["source"]["anyOf"] = [
        {"required": ["url"]},
        {"required": ["check"], "properties": {"check": {"required": ["off"]}}},
    ]
    body: dict[str, Any] = _tidy(made)
    body.pop("title", None)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A claims file of kb",
        **body,
        "$defs": {name: _tidy(shapes[name]) for name in sorted(shapes)},
    }


def _tidy(node: Any) -> Any:
    """Without the titles that only repeat the keys, and with the short names of the parts."""
    if isinstance(node, list):
        return [_tidy(n) for n in node]
    if not isinstance(node, dict):
        return node
    tidy = {}
    for key, value in node.items():
        if key == "title" and isinstance(value, str):
            continue
        if key == "$ref":
            value = value.removesuffix("Shape").lower()
        tidy[key] = _tidy(value)
    return tidy
